//! Determines the facing of the body, and whether its names have left and right swapped.

use glam::Vec3;
use limber_animation::{Finger, HumanBone, Phalanx, Side};

use super::Rig;
use super::assign::Draft;

/// Geometric evidence for left and forward. All vectors are horizontal.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sides {
    /// From right to left arms according to their names.
    arms: Vec3,
    /// From right to left legs according to their names.
    legs: Vec3,
    /// Direction of toes, eyes and knees; the length is the strength of the evidence.
    ahead: Vec3,
}

/// Length from which the evidence for forward outweighs names: that of two feet with toes.
const SURE: f32 = 2.0;

impl Sides {
    /// Returns the forward direction as a unit vector; +Z if there is no evidence.
    pub(super) fn facing(&self) -> Vec3 {
        let left =
            (self.arms.normalize_or_zero() + self.legs.normalize_or_zero()).normalize_or_zero();
        let by_sides = left.cross(Vec3::Y);
        [by_sides, self.ahead].into_iter().find_map(Vec3::try_normalize).unwrap_or(Vec3::Z)
    }

    /// Whether the vector from right to left of a group of bones contradicts the evidence for
    /// forward.
    fn is_exchanged(&self, group: Vec3) -> bool {
        let forward = group.normalize_or_zero().cross(Vec3::Y);
        let along = forward.dot(self.ahead);
        along < -0.5 * self.ahead.length() && along < -SURE * 0.8
    }
}

/// Determines left and forward from the bones found so far.
pub(super) fn look(rig: &Rig<'_>, draft: &Draft) -> Sides {
    let at = |bone: HumanBone| draft.get(bone).map(|joint| rig.tree.at(joint));
    let across = |bones: [HumanBone; 4]| -> Vec3 {
        let pairs = bones.into_iter().filter_map(|bone| Some((at(bone)?, at(bone.mirrored())?)));
        pairs.map(|(left, right)| flat(left - right)).sum()
    };
    let ahead = Side::BOTH.into_iter().map(|side| ahead(rig, draft, side)).sum();
    Sides {
        arms: across(HumanBone::arm(Side::Left)),
        legs: across(HumanBone::leg(Side::Left)),
        ahead,
    }
}

/// Returns the evidence for forward from one half of the body.
fn ahead(rig: &Rig<'_>, draft: &Draft, side: Side) -> Vec3 {
    let at = |bone: HumanBone| draft.get(bone).map(|joint| rig.tree.at(joint));
    let [upper, knee, foot, toes] = HumanBone::leg(side).map(at);
    let mut sum = Vec3::ZERO;
    if let (Some(foot), Some(toes)) = (foot, toes) {
        sum += flat(toes - foot).normalize_or_zero();
    } else if let Some(foot) = draft.get(HumanBone::leg(side)[2]) {
        // the end node of a foot, as exporters add it; weak evidence, because it may belong to a
        // control
        let ends =
            rig.tree.children(foot).iter().map(|end| flat(rig.tree.at(*end) - rig.tree.at(foot)));
        let longest = ends.max_by(|one, other| one.length().total_cmp(&other.length()));
        sum += 0.6 * longest.unwrap_or(Vec3::ZERO).normalize_or_zero();
    }
    if let (Some(upper), Some(knee), Some(foot)) = (upper, knee, foot) {
        let along = (foot - upper).normalize_or_zero();
        let bend = (knee - upper).reject_from(along.try_normalize().unwrap_or(Vec3::Y));
        if bend.length() > 0.02 * upper.distance(foot) {
            sum += 0.4 * flat(bend).normalize_or_zero();
        }
    }
    let eye = if side == Side::Left { HumanBone::LeftEye } else { HumanBone::RightEye };
    if let (Some(head), Some(eye), Some(other)) = (at(HumanBone::Head), at(eye), at(eye.mirrored()))
    {
        sum += 0.4 * flat(0.5 * (eye + other) - head).normalize_or_zero();
    }
    sum
}

/// Swaps left and right if the names contradict the feet or, if the feet give no evidence, if the
/// legs contradict the arms. Returns whether it did.
pub(super) fn straighten(rig: &Rig<'_>, draft: &mut Draft, sides: &Sides) -> bool {
    let is_told = sides.ahead.length() > SURE * 0.8;
    let arms = sides.arms != Vec3::ZERO && is_told && sides.is_exchanged(sides.arms);
    let legs = if is_told {
        sides.legs != Vec3::ZERO && sides.is_exchanged(sides.legs)
    } else {
        sides.arms.normalize_or_zero().dot(sides.legs.normalize_or_zero()) < -0.5
    };
    if arms {
        let arms = HumanBone::ALL.into_iter().filter(|bone| is_of_arm(*bone));
        draft.swap_sides(&arms.collect::<Vec<_>>());
    }
    if legs {
        draft.swap_sides(&HumanBone::leg(Side::Left));
    }
    if arms || legs {
        let eyes = rig_is_crossed(rig, draft);
        if eyes {
            draft.swap_sides(&[HumanBone::LeftEye]);
        }
    }
    arms || legs
}

/// Whether the eyes are on opposite sides to the arms.
fn rig_is_crossed(rig: &Rig<'_>, draft: &Draft) -> bool {
    let across = |bone: HumanBone| {
        let (left, right) = (draft.get(bone)?, draft.get(bone.mirrored())?);
        Some(flat(rig.tree.at(left) - rig.tree.at(right)))
    };
    let arms = across(HumanBone::LeftUpperArm);
    across(HumanBone::LeftEye).zip(arms).is_some_and(|(eyes, arms)| eyes.dot(arms) < 0.0)
}

fn is_of_arm(bone: HumanBone) -> bool {
    HumanBone::arm(Side::Left).contains(&bone)
        || Finger::ALL.iter().any(|finger| {
            Phalanx::ALL.iter().any(|at| HumanBone::finger(Side::Left, *finger, *at) == bone)
        })
}

/// Returns the vector with zero height.
pub(super) fn flat(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, 0.0, vector.z)
}
