//! Composed movement in, the same movement a little more like a person's out.
//!
//! ```text
//! clip ─▶ features ─▶ model ───▶ + ─ limits ─▶ hips, trunk, head, arms ─▶ legs by IK ─▶ clip
//!      └▶ slow part ─▶ texture ──┘           └ arms whose hands are at the body stay ┘
//!            seed ─▶ noise ┘
//! ```
//! The [`Model`] was solved from pairs of recorded people and the script engine doing the same (`training/`
//! in this repository). It says for every frame how a person would hold and time what the clip does: a
//! residual of small turns. The [`Texture`] adds what people do quickly, as large as theirs and as quick,
//! with a course that is drawn. Meaning is never their business: feet, way and heading stay as they are,
//! every turn has a limit, and a strength of 0 gives the clip back bit for bit.
//!
//! **Goes in and out:** clips on the canonical skeleton at 30 frames per second. **Never knows:** prompts,
//! files, the clock, threads; the same clip and seed give the same bits.
#![warn(missing_docs)]

mod apply;
mod features;
mod model;
mod noise;
mod ridge;
mod strength;
mod texture;
mod weights;

use limber_animation::{CANONICAL_JOINT_COUNT, Clip, Fps, smooth::smoothstep};
pub use model::Model;
pub use strength::{NoStrength, Strength};
pub use texture::Texture;
pub use weights::ModelError;

/// Over so many frames the end is brought to the beginning.
const CLOSING_FRAMES: usize = 20;

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
    /// Whether the last frame goes over into the first: then what changes there is the same at both ends.
    pub closes: bool,
    /// Asked now and then; `true` stops.
    pub cancelled: Option<&'a dyn Fn() -> bool>,
}

impl std::fmt::Debug for Constraints<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Constraints")
            .field("keep", &self.keep)
            .field("closes", &self.closes)
            .finish_non_exhaustive()
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
    texture: Texture,
}

impl Naturaliser {
    /// With what was read.
    #[must_use]
    pub const fn new(model: Model, texture: Texture) -> Self {
        Self { model, texture }
    }

    /// The clip with this much of the residual and of the texture that the seed draws. Contacts and faces
    /// come along unchanged.
    ///
    /// # Errors
    /// See [`NaturaliseError`].
    pub fn naturalise(
        &self,
        clip: &Clip,
        strength: Strength,
        seed: u64,
        constraints: &Constraints<'_>,
    ) -> Result<Clip, NaturaliseError> {
        if strength.get() <= 0.0 {
            return Ok(clip.clone());
        }
        constraints.go_on()?;
        let mut residual = self.residual(clip)?;
        constraints.go_on()?;
        let texture = self.drawn(clip, &|row, column| noise::at(seed, row, column))?;
        for (row, quick) in residual.iter_mut().zip(&texture) {
            row.iter_mut().zip(quick).for_each(|(value, quick)| *value += quick);
        }
        if constraints.closes {
            close(&mut residual);
        }
        constraints.go_on()?;
        apply::apply(clip, &residual, strength.get(), constraints)
    }

    /// What the model says before limits: per frame the hips' sway (across, up, along the heading;
    /// metres), then a turn vector per body joint (radians).
    ///
    /// # Errors
    /// See [`NaturaliseError`].
    pub fn residual(&self, clip: &Clip) -> Result<Vec<Vec<f32>>, NaturaliseError> {
        fits(clip)?;
        Ok(self.model.answer(&features::of(clip)))
    }

    /// The texture before limits that this white noise becomes, in the same numbers, but for the legs'
    /// joints. The noise is asked for by row and column, for 15 rows more than frames at either end.
    ///
    /// # Errors
    /// See [`NaturaliseError`].
    pub fn drawn(
        &self,
        clip: &Clip,
        noise: &dyn Fn(usize, usize) -> f32,
    ) -> Result<Vec<Vec<f32>>, NaturaliseError> {
        fits(clip)?;
        Ok(self.texture.drawn(clip, noise))
    }
}

/// Whether the weights were made for clips like this one.
fn fits(clip: &Clip) -> Result<(), NaturaliseError> {
    if clip.skeleton().len() != CANONICAL_JOINT_COUNT {
        return Err(NaturaliseError::OtherSkeleton(clip.skeleton().len()));
    }
    if clip.fps() != Fps::DEFAULT {
        return Err(NaturaliseError::OtherRate(clip.fps()));
    }
    Ok(())
}

/// Brings the last frames' values to those of the first frame.
fn close(residual: &mut [Vec<f32>]) {
    let Some((first, last)) = residual.first().cloned().zip(residual.last().cloned()) else {
        return;
    };
    let count = residual.len();
    for (frame, row) in residual.iter_mut().enumerate() {
        let before_end = count - 1 - frame;
        let share =
            1.0 - smoothstep(before_end as f32 / CLOSING_FRAMES.min(count - 1).max(1) as f32);
        for (value, (first, last)) in row.iter_mut().zip(first.iter().zip(&last)) {
            *value += share * (first - last);
        }
    }
}
