//! Composed movement in, the same movement a little more like a person's out.
//!
//! ```text
//! clip ─▶ features ─▶ model ─▶ residual ─ limits ─▶ hips, trunk, head, arms ─▶ legs by IK ─▶ clip
//!                     (weights)                    └ arms whose hands are at the body stay ┘
//! ```
//! The model was solved from pairs of recorded people and the script engine doing the same (`training/`
//! in this repository). It says for every frame how a person would hold and time what the clip does: a
//! residual of small turns. Meaning is never its business: feet, way and heading stay as they are, every
//! turn has a limit, and a strength of 0 gives the clip back bit for bit.
//!
//! **Goes in and out:** clips on the canonical skeleton at 30 frames per second. **Never knows:** prompts,
//! files, the clock, threads; the same clip gives the same bits.
#![warn(missing_docs)]

mod apply;
mod features;
mod model;
mod strength;

use limber_animation::{CANONICAL_JOINT_COUNT, Clip, Fps};
pub use model::{Model, ModelError};
pub use strength::{NoStrength, Strength};

/// Why a clip was not naturalised.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NaturaliseError {
    /// The clip is not on the canonical skeleton.
    #[error(
        "only clips on the canonical skeleton can be naturalised, this one has {0} joints; \
         naturalise before carrying it to a character"
    )]
    OtherSkeleton(usize),
    /// The clip has another rate than the model was made for.
    #[error("only clips of 30 frames per second can be naturalised, this one has {0}")]
    OtherRate(Fps),
    /// Somebody asked to stop.
    #[error("naturalising was cancelled")]
    Cancelled,
}

/// Frames that must not change, and whoever may want to stop.
#[derive(Clone, Copy, Default)]
pub struct Constraints<'a> {
    /// Marked frames come back bit for bit; changes fade in and out over some frames beside them. Empty:
    /// every frame may change.
    pub keep: &'a [bool],
    /// Asked now and then; `true` stops.
    pub cancelled: Option<&'a dyn Fn() -> bool>,
}

impl std::fmt::Debug for Constraints<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Constraints").field("keep", &self.keep).finish_non_exhaustive()
    }
}

impl Constraints<'_> {
    fn go_on(&self) -> Result<(), NaturaliseError> {
        match self.cancelled {
            Some(cancelled) if cancelled() => Err(NaturaliseError::Cancelled),
            _ => Ok(()),
        }
    }
}

/// Makes clips more like a person's.
#[derive(Debug, Clone)]
pub struct Naturaliser {
    model: Model,
}

impl Naturaliser {
    /// With a model that was read.
    #[must_use]
    pub const fn new(model: Model) -> Self {
        Self { model }
    }

    /// The clip with this much of the residual. Contacts and faces come along unchanged.
    ///
    /// # Errors
    /// See [`NaturaliseError`].
    pub fn naturalise(
        &self,
        clip: &Clip,
        strength: Strength,
        constraints: &Constraints<'_>,
    ) -> Result<Clip, NaturaliseError> {
        if strength.get() <= 0.0 {
            return Ok(clip.clone());
        }
        constraints.go_on()?;
        let residual = self.residual(clip)?;
        constraints.go_on()?;
        apply::apply(clip, &residual, strength.get(), constraints)
    }

    /// What the model says before limits: per frame the hips' sway (across, up, along the heading;
    /// metres), then a turn vector per body joint (radians).
    ///
    /// # Errors
    /// See [`NaturaliseError`].
    pub fn residual(&self, clip: &Clip) -> Result<Vec<Vec<f32>>, NaturaliseError> {
        if clip.skeleton().len() != CANONICAL_JOINT_COUNT {
            return Err(NaturaliseError::OtherSkeleton(clip.skeleton().len()));
        }
        if clip.fps() != Fps::DEFAULT {
            return Err(NaturaliseError::OtherRate(clip.fps()));
        }
        Ok(self.model.answer(&features::of(clip)))
    }
}
