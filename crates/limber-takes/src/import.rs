//! Converts recordings of any body to takes on the canonical skeleton.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, HumanBone, JointIndex, Pose, Side, canonical_skeleton,
    maths::{atan2, hypot},
};
use limber_cleanup::{ContactSettings, Soles, detect_contacts, ground};
use limber_retarget::{RetargetError, retarget};

/// Speed that no joint of a person exceeds, m/s; anything faster is a lost marker, or a T-pose
/// before the recording.
const LOST_M_S: f32 = 18.0;
/// Minimum length of a usable stretch, frames.
const SHORTEST_FRAMES: usize = 15;
/// Looser contact thresholds for recordings: markers jitter, so that feet never stand quite still,
/// and a running contact of a tenth of a second covers only three frames.
const RECORDED: ContactSettings = ContactSettings {
    height_on_m: 0.06,
    height_off_m: 0.09,
    speed_on_m_s: 0.35,
    speed_off_m_s: 0.60,
    shortest_frames: 2,
    shortest_gap_frames: 3,
};
/// Per mille of the foot heights that may lie below the floor when its height is estimated.
const BELOW_FLOOR: usize = 50;

/// The stretches of a recording between jumps: on the canonical skeleton, on the floor, starting
/// over the origin and facing +Z, with contacts.
///
/// # Errors
/// See [`RetargetError`].
pub(crate) fn stretches(recorded: &Clip) -> Result<Vec<Clip>, RetargetError> {
    let clip = retarget(recorded, &canonical_skeleton())?;
    let ranges = without_jumps(&clip);
    Ok(ranges.into_iter().map(|frames| settled(&cut(&clip, frames))).collect())
}

/// A range of frames as a clip, with their contacts.
pub(crate) fn cut(clip: &Clip, frames: Range<usize>) -> Clip {
    let poses = clip.frames()[frames.clone()].to_vec();
    let piece = Clip::new(clip.skeleton().clone(), clip.fps(), poses)
        .expect("the poses come from a clip on this skeleton");
    match clip.contacts() {
        Some(track) => {
            piece.with_contacts(track[frames].to_vec()).expect("there is one entry per frame")
        }
        None => piece,
    }
}

/// The joints of body and limbs, without the fingers.
fn body_joints(clip: &Clip) -> Vec<JointIndex> {
    let skeleton = clip.skeleton();
    let body = HumanBone::ALL.into_iter().filter(|bone| *bone <= HumanBone::RightToes);
    body.filter_map(|bone| skeleton.find(bone)).collect()
}

fn without_jumps(clip: &Clip) -> Vec<Range<usize>> {
    let joints = body_joints(clip);
    let places = clip.world_positions();
    let most_m = LOST_M_S / clip.fps().per_second();
    let mut ranges = Vec::new();
    let mut from = 0;
    for frame in 1..=clip.len() {
        let jumps = frame < clip.len() && {
            let far = |joint: &JointIndex| {
                places[frame][joint.get()].distance(places[frame - 1][joint.get()]) > most_m
            };
            joints.iter().any(far)
        };
        if jumps || frame == clip.len() {
            if frame - from >= SHORTEST_FRAMES {
                ranges.push(from..frame);
            }
            from = frame;
        }
    }
    ranges
}

/// Places the clip on the floor, over the origin and facing +Z, and detects its contacts.
fn settled(clip: &Clip) -> Clip {
    let mut level = clip.clone();
    let lowest = lowest_feet(clip);
    let floor = lowest[lowest.len() * BELOW_FLOOR / 1000];
    for pose in level.frames_mut() {
        pose.hips_translation.y -= floor;
    }
    let with_contacts = |clip: Clip| {
        let track = detect_contacts(&clip, &RECORDED);
        clip.with_contacts(track).expect("there is one entry per frame")
    };
    let soles = Soles::of_skeleton(clip.skeleton());
    let grounded = ground(&with_contacts(level), &soles);
    let mut settled = with_contacts(grounded);
    place(&mut settled, Vec3::ZERO, 0.0);
    settled
}

/// Offset of the lower foot joint from its rest height in each frame, sorted, metres.
fn lowest_feet(clip: &Clip) -> Vec<f32> {
    let skeleton = clip.skeleton();
    let rest = skeleton.rest_world();
    let bones = Side::BOTH.into_iter().flat_map(|side| {
        let [_, _, foot, toes] = HumanBone::leg(side);
        [foot, toes]
    });
    let feet: Vec<JointIndex> = bones.filter_map(|bone| skeleton.find(bone)).collect();
    let lowest = |places: &Vec<Vec3>| {
        let over = feet.iter().map(|foot| places[foot.get()].y - rest.position(*foot).y);
        over.fold(f32::INFINITY, f32::min)
    };
    let mut lowest: Vec<f32> = clip.world_positions().iter().map(lowest).collect();
    lowest.sort_by(f32::total_cmp);
    lowest
}

/// The heading of a pose on the canonical skeleton, radians, left positive.
pub(crate) fn facing(pose: &Pose) -> f32 {
    let forward = pose.rotations[0] * Vec3::Z;
    if hypot(forward.x, forward.z) > 0.3 {
        return atan2(forward.x, forward.z);
    }
    // for a body that bends over, the heading comes from the left-right axis of the hips
    let left = pose.rotations[0] * Vec3::X;
    atan2(-left.z, left.x)
}

/// Moves a clip over the floor so that it starts over a point with this heading, radians.
pub(crate) fn place(clip: &mut Clip, over: Vec3, yaw_rad: f32) {
    let first = &clip.frames()[0];
    let turn = Quat::from_rotation_y(yaw_rad - facing(first));
    let begins = first.hips_translation;
    for pose in clip.frames_mut() {
        let way = pose.hips_translation - begins;
        let at = turn * way + Vec3::Y * begins.y;
        pose.hips_translation = Vec3::new(over.x + at.x, at.y, over.z + at.z);
        pose.rotations[0] = (turn * pose.rotations[0]).normalize();
    }
}
