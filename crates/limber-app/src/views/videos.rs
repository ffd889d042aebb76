//! View models of videos rendered from clips.

use serde::{Deserialize, Serialize};

use super::ClipPart;

view! {
    /// A backdrop for videos.
    struct Backdrop {
        /// Backdrop ID.
        pub id: String,
        /// Display name.
        pub name: String,
        /// A thumbnail as a data URL.
        pub picture: Option<String>,
    }
}

/// Camera modes for videos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum VideoCamera {
    /// Follows the character and keeps the whole body in the frame.
    Cinematic,
    /// Stays fixed and frames the whole clip.
    Fixed,
    /// Close-up of face and chest.
    Face,
}

/// Output formats for videos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum VideoFormat {
    /// MP4 video.
    Mp4,
    /// Animated GIF.
    Gif,
    /// A ZIP archive with one PNG per frame.
    Png,
}

/// A request to render a clip as a video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RenderRequest {
    /// The clip to render.
    pub clip: ClipPart,
    /// The camera mode.
    pub camera: VideoCamera,
    /// Camera angle from the character's front towards its left, degrees from −90 to 90.
    #[cfg_attr(feature = "specta", specta(type = i32))]
    pub angle_deg: f32,
    /// Background colour or backdrop tint as `#rrggbb`; `None` is a light grey.
    pub color: Option<String>,
    /// ID of a backdrop; `None` uses a plain colour.
    pub backdrop: Option<String>,
    /// Whether the character casts a shadow on the floor.
    pub shadow: bool,
    /// Width in pixels: even, 128 to 3840.
    pub width: u32,
    /// Height in pixels: even, 128 to 3840.
    pub height: u32,
    /// Frames per second: 24, 25, 30, 50 or 60.
    pub fps: u16,
    /// The output format.
    pub container: VideoFormat,
}
