//! The forward roll: down on the hands, over the rounded back, and up onto the feet again.
//!
//! The trunk is a chain of spheres; the lowest of them carries the weight and rolls without
//! slipping.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use limber_animation::{Side, maths::sin_cos};

use super::{Span, jump::heights};
use crate::{
    Act,
    composer::{
        arms::{HandGoal, Reach},
        channels::{ArmDial, Channel, between_keys},
        feet::{Plant, Swing, Waypoint},
        hands::HandShape,
        motion_plan::{MotionPlan, rotated},
        rig::HIPS_HEIGHT,
        style::Style,
    },
};

/// Duration from standing to standing, seconds.
const ROLL_S: f32 = 3.1;
/// Times of the phases, as shares of the duration: the hands land, the feet leave, the back touches
/// and leaves the floor, the feet land, the seat rises, the body is over the feet.
const HANDS: f32 = 0.20;
const OFF: f32 = 0.30;
const BACK: f32 = 0.375;
const SEAT: f32 = 0.575;
const FEET: f32 = 0.60;
const RISE: f32 = 0.65;
const UP: f32 = 0.72;
/// Offset from each joint of the trunk to the next (up, ahead, metres), and its share of the bend.
const CHAIN: [(Vec2, f32); 5] = [
    (Vec2::new(0.100, -0.012), 0.30),
    (Vec2::new(0.115, -0.006), 0.36),
    (Vec2::new(0.125, 0.000), 0.34),
    (Vec2::new(0.150, 0.006), 0.0),
    (Vec2::new(0.095, 0.018), 0.0),
];
/// Radius of the trunk at each joint, from the pelvis to the head, metres.
const GIRTHS_M: [f32; 6] = [0.105, 0.090, 0.105, 0.105, 0.070, 0.100];
/// Distance of the hands in front of the feet, and of the feet in front of the seat, metres.
const HANDS_AHEAD_M: f32 = 0.50;
const FEET_AHEAD_M: f32 = 0.34;
const STEP_S: f32 = 1.0 / 120.0;

pub(super) fn span(act: &Act, style: &Style) -> Span {
    let usual = act.count.unwrap_or(1).clamp(1, 20) as f32 * ROLL_S / style.tempo;
    Span::new(0.72 * usual, usual + 0.1, 1.35 * usual)
}

pub(super) fn roll(plan: &mut MotionPlan, act: &Act, style: &Style, span_s: f32) {
    let count = act.count.unwrap_or(1).clamp(1, 20);
    let usual = ROLL_S / style.tempo;
    let each = (span_s / count as f32).clamp(0.6 * usual, 1.3 * usual);
    for index in 0..count {
        let begin = plan.now + (index as f32) * each;
        let wait = if index == 0 { 0.45 * plan.patience() * style.size } else { 0.0 };
        let wait = wait.min(0.12 * each);
        Roll::planned(begin + wait, each - wait - 0.1).play(plan);
    }
}

/// The plan of one roll.
struct Roll {
    begin: f32,
    lasts: f32,
    /// Trajectory of the pelvis, sampled every 1/120 s: distance ahead of its start, and height.
    way: Vec<Vec2>,
}

impl Roll {
    fn planned(begin: f32, lasts: f32) -> Self {
        let mut roll = Self { begin, lasts, way: Vec::new() };
        roll.way = roll.rolled();
        roll
    }

    fn at(&self, share: f32) -> f32 {
        self.begin + share * self.lasts
    }

    /// Forward pitch of the pelvis.
    fn tip(&self, time_s: f32) -> f32 {
        // angle in radians, and its derivative in radians per share
        let knots: [(f32, f32, f32); 8] = [
            (0.0, 0.0, 0.0),
            (HANDS, 0.95, 6.0),
            (OFF, 1.75, 11.0),
            (BACK, 2.62, 11.6),
            (SEAT, 4.95, 11.0),
            (UP - 0.04, 6.45, 7.0),
            (UP + 0.03, 6.83, 0.0),
            (1.0, TAU, 0.0),
        ];
        heights(
            &knots.map(|(share, value, rate)| (self.at(share), value, rate / self.lasts)),
            time_s,
        )
    }

    fn keyed(&self, keys: &[(f32, f32)], time_s: f32) -> f32 {
        let keys: Vec<(f32, f32)> = keys.iter().map(|(s, value)| (self.at(*s), *value)).collect();
        between_keys(&keys, time_s)
    }

    /// Flexion of the spine.
    fn bend(&self, time_s: f32) -> f32 {
        let keys =
            [(0.0, 0.0), (HANDS, 0.9), (OFF + 0.03, 1.75), (SEAT, 1.75), (UP, 0.95), (1.0, 0.0)];
        self.keyed(&keys, time_s)
    }

    /// How far the chin is tucked to the chest.
    fn chin(&self, time_s: f32) -> f32 {
        let keys = [(0.05, 0.0), (HANDS + 0.03, 0.35), (OFF, 0.95), (SEAT, 0.9), (UP, 0.1)];
        self.keyed(&keys, time_s)
    }

    /// The trunk spheres relative to the pelvis: position (ahead, up) and rotation.
    fn balls(&self, time_s: f32) -> [(Vec2, f32); 6] {
        let mut turn = self.tip(time_s);
        let (bend, chin) = (self.bend(time_s), self.chin(time_s));
        let mut at = Vec2::ZERO;
        let mut balls = [(at, turn); 6];
        for (place, (offset, share)) in CHAIN.into_iter().enumerate() {
            // up and ahead, rotated forwards
            let (sin, cos) = sin_cos(turn);
            at += Vec2::new(offset.x * sin + offset.y * cos, offset.x * cos - offset.y * sin);
            turn += if place < 3 { share * bend } else { 0.5 * chin };
            balls[place + 1] = (at, turn);
        }
        // the sphere of the head is centred in the skull
        let (sin, cos) = sin_cos(turn);
        balls[5].0 += 0.09 * Vec2::new(sin, cos);
        balls
    }

    /// Height of the pelvis when the trunk lies on the floor, and the sphere that carries the
    /// weight.
    fn on_the_floor(&self, time_s: f32) -> (f32, usize) {
        let balls = self.balls(time_s);
        (0..6)
            .map(|place| (GIRTHS_M[place] - balls[place].0.y, place))
            .fold((f32::MIN, 0), |best, next| if next.0 > best.0 { next } else { best })
    }

    /// Trajectory of the pelvis: on hands and feet, on the back without slipping, and over the
    /// feet.
    fn rolled(&self) -> Vec<Vec2> {
        let steps = (self.lasts / STEP_S).ceil() as usize + 2;
        let time = |step: usize| self.begin + step as f32 * STEP_S;
        let (from, to) = (self.at(BACK), self.at(SEAT));
        let slope = |time_s: f32| {
            (self.on_the_floor(time_s + STEP_S).0 - self.on_the_floor(time_s - STEP_S).0)
                / (2.0 * STEP_S)
        };
        let touch = self.on_the_floor(from).0;
        let before = [
            (self.at(0.0), HIPS_HEIGHT, 0.0),
            (self.at(HANDS), 0.53, -0.10),
            (self.at(OFF), 0.62, 0.0),
            (from, touch, slope(from)),
        ];
        let seat = self.on_the_floor(to).0;
        let rate = |a_share: f32| a_share / self.lasts;
        let after = [
            (to, seat, slope(to).max(-0.1)),
            (self.at(RISE), 0.26, rate(2.4)),
            (self.at(UP), 0.42, rate(1.5)),
            (self.at(1.0), HIPS_HEIGHT, 0.0),
            (self.at(1.1), HIPS_HEIGHT, 0.0),
        ];
        let ahead = [(self.at(0.02), 0.0, 0.0), (self.at(HANDS), 0.06, 0.7), (from, 0.46, 1.25)];
        let mut way = Vec::with_capacity(steps);
        let mut x = 0.0;
        for step in 0..steps {
            let t = time(step);
            let place = if t < from {
                x = heights(&ahead, t);
                Vec2::new(x, heights(&before, t))
            } else if t <= to {
                x += self.slip_free(t);
                Vec2::new(x, self.on_the_floor(t).0)
            } else {
                let over = x + FEET_AHEAD_M;
                let on = [
                    (to, x, rate(1.8)),
                    (self.at(RISE), over - 0.21, rate(2.0)),
                    (self.at(UP), over - 0.06, rate(0.8)),
                    (self.at(0.92), over, 0.0),
                    (self.at(1.2), over, 0.0),
                ];
                Vec2::new(heights(&on, t), heights(&after, t))
            };
            way.push(place);
        }
        way
    }

    /// Displacement of the pelvis in one time step while the weight-bearing sphere rolls without
    /// slipping.
    fn slip_free(&self, time_s: f32) -> f32 {
        let (before, after) = (self.balls(time_s - STEP_S), self.balls(time_s));
        let bears = self.on_the_floor(time_s).1;
        let rolled = GIRTHS_M[bears] * (after[bears].1 - before[bears].1);
        rolled - (after[bears].0.x - before[bears].0.x)
    }

    /// The pelvis at a time: distance ahead of its start, and height.
    fn pelvis(&self, time_s: f32) -> Vec2 {
        let step = ((time_s - self.begin) / STEP_S).max(0.0);
        let last = self.way.len() - 1;
        let (at, share) = ((step as usize).min(last), step.fract());
        self.way[at].lerp(self.way[(at + 1).min(last)], share)
    }

    fn play(&self, plan: &mut MotionPlan) {
        let (place, heading) = (plan.place, plan.heading);
        let end = self.at(1.0);
        let frames = (self.lasts * 30.0).ceil() as usize;
        for frame in 0..=frames {
            let time_s = (self.begin + frame as f32 / 30.0).min(end);
            let ahead = rotated(Vec2::new(0.0, self.pelvis(time_s).x), heading);
            plan.go(time_s, place + ahead, heading);
        }
        let (from, to) = (self.begin, end);
        let channels = &mut plan.channels;
        channels.add_with(Channel::PelvisY, from, to, |t| self.pelvis(t).y - HIPS_HEIGHT);
        channels.add_with(Channel::PelvisPitch, from, to, |t| self.tip(t));
        channels.add_with(Channel::SpinePitch, from, to, |t| self.bend(t));
        channels.add_with(Channel::HeadPitch, from, to, |t| self.chin(t));
        let held = |value: f32| {
            [(0.06, 0.0), (HANDS, value), (UP, value), (0.9, 0.0)]
                .map(|(share, value)| (self.at(share), value))
        };
        plan.turn(Channel::HeadFollow, &held(1.0));
        plan.turn(Channel::Balance, &held(-0.85));
        self.feet(plan, place, heading);
        self.hands(plan, place, heading);
    }

    /// The feet leave over the toes, follow the tucked body, and land near the seat.
    fn feet(&self, plan: &mut MotionPlan, start: Vec2, heading: f32) {
        let half = plan.variation.stance_half_m();
        let down = self.pelvis(self.at(SEAT)).x + FEET_AHEAD_M;
        for side in Side::BOTH {
            let s = side.sign();
            let shares = [0.34, 0.375, 0.42, 0.46, 0.50, 0.54, 0.57];
            let through: Vec<Waypoint> = shares
                .into_iter()
                .map(|share| {
                    let time_s = self.at(share);
                    // the legs trail first, then fold; relative to the pelvis: down, ahead
                    let fold = ((share - 0.34) / 0.10).clamp(0.0, 1.0);
                    let (below, ahead) = (0.60 - 0.20 * fold, 0.36 - 0.02 * fold);
                    let (sin, cos) = sin_cos(self.tip(time_s));
                    let pelvis = self.pelvis(time_s);
                    let z = pelvis.x - below * sin + ahead * cos;
                    let y = (pelvis.y - below * cos - ahead * sin).max(0.10);
                    let level = start + rotated(Vec2::new(s * 0.8 * half, z), heading);
                    Waypoint { time_s, ankle: Vec3::new(level.x, y, level.y), pitch: 0.5 }
                })
                .collect();
            let place = start + rotated(Vec2::new(s * half, down), heading);
            let yaw = heading + s * plan.variation.toe_out_rad();
            let track = &mut plan.feet[side as usize];
            track.leave(self.at(HANDS), self.at(OFF), 1.05, 0.2);
            track.land(Plant {
                on_s: self.at(FEET),
                flat_s: self.at(FEET) + 0.05,
                roll_in: -0.10,
                load_s: 0.12,
                arrival: Swing { limp: true, ..Swing::through(through) },
                ..Plant::standing(place, yaw)
            });
        }
    }

    /// The hands go to the floor, carry weight, stay beside the head, grasp the shins, and swing
    /// forwards for getting up.
    fn hands(&self, plan: &mut MotionPlan, start: Vec2, heading: f32) {
        for side in Side::BOTH {
            let s = side.sign();
            let at = start + rotated(Vec2::new(0.19 * s, HANDS_AHEAD_M), heading);
            let wrist = Vec3::new(at.x, 0.055, at.y);
            let on_floor = move |_: f32, hand: &Reach| HandGoal {
                wrist,
                elbow: hand.body_way(0.85, -0.1, -0.5),
                fingers: hand.body_way(-0.15, 0.0, 1.0),
                palm: Vec3::NEG_Y,
                shape: HandShape::OPEN,
            };
            let (down, let_go) = (self.at(HANDS), self.at(OFF));
            plan.hold(side, (self.at(0.05), down), (let_go, let_go + 0.2), on_floor);
            // the back passes over the hands, which stay beside the head instead of on their spot
            let lowest = Vec3::new(f32::MIN, wrist.y, f32::MIN);
            let beside_head = move |_: f32, hand: &Reach| HandGoal {
                wrist: (hand.shoulder() + hand.chest_way(0.12, 0.16, 0.22)).max(lowest),
                elbow: hand.chest_way(0.9, 0.0, 0.4),
                fingers: hand.chest_way(-0.1, 0.5, 0.8),
                palm: hand.chest_way(0.0, 0.8, -0.5),
                shape: HandShape::OPEN,
            };
            let shoulders = self.at(BACK);
            plan.hold(side, (let_go, shoulders), (shoulders, shoulders + 0.2), beside_head);
            let shins = |_: f32, hand: &Reach| {
                let along = (hand.ankle - hand.knee).normalize_or(Vec3::NEG_Y);
                let out = hand.pelvis * Vec3::X * hand.side.sign();
                HandGoal {
                    wrist: hand.knee + along * 0.15 + out * 0.085 - hand.pelvis * Vec3::Z * 0.02,
                    elbow: out,
                    fingers: along * 0.5 + hand.pelvis * Vec3::Z * 0.6 - out * 0.5,
                    palm: -out,
                    shape: HandShape::RELAXED,
                }
            };
            let reached = (shoulders, shoulders + 0.3);
            plan.hold(side, reached, (self.at(SEAT), self.at(UP) - 0.05), shins);
            let ahead = |_: f32, hand: &Reach| HandGoal {
                wrist: hand.shoulder() + hand.body_way(0.05, -0.06, 0.5),
                elbow: hand.body_way(0.4, -0.9, 0.0),
                fingers: hand.body_way(0.0, 0.0, 1.0),
                palm: hand.body_way(-0.6, -0.6, 0.0),
                shape: HandShape::RELAXED,
            };
            plan.hold(
                side,
                (self.at(SEAT), self.at(UP) - 0.05),
                (self.at(UP + 0.04), self.at(0.98)),
                ahead,
            );
        }
        plan.turn_arms(
            ArmDial::Elbow,
            &[(self.at(UP), 0.0), (self.at(UP + 0.1), 0.2), (self.at(1.0), 0.0)],
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_back_rolls_over_the_floor_without_sinking_or_slipping_back() {
        let roll = Roll::planned(1.0, ROLL_S);
        let (from, to) = (roll.at(BACK), roll.at(SEAT));
        let mut x = roll.pelvis(from).x;
        for step in 1..60 {
            let t = from + (to - from) * step as f32 / 60.0;
            let pelvis = roll.pelvis(t);
            let balls = roll.balls(t);
            let lowest = (0..6)
                .map(|place| pelvis.y + balls[place].0.y - GIRTHS_M[place])
                .fold(f32::MAX, f32::min);
            assert!(lowest.abs() < 0.006, "{lowest} at {t}");
            assert!(pelvis.x > x - 0.02, "{} after {x} at {t}", pelvis.x);
            x = pelvis.x;
        }
        assert!((roll.tip(roll.at(0.999)) - TAU).abs() < 0.01 && roll.tip(to) > 4.0);
    }
}
