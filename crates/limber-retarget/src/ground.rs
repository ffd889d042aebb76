//! Puts the soles of the mesh on the floor.

use glam::Vec3;
use limber_animation::{
    Clip, Contacts, HumanBone, JointIndex, LEAST_STEP_M, Pose, Side, Skeleton, footholds,
    ik::{reach, standing},
};

use crate::Soles;

/// Tolerance for the height of a sole in contact, in metres.
const EXACT_M: f32 = 0.0005;
/// Frames on either side of a contact over which its correction fades out.
pub(crate) const FADE_FRAMES: usize = 5;

/// Returns the clip with every sole in contact at y = 0, or on its stair step, and no sole below
/// the floor.
///
/// First the whole body is moved vertically by the best-fitting offset, then each leg bends or
/// stretches to cover the rest; where a leg is too short, the hips come down. Feet keep their
/// rotation and their horizontal position.
///
/// A clip without contacts is returned unchanged. `soles` must belong to the clip's character.
///
/// # Panics
/// If the clip was made for a skeleton other than the character's.
#[must_use]
pub fn ground(clip: &Clip, soles: &Soles) -> Clip {
    let Some(contacts) = clip.contacts().filter(|track| track.iter().any(|c| c.bits() != 0)) else {
        return clip.clone();
    };
    let contacts = contacts.clone();
    let mut grounded = clip.clone();
    // moving the hips moves both soles by the same amount, so sole heights are computed only once
    let mut heights = Side::BOTH.map(|side| heights(clip, soles, side));
    let levels = footholds([&heights[0], &heights[1]], &contacts, least_step_m(clip.skeleton()));
    for (height, level) in heights.iter_mut().zip(&levels).flat_map(|(a, b)| a.iter_mut().zip(b)) {
        *height -= level;
    }
    let fit = best_fit(&heights, &contacts);
    raise(&mut grounded, &mut heights, &vec![fit; clip.len()]);
    // a leg too short for its step pulls the hips down; then all legs are solved again
    for _ in 0..3 {
        let mut stepped = grounded.clone();
        set_feet(&mut stepped, &heights, &contacts);
        let floating = floating(&stepped, soles, &contacts, &levels);
        if floating.iter().all(|gap| *gap < EXACT_M) {
            return stepped;
        }
        let raises: Vec<f32> =
            smooth(&widest(&floating)).iter().map(|lower| -lower * 1.05).collect();
        raise(&mut grounded, &mut heights, &raises);
    }
    set_feet(&mut grounded, &heights, &contacts);
    grounded
}

/// Returns the minimum height of a stair step, in metres, scaled to the length of the legs.
fn least_step_m(skeleton: &Skeleton) -> f32 {
    const ADULT_LEG_M: f32 = 0.835;
    let rest = skeleton.rest_world();
    let [upper, lower, foot, _] = HumanBone::leg(Side::Left).map(|bone| skeleton.find(bone));
    let (Some(upper), Some(lower), Some(foot)) = (upper, lower, foot) else { return f32::MAX };
    let [hip, knee, ankle] = [upper, lower, foot].map(|joint| rest.position(joint));
    LEAST_STEP_M * (hip.distance(knee) + knee.distance(ankle)) / ADULT_LEG_M
}

/// Returns the height of the lowest point of one sole in each frame, in metres.
fn heights(clip: &Clip, soles: &Soles, side: Side) -> Vec<f32> {
    clip.frames().iter().map(|pose| soles.lowest(clip.skeleton(), pose, side)).collect()
}

/// Moves the whole body up in each frame and updates the heights of the soles.
fn raise(clip: &mut Clip, heights: &mut [Vec<f32>; 2], raises: &[f32]) {
    let skeleton = std::sync::Arc::clone(clip.skeleton());
    for (pose, by) in clip.frames_mut().iter_mut().zip(raises) {
        raise_hips(&skeleton, pose, *by);
    }
    for (height, by) in heights.iter_mut().flat_map(|side| side.iter_mut().zip(raises)) {
        *height += by;
    }
}

fn raise_hips(skeleton: &Skeleton, pose: &mut Pose, by: f32) {
    let parent = skeleton.joint(skeleton.hips()).parent;
    let above = parent.map_or(glam::Quat::IDENTITY, |parent| standing(skeleton, pose, parent).1);
    pose.hips_translation += above.inverse() * Vec3::Y * by;
}

/// Returns the negated median height of all soles in contact, in metres.
fn best_fit(heights: &[Vec<f32>; 2], contacts: &[Contacts]) -> f32 {
    let mut standing: Vec<f32> = Side::BOTH
        .into_iter()
        .zip(heights)
        .flat_map(|(side, heights)| {
            heights.iter().zip(contacts).filter(move |(_, contact)| contact.foot(side))
        })
        .map(|(height, _)| *height)
        .collect();
    standing.sort_by(f32::total_cmp);
    standing.get(standing.len() / 2).map_or(0.0, |height| -height)
}

/// Moves each foot vertically so that its sole, now at `heights`, is where it should be.
fn set_feet(clip: &mut Clip, heights: &[Vec<f32>; 2], contacts: &[Contacts]) {
    let skeleton = std::sync::Arc::clone(clip.skeleton());
    for (side, heights) in Side::BOTH.into_iter().zip(heights) {
        let [upper, lower, foot, _] = HumanBone::leg(side);
        let chain = [upper, lower, foot].map(|bone| skeleton.find(bone));
        let [Some(upper), Some(lower), Some(foot)] = chain else { continue };
        let lifts = lifts(heights, contacts, side);
        for (pose, lift) in clip.frames_mut().iter_mut().zip(lifts) {
            if lift.abs() > 1e-5 {
                lift_foot(&skeleton, pose, [upper, lower, foot], lift);
            }
        }
    }
}

fn lift_foot(skeleton: &Skeleton, pose: &mut Pose, chain: [JointIndex; 3], lift: f32) {
    let (place, turn) = standing(skeleton, pose, chain[2]);
    reach(skeleton, pose, chain, place + Vec3::Y * lift, None, Some(turn));
}

/// Returns how far a foot must rise in each frame, in metres: onto the floor while in contact,
/// fading out on either side, and always at least out of the floor.
fn lifts(heights: &[f32], contacts: &[Contacts], side: Side) -> Vec<f32> {
    let touching = |frame: usize| contacts[frame].foot(side);
    (0..heights.len())
        .map(|frame| {
            if touching(frame) {
                return -heights[frame];
            }
            let from = frame.saturating_sub(FADE_FRAMES);
            let to = (frame + FADE_FRAMES).min(heights.len() - 1);
            let near = (from..=to)
                .filter(|other| touching(*other))
                .min_by_key(|other| other.abs_diff(frame));
            let faded = near.map_or(0.0, |near| {
                let share = 1.0 - near.abs_diff(frame) as f32 / (FADE_FRAMES + 1) as f32;
                -heights[near] * limber_animation::smooth::smoothstep(share)
            });
            faded.max(-heights[frame])
        })
        .collect()
}

/// Returns the largest remaining gap under a sole in contact, per frame, in metres.
fn floating(clip: &Clip, soles: &Soles, contacts: &[Contacts], levels: &[Vec<f32>; 2]) -> Vec<f32> {
    clip.frames()
        .iter()
        .zip(contacts)
        .enumerate()
        .map(|(frame, (pose, contact))| {
            Side::BOTH
                .into_iter()
                .zip(levels)
                .filter(|(side, _)| contact.foot(*side))
                .map(|(side, level)| soles.lowest(clip.skeleton(), pose, side) - level[frame])
                .fold(0.0, f32::max)
        })
        .collect()
}

/// Returns the maximum within [`FADE_FRAMES`] of each frame.
fn widest(values: &[f32]) -> Vec<f32> {
    around(values, |window| window.iter().copied().fold(0.0, f32::max))
}

/// Returns the mean within [`FADE_FRAMES`] of each frame. The window is centred, so nothing is
/// delayed.
fn smooth(values: &[f32]) -> Vec<f32> {
    around(values, |window| window.iter().sum::<f32>() / window.len() as f32)
}

fn around(values: &[f32], of: impl Fn(&[f32]) -> f32) -> Vec<f32> {
    (0..values.len())
        .map(|frame| {
            let to = (frame + FADE_FRAMES + 1).min(values.len());
            of(&values[frame.saturating_sub(FADE_FRAMES)..to])
        })
        .collect()
}
