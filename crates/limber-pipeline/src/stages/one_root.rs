//! S5: no joint between the hips and the joint `root`, as Unreal's mannequin has it.
//!
//! Files of other programs have an `Armature`, the file's own node or controls above the hips. Engines
//! that look for a body's travel in the one joint `root` above its pelvis take those for part of the
//! body, or do not know the skeleton again.

use std::{collections::HashSet, sync::Arc};

use glam::Mat4;
use limber_animation::{
    Character, Clip, Joint, JointIndex, Mesh, Pose, Skeleton, SkeletonError, Skin,
};

/// How joints of a skeleton are counted where those above the hips are gone.
pub(crate) struct Bare {
    skeleton: Arc<Skeleton>,
    /// For each joint that is left: which it was.
    was: Vec<JointIndex>,
    /// For each of those: whether it hung on one of the joints above the hips, or was one.
    hoisted: Vec<bool>,
}

impl Bare {
    /// The character's skeleton without the joints above its hips. Those of them that move vertices
    /// stay, beside the hips; so does whatever else hung on them.
    pub(crate) fn of(character: &Character) -> Result<Self, SkeletonError> {
        let skeleton = &character.skeleton;
        let above = above_hips(skeleton);
        let moving = moving(character);
        let goes = |joint: JointIndex| above.contains(&joint) && !moving.contains(&joint);
        let was: Vec<JointIndex> = skeleton.indices().filter(|joint| !goes(*joint)).collect();
        let hoists = |joint: JointIndex| {
            let parent = skeleton.joint(joint).parent;
            above.contains(&joint) || parent.is_some_and(|parent| above.contains(&parent))
        };
        let hoisted: Vec<bool> = was.iter().map(|joint| hoists(*joint)).collect();
        let rest = skeleton.rest_world();
        let mut joints: Vec<Joint> = Vec::with_capacity(was.len());
        for (joint, hoisted) in was.iter().zip(&hoisted) {
            let mut left = skeleton.joint(*joint).clone();
            if *hoisted {
                left.parent = None;
                left.rest_translation = rest.position(*joint);
                left.rest_rotation = rest.rotation(*joint);
            }
            left.parent = left.parent.and_then(|parent| place(&was, parent));
            joints.push(left);
        }
        make_way(&mut joints);
        Ok(Self { skeleton: Arc::new(Skeleton::new(joints)?), was, hoisted })
    }

    /// The same movement of the joints that are left.
    pub(crate) fn poses(&self, clip: &Clip) -> Vec<Pose> {
        clip.frames().iter().map(|pose| self.pose(clip.skeleton(), pose)).collect()
    }

    fn pose(&self, skeleton: &Skeleton, pose: &Pose) -> Pose {
        let world = skeleton.world(pose);
        let turn = |(joint, hoisted): (&JointIndex, &bool)| {
            if *hoisted { world.rotation(*joint) } else { pose.rotation(*joint) }
        };
        Pose {
            hips_translation: world.position(skeleton.hips()),
            rotations: self.was.iter().zip(&self.hoisted).map(turn).collect(),
            face: pose.face.clone(),
        }
    }

    /// The same body on the joints that are left.
    pub(crate) fn character(&self, character: &Character) -> Character {
        let mut bare = character.clone();
        bare.skeleton = Arc::clone(&self.skeleton);
        // it counts joints that are not all left, and Unreal does not read it
        bare.avatar.clear();
        for (place, skin) in bare.skins.iter_mut().enumerate() {
            let meshes = bare.meshes.iter_mut().filter(|mesh| mesh.skin == Some(place));
            self.bind(skin, meshes);
        }
        bare
    }

    /// Takes the joints that are gone out of a skin: they move no vertex of its meshes.
    fn bind<'a>(&self, skin: &mut Skin, meshes: impl Iterator<Item = &'a mut Mesh>) {
        let mut kept = Skin { joints: Vec::new(), inverse_bind: Vec::new() };
        let mut places: Vec<Option<u16>> = Vec::with_capacity(skin.joints.len());
        for (joint, inverse_bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let left = place(&self.was, *joint);
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
            // no mesh is bound to it, but a skin has a joint
            kept.joints.push(self.skeleton.hips());
            kept.inverse_bind.push(Mat4::IDENTITY);
        }
        *skin = kept;
    }
}

fn place(was: &[JointIndex], joint: JointIndex) -> Option<JointIndex> {
    was.binary_search(&joint).ok().map(JointIndex::new)
}

fn above_hips(skeleton: &Skeleton) -> HashSet<JointIndex> {
    let parent = |joint: &JointIndex| skeleton.joint(*joint).parent;
    std::iter::successors(parent(&skeleton.hips()), parent).collect()
}

/// The joints that move vertices.
fn moving(character: &Character) -> HashSet<JointIndex> {
    let mut moving = HashSet::new();
    for mesh in &character.meshes {
        let Some(skin) = mesh.skin.map(|place| &character.skins[place]) else { continue };
        for vertex in 0..mesh.positions.len() {
            let mut influences = mesh.influences(vertex).peekable();
            // what nothing holds follows its first joint
            let alone = influences.peek().is_none().then(|| (mesh.joints[vertex][0], 1.0));
            moving.extend(influences.chain(alone).map(|(at, _)| skin.joints[usize::from(at)]));
        }
    }
    moving
}

/// Leaves the name `root` to the joint that is written above all. Unreal takes no notice of capitals.
fn make_way(joints: &mut [Joint]) {
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
