//! S0: checks what the types of a request and a character do not guarantee.

use limber_animation::{Character, CharacterError, HumanBone};

use crate::{ErrorCode, Options, OptionsError, PipelineError, Request, Stage};

/// Checks a request.
///
/// # Errors
/// 502, 703 or 803 if an option is out of range.
pub(crate) fn check(request: &Request) -> Result<(), PipelineError> {
    let longest = Request::MIN_DURATION_S..=Request::MAX_DURATION_S;
    if request.duration_s.is_some_and(|duration| !longest.contains(&duration)) {
        return Err(refused(OptionsError::Duration));
    }
    request.options.check().map_err(refused)
}

/// Checks that a clip can be retargeted to a character.
///
/// # Errors
/// 901, 902 or 905 if it cannot.
pub(crate) fn check_character(
    character: &Character,
    options: &Options,
) -> Result<(), PipelineError> {
    options.check().map_err(refused)?;
    let failed = |code, message| Err(PipelineError::at(Stage::Bake, code, message));
    match character.check() {
        Ok(()) => {}
        Err(error @ CharacterError::NoSkinnedMesh) => {
            return failed(ErrorCode::NO_SKIN, format!("{error}; choose a rigged character"));
        }
        Err(error @ CharacterError::BadMesh { .. }) => {
            return failed(
                ErrorCode::CHARACTER_MESH,
                format!("{error}; export the character again"),
            );
        }
    }
    // hands may be missing: the arm then ends with the lower arm
    let missing: Vec<&str> = HumanBone::indispensable()
        .filter(|bone| character.skeleton.find(*bone).is_none())
        .map(HumanBone::name)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!(
        "the character `{}` lacks {}; map these bones or choose another character",
        character.name,
        missing.join(", ")
    );
    failed(ErrorCode::CHARACTER_SKELETON, message)
}

fn refused(error: OptionsError) -> PipelineError {
    PipelineError::at(Stage::Intake, error.code(), error.to_string())
}
