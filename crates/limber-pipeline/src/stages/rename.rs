//! S5: joints under the names that a program looks for.

use std::sync::Arc;

use limber_animation::{Character, Clip};
use limber_formats::preset::JointNames;

use super::{carry::Moved, one_root::Bare};
use crate::{ErrorCode, PipelineError, Stage};

/// The same movement and character under other names; nothing when they keep their own. Below a root,
/// Unreal's have no joint above the hips. 903: the clip does not fit any more.
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
