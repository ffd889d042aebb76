//! The same clip for other files.

use super::{Trim, cut, origin, piece};
use crate::{CanonicalClip, PipelineError};

/// The kept clip without its ends, and nothing else changed: other characters and options are the
/// affair of [`crate::derive()`].
///
/// # Errors
/// 502 for cuts that leave nothing.
pub fn rerun(source: &CanonicalClip, trim: Trim) -> Result<CanonicalClip, PipelineError> {
    if trim == Trim::default() {
        return Ok(source.clone());
    }
    let clip = cut(source, trim)?;
    let origins = vec![origin(source, piece(trim, 0..clip.len()))];
    Ok(CanonicalClip { clip, meta: source.meta.clone(), origins })
}
