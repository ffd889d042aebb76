//! Locomotion: footsteps along a course, with the movements of trunk and arms.

mod footfalls;
mod upper_body;

use glam::Vec2;
use limber_animation::Side;

pub(super) use footfalls::{
    distance_of, duration_of, lead_in_s, lead_out_s, span_of, steps_within, stopping_steps,
};

use super::{
    Joins,
    course::{Bend, Course},
};
use crate::composer::{
    feet::{Plant, Swing},
    gait::Gait,
    motion_plan::{MotionPlan, Stride, rotated},
};
use footfalls::{Footfall, footfalls, lay_out, prepare_s};

/// How far the feet are lifted in a leap, as a share of the body's rise.
const FEET_IN_A_LEAP: f32 = 1.1;

/// The footsteps along a course.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps<'a> {
    /// Consecutive gaits, each with its number of steps.
    pub(super) gaits: &'a [(Gait, usize)],
    /// Leaps: the number of steps before each, and its height in metres.
    pub(super) leaps: &'a [(usize, f32)],
    /// Bends: the number of steps before each, the number of its own steps, and its angle in
    /// radians, positive to the left.
    pub(super) bends: &'a [(usize, usize, f32)],
    /// How they join the neighbouring acts.
    pub(super) joins: Joins,
}

/// Several gaits without a stop in between, with leaps out of them.
pub(super) fn travel(plan: &mut MotionPlan, span_s: f32, steps: Steps<'_>, course: Course<'_>) {
    // some performers set out at once, others take a moment
    let joins = steps.joins;
    let stride = plan.stride.take().filter(|_| joins.enters);
    let free_s = plan.feet_free_s.take().unwrap_or(plan.now);
    let wait = (0.72 * plan.patience()).min(0.10 * span_s).max(free_s - plan.now);
    let wait = stride.map_or(wait, |stride| stride.landed_s - plan.now);
    plan.now += wait;
    let span_s = span_s - wait;
    let count: usize = steps.gaits.iter().map(|(_, steps)| steps).sum();
    let lead = match joins.aloft.filter(|_| joins.leaves) {
        _ if stride.is_some() => stride.map_or(Side::Left, |stride| stride.aloft),
        // the foot in the air at the end is the one that would step next
        Some(aloft) if count.is_multiple_of(2) => aloft,
        Some(aloft) => aloft.opposite(),
        None if plan.variation.choice > 0.5 => Side::Right,
        None => Side::Left,
    };
    let mut falls = footfalls(steps.gaits, lead, joins);
    if let (Some(_), Some(first)) = (stride, falls.first_mut()) {
        first.is_aloft = true;
        first.share = 1.0;
    }
    for (place, height_m) in steps.leaps {
        if let Some(fall) = falls.get_mut(*place) {
            fall.leap_m = Some(*height_m);
        }
    }
    let natural = lay_out(&mut falls, plan.now, 1.0, joins);
    let fixed_s = prepare_s(&falls, joins) + joins.settle_s();
    let elastic = (natural - fixed_s).max(0.1);
    let pace = ((span_s - fixed_s) / elastic).clamp(0.45, 1.3);
    lay_out(&mut falls, plan.now, pace, joins);
    let bends = bends_on_the_way(&falls, steps.bends);
    let course = if bends.is_empty() { course } else { Course::Bent(&bends) };
    let start = (plan.place, plan.heading);
    plant(plan, &falls, (course, joins), start);
    steer(plan, &falls, (course, joins), start);
    upper_body::carry(plan, &falls, joins);
    if joins.leaves {
        plan.stride = stride_at_the_end(&falls);
    }
    plan.now -= wait;
}

/// The bends with their distances along the way.
fn bends_on_the_way(falls: &[Footfall], bends: &[(usize, usize, f32)]) -> Vec<Bend> {
    let walked_m = |steps: usize| steps.checked_sub(1).map_or(0.0, |last| falls[last].metres);
    let bend = |(before, own, angle_rad): &(usize, usize, f32)| Bend {
        from_m: walked_m(*before),
        to_m: walked_m(before + own),
        angle_rad: *angle_rad,
    };
    bends.iter().map(bend).collect()
}

/// The stride at the end of steps whose last one is not completed.
fn stride_at_the_end(falls: &[Footfall]) -> Option<Stride> {
    let [.., landed, aloft] = falls else { return None };
    let speed_m_s = landed.gait.speed();
    Some(Stride { aloft: aloft.side, landed_s: landed.on_s, speed_m_s })
}

fn plant(
    plan: &mut MotionPlan,
    falls: &[Footfall],
    (course, joins): (Course<'_>, Joins),
    start: (Vec2, f32),
) {
    let last = falls.len() - 1;
    for (i, fall) in falls.iter().enumerate() {
        let gait = &fall.gait;
        let effort = fall.share.max(0.25);
        // a foot leaves when the other has landed
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
        let (place, yaw) = foot_place(plan, fall, closing, course, start);
        // both feet rise with the body: the one that lands, and the one that pushed off
        let leapt_m = FEET_IN_A_LEAP * fall.leap_m.or(before.leap_m).unwrap_or(0.0);
        let track = &mut plan.feet[fall.side as usize];
        if !fall.is_aloft {
            track.leave(fall.off_s - heel_up_s, fall.off_s, roll_out, unload_s);
        }
        if i == last && joins.leaves {
            // the next act decides where it lands
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

/// Position and yaw of a foot at landing.
fn foot_place(
    plan: &MotionPlan,
    fall: &Footfall,
    closing: bool,
    course: Course<'_>,
    (place, heading): (Vec2, f32),
) -> (Vec2, f32) {
    let (offset, turned) = course.at(fall.metres);
    let facing = heading + turned;
    let mut beside = fall.gait.half_width_m;
    if closing {
        // the other foot stands close to the midline, so this one goes further out for the usual
        // stance width
        beside = 2.0 * plan.variation.stance_half_m() - beside;
    }
    let sideways = rotated(Vec2::new(fall.side.sign() * beside, 0.0), facing);
    let toe_out = fall.side.sign() * plan.variation.toe_out_rad() * if closing { 1.0 } else { 0.7 };
    (place + rotated(offset, heading) + sideways, facing + toe_out)
}

/// Path of the body: between the feet at each landing.
fn steer(
    plan: &mut MotionPlan,
    falls: &[Footfall],
    (course, joins): (Course<'_>, Joins),
    (place, heading): (Vec2, f32),
) {
    let mut keys = vec![(plan.now + 0.55 * prepare_s(falls, joins), 0.0)];
    for (i, fall) in falls.iter().enumerate() {
        let step_m = fall.share * fall.gait.step_m;
        if i + 1 < falls.len() {
            let next = &falls[i + 1];
            let reach = match i {
                // the first step moves the body no further than between the feet
                0 if !fall.is_aloft => 0.5 * step_m,
                // before a run, the body comes closer to the foot that pushes off
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
    let below = plan.climb[plan.climb.len() - 1].1;
    for pair in keys.windows(2) {
        let ((from_s, from_m), (to_s, to_m)) = (pair[0], pair[1]);
        let pieces = ((to_s - from_s) / 0.06).ceil().max(1.0) as usize;
        for piece in 0..pieces {
            let amount = piece as f32 / pieces as f32;
            walked = (from_m + (to_m - from_m) * amount).max(walked);
            climb(plan, falls, from_s + (to_s - from_s) * amount, walked, below);
            let (offset, turned) = course.at(walked);
            plan.go(
                from_s + (to_s - from_s) * amount,
                place + rotated(offset, heading),
                heading + turned,
            );
        }
    }
    if joins.leaves {
        let (end_s, end_m) = keys[keys.len() - 1];
        let (offset, turned) = course.at(end_m);
        plan.go(end_s, place + rotated(offset, heading), heading + turned);
        return;
    }
    let end = &falls[falls.len() - 1];
    climb(plan, falls, end.on_s + 0.12, end.metres, below);
    let (offset, turned) = course.at(end.metres);
    let facing = heading + turned;
    let beside = plan.variation.stance_half_m() - end.gait.half_width_m;
    let sideways = rotated(Vec2::new(end.side.sign() * beside, 0.0), facing);
    plan.go(end.on_s + 0.12, place + rotated(offset, heading) + sideways, facing);
}

/// Raises the body evenly from step to step.
fn climb(plan: &mut MotionPlan, falls: &[Footfall], time_s: f32, walked: f32, below: f32) {
    let gait = &falls[0].gait;
    if gait.climb_m != 0.0 {
        plan.climb.push((time_s, below + gait.climb_m * walked / gait.step_m));
    }
}
