//! S5: the FBX, played by another reader before anyone gets it.

use limber_animation::Character;
use limber_formats::{
    fbx::{self, FbxMovement, FbxOptions},
    preset::KeyReduction,
};

use super::carry::Moved;
use crate::{ErrorCode, FileKind, Options, PipelineError, Stage};

/// How far a joint in the file may be from where it was meant to be, metres.
const EXACT_M: f64 = 1e-4;
/// The same when keys are left out: what the bound of each joint adds up to at the fingertips.
const NEAR_M: f64 = 1e-2;

/// The forms of the file that were asked for.
pub(crate) struct Fbx {
    pub(crate) bare: Option<Vec<u8>>,
    pub(crate) zipped: Option<Vec<u8>>,
}

/// 904: the FBX cannot be written, or plays otherwise than meant. `name` is the animation's,
/// `file_name` what the file in the ZIP is called.
pub(crate) fn fbx(
    moved: &Moved,
    character: &Character,
    (name, file_name): (&str, &str),
    options: &Options,
) -> Result<Fbx, PipelineError> {
    let wants = |kind| options.formats.contains(&kind);
    if !wants(FileKind::Fbx) && !wants(FileKind::FbxZip) {
        return Ok(Fbx { bare: None, zipped: None });
    }
    let failed = |message: String| PipelineError::at(Stage::Bake, ErrorCode::EXPORT, message);
    let fbx_options = FbxOptions {
        name: name.to_owned(),
        root: moved.root.clone(),
        keys: options.keys,
        mesh: options.mesh,
    };
    let bytes = fbx::write_clip(character, &moved.played, &fbx_options)
        .map_err(|error| failed(error.to_string()))?;
    let played =
        fbx::movement(&bytes, moved.played.fps()).map_err(|error| failed(error.to_string()))?;
    let near_m = if options.keys == KeyReduction::None { EXACT_M } else { NEAR_M };
    compare(moved, &played, near_m)
        .map_err(|problem| failed(format!("the FBX does not play back as written: {problem}")))?;
    let zipped = wants(FileKind::FbxZip)
        .then(|| fbx::zipped(file_name, &bytes, character))
        .transpose()
        .map_err(|error| failed(error.to_string()))?;
    Ok(Fbx { bare: wants(FileKind::Fbx).then_some(bytes), zipped })
}

/// What the file does against what was meant, in every frame. What stands above the hips moves
/// with the root and is left out.
fn compare(moved: &Moved, played: &FbxMovement, near_m: f64) -> Result<(), String> {
    let clip = &moved.played;
    if played.frames.len() != clip.len() {
        return Err(format!("{} frames instead of {}", played.frames.len(), clip.len()));
    }
    let skeleton = clip.skeleton();
    let mut pairs = Vec::new();
    for joint in super::body(skeleton) {
        let name = &skeleton.joint(joint).name;
        // the format keeps control characters for itself
        let plain = name.chars().filter(|c| !c.is_control());
        let place = played.names.iter().position(|other| other.chars().eq(plain.clone()));
        pairs.push((joint, place.ok_or_else(|| format!("the joint {name} is missing"))?));
    }
    for (frame, (pose, got)) in clip.frames().iter().zip(&played.frames).enumerate() {
        let meant = skeleton.world(pose);
        for (joint, place) in &pairs {
            let distance = meant.position(*joint).as_dvec3().distance(got[*place].0);
            // NaN is not near
            let near = distance <= near_m;
            if !near {
                let name = &skeleton.joint(*joint).name;
                return Err(format!("{name} is {distance:.4} m off in frame {frame}"));
            }
        }
    }
    Ok(())
}
