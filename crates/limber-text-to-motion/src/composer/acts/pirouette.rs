//! Spins on one foot: up onto its toes, around, and out with a step. The pirouette of a dancer, and
//! the spin of somebody who twirls.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};
use limber_animation::{Side, smooth::smoothstep};

use super::{Span, side_to};
use crate::{
    Act,
    composer::{
        arms::{HandGoal, Reach},
        channels::{ArmDial, Channel, between_keys},
        feet::{BALL, Plant, Spin, Swing, Waypoint},
        hands::HandShape,
        motion_plan::{MotionPlan, Stepping, rotated},
        style::Style,
    },
};

/// How a spin is performed.
#[derive(Debug, Clone, Copy)]
struct Manner {
    /// Durations of the preparation, one turn, and the finish, seconds.
    before_s: f32,
    turn_s: f32,
    after_s: f32,
    /// Pitch of the spinning foot, radians, toes down.
    on_toes: f32,
    /// Height of the pelvis before, during and after the turn, compared with standing, metres.
    levels_m: [f32; 3],
    /// Height of the other ankle during the turn, metres.
    foot_m: f32,
    is_ballet: bool,
}

const BALLET: Manner = Manner {
    before_s: 1.05,
    turn_s: 0.78,
    after_s: 1.15,
    on_toes: 0.62,
    levels_m: [-0.15, 0.062, -0.10],
    foot_m: 0.56,
    is_ballet: true,
};
const PLAIN: Manner = Manner {
    before_s: 0.55,
    turn_s: 0.72,
    after_s: 0.62,
    on_toes: 0.4,
    levels_m: [-0.06, 0.015, -0.05],
    foot_m: 0.19,
    is_ballet: false,
};

/// Slower spins step around.
const LEAST_TEMPO: f32 = 0.75;
/// Maximum deviation from a whole number of turns, turns.
const WHOLE: f32 = 0.03;
/// Spotting: maximum angle by which the head stays behind or is ahead of the body, radians.
const SPOT: f32 = 0.95;

pub(super) fn span(act: &Act, style: &Style) -> Span {
    let turns = act.count.unwrap_or(1).clamp(1, 12) as f32;
    span_of(BALLET, turns, style)
}

fn span_of(manner: Manner, turns: f32, style: &Style) -> Span {
    let usual = manner.usual_s(turns) / style.tempo;
    Span::new(0.75 * usual, usual + 0.1, 1.35 * usual)
}

/// The number of full turns of somebody who spins by this angle; `None` if the feet step around.
pub(super) fn spins(angle: f32, style: &Style) -> Option<f32> {
    let turns = angle / TAU;
    let is_whole = (turns - turns.round()).abs() < WHOLE && turns.round() >= 1.0;
    (is_whole && style.tempo >= LEAST_TEMPO).then(|| turns.round().min(12.0))
}

/// Possible durations of spinning around this often.
pub(super) fn spin_span(turns: f32, style: &Style) -> Span {
    span_of(PLAIN, turns, style)
}

/// Spins around this often.
pub(super) fn spin(plan: &mut MotionPlan, style: &Style, side: Side, turns: f32, span_s: f32) {
    turn_around(plan, (PLAIN, style), side, turns, span_s);
}

impl Manner {
    fn usual_s(self, turns: f32) -> f32 {
        self.before_s + self.after_s + turns * self.turn_s
    }
}

/// The plan of one spin.
#[derive(Debug, Clone, Copy)]
struct Pirouette {
    manner: Manner,
    side: Side,
    begin: f32,
    pace: f32,
    angle: f32,
    heading: f32,
}

pub(super) fn pirouette(plan: &mut MotionPlan, act: &Act, style: &Style, span_s: f32) {
    let turns = match act.angle_rad {
        Some(angle) => (angle / TAU).round().clamp(1.0, 12.0),
        None => act.count.unwrap_or(1).clamp(1, 12) as f32,
    };
    turn_around(plan, (BALLET, style), side_to(act), turns, span_s);
}

fn turn_around(
    plan: &mut MotionPlan,
    (manner, style): (Manner, &Style),
    side: Side,
    turns: f32,
    span_s: f32,
) {
    let pace = ((span_s - 0.05) / manner.usual_s(turns)).min(1.3 / style.tempo);
    let (begin, heading) = (plan.now, plan.heading);
    Pirouette { manner, side, begin, pace, angle: turns * TAU, heading }.play(plan);
}

impl Pirouette {
    /// Start and end of the turn.
    fn times(&self) -> (f32, f32) {
        let from = self.begin + self.manner.before_s * self.pace;
        (from, from + self.angle / TAU * self.manner.turn_s * self.pace)
    }

    /// Angle that the body has turned: accelerates, turns at constant speed, decelerates.
    fn turned(&self, time_s: f32) -> f32 {
        let (from, to) = self.times();
        let ease = 0.16 * self.pace;
        let u = ((time_s - from + ease) / (to - from + 2.0 * ease)).clamp(0.0, 1.0);
        // a trapezoidal speed profile with rounded corners
        let soft = 0.16;
        let share = if u < soft {
            0.5 * u * u / soft
        } else if u > 1.0 - soft {
            1.0 - soft - 0.5 * (1.0 - u) * (1.0 - u) / soft
        } else {
            u - 0.5 * soft
        };
        self.side.sign() * self.angle * share / (1.0 - soft)
    }

    fn play(&self, plan: &mut MotionPlan) {
        // a turn to the right is on the left foot
        let (stands, free) = (self.side.opposite(), self.side);
        let (from, to) = self.times();
        let end = to + self.manner.after_s * self.pace;
        let place = plan.place;
        let half = plan.variation.stance_half_m();
        if self.manner.is_ballet {
            self.fourth_position(plan, free, place);
        }
        let pivot = self.spin(plan, stands);
        self.passe(plan, (stands, free), pivot, half);
        // the body is over the ball of the spinning foot
        plan.go(self.begin + 0.30 * self.pace, place, self.heading);
        plan.go(from - 0.05, pivot, self.heading);
        let steps = ((to - from) * 30.0).ceil() as usize + 10;
        for step in 0..=steps {
            let time_s = from - 0.17 * self.pace
                + (to - from + 0.34 * self.pace) * step as f32 / steps as f32;
            if time_s > from - 0.05 {
                plan.go(time_s, pivot, self.heading + self.turned(time_s));
            }
        }
        let facing = self.heading + self.side.sign() * self.angle;
        plan.go(to + 0.35 * self.pace, pivot, facing);
        plan.go(end - 0.15, self.after(plan, stands, half), facing);
        self.trunk(plan, (from, to, end));
        if self.manner.is_ballet {
            for side in Side::BOTH {
                self.arm(plan, side, (from, to, end));
            }
        } else {
            let held =
                |value: f32| [(self.begin, 0.0), (from, value), (to, value), (end + 0.1, 0.0)];
            plan.turn_arms(ArmDial::Out, &held(0.42));
            plan.turn_arms(ArmDial::Elbow, &held(0.5));
        }
        // the number of turns is whole, so the heading does not change
        plan.heading = facing;
    }

    /// Final position of the body: beside the standing foot.
    fn after(&self, plan: &MotionPlan, stands: Side, half: f32) -> Vec2 {
        let foot = plan.feet[stands as usize].last().place;
        foot - rotated(Vec2::new(stands.sign() * half, 0.0), self.heading)
    }

    /// The free foot steps back into fourth position and the knees bend.
    fn fourth_position(&self, plan: &mut MotionPlan, free: Side, place: Vec2) {
        let back = place + rotated(Vec2::new(free.sign() * 0.09, -0.27), self.heading);
        let yaw = self.heading + free.sign() * 0.75;
        let (off, on) = (self.begin + 0.16 * self.pace, self.begin + 0.46 * self.pace);
        plan.step(free, (off, on), (back, yaw), Stepping::SMALL);
    }

    /// The standing foot rises onto its toes and pivots about its ball. Returns the position of the
    /// ball.
    fn spin(&self, plan: &mut MotionPlan, stands: Side) -> Vec2 {
        let (from, to) = self.times();
        let track = &mut plan.feet[stands as usize];
        let (place, yaw) = (track.last().place, track.last().yaw);
        let (from_s, to_s) = (from - 0.16 * self.pace, to + 0.16 * self.pace);
        let this = *self;
        let turned: Vec<f32> = (0..=((to_s - from_s) * 120.0).ceil() as usize)
            .map(|step| this.turned(from_s + step as f32 / 120.0))
            .collect();
        track.spin(Spin { from_s, turned, on_toes: self.manner.on_toes, rise_s: 0.16 * self.pace });
        place + rotated(Vec2::new(BALL.x, BALL.z), yaw)
    }

    /// The free foot is drawn up to the knee and put down beside the other at the end.
    fn passe(&self, plan: &mut MotionPlan, (stands, free): (Side, Side), pivot: Vec2, half: f32) {
        let (from, to) = self.times();
        let s = free.sign();
        let mut through = Vec::new();
        let count = ((to - from) / 0.07).ceil() as usize + 1;
        for step in 0..=count {
            let (first, last) = (from + 0.10 * self.pace, to - 0.04 * self.pace);
            let time_s = first + (last - first) * step as f32 / count as f32;
            let facing = self.heading + self.turned(time_s);
            // in front of the other knee, with its own knee to the side
            let level = pivot + rotated(Vec2::new(-0.02 * s, 0.05), facing);
            through.push(Waypoint {
                time_s,
                ankle: Vec3::new(level.x, self.manner.foot_m, level.y),
                pitch: 0.9,
            });
        }
        let beside =
            self.after(plan, stands, half) + rotated(Vec2::new(s * half, -0.03), self.heading);
        let yaw = self.heading + s * plan.variation.toe_out_rad();
        let track = &mut plan.feet[free as usize];
        track.leave(from - 0.32 * self.pace, from - 0.20 * self.pace, 0.8, 0.14);
        let on_s = to + 0.34 * self.pace;
        track.land(Plant {
            on_s,
            flat_s: on_s + 0.10,
            roll_in: 0.45,
            load_s: 0.3,
            arrival: Swing { limp: true, knee_out: 1.0, ..Swing::through(through) },
            ..Plant::standing(beside, yaw)
        });
    }

    /// Bends the knees deeply before and after the turn, with a long straight back in between.
    fn trunk(&self, plan: &mut MotionPlan, (from, to, end): (f32, f32, f32)) {
        let ready = from - 0.30 * self.pace;
        let landed = to + 0.45 * self.pace;
        let [low, high, soft] = self.manner.levels_m;
        let begin = self.begin + 0.24 * self.manner.before_s * self.pace;
        plan.turn(
            Channel::PelvisY,
            &[
                (begin, 0.0),
                (ready, low),
                (from, high),
                (to, high),
                (landed, soft),
                (end.max(landed + 0.15), 0.0),
            ],
        );
        plan.turn(Channel::SpinePitch, &[(ready, 0.0), (from, -0.09), (to, -0.09), (landed, 0.0)]);
        let wound = -self.side.sign() * 0.35;
        plan.turn(
            Channel::SpineYaw,
            &[
                (self.begin + 0.19 * self.manner.before_s * self.pace, 0.0),
                (ready, wound),
                (from + 0.05, 0.0),
            ],
        );
        plan.turn(Channel::Balance, &[(ready, 0.0), (from, -0.85), (to, -0.85), (landed, 0.0)]);
        let this = *self;
        plan.channels.add_with(Channel::HeadYaw, from - 0.2, to + 0.2, move |t| {
            -this.side.sign() * spotting(this.turned(t).abs() % TAU)
        });
    }

    /// Arms are open during preparation, rounded in front of the chest during the turn, and open
    /// again.
    fn arm(&self, plan: &mut MotionPlan, side: Side, (from, to, end): (f32, f32, f32)) {
        let leads = side == self.side;
        let ready = from - 0.30 * self.pace;
        let open = move |hand: &Reach, ahead: f32| HandGoal {
            wrist: hand.shoulder()
                + hand.chest_way(0.40 - 0.30 * ahead, -0.10, 0.24 + 0.20 * ahead),
            elbow: hand.chest_way(0.7, -0.5, -0.3),
            fingers: hand.chest_way(0.5 - 0.9 * ahead, 0.0, 0.8),
            palm: hand.chest_way(-0.5, 0.2, 0.7 - 1.2 * ahead),
            shape: HandShape::RELAXED,
        };
        let rounded = |hand: &Reach| HandGoal {
            wrist: hand.near_chest(0.13, -0.10, 0.36),
            elbow: hand.chest_way(1.0, -0.1, 0.1),
            fingers: hand.chest_way(-1.0, -0.05, 0.25),
            palm: hand.chest_way(0.0, 0.1, -1.0),
            shape: HandShape::RELAXED,
        };
        let closed = [
            (from - 0.22 * self.pace, 0.0),
            (from + 0.02, 1.0),
            (to - 0.05, 1.0),
            (to + 0.30 * self.pace, 0.0),
        ];
        let fades = ((self.begin + 0.15, ready), (end - 0.55 * self.pace, end));
        plan.hold(side, fades.0, fades.1, move |t, hand| {
            let amount = between_keys(&closed, t);
            let ahead = if leads && t < from + 0.3 { 1.0 } else { 0.0 };
            let (a, b) = (open(hand, ahead), rounded(hand));
            HandGoal {
                wrist: a.wrist.lerp(b.wrist, amount),
                elbow: a.elbow.lerp(b.elbow, amount),
                fingers: a.fingers.lerp(b.fingers, amount),
                palm: a.palm.lerp(b.palm, amount),
                shape: a.shape.blend(b.shape, amount),
            }
        });
    }
}

/// How far the head stays behind the body (positive) or is ahead of it for an angle turned: it
/// looks at one place as long as possible, and returns there first.
fn spotting(turned: f32) -> f32 {
    let back = smoothstep(turned / 1.1) * SPOT;
    let over = smoothstep((turned - 2.3) / 2.2);
    let home = smoothstep((turned - (TAU - 1.1)) / 1.1);
    (back - 2.0 * SPOT * over + SPOT * home)
        * if turned > PI { 1.0 } else { smoothstep(turned / 0.8) }
}
