//! View models of the native viewer's window.

use limber_api::viewer;
use serde::{Deserialize, Serialize};

use super::{Language, Span};
use crate::{AppError, ErrorCode, Notice};

/// A layer of the viewer's image that can be shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum ViewerLayer {
    /// The character meshes.
    Skin,
    /// Their skeletons.
    Bones,
    /// The floor grid.
    Grid,
    /// Rings under feet in contact with the floor.
    Contacts,
    /// The world axes at the origin.
    Axes,
    /// Motion trails of hips, head, hands and feet.
    Trails,
    /// Onion skins: each body shortly before and after the current frame.
    Ghosts,
    /// Two clips at the same place for comparison, instead of all side by side.
    Overlay,
}

/// A key pressed in the viewer's window that the interface handles, described like a DOM
/// `KeyboardEvent`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct KeyPressed {
    /// A lower-case letter, or a key name such as `Delete`.
    pub key: String,
    /// Whether Control was held, or Command on a Mac.
    pub ctrl_key: bool,
    /// Whether Shift was held.
    pub shift_key: bool,
}

impl From<viewer::PressedKey> for KeyPressed {
    fn from(viewer::PressedKey { key, ctrl, shift }: viewer::PressedKey) -> Self {
        Self { key, ctrl_key: ctrl, shift_key: shift }
    }
}

/// The state of the native viewer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ViewerView {
    /// IDs of the clips, side by side.
    pub clips: Vec<String>,
    /// Length of the longest clip in frames, at `fps`.
    pub frames: u32,
    /// Frames per second.
    pub fps: u32,
    /// The current frame, from 0.
    pub frame: u32,
    /// Whether playback is running.
    pub playing: bool,
    /// Whether playback runs backwards.
    pub backwards: bool,
    /// The visible layers.
    pub layers: Vec<ViewerLayer>,
    /// While two clips are overlaid, which one is B, counted from 1; the first clip is A.
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

/// Implements conversions in both directions between two enums with the same variants.
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
