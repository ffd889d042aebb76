//! S5: writes the GLB, and reads it back to verify it.

use limber_animation::{Character, Clip, JointIndex};
use limber_formats::glb::{self, GlbOptions};

use super::{body, retarget::FinishedClip};
use crate::{ErrorCode, FileKind, Options, PipelineError, Stage};

/// Maximum deviation of a bone's rotation in the file, in degrees.
const MAX_TURN_DEG: f32 = 3.0;
/// Maximum deviation of a joint's position in the file, in metres, on a body of the canonical size.
const MAX_DISTANCE_M: f32 = 0.02;

/// Writes the GLB.
///
/// # Errors
/// 903 if the file poses the body differently; 904 if it cannot be written or read back.
pub(crate) fn bake(
    moved: &FinishedClip,
    character: &Character,
    name: &str,
    options: &Options,
) -> Result<Option<Vec<u8>>, PipelineError> {
    if !options.formats.contains(&FileKind::Glb) {
        return Ok(None);
    }
    let failed = |code, message: String| PipelineError::at(Stage::Bake, code, message);
    let glb_options = GlbOptions {
        name: name.to_owned(),
        root: moved.root.clone(),
        keys: options.keys,
        closed: true,
    };
    let bytes = glb::write_clip(character, &moved.played, &glb_options)
        .map_err(|error| failed(ErrorCode::EXPORT, error.to_string()))?;
    let read = glb::read(&bytes).map_err(|error| {
        failed(ErrorCode::EXPORT, format!("the GLB does not read back as written: {error}"))
    })?;
    let Some(baked) = read.clips.first() else {
        return Err(failed(ErrorCode::EXPORT, "the GLB has lost its animation".to_owned()));
    };
    compare(&moved.clip, &baked.clip, moved.scale)
        .map_err(|problem| failed(ErrorCode::RETARGET, problem))?;
    Ok(Some(bytes))
}

/// Compares the joints of the written file with the clip, frame by frame.
fn compare(meant: &Clip, baked: &Clip, scale: f32) -> Result<(), String> {
    if meant.len() != baked.len() {
        return Err(format!("the GLB has {} frames instead of {}", baked.len(), meant.len()));
    }
    let pairs: Vec<(JointIndex, JointIndex)> = body(meant.skeleton())
        .filter_map(|joint| {
            let name = &meant.skeleton().joint(joint).name;
            baked.skeleton().find_name(name).map(|other| (joint, other))
        })
        .collect();
    for (frame, (a, b)) in meant.frames().iter().zip(baked.frames()).enumerate() {
        let (a, b) = (meant.skeleton().world(a), baked.skeleton().world(b));
        for (joint, other) in &pairs {
            let distance = a.position(*joint).distance(b.position(*other));
            let near = distance <= MAX_DISTANCE_M * scale.max(0.05);
            let turn = a.rotation(*joint).angle_between(b.rotation(*other)).to_degrees();
            // written so that NaN fails too
            if !(near && turn <= MAX_TURN_DEG) {
                let name = &meant.skeleton().joint(*joint).name;
                return Err(format!(
                    "the bone {name} is {distance:.3} m and {turn:.1}° off in frame {frame}"
                ));
            }
        }
    }
    Ok(())
}
