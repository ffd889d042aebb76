//! Engines that generate what ours never does, to trigger failures in later stages.

use glam::Quat;
use limber_animation::{Contacts, Face, HumanBone, Pose};
use limber_text_to_motion::{
    Cancel, Composer, EngineError, EngineInfo, GeneratedMotion, MotionEngine, MotionRequest,
    Prompt, Seed, Understood,
};

/// The composer, with modified poses.
pub(super) struct Changed(pub(super) fn(&mut GeneratedMotion));

impl MotionEngine for Changed {
    fn describe(&self) -> EngineInfo {
        EngineInfo { name: "changed", version: 1 }
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        Composer.understand(prompt)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        let mut made = Composer.generate(request, seed, cancel, progress)?;
        (self.0)(&mut made);
        Ok(made)
    }
}

/// Makes the character stand with both feet in the same place.
pub(super) fn legs_in_one(made: &mut GeneratedMotion) {
    let skeleton = made.clip.skeleton().clone();
    let mut pose: Pose = skeleton.rest_pose();
    for (bone, turn) in [(HumanBone::LeftUpperLeg, -0.11), (HumanBone::RightUpperLeg, 0.11)] {
        let joint = skeleton.find(bone).expect("it has legs");
        pose.set_rotation(joint, Quat::from_rotation_z(turn));
    }
    made.clip.frames_mut().fill(pose);
    let contacts = vec![Contacts::STANDING; made.clip.len()];
    made.clip = made.clip.clone().with_contacts(contacts).expect("one per frame");
}

/// Displaces an arm for a single frame.
pub(super) fn snapping(made: &mut GeneratedMotion) {
    let arm = made.clip.skeleton().find(HumanBone::LeftUpperArm).expect("it has arms");
    let middle = made.clip.len() / 2;
    let pose = &mut made.clip.frames_mut()[middle];
    let turned = Quat::from_rotation_x(2.0) * pose.rotation(arm);
    pose.set_rotation(arm, turned);
}

/// Removes all facial expressions.
pub(super) fn faceless(made: &mut GeneratedMotion) {
    for pose in made.clip.frames_mut() {
        pose.face = Face::UNKNOWN;
    }
}
