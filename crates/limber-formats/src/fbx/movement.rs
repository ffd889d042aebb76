//! Plays an FBX with an independent reader, to verify files that we write.

use glam::{DQuat, DVec3};
use limber_animation::Fps;

/// World transforms of every limb node in every frame, in metres, Y up.
#[derive(Debug, Clone, PartialEq)]
pub struct FbxMovement {
    /// Joint names in the file's order.
    pub names: Vec<String>,
    /// `[frame][joint]`: position and unit quaternion.
    pub frames: Vec<Vec<(DVec3, DQuat)>>,
}

/// Why a file could not be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FbxMovementError {
    /// The reader rejects the file.
    #[error("another program cannot read the FBX file: {0}")]
    Unreadable(String),
    /// The file does not have exactly one animation.
    #[error("the FBX file has {0} animations instead of one")]
    Animations(usize),
}

/// Plays the only animation of an FBX in centimetres with ufbx, at every frame including both ends.
///
/// # Errors
/// See [`FbxMovementError`].
pub fn movement(bytes: &[u8], fps: Fps) -> Result<FbxMovement, FbxMovementError> {
    let scene = ufbx::load_memory(bytes, ufbx::LoadOpts::default())
        .map_err(|error| FbxMovementError::Unreadable(error.description.to_string()))?;
    let stacks = scene.anim_stacks.len();
    let stack = scene.anim_stacks.iter().next().filter(|_| stacks == 1);
    let stack = stack.ok_or(FbxMovementError::Animations(stacks))?;
    let length = (stack.time_end - stack.time_begin) * f64::from(fps.get());
    let frames = (0..=length.round() as usize)
        .map(|frame| frame as f64 / f64::from(fps.get()) + stack.time_begin)
        .map(|time_s| pose(&scene, &stack.anim, time_s))
        .collect();
    let names = limbs(&scene).map(|node| node.element.name.to_string()).collect();
    Ok(FbxMovement { names, frames })
}

fn limbs(scene: &ufbx::Scene) -> impl Iterator<Item = &ufbx::Node> {
    (&scene.nodes).into_iter().filter(|node| node.bone.is_some())
}

fn pose(scene: &ufbx::Scene, anim: &ufbx::Anim, time_s: f64) -> Vec<(DVec3, DQuat)> {
    let mut world: Vec<(DVec3, DQuat)> = Vec::with_capacity(scene.nodes.len());
    // parents come before children
    for node in &scene.nodes {
        let local = ufbx::evaluate_transform(anim, node, time_s);
        let (at, turn) = (local.translation, local.rotation);
        let at = DVec3::new(at.x, at.y, at.z) / 100.0;
        let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, turn.w);
        let above = node
            .parent
            .as_ref()
            .and_then(|parent| world.get(parent.element.typed_id as usize).copied());
        world.push(match above {
            Some((above_at, above_turn)) => (above_at + above_turn * at, above_turn * turn),
            None => (at, turn),
        });
    }
    limbs(scene).map(|node| world[node.element.typed_id as usize]).collect()
}
