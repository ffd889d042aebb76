//! S5: renames joints to what a program expects.

use std::sync::Arc;

use limber_animation::{Character, Clip};
use limber_formats::preset::JointNames;

use super::{carry::Moved, one_root::Bare};
use crate::{ErrorCode, PipelineError, Stage};

/// Returns the clip and the character with renamed joints; `None` if they keep their names. With
/// Unreal's names and a root joint, joints above the hips are removed.
///
/// # Errors
/// 903 if the clip no longer fits the skeleton.
pub(crate) fn rename(
    moved: &Moved,
    character: &Character,
    names: JointNames,
) -> Result<Option<(Moved, Character)>, PipelineError> {
    if names == JointNames::Own {
        return Ok(None);
    }
    let failed = |problem: String| PipelineError::at(Stage::Bake, ErrorCode::RETARGET, problem);
    let bare = (names == JointNames::Unreal5 && moved.root.is_some())
        .then(|| Bare::of(character).map_err(|error| failed(error.to_string())))
        .transpose()?;
    let mut called =
        bare.as_ref().map_or_else(|| character.clone(), |bare| bare.character(character));
    called.skeleton = Arc::new(names.rename(&called.skeleton));
    let clip = |clip: &Clip| {
        let poses = bare.as_ref().map_or_else(|| clip.frames().to_vec(), |bare| bare.poses(clip));
        Clip::new(Arc::clone(&called.skeleton), clip.fps(), poses)
            .map_err(|error| failed(error.to_string()))
    };
    let (clip, played) = (clip(&moved.clip)?, clip(&moved.played)?);
    Ok(Some((Moved { clip, played, root: moved.root.clone(), ..*moved }, called)))
}
