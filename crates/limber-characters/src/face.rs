//! The animated face: where eyes and mouth are, and how they move.
//!
//! All lengths are in metres of the canonical head, on its left half. The face is modelled with
//! parted lips, so that the mouth has a cavity; [`rest::close`] closes them.

pub mod morphs;
pub mod parts;
pub mod rest;
pub mod shapes;

use glam::Vec3;

use crate::build::{Build, Face, Features};

/// The left eye.
#[derive(Debug, Clone, Copy)]
pub struct Eye {
    /// Centre of the eyeball.
    pub centre: Vec3,
    /// Radius of the eyeball.
    pub radius: f32,
    /// Half the width of the opening between the lids.
    pub half_width: f32,
    /// Half the height of the opening.
    pub half_height: f32,
    /// Height of the opening's centre above the eyeball's.
    pub raised: f32,
}

/// The mouth.
#[derive(Debug, Clone, Copy)]
pub struct Mouth {
    /// Height of the line between the lips, at the centre.
    pub height: f32,
    /// Distance from the centre to a corner.
    pub half_width: f32,
    /// Half the gap between the lips as modelled, at the centre.
    pub parted: f32,
    /// Forward position (z) of the lips.
    pub front: f32,
    /// Fullness of the lips; 1 is average.
    pub lips: f32,
}

/// Positions of the features of an animated face.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The proportions it was computed from.
    pub features: Features,
    /// The left eye.
    pub eye: Eye,
    /// The mouth.
    pub mouth: Mouth,
}

/// Thickness of the lids at their edge.
pub const LID_M: f32 = 0.0030;

/// Gap between eyeball and lid.
pub const GAP_M: f32 = 0.0006;

impl Layout {
    /// Returns the layout of a build's face; `None` if the face is not animated.
    #[must_use]
    pub fn of(build: &Build) -> Option<Self> {
        let Face::Alive(features) = build.face else { return None };
        let radius = 0.0165 * features.eye;
        let grown = features.eye - 1.0;
        let eye = Eye {
            centre: Vec3::new(0.0318 + 0.014 * grown, 1.636 - 0.030 * grown, 0.0868 - radius),
            radius,
            half_width: 0.93 * radius,
            half_height: 0.385 * radius * features.lids,
            raised: -0.0004,
        };
        let mouth = Mouth {
            height: 1.5680,
            half_width: 0.0225 + 0.004 * (features.lips - 1.0),
            parted: 0.0036,
            front: 0.0905,
            lips: features.lips,
        };
        Some(Self { features, eye, mouth })
    }
}

impl Eye {
    /// Returns half the height of the opening between the lids, at the horizontal distance `x` from
    /// its centre.
    #[must_use]
    pub fn half_gap(&self, x: f32) -> f32 {
        let around = x / self.half_width;
        let shell = self.radius + 0.6 * LID_M;
        let mut y = 0.0;
        for _ in 0..3 {
            let forward = (shell * shell - x * x - y * y).max(0.0).sqrt();
            let depth = (forward - self.radius) / (1.1 * self.radius);
            y = self.half_height * (1.0 - around * around - depth * depth).max(0.0).sqrt();
        }
        y
    }

    /// Returns the height at which the closed lids meet, relative to the centre of the opening.
    #[must_use]
    pub fn meeting(&self, x: f32) -> f32 {
        -0.55 * self.half_gap(x)
    }
}

impl Mouth {
    /// Returns half the gap between the lips as modelled, at the horizontal distance `x` from the
    /// centre.
    #[must_use]
    pub fn parted_at(&self, x: f32) -> f32 {
        let around = x / self.half_width;
        self.parted * (1.0 - around * around).max(0.0).sqrt()
    }
}
