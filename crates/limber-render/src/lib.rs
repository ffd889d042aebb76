//! Renders characters and clips on any OpenGL context.
//!
//! A [`Stage`] holds the GPU resources of the characters in a scene. Each draw call takes a
//! [`Scene`]: the position and pose of every character ([`Actor`]), the [`Camera`], and what is
//! shown besides the bodies ([`Look`]). Skinning runs on the GPU, with joint matrices from a
//! texture. Lighting consists of a key light with a soft shadow, a fill and a rim light that turn
//! with the camera so that the body's shape is readable from every side, and sky light.
//!
//! **On screen,** the viewer owns the window and the context and calls [`Stage::draw`]. **Off
//! screen,** [`Offscreen`] creates a context without window or display, and [`Studio`] uses it to
//! render [`thumbnail`]s, [`contact_sheet`]s, [`sprite_sheet`]s and video frames; a [`Shot`]
//! defines how the camera moves, and [`VideoRenderer`] encodes the video.
//!
//! **Conventions.** As in `limber_animation`: right-handed, Y up, metres, floor at y = 0, the
//! character faces +Z. Angles are in radians. Colours in the API are sRGB, 0 to 1; images are 8-bit
//! sRGB with rows from the top.
//!
//! **Out of scope:** windows, files, jobs, the clock. `cgmath` is used in `conversion` only.
#![warn(missing_docs)]

mod body;
mod bounds;
mod camera;
mod coarse;
mod conversion;
mod cover;
mod error;
mod floor;
mod follow;
mod gif;
mod joint_rows;
mod look;
mod numerals;
mod offscreen;
mod overlay;
mod painting;
mod palette;
mod shadow;
mod shapes;
mod sheet;
mod shot;
mod smooth_target;
mod stage;
mod studio;
mod sweep;
mod trail;
mod video;

pub use bounds::{BodyBounds, Bounds};
pub use camera::{Camera, Projection, View};
pub use error::RenderError;
pub use follow::Follow;
pub use gif::gif;
pub use look::{Backdrop, Look, Quality};
pub use offscreen::Offscreen;
pub use painting::Painting;
pub use sheet::{SpriteSheet, contact_sheet, sprite_sheet, thumbnail};
pub use shot::{Shot, ShotKind};
pub use smooth_target::SmoothTarget;
pub use stage::{Actor, Finish, Scene, Stage};
pub use studio::Studio;
pub use sweep::Sweep;
pub use trail::Trail;
pub use video::{
    Container, Scenery, VideoError, VideoFormat, VideoRenderer, VideoSettings, write_video,
};

/// The size of an image in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSize {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl PictureSize {
    /// Maximum length of a side in pixels.
    pub const MAX_SIDE: u32 = 4096;

    /// Creates a size from width and height in pixels. Any value is accepted; rendering checks the
    /// limits.
    #[must_use]
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// Returns the aspect ratio, width over height.
    #[must_use]
    pub fn aspect(self) -> f32 {
        self.width.max(1) as f32 / self.height.max(1) as f32
    }
}
