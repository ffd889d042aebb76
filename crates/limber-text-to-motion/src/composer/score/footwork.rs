//! Footwork of scores: steps, lifted feet and leaps, and the movement of the body with them.

use glam::{Vec2, Vec3};
use limber_animation::Side;

use super::{postures, reading::Footing, role, timing::Moment};
use crate::composer::{
    GRAVITY_M_S2,
    acts::heights,
    channels::Channel,
    feet::{ANKLE_HEIGHT, Plant, Spin, Swing},
    frames::FRAME_S,
    motion_plan::{MotionPlan, Stepping, Stride, rotated},
};

/// Maximum flight time of a leap, seconds.
const LONGEST_FLIGHT_S: f32 = 0.5;
/// Durations of sinking and pushing off before a leap, and of rising after a landing, seconds.
const SINK_S: f32 = 0.15;
const PUSH_S: f32 = 0.15;
const RISE_S: f32 = 0.45;
/// Knee bend before and after a leap, metres.
const CROUCH_M: f32 = 0.055;
/// Minimum distance of a foot from the midline beside the other foot, so that the legs do not
/// intersect, metres.
const LEAST_HALF_STANCE_M: f32 = 0.07;
/// A foot further ahead than this is not beside the other one, metres.
const BESIDE_M: f32 = 0.10;
/// Factor for lifting a foot while seated, because the thigh is already raised.
const SEATED_LIFT: f32 = 0.45;
/// Lift of a foot that comes out of a stride, metres.
const STRIDE_LIFT_M: f32 = 0.14;
/// Height of the pelvis above standing at take-off and touchdown, metres.
const OFF_M: f32 = 0.02;

/// Position of a foot on the floor or in the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stay {
    Home,
    Stepped(Vec2, f32),
    Lifted(Vec3, f32, f32),
    /// At home, on the toes; the angle of the heel, radians.
    Risen(f32),
}

impl Stay {
    pub(super) fn of(footing: Footing, side: Side) -> Self {
        let s = side.sign();
        match footing {
            Footing::Step([out, ahead], turn) if out == 0.0 && ahead == 0.0 && turn == 0.0 => {
                Self::Home
            }
            Footing::Step([out, ahead], turn) => Self::Stepped(Vec2::new(s * out, ahead), s * turn),
            Footing::Lift(place, turn, toes) => {
                Self::Lifted(place * Vec3::new(s, 1.0, 1.0), s * turn, toes)
            }
            Footing::Rise(heel) => Self::Risen(heel),
        }
    }

    /// The same position relative to a home that has moved: left, ahead.
    fn left_behind(self, by: Vec2) -> Self {
        match self {
            Self::Home => Self::Stepped(-by, 0.0),
            Self::Stepped(at, turn) => {
                let behind = Self::Stepped(at - by, turn);
                if behind.is_at(Self::Home) { Self::Home } else { behind }
            }
            Self::Lifted(at, turn, toes) => {
                Self::Lifted(at - Vec3::new(by.x, 0.0, by.y), turn, toes)
            }
            Self::Risen(heel) => Self::Risen(heel),
        }
    }

    /// Whether a foot that stands here stands there too, so that it need not step.
    fn is_at(self, other: Self) -> bool {
        /// Half a centimetre, and two degrees.
        const NEAR: (f32, f32) = (0.005, 0.035);
        let stands = |stay: Self| match stay {
            Self::Home => Some((Vec2::ZERO, 0.0)),
            Self::Stepped(by, turn) => Some((by, turn)),
            _ => None,
        };
        match (stands(self), stands(other)) {
            (Some((by, turn)), Some((other, turned))) => {
                by.distance(other) < NEAR.0 && (turn - turned).abs() < NEAR.1
            }
            _ => self == other,
        }
    }

    /// Horizontal displacement from home: left, ahead.
    const fn moved(self) -> Vec2 {
        match self {
            Self::Home | Self::Lifted(..) | Self::Risen(_) => Vec2::ZERO,
            Self::Stepped(by, _) => by,
        }
    }
}

struct Footwork {
    /// Initial position and yaw of each foot.
    homes: Homes,
    /// The positions of the feet in the current posture.
    base: [Stay; 2],
    stays: [Stay; 2],
    place: Vec2,
    heading: f32,
    /// Trajectory of the pelvis in leaps: time, height, speed.
    flights: Vec<(f32, f32, f32)>,
    /// For each foot on its toes: start of the rise, its duration, its angle in radians.
    risen: [Option<(f32, f32, f32)>; 2],
    /// Whether each foot flows through its current position without stopping there.
    flows: [bool; 2],
    /// Factor for the lift of feet.
    lift: f32,
    /// A foot that is already in the air and has to land.
    aloft: Option<Side>,
}

/// Position and yaw of both feet.
pub(in crate::composer) type Homes = [(Vec2, f32); 2];

fn homes(plan: &MotionPlan) -> Homes {
    plan.homes.unwrap_or_else(|| {
        Side::BOTH.map(|side| {
            let plant = plan.feet[side as usize].last();
            (plant.place, plant.yaw)
        })
    })
}

/// Changes the posture: feet stay where the last moment puts them.
pub(super) fn change(plan: &mut MotionPlan, moments: &[Moment<'_>]) {
    plan.homes = Some(homes(plan));
    play(plan, moments);
}

/// Plays the foot movements of a seated body.
pub(super) fn play_seated(plan: &mut MotionPlan, moments: &[Moment<'_>]) {
    play_lifting(plan, moments, SEATED_LIFT);
}

/// Plays the foot movements of the moments.
pub(super) fn play(plan: &mut MotionPlan, moments: &[Moment<'_>]) {
    play_lifting(plan, moments, 1.0);
}

/// Plays the foot movements with this factor for lifted feet.
fn play_lifting(plan: &mut MotionPlan, moments: &[Moment<'_>], lift: f32) {
    let base = Side::BOTH.map(|side| postures::stay(plan.posture, side));
    let stride = plan.stride.take();
    let mut work = Footwork {
        homes: homes(plan),
        base,
        stays: base,
        place: plan.place,
        heading: plan.heading,
        flights: Vec::new(),
        risen: [None; 2],
        flows: [false; 2],
        lift,
        aloft: stride.map(|stride| stride.aloft),
    };
    if let Some(stride) = stride {
        work.stand_below(plan, stride);
    }
    work.place -= work.middle();
    for moment in moments.iter().filter(|moment| moment.has_feet) {
        if moment.key.is_some_and(|key| key.leap) {
            work.leap(plan, moment);
        } else {
            work.steps(plan, moment);
        }
    }
    if plan.homes.is_some() {
        plan.homes = Some(work.homes);
    }
    let is_free = moments.last().is_some_and(|moment| !moment.has_feet);
    let busy = moments.iter().rev().find(|moment| moment.has_feet);
    plan.feet_free_s = busy.filter(|_| is_free).map(|moment| moment.at_s);
    // a foot that is on its toes at the end stays there
    let end_s = plan.channels.len() as f32 * FRAME_S + 1.0;
    for side in Side::BOTH {
        work.sink(plan, side, end_s);
    }
    work.fly(plan);
}

impl Footwork {
    /// Sets the homes to where both feet would stand below a body in mid-stride: the body is
    /// halfway between them and the foot that landed.
    fn stand_below(&mut self, plan: &MotionPlan, stride: Stride) {
        let landed = stride.aloft.opposite();
        let stands = plan.feet[landed as usize].last().place;
        let ahead_m = rotated(stands - plan.place, -self.heading).y;
        let middle = plan.place - rotated(Vec2::new(0.0, ahead_m), self.heading);
        let half = plan.variation.stance_half_m();
        self.homes = Side::BOTH.map(|side| plan.home(side, middle, self.heading, half));
        let off = rotated(stands - self.homes[landed as usize].0, -self.heading);
        self.stays[landed as usize] = Stay::Stepped(off, 0.0);
    }

    /// The position of a foot in a moment, if the moment moves it.
    fn told(&self, moment: &Moment<'_>, side: Side) -> Option<Stay> {
        let stay = match moment.key {
            None => self.base[side as usize],
            Some(key) => match self.apart(Stay::of(key.feet[role(moment, side)]?, side), side) {
                Stay::Lifted(at, turn, toes) => Stay::Lifted(at * self.lift, turn, toes),
                stay => stay,
            },
        };
        (!stay.is_at(self.stays[side as usize]) || self.aloft == Some(side)).then_some(stay)
    }

    /// Keeps a foot out of the other leg, whatever the performer's stance width. Crossed feet stay
    /// crossed.
    fn apart(&self, stay: Stay, side: Side) -> Stay {
        let Stay::Stepped(by, turn) = stay else { return stay };
        let half = 0.5 * self.homes[0].0.distance(self.homes[1].0);
        let out = half + side.sign() * by.x;
        if by.y.abs() > BESIDE_M || !(0.0..LEAST_HALF_STANCE_M).contains(&out) {
            return stay;
        }
        Stay::Stepped(Vec2::new(side.sign() * (LEAST_HALF_STANCE_M - half), by.y), turn)
    }

    fn steps(&mut self, plan: &mut MotionPlan, moment: &Moment<'_>) {
        let before = self.place + self.middle();
        let gone = self.go_on(moment);
        if gone != Vec2::ZERO {
            self.stays = self.stays.map(|stay| stay.left_behind(gone));
        }
        let going: Vec<(Side, Stay)> = [moment.lead, moment.lead.opposite()]
            .into_iter()
            .filter_map(|side| self.told(moment, side).map(|stay| (side, stay)))
            .collect();
        if going.is_empty() && gone == Vec2::ZERO {
            return;
        }
        let going: Vec<(Side, Stay)> =
            going.into_iter().filter(|going| !self.on_the_toes(plan, moment, *going)).collect();
        let lasts = moment.at_s - moment.from_s;
        let share = 1.0 / going.len().max(1) as f32;
        plan.go(moment.from_s, before, self.heading);
        let flows = moment.key.is_some_and(|key| key.flows);
        for (place, (side, stay)) in going.into_iter().enumerate() {
            let from_s = moment.from_s + lasts * share * place as f32;
            let to_s = from_s + share * lasts;
            let up = matches!(self.stays[side as usize], Stay::Lifted(..));
            let on_the_way =
                self.flows[side as usize] && flows && up && matches!(stay, Stay::Lifted(..));
            self.flows[side as usize] = flows;
            if on_the_way {
                self.stays[side as usize] = stay;
                let plant = self.plant(side, stay);
                let plant = Plant { on_s: to_s, flat_s: to_s + 0.01, ..plant };
                plan.feet[side as usize].pass(plant);
            } else {
                self.step(plan, side, stay, (from_s, to_s));
            }
        }
        plan.go(moment.at_s, self.place + self.middle(), self.heading);
    }

    /// Handles a foot that only rises onto its toes or returns to its sole and so stays in place.
    /// Returns whether it does.
    fn on_the_toes(
        &mut self,
        plan: &mut MotionPlan,
        moment: &Moment<'_>,
        (side, stay): (Side, Stay),
    ) -> bool {
        let before = self.stays[side as usize];
        match (before, stay) {
            (Stay::Home, Stay::Risen(heel)) => {
                let rise_s = moment.at_s - moment.from_s;
                self.risen[side as usize] = Some((moment.from_s, rise_s, heel));
            }
            (Stay::Risen(_), Stay::Home) => self.sink(plan, side, moment.at_s),
            (Stay::Risen(_), Stay::Risen(_)) => return true,
            (Stay::Risen(_), _) => {
                self.sink(plan, side, moment.from_s);
                return false;
            }
            _ => return false,
        }
        self.stays[side as usize] = stay;
        true
    }

    /// Returns a foot on its toes to its sole at a time.
    fn sink(&mut self, plan: &mut MotionPlan, side: Side, to_s: f32) {
        let Some((from_s, rise_s, heel)) = self.risen[side as usize].take() else { return };
        let steps = ((to_s - from_s) * Spin::STEPS_S).ceil().max(1.0) as usize;
        let rise_s = rise_s.min(0.5 * (to_s - from_s)).max(0.05);
        plan.feet[side as usize].spin(Spin {
            from_s,
            turned: vec![0.0; steps + 1],
            on_toes: heel,
            rise_s,
        });
    }

    /// Moves the homes of both feet, and the body with them, as far as a moment travels. Returns
    /// the displacement relative to the body.
    fn go_on(&mut self, moment: &Moment<'_>) -> Vec2 {
        let [out, ahead] = moment.key.map_or([0.0; 2], |key| key.onward);
        let side = if moment.both_lead { 0.0 } else { moment.lead.sign() };
        let by = Vec2::new(side * out, ahead) * moment.size * moment.hastens;
        let over_the_floor = rotated(by, self.heading);
        self.homes.iter_mut().for_each(|(place, _)| *place += over_the_floor);
        self.place += over_the_floor;
        by
    }

    /// Displacement of the body from home, between both feet on the floor.
    fn middle(&self) -> Vec2 {
        let [left, right] = self.stays.map(Stay::moved);
        rotated(0.5 * (left + right), self.heading)
    }

    fn plant(&self, side: Side, stay: Stay) -> Plant {
        let (home, yaw) = self.homes[side as usize];
        match stay {
            Stay::Home | Stay::Risen(_) => Plant::standing(home, yaw),
            Stay::Stepped(by, turn) => {
                Plant::standing(home + rotated(by, self.heading), yaw + turn)
            }
            Stay::Lifted(by, turn, toes) => {
                let level =
                    home + rotated(Vec2::new(by.x, by.z - self.stagger(side, by)), self.heading);
                let ankle = Vec3::new(level.x, ANKLE_HEIGHT + by.y, level.y);
                Plant { held_up: Some((ankle, toes)), ..Plant::standing(level, yaw + turn) }
            }
        }
    }

    /// How far a foot stood ahead of the midpoint between both feet, for feet that are moved far
    /// away: legs that lie on the floor lie side by side, whatever the stance was.
    fn stagger(&self, side: Side, by: Vec3) -> f32 {
        let apart = self.homes[side as usize].0 - self.homes[side.opposite() as usize].0;
        let ahead = 0.5 * rotated(apart, -self.heading).y;
        ahead * ((by.z.abs() - 0.15) / 0.15).clamp(0.0, 1.0)
    }

    fn step(&mut self, plan: &mut MotionPlan, side: Side, stay: Stay, (from_s, to_s): (f32, f32)) {
        let before = self.stays[side as usize];
        self.stays[side as usize] = stay;
        let lasts = to_s - from_s;
        let up = matches!(before, Stay::Lifted(..));
        let plant = self.plant(side, stay);
        let track = &mut plan.feet[side as usize];
        let off_s = if up { from_s } else { from_s + 0.22 * lasts };
        let rise_s = (0.5 * lasts).min(0.14);
        let is_aloft = self.aloft == Some(side);
        if is_aloft {
            self.aloft = None;
        } else {
            track.leave(off_s - rise_s, off_s, Stepping::SMALL.roll_out, 0.24);
        }
        if plant.held_up.is_some() {
            let arrival = Swing::low(0.0);
            track.land(Plant { on_s: to_s, flat_s: to_s + 0.01, arrival, ..plant });
            return;
        }
        let on_s = to_s - (0.15 * lasts).min(0.06);
        let lift = match (up, is_aloft) {
            (true, _) => 0.0,
            (_, true) => STRIDE_LIFT_M,
            _ => 0.045,
        };
        track.land(Plant {
            on_s,
            flat_s: on_s + 0.07,
            roll_in: Stepping::SMALL.roll_in,
            load_s: 0.2,
            arrival: Swing::low(lift),
            ..plant
        });
    }

    /// A leap from both feet onto both feet.
    fn leap(&mut self, plan: &mut MotionPlan, moment: &Moment<'_>) {
        let lasts = moment.at_s - moment.from_s;
        let flight = (0.62 * lasts).min(LONGEST_FLIGHT_S);
        let (off, on) = (moment.at_s - flight, moment.at_s);
        let height = GRAVITY_M_S2 * flight * flight / 8.0;
        plan.go(off - 0.02, self.place + self.middle(), self.heading);
        self.go_on(moment);
        for side in Side::BOTH {
            if let Some(stay) = self.told(moment, side) {
                self.stays[side as usize] = stay;
            }
            let plant = self.plant(side, self.stays[side as usize]);
            let track = &mut plan.feet[side as usize];
            track.leave(off - 0.10, off, 0.26, 0.06);
            track.land(Plant {
                on_s: on,
                flat_s: on + 0.07,
                roll_in: 0.17,
                load_s: 0.06,
                arrival: Swing::jump(height),
                ..plant
            });
        }
        plan.go(on + 0.02, self.place + self.middle(), self.heading);
        self.knots(moment.from_s, (off, on));
    }

    /// Crouch, push off, ballistic flight, landing; leaps in immediate succession share a crouch.
    fn knots(&mut self, from_s: f32, (off, on): (f32, f32)) {
        let speed = 0.5 * GRAVITY_M_S2 * (on - off);
        // the landing is followed by knots for its crouch and its rise
        let landed = self.flights.iter().rev().nth(2).map(|knot| knot.0);
        match landed.filter(|landed| off - landed < RISE_S + PUSH_S + SINK_S) {
            Some(landed) => {
                self.flights.pop();
                let last = self.flights.len() - 1;
                self.flights[last] = (0.5 * (landed + off), -CROUCH_M, 0.0);
            }
            None => {
                let low = (from_s + 0.55 * (off - from_s)).min(off - PUSH_S);
                let begin = from_s.min(low - SINK_S);
                self.flights.extend([(begin, 0.0, 0.0), (low, -CROUCH_M, 0.0)]);
            }
        }
        self.flights.extend([
            (off, OFF_M, speed),
            (on, OFF_M, -speed),
            (on + 0.13, -CROUCH_M, 0.0),
            (on + RISE_S, 0.0, 0.0),
        ]);
    }

    fn fly(self, plan: &mut MotionPlan) {
        if let (Some(first), Some(last)) = (self.flights.first(), self.flights.last()) {
            let (from_s, to_s) = (first.0, last.0);
            plan.channels.add_with(Channel::PelvisY, from_s, to_s, |t| heights(&self.flights, t));
        }
    }
}
