//! The encoder: turns WordPiece tokens into vectors, each in the context of all others.

use ndarray::{Array2, Axis, s};

use crate::weights::{Linear, Norm, Rows, Weights, WeightsError};

/// Width of the hidden state of a token.
pub(crate) const WIDTH: usize = 384;
const HEADS: usize = 12;
const INNER: usize = 1536;
/// The most tokens in one input, including `[CLS]` and `[SEP]`.
pub(crate) const MOST_PIECES: usize = 512;

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    out: Linear,
    out_norm: Norm,
    up: Linear,
    down: Linear,
    norm: Norm,
}

/// The `MiniLM` transformer (Wang et al. 2020), fine-tuned on our corpus.
pub(crate) struct Encoder {
    pieces: Rows,
    places: Rows,
    norm: Norm,
    layers: Vec<Layer>,
}

impl Encoder {
    pub(crate) fn read(
        weights: &Weights<'static>,
        layers: usize,
        pieces: usize,
    ) -> Result<Self, WeightsError> {
        let layer = |number: usize| {
            let linear = |name: &str, inputs, outputs| {
                weights.linear(&format!("encoder.layers.{number}.{name}"), inputs, outputs)
            };
            let norm = |name: &str| weights.norm(&format!("encoder.layers.{number}.{name}"), WIDTH);
            Ok(Layer {
                query: linear("query", WIDTH, WIDTH)?,
                key: linear("key", WIDTH, WIDTH)?,
                value: linear("value", WIDTH, WIDTH)?,
                out: linear("out", WIDTH, WIDTH)?,
                out_norm: norm("out_norm")?,
                up: linear("up", WIDTH, INNER)?,
                down: linear("down", INNER, WIDTH)?,
                norm: norm("norm")?,
            })
        };
        let encoder = Self {
            pieces: weights.rows("encoder.pieces.weight")?,
            places: weights.rows("encoder.places.weight")?,
            norm: weights.norm("encoder.norm", WIDTH)?,
            layers: (0..layers).map(layer).collect::<Result<_, _>>()?,
        };
        if encoder.pieces.count() != pieces || encoder.places.count() < MOST_PIECES {
            return Err(WeightsError::OtherVersion("the vocabulary"));
        }
        Ok(encoder)
    }

    /// Returns the hidden states, one row per token.
    pub(crate) fn encode(&self, pieces: &[usize]) -> Array2<f32> {
        let mut rows = Array2::zeros((pieces.len(), WIDTH));
        for (place, (piece, mut row)) in pieces.iter().zip(rows.rows_mut()).enumerate() {
            row += &self.pieces.row(*piece);
            row += &self.places.row(place);
        }
        self.norm.apply(&mut rows);
        for layer in &self.layers {
            rows = layer.apply(rows);
        }
        rows
    }
}

impl Layer {
    fn apply(&self, rows: Array2<f32>) -> Array2<f32> {
        let mut rows = self.out.apply(&self.seen(&rows)) + rows;
        self.out_norm.apply(&mut rows);
        let mut inner = self.up.apply(&rows);
        inner.mapv_inplace(gelu);
        let mut rows = self.down.apply(&inner) + rows;
        self.norm.apply(&mut rows);
        rows
    }

    /// Multi-head self-attention.
    fn seen(&self, rows: &Array2<f32>) -> Array2<f32> {
        let (query, key, value) =
            (self.query.apply(rows), self.key.apply(rows), self.value.apply(rows));
        let mut seen = Array2::zeros(rows.raw_dim());
        let wide = WIDTH / HEADS;
        for head in 0..HEADS {
            let part = s![.., head * wide..(head + 1) * wide];
            let mut scores = query.slice(part).dot(&key.slice(part).t()) / (wide as f32).sqrt();
            for mut row in scores.axis_iter_mut(Axis(0)) {
                let most = row.fold(f32::NEG_INFINITY, |most, score| most.max(*score));
                row.mapv_inplace(|score| libm::expf(score - most));
                let sum = row.sum();
                row /= sum;
            }
            seen.slice_mut(part).assign(&scores.dot(&value.slice(part)));
        }
        seen
    }
}

/// The GELU activation, x · Φ(x) (Hendrycks and Gimpel 2016).
pub(crate) fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + libm::erff(x * std::f32::consts::FRAC_1_SQRT_2))
}
