//! Ridge regression on random Fourier features (Rahimi and Recht 2007) of a second of a clip.

use crate::{
    features::INPUTS,
    weights::{Matrix, ModelError, Weights},
};

/// Frames around the one in question that are seen.
const AROUND: [isize; 7] = [-15, -10, -5, 0, 5, 10, 15];
/// How the components themselves and the constant are weighted beside the waves.
const STRAIGHT: f32 = 0.1;
const CONSTANT: f32 = 0.3;

/// What training solved.
#[derive(Debug, Clone)]
pub(crate) struct Ridge {
    mean: Vec<f32>,
    scale: Vec<f32>,
    basis: Matrix,
    waves: Matrix,
    phases: Vec<f32>,
    weights: Matrix,
}

impl Ridge {
    /// One that answers with so many numbers per frame.
    pub(crate) fn read(weights: &Weights<'_>, outputs: usize) -> Result<Self, ModelError> {
        let seen = AROUND.len() * INPUTS;
        let basis = weights.matrix("basis")?;
        let components = basis.columns;
        let waves = weights.matrix("waves")?;
        let many = waves.columns;
        let ridge = Self {
            mean: weights.row("mean", seen)?,
            scale: weights.row("scale", seen)?,
            basis: basis.shaped("basis", [seen, components])?,
            waves: waves.shaped("waves", [components, many])?,
            phases: weights.row("phases", many)?,
            weights: weights
                .matrix("weights")?
                .shaped("weights", [many + components + 1, outputs])?,
        };
        let is_scale = ridge.scale.iter().all(|scale| *scale > 0.0);
        is_scale.then_some(ridge).ok_or(ModelError::OtherVersion("scale"))
    }

    /// What is said of every frame of a clip with these features.
    pub(crate) fn answer(&self, features: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let frames = 0..features.len();
        frames.map(|frame| self.weights.times(&self.lift(features, frame))).collect()
    }

    /// The waves, the components themselves and a constant.
    fn lift(&self, features: &[Vec<f32>], frame: usize) -> Vec<f32> {
        let last = features.len() - 1;
        let around = AROUND
            .iter()
            .flat_map(|away| features[frame.saturating_add_signed(*away).min(last)].iter());
        let normal: Vec<f32> = around
            .zip(self.mean.iter().zip(&self.scale))
            .map(|(value, (mean, scale))| (value - mean) / scale)
            .collect();
        let codes = self.basis.times(&normal);
        let height = (2.0 / self.waves.columns as f32).sqrt();
        let share = STRAIGHT / (self.basis.columns as f32).sqrt();
        let mut lifted = self.waves.times(&codes);
        for (wave, phase) in lifted.iter_mut().zip(&self.phases) {
            *wave = height * (*wave + phase).cos();
        }
        lifted.extend(codes.iter().map(|code| share * code));
        lifted.push(CONSTANT);
        lifted
    }
}
