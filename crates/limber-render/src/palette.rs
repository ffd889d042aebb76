//! The colours of the studios and the lights, in one place, so that screen, thumbnails and video
//! match.

use glam::Vec3;

use crate::{Backdrop, Camera};

/// The sRGB colours of a backdrop, as shader uniforms.
pub(crate) struct Palette {
    /// Colour at the top of the image.
    pub(crate) top: Vec3,
    /// Colour at the bottom of the image.
    pub(crate) bottom: Vec3,
    /// Light added to the floor around the bodies.
    pub(crate) pool: Vec3,
    /// Colour of the grid lines.
    pub(crate) line: Vec3,
    /// Maximum opacity of the grid lines.
    pub(crate) line_strength: f32,
    /// Brightness of the floor in full shadow: 0 is black, 1 is no darkening.
    pub(crate) shade: f32,
    /// Strength of the vignette.
    pub(crate) vignette: f32,
}

impl Palette {
    pub(crate) fn of(backdrop: Backdrop) -> Self {
        match backdrop {
            Backdrop::Dark => Self {
                top: Vec3::new(0.098, 0.106, 0.122),
                bottom: Vec3::new(0.137, 0.149, 0.169),
                pool: Vec3::new(0.125, 0.130, 0.137),
                line: Vec3::new(0.56, 0.62, 0.70),
                line_strength: 0.26,
                shade: 0.22,
                vignette: 0.30,
            },
            Backdrop::Light => Self {
                top: Vec3::new(0.87, 0.885, 0.905),
                bottom: Vec3::new(0.80, 0.815, 0.84),
                pool: Vec3::new(0.06, 0.06, 0.06),
                line: Vec3::new(0.30, 0.34, 0.40),
                line_strength: 0.30,
                shade: 0.55,
                vignette: 0.10,
            },
            Backdrop::Plain(color) => Self {
                top: Vec3::from(color),
                bottom: Vec3::from(color),
                pool: Vec3::ZERO,
                line: Vec3::splat(if Vec3::from(color).element_sum() > 1.5 { 0.0 } else { 1.0 }),
                line_strength: 0.2,
                shade: 0.5,
                vignette: 0.0,
            },
            Backdrop::Picture | Backdrop::Sweep(_) => Self {
                top: Vec3::ZERO,
                bottom: Vec3::ZERO,
                pool: Vec3::ZERO,
                line: Vec3::ZERO,
                line_strength: 0.0,
                shade: 1.0,
                vignette: 0.0,
            },
        }
    }
}

/// Unit vectors from the scene to its lights.
pub(crate) struct Lights {
    /// Fixed in the world, so that the shading of a turning body changes.
    pub(crate) key: Vec3,
    /// Fills the shadows of the key light; turns with the camera.
    pub(crate) fill: Vec3,
    /// Lights the outline from behind; turns with the camera.
    pub(crate) rim: Vec3,
}

impl Lights {
    pub(crate) fn seen_from(camera: &Camera) -> Self {
        let (right, _) = camera.right_and_up();
        let level = Vec3::new(camera.yaw.sin(), 0.0, camera.yaw.cos());
        Self {
            key: Vec3::new(-0.62, 1.25, 0.66).normalize(),
            fill: (level * 0.7 + right * 0.8 + Vec3::Y * 0.25).normalize(),
            rim: (-level * 0.9 + right * 0.45 + Vec3::Y * 0.75).normalize(),
        }
    }
}
