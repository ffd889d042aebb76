//! Writes VRM animations: clips that any VRM character can play.
//!
//! A VRM animation is a GLB without a mesh: one node per human bone, in T-pose without rotation, so
//! that the animation of a node is the rotation of its bone relative to the T-pose. The rotations
//! of joints that are not human bones are folded into the bones below them.
//!
//! Source: VRM Consortium, *VRMC_vrm_animation 1.0*, and *VRM T-pose* of *VRMC_vrm 1.0*.

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, JointIndex, Side, Skeleton, WorldPose};
use serde_json::{Map, Value, json};

use crate::{
    glb,
    keyed::{self, KeyedJoint, KeyedRig},
};

const EXTENSION: &str = "VRMC_vrm_animation";

/// Options for writing a VRM animation.
#[derive(Debug, Clone, Default)]
pub struct VrmaOptions {
    /// Name of the animation.
    pub name: String,
    /// The character's T-pose; `None` if it is the rest pose.
    pub t_pose: Option<WorldPose>,
    /// Whether the clip's last frame is a closing frame, as in [`glb::GlbOptions::closed`].
    pub closed: bool,
}

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VrmaError {
    /// A bone that VRM requires is not mapped.
    #[error("a VRM animation needs the bone {0}; map it or choose another format")]
    MissingBone(&'static str),
    /// The T-pose was made for another skeleton.
    #[error("the T-pose belongs to another skeleton")]
    OtherSkeleton,
}

/// Writes the motion of the human bones: translation of the hips and rotations, with linear keys at
/// i / fps.
///
/// # Errors
/// See [`VrmaError`].
pub fn write(clip: &Clip, options: &VrmaOptions) -> Result<Vec<u8>, VrmaError> {
    let skeleton = clip.skeleton();
    let t_pose = options.t_pose.clone().unwrap_or_else(|| skeleton.rest_world());
    if t_pose.positions.len() != skeleton.len() {
        return Err(VrmaError::OtherSkeleton);
    }
    if let Some(bone) = HumanBone::indispensable().find(|b| skeleton.find(*b).is_none()) {
        return Err(VrmaError::MissingBone(bone.name()));
    }
    let bones = bones(skeleton);
    let rig = rig(clip, &bones, &t_pose);
    let human_bones: Map<String, Value> = bones
        .iter()
        .enumerate()
        .map(|(node, (bone, _, _))| (bone.name().to_owned(), json!({ "node": node })))
        .collect();
    let extension = json!({ "specVersion": "1.0", "humanoid": { "humanBones": human_bones } });
    let said = (options.name.as_str(), options.closed);
    Ok(glb::write_movement(&rig, clip.fps(), said, (EXTENSION, extension)))
}

/// A bone, its joint, and the index of its parent bone in the same list.
type Bone = (HumanBone, JointIndex, Option<usize>);

/// Returns all bones that may be animated, parents first. Eyes are excluded: VRM animates the gaze
/// separately.
fn bones(skeleton: &Skeleton) -> Vec<Bone> {
    let mut bones: Vec<Bone> = Vec::new();
    for joint in skeleton.indices() {
        let eyes = [HumanBone::LeftEye, HumanBone::RightEye];
        let bone = skeleton.joint(joint).bone.filter(|bone| !eyes.contains(bone));
        let Some(bone) = bone else { continue };
        let mut above = skeleton.joint(joint).parent;
        let parent = loop {
            let Some(next) = above else { break None };
            if let Some(place) = bones.iter().position(|(_, other, _)| *other == next) {
                break Some(place);
            }
            above = skeleton.joint(next).parent;
        };
        bones.push((bone, joint, parent));
    }
    bones.extend(still_hands(skeleton, &bones));
    bones
}

/// Returns the hands that VRM requires but the skeleton lacks. An arm that ends with its forearm
/// gets a hand on the same joint.
fn still_hands(skeleton: &Skeleton, bones: &[Bone]) -> Vec<Bone> {
    let missing = Side::BOTH.into_iter().filter_map(|side| {
        let [_, _, lower, hand] = HumanBone::arm(side);
        let place = bones.iter().position(|(bone, _, _)| *bone == lower)?;
        skeleton.find(hand).is_none().then(|| (hand, bones[place].1, Some(place)))
    });
    missing.collect()
}

/// Returns the offset of a bone from its parent in T-pose. A substitute hand is as far from the
/// elbow as the elbow is from the shoulder.
fn offset(bones: &[Bone], (_, joint, parent): Bone, t_pose: &WorldPose) -> Vec3 {
    let place = |joint: JointIndex| t_pose.position(joint);
    let from = |above: Option<usize>| above.map_or(Vec3::ZERO, |above| place(bones[above].1));
    match parent {
        Some(elbow) if bones[elbow].1 == joint => place(joint) - from(bones[elbow].2),
        _ => place(joint) - from(parent),
    }
}

fn rig(clip: &Clip, bones: &[Bone], t_pose: &WorldPose) -> KeyedRig {
    let mut joints: Vec<KeyedJoint> = bones
        .iter()
        .map(|(bone, joint, parent)| KeyedJoint {
            name: bone.name().to_owned(),
            parent: *parent,
            rest_translation: offset(bones, (*bone, *joint, *parent), t_pose),
            rest_rotation: Quat::IDENTITY,
            bone: None,
            twist: None,
            translations: Vec::new(),
            rotations: Vec::with_capacity(clip.len()),
        })
        .collect();
    let hips = bones.iter().position(|(bone, _, _)| *bone == HumanBone::Hips).unwrap_or(0);
    for frame in 0..clip.len() {
        let world = keyed::world(clip, frame);
        let turned = |joint: JointIndex| {
            (world.rotation(joint) * t_pose.rotation(joint).inverse()).normalize()
        };
        for (keyed, (_, joint, parent)) in joints.iter_mut().zip(bones) {
            let above = parent.map_or(Quat::IDENTITY, |parent| turned(bones[parent].1));
            keyed.rotations.push((above.inverse() * turned(*joint)).normalize());
        }
        joints[hips].translations.push(world.position(bones[hips].1));
    }
    for joint in &mut joints {
        keyed::make_continuous(&mut joint.rotations);
    }
    KeyedRig { joints, shift: 0, hips }
}
