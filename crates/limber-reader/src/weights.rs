//! Reads the weights written by training: safetensors with rows quantised to eight bits, one scale
//! per row.

use ndarray::{Array1, Array2, ArrayView1};
use safetensors::{Dtype, SafeTensors};

/// Why weights could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The bytes are not a safetensors file, or the accompanying lists are not valid JSON.
    #[error("the reader's weights cannot be read: {0}")]
    Unreadable(String),
    /// A tensor or a list is missing or does not have the expected shape.
    #[error("the reader's weights are from another version: `{0}` does not match")]
    OtherVersion(&'static str),
}

/// Tensors by name.
pub(crate) struct Weights<'a>(SafeTensors<'a>);

/// A matrix that is read row by row and stays quantised in memory.
pub(crate) struct Rows {
    values: &'static [u8],
    factors: Array1<f32>,
    columns: usize,
}

impl Rows {
    pub(crate) fn count(&self) -> usize {
        self.factors.len()
    }

    /// Returns one row, dequantised.
    pub(crate) fn row(&self, number: usize) -> Array1<f32> {
        let stored = &self.values[number * self.columns..(number + 1) * self.columns];
        stored.iter().map(|byte| f32::from(byte.cast_signed()) * self.factors[number]).collect()
    }
}

/// A linear layer, `x · Wᵀ + b`.
pub(crate) struct Linear {
    /// `W`, with shape (outputs, inputs), as it is stored, so that loading need not transpose it.
    weight: Array2<f32>,
    bias: Array1<f32>,
}

impl Linear {
    /// Applies the layer to every row.
    pub(crate) fn apply(&self, rows: &Array2<f32>) -> Array2<f32> {
        rows.dot(&self.weight.t()) + &self.bias
    }

    /// Applies the layer to one row.
    pub(crate) fn apply_one(&self, row: &ArrayView1<f32>) -> Array1<f32> {
        self.weight.dot(row) + &self.bias
    }
}

/// Layer normalisation.
pub(crate) struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
}

impl Norm {
    pub(crate) fn apply(&self, rows: &mut Array2<f32>) {
        // epsilon of the published encoder
        const LEAST: f32 = 1e-12;
        for mut row in rows.rows_mut() {
            let mean = row.mean().unwrap_or_default();
            row -= mean;
            let spread = (row.dot(&row) / row.len() as f32 + LEAST).sqrt();
            row /= spread;
            row *= &self.weight;
            row += &self.bias;
        }
    }
}

impl Weights<'static> {
    pub(crate) fn read(bytes: &'static [u8]) -> Result<Self, WeightsError> {
        let read = SafeTensors::deserialize(bytes);
        read.map(Self).map_err(|error| WeightsError::Unreadable(error.to_string()))
    }

    /// Reads a vector of 32-bit floats.
    ///
    /// # Errors
    /// If the tensor is missing, of another type or not finite.
    pub(crate) fn numbers(&self, name: &str) -> Result<Array1<f32>, WeightsError> {
        let tensor = self.0.tensor(name).map_err(|_| WeightsError::OtherVersion("numbers"))?;
        if tensor.dtype() != Dtype::F32 {
            return Err(WeightsError::OtherVersion("numbers"));
        }
        let four = tensor.data().chunks_exact(4);
        let values: Array1<f32> =
            four.map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        let is_sound = values.iter().all(|value| value.is_finite());
        is_sound.then_some(values).ok_or(WeightsError::OtherVersion("numbers"))
    }

    /// Reads a quantised matrix that is used row by row.
    ///
    /// # Errors
    /// If the tensor or its scales are missing or do not match.
    pub(crate) fn rows(&self, name: &str) -> Result<Rows, WeightsError> {
        let other = || WeightsError::OtherVersion("rows");
        let tensor = self.0.tensor(name).map_err(|_| other())?;
        let [count, columns] = *tensor.shape() else { return Err(other()) };
        let factors = self.numbers(&format!("{name}.factor"))?;
        if tensor.dtype() != Dtype::I8 || factors.len() != count || columns == 0 {
            return Err(other());
        }
        Ok(Rows { values: tensor.data(), factors, columns })
    }

    /// Reads a linear layer of the given size.
    ///
    /// # Errors
    /// If a tensor is missing or has another shape.
    pub(crate) fn linear(
        &self,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Linear, WeightsError> {
        let rows = self.rows(&format!("{name}.weight"))?;
        let bias = self.numbers(&format!("{name}.bias"))?;
        if rows.columns != inputs || rows.count() != outputs || bias.len() != outputs {
            return Err(WeightsError::OtherVersion("a layer"));
        }
        let mut values = Vec::with_capacity(inputs * outputs);
        for (row, factor) in rows.values.chunks_exact(inputs).zip(&rows.factors) {
            values.extend(row.iter().map(|byte| f32::from(byte.cast_signed()) * factor));
        }
        let weight = Array2::from_shape_vec((outputs, inputs), values);
        let weight = weight.map_err(|_| WeightsError::OtherVersion("a layer"))?;
        Ok(Linear { weight, bias })
    }

    pub(crate) fn norm(&self, name: &str, width: usize) -> Result<Norm, WeightsError> {
        let weight = self.numbers(&format!("{name}.weight"))?;
        let bias = self.numbers(&format!("{name}.bias"))?;
        if weight.len() != width || bias.len() != width {
            return Err(WeightsError::OtherVersion("a norm"));
        }
        Ok(Norm { weight, bias })
    }
}
