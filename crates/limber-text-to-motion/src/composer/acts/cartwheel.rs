//! The cartwheel: sideways from foot to hand to hand to foot, with the legs straddled overhead.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3};
use limber_animation::{
    Side,
    maths::{cos, sin},
};

use super::{Span, jump::heights, side_to};
use crate::{
    Act,
    composer::{
        arms::{HandGoal, Reach},
        channels::Channel,
        feet::{Plant, Swing, Waypoint},
        hands::HandShape,
        motion_plan::{MotionPlan, Stepping, rotated},
        rig::HIPS_HEIGHT,
        style::Style,
    },
};

/// Duration from standing to standing, seconds.
const WHEEL_S: f32 = 3.2;
/// Times of the phases, as shares of the duration: the first foot steps out, the rear foot leaves,
/// the first hand lands, the front foot leaves, the second hand lands, the first hand leaves, the
/// first foot lands, the second hand leaves, the second foot lands, the body is upright.
const STEP: f32 = 0.26;
const BEHIND_OFF: f32 = 0.28;
const HAND: f32 = 0.375;
const FRONT_OFF: f32 = 0.415;
const OTHER_HAND: f32 = 0.44;
const HAND_OFF: f32 = 0.515;
const LANDS: f32 = 0.575;
const OTHER_OFF: f32 = 0.58;
const OTHER_LANDS: f32 = 0.67;
const UPRIGHT: f32 = 0.72;
/// Positions at which feet and hands land, metres from the centre of the initial stance.
const FRONT_M: f32 = 0.62;
const HAND_M: f32 = 1.18;
const OTHER_HAND_M: f32 = 1.62;
const LANDS_M: f32 = 2.22;
const OTHER_LANDS_M: f32 = 2.82;
/// Straddle angle of each leg from the midline, radians.
const STRADDLE: f32 = 0.72;
const LEG_M: f32 = 0.815;

pub(super) fn span(act: &Act, style: &Style) -> Span {
    let usual = act.count.unwrap_or(1).clamp(1, 20) as f32 * WHEEL_S / style.tempo;
    Span::new(0.72 * usual, usual + 0.1, 1.35 * usual)
}

pub(super) fn cartwheel(plan: &mut MotionPlan, act: &Act, style: &Style, span_s: f32) {
    let count = act.count.unwrap_or(1).clamp(1, 20);
    let usual = WHEEL_S / style.tempo;
    let wait = 0.25 * plan.patience();
    let each = ((span_s - wait) / count as f32).clamp(0.6 * usual, 1.3 * usual);
    let side = side_to(act);
    for index in 0..count {
        let begin = plan.now + wait + index as f32 * each;
        let (start, heading) = (plan.place, plan.heading);
        let wheel = Wheel { begin, lasts: each - 0.1, side, start, heading };
        wheel.play(plan);
    }
}

/// The plan of one cartwheel.
#[derive(Debug, Clone, Copy)]
struct Wheel {
    begin: f32,
    lasts: f32,
    /// The side that it goes to, whose foot and hand land first.
    side: Side,
    start: Vec2,
    heading: f32,
}

impl Wheel {
    fn at(&self, share: f32) -> f32 {
        self.begin + share * self.lasts
    }

    fn knots<const N: usize>(&self, knots: [(f32, f32, f32); N], time_s: f32) -> f32 {
        heights(&knots.map(|(s, value, rate)| (self.at(s), value, rate / self.lasts)), time_s)
    }

    /// Roll angle of the body towards the direction of travel.
    fn tip(&self, time_s: f32) -> f32 {
        let knots = [
            (0.08, 0.0, 0.0),
            (0.17, -0.10, 0.0),
            (STEP, 0.25, 7.5),
            (HAND, 1.75, 16.0),
            (0.5 * (OTHER_HAND + HAND_OFF), PI, 14.8),
            (LANDS, 4.55, 14.5),
            (OTHER_LANDS, 5.95, 7.5),
            (UPRIGHT + 0.05, TAU, 0.0),
            (1.0, TAU, 0.0),
        ];
        self.knots(knots, time_s)
    }

    /// Position of the pelvis along the path and its height, metres.
    fn pelvis(&self, time_s: f32) -> Vec2 {
        let middle = 0.5 * (OTHER_HAND + HAND_OFF);
        let along = [
            (0.08, 0.0, 0.0),
            (STEP, 0.36, 3.2),
            (HAND, 0.80, 4.6),
            (middle, 1.40, 5.8),
            (LANDS, 1.99, 5.0),
            (OTHER_LANDS, 2.40, 2.6),
            (UPRIGHT + 0.06, 2.54, 0.4),
            (0.95, 2.62, 0.0),
            (1.1, 2.62, 0.0),
        ];
        let height = [
            (-0.1, HIPS_HEIGHT, 0.0),
            (0.05, HIPS_HEIGHT, 0.0),
            (STEP, 0.84, -0.9),
            (HAND, 0.83, 2.2),
            (middle, 1.15, 0.0),
            (LANDS, 0.84, -2.2),
            (OTHER_LANDS, 0.85, 1.2),
            (UPRIGHT + 0.12, HIPS_HEIGHT, 0.0),
            (1.1, HIPS_HEIGHT, 0.0),
        ];
        Vec2::new(self.knots(along, time_s), self.knots(height, time_s).max(0.4))
    }

    /// A position along the path, with its height and its distance in front of the path.
    fn place(&self, along: f32, height: f32, ahead: f32) -> Vec3 {
        let level = self.start + rotated(Vec2::new(self.side.sign() * along, ahead), self.heading);
        Vec3::new(level.x, height, level.y)
    }

    fn play(&self, plan: &mut MotionPlan) {
        let (from, to) = (self.at(0.0), self.at(1.0));
        let frames = (self.lasts * 30.0).ceil() as usize;
        for frame in 0..=frames {
            let time_s = (from + frame as f32 / 30.0).min(to);
            let at = self.place(self.pelvis(time_s).x, 0.0, 0.0);
            plan.go(time_s, Vec2::new(at.x, at.z), self.heading);
        }
        // tipping to its left is clockwise about the body's forward axis
        let sign = -self.side.sign();
        let channels = &mut plan.channels;
        channels.add_with(Channel::PelvisY, from, to, |t| self.pelvis(t).y - HIPS_HEIGHT);
        channels.add_with(Channel::PelvisRoll, from, to, |t| sign * self.tip(t));
        let held = |value: f32| {
            [(0.05, 0.0), (0.2, value), (UPRIGHT, value), (UPRIGHT + 0.12, 0.0)]
                .map(|(share, value)| (self.at(share), value))
        };
        plan.turn(Channel::HeadFollow, &held(1.0));
        plan.turn(Channel::Balance, &held(-0.85));
        plan.turn(Channel::HeadPitch, &held(-0.25));
        plan.turn(Channel::SpinePitch, &held(-0.06));
        self.feet(plan);
        for side in Side::BOTH {
            self.hand(plan, side);
        }
    }

    /// Position of an ankle in the air: on its way from the floor at `from_m` to overhead, or back
    /// down, with the leg nearly straight throughout. 1 is overhead.
    fn in_the_air(&self, side: Side, (share, from_m, overhead): (f32, f32, f32)) -> Waypoint {
        let time_s = self.at(share);
        let pelvis = self.pelvis(time_s);
        let turn = Quat::from_rotation_z(-self.side.sign() * self.tip(time_s));
        let outwards = side.sign();
        // relative to the pelvis, with the body's left as +X
        let hip = turn * Vec3::new(outwards * 0.092, -0.035, 0.0);
        let apart = turn * Vec3::new(outwards * sin(STRADDLE), -cos(STRADDLE), 0.03);
        let floor = Vec3::new(self.side.sign() * (from_m - pelvis.x), 0.12 - pelvis.y, 0.0) - hip;
        let way = floor.normalize_or(Vec3::NEG_Y).lerp(apart, overhead).normalize_or(apart);
        let ankle = hip + way * LEG_M;
        let along = pelvis.x + self.side.sign() * ankle.x;
        let height = (pelvis.y + ankle.y).max(0.12);
        Waypoint { time_s, ankle: self.place(along, height, ankle.z), pitch: 0.4 }
    }

    fn feet(&self, plan: &mut MotionPlan) {
        let (front, behind) = (self.side, self.side.opposite());
        let toes_out = plan.variation.toe_out_rad();
        let half = plan.variation.stance_half_m();
        let level = |at: Vec3| Vec2::new(at.x, at.z);
        let out = self.heading + front.sign() * 0.75;
        let step = (level(self.place(FRONT_M, 0.0, 0.0)), out);
        plan.step(
            front,
            (self.at(0.10), self.at(STEP)),
            step,
            Stepping { lift: 0.10, ..Stepping::SMALL },
        );
        let mut fly = |side: Side, (off, on): (f32, f32), (from, along): (f32, f32)| {
            let shares = [0.10, 0.22, 0.34, 0.46, 0.58, 0.70, 0.80, 0.90];
            let through = shares
                .into_iter()
                .map(|u: f32| {
                    let overhead = (3.0 * u.min(1.0 - u)).min(1.0);
                    let floor = if u < 0.5 { from } else { along };
                    self.in_the_air(side, (off + u * (on - off), floor, overhead))
                })
                .collect();
            let yaw = self.heading + side.sign() * (toes_out + 0.25);
            let place = level(self.place(along, 0.0, 0.0));
            let track = &mut plan.feet[side as usize];
            track.leave(self.at(off) - 0.16, self.at(off), 0.9, 0.12);
            track.land(Plant {
                on_s: self.at(on),
                flat_s: self.at(on) + 0.08,
                roll_in: 0.5,
                load_s: 0.16,
                arrival: Swing { limp: true, ..Swing::through(through) },
                ..Plant::standing(place, yaw)
            });
        };
        let behind_m = -half;
        fly(behind, (BEHIND_OFF, LANDS), (behind_m, LANDS_M));
        fly(front, (FRONT_OFF, OTHER_LANDS), (FRONT_M, OTHER_LANDS_M));
        // both feet land together below the body
        let end = 2.62;
        for (side, along, (off, on)) in
            [(behind, end - half, (0.76, 0.85)), (front, end + half, (0.88, 0.97))]
        {
            let yaw = self.heading + side.sign() * toes_out;
            let place = level(self.place(along, 0.0, 0.0));
            plan.step(side, (self.at(off), self.at(on)), (place, yaw), Stepping::SMALL);
        }
    }

    /// A hand stays overhead, except while it is on the floor.
    fn hand(&self, plan: &mut MotionPlan, side: Side) {
        let overhead = |_: f32, hand: &Reach| HandGoal {
            wrist: hand.shoulder() + hand.chest_way(0.12, 0.66, 0.06),
            elbow: hand.chest_way(1.0, 0.0, -0.2),
            fingers: hand.chest_way(0.05, 1.0, 0.0),
            palm: hand.chest_way(-0.3, 0.0, 1.0),
            shape: HandShape::FLAT,
        };
        let fade_out = (self.at(UPRIGHT - 0.02), self.at(0.92));
        plan.hold(side, (self.at(0.02), self.at(0.19)), fade_out, overhead);
        let (along, down, off) = if side == self.side {
            (HAND_M, HAND, HAND_OFF)
        } else {
            (OTHER_HAND_M, OTHER_HAND, OTHER_OFF)
        };
        let wrist = self.place(along, 0.06, 0.02);
        let out = rotated(Vec2::new(0.0, 1.0), self.heading);
        let on_floor = move |_: f32, hand: &Reach| HandGoal {
            wrist,
            elbow: hand.chest_way(1.0, 0.0, -0.2),
            fingers: Vec3::new(out.x, 0.0, out.y),
            palm: Vec3::NEG_Y,
            shape: HandShape::OPEN,
        };
        let (down, off) = (self.at(down), self.at(off));
        plan.hold(side, (down - 0.2, down), (off, off + 0.2), on_floor);
    }
}
