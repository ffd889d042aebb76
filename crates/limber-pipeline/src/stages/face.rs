//! S5: checks for facial animation, for requests that require it.

use limber_animation::{ARKIT_SHAPES, Character, Clip, arkit_shapes};
use limber_formats::import::ENOUGH_SHAPES;

use crate::{ErrorCode, PipelineError, Stage};

/// Returns how many different ARKit blend shapes the character's meshes have.
#[must_use]
pub fn face_shapes(character: &Character) -> usize {
    let shapes = character.meshes.iter().flat_map(|mesh| &mesh.morphs);
    arkit_shapes(shapes.map(|shape| shape.name.as_str())).len()
}

/// Checks whether this many ARKit blend shapes are enough for facial animation.
///
/// # Errors
/// If not: a sentence that says what to do.
pub fn is_face(shapes: usize) -> Result<(), String> {
    if shapes >= ENOUGH_SHAPES {
        return Ok(());
    }
    Err(format!(
        "the character has {shapes} of the {} shapes of ARKit's faces, at least {ENOUGH_SHAPES} are \
         needed to move one; choose another character, or take requireFace out",
        ARKIT_SHAPES.len()
    ))
}

/// Checks that there is facial animation.
///
/// # Errors
/// 906 if the character has too few blend shapes; 908 if the clip has no facial animation.
pub(crate) fn check(clip: &Clip, character: &Character) -> Result<(), PipelineError> {
    let failed = |code, message: String| PipelineError::at(Stage::Bake, code, message);
    is_face(face_shapes(character)).map_err(|why| failed(ErrorCode::FACE_SHAPES, why))?;
    if clip.frames().iter().all(|pose| pose.face.weights().is_some()) {
        return Ok(());
    }
    let message = "the motion does not say how the face moves; make it anew from a prompt, or take \
                   requireFace out";
    Err(failed(ErrorCode::FACE_TRACKING, message.to_owned()))
}
