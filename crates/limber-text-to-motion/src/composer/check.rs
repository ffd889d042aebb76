//! Checks for faults that no clip may have.

use std::ops::RangeInclusive;

use glam::Vec3;
use limber_animation::{
    Clip, ContactPoint, Contacts, HumanBone, Pose, Side, WorldPose, canonical_skeleton,
    maths::atan2, smooth::minimum_jerk,
};

use super::frames::{FPS, frame_count};

/// Maximum running speed (the fastest humans reach 12.4 m/s).
const FASTEST_M_S: f32 = 12.0;
/// Maximum rotation of a joint from one frame to the next, radians.
const FASTEST_TURN: f32 = 60.0 * std::f32::consts::PI / 180.0;

/// Number of frames before and after a snap over which a joint or the hips are interpolated.
const LED_FRAMES: usize = 4;

/// Maximum sliding of a standing foot from one frame to the next, metres.
const SLIDING_M: f32 = 1e-3;
/// Minimum height of any joint, metres.
const LOWEST_JOINT_M: f32 = 0.008;
/// How deep soft soles may sink in, metres: the toe tip, the heel.
const TIP_SINKS_M: f32 = 0.012;
const HEEL_SINKS_M: f32 = 0.010;
/// Range of knee flexion, radians.
const KNEE_RAD: std::ops::Range<f32> = -0.03..2.8;

/// Smooths snaps of motion that has some with every performer, by interpolating the joint from
/// before each snap to after it. Feet that are moved by this have no contact any more.
pub(super) fn lead_through_snaps(poses: &mut [Pose], contacts: &mut [Contacts]) {
    let planned = poses.to_vec();
    smooth_snaps(poses);
    let skeleton = canonical_skeleton();
    for ((before, after), contacts) in planned.iter().zip(poses.iter()).zip(contacts) {
        if before == after {
            continue;
        }
        let worlds = [before, after].map(|pose| skeleton.world(pose));
        for side in Side::BOTH {
            let is_moved = HumanBone::leg(side)[2..].iter().any(|bone| {
                let joint = skeleton.find(*bone).expect("the canonical skeleton has feet");
                let [planned, moved] = [&worlds[0], &worlds[1]].map(|world| world.position(joint));
                planned.distance(moved) >= SLIDING_M
            });
            if is_moved {
                contacts.set(ContactPoint::Heel(side), false);
                contacts.set(ContactPoint::Toe(side), false);
            }
        }
    }
}

fn smooth_snaps(poses: &mut [Pose]) {
    let joints = poses.first().map_or(0, |pose| pose.rotations.len());
    for frame in 0..poses.len() - 1 {
        let place = |frame: usize| poses[frame].hips_translation;
        if place(frame).distance(place(frame + 1)) * FPS <= FASTEST_M_S {
            continue;
        }
        let around = around(frame, poses.len());
        let [from, to] = [*around.start(), *around.end()].map(place);
        for (share, pose) in eased(&mut poses[around]) {
            pose.hips_translation = from.lerp(to, share);
        }
    }
    for joint in 0..joints {
        let turn = |poses: &[Pose], frame: usize| poses[frame].rotations[joint];
        for frame in 0..poses.len() - 1 {
            if turn(poses, frame).angle_between(turn(poses, frame + 1)) <= FASTEST_TURN {
                continue;
            }
            let around = around(frame, poses.len());
            let (from, to) = (turn(poses, *around.start()), turn(poses, *around.end()));
            let to = if from.dot(to) < 0.0 { -to } else { to };
            for (share, pose) in eased(&mut poses[around]) {
                pose.rotations[joint] = from.slerp(to, share).normalize();
            }
        }
    }
}

/// The frames over which a snap after `frame` is interpolated, of `frames` in all.
fn around(frame: usize, frames: usize) -> RangeInclusive<usize> {
    frame.saturating_sub(LED_FRAMES - 1)..=(frame + LED_FRAMES).min(frames - 1)
}

/// Poses with how far each is on its way from the first to the last, easing in and out.
fn eased(poses: &mut [Pose]) -> impl Iterator<Item = (f32, &mut Pose)> {
    let last = (poses.len() - 1) as f32;
    poses.iter_mut().enumerate().map(move |(step, pose)| (minimum_jerk(step as f32 / last), pose))
}

/// Finds a fault in finished motion, as a sentence.
pub(super) fn fault(poses: &[Pose], duration_s: f32) -> Option<String> {
    if poses.len() != frame_count(duration_s) {
        return Some(format!("{} frames were made for {duration_s} seconds", poses.len()));
    }
    for (frame, pose) in poses.iter().enumerate() {
        if !pose.is_finite() {
            return Some(format!("frame {frame} contains a number that is not finite"));
        }
    }
    for (frame, pair) in poses.windows(2).enumerate() {
        let travel = pair[1].hips_translation.distance(pair[0].hips_translation);
        if travel * FPS > FASTEST_M_S {
            return Some(format!(
                "the body would move at {:.0} m/s in frame {frame}",
                travel * FPS
            ));
        }
        let turns = pair[0].rotations.iter().zip(&pair[1].rotations);
        for (joint, (before, after)) in turns.enumerate() {
            if before.angle_between(*after) > FASTEST_TURN {
                let skeleton = canonical_skeleton();
                let name = skeleton.joints().get(joint).map_or("joint", |joint| &*joint.name);
                return Some(format!("{name} would snap in frame {frame}"));
            }
        }
    }
    None
}

/// Physically impossible faults of a clip, in sentences, each kind and side once: standing feet
/// that slide, joints and soles below the floor, knees that bend too far or backwards.
#[must_use]
pub fn impossible_in(clip: &Clip) -> Vec<String> {
    let worlds: Vec<WorldPose> =
        clip.frames().iter().map(|pose| clip.skeleton().world(pose)).collect();
    let mut found: Vec<String> = Vec::new();
    found.extend(ContactPoint::ALL.into_iter().filter_map(|point| sliding(clip, &worlds, point)));
    found.extend(below_the_floor(clip, &worlds));
    for side in Side::BOTH {
        found.extend(wrong_with_leg(clip, &worlds, side));
    }
    found
}

fn sliding(clip: &Clip, worlds: &[WorldPose], point: ContactPoint) -> Option<String> {
    let bone = match point {
        ContactPoint::Heel(side) => HumanBone::leg(side)[2],
        ContactPoint::Toe(side) => HumanBone::leg(side)[3],
    };
    let (contacts, joint) = (clip.contacts()?, clip.skeleton().find(bone)?);
    let stands = |frame: &usize| contacts[*frame].has(point) && contacts[*frame - 1].has(point);
    let place = |frame: usize| worlds[frame].position(joint);
    let slid = |frame: usize| place(frame).distance(place(frame - 1));
    let first = (1..worlds.len()).filter(stands).find(|frame| slid(*frame) >= SLIDING_M)?;
    let slid_mm = 1e3 * slid(first);
    let what = match point {
        ContactPoint::Heel(Side::Left) => "left heel",
        ContactPoint::Heel(Side::Right) => "right heel",
        ContactPoint::Toe(Side::Left) => "ball of the left foot",
        ContactPoint::Toe(Side::Right) => "ball of the right foot",
    };
    Some(format!("the {what} stands and slides by {slid_mm:.1} mm in frame {first}"))
}

fn below_the_floor(clip: &Clip, worlds: &[WorldPose]) -> Option<String> {
    let skeleton = clip.skeleton();
    let heights = worlds.iter().enumerate().flat_map(|(frame, world)| {
        skeleton.indices().map(move |joint| (frame, joint, world.position(joint).y))
    });
    let (frame, joint, height) = heights.min_by(|a, b| a.2.total_cmp(&b.2))?;
    let (name, height_cm) = (&skeleton.joint(joint).name, 100.0 * height);
    (height <= LOWEST_JOINT_M)
        .then(|| format!("{name} is at a height of {height_cm:.1} cm in frame {frame}"))
}

fn wrong_with_leg(clip: &Clip, worlds: &[WorldPose], side: Side) -> Vec<String> {
    let [_, knee, foot, toes] = HumanBone::leg(side).map(|bone| clip.skeleton().find(bone));
    let (Some(knee), Some(foot), Some(toes)) = (knee, foot, toes) else { return Vec::new() };
    let bent = |frame: usize| {
        let bend = clip.frames()[frame].rotation(knee);
        2.0 * atan2(bend.x, bend.w)
    };
    let tip = |frame: usize| worlds[frame].transform(toes, Vec3::new(0.0, -0.02, 0.06)).y;
    let heel = |frame: usize| worlds[frame].transform(foot, Vec3::new(0.0, -0.085, -0.045)).y;
    let first = |is_wrong: &dyn Fn(usize) -> bool| (0..worlds.len()).find(|frame| is_wrong(*frame));
    let which = if side == Side::Left { "left" } else { "right" };
    let bends = first(&|frame| !KNEE_RAD.contains(&bent(frame))).map(|frame| {
        let degrees = bent(frame).to_degrees();
        format!("the {which} knee is bent by {degrees:.0}° in frame {frame}")
    });
    let sinks = [
        ("toes sink", first(&|frame| tip(frame) <= -TIP_SINKS_M)),
        ("heel sinks", first(&|frame| heel(frame) <= -HEEL_SINKS_M)),
    ];
    let sinks = sinks.into_iter().filter_map(|(what, frame)| {
        Some(format!("the {which} {what} into the floor in frame {}", frame?))
    });
    bends.into_iter().chain(sinks).collect()
}
