//! Playing the motion plan: turns it into poses, frame by frame.

use glam::{Vec2, Vec3};
use limber_animation::{ContactPoint, Contacts, Pose, Side, smooth::smoothstep};

use super::{
    GRAVITY_M_S2, arms,
    channels::Channel,
    feet::{FootPose, FootTrack},
    frames::{FRAME_S, smooth, smooth_above},
    life,
    motion_plan::{MotionPlan, rotated},
    rig::{HIPS_HEIGHT, Rig, Stand, pelvis_excess, pelvis_turn},
};
use crate::{Cancel, EngineError};

/// Standard deviations of the smoothing of the body's path and heading, seconds.
const COURSE_SIGMA_S: f32 = 0.11;
const HEADING_SIGMA_S: f32 = 0.13;
/// Time by which the head leads the body's heading, seconds.
const LOOK_AHEAD_S: f32 = 0.30;
/// Pelvic list: how far the pelvis is raised on the weight-bearing side, radians.
const LIST: f32 = 0.045;

/// Plays the motion plan: returns poses and contacts of every frame. `mark` is called with the
/// progress, 0 to 1.
pub(super) fn play(
    mut plan: MotionPlan,
    cancel: &Cancel,
    mark: &mut dyn FnMut(f32),
) -> Result<(Vec<Pose>, Vec<Contacts>), EngineError> {
    let frames = plan.channels.len();
    let course = follow(&plan.course, frames);
    shift_weight(&mut plan, &course);
    look_ahead(&mut plan, &course);
    brace(&mut plan, &course);
    lean_on_a_leg(&mut plan);
    life::breathe(&mut plan);
    arms::hand_over(&mut plan.arms);
    let jerky = std::mem::take(&mut plan.jerky);
    if !jerky.is_empty() {
        plan.channels.retime_upper_body(|time_s| life::jerky_time(&jerky, time_s));
    }
    let floors = climb(&plan.climb, frames);
    let mut stands = stands(&plan, &course, &floors);
    let rig = Rig::new();
    keep_above_the_floor(&rig, &plan, &mut stands);
    keep_within_reach(&plan, &mut stands);

    let mut poses = Vec::with_capacity(frames);
    let mut contacts = Vec::with_capacity(frames);
    for (frame, stand) in stands.iter().enumerate() {
        if frame % 30 == 0 {
            if cancel.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            mark(frame as f32 / frames as f32);
        }
        let time_s = life::jerky_time(&jerky, frame as f32 * FRAME_S);
        let pose = rig.pose(&plan.channels, frame, time_s, stand, &plan.arms);
        contacts.push(touching(stand, |side| rig.reaches(&pose, stand, side)));
        poses.push(pose);
    }
    rig.tidy_arms(&mut poses);
    let lowest = plan.feet.iter().map(FootTrack::lowest_level).fold(f32::MAX, f32::min);
    for (pose, floor) in poses.iter_mut().zip(floors) {
        pose.hips_translation.y += floor - lowest;
    }
    start_over_the_origin(&mut poses);
    Ok((poses, contacts))
}

/// Height of the floor below the body in every frame. Bodies are played over a level floor that
/// moves up and down with them; only the feet are planned at different heights.
fn climb(keys: &[(f32, f32)], frames: usize) -> Vec<f32> {
    let mut floors: Vec<f32> =
        (0..frames).map(|frame| straight_between(keys, frame as f32 * FRAME_S)).collect();
    if keys.len() > 1 {
        smooth(&mut floors, COURSE_SIGMA_S);
    }
    floors
}

fn straight_between(keys: &[(f32, f32)], time_s: f32) -> f32 {
    let next = keys.partition_point(|key| key.0 <= time_s);
    let before = keys[next.saturating_sub(1)];
    let after = keys.get(next).copied().unwrap_or(before);
    let amount = ((time_s - before.0) / (after.0 - before.0).max(1e-4)).clamp(0.0, 1.0);
    before.1 + (after.1 - before.1) * amount
}

/// Position and heading in every frame.
fn follow(keys: &[(f32, Vec2, f32)], frames: usize) -> Vec<(Vec2, f32)> {
    let (mut x, mut z) = (Vec::with_capacity(frames), Vec::with_capacity(frames));
    let mut headings = Vec::with_capacity(frames);
    for frame in 0..frames {
        let time_s = frame as f32 * FRAME_S;
        let next = keys.partition_point(|key| key.0 <= time_s);
        let before = keys[next.saturating_sub(1)];
        let after = keys.get(next).copied().unwrap_or(before);
        let amount = ((time_s - before.0) / (after.0 - before.0).max(1e-4)).clamp(0.0, 1.0);
        let place = before.1.lerp(after.1, amount);
        x.push(place.x);
        z.push(place.y);
        headings.push(before.2 + (after.2 - before.2) * amount);
    }
    smooth(&mut x, COURSE_SIGMA_S);
    smooth(&mut z, COURSE_SIGMA_S);
    smooth(&mut headings, HEADING_SIGMA_S);
    x.into_iter().zip(z).map(Vec2::from).zip(headings).collect()
}

/// Moves the pelvis over the weight-bearing foot, and lets its other side sink a little.
fn shift_weight(plan: &mut MotionPlan, course: &[(Vec2, f32)]) {
    const NEITHER: f32 = 0.02;
    let (mut aside, mut list) =
        (Vec::with_capacity(course.len()), Vec::with_capacity(course.len()));
    for (frame, (place, heading)) in course.iter().enumerate() {
        let time_s = frame as f32 * FRAME_S;
        let loads = Side::BOTH.map(|side| plan.feet[side as usize].load(time_s) + NEITHER);
        let feet = Side::BOTH.map(|side| {
            let ankle = plan.feet[side as usize].pose(time_s).ankle;
            Vec2::new(ankle.x, ankle.z)
        });
        let sum = loads[0] + loads[1];
        let support = (feet[0] * loads[0] + feet[1] * loads[1]) / sum;
        let sideways = rotated(Vec2::X, *heading);
        aside.push((support - *place).dot(sideways).clamp(-0.25, 0.25));
        list.push((loads[0] - loads[1]) / sum);
    }
    smooth(&mut aside, 0.10);
    smooth(&mut list, 0.06);
    for (frame, (aside, list)) in aside.into_iter().zip(list).enumerate() {
        let balance = plan.channels.get(frame, Channel::Balance) + 0.85;
        plan.channels.nudge(frame, Channel::PelvisX, aside * balance);
        plan.channels.nudge(frame, Channel::PelvisRoll, LIST * list);
        plan.channels.nudge(frame, Channel::SpineRoll, -1.15 * LIST * list);
    }
}

/// While standing for a while, rests on one leg more than on the other.
fn lean_on_a_leg(plan: &mut MotionPlan) {
    let mut moving: Vec<f32> = (0..plan.channels.len())
        .map(|frame| {
            let time_s = frame as f32 * FRAME_S;
            let loads = Side::BOTH.map(|side| plan.feet[side as usize].load(time_s));
            1.0 - loads[0].min(loads[1])
        })
        .collect();
    smooth_above(&mut moving, 0.18);
    let weight = plan.variation.weight;
    let turn = 0.10 * plan.variation.stagger;
    for (frame, moving) in moving.into_iter().enumerate() {
        // when seated or low down, both sides carry weight
        let upright = smoothstep((plan.channels.get(frame, Channel::PelvisY) + 0.32) / 0.22);
        let still = (1.0 - moving.clamp(0.0, 1.0)) * (0.25 + 0.75 * upright);
        plan.channels.nudge(frame, Channel::PelvisX, 0.082 * weight * still);
        plan.channels.nudge(frame, Channel::PelvisRoll, 0.082 * weight * still);
        plan.channels.nudge(frame, Channel::SpineRoll, -0.120 * weight * still);
        plan.channels.nudge(frame, Channel::HeadRoll, 0.03 * weight * still);
        plan.channels.nudge(frame, Channel::PelvisYaw, turn * still);
        plan.channels.nudge(frame, Channel::SpineYaw, 0.6 * turn * still);
    }
}

/// Turns the head before the body.
fn look_ahead(plan: &mut MotionPlan, course: &[(Vec2, f32)]) {
    let ahead = (LOOK_AHEAD_S / FRAME_S) as usize;
    let mut yaw: Vec<f32> = (0..course.len())
        .map(|frame| {
            let later = course[(frame + ahead).min(course.len() - 1)].1;
            (later - course[frame].1).clamp(-0.8, 0.8)
        })
        .collect();
    smooth(&mut yaw, 0.10);
    for (frame, yaw) in yaw.into_iter().enumerate() {
        plan.channels.nudge(frame, Channel::HeadYaw, yaw);
        plan.channels.nudge(frame, Channel::SpineYaw, 0.2 * yaw);
    }
}

/// Leans forwards to accelerate, backwards to brake and into bends: by about half the angle that
/// would balance the ground reaction force. Muscles do the rest.
fn brace(plan: &mut MotionPlan, course: &[(Vec2, f32)]) {
    const SHARE: f32 = 0.5 / GRAVITY_M_S2;
    const MOST: f32 = 0.17;
    let (mut ahead, mut aside) = (vec![0.0; course.len()], vec![0.0; course.len()]);
    for frame in 1..course.len().saturating_sub(1) {
        let push = course[frame + 1].0 - 2.0 * course[frame].0 + course[frame - 1].0;
        let push = rotated(push / (FRAME_S * FRAME_S), -course[frame].1);
        ahead[frame] = SHARE * push.y;
        aside[frame] = SHARE * push.x;
    }
    smooth(&mut ahead, 0.13);
    smooth(&mut aside, 0.20);
    for (frame, (ahead, aside)) in ahead.into_iter().zip(aside).enumerate() {
        let (ahead, aside) = (ahead.clamp(-MOST, MOST), aside.clamp(-MOST, MOST));
        plan.channels.nudge(frame, Channel::PelvisPitch, 0.4 * ahead);
        plan.channels.nudge(frame, Channel::SpinePitch, 0.6 * ahead);
        plan.channels.nudge(frame, Channel::PelvisX, 0.35 * aside);
        plan.channels.nudge(frame, Channel::PelvisRoll, -0.3 * aside);
        plan.channels.nudge(frame, Channel::SpineRoll, -0.5 * aside);
    }
}

fn stands(plan: &MotionPlan, course: &[(Vec2, f32)], floors: &[f32]) -> Vec<Stand> {
    course
        .iter()
        .zip(floors)
        .enumerate()
        .map(|(frame, ((root, heading), floor))| {
            let time_s = frame as f32 * FRAME_S;
            let get = |channel| plan.channels.get(frame, channel);
            let offset = Vec2::new(get(Channel::PelvisX), get(Channel::PelvisZ));
            let level = *root + rotated(offset, *heading);
            let height = HIPS_HEIGHT + get(Channel::PelvisY);
            Stand {
                root: *root,
                heading: *heading,
                pelvis: Vec3::new(level.x, height, level.y),
                feet: Side::BOTH.map(|side| {
                    let foot = plan.feet[side as usize].pose(time_s);
                    FootPose { ankle: foot.ankle - Vec3::Y * *floor, ..foot }
                }),
            }
        })
        .collect()
}

/// Smoothly raises a low body wherever trunk or knees would penetrate the floor.
fn keep_above_the_floor(rig: &Rig, plan: &MotionPlan, stands: &mut [Stand]) {
    const LOW_M: f32 = 0.62;
    const DEEPEST_M: f32 = 0.001;
    if stands.iter().all(|stand| stand.pelvis.y > LOW_M) {
        return;
    }
    // a knee rises by less than the pelvis
    for _ in 0..6 {
        let mut sunk: Vec<f32> =
            stands
                .iter()
                .enumerate()
                .map(|(frame, stand)| {
                    if stand.pelvis.y > LOW_M {
                        0.0
                    } else {
                        rig.sunk(&plan.channels, frame, stand)
                    }
                })
                .collect();
        if sunk.iter().all(|sunk| *sunk < DEEPEST_M) {
            return;
        }
        smooth_above(&mut sunk, 0.06);
        for (stand, sunk) in stands.iter_mut().zip(sunk) {
            stand.pelvis.y += sunk;
        }
    }
}

/// Smoothly lowers the pelvis wherever a leg would not reach its foot.
fn keep_within_reach(plan: &MotionPlan, stands: &mut [Stand]) {
    let mut excess: Vec<f32> = stands
        .iter()
        .enumerate()
        .map(|(frame, stand)| {
            pelvis_excess(stand, pelvis_turn(&plan.channels, frame, stand.heading))
        })
        .collect();
    smooth_above(&mut excess, 0.045);
    for (stand, excess) in stands.iter_mut().zip(excess) {
        stand.pelvis.y -= excess;
    }
}

/// The contacts of a frame; a foot that its leg does not reach has none.
fn touching(stand: &Stand, reaches: impl Fn(Side) -> bool) -> Contacts {
    let mut contacts = Contacts::NONE;
    for side in Side::BOTH.into_iter().filter(|side| reaches(*side)) {
        let foot = &stand.feet[side as usize];
        contacts.set(ContactPoint::Heel(side), foot.heel_down);
        contacts.set(ContactPoint::Toe(side), foot.ball_down);
    }
    contacts
}

/// Translates all poses so that the hips start over x = z = 0. The body already faces +Z.
pub(super) fn start_over_the_origin(poses: &mut [Pose]) {
    let Some(first) = poses.first() else { return };
    let offset = Vec3::new(first.hips_translation.x, 0.0, first.hips_translation.z);
    for pose in poses {
        pose.hips_translation -= offset;
        for turn in &mut pose.rotations {
            *turn = turn.normalize();
        }
    }
}
