//! Trims a clip to derive other files from it.

use super::{Trim, cut, origin, piece};
use crate::{CanonicalClip, PipelineError};

/// Returns the trimmed clip, otherwise unchanged. Other characters and options are up to
/// [`crate::derive()`].
///
/// # Errors
/// 502 if the trim leaves nothing.
pub fn rerun(source: &CanonicalClip, trim: Trim) -> Result<CanonicalClip, PipelineError> {
    if trim == Trim::default() {
        return Ok(source.clone());
    }
    let clip = cut(source, trim)?;
    let origins = vec![origin(source, piece(trim, 0..clip.len()))];
    Ok(CanonicalClip { clip, meta: source.meta.clone(), origins })
}
