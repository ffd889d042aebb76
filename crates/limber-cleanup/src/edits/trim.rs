//! Trims the ends of clips.

use limber_animation::{Clip, FrameIndex};

use super::{EditError, clip_of};

/// Number of frames to cut at the beginning and at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Trim {
    /// Frames cut off the beginning.
    pub left: usize,
    /// Frames cut off the end.
    pub right: usize,
}

impl Trim {
    /// The range of frames that remain of a clip with `frames` frames.
    ///
    /// # Errors
    /// [`EditError::NothingLeft`].
    pub fn kept(self, frames: usize) -> Result<std::ops::Range<FrameIndex>, EditError> {
        match self.left.checked_add(self.right) {
            Some(cut) if cut < frames => Ok(self.left..frames - self.right),
            _ => Err(EditError::NothingLeft { left: self.left, right: self.right, frames }),
        }
    }
}

/// The clip without its ends. What remains stays in place, bit for bit.
///
/// # Errors
/// [`EditError::NothingLeft`].
pub fn trim(clip: &Clip, by: Trim) -> Result<Clip, EditError> {
    let kept = by.kept(clip.len())?;
    let contacts = clip.contacts().map(|track| track[kept.clone()].to_vec());
    Ok(clip_of(clip, clip.frames()[kept].to_vec(), contacts))
}
