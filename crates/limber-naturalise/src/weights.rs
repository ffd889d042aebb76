//! Reading what training wrote: half floats in the safetensors format.

use safetensors::{Dtype, SafeTensors};

/// Why bytes are no weights.
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

/// A matrix by rows.
#[derive(Debug, Clone)]
pub(crate) struct Matrix {
    pub(crate) columns: usize,
    pub(crate) values: Vec<f32>,
}

impl Matrix {
    /// A row vector times the matrix.
    pub(crate) fn times(&self, row: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; self.columns];
        for (factor, own) in row.iter().zip(self.values.chunks_exact(self.columns)) {
            for (sum, value) in sums.iter_mut().zip(own) {
                *sum += factor * value;
            }
        }
        sums
    }

    /// Itself when it has this shape.
    pub(crate) fn shaped(
        self,
        name: &'static str,
        [rows, columns]: [usize; 2],
    ) -> Result<Self, ModelError> {
        let fits = self.columns == columns && self.values.len() == rows * columns;
        fits.then_some(self).ok_or(ModelError::OtherVersion(name))
    }
}

/// Arrays by their names.
pub(crate) struct Weights<'a>(SafeTensors<'a>);

impl<'a> Weights<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, ModelError> {
        let read = SafeTensors::deserialize(bytes);
        read.map(Self).map_err(|error| ModelError::Unreadable(error.to_string()))
    }

    /// A matrix of finite numbers; an array of one dimension is one row.
    pub(crate) fn matrix(&self, name: &'static str) -> Result<Matrix, ModelError> {
        let other = || ModelError::OtherVersion(name);
        let tensor = self.0.tensor(name).map_err(|_| other())?;
        let ([columns] | [_, columns]) = *tensor.shape() else { return Err(other()) };
        if tensor.dtype() != Dtype::F16 || columns == 0 {
            return Err(other());
        }
        let values: Vec<f32> = tensor
            .data()
            .chunks_exact(2)
            .map(|two| half::f16::from_le_bytes([two[0], two[1]]).to_f32())
            .collect();
        let is_sound = values.iter().all(|value| value.is_finite());
        is_sound.then_some(Matrix { columns, values }).ok_or_else(other)
    }

    /// So many numbers in a row.
    pub(crate) fn row(&self, name: &'static str, length: usize) -> Result<Vec<f32>, ModelError> {
        Ok(self.matrix(name)?.shaped(name, [1, length])?.values)
    }
}
