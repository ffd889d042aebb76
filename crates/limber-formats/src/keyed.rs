//! A clip as tracks per joint, as writers need it, with the optional joint `root` above it.

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, Skeleton, Twist, WorldPose};

/// The motion of an extra joint `root` above all others, by which game engines move a body. World
/// space; one entry per frame of the clip.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RootTrack {
    /// Positions in metres.
    pub positions: Vec<Vec3>,
    /// Unit quaternions.
    pub rotations: Vec<Quat>,
}

impl RootTrack {
    /// Returns position and rotation of the root in a frame.
    pub(crate) fn frame(&self, index: usize) -> (Vec3, Quat) {
        (self.positions[index], self.rotations[index])
    }

    pub(crate) fn fits(&self, clip: &Clip) -> bool {
        self.positions.len() == clip.len() && self.rotations.len() == clip.len()
    }
}

/// A joint as written to the file.
pub(crate) struct KeyedJoint {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) rest_translation: Vec3,
    pub(crate) rest_rotation: Quat,
    pub(crate) bone: Option<HumanBone>,
    pub(crate) twist: Option<Twist>,
    /// Positions per frame in the parent's space; empty if the joint does not translate.
    pub(crate) translations: Vec<Vec3>,
    /// Rotations per frame in the parent's space; consecutive quaternions are in the same
    /// hemisphere.
    pub(crate) rotations: Vec<Quat>,
}

/// All joints of a file: the root first, if there is one, then the skeleton's joints in order.
pub(crate) struct KeyedRig {
    pub(crate) joints: Vec<KeyedJoint>,
    /// Index offset of the skeleton's joints: 1 with a root, otherwise 0.
    pub(crate) shift: usize,
    pub(crate) hips: usize,
}

impl KeyedRig {
    /// Returns the skeleton at rest, without animation.
    pub(crate) fn at_rest(skeleton: &Skeleton) -> Self {
        let joints = skeleton
            .joints()
            .iter()
            .map(|joint| KeyedJoint {
                name: joint.name.clone(),
                parent: joint.parent.map(limber_animation::JointIndex::get),
                rest_translation: joint.rest_translation,
                rest_rotation: joint.rest_rotation,
                bone: joint.bone,
                twist: joint.twist,
                translations: Vec::new(),
                rotations: Vec::new(),
            })
            .collect();
        Self { joints, shift: 0, hips: skeleton.hips().get() }
    }

    /// Returns the animation of a clip, with a root if `root` is given. World transforms stay those
    /// of the clip.
    pub(crate) fn of_clip(clip: &Clip, root: Option<&RootTrack>) -> Self {
        let skeleton = clip.skeleton();
        let mut rig = Self::at_rest(skeleton);
        for pose in clip.frames() {
            for (joint, rotation) in rig.joints.iter_mut().zip(&pose.rotations) {
                joint.rotations.push(rotation.normalize());
            }
        }
        let hips = rig.hips;
        rig.joints[hips].translations =
            clip.frames().iter().map(|pose| pose.hips_translation).collect();
        if let Some(root) = root {
            rig.hang_below(clip, root);
        }
        for joint in &mut rig.joints {
            make_continuous(&mut joint.rotations);
        }
        rig
    }

    fn hang_below(&mut self, clip: &Clip, root: &RootTrack) {
        let skeleton = clip.skeleton();
        let hips = skeleton.hips();
        let parent = skeleton.joint(hips).parent;
        for (index, pose) in clip.frames().iter().enumerate() {
            let world = skeleton.world(pose);
            let (root_position, root_rotation) = root.frame(index);
            // The joints between root and hips are now in the root's space. The hips' parent moves
            // with root · chain, which the hips must undo.
            let (above_position, above_rotation) = parent
                .map_or((Vec3::ZERO, Quat::IDENTITY), |parent| {
                    (world.position(parent), world.rotation(parent))
                });
            let carried_position = root_position + root_rotation * above_position;
            let carried = (root_rotation * above_rotation).normalize().inverse();
            let joint = &mut self.joints[hips.get()];
            joint.translations[index] = carried * (world.position(hips) - carried_position);
            joint.rotations[index] = (carried * world.rotation(hips)).normalize();
        }
        self.insert_root(root);
    }

    fn insert_root(&mut self, root: &RootTrack) {
        for joint in &mut self.joints {
            joint.parent = Some(joint.parent.map_or(0, |parent| parent + 1));
        }
        let names: Vec<&str> = self.joints.iter().map(|joint| joint.name.as_str()).collect();
        let name = root_name(&names);
        self.joints.insert(
            0,
            KeyedJoint {
                name,
                parent: None,
                rest_translation: Vec3::ZERO,
                rest_rotation: Quat::IDENTITY,
                bone: None,
                twist: None,
                translations: root.positions.clone(),
                rotations: root.rotations.clone(),
            },
        );
        self.shift = 1;
        self.hips += 1;
    }
}

/// Returns a name for the extra root that no other joint has.
pub(crate) fn root_name(taken: &[&str]) -> String {
    let mut name = "root".to_owned();
    let mut number = 1;
    while taken.contains(&name.as_str()) {
        name = if number == 1 { "root_motion".to_owned() } else { format!("root_motion_{number}") };
        number += 1;
    }
    name
}

/// Negates quaternions where necessary: `q` and `−q` are the same rotation, but readers that
/// interpolate naively need the nearer one.
pub(crate) fn make_continuous(rotations: &mut [Quat]) {
    for index in 1..rotations.len() {
        if rotations[index - 1].dot(rotations[index]) < 0.0 {
            rotations[index] = -rotations[index];
        }
    }
}

/// Returns the world pose of a clip in a frame, for checks of written files.
pub(crate) fn world(clip: &Clip, frame: usize) -> WorldPose {
    clip.skeleton().world(&clip.frames()[frame])
}
