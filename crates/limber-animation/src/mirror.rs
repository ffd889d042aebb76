//! Mirroring of poses and clips at the plane x = 0.

use glam::{Quat, Vec3};

use crate::{Clip, Pose, Skeleton};

/// A rotation mirrored at the plane x = 0.
fn reflect(turn: Quat) -> Quat {
    Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}

impl Pose {
    /// The pose with left and right exchanged. Exact on skeletons whose rest pose is symmetric
    /// about x = 0, as the canonical one is.
    #[must_use]
    pub fn mirrored(&self, skeleton: &Skeleton) -> Self {
        let mut rotations = self.rotations.clone();
        for index in skeleton.indices() {
            let partner = skeleton
                .joint(index)
                .bone
                .and_then(|bone| skeleton.find(bone.mirrored()))
                .unwrap_or(index);
            rotations[index.get()] = reflect(self.rotation(partner));
        }
        Self {
            hips_translation: self.hips_translation * Vec3::new(-1.0, 1.0, 1.0),
            rotations,
            face: self.face.mirrored(),
        }
    }
}

impl Clip {
    /// The clip with left and right exchanged, contacts included.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirror = self.clone();
        for pose in mirror.frames_mut() {
            *pose = pose.mirrored(self.skeleton());
        }
        match self.contacts() {
            Some(track) => {
                let track = track.iter().map(|contacts| contacts.mirrored()).collect();
                mirror.with_contacts(track).expect("the mirrored track has the same length")
            }
            None => mirror,
        }
    }
}
