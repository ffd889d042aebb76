//! How much of the residual is taken.

/// 0 to 1: nothing to all of it.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Strength(f32);

/// A number that is no strength.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("a strength is between 0 and 1, not {0}")]
pub struct NoStrength(pub f32);

impl Strength {
    /// The clip as it is.
    pub const NONE: Self = Self(0.0);
    /// All that the model says, within the limits.
    pub const FULL: Self = Self(1.0);

    /// # Errors
    /// [`NoStrength`] outside 0 to 1, NaN included.
    pub fn new(amount: f32) -> Result<Self, NoStrength> {
        if (0.0..=1.0).contains(&amount) { Ok(Self(amount)) } else { Err(NoStrength(amount)) }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }
}
