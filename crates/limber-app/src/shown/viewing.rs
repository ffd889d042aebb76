//! What crosses about the viewer's window.

use limber_api::viewer;
use serde::{Deserialize, Serialize};

use super::{Language, Span};
use crate::{AppError, ErrorCode, Notice};

/// A part of the viewer's picture that can be shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum ViewerLayer {
    /// The bodies themselves.
    Skin,
    /// Their bones.
    Bones,
    /// Lines on the floor.
    Grid,
    /// Rings under feet that stand.
    Contacts,
    /// The axes of the world, at its origin.
    Axes,
    /// The ways that hips, head, hands and feet take.
    Trails,
    /// Each body a little earlier and later.
    Ghosts,
    /// Two clips in one place instead of all side by side.
    Overlay,
}

/// A key that was pressed in the viewer's window and is the interface's, as `KeyboardEvent` has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct KeyPressed {
    /// A small letter, or a name such as `Delete`.
    pub key: String,
    /// Control, or Command on a Mac, was held.
    pub ctrl_key: bool,
    /// Shift was held.
    pub shift_key: bool,
}

impl From<viewer::PressedKey> for KeyPressed {
    fn from(viewer::PressedKey { key, ctrl, shift }: viewer::PressedKey) -> Self {
        Self { key, ctrl_key: ctrl, shift_key: shift }
    }
}

/// What the native viewer shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ViewerShown {
    /// Ids of the clips, side by side.
    pub clips: Vec<String>,
    /// Frames of the longest one, at `fps`.
    pub frames: u32,
    /// Frames per second.
    pub fps: u32,
    /// The frame on the screen, from 0.
    pub frame: u32,
    /// Whether frames move on by themselves.
    pub playing: bool,
    /// Whether they go towards the first.
    pub backwards: bool,
    /// What is shown of the clips.
    pub layers: Vec<ViewerLayer>,
    /// Which of the clips is B, while two are in one place: counted from 1, the first clip is A.
    pub compared: u32,
}

impl From<Language> for viewer::ViewerLanguage {
    fn from(language: Language) -> Self {
        match language {
            Language::En => Self::En,
            Language::De => Self::De,
        }
    }
}

impl TryFrom<Span> for viewer::FrameRange {
    type Error = AppError;

    fn try_from(Span { start, end }: Span) -> Result<Self, AppError> {
        let range = end.checked_sub(1).and_then(|last| Self::new(start, last));
        range.ok_or_else(|| AppError::new(ErrorCode::BadInput, Notice::NothingToPlay))
    }
}

/// Both ways between two lists of the same names.
macro_rules! same_names {
    ($($name:ident)+) => {
        impl From<viewer::ViewerLayer> for ViewerLayer {
            fn from(layer: viewer::ViewerLayer) -> Self {
                match layer {
                    $(viewer::ViewerLayer::$name => Self::$name,)+
                }
            }
        }

        impl From<ViewerLayer> for viewer::ViewerLayer {
            fn from(layer: ViewerLayer) -> Self {
                match layer {
                    $(ViewerLayer::$name => Self::$name,)+
                }
            }
        }
    };
}

same_names! { Skin Bones Grid Contacts Axes Trails Ghosts Overlay }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_to_play_has_a_frame() {
        let range = |start, end| viewer::FrameRange::try_from(Span { start, end });
        assert_eq!(range(30, 60).ok(), viewer::FrameRange::new(30, 59));
        assert_eq!(range(7, 8).ok(), viewer::FrameRange::new(7, 7));
        for (start, end) in [(0, 0), (7, 7), (8, 7)] {
            assert_eq!(range(start, end).expect_err("it is empty").code, ErrorCode::BadInput);
        }
    }
}
