//! What is shown besides the bodies.

use crate::Sweep;

/// What is behind the bodies. Colours are sRGB, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Backdrop {
    /// A dark studio with a vignette and a pool of light on the floor.
    Dark,
    /// A light studio.
    Light,
    /// A single colour; the floor is invisible except for the shadow.
    Plain([f32; 3]),
    /// A floor that curves up into a wall.
    Sweep(Sweep),
    /// The image set with [`crate::Stage::set_backdrop_picture`], which fills the frame; no floor.
    Picture,
}

/// Trade-off between rendering time and quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// For the cells of a sheet, at most thumbnail size: the smallest shadow maps and, for bodies
    /// that appear small, coarse meshes.
    Small,
    /// For playback with software rendering: smaller shadow maps, harder shadow edges on bodies,
    /// and, for bodies that appear small, coarse meshes.
    Fast,
    /// For saved images and GPUs: full meshes, however small the image.
    Fine,
}

/// What is shown besides the bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// What is behind the bodies.
    pub backdrop: Backdrop,
    /// Whether bodies cast shadows on the floor and on themselves.
    pub shadow: bool,
    /// Whether the shadow on the floor is visible.
    pub floor_shadow: bool,
    /// Whether the floor has grid lines, one metre apart (or a power of ten of that for very small
    /// and very large bodies).
    pub grid: bool,
    /// Whether the mesh is drawn.
    pub skin: bool,
    /// Whether the skeleton is drawn over the mesh.
    pub bones: bool,
    /// Whether rings on the floor mark foot contacts.
    pub contacts: bool,
    /// Whether the world axes are drawn at the origin.
    pub axes: bool,
    /// Whether dark gradients are dithered by half a step of noise against banding. Turn it off if
    /// the image will be compressed strongly.
    pub dither: bool,
    /// Trade-off between rendering time and quality.
    pub quality: Quality,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            backdrop: Backdrop::Dark,
            shadow: true,
            floor_shadow: true,
            grid: true,
            skin: true,
            bones: false,
            contacts: false,
            axes: false,
            dither: true,
            quality: Quality::Fine,
        }
    }
}
