//! What is shown beside the bodies.

use crate::Sweep;

/// What is behind the bodies. Colours are sRGB, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Backdrop {
    /// A dark studio, darker towards the corners, with a pool of light on the floor.
    Dark,
    /// A light studio.
    Light,
    /// One colour everywhere; of the floor only the shadow is seen.
    Plain([f32; 3]),
    /// A floor that curves up into a wall.
    Sweep(Sweep),
    /// The picture given to [`crate::Stage::set_backdrop_picture`], filling the frame; no floor.
    Picture,
}

/// How much work goes into a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// For the cells of a sheet, no larger than a thumb: the smallest shadow maps, fewer triangles
    /// where bodies appear small.
    Small,
    /// For playing where the processor draws: smaller shadow maps, harder edges of
    /// shadows on bodies, fewer triangles where bodies appear small.
    Fast,
    /// For pictures that are kept and for graphics hardware: every triangle, however small the picture.
    Fine,
}

/// What is shown beside the bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// What is behind them.
    pub backdrop: Backdrop,
    /// Whether bodies throw a shadow on the floor and on themselves.
    pub shadow: bool,
    /// Whether that on the floor is seen.
    pub floor_shadow: bool,
    /// Lines on the floor, one metre apart (or a power of ten of it for very small and very large
    /// bodies).
    pub grid: bool,
    /// Whether the skin is drawn.
    pub skin: bool,
    /// The skeleton, drawn over the skin.
    pub bones: bool,
    /// Rings on the floor where feet stand.
    pub contacts: bool,
    /// The axes of the world, from its origin.
    pub axes: bool,
    /// Half a step of noise against bands in dark gradients. Off where the picture is packed
    /// tightly afterwards.
    pub dither: bool,
    /// How much work goes in.
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
