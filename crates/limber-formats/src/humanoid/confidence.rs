//! Computes the confidence of a mapping, and whether the rig stands like a human.

use glam::Vec3;
use limber_animation::{HumanBone, Side};

use super::assign::Draft;
use super::sides::flat;
use super::{By, Rig};

/// Returns the confidence from 0 to 1: half depends on required bones identified by name, the rest
/// on optional bones, symmetry and proportions.
pub(super) fn of(rig: &Rig<'_>, draft: &Draft) -> f32 {
    let declared =
        HumanBone::REQUIRED.iter().all(|bone| matches!(draft.by(*bone), Some(By::Vrm | By::User)));
    if declared {
        return 1.0;
    }
    let required = draft.required_by_name() as f32 / HumanBone::REQUIRED.len() as f32;
    let sure = 0.5 * required
        + 0.2 * optional(draft)
        + 0.2 * symmetry(rig, draft)
        + 0.1 * proportions(rig, draft);
    sure.clamp(0.0, 1.0)
}

/// Returns the fraction of the optional bones that were found by name. Fingers, eyes and a third
/// spine level are not counted, because many good rigs lack them.
fn optional(draft: &Draft) -> f32 {
    use HumanBone as B;
    let bones = [B::Chest, B::Neck, B::LeftShoulder, B::RightShoulder, B::LeftToes, B::RightToes];
    let found =
        bones.into_iter().filter(|bone| draft.by(*bone).is_some_and(|by| by != By::Structure));
    found.count() as f32 / bones.len() as f32
}

/// Returns how well the left half mirrors the right one, from 0 to 1.
fn symmetry(rig: &Rig<'_>, draft: &Draft) -> f32 {
    let at = |bone: HumanBone| draft.get(bone).map(|joint| rig.tree.at(joint));
    let limbs = [HumanBone::arm(Side::Left), HumanBone::leg(Side::Left)].concat();
    let pairs: Vec<(Vec3, Vec3)> =
        limbs.into_iter().filter_map(|bone| Some((at(bone)?, at(bone.mirrored())?))).collect();
    let Some(across) = pairs.iter().map(|(l, r)| flat(*l - *r)).sum::<Vec3>().try_normalize()
    else {
        return 0.0;
    };
    let centre = pairs.iter().map(|(l, r)| 0.5 * (*l + *r)).sum::<Vec3>() / pairs.len() as f32;
    let height = height(rig).max(1e-6);
    let off = pairs.iter().map(|(left, right)| {
        let mirrored = *right - 2.0 * (*right - centre).dot(across) * across;
        left.distance(mirrored) / height
    });
    let off = off.sum::<f32>() / pairs.len() as f32;
    (1.0 - off / 0.1).clamp(0.0, 1.0)
}

/// Returns the fraction of five measurements that are in the human range.
fn proportions(rig: &Rig<'_>, draft: &Draft) -> f32 {
    let length = |from: HumanBone, to: HumanBone| {
        Some(rig.tree.at(draft.get(from)?).distance(rig.tree.at(draft.get(to)?)))
    };
    let mut fit = 0;
    for side in Side::BOTH {
        let [_, upper_arm, elbow, hand] = HumanBone::arm(side);
        let [upper_leg, knee, foot, _] = HumanBone::leg(side);
        for (upper, middle, end) in [(upper_arm, elbow, hand), (upper_leg, knee, foot)] {
            let ratio = length(upper, middle).zip(length(middle, end)).map(|(u, l)| u / l);
            fit += usize::from(ratio.is_some_and(|ratio| (0.6..=1.6).contains(&ratio)));
        }
    }
    let legs = draft
        .get(HumanBone::LeftUpperLeg)
        .map(|hip| (rig.tree.at(hip).y - floor(rig)) / height(rig).max(1e-6));
    fit += usize::from(legs.is_some_and(|share| (0.4..=0.6).contains(&share)));
    fit as f32 / 5.0
}

fn heights<'r>(rig: &'r Rig<'_>) -> impl Iterator<Item = f32> + 'r {
    let body = rig.tree.all().filter(|joint| rig.tree.moves(*joint) && !rig.is_extra(*joint));
    body.map(|joint| rig.tree.at(joint).y)
}

pub(super) fn floor(rig: &Rig<'_>) -> f32 {
    heights(rig).fold(f32::MAX, f32::min)
}

pub(super) fn height(rig: &Rig<'_>) -> f32 {
    (heights(rig).fold(f32::MIN, f32::max) - floor(rig)).max(0.0)
}

/// Whether the hands are on the floor next to the feet, below a level back.
pub(super) fn is_four_legged(rig: &Rig<'_>, draft: &Draft) -> bool {
    let at = |bone: HumanBone| draft.get(bone).map(|joint| rig.tree.at(joint));
    let (Some(hips), Some(head)) = (at(HumanBone::Hips), at(HumanBone::Head)) else {
        return false;
    };
    let (floor, height) = (floor(rig), height(rig));
    let arms_are_down = Side::BOTH.into_iter().all(|side| {
        let [_, upper, _, hand] = HumanBone::arm(side);
        at(upper).zip(at(hand)).is_some_and(|(upper, hand)| {
            hand.y - floor < 0.25 * height && hand.y - floor < 0.4 * (upper.y - floor)
        })
    });
    let back = head - hips;
    arms_are_down && back.y < flat(back).length()
}
