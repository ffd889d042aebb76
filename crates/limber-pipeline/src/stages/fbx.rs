//! S5: writes the FBX, and plays it with an independent reader to verify it.

use limber_animation::Character;
use limber_formats::{
    fbx::{self, FbxMovement, FbxOptions},
    preset::KeyReduction,
};

use super::retarget::FinishedClip;
use crate::{ErrorCode, FileKind, Options, PipelineError, Stage};

/// Maximum deviation of a joint's position in the file, in metres.
const EXACT_M: f64 = 1e-4;
/// The same with key reduction: the tolerances of the joints add up to this at the fingertips.
const NEAR_M: f64 = 1e-2;

/// The requested forms of the file.
pub(crate) struct Fbx {
    pub(crate) bare: Option<Vec<u8>>,
    pub(crate) zipped: Option<Vec<u8>>,
}

/// Writes the FBX. `name` is the name of the animation, `file_name` that of the file in the ZIP.
///
/// # Errors
/// 904 if the FBX cannot be written or plays differently.
pub(crate) fn fbx(
    moved: &FinishedClip,
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

/// Compares the motion in the file with the clip in every frame. Joints above the hips move with
/// the root and are skipped.
fn compare(moved: &FinishedClip, played: &FbxMovement, near_m: f64) -> Result<(), String> {
    let clip = &moved.played;
    if played.frames.len() != clip.len() {
        return Err(format!("{} frames instead of {}", played.frames.len(), clip.len()));
    }
    let skeleton = clip.skeleton();
    let mut pairs = Vec::new();
    for joint in super::body(skeleton) {
        let name = &skeleton.joint(joint).name;
        // the format reserves control characters
        let plain = name.chars().filter(|c| !c.is_control());
        let place = played.names.iter().position(|other| other.chars().eq(plain.clone()));
        pairs.push((joint, place.ok_or_else(|| format!("the joint {name} is missing"))?));
    }
    for (frame, (pose, got)) in clip.frames().iter().zip(&played.frames).enumerate() {
        let meant = skeleton.world(pose);
        for (joint, place) in &pairs {
            let distance = meant.position(*joint).as_dvec3().distance(got[*place].0);
            // written so that NaN fails too
            let near = distance <= near_m;
            if !near {
                let name = &skeleton.joint(*joint).name;
                return Err(format!("{name} is {distance:.4} m off in frame {frame}"));
            }
        }
    }
    Ok(())
}
