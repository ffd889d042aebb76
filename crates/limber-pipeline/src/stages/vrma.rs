//! S5: writes the VRM animation, and reads it back to verify it.

use limber_animation::{Clip, JointIndex};
use limber_formats::{
    glb,
    vrma::{self, VrmaOptions},
};
use limber_retarget::t_pose;

use super::retarget::FinishedClip;
use crate::{ErrorCode, FileKind, Options, PipelineError, Stage};

/// Maximum deviation of a bone's position in the file, in metres.
const EXACT_M: f32 = 1e-3;

/// Writes the VRM animation.
///
/// # Errors
/// 904 if the clip cannot be written for VRM characters or differs when read back.
pub(crate) fn vrma(
    moved: &FinishedClip,
    name: &str,
    options: &Options,
) -> Result<Option<Vec<u8>>, PipelineError> {
    if !options.formats.contains(&FileKind::Vrma) {
        return Ok(None);
    }
    let failed = |message: String| PipelineError::at(Stage::Bake, ErrorCode::EXPORT, message);
    let skeleton = moved.clip.skeleton();
    let standing = skeleton.world(&t_pose(skeleton));
    let vrma_options = VrmaOptions { name: name.to_owned(), t_pose: Some(standing), closed: true };
    let bytes =
        vrma::write(&moved.played, &vrma_options).map_err(|error| failed(error.to_string()))?;
    let read = glb::read(&bytes).map_err(|error| failed(error.to_string()))?;
    let played = read.clips.first();
    let problem = played.map_or(Some("it has no animation".to_owned()), |played| {
        difference(&moved.clip, &played.clip)
    });
    match problem {
        None => Ok(Some(bytes)),
        Some(problem) => {
            Err(failed(format!("the VRM animation does not read back as written: {problem}")))
        }
    }
}

/// Describes the first bone that is not where it should be.
fn difference(meant: &Clip, played: &Clip) -> Option<String> {
    if meant.len() != played.len() {
        return Some(format!("{} frames instead of {}", played.len(), meant.len()));
    }
    let bones = meant.skeleton().joints().iter().enumerate();
    let pairs: Vec<(JointIndex, JointIndex)> = bones
        .filter_map(|(place, joint)| {
            let other = played.skeleton().find_name(joint.bone?.name())?;
            Some((JointIndex::new(place), other))
        })
        .collect();
    for (frame, (a, b)) in meant.frames().iter().zip(played.frames()).enumerate() {
        let (a, b) = (meant.skeleton().world(a), played.skeleton().world(b));
        for (joint, other) in &pairs {
            let distance = a.position(*joint).distance(b.position(*other));
            // written so that NaN fails too
            let near = distance <= EXACT_M;
            if !near {
                let name = &meant.skeleton().joint(*joint).name;
                return Some(format!("{name} is {distance:.4} m off in frame {frame}"));
            }
        }
    }
    None
}
