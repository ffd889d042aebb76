//! The model: ridge regression on random Fourier features (Rahimi and Recht 2007) of a second of the clip.

use safetensors::{Dtype, SafeTensors};

use crate::features::{INPUTS, smooth};

/// Numbers per frame that come out.
pub(crate) const OUTPUTS: usize = 3 + 3 * limber_animation::BODY_JOINT_COUNT;
/// Frames around the one in question that are seen.
const AROUND: [isize; 7] = [-15, -10, -5, 0, 5, 10, 15];
/// Deviation of the smoothing of what comes out, frames: a mean has no texture of its own.
const CALM_FRAMES: f32 = 2.0;
/// How the components themselves and the constant are weighted beside the waves.
const STRAIGHT: f32 = 0.1;
const CONSTANT: f32 = 0.3;

/// A matrix by rows.
#[derive(Debug, Clone)]
struct Matrix {
    columns: usize,
    values: Vec<f32>,
}

impl Matrix {
    /// A row vector times the matrix.
    fn times(&self, row: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; self.columns];
        for (factor, own) in row.iter().zip(self.values.chunks_exact(self.columns)) {
            for (sum, value) in sums.iter_mut().zip(own) {
                *sum += factor * value;
            }
        }
        sums
    }
}

/// What training found.
#[derive(Debug, Clone)]
pub struct Model {
    mean: Vec<f32>,
    scale: Vec<f32>,
    basis: Matrix,
    waves: Matrix,
    phases: Vec<f32>,
    weights: Matrix,
}

/// Why bytes are no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The bytes are no file of weights at all.
    #[error("the weights cannot be read: {0}")]
    Unreadable(String),
    /// An array is missing, or has another kind or shape than this program expects.
    #[error("the weights are those of another version: `{0}` does not fit")]
    OtherVersion(&'static str),
}

impl Model {
    /// Reads weights in the safetensors format.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let file = SafeTensors::deserialize(bytes)
            .map_err(|error| ModelError::Unreadable(error.to_string()))?;
        let array = |name: &'static str, rank: usize| -> Result<Matrix, ModelError> {
            let other = || ModelError::OtherVersion(name);
            let tensor = file.tensor(name).map_err(|_| other())?;
            let [.., columns] = *tensor.shape() else { return Err(other()) };
            if tensor.dtype() != Dtype::F16 || tensor.shape().len() != rank || columns == 0 {
                return Err(other());
            }
            let values: Vec<f32> = tensor
                .data()
                .chunks_exact(2)
                .map(|two| half::f16::from_le_bytes([two[0], two[1]]).to_f32())
                .collect();
            let is_sound = values.iter().all(|value| value.is_finite());
            is_sound.then_some(Matrix { columns, values }).ok_or_else(other)
        };
        let model = Self {
            mean: array("mean", 1)?.values,
            scale: array("scale", 1)?.values,
            basis: array("basis", 2)?,
            waves: array("waves", 2)?,
            phases: array("phases", 1)?.values,
            weights: array("weights", 2)?,
        };
        model.check()
    }

    fn check(self) -> Result<Self, ModelError> {
        let seen = AROUND.len() * INPUTS;
        let (components, waves) = (self.basis.columns, self.waves.columns);
        let fits = [
            ("mean", self.mean.len() == seen),
            ("scale", self.scale.len() == seen && self.scale.iter().all(|scale| *scale > 0.0)),
            ("basis", self.basis.values.len() == seen * components),
            ("waves", self.waves.values.len() == components * waves),
            ("phases", self.phases.len() == waves),
            (
                "weights",
                self.weights.columns == OUTPUTS
                    && self.weights.values.len() == (waves + components + 1) * OUTPUTS,
            ),
        ];
        match fits.into_iter().find(|(_, fits)| !fits) {
            Some((name, _)) => Err(ModelError::OtherVersion(name)),
            None => Ok(self),
        }
    }

    /// What is said of every frame of a clip with these features.
    pub(crate) fn answer(&self, features: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let said: Vec<Vec<f32>> = (0..features.len())
            .map(|frame| self.weights.times(&self.lift(features, frame)))
            .collect();
        smooth(&said, CALM_FRAMES)
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
