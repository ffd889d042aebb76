//! S5: removes joints between the hips and the joint `root`, as in Unreal's mannequin.
//!
//! Files of other programs have an `Armature`, a scene node or controls above the hips. Engines
//! that expect the travel in a single joint `root` above the pelvis take these for part of the body
//! or do not recognise the skeleton.

use std::{collections::HashSet, sync::Arc};

use glam::Mat4;
use limber_animation::{
    Character, Clip, Joint, JointIndex, Mesh, Pose, Skeleton, SkeletonError, Skin,
};

/// A skeleton without the joints above its hips, and the mapping from the original one.
pub(crate) struct SingleRootSkeleton {
    skeleton: Arc<Skeleton>,
    /// For each remaining joint, its index in the original skeleton.
    original: Vec<JointIndex>,
    /// For each remaining joint, whether it was above the hips or a child of a joint above the
    /// hips.
    reparented: Vec<bool>,
}

impl SingleRootSkeleton {
    /// Removes the joints above a character's hips. Joints above the hips that influence vertices
    /// are kept and become siblings of the hips, like all other children of removed joints.
    pub(crate) fn of(character: &Character) -> Result<Self, SkeletonError> {
        let skeleton = &character.skeleton;
        let above = above_hips(skeleton);
        let moving = moving(character);
        let goes = |joint: JointIndex| above.contains(&joint) && !moving.contains(&joint);
        let original: Vec<JointIndex> = skeleton.indices().filter(|joint| !goes(*joint)).collect();
        let is_reparented = |joint: JointIndex| {
            let parent = skeleton.joint(joint).parent;
            above.contains(&joint) || parent.is_some_and(|parent| above.contains(&parent))
        };
        let reparented: Vec<bool> = original.iter().map(|joint| is_reparented(*joint)).collect();
        let rest = skeleton.rest_world();
        let mut joints: Vec<Joint> = Vec::with_capacity(original.len());
        for (joint, reparented) in original.iter().zip(&reparented) {
            let mut left = skeleton.joint(*joint).clone();
            if *reparented {
                left.parent = None;
                left.rest_translation = rest.position(*joint);
                left.rest_rotation = rest.rotation(*joint);
            }
            left.parent = left.parent.and_then(|parent| place(&original, parent));
            joints.push(left);
        }
        free_root_name(&mut joints);
        Ok(Self { skeleton: Arc::new(Skeleton::new(joints)?), original, reparented })
    }

    /// Returns the poses of a clip on the remaining joints.
    pub(crate) fn poses(&self, clip: &Clip) -> Vec<Pose> {
        clip.frames().iter().map(|pose| self.pose(clip.skeleton(), pose)).collect()
    }

    fn pose(&self, skeleton: &Skeleton, pose: &Pose) -> Pose {
        let world = skeleton.world(pose);
        let turn = |(joint, reparented): (&JointIndex, &bool)| {
            if *reparented { world.rotation(*joint) } else { pose.rotation(*joint) }
        };
        Pose {
            hips_translation: world.position(skeleton.hips()),
            rotations: self.original.iter().zip(&self.reparented).map(turn).collect(),
            face: pose.face.clone(),
        }
    }

    /// Returns the character on the remaining joints.
    pub(crate) fn character(&self, character: &Character) -> Character {
        let mut reduced = character.clone();
        reduced.skeleton = Arc::clone(&self.skeleton);
        // it refers to joints that may be gone, and Unreal does not read it
        reduced.avatar.clear();
        for (place, skin) in reduced.skins.iter_mut().enumerate() {
            let meshes = reduced.meshes.iter_mut().filter(|mesh| mesh.skin == Some(place));
            self.bind(skin, meshes);
        }
        reduced
    }

    /// Removes missing joints, which influence no vertices of the meshes, from a skin.
    fn bind<'a>(&self, skin: &mut Skin, meshes: impl Iterator<Item = &'a mut Mesh>) {
        let mut kept = Skin { joints: Vec::new(), inverse_bind: Vec::new() };
        let mut places: Vec<Option<u16>> = Vec::with_capacity(skin.joints.len());
        for (joint, inverse_bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let left = place(&self.original, *joint);
            places.push(left.and_then(|_| u16::try_from(kept.joints.len()).ok()));
            if let Some(joint) = left {
                kept.joints.push(joint);
                kept.inverse_bind.push(*inverse_bind);
            }
        }
        if kept.joints.len() == skin.joints.len() {
            skin.joints = kept.joints;
            return;
        }
        for mesh in meshes {
            for joint in mesh.joints.iter_mut().chain(&mut mesh.more_joints).flatten() {
                *joint = places[usize::from(*joint)].unwrap_or(0);
            }
        }
        if kept.joints.is_empty() {
            // no mesh uses the skin, but a skin needs a joint
            kept.joints.push(self.skeleton.hips());
            kept.inverse_bind.push(Mat4::IDENTITY);
        }
        *skin = kept;
    }
}

fn place(original: &[JointIndex], joint: JointIndex) -> Option<JointIndex> {
    original.binary_search(&joint).ok().map(JointIndex::new)
}

fn above_hips(skeleton: &Skeleton) -> HashSet<JointIndex> {
    let parent = |joint: &JointIndex| skeleton.joint(*joint).parent;
    std::iter::successors(parent(&skeleton.hips()), parent).collect()
}

/// Returns the joints that influence vertices.
fn moving(character: &Character) -> HashSet<JointIndex> {
    let mut moving = HashSet::new();
    for mesh in &character.meshes {
        let Some(skin) = mesh.skin.map(|place| &character.skins[place]) else { continue };
        for vertex in 0..mesh.positions.len() {
            let mut influences = mesh.influences(vertex).peekable();
            // a vertex without weights follows its first joint
            let alone = influences.peek().is_none().then(|| (mesh.joints[vertex][0], 1.0));
            moving.extend(influences.chain(alone).map(|(at, _)| skin.joints[usize::from(at)]));
        }
    }
    moving
}

/// Renames joints called `root`, so that the joint above all others can have that name. Unreal
/// ignores case.
fn free_root_name(joints: &mut [Joint]) {
    let mut taken: HashSet<String> = joints.iter().map(|joint| joint.name.to_lowercase()).collect();
    for joint in joints.iter_mut().filter(|joint| joint.name.eq_ignore_ascii_case("root")) {
        let own = joint.name.clone();
        let mut number = 2;
        while !taken.insert(joint.name.to_lowercase()) {
            joint.name = format!("{own}_{number}");
            number += 1;
        }
    }
}
