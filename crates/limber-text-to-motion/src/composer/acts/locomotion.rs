//! Getting about: footsteps along a course, and the trunk and arms that go with them.

use glam::Vec2;
use limber_animation::Side;

use super::{Joins, course::Course, jump};
use crate::composer::{
    acts::Span,
    channels::{ArmDial, Channel, between_keys},
    feet::{Plant, Swing},
    gait::Gait,
    stage::{Stage, Stride, rotated},
};

/// Weight goes over the standing foot before the first step.
const PREPARE_S: f32 = 0.34;
/// The same for who runs on from something else.
const PREPARED_S: f32 = 0.08;
/// How long trunk and arms take to let go of a stride that leads into something else.
const LET_GO_S: f32 = 0.35;
/// How high feet are drawn up in a leap, as a share of how high the body flies.
const FEET_IN_A_LEAP: f32 = 1.1;
/// Among so many steps some are neither first nor last.
const LONG_ENOUGH: usize = 12;
/// After the last step the body comes to rest.
const SETTLE_S: f32 = 0.42;

/// One step to come.
#[derive(Debug, Clone, Copy)]
struct Footfall {
    side: Side,
    gait: Gait,
    /// Length as a share of the gait's.
    share: f32,
    step_s: f32,
    /// When it leaves the floor and when it lands.
    off_s: f32,
    on_s: f32,
    /// Along the course.
    metres: f32,
    /// How much higher than the last step of this foot it lands.
    climbs_m: f32,
    /// How high the body flies on the way to it, where it is a leap.
    leap_m: Option<f32>,
}

/// What the legs do along a course.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps<'a> {
    /// Gaits one after the other, each with its number of steps.
    pub(super) gaits: &'a [(Gait, usize)],
    /// Leaps: how many steps come before each, and how high it is, metres.
    pub(super) leaps: &'a [(usize, f32)],
    /// Whether they begin and end in a stride.
    pub(super) joins: Joins,
}

impl Joins {
    fn prepare_s(self) -> f32 {
        if self.enters { PREPARED_S } else { PREPARE_S }
    }

    fn settle_s(self) -> f32 {
        if self.leaves { 0.0 } else { SETTLE_S }
    }

    /// How much less time steps take than from standing to standing.
    pub(super) fn saved_s(self, gait: &Gait) -> f32 {
        let before_s = if self.enters { PREPARE_S - PREPARED_S } else { 0.0 };
        before_s + if self.leaves { lead_out_s(gait) } else { 0.0 }
    }
}

/// Several gaits one after the other without stopping, with leaps out of them.
pub(super) fn travel(stage: &mut Stage, span_s: f32, steps: Steps<'_>, course: Course<'_>) {
    // some set out at once, others take a moment
    let joins = steps.joins;
    let free_s = stage.feet_free_s.take().filter(|_| joins.enters).unwrap_or(stage.now);
    let wait = (0.36 * stage.patience()).min(0.10 * span_s).max(free_s - stage.now);
    stage.now += wait;
    let span_s = span_s - wait;
    let count: usize = steps.gaits.iter().map(|(_, steps)| steps).sum();
    let lead = match joins.aloft.filter(|_| joins.leaves) {
        // the foot in the air at the end is the one that would go next
        Some(aloft) if count % 2 == 0 => aloft,
        Some(aloft) => aloft.opposite(),
        None if stage.taste.choice > 0.5 => Side::Right,
        None => Side::Left,
    };
    let mut falls = footfalls(steps.gaits, lead, joins);
    for (place, height_m) in steps.leaps {
        if let Some(fall) = falls.get_mut(*place) {
            fall.leap_m = Some(*height_m);
        }
    }
    let natural = lay_out(&mut falls, stage.now, 1.0, joins);
    let fixed_s = joins.prepare_s() + joins.settle_s();
    let elastic = (natural - fixed_s).max(0.1);
    let pace = ((span_s - fixed_s) / elastic).clamp(0.45, 1.3);
    lay_out(&mut falls, stage.now, pace, joins);
    let start = (stage.place, stage.heading);
    plant(stage, &falls, (course, joins), start);
    steer(stage, &falls, (course, joins), start);
    carry(stage, &falls, joins);
    if joins.leaves {
        stage.stride = stride(&falls);
    }
    stage.now -= wait;
}

/// The stride that steps end in of which the last one is not made.
fn stride(falls: &[Footfall]) -> Option<Stride> {
    let [.., landed, aloft] = falls else { return None };
    let speed_m_s = landed.gait.speed();
    Some(Stride { aloft: aloft.side, landed_s: landed.on_s, speed_m_s })
}

/// How long some steps of one gait take, start and stop included.
pub(super) fn duration_of(gait: &Gait, steps: usize) -> f32 {
    let mut falls = footfalls(&[(*gait, steps)], Side::Right, Joins::default());
    lay_out(&mut falls, 0.0, 1.0, Joins::default())
}

/// How long somebody takes from standing until the steps are as long as they will be.
pub(super) fn lead_in_s(gait: &Gait) -> f32 {
    let mut falls = footfalls(&[(*gait, LONG_ENOUGH)], Side::Right, Joins::default());
    lay_out(&mut falls, 0.0, 1.0, Joins::default());
    let full = falls.iter().position(|fall| fall.share > 0.97 * uneven(gait, fall.side, 0).0);
    full.map_or(0.0, |place| falls[place].on_s)
}

/// How long somebody takes from the last step that is as long as the others until they stand.
pub(super) fn lead_out_s(gait: &Gait) -> f32 {
    let mut falls = footfalls(&[(*gait, LONG_ENOUGH)], Side::Right, Joins::default());
    let whole_s = lay_out(&mut falls, 0.0, 1.0, Joins::default());
    whole_s - falls[LONG_ENOUGH - 1 - stopping_steps(gait)].on_s
}

/// How many steps at the end are shorter than the others, the one that closes up among them.
pub(super) fn stopping_steps(gait: &Gait) -> usize {
    shares_of_the_ends(gait).1.len()
}

/// How far some steps of one gait lead.
pub(super) fn distance_of(gait: &Gait, steps: usize, joins: Joins) -> f32 {
    let mut falls = footfalls(&[(*gait, steps)], Side::Right, joins);
    lay_out(&mut falls, 0.0, 1.0, joins);
    falls.get(steps.saturating_sub(1)).map_or(0.0, |fall| fall.metres)
}

/// The time a locomotion may take.
pub(super) fn span_of(gait: &Gait, fixed_steps: Option<usize>) -> Span {
    match fixed_steps {
        Some(steps) => {
            let usual = duration_of(gait, steps);
            Span { least: 0.7 * usual, usual, most: 1.2 * usual }
        }
        None => Span {
            least: PREPARE_S + SETTLE_S + 0.62 * (duration_of(gait, 2) - PREPARE_S - SETTLE_S),
            usual: duration_of(gait, if gait.is_run() { 9 } else { 7 }),
            most: 120.0,
        },
    }
}

/// How many steps fill a time best.
pub(super) fn steps_within(gait: &Gait, span_s: f32) -> usize {
    let fixed = duration_of(gait, 2) - gait.step_s;
    (((span_s - fixed) / gait.step_s).round() as isize + 1).clamp(2, 400) as usize
}

/// The gait of every step. Where one gait becomes another, some steps lie between both.
fn gaits(legs: &[(Gait, usize)]) -> Vec<Gait> {
    let mut gaits: Vec<Gait> =
        legs.iter().flat_map(|(gait, steps)| std::iter::repeat_n(*gait, *steps)).collect();
    let mut change = 0;
    for pair in legs.windows(2) {
        let ((before, steps_before), (after, steps_after)) = (pair[0], pair[1]);
        change += steps_before;
        let between = before.steps_between(&after);
        let first = change - (between / 2).min(steps_before - 1);
        let count = between.min(change - first + steps_after - 1);
        for i in 0..count {
            gaits[first + i] = before.towards(&after, (i + 1) as f32 / (count + 1) as f32);
        }
    }
    gaits
}

/// Steps with their lengths: the first ones short, the last one closes up. Those that end in a stride have one more, which
/// is not made.
fn footfalls(legs: &[(Gait, usize)], lead: Side, joins: Joins) -> Vec<Footfall> {
    let mut gaits = gaits(legs);
    gaits.extend(gaits.last().copied().filter(|_| joins.leaves));
    let count = gaits.len();
    let mut falls = Vec::with_capacity(count);
    let mut side = lead;
    for (i, gait) in gaits.into_iter().enumerate() {
        let to_go = count - 1 - i;
        let (starting, stopping) = shares_of_the_ends(&gait);
        let starting = if joins.enters { RUNNING_ON } else { starting };
        let stopping = if joins.leaves { &[] } else { stopping };
        let start = starting.get(i).copied().unwrap_or(1.0);
        let stop = stopping.get(to_go).copied().unwrap_or(1.0);
        let (longer, slower) = uneven(&gait, side, i);
        falls.push(Footfall {
            side,
            gait,
            share: start.min(stop) * longer,
            step_s: gait.step_s * slower,
            off_s: 0.0,
            on_s: 0.0,
            metres: 0.0,
            // the first step leads up by one, the last one stays as high as the one before it
            climbs_m: gait.climb_m * if i == 0 || to_go == 0 { 1.0 } else { 2.0 },
            leap_m: None,
        });
        side = side.opposite();
    }
    falls
}

/// How long the first steps of somebody are who runs on from something else.
const RUNNING_ON: &[f32] = &[0.72, 0.92];

/// How long the first steps are beside the others, and the last ones, from the very last: the faster, the longer it takes
/// to get up to speed and to stop.
fn shares_of_the_ends(gait: &Gait) -> (&'static [f32], &'static [f32]) {
    if gait.climb_m != 0.0 {
        (&[], &[0.0])
    } else if gait.speed() > 2.9 {
        (&[0.34, 0.56, 0.80, 0.95], &[0.0, 0.50, 0.72, 0.90])
    } else if gait.is_run() {
        (&[0.44, 0.74, 0.96], &[0.0, 0.54, 0.82])
    } else {
        (&[0.64, 0.94], &[0.0, 0.88])
    }
}

/// How much longer and slower than the others a step of an uneven gait is, by the foot that goes.
fn uneven(gait: &Gait, side: Side, index: usize) -> (f32, f32) {
    let spared = gait.limp * side.sign();
    let (longer, slower) = if spared > 0.0 {
        // the good foot hurries while the bad one bears
        (1.0 - 0.30 * spared, 1.0 - 0.34 * spared)
    } else {
        (1.0 - 0.05 * spared, 1.0 - 0.20 * spared)
    };
    let reeling = (gait.wander_m / 0.24).min(1.0);
    let beat = 2.4 * index as f32;
    (
        longer * (1.0 + 0.34 * reeling * beat.sin()),
        slower * (1.0 + 0.22 * reeling * (beat + 1.0).cos()),
    )
}

/// Gives every step its time and place; returns how long it all takes.
fn lay_out(falls: &mut [Footfall], start_s: f32, pace: f32, joins: Joins) -> f32 {
    let mut on_s = start_s + joins.prepare_s();
    let mut landed_s = on_s;
    let mut metres = 0.0;
    let mut overlap = 0.0;
    for i in 0..falls.len() {
        let next_s = falls.get(i + 1).map_or(f32::MAX, |next| next.gait.overlap_s().max(0.03));
        let fall = &mut falls[i];
        let gait = &fall.gait;
        fall.step_s = gait.step_s * uneven(gait, fall.side, i).1 * pace;
        fall.off_s = on_s + overlap;
        let flight_s = fall.leap_m.map(|height_m| jump::flight(height_m).seconds);
        if let Some(flight_s) = flight_s {
            // as far as the body flies at the speed it has
            fall.step_s = jump::TAKE_OFF_S + flight_s;
            fall.share = fall.step_s / gait.step_s;
        }
        let swing = if i == 0 { 0.78 * fall.step_s } else { fall.step_s };
        landed_s = on_s;
        on_s = (on_s + swing).max(fall.off_s + 0.16);
        fall.on_s = on_s;
        metres += fall.share * gait.step_m;
        fall.metres = metres;
        // How this foot lands says when the other one leaves. Nobody flies into the first step, and
        // who goes faster next does not linger on both feet.
        let both_s = if i == 0 { gait.overlap_s().max(0.03) } else { gait.overlap_s() };
        // the foot that pushed off into a leap has left long before the other one lands
        overlap = flight_s.map_or(both_s.min(next_s) * pace, |flight_s| -flight_s);
    }
    if joins.leaves { landed_s - start_s } else { on_s + SETTLE_S - start_s }
}

fn plant(
    stage: &mut Stage,
    falls: &[Footfall],
    (course, joins): (Course<'_>, Joins),
    start: (Vec2, f32),
) {
    let last = falls.len() - 1;
    for (i, fall) in falls.iter().enumerate() {
        let gait = &fall.gait;
        let effort = fall.share.max(0.25);
        // a foot leaves as the other one has landed
        let before = &falls[i.saturating_sub(1)];
        let contact = 2.0 * before.gait.duty * before.step_s;
        let (heel_up_s, unload_s) = match (i, before.gait.is_run()) {
            (0, _) => (0.16, 0.32),
            (_, true) => (before.gait.heel_up * contact, 0.4 * contact),
            (_, false) => (before.gait.heel_up * contact, (fall.off_s - before.on_s).max(0.10)),
        };
        let leaving = if i == 0 { 0.55 } else { before.share.max(0.45) };
        let roll_out = before.gait.roll_out * leaving;
        let closing = i == last && !joins.leaves;
        let (place, yaw) = foot_place(stage, fall, closing, course, start);
        // both feet fly with the body: the one that lands, and the one that pushed off
        let leapt_m = FEET_IN_A_LEAP * fall.leap_m.or(before.leap_m).unwrap_or(0.0);
        let track = &mut stage.feet[fall.side as usize];
        track.leave(fall.off_s - heel_up_s, fall.off_s, roll_out, unload_s);
        if i == last && joins.leaves {
            // where it lands is the next act's business
            break;
        }
        track.climb(fall.climbs_m);
        let flat_s = fall.on_s + if gait.is_run() { 0.05 } else { gait.flat * fall.step_s };
        track.land(Plant {
            on_s: fall.on_s,
            flat_s,
            roll_in: gait.roll_in * if closing { 0.2 } else { effort },
            on_toes: if closing { 0.0 } else { gait.on_toes },
            load_s: if closing { 0.35 } else { gait.overlap_s().max(0.08) },
            arrival: Swing {
                lift: gait.lift_m * effort.min(1.0) + leapt_m,
                shape: gait.swing.times(effort),
                // a runner's foot comes down late and from higher up
                peak: if gait.is_run() { 0.637 } else { 0.38 },
                ..Swing::low(0.0)
            },
            ..Plant::standing(place, yaw)
        });
    }
}

/// Where a foot lands and points.
fn foot_place(
    stage: &Stage,
    fall: &Footfall,
    closing: bool,
    course: Course<'_>,
    (place, heading): (Vec2, f32),
) -> (Vec2, f32) {
    let (offset, turned) = course.at(fall.metres);
    let facing = heading + turned;
    let mut beside = fall.gait.half_width_m;
    if closing {
        // the other foot stands narrow: this one goes so far out that the stance is as usual
        beside = 2.0 * stage.taste.stance_half_m() - beside;
    }
    let sideways = rotated(Vec2::new(fall.side.sign() * beside, 0.0), facing);
    let toe_out = fall.side.sign() * stage.taste.toe_out_rad() * if closing { 1.0 } else { 0.7 };
    (place + rotated(offset, heading) + sideways, facing + toe_out)
}

/// The way of the body: between the feet when a foot lands.
fn steer(
    stage: &mut Stage,
    falls: &[Footfall],
    (course, joins): (Course<'_>, Joins),
    (place, heading): (Vec2, f32),
) {
    let mut keys = vec![(stage.now + 0.55 * joins.prepare_s(), 0.0)];
    for (i, fall) in falls.iter().enumerate() {
        let step_m = fall.share * fall.gait.step_m;
        if i + 1 < falls.len() {
            let next = &falls[i + 1];
            let reach = match i {
                // the first step carries the body no further than between the feet
                0 => 0.5 * step_m,
                // who is about to run comes nearer to the foot that pushes off
                _ if next.gait.is_run() && !fall.gait.is_run() => {
                    let running = next.gait.reach_m(next.share * next.gait.step_m);
                    0.5 * (fall.gait.reach_m(step_m) + running)
                }
                _ => fall.gait.reach_m(step_m),
            };
            keys.push((fall.on_s, fall.metres - reach));
        } else if !joins.leaves {
            keys.push((fall.on_s + 0.08, fall.metres));
        }
    }
    let mut walked = keys[0].1;
    let below = stage.climb[stage.climb.len() - 1].1;
    for pair in keys.windows(2) {
        let ((from_s, from_m), (to_s, to_m)) = (pair[0], pair[1]);
        let pieces = ((to_s - from_s) / 0.06).ceil().max(1.0) as usize;
        for piece in 0..pieces {
            let amount = piece as f32 / pieces as f32;
            walked = (from_m + (to_m - from_m) * amount).max(walked);
            climb(stage, falls, from_s + (to_s - from_s) * amount, walked, below);
            let (offset, turned) = course.at(walked);
            stage.go(
                from_s + (to_s - from_s) * amount,
                place + rotated(offset, heading),
                heading + turned,
            );
        }
    }
    if joins.leaves {
        let (end_s, end_m) = keys[keys.len() - 1];
        let (offset, turned) = course.at(end_m);
        stage.go(end_s, place + rotated(offset, heading), heading + turned);
        return;
    }
    let end = &falls[falls.len() - 1];
    climb(stage, falls, end.on_s + 0.12, end.metres, below);
    let (offset, turned) = course.at(end.metres);
    let facing = heading + turned;
    let beside = stage.taste.stance_half_m() - end.gait.half_width_m;
    let sideways = rotated(Vec2::new(end.side.sign() * beside, 0.0), facing);
    stage.go(end.on_s + 0.12, place + rotated(offset, heading) + sideways, facing);
}

/// The body rises evenly from step to step.
fn climb(stage: &mut Stage, falls: &[Footfall], time_s: f32, walked: f32, below: f32) {
    let gait = &falls[0].gait;
    if gait.climb_m != 0.0 {
        stage.climb.push((time_s, below + gait.climb_m * walked / gait.step_m));
    }
}

/// How trunk and arms go along with the steps.
fn carry(stage: &mut Stage, falls: &[Footfall], joins: Joins) {
    let first = &falls[0];
    // the last one closes up, or is not made
    let made = &falls[..falls.len() - 1];
    let to_s = match made.last() {
        Some(last) if joins.leaves => last.on_s + LET_GO_S,
        _ => falls[falls.len() - 1].on_s + SETTLE_S,
    };
    let from_s = stage.now;
    let mut held = |channel, value: &dyn Fn(&Gait) -> f32| {
        let mut keys = vec![(from_s, 0.0)];
        keys.extend(made.iter().map(|f| (f.on_s, value(&f.gait))));
        keys.push((to_s, 0.0));
        stage.channels.add(channel, &keys);
    };
    held(Channel::PelvisY, &|gait| -gait.drop_m);
    held(Channel::SpinePitch, &|gait| 0.75 * gait.lean);
    held(Channel::PelvisPitch, &|gait| 0.25 * gait.lean);
    held(Channel::Balance, &|gait| gait.balance - 0.85);
    for side in Side::BOTH {
        held(Channel::Arm(side, ArmDial::Flex), &|gait| gait.arm_flex);
        held(Channel::Arm(side, ArmDial::Out), &|gait| gait.arm_out);
        held(Channel::Arm(side, ArmDial::Elbow), &|gait| gait.elbow);
        held(Channel::Arm(side, ArmDial::Wrist), &|gait| gait.wrist);
        held(Channel::Arm(side, ArmDial::Grip), &|gait| gait.grip);
    }
    let mut sneaking = falls.iter().filter(|fall| fall.gait.drop_m > 0.1);
    if let Some(first) = sneaking.next() {
        let last = sneaking.next_back().unwrap_or(first);
        look_about(stage, first.off_s.max(from_s), last.on_s.min(to_s));
    }
    watch_the_steps(stage, falls, from_s, to_s);
    spare_a_leg(stage, falls);
    reel(stage, falls, from_s, to_s);
    for fall in falls {
        if let Some(height_m) = fall.leap_m {
            let flight_s = jump::flight(height_m).seconds;
            jump::carry_leap(stage, height_m, (fall.on_s - flight_s, fall.on_s));
        }
    }
    swing(stage, falls, from_s, to_s);
    bob(stage, falls, first.off_s, to_s);
}

/// Whoever takes stairs looks where the feet go.
fn watch_the_steps(stage: &mut Stage, falls: &[Footfall], from_s: f32, to_s: f32) {
    let climb_m = falls[0].gait.climb_m;
    if climb_m != 0.0 {
        let nod = if climb_m < 0.0 { 0.34 } else { 0.12 };
        let last = falls[falls.len() - 1].on_s;
        stage.turn(
            Channel::HeadPitch,
            &[(from_s, 0.0), (from_s + 0.4, nod), (last - 0.4, nod), (to_s, 0.0)],
        );
    }
}

/// Whoever limps sinks and leans over the bad leg while it bears.
fn spare_a_leg(stage: &mut Stage, falls: &[Footfall]) {
    for fall in falls.iter().filter(|fall| fall.gait.limp * fall.side.sign() > 0.0) {
        let middle = 0.5 * (fall.off_s + fall.on_s);
        let mut add = |channel, value: f32| {
            let (begins, ends) = (fall.off_s - 0.16, fall.on_s + 0.14);
            stage.channels.add(channel, &[(begins, 0.0), (middle, value), (ends, 0.0)]);
        };
        // seen from the foot that goes, the bad leg is on the other side
        let towards = fall.side.sign();
        add(Channel::PelvisY, -0.05);
        add(Channel::SpineRoll, 0.52 * towards);
        add(Channel::SpinePitch, 0.12);
        add(Channel::HeadPitch, 0.10);
    }
}

/// Whoever staggers sways with the whole trunk.
fn reel(stage: &mut Stage, falls: &[Footfall], from_s: f32, to_s: f32) {
    let size = falls.iter().map(|fall| fall.gait.wander_m).fold(0.0, f32::max) / 0.24;
    if size <= 0.0 {
        return;
    }
    let phase = stage.taste.phase;
    let mut add = |channel, value: f32, rate: f32| {
        stage.channels.add_with(channel, from_s, to_s, |t| {
            let fade = (t - from_s).min(to_s - t).clamp(0.0, 1.0);
            size * value * fade * (rate * t + phase).sin()
        });
    };
    add(Channel::SpineRoll, 0.17, 2.7);
    add(Channel::SpinePitch, 0.13, 3.9);
    add(Channel::HeadRoll, 0.16, 3.1);
    add(Channel::HeadPitch, 0.14, 2.2);
}

/// Whoever sneaks looks to both sides.
fn look_about(stage: &mut Stage, from_s: f32, to_s: f32) {
    let phase = stage.taste.phase;
    stage.channels.add_with(Channel::HeadYaw, from_s, to_s, |t| {
        let fade = (t - from_s).min(to_s - t).clamp(0.0, 1.0);
        0.45 * fade * (2.1 * t + phase).sin()
    });
}

/// Pelvis, thorax and arms turn with the stride, against each other.
fn swing(stage: &mut Stage, falls: &[Footfall], from_s: f32, to_s: f32) {
    // after the last stride but one everything comes to rest, where something else follows as well
    let set_out_s = from_s.max(falls[0].off_s);
    let phases: Vec<(f32, f32, Gait)> = std::iter::once((set_out_s, 0.0, falls[0].gait))
        .chain(falls.iter().enumerate().map(|(i, fall)| {
            let is_last = i + 1 == falls.len();
            let stride = if is_last { 0.0 } else { fall.share.min(1.0) };
            let on_s = if is_last { fall.on_s.min(to_s) } else { fall.on_s };
            (on_s, fall.side.sign() * stride * fall.gait.ahead, fall.gait)
        }))
        .collect();
    let at = |time_s: f32, of: &dyn Fn(&Gait) -> f32| stride_at(&phases, time_s, of);
    let channels = &mut stage.channels;
    channels.add_with(Channel::PelvisYaw, from_s, to_s, |t| -at(t + 0.02, &|g| g.hips_yaw));
    channels.add_with(Channel::SpineYaw, from_s, to_s, |t| at(t, &|g| 1.65 * g.hips_yaw));
    for side in Side::BOTH {
        let s = -side.sign();
        let flex = |t: f32| s * at(t - 0.03, &|g| g.arm_swing);
        channels.add_with(Channel::Arm(side, ArmDial::Flex), from_s, to_s, |t| {
            let value = flex(t);
            if value < 0.0 { 0.85 * value } else { value }
        });
        channels
            .add_with(Channel::Arm(side, ArmDial::Elbow), from_s, to_s, |t| 0.32 * flex(t - 0.05));
    }
}

/// A cosine between strides: ± the gait's amplitude where a foot lands.
fn stride_at(phases: &[(f32, f32, Gait)], time_s: f32, of: &dyn Fn(&Gait) -> f32) -> f32 {
    let value = |(_, swing, gait): &(f32, f32, Gait)| swing * of(gait);
    let next = phases.partition_point(|phase| phase.0 <= time_s);
    match (next.checked_sub(1).map(|i| &phases[i]), phases.get(next)) {
        (Some(before), Some(after)) => {
            let u = (time_s - before.0) / (after.0 - before.0).max(1e-3);
            let amount = 0.5 - 0.5 * (std::f32::consts::PI * u).cos();
            value(before) + (value(after) - value(before)) * amount
        }
        (Some(only), None) | (None, Some(only)) => value(only),
        (None, None) => 0.0,
    }
}

/// Up and down, twice a stride: walking lowest just after a foot lands, running in mid-stance.
fn bob(stage: &mut Stage, falls: &[Footfall], from_s: f32, to_s: f32) {
    let last = falls.len() - 1;
    let fade = [
        (from_s, 0.0),
        (falls[0].on_s, 1.0),
        (falls[last.saturating_sub(1)].on_s, 1.0),
        (falls[last].on_s + 0.1, 0.0),
    ];
    stage.channels.add_with(Channel::PelvisY, from_s, to_s, |time_s| {
        let i = falls.partition_point(|fall| fall.on_s <= time_s).clamp(1, last.max(1)) - 1;
        let (here, next) = (&falls[i], &falls[(i + 1).min(last)]);
        let u = (time_s - here.on_s) / (next.on_s - here.on_s).max(0.1);
        let low = here.gait.lowest + (next.gait.lowest - here.gait.lowest) * u;
        let size = here.gait.bob_m * here.share.sqrt();
        let size = size + (next.gait.bob_m * next.share.sqrt() - size) * u.clamp(0.0, 1.0);
        // a leap has its own way up and down
        let size = if next.leap_m.is_some() || here.leap_m.is_some() { 0.0 } else { size };
        -size * between_keys(&fade, time_s) * (std::f32::consts::TAU * (u - low)).cos()
    });
}
