//! Character and clip to pictures, on any OpenGL context.
//!
//! A [`Stage`] holds the characters of a scene on the graphics side. Each draw takes a [`Scene`]:
//! where every character stands and in which pose ([`Actor`]), where the [`Camera`] is, and what
//! is shown beside the bodies ([`Look`]). The skin is bent on the graphics side, by a texture of
//! joint matrices; the light is one key light with a soft shadow, a fill and a rim light that turn
//! with the camera so that a body reads from every side, and the sky.
//!
//! **Two ways to a picture.** On screen: the viewer owns window and context and calls
//! [`Stage::draw`]. Off screen: [`Offscreen`] makes a context without window or display, and
//! [`Studio`] on top of it makes [`thumbnail`]s, [`contact_sheet`]s, [`sprite_sheet`]s and the
//! frames of a video; a [`Shot`] says how the camera moves there, and [`Filming`] packs them.
//!
//! **Space.** That of `limber_animation`: right-handed, Y up, metres, floor at y = 0, the character
//! faces +Z. Angles are radians. Colours that callers give are sRGB, 0 to 1; pictures are sRGB,
//! eight bits, rows from the top.
//!
//! **Never knows:** windows, files, jobs, the clock. `cgmath` occurs in `conversion` only.
#![warn(missing_docs)]

mod body;
mod bounds;
mod camera;
mod coarse;
mod conversion;
mod cover;
mod error;
mod film;
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

pub use bounds::{BodyBounds, Bounds};
pub use camera::{Camera, Projection, View};
pub use error::RenderError;
pub use film::{Container, Film, FilmError, Filming, Reel, Scenery, write_reel};
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

/// Width and height of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSize {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl PictureSize {
    /// The longest side that is drawn.
    pub const MAX_SIDE: u32 = 4096;

    /// A size in pixels.
    #[must_use]
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// Width over height.
    #[must_use]
    pub fn aspect(self) -> f32 {
        self.width.max(1) as f32 / self.height.max(1) as f32
    }
}
