//! A residual on a clip: limits, what must stay, and legs that keep their feet where they were. Must stay
//! the same as `training/limber_prior/features.py`, but for the inverse kinematics, which are Limber's.

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, HumanBone, JointIndex, Pose, Side, Skeleton, WorldPose, ik, smooth::smoothstep,
};

use crate::{Constraints, NaturaliseError, features};

/// How far the hips sway, metres.
const LIMIT_M: f32 = 0.02;
/// How many joints are turned: hips, trunk, head and arms. Legs follow the feet.
pub(crate) const TURNED: usize = 14;
/// How far a joint turns, degrees: hips to head, then left and right from shoulder to hand.
const LIMIT_DEG: [f32; TURNED] =
    [5.0, 6.0, 6.0, 6.0, 6.0, 8.0, 8.0, 14.0, 14.0, 14.0, 8.0, 14.0, 14.0, 14.0];
/// A hand nearer than this to the body touches it or means to; beyond the other it is free. Metres.
const TOUCHING_M: f32 = 0.32;
const FREE_M: f32 = 0.50;
/// Between two touches so many frames apart at most, twice, a hand is not free either.
const BETWEEN_FRAMES: usize = 8;
/// Above the head's joint, where the head is, metres.
const HEAD_M: f32 = 0.08;
/// So far below the hips a hand merely hangs, metres.
const HANGING_M: f32 = 0.02;
/// The chest's upright share (cosine of its lean) below which nothing changes, and how soon it does.
const LYING: f32 = 0.55;
const RISING: f32 = 0.25;
/// Deviation of the smoothing of both, frames.
const CALM_FRAMES: f32 = 3.0;
/// Changes fade over so many frames beside kept ones.
const FADE_FRAMES: usize = 12;
/// Straighter than this share of its length no leg is made, nor lowered by more than this, metres.
const STRAIGHT: f32 = 0.995;
const MOST_LOWERING_M: f32 = 0.05;
const LOWERING_FRAMES: usize = 3;
/// So many frames are worked on before somebody may stop it.
const BREATH: usize = 64;

pub(crate) fn apply(
    clip: &Clip,
    residual: &[Vec<f32>],
    strength: f32,
    constraints: &Constraints<'_>,
) -> Result<Clip, NaturaliseError> {
    let worlds: Vec<WorldPose> =
        clip.frames().iter().map(|pose| clip.skeleton().world(pose)).collect();
    let shares = shares(clip, &worlds, constraints.keep);
    let free = Side::BOTH.map(|side| freedom(clip.skeleton(), &worlds, side));
    let headings = features::headings(clip);
    let mut moved = clip.clone();
    for (frame, pose) in moved.frames_mut().iter_mut().enumerate() {
        if frame % BREATH == 0 {
            constraints.go_on()?;
        }
        if shares[frame] > 0.0 {
            let arms = [free[0][frame], free[1][frame]];
            turn(pose, &residual[frame], strength * shares[frame], headings[frame], arms);
        }
    }
    constraints.go_on()?;
    keep_feet(&mut moved, &worlds, &shares);
    Ok(moved)
}

/// How much of the residual every frame may take, 0 to 1.
fn shares(clip: &Clip, worlds: &[WorldPose], keep: &[bool]) -> Vec<f32> {
    let Some(chest) = clip.skeleton().find(HumanBone::UpperChest) else {
        return vec![0.0; clip.len()];
    };
    let upright: Vec<f32> = worlds
        .iter()
        .map(|world| (((world.rotation(chest) * Vec3::Y).y - LYING) / RISING).clamp(0.0, 1.0))
        .collect();
    let upright = calm(&upright);
    let mut away = vec![FADE_FRAMES; clip.len()];
    for frame in (0..clip.len()).filter(|frame| keep.get(*frame).copied().unwrap_or(false)) {
        let near = frame.saturating_sub(FADE_FRAMES)..(frame + FADE_FRAMES).min(clip.len());
        for other in near {
            away[other] = away[other].min(other.abs_diff(frame));
        }
    }
    upright
        .iter()
        .zip(away)
        .map(|(upright, away)| upright * smoothstep(away as f32 / FADE_FRAMES as f32))
        .collect()
}

/// How far one arm may change, 0 to 1: not where its hand is at the body.
fn freedom(skeleton: &Skeleton, worlds: &[WorldPose], side: Side) -> Vec<f32> {
    use HumanBone as B;
    let [.., own] = B::arm(side);
    let [_, _, other_elbow, other_hand] = B::arm(side.opposite());
    let [_, knee, ..] = B::leg(side);
    let spots =
        [B::Hips, B::Spine, B::Chest, B::UpperChest, B::Head, other_hand, other_elbow, knee];
    let spots = spots.map(|bone| (bone, skeleton.find(bone)));
    let (Some(own), hips) = (skeleton.find(own), skeleton.hips()) else {
        return vec![0.0; worlds.len()];
    };
    let free: Vec<f32> = worlds
        .iter()
        .map(|world| {
            let hand = world.position(own);
            if hand.y < world.position(hips).y - HANGING_M {
                return 1.0;
            }
            let nearest = spots
                .iter()
                .filter_map(|(bone, joint)| {
                    let above = if *bone == B::Head { HEAD_M } else { 0.0 };
                    Some(hand.distance(world.position((*joint)?) + above * Vec3::Y))
                })
                .fold(f32::INFINITY, f32::min);
            ((nearest - TOUCHING_M) / (FREE_M - TOUCHING_M)).clamp(0.0, 1.0)
        })
        .collect();
    let near = |frame: usize| {
        let to = (frame + BETWEEN_FRAMES + 1).min(free.len());
        free[frame.saturating_sub(BETWEEN_FRAMES)..to].iter().copied().fold(1.0, f32::min)
    };
    calm(&(0..free.len()).map(near).collect::<Vec<_>>())
}

fn calm(values: &[f32]) -> Vec<f32> {
    let rows: Vec<Vec<f32>> = values.iter().map(|value| vec![*value]).collect();
    features::smooth(&rows, CALM_FRAMES).into_iter().map(|row| row[0]).collect()
}

/// Sways the hips and turns everything above them.
fn turn(pose: &mut Pose, said: &[f32], amount: f32, heading: f32, free: [f32; 2]) {
    let sway = Vec3::from_slice(said).to_array().map(|way| LIMIT_M * (way / LIMIT_M).tanh());
    pose.hips_translation += Quat::from_rotation_y(heading) * (amount * Vec3::from_array(sway));
    for (joint, limit_deg) in LIMIT_DEG.into_iter().enumerate() {
        let free = match joint {
            6..=9 => free[0],
            10..=13 => free[1],
            _ => 1.0,
        };
        let vector = Vec3::from_slice(&said[3 + 3 * joint..]);
        let (size, limit) = (vector.length(), limit_deg.to_radians());
        if size > 1e-6 {
            let turn = amount * free * vector * (limit * (size / limit).tanh() / size);
            let turned = pose.rotations[joint] * Quat::from_scaled_axis(turn);
            pose.rotations[joint] = turned.normalize();
        }
    }
}

/// Brings both feet back to where they were; the hips come down where a leg is too short for that.
fn keep_feet(clip: &mut Clip, worlds: &[WorldPose], shares: &[f32]) {
    let skeleton = std::sync::Arc::clone(clip.skeleton());
    let legs: Vec<[JointIndex; 3]> = Side::BOTH
        .into_iter()
        .filter_map(|side| {
            let [hip, knee, foot, _] = HumanBone::leg(side).map(|bone| skeleton.find(bone));
            Some([hip?, knee?, foot?])
        })
        .collect();
    let needed: Vec<f32> = clip
        .frames()
        .iter()
        .zip(worlds)
        .map(|(pose, world)| {
            let too_high = |leg| too_high(&skeleton, pose, world, leg);
            legs.iter().map(too_high).fold(0.0, f32::max)
        })
        .collect();
    let lowering = cover(&needed, LOWERING_FRAMES);
    for (frame, pose) in clip.frames_mut().iter_mut().enumerate() {
        if shares[frame] <= 0.0 {
            continue;
        }
        // the cover reaches further than what needs it; beside kept frames it must not
        pose.hips_translation.y -= lowering[frame] * (4.0 * shares[frame]).min(1.0);
        for leg in &legs {
            let (ankle, turn) = (worlds[frame].position(leg[2]), worlds[frame].rotation(leg[2]));
            ik::reach_from_present(&skeleton, pose, *leg, ankle, Some(turn));
        }
    }
}

/// How far a hip must come down for its leg to reach where its foot was.
fn too_high(skeleton: &Skeleton, pose: &Pose, before: &WorldPose, leg: &[JointIndex; 3]) -> f32 {
    let [hip, knee, foot] = leg.map(|joint| before.position(joint));
    let straight = STRAIGHT * (hip.distance(knee) + knee.distance(foot));
    let longest = straight.max(hip.distance(foot));
    let away = ik::standing(skeleton, pose, leg[0]).0 - foot;
    let height = (longest * longest - away.x * away.x - away.z * away.z).max(0.0).sqrt();
    (away.y - height).clamp(0.0, MOST_LOWERING_M)
}

/// A smooth curve that is nowhere below the values: the greatest around, then a bell over as many.
fn cover(values: &[f32], half: usize) -> Vec<f32> {
    let last = values.len() as isize - 1;
    let at = |place: isize| values[place.clamp(0, last) as usize];
    let reach = half as isize;
    let greatest = |place: isize| (place - reach..=place + reach).map(at).fold(0.0_f32, f32::max);
    let bell: Vec<f32> = (1..=2 * half + 1)
        .map(|step| {
            let place = step as f32 / (2 * half + 2) as f32;
            0.5 - 0.5 * (std::f32::consts::TAU * place).cos()
        })
        .collect();
    let total: f32 = bell.iter().sum();
    (0..values.len() as isize)
        .map(|place| {
            let around = (place - reach..=place + reach).map(greatest);
            around.zip(&bell).map(|(value, weight)| value * weight / total).sum()
        })
        .collect()
}
