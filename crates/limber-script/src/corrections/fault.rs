//! Errors of corrections.

use super::{JointName, Offset};

/// Why corrections are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{fault}", if place.is_empty() { String::new() } else { format!("{place}: ") })]
pub struct CorrectionsError {
    /// The place, such as `layers[0].keys[3].frame`; empty if the error is about the whole
    /// document.
    pub place: String,
    /// What is wrong there.
    pub fault: CorrectionFault,
}

impl CorrectionsError {
    pub(super) fn at(place: impl Into<String>, fault: CorrectionFault) -> Self {
        Self { place: place.into(), fault }
    }
}

/// The kinds of errors in corrections.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message documents its fields")]
pub enum CorrectionFault {
    /// The document does not have the form of corrections.
    #[error("{0}")]
    Form(String),
    #[error("{found} bytes are more than corrections can have, {most}")]
    TooLong { found: usize, most: usize },
    #[error("{found} layers are more than {most}")]
    TooManyLayers { found: usize, most: usize },
    #[error("{found} keys in all layers together are more than {most}")]
    TooManyKeys { found: usize, most: usize },
    #[error("{found} characters are more than {most}")]
    LongName { found: usize, most: usize },
    #[error("a name is one line without control characters")]
    ControlCharacter,
    #[error("{frame} is past the clip's last frame {last}")]
    PastEnd { frame: u32, last: u32 },
    #[error("{found} frames are more than the clip has, {most}")]
    LongFade { found: u32, most: u32 },
    #[error(
        "keys[{other}] of this layer also changes {subject} at frame {frame}; keep one of them"
    )]
    SaidTwice { subject: String, frame: u32, other: usize },
    #[error("the name of a joint has 1 to {} characters and no spaces", JointName::LONGEST)]
    JointName,
    #[error("a rotation is four finite numbers x, y, z, w, not all of them 0")]
    NoRotation,
    #[error("an offset is three numbers from -{0} to {0}, metres", Offset::LONGEST_M)]
    FarOffset,
}
