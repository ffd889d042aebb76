//! S3, final step: adds a closing frame to a clip.
//!
//! A clip of N frames lasts N / fps, but its last frame is one frame before that. Other programs
//! take the last key of a file as its end, so files get one more key: the start of the next
//! repetition if the clip loops, otherwise a continuation of the motion.

use std::{
    f32::consts::{PI, TAU},
    sync::Arc,
};

use glam::Vec3;
use limber_animation::{
    Clip, Contacts, Fps, HumanBone, JointIndex, Pose, Side, Skeleton, WorldPose, ik, maths::atan2,
};
use limber_cleanup::GroundMove;

/// Joints that move less than this per frame stand still, in metres and radians.
const STANDS_M: f32 = 0.002;
const STANDS_RAD: f32 = 0.01;
/// Deviations of a still joint up to this are not noticeable, in metres and radians.
const UNSEEN_M: f32 = 0.003;
const UNSEEN_RAD: f32 = 0.026;
/// A repetition that ends turned and moved by less than this ends where it began, in radians and
/// metres.
const STRAIGHT_RAD: f32 = 0.035;
const ON_THE_SPOT_M: f32 = 0.02;
/// A foot that stands across the loop point may differ by this between the two repetitions, in
/// metres.
const SAME_STEP_M: f32 = 0.03;

/// Returns the clip with its closing frame.
pub(crate) fn closed(clip: &Clip) -> Clip {
    let frames = clip.frames();
    let last = &frames[frames.len() - 1];
    let closing = match frames.len().checked_sub(2) {
        Some(before) => {
            let onwards = onwards(clip.skeleton(), &frames[before], last);
            next_round(clip, &onwards).unwrap_or(onwards)
        }
        None => last.clone(),
    };
    let closing = if closing.is_finite() { closing } else { last.clone() };
    let track = clip.contacts().map(|track| track.iter().chain(track.last()).copied().collect());
    made(clip, clip.fps(), frames.iter().cloned().chain([closing]).collect(), track)
}

/// Resamples a closed clip; the result is closed as well and has as many frames as the open clip
/// would last.
pub(crate) fn resampled(closed: &Clip, fps: Fps) -> Clip {
    if fps == closed.fps() {
        return closed.clone();
    }
    let last = closed.len() - 1;
    let duration_s = last as f32 / closed.fps().per_second();
    let steps = (duration_s * fps.per_second()).round().max(1.0) as usize;
    let times = (0..=steps).map(|step| step as f32 / fps.per_second());
    let frames = times.clone().map(|time_s| closed.sample(time_s)).collect();
    let track = closed.contacts().map(|track| {
        let nearest = |time_s: f32| (time_s * closed.fps().per_second()).round() as usize;
        times.map(|time_s| track[nearest(time_s).min(last)]).collect()
    });
    made(closed, fps, frames, track)
}

/// Returns a closed clip without its closing frame.
pub(crate) fn opened(closed: &Clip) -> Clip {
    let frames = (closed.len() - 1).max(1);
    let track = closed.contacts().map(|track| track[..frames].to_vec());
    made(closed, closed.fps(), closed.frames()[..frames].to_vec(), track)
}

fn made(clip: &Clip, fps: Fps, frames: Vec<Pose>, track: Option<Vec<Contacts>>) -> Clip {
    let made = Clip::new(Arc::clone(clip.skeleton()), fps, frames).expect("poses of the same clip");
    match track {
        Some(track) => made.with_contacts(track).expect("one entry per frame"),
        None => made,
    }
}

/// Extrapolates the motion by one frame; feet that stood keep standing.
fn onwards(skeleton: &Skeleton, before: &Pose, last: &Pose) -> Pose {
    let mut pose = last.clone();
    pose.hips_translation += last.hips_translation - before.hips_translation;
    for (turn, before) in pose.rotations.iter_mut().zip(&before.rotations) {
        *turn = (*turn * (before.inverse() * *turn)).normalize();
    }
    let steps = [before, last].map(|pose| skeleton.world(pose));
    for side in Side::BOTH {
        keep_standing(skeleton, &mut pose, side, &steps);
    }
    pose
}

fn keep_standing(
    skeleton: &Skeleton,
    pose: &mut Pose,
    side: Side,
    [before, last]: &[WorldPose; 2],
) {
    let [upper, lower, foot, toes] = HumanBone::leg(side).map(|bone| skeleton.find(bone));
    let (Some(upper), Some(lower), Some(foot)) = (upper, lower, foot) else { return };
    let stood =
        |joint: JointIndex| before.position(joint).distance(last.position(joint)) < STANDS_M;
    let (ankle, turned) = ik::standing(skeleton, pose, foot);
    let (target, turned) = if stood(foot) {
        let flat = before.rotation(foot).angle_between(last.rotation(foot)) < STANDS_RAD;
        (last.position(foot), if flat { last.rotation(foot) } else { turned })
    } else if let Some(toes) = toes.filter(|toes| stood(*toes)) {
        let rolled = ik::standing(skeleton, pose, toes).0;
        (ankle + last.position(toes) - rolled, turned)
    } else {
        return;
    };
    ik::reach_from_present(skeleton, pose, [upper, lower, foot], target, Some(turned));
}

/// Returns the clip's first frame as the start of the next repetition; `None` if the clip does not
/// lead there, that is, if a joint would be farther from its extrapolation than it moves in a
/// frame.
fn next_round(clip: &Clip, onwards: &Pose) -> Option<Pose> {
    let (skeleton, frames) = (clip.skeleton(), clip.frames());
    let (first, last) = (&frames[0], &frames[frames.len() - 1]);
    let next = travel(skeleton, [first, last], onwards).pose(skeleton, first);
    let [now, meant, there] = [last, onwards, &next].map(|pose| skeleton.world(pose));
    let leads_there = skeleton.indices().all(|joint| {
        let way = now.position(joint).distance(meant.position(joint)).max(UNSEEN_M);
        let turn = now.rotation(joint).angle_between(meant.rotation(joint)).max(UNSEEN_RAD);
        meant.position(joint).distance(there.position(joint)) <= way
            && meant.rotation(joint).angle_between(there.rotation(joint)) <= turn
    });
    leads_there.then_some(next)
}

/// Returns how a repetition that continues with `onwards` has moved from the first frame.
fn travel(skeleton: &Skeleton, [first, last]: [&Pose; 2], onwards: &Pose) -> GroundMove {
    let [from, to] = [first, onwards].map(|pose| ik::standing(skeleton, pose, skeleton.hips()));
    let turn = to.1 * from.1.inverse();
    let yaw_rad = (2.0 * atan2(turn.y, turn.w) + PI).rem_euclid(TAU) - PI;
    let straight = yaw_rad.abs() < STRAIGHT_RAD;
    let by = GroundMove::bringing(from.0, to.0, if straight { 0.0 } else { yaw_rad });
    if straight && by.offset.length() < ON_THE_SPOT_M {
        return GroundMove::NONE;
    }
    let next = by.pose(skeleton, first);
    let feet = Side::BOTH.into_iter().filter_map(|side| {
        let [_, _, foot, _] = HumanBone::leg(side);
        let foot = skeleton.find(foot)?;
        let [now, goes, there] =
            [last, onwards, &next].map(|pose| ik::standing(skeleton, pose, foot).0);
        let slip = (goes - there).with_y(0.0);
        (now.distance(goes) < STANDS_M && slip.length() < SAME_STEP_M).then_some(slip)
    });
    let slips: Vec<Vec3> = feet.collect();
    let slip = slips.iter().sum::<Vec3>() / slips.len().max(1) as f32;
    GroundMove { offset: by.offset + slip, ..by }
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use limber_animation::{canonical_skeleton, maths::sin};

    use super::*;

    fn clip(frames: usize, pose: impl Fn(f32, &mut Pose)) -> Clip {
        let skeleton = canonical_skeleton();
        let poses = (0..frames).map(|frame| {
            let mut posed = skeleton.rest_pose();
            pose(frame as f32 / 30.0, &mut posed);
            posed
        });
        Clip::new(skeleton.clone(), Fps::DEFAULT, poses.collect()).expect("it is a clip")
    }

    fn nodding(time_s: f32, pose: &mut Pose) {
        let skeleton = canonical_skeleton();
        let head = skeleton.find(HumanBone::Head).expect("it has a head");
        pose.set_rotation(head, Quat::from_rotation_x(0.4 * sin(TAU * time_s)));
    }

    #[test]
    fn a_second_ends_at_one_second_at_every_rate() {
        let second = closed(&clip(30, nodding));
        for fps in [24, 25, 30, 48, 50, 60, 120] {
            let fps = Fps::new(fps).expect("a rate");
            let at_rate = resampled(&second, fps);
            assert_eq!(at_rate.len(), usize::from(fps.get()) + 1);
            assert_eq!(opened(&at_rate).len(), usize::from(fps.get()));
            assert_eq!(at_rate.frames().last(), second.frames().last());
        }
        assert_eq!(opened(&second), clip(30, nodding));
    }

    #[test]
    fn loops_close_on_their_first_frame() {
        let round = clip(30, nodding);
        assert_eq!(closed(&round).frames()[30], round.frames()[0]);
        let walking = |time_s: f32, pose: &mut Pose| {
            nodding(time_s, pose);
            pose.hips_translation.z += 1.2 * time_s;
        };
        let travelling = clip(30, walking);
        let longer_clip = closed(&travelling);
        let closing = &longer_clip.frames()[30];
        assert_eq!(closing.rotations, travelling.frames()[0].rotations);
        let way = closing.hips_translation - travelling.frames()[0].hips_translation;
        assert!(way.distance(Vec3::Z * 1.2) < 1e-3, "{way}");
    }

    #[test]
    fn clips_that_do_not_loop_continue() {
        let turning = |time_s: f32, pose: &mut Pose| {
            pose.rotations[0] = Quat::from_rotation_y(time_s);
            pose.hips_translation.y += 0.5 * time_s;
        };
        let longer = clip(31, turning);
        let longer_clip = closed(&clip(30, turning));
        let closing = &longer_clip.frames()[30];
        let meant = &longer.frames()[30];
        assert!(closing.hips_translation.distance(meant.hips_translation) < 1e-4);
        assert!(closing.rotations[0].angle_between(meant.rotations[0]) < 1e-3);
        let alone = clip(1, nodding);
        assert_eq!(closed(&alone).frames()[1], alone.frames()[0]);
    }

    /// The hips sink and move forwards while the feet are pinned to the floor.
    #[test]
    fn planted_feet_stay_planted() {
        let skeleton = canonical_skeleton();
        let rest = skeleton.rest_world();
        let feet = Side::BOTH
            .map(|side| HumanBone::leg(side).map(|bone| skeleton.find(bone).expect("it has legs")));
        let lunging = |time_s: f32, pose: &mut Pose| {
            pose.hips_translation += Vec3::new(0.0, -0.1 - 0.4 * time_s, 0.8 * time_s);
            for [upper, lower, foot, _] in feet {
                let chain = [upper, lower, foot];
                let (at, turned) = (rest.position(foot), rest.rotation(foot));
                ik::reach(&skeleton, pose, chain, at, None, Some(turned));
            }
        };
        let longer_clip = closed(&clip(12, lunging));
        let closing = &longer_clip.frames()[12];
        for [_, _, foot, toes] in feet {
            for joint in [foot, toes] {
                let at = ik::standing(&skeleton, closing, joint).0;
                let slip = at.distance(rest.position(joint));
                assert!(slip < 5e-4, "{slip} m");
            }
        }
    }
}
