//! The sequence of steps: the length of each, and when its foot leaves the floor and lands.

use limber_animation::{
    Side,
    maths::{cos, sin},
};

use crate::composer::{
    acts::{Joins, Span, jump},
    gait::Gait,
};

/// Time for shifting weight over the standing foot before the first step, seconds.
const PREPARE_S: f32 = 0.34;
/// The same after another action, from which the steps continue.
const PREPARED_S: f32 = 0.08;
/// A number of steps large enough that some are neither among the first nor the last.
const LONG_ENOUGH: usize = 12;
/// Time for coming to rest after the last step, seconds.
pub(super) const SETTLE_S: f32 = 0.42;

/// One planned step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Footfall {
    pub(super) side: Side,
    pub(super) gait: Gait,
    /// Length as a share of the gait's step length.
    pub(super) share: f32,
    pub(super) step_s: f32,
    /// Times at which the foot leaves the floor and lands.
    pub(super) off_s: f32,
    pub(super) on_s: f32,
    /// Distance along the course at landing, metres.
    pub(super) metres: f32,
    /// Height of the landing above this foot's previous one.
    pub(super) climbs_m: f32,
    /// Rise of the body on the way to it, if it is a leap.
    pub(super) leap_m: Option<f32>,
    /// Whether the foot is already in the air, from the stride before.
    pub(super) is_aloft: bool,
}

impl Joins {
    fn prepare_s(self) -> f32 {
        if self.enters { PREPARED_S } else { PREPARE_S }
    }

    pub(super) fn settle_s(self) -> f32 {
        if self.leaves { 0.0 } else { SETTLE_S }
    }

    /// Time saved compared with steps from standing to standing, seconds.
    pub(in crate::composer::acts) fn saved_s(self, gait: &Gait) -> f32 {
        let before_s = if self.enters { PREPARE_S - PREPARED_S } else { 0.0 };
        before_s + if self.leaves { lead_out_s(gait) } else { 0.0 }
    }
}

/// Time for shifting weight before the first step, seconds; zero in the middle of a stride.
pub(super) fn prepare_s(falls: &[Footfall], joins: Joins) -> f32 {
    if falls[0].is_aloft { 0.0 } else { joins.prepare_s() }
}

/// Duration of some steps of one gait, including start and stop.
pub(in crate::composer::acts) fn duration_of(gait: &Gait, steps: usize) -> f32 {
    let mut falls = footfalls(&[(*gait, steps)], Side::Right, Joins::default());
    lay_out(&mut falls, 0.0, 1.0, Joins::default())
}

/// Time from standing until steps reach their full length.
pub(in crate::composer::acts) fn lead_in_s(gait: &Gait) -> f32 {
    let mut falls = footfalls(&[(*gait, LONG_ENOUGH)], Side::Right, Joins::default());
    lay_out(&mut falls, 0.0, 1.0, Joins::default());
    let full = falls.iter().position(|fall| fall.share > 0.97 * uneven(gait, fall.side, 0).0);
    full.map_or(0.0, |place| falls[place].on_s)
}

/// Time from the last step of full length until standing.
pub(in crate::composer::acts) fn lead_out_s(gait: &Gait) -> f32 {
    let mut falls = footfalls(&[(*gait, LONG_ENOUGH)], Side::Right, Joins::default());
    let whole_s = lay_out(&mut falls, 0.0, 1.0, Joins::default());
    whole_s - falls[LONG_ENOUGH - 1 - stopping_steps(gait)].on_s
}

/// Number of steps at the end that are shorter than the others, including the one that closes up.
pub(in crate::composer::acts) fn stopping_steps(gait: &Gait) -> usize {
    shares_of_the_ends(gait).1.len()
}

/// Distance covered by some steps of one gait.
pub(in crate::composer::acts) fn distance_of(gait: &Gait, steps: usize, joins: Joins) -> f32 {
    let mut falls = footfalls(&[(*gait, steps)], Side::Right, joins);
    lay_out(&mut falls, 0.0, 1.0, joins);
    falls.get(steps.saturating_sub(1)).map_or(0.0, |fall| fall.metres)
}

/// Possible durations of locomotion.
pub(in crate::composer::acts) fn span_of(gait: &Gait, fixed_steps: Option<usize>) -> Span {
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

/// The number of steps that fills a time best.
pub(in crate::composer::acts) fn steps_within(gait: &Gait, span_s: f32) -> usize {
    let fixed = duration_of(gait, 2) - gait.step_s;
    (((span_s - fixed) / gait.step_s).round() as isize + 1).clamp(2, 400) as usize
}

/// The gait of every step. Between two gaits, some steps are interpolated.
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

/// The steps with their lengths: the first ones are short, and the last one closes up. Steps that
/// end in a stride have an additional one that is not completed.
pub(super) fn footfalls(legs: &[(Gait, usize)], lead: Side, joins: Joins) -> Vec<Footfall> {
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
            // the first step climbs one stair, and the last one stays at the height of the one
            // before
            climbs_m: gait.climb_m * if i == 0 || to_go == 0 { 1.0 } else { 2.0 },
            leap_m: None,
            is_aloft: false,
        });
        side = side.opposite();
    }
    falls
}

/// Relative lengths of the first steps when they continue from another action.
const RUNNING_ON: &[f32] = &[0.72, 0.92];

/// Relative lengths of the first steps, and of the last steps in reverse order: a faster gait takes
/// more steps to accelerate and to stop.
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

/// Relative length and duration of a step of an asymmetric gait, by the moving foot.
fn uneven(gait: &Gait, side: Side, index: usize) -> (f32, f32) {
    let spared = gait.limp * side.sign();
    let (longer, slower) = if spared > 0.0 {
        // the good leg swings quickly while the bad one carries the weight
        (1.0 - 0.30 * spared, 1.0 - 0.34 * spared)
    } else {
        (1.0 - 0.05 * spared, 1.0 - 0.20 * spared)
    };
    let reeling = (gait.wander_m / 0.24).min(1.0);
    let beat = 2.4 * index as f32;
    (longer * (1.0 + 0.34 * reeling * sin(beat)), slower * (1.0 + 0.22 * reeling * cos(beat + 1.0)))
}

/// Gives every step its time and position. Returns the total duration.
pub(super) fn lay_out(falls: &mut [Footfall], start_s: f32, pace: f32, joins: Joins) -> f32 {
    let mut on_s = start_s + prepare_s(falls, joins);
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
            // as far as the body flies at its speed
            fall.step_s = jump::TAKE_OFF_S + flight_s;
            fall.share = fall.step_s / gait.step_s;
        }
        let swing = if i == 0 && !fall.is_aloft { 0.78 * fall.step_s } else { fall.step_s };
        landed_s = on_s;
        on_s = (on_s + swing).max(fall.off_s + 0.16);
        fall.on_s = on_s;
        if fall.is_aloft {
            // the body is behind the foot that has landed
            metres += gait.reach_m(gait.step_m);
        }
        metres += fall.share * gait.step_m;
        fall.metres = metres;
        // The landing of this foot determines when the other one leaves. There is no flight phase
        // before the first step, and double support is short before a faster gait.
        let from_rest = i == 0 && !fall.is_aloft;
        let both_s = if from_rest { gait.overlap_s().max(0.03) } else { gait.overlap_s() };
        // the foot that pushed off into a leap has left long before the other one lands
        overlap = flight_s.map_or(both_s.min(next_s) * pace, |flight_s| -flight_s);
    }
    if joins.leaves { landed_s - start_s } else { on_s + SETTLE_S - start_s }
}
