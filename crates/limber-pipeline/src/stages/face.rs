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
        "the character has {shapes} of the {} ARKit face shapes, at least {ENOUGH_SHAPES} are \
         needed to animate a face; choose another character, or remove requireFace",
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
    let message = "the motion has no facial animation; generate it again from a prompt, or remove \
        requireFace";
    Err(failed(ErrorCode::FACE_TRACKING, message.to_owned()))
}
