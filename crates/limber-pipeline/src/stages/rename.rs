//! S5: joints under the names that a program looks for.

use std::sync::Arc;

use limber_animation::{Character, Clip};
use limber_formats::preset::JointNames;

use super::carry::Moved;
use crate::{ErrorCode, PipelineError, Stage};

/// The same movement and character under other names; nothing when they keep their own. 903: the
/// clip does not fit any more.
pub(crate) fn rename(
    moved: &Moved,
    character: &Character,
    names: JointNames,
) -> Result<Option<(Moved, Character)>, PipelineError> {
    if names == JointNames::Own {
        return Ok(None);
    }
    let skeleton = Arc::new(names.rename(moved.clip.skeleton()));
    let frames = moved.clip.frames().to_vec();
    let clip = Clip::new(Arc::clone(&skeleton), moved.clip.fps(), frames)
        .map_err(|error| PipelineError::at(Stage::Bake, ErrorCode::RETARGET, error.to_string()))?;
    let moved = Moved { clip, root: moved.root.clone(), ..*moved };
    Ok(Some((moved, Character { skeleton, ..character.clone() })))
}
