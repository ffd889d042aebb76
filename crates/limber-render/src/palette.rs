//! The colours of the studios, and the lights. One place, so that screen, cards and video agree.

use glam::Vec3;

use crate::{Backdrop, Camera};

/// sRGB colours of a backdrop, as the shaders want them.
pub(crate) struct Palette {
    /// At the top of the picture.
    pub(crate) top: Vec3,
    /// At the bottom of the picture.
    pub(crate) bottom: Vec3,
    /// Added on the floor around the bodies.
    pub(crate) pool: Vec3,
    /// Grid lines are drawn towards this colour.
    pub(crate) line: Vec3,
    /// How strong lines are at most.
    pub(crate) line_strength: f32,
    /// How dark the floor gets in full shadow: 0 black, 1 as if there were none.
    pub(crate) shade: f32,
    /// How much the corners darken.
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
    /// The sun of the studio; stands still in the world, so that a turning body is lit anew.
    pub(crate) key: Vec3,
    /// Softens the key's dark side; goes with the camera.
    pub(crate) fill: Vec3,
    /// Draws the outline from behind; goes with the camera.
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
