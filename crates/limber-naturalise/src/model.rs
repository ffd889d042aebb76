//! How people hold themselves and time what they do: the mean residual, by regression.

use crate::{
    features::smooth,
    ridge::Ridge,
    weights::{ModelError, Weights},
};

/// Numbers per frame that come out.
const OUTPUTS: usize = 3 + 3 * limber_animation::BODY_JOINT_COUNT;
/// Deviation of the smoothing of what comes out, frames: a mean has no texture of its own.
const CALM_FRAMES: f32 = 2.0;

/// What training found about posture and timing.
#[derive(Debug, Clone)]
pub struct Model {
    ridge: Ridge,
}

impl Model {
    /// Reads weights in the safetensors format.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Ok(Self { ridge: Ridge::read(&Weights::read(bytes)?, OUTPUTS)? })
    }

    /// What is said of every frame of a clip with these features.
    pub(crate) fn answer(&self, features: &[Vec<f32>]) -> Vec<Vec<f32>> {
        smooth(&self.ridge.answer(features), CALM_FRAMES)
    }
}
