//! Puts the soles of the mesh on the floor.

use glam::Vec3;
use limber_animation::{
    Clip, Contacts, HumanBone, JointIndex, LEAST_STEP_M, Pose, Side, Skeleton, footholds,
    ik::{reach, standing},
};

use crate::Soles;

/// How exactly a sole in contact shall stand on the floor, metres.
const EXACT_M: f32 = 0.0005;
/// Frames around a contact within which its correction fades out.
pub(crate) const FADE_FRAMES: usize = 5;

/// The same clip with every sole that is in contact at y = 0, or on its step of stairs, and none
/// below: first the whole body is moved to where it fits best, then each leg bends or stretches the
/// rest of the way, and where a leg is too short the hips come down. Feet keep their turn, and their
/// place over the ground.
///
/// Clips without contacts come back unchanged. `soles` are the character's.
///
/// # Panics
/// When the clip was made for another skeleton than the character's.
#[must_use]
pub fn ground(clip: &Clip, soles: &Soles) -> Clip {
    let Some(contacts) = clip.contacts().filter(|track| track.iter().any(|c| c.bits() != 0)) else {
        return clip.clone();
    };
    let contacts = contacts.clone();
    let mut grounded = clip.clone();
    // what moves the hips moves both soles, so their heights are looked up once
    let mut heights = Side::BOTH.map(|side| heights(clip, soles, side));
    let levels = footholds([&heights[0], &heights[1]], &contacts, least_step_m(clip.skeleton()));
    for (height, level) in heights.iter_mut().zip(&levels).flat_map(|(a, b)| a.iter_mut().zip(b)) {
        *height -= level;
    }
    let fit = best_fit(&heights, &contacts);
    raise(&mut grounded, &mut heights, &vec![fit; clip.len()]);
    // a leg that is too short for its step pulls the hips down; then all legs are set again
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

/// The least a step of stairs is high for legs this long.
fn least_step_m(skeleton: &Skeleton) -> f32 {
    const ADULT_LEG_M: f32 = 0.835;
    let rest = skeleton.rest_world();
    let [upper, lower, foot, _] = HumanBone::leg(Side::Left).map(|bone| skeleton.find(bone));
    let (Some(upper), Some(lower), Some(foot)) = (upper, lower, foot) else { return f32::MAX };
    let [hip, knee, ankle] = [upper, lower, foot].map(|joint| rest.position(joint));
    LEAST_STEP_M * (hip.distance(knee) + knee.distance(ankle)) / ADULT_LEG_M
}

/// How high the lowest point of one sole is in each frame.
fn heights(clip: &Clip, soles: &Soles, side: Side) -> Vec<f32> {
    clip.frames().iter().map(|pose| soles.lowest(clip.skeleton(), pose, side)).collect()
}

/// Moves the whole body up in each frame, and with it the soles.
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

/// Minus the median height of all soles in contact.
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

/// Moves each foot up or down so that its sole, which is at `heights`, is where it belongs.
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

/// How far a foot must rise in each frame: onto the floor in contact, fading out beside it, and
/// never less than out of the floor.
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

/// How far the soles in contact still hang over the floor.
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

/// The largest value within the fade of each frame.
fn widest(values: &[f32]) -> Vec<f32> {
    around(values, |window| window.iter().copied().fold(0.0, f32::max))
}

/// The mean within the fade of each frame: forwards and backwards alike, so nothing is delayed.
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
