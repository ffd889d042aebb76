//! S5: renames joints to what a program expects.

use std::sync::Arc;

use limber_animation::{Character, Clip};
use limber_formats::preset::JointNames;

use super::{retarget::FinishedClip, single_root::SingleRootSkeleton};
use crate::{ErrorCode, PipelineError, Stage};

/// Returns the clip and the character with renamed joints; `None` if they keep their names. With
/// Unreal's names and a root joint, joints above the hips are removed.
///
/// # Errors
/// 903 if the clip no longer fits the skeleton.
pub(crate) fn rename(
    moved: &FinishedClip,
    character: &Character,
    names: JointNames,
) -> Result<Option<(FinishedClip, Character)>, PipelineError> {
    if names == JointNames::Own {
        return Ok(None);
    }
    let failed = |problem: String| PipelineError::at(Stage::Bake, ErrorCode::RETARGET, problem);
    let single_root = (names == JointNames::Unreal5 && moved.root.is_some())
        .then(|| SingleRootSkeleton::of(character).map_err(|error| failed(error.to_string())))
        .transpose()?;
    let mut renamed = single_root
        .as_ref()
        .map_or_else(|| character.clone(), |single_root| single_root.character(character));
    renamed.skeleton = Arc::new(names.rename(&renamed.skeleton));
    let clip = |clip: &Clip| {
        let poses = single_root
            .as_ref()
            .map_or_else(|| clip.frames().to_vec(), |single_root| single_root.poses(clip));
        Clip::new(Arc::clone(&renamed.skeleton), clip.fps(), poses)
            .map_err(|error| failed(error.to_string()))
    };
    let (clip, played) = (clip(&moved.clip)?, clip(&moved.played)?);
    Ok(Some((FinishedClip { clip, played, root: moved.root.clone(), ..*moved }, renamed)))
}
