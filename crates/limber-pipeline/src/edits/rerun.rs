//! The same clip for other files.

use super::{Trim, cut};
use crate::{CanonicalClip, PipelineError};

/// The kept clip without its ends, and nothing else changed: other characters and options are the
/// affair of [`crate::derive()`].
///
/// # Errors
/// 502 for cuts that leave nothing.
pub fn rerun(source: &CanonicalClip, trim: Trim) -> Result<CanonicalClip, PipelineError> {
    Ok(CanonicalClip { clip: cut(source, trim)?, meta: source.meta.clone() })
}
