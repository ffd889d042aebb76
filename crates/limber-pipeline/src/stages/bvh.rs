//! S4: writes the BVH, and reads it back to verify it.

use limber_formats::bvh::{self, BvhOptions};
use limber_retarget::t_pose;

use super::retarget::FinishedClip;
use crate::{ErrorCode, FileKind, Options, PipelineError, Stage};

/// File units per metre: centimetres.
const UNITS_PER_M: f32 = 100.0;
/// Maximum deviation of a joint's position in the file, in metres.
const EXACT_M: f64 = 1e-4;

/// Writes the BVH.
///
/// # Errors
/// 804 if the skeleton cannot be written; 810 if the file differs when read back.
pub(crate) fn bvh(
    moved: &FinishedClip,
    options: &Options,
) -> Result<Option<Vec<u8>>, PipelineError> {
    if !options.formats.contains(&FileKind::Bvh) {
        return Ok(None);
    }
    let failed = |code, message: String| PipelineError::at(Stage::Bvh, code, message);
    let skeleton = moved.played.skeleton();
    let bvh_options = BvhOptions {
        scale: UNITS_PER_M,
        zero_pose: Some(skeleton.world(&t_pose(skeleton))),
        root: moved.root.clone(),
    };
    let text = bvh::write(skeleton, &moved.played, &bvh_options)
        .map_err(|error| failed(ErrorCode::BVH_LOAD, error.to_string()))?;
    check(moved, &text).map_err(|problem| {
        failed(ErrorCode::BVH_SAVE, format!("the BVH does not read back as written: {problem}"))
    })?;
    Ok(Some(text.into_bytes()))
}

fn check(moved: &FinishedClip, text: &str) -> Result<(), String> {
    let read = bvh::read(text).map_err(|error| error.to_string())?;
    let clip = &moved.played;
    if read.frames.len() != clip.len() {
        return Err(format!("{} frames instead of {}", read.frames.len(), clip.len()));
    }
    // the extra root is not one of the character's joints, whatever its name
    let extra = usize::from(moved.root.is_some());
    let own = read.joints.iter().skip(extra);
    let own = own.map(|joint| clip.skeleton().find_name(&joint.name));
    let sources: Vec<_> = std::iter::repeat_n(None, extra).chain(own).collect();
    for (frame, meant) in clip.world_positions().iter().enumerate() {
        for (place, source) in read.world_positions(frame).iter().zip(&sources) {
            let Some(source) = source else { continue };
            let distance =
                (*place / f64::from(UNITS_PER_M)).distance(meant[source.get()].as_dvec3());
            if distance.is_nan() || distance > EXACT_M {
                let name = &clip.skeleton().joint(*source).name;
                return Err(format!("{name} is {distance:.4} m off in frame {frame}"));
            }
        }
    }
    Ok(())
}
