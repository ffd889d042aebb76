//! Flips: a somersault in the air, tucked, from both feet onto both feet.
//!
//! In flight, the centre of mass follows a parabola and the body turns about it, slowly while it is
//! extended and fast while it is tucked.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};
use limber_animation::{
    Side,
    maths::{powf, sin_cos},
};

use super::{Span, jump::heights, level};
use crate::{
    Act, FlipDirection,
    composer::{
        GRAVITY_M_S2,
        arms::{HandGoal, Reach},
        channels::{ArmDial, Channel, between_keys},
        feet::{Plant, Swing, Waypoint},
        hands::HandShape,
        motion_plan::{MotionPlan, rotated},
        rig::HIPS_HEIGHT,
        style::Style,
    },
};

/// Durations of crouching, pushing off, absorbing the landing and standing up, seconds.
const CROUCH_S: f32 = 0.52;
const PUSH_S: f32 = 0.26;
const ABSORB_S: f32 = 0.26;
const RISE_S: f32 = 0.68;
const GROUND_S: f32 = CROUCH_S + PUSH_S + ABSORB_S + RISE_S;
/// Rise of the centre of mass after take-off, metres. Gymnasts reach 0.4 to 0.6 m from standing.
const RISE_M: f32 = 0.50;
/// Height of the pelvis above its rest height at take-off and at touchdown, metres.
const OFF_M: f32 = 0.08;
const ON_M: f32 = -0.16;
/// Depth of the crouches before and after the flight, metres.
const CROUCH_M: f32 = -0.27;
const ABSORB_M: f32 = -0.31;
/// Offset from the pelvis to the centre of mass (up, ahead), extended and tucked, metres.
const EXTENDED: Vec2 = Vec2::new(0.10, 0.0);
const TUCKED: Vec2 = Vec2::new(0.13, 0.13);
/// Position of the ankles relative to the hips by share of the flight: `(share, below, ahead)`.
const LEGS: [(f32, f32, f32); 7] = [
    (0.0, 0.80, -0.06),
    (0.10, 0.79, -0.05),
    (0.34, 0.19, 0.25),
    (0.62, 0.18, 0.25),
    (0.86, 0.66, 0.16),
    (0.95, 0.70, 0.10),
    (1.0, 0.70, 0.08),
];
/// How far the knees open in the tuck, metres from the midline to each ankle.
const APART_M: f32 = 0.11;
const STEP_S: f32 = 1.0 / 240.0;

pub(super) fn span(act: &Act, style: &Style) -> Span {
    let count = act.count.unwrap_or(1).clamp(1, 20) as f32;
    let once = GROUND_S / style.tempo + flight_s(rise_m(style));
    Span::new(0.72 * count * once, count * once + 0.1, 1.25 * count * once)
}

/// A bigger flip is higher; a smaller one must still leave time for the turn.
fn rise_m(style: &Style) -> f32 {
    (RISE_M * powf(style.size, 0.6)).clamp(0.40, 0.75)
}

fn flight_s(rise_m: f32) -> f32 {
    let fall_m = rise_m + OFF_M - ON_M;
    (2.0 * rise_m / GRAVITY_M_S2).sqrt() + (2.0 * fall_m / GRAVITY_M_S2).sqrt()
}

pub(super) fn flip(
    plan: &mut MotionPlan,
    act: &Act,
    direction: FlipDirection,
    style: &Style,
    span_s: f32,
) {
    let count = act.count.unwrap_or(1).clamp(1, 20);
    let rise_m = rise_m(style);
    let wait_s = (0.3 * plan.patience()).min(0.1 * span_s);
    let each_s = (span_s - 0.05 - wait_s) / count as f32;
    let pace = ((each_s - flight_s(rise_m)) / GROUND_S).clamp(0.55, 1.35);
    let mut begin = plan.now + wait_s;
    level::rise_into(plan, begin, begin + CROUCH_S * pace);
    for _ in 0..count {
        let flip = Flip::planned(direction, begin, pace, rise_m);
        begin = flip.end;
        flip.play(plan);
    }
}

/// The plan of one flip.
struct Flip {
    direction: FlipDirection,
    begin: f32,
    /// Times at which the crouch is deepest, the feet leave and land, the landing is absorbed, and
    /// the body stands.
    low: f32,
    off: f32,
    on: f32,
    absorbed: f32,
    end: f32,
}

impl Flip {
    fn planned(direction: FlipDirection, begin: f32, pace: f32, rise_m: f32) -> Self {
        let low = begin + CROUCH_S * pace;
        let off = low + PUSH_S;
        let on = off + flight_s(rise_m);
        let absorbed = on + ABSORB_S * pace.max(0.8);
        Self { direction, begin, low, off, on, absorbed, end: absorbed + RISE_S * pace }
    }

    /// The time at a share of the flight.
    fn aloft(&self, share: f32) -> f32 {
        self.off + share * (self.on - self.off)
    }

    fn share(&self, time_s: f32) -> f32 {
        ((time_s - self.off) / (self.on - self.off)).clamp(0.0, 1.0)
    }

    /// Forward pitch of the pelvis, from 0 to a full turn in the flip's direction.
    fn tip(&self, time_s: f32) -> f32 {
        let rate = 1.0 / (self.on - self.off);
        let knots = match self.direction {
            FlipDirection::Backward => [
                (self.begin, 0.0, 0.0),
                (self.low, 0.50, 0.0),
                (self.off, -0.32, -4.0 * rate),
                (self.aloft(0.30), -1.85, -6.6 * rate),
                (self.aloft(0.72), -4.72, -6.2 * rate),
                (self.on, -5.85, -2.4 * rate),
                (self.absorbed, 0.52 - TAU, 0.0),
                (self.end, -TAU, 0.0),
                (self.end + 1.0, -TAU, 0.0),
            ],
            FlipDirection::Forward => [
                (self.begin, 0.0, 0.0),
                (self.low, 0.42, 0.0),
                (self.off, 0.42, 4.0 * rate),
                (self.aloft(0.30), 1.90, 6.4 * rate),
                (self.aloft(0.72), 4.75, 6.2 * rate),
                (self.on, 6.12, 3.0 * rate),
                (self.absorbed, 0.50 + TAU, 0.0),
                (self.end, TAU, 0.0),
                (self.end + 1.0, TAU, 0.0),
            ],
        };
        heights(&knots, time_s)
    }

    /// How far the body is tucked, 0 to 1.
    fn tuck(&self, time_s: f32) -> f32 {
        between_keys(
            &[0.08, 0.36, 0.62, 0.90].map(|share| {
                let tucked = if (0.2..0.8).contains(&share) { 1.0 } else { 0.0 };
                (self.aloft(share), tucked)
            }),
            time_s,
        )
    }

    /// Offset from the pelvis to the centre of mass: ahead, up.
    fn mass(&self, time_s: f32) -> Vec2 {
        let offset = EXTENDED.lerp(TUCKED, self.tuck(time_s));
        let (sin, cos) = sin_cos(self.tip(time_s));
        Vec2::new(offset.x * sin + offset.y * cos, offset.x * cos - offset.y * sin)
    }

    /// Position of the pelvis in flight relative to where the body stands: ahead, up. The way that
    /// the whole body travels is part of its path instead.
    fn in_flight(&self, time_s: f32) -> Vec2 {
        let (since, lasts) = (time_s - self.off, self.on - self.off);
        let start = Vec2::new(0.0, OFF_M) + self.mass(self.off).with_x(0.0);
        let end = Vec2::new(0.0, ON_M) + self.mass(self.on).with_x(0.0);
        let speed = (end.y - start.y + 0.5 * GRAVITY_M_S2 * lasts * lasts) / lasts;
        let mass = Vec2::new(0.0, start.y + speed * since - 0.5 * GRAVITY_M_S2 * since * since);
        mass - self.mass(time_s)
    }

    /// Position of the pelvis relative to where the body stands: ahead, up.
    fn pelvis(&self, time_s: f32) -> Vec2 {
        if (self.off..=self.on).contains(&time_s) {
            return self.in_flight(time_s);
        }
        let rate = |from: f32, to: f32| (self.in_flight(to) - self.in_flight(from)) / STEP_S;
        let (off, on) = (self.in_flight(self.off), self.in_flight(self.on));
        let (leaves, lands) = (rate(self.off, self.off + STEP_S), rate(self.on - STEP_S, self.on));
        let knots = |axis: usize, crouched: f32, absorbed: f32| {
            let knots = [
                (self.begin, 0.0, 0.0),
                (self.low, crouched, 0.0),
                (self.off, off[axis], leaves[axis]),
                (self.on, on[axis], lands[axis]),
                (self.absorbed, absorbed, 0.0),
                (self.end, 0.0, 0.0),
                (self.end + 1.0, 0.0, 0.0),
            ];
            heights(&knots, time_s)
        };
        Vec2::new(knots(0, -0.13, -0.13), knots(1, CROUCH_M, ABSORB_M))
    }

    /// How far the body travels, metres ahead.
    fn travel_m(&self) -> f32 {
        match self.direction {
            FlipDirection::Backward => -0.38,
            FlipDirection::Forward => 0.55,
        }
    }

    fn play(&self, plan: &mut MotionPlan) {
        let (place, heading) = (plan.place, plan.heading);
        let lands = place + rotated(Vec2::new(0.0, self.travel_m()), heading);
        self.feet(plan, place, lands);
        plan.go(self.off - 0.04, place, heading);
        plan.go(self.on + 0.04, lands, heading);
        let channels = &mut plan.channels;
        channels.add_with(Channel::PelvisY, self.begin, self.end, |t| self.pelvis(t).y);
        channels.add_with(Channel::PelvisZ, self.begin, self.end, |t| self.pelvis(t).x);
        channels.add_with(Channel::PelvisPitch, self.begin, self.end, |t| self.tip(t));
        self.trunk(plan);
        self.arms(plan);
        for side in Side::BOTH {
            self.hand(plan, side);
        }
    }

    fn trunk(&self, plan: &mut MotionPlan) {
        let is_backward = self.direction == FlipDirection::Backward;
        let (stretched, chin) = if is_backward { (-0.42, -0.35) } else { (0.30, 0.30) };
        let spine = [
            (self.begin, 0.0),
            (self.low, 0.42),
            (self.off, stretched),
            (self.aloft(0.40), 0.85),
            (self.aloft(0.62), 0.80),
            (self.on, 0.22),
            (self.absorbed, 0.40),
            (self.end, 0.0),
        ];
        plan.turn(Channel::SpinePitch, &spine);
        let head = [
            (self.low, 0.0),
            (self.off, chin),
            (self.aloft(0.40), 0.45),
            (self.aloft(0.62), 0.25),
            (self.on, 0.0),
        ];
        plan.turn(Channel::HeadPitch, &head);
        let follow =
            [(self.low, 0.0), (self.off, 1.0), (self.aloft(0.9), 1.0), (self.absorbed + 0.1, 0.0)];
        plan.turn(Channel::HeadFollow, &follow);
    }

    /// Swings the arms back in the crouch, overhead at take-off, and in front for the landing.
    fn arms(&self, plan: &mut MotionPlan) {
        let flex = [
            (self.begin, 0.0),
            (self.low - 0.06, -0.85),
            (self.off + 0.02, 2.75),
            (self.aloft(0.40), 0.9),
            (self.aloft(0.90), 1.15),
            (self.absorbed, 0.95),
            (self.end, 0.0),
        ];
        plan.turn_arms(ArmDial::Flex, &flex);
        let elbow = [
            (self.begin, 0.0),
            (self.low, 0.15),
            (self.off, 0.25),
            (self.aloft(0.40), 0.9),
            (self.aloft(0.90), 0.45),
            (self.absorbed, 0.5),
            (self.end, 0.0),
        ];
        plan.turn_arms(ArmDial::Elbow, &elbow);
        let out = [
            (self.low, 0.0),
            (self.off, 0.12),
            (self.aloft(0.40), 0.10),
            (self.on, 0.35),
            (self.absorbed, 0.30),
            (self.end, 0.0),
        ];
        plan.turn_arms(ArmDial::Out, &out);
        plan.turn_arms(
            ArmDial::Shrug,
            &[(self.low, 0.0), (self.off, 0.18), (self.aloft(0.3), 0.0)],
        );
    }

    /// A hand grasps its shin during the tuck.
    fn hand(&self, plan: &mut MotionPlan, side: Side) {
        let shin = |_: f32, hand: &Reach| {
            let along = (hand.ankle - hand.knee).normalize_or(Vec3::NEG_Y);
            let out = hand.pelvis * Vec3::X * hand.side.sign();
            HandGoal {
                wrist: hand.knee + along * 0.14 + out * 0.075 - hand.pelvis * Vec3::Z * 0.01,
                elbow: out * 0.6 - hand.pelvis * Vec3::Y * 0.5,
                fingers: along * 0.5 + hand.pelvis * Vec3::Z * 0.5 - out * 0.5,
                palm: -out,
                shape: HandShape::RELAXED,
            }
        };
        plan.hold(
            side,
            (self.aloft(0.14), self.aloft(0.40)),
            (self.aloft(0.60), self.aloft(0.84)),
            shin,
        );
    }

    /// The feet leave over the toes, follow the tucked body, and land on the balls.
    fn feet(&self, plan: &mut MotionPlan, start: Vec2, lands: Vec2) {
        let heading = plan.heading;
        let half = plan.variation.stance_half_m();
        for side in Side::BOTH {
            let last = plan.feet[side as usize].last();
            let (place, yaw) = (last.place + lands - start, last.yaw);
            let through = (1..20)
                .map(|step| self.ankle(side, half, step as f32 / 20.0, (start, lands), heading))
                .collect();
            // one foot is slightly later, as in real jumps
            let late = if side == Side::Left { 0.0 } else { 0.010 };
            let track = &mut plan.feet[side as usize];
            track.leave(self.low + 0.06, self.off, 0.80, 0.08);
            track.land(Plant {
                on_s: self.on + late,
                flat_s: self.on + late + 0.08,
                roll_in: 0.40,
                load_s: 0.10,
                arrival: Swing { limp: true, ..Swing::through(through) },
                ..Plant::standing(place, yaw)
            });
        }
    }

    /// Position of an ankle at a share of the flight.
    fn ankle(
        &self,
        side: Side,
        half_m: f32,
        share: f32,
        (start, lands): (Vec2, Vec2),
        heading: f32,
    ) -> Waypoint {
        let time_s = self.aloft(share);
        let legs = |value: fn(&(f32, f32, f32)) -> f32| {
            let keys = LEGS.map(|key| (self.aloft(key.0), value(&key)));
            between_keys(&keys, time_s)
        };
        let (below, ahead) = (legs(|key| key.1), legs(|key| key.2));
        let (tip, pelvis) = (self.tip(time_s), self.pelvis(time_s));
        let apart = half_m + (APART_M - half_m) * self.tuck(time_s);
        let leg = Quat::from_rotation_x(tip) * Vec3::new(side.sign() * apart, -below, ahead);
        let travelled = start.lerp(lands, self.share(time_s));
        let level = travelled + rotated(Vec2::new(leg.x, pelvis.x + leg.z), heading);
        let height = HIPS_HEIGHT + pelvis.y + leg.y;
        // toes pointed, measured from where the body is upright next
        let turned = if share < 0.5 { tip } else { tip - self.tip(self.end) };
        let pitch = (turned + 0.6).clamp(-1.2, 1.2);
        Waypoint { time_s, ankle: Vec3::new(level.x, height.max(0.09), level.y), pitch }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_of_mass_flies_on_a_parabola_and_the_body_turns_once() {
        for (direction, turns) in [(FlipDirection::Backward, -1.0), (FlipDirection::Forward, 1.0)] {
            let flip = Flip::planned(direction, 1.0, 1.0, RISE_M);
            let mass = |share: f32| {
                let time_s = flip.aloft(share);
                flip.in_flight(time_s) + flip.mass(time_s)
            };
            let step_s = 0.1 * (flip.on - flip.off);
            for share in 1..10 {
                let share = 0.1 * share as f32;
                let change = mass(share + 0.1) + mass(share - 0.1) - 2.0 * mass(share);
                let gravity = -change.y / (step_s * step_s);
                assert!((gravity - GRAVITY_M_S2).abs() < 0.05, "{gravity} at {share}");
            }
            let rise = (0..=20).map(|step| mass(0.05 * step as f32).y).fold(f32::MIN, f32::max);
            assert!((rise - mass(0.0).y - RISE_M).abs() < 0.06, "{rise}");
            assert!((flip.tip(flip.end) - turns * TAU).abs() < 1e-4);
        }
    }

    #[test]
    fn the_pelvis_moves_without_a_jump_from_crouch_to_standing() {
        for direction in [FlipDirection::Backward, FlipDirection::Forward] {
            let flip = Flip::planned(direction, 0.0, 1.0, RISE_M);
            let mut before = flip.pelvis(0.0);
            let steps = (flip.end / STEP_S) as usize;
            for step in 1..steps {
                let pelvis = flip.pelvis(step as f32 * STEP_S);
                let speed = pelvis.distance(before) / STEP_S;
                assert!(speed < 5.0, "{direction:?}: {speed} m/s at step {step}");
                before = pelvis;
            }
        }
    }
}
