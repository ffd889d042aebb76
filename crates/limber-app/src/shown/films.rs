//! Films of clips.

use serde::{Deserialize, Serialize};

use super::ClipPart;

shown! {
    /// What can stand behind the character of a film.
    struct Backdrop {
        /// Its id.
        pub id: String,
        /// Its name.
        pub name: String,
        /// A small picture as data URL.
        pub picture: Option<String>,
    }
}

/// How a camera moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum FilmCamera {
    /// Goes along and keeps the whole body in the picture.
    Cinematic,
    /// Stands still and has the whole clip in the picture.
    Fixed,
    /// Looks at face and chest.
    Face,
}

/// What a film is packed into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum FilmFormat {
    /// Video.
    Mp4,
    /// A moving picture.
    Gif,
    /// A ZIP with a PNG for each picture.
    Png,
}

/// A film that somebody wants of a clip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct FilmRequest {
    /// What is shown.
    pub clip: ClipPart,
    /// How the camera moves.
    pub camera: FilmCamera,
    /// From the character's front towards its left, degrees from −90 to 90.
    #[cfg_attr(feature = "specta", specta(type = i32))]
    pub angle_deg: f32,
    /// `#rrggbb`, of what is behind the character or tints it; `None` is a light grey.
    pub color: Option<String>,
    /// Id of a backdrop; `None` is one colour.
    pub backdrop: Option<String>,
    /// Whether a shadow falls on the floor.
    pub shadow: bool,
    /// Pixels, even, 128 to 3840.
    pub width: u32,
    /// Pixels, even, 128 to 3840.
    pub height: u32,
    /// 24, 25, 30, 50 or 60.
    pub fps: u16,
    /// What it is packed into.
    pub container: FilmFormat,
}
