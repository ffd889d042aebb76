//! Transfers joint rotations from one skeleton to another through world space.
//!
//! Source: VRM Consortium, *VRM 1.0: how to transfer poses between models*, 2022: a bone's
//! world-space rotation relative to the T-pose is the same on every body.

use std::sync::Arc;

use glam::{Quat, Vec3};
use limber_animation::{Clip, ClipError, HumanBone, JointIndex, Pose, Skeleton, WorldPose};

use crate::t_pose;

/// Why a clip cannot be retargeted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RetargetError {
    /// The skeleton lacks these required bones.
    #[error("the skeleton lacks {}; map these bones or use another character", .0.join(", "))]
    MissingBones(Vec<&'static str>),
    /// The legs of the skeleton have no length, so no hips scale can be computed.
    #[error("the legs of the skeleton have no length")]
    NoLegs,
    /// The resulting clip is invalid, for example because a value is not finite.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

const SPINE: [HumanBone; 3] = [HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest];

/// A skeleton with its T-pose, local and in world space.
struct Body<'a> {
    skeleton: &'a Skeleton,
    pose: Pose,
    world: WorldPose,
}

impl<'a> Body<'a> {
    fn new(skeleton: &'a Skeleton) -> Result<Self, RetargetError> {
        // hands may be missing: the arm then ends with the lower arm
        let missing: Vec<_> = HumanBone::indispensable()
            .filter(|bone| skeleton.find(*bone).is_none())
            .map(HumanBone::name)
            .collect();
        if !missing.is_empty() {
            return Err(RetargetError::MissingBones(missing));
        }
        let pose = t_pose(skeleton);
        let world = skeleton.world(&pose);
        Ok(Self { skeleton, pose, world })
    }

    fn at(&self, bone: HumanBone) -> Vec3 {
        let joint = self.skeleton.find(bone).expect("required bones were checked");
        self.world.position(joint)
    }

    /// Returns the height of the hips above the floor in the T-pose, in metres: the length of the
    /// legs plus the height of the ankle above the sole. The latter comes from the rest pose, whose
    /// floor is y = 0. If the skeleton rests in mid-step, the lower foot counts.
    fn hips_height(&self) -> f32 {
        let rest = self.skeleton.rest_world();
        let ankle = |foot| {
            let joint = self.skeleton.find(foot).expect("required bones were checked");
            rest.position(joint).y.max(0.0)
        };
        let ankles = ankle(HumanBone::LeftFoot).min(ankle(HumanBone::RightFoot));
        self.at(HumanBone::Hips).y - self.at(HumanBone::LeftFoot).y + ankles
    }

    fn leg_length(&self) -> f32 {
        let [upper, lower, foot, _] = HumanBone::leg(limber_animation::Side::Left);
        self.at(upper).distance(self.at(lower)) + self.at(lower).distance(self.at(foot))
    }
}

/// Returns the factor by which the travel of the hips is scaled from `source` to `target`: the
/// ratio of the hips heights, or the ratio of the leg lengths if the first exceeds the second by
/// more than 5 % (the legs would be too short for their steps) or falls short of it by more than 13
/// %.
///
/// # Errors
/// See [`RetargetError`].
pub fn hips_scale(source: &Skeleton, target: &Skeleton) -> Result<f32, RetargetError> {
    scale(&Body::new(source)?, &Body::new(target)?)
}

fn scale(source: &Body, target: &Body) -> Result<f32, RetargetError> {
    let hips = target.hips_height() / source.hips_height();
    let legs = target.leg_length() / source.leg_length();
    let usable = |ratio: f32| ratio.is_finite() && ratio > 1e-3;
    if !usable(hips) || !usable(legs) {
        return Err(RetargetError::NoLegs);
    }
    let is_like = (1.0 / 1.15..=1.05).contains(&(hips / legs));
    Ok(if is_like { hips } else { legs })
}

/// Retargets a clip to another skeleton.
///
/// Contacts are copied. The hips follow the same path, scaled by [`hips_scale`]. The rotation of a
/// bone that the target lacks goes into the bone above it; a bone that the source lacks stays at
/// rest. The bend of spine and neck is spread over all joints between hips and head, including
/// joints that are not mapped to a human bone.
///
/// # Errors
/// See [`RetargetError`].
pub fn retarget(clip: &Clip, target: &Arc<Skeleton>) -> Result<Clip, RetargetError> {
    let (source, body) = (Body::new(clip.skeleton())?, Body::new(target)?);
    let plan = Plan::new(&source, &body)?;
    let frames = clip.frames().iter().map(|pose| plan.carry(pose)).collect();
    let carried = Clip::new(Arc::clone(target), clip.fps(), frames)?;
    Ok(match clip.contacts() {
        Some(contacts) => carried.with_contacts(contacts.clone())?,
        None => carried,
    })
}

/// Where a target joint gets its rotation from.
enum Follow {
    /// The corresponding bone of the source.
    Bone(JointIndex),
    /// An interpolation between the rotations of two source bones, by the given weight from 0 to 1.
    Between(JointIndex, JointIndex, f32),
    /// Its rest rotation relative to its parent.
    Rest,
}

struct Plan<'a> {
    source: &'a Body<'a>,
    target: &'a Body<'a>,
    follow: Vec<Follow>,
    scale: f32,
}

impl<'a> Plan<'a> {
    fn new(source: &'a Body<'a>, target: &'a Body<'a>) -> Result<Self, RetargetError> {
        let scale = scale(source, target)?;
        let mut follow: Vec<Follow> = target
            .skeleton
            .joints()
            .iter()
            .map(|joint| {
                let bone = joint.bone.and_then(|bone| source.skeleton.find(bone));
                bone.map_or(Follow::Rest, Follow::Bone)
            })
            .collect();
        spread_column(source, target, &mut follow);
        Ok(Self { source, target, follow, scale })
    }

    fn carry(&self, pose: &Pose) -> Pose {
        let (source, target) = (self.source, self.target);
        let world = source.skeleton.world(pose);
        let turned =
            |joint: JointIndex| world.rotation(joint) * source.world.rotation(joint).inverse();
        let hips_position = world.position(source.skeleton.hips()) * self.scale;

        let mut carried = target.pose.clone();
        carried.face = pose.face.clone();
        let mut rotations: Vec<Quat> = Vec::with_capacity(target.skeleton.len());
        for joint in target.skeleton.indices() {
            let rest = target.world.rotation(joint);
            let parent = target.skeleton.joint(joint).parent;
            let above = parent.map_or(Quat::IDENTITY, |parent| rotations[parent.get()]);
            let rotation = match self.follow[joint.get()] {
                Follow::Bone(bone) => turned(bone) * rest,
                Follow::Between(from, to, share) => {
                    shortest(turned(from), turned(to), share) * rest
                }
                Follow::Rest => above * target.pose.rotation(joint),
            }
            .normalize();
            rotations.push(rotation);
            carried.set_rotation(joint, (above.inverse() * rotation).normalize());
            if joint == target.skeleton.hips() {
                let place = parent.map_or(Vec3::ZERO, |parent| target.world.position(parent));
                carried.hips_translation = above.inverse() * (hips_position - place);
            }
        }
        carried
    }
}

fn shortest(from: Quat, to: Quat, share: f32) -> Quat {
    from.slerp(if from.dot(to) < 0.0 { -to } else { to }, share)
}

/// Spreads the bend of spine and neck over all joints between the hips and the head.
fn spread_column(source: &Body, target: &Body, follow: &mut [Follow]) {
    let column = column(target.skeleton);
    let anchors = anchors(source, target, &column);
    for pair in anchors.windows(2) {
        let [(below, from), (above, to)] = [pair[0], pair[1]];
        // files can map the chest above the upper chest
        let Some(between @ [_, _, ..]) = column.get(below..=above) else { continue };
        let lengths: Vec<f32> = between
            .windows(2)
            .map(|two| {
                let [a, b] = [two[0], two[1]].map(|joint| target.world.position(joint));
                a.distance(b).max(1e-4)
            })
            .collect();
        let total: f32 = lengths.iter().sum();
        let mut sum = 0.0;
        for (joint, length) in between[1..].iter().zip(&lengths) {
            sum += length;
            if *joint != column[above] {
                follow[joint.get()] = Follow::Between(from, to, sum / total);
            }
        }
        follow[column[above].get()] = Follow::Bone(to);
    }
}

/// Returns the chain of joints from the hips to the head, both included; empty if the head is not a
/// descendant of the hips.
fn column(skeleton: &Skeleton) -> Vec<JointIndex> {
    let mut column = Vec::new();
    let mut at = skeleton.find(HumanBone::Head);
    while let Some(joint) = at {
        column.push(joint);
        if joint == skeleton.hips() {
            column.reverse();
            return column;
        }
        at = skeleton.joint(joint).parent;
    }
    Vec::new()
}

/// Returns the indices in the column whose rotation is copied exactly from a source bone, with that
/// bone: the hips; every spine bone, or only the topmost one of each skeleton if the source lacks
/// one of the target's; the neck if both have one; the head.
fn anchors(source: &Body, target: &Body, column: &[JointIndex]) -> Vec<(usize, JointIndex)> {
    let found = |body: &Body| -> Vec<HumanBone> {
        SPINE.into_iter().filter(|bone| body.skeleton.find(*bone).is_some()).collect()
    };
    let (source_spine, target_spine) = (found(source), found(target));
    let lacking = target_spine.iter().any(|bone| !source_spine.contains(bone));
    let top = |spine: &[HumanBone]| spine.last().copied().unwrap_or(HumanBone::Hips);
    let mut pairs = vec![(HumanBone::Hips, HumanBone::Hips)];
    if lacking {
        pairs.push((top(&source_spine), top(&target_spine)));
    } else {
        pairs.extend(target_spine.iter().map(|bone| (*bone, *bone)));
    }
    pairs.extend([(HumanBone::Neck, HumanBone::Neck), (HumanBone::Head, HumanBone::Head)]);
    let place = |(from, to): (HumanBone, HumanBone)| {
        let (from, to) = (source.skeleton.find(from)?, target.skeleton.find(to)?);
        Some((column.iter().position(|joint| *joint == to)?, from))
    };
    pairs.into_iter().filter_map(place).collect()
}
