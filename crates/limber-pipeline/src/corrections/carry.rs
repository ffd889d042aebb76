//! Carries the corrections of a clip over when the clip is edited: they stay with the frames they
//! were made for. Keys on regenerated frames stay too and change the new motion.

use glam::{Quat, Vec3};
use limber_animation::Clip;
use limber_cleanup::{Blend, CorrectionEase, Curve, CurveKey, Trim, facing};

use super::{
    Correction, CorrectionFault, CorrectionKey, CorrectionLayer, Corrections, CorrectionsError,
    Ease, Offset, Rotation, on_frames, shape,
};
use crate::FileRate;

/// A clip that goes into an edit.
#[derive(Debug, Clone, Copy)]
pub struct CarriedPart<'a> {
    /// The manual corrections of the clip.
    pub corrections: &'a Corrections,
    /// The frame rate in which the corrections are counted.
    pub fps: u32,
    /// The facing direction in each frame of the untrimmed clip.
    pub facings: &'a Facings,
    /// The trim, in frames of the canonical clip.
    pub trim: Trim,
}

/// The facing direction of a canonical clip in each frame. Offsets of pulls are relative to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Facings(Vec<Quat>);

impl Facings {
    /// Computes the facing direction in every frame.
    #[must_use]
    pub fn of(clip: &Clip) -> Self {
        Self((0..clip.len()).map(|frame| facing(clip, frame as f32)).collect())
    }

    /// Returns the number of frames of the clip.
    #[must_use]
    pub const fn frames(&self) -> usize {
        self.0.len()
    }

    /// Returns the facing at a whole frame, clamped to the first and last frame.
    fn at(&self, frame: f32) -> Quat {
        self.0[(frame.max(0.0) as usize).min(self.0.len() - 1)]
    }
}

/// How the parts make up the result.
#[derive(Debug, Clone, Copy)]
pub enum Join<'a> {
    /// A single part, once: a trimmed clip, or one with regenerated frames.
    Alone,
    /// A loop with this many repetitions, each followed by the transition back to the start.
    Rounds(u32),
    /// Another clip follows, after a transition or overlapping the end of the first.
    With(CarriedPart<'a>),
}

/// A key in frames of the canonical clip.
#[derive(Debug, Clone)]
struct Timed {
    frame: f32,
    what: Correction,
    before: f32,
    after: f32,
    ease: Ease,
}

/// The range of frames that remains.
struct Cut<'a> {
    first: f32,
    last: f32,
    /// Number of frames over which keys at the ends fade out beyond the range.
    beyond: f32,
    /// Returns the facing of the clip at a frame.
    facing: &'a dyn Fn(f32) -> Quat,
}

/// Returns the corrections of the result of an edit, which has `frames` frames as a canonical clip
/// and counts `fps` frames per second in its files. Keys that are trimmed away leave a key at the
/// new end, with the strength they have there.
///
/// # Errors
/// [`CorrectionsError`] if the total exceeds what a clip may have.
pub fn carried(
    first: CarriedPart<'_>,
    join: Join<'_>,
    frames: usize,
    fps: u32,
) -> Result<Corrections, CorrectionsError> {
    let rate = FileRate::new(fps);
    let layers = match join {
        Join::Alone => first.cut(0.0),
        Join::Rounds(rounds) => {
            let period = frames as f32 / rounds.max(1) as f32;
            let round = first.cut(period - first.kept() as f32);
            check_rounds(&round, rounds, frames, rate)?;
            let going = |keys: Vec<Timed>| go_round(&keys, rounds, frames);
            round.into_iter().map(|(layer, keys)| (layer, going(keys))).collect()
        }
        Join::With(second) => {
            let begins = frames as f32 - second.kept() as f32;
            let between = (begins - first.kept() as f32).abs();
            let mut layers = first.cut(between);
            layers.extend(second.cut(between).into_iter().map(|(layer, mut keys)| {
                keys.iter_mut().for_each(|key| key.frame += begins);
                (layer, keys)
            }));
            layers
        }
    };
    let counted = layers.into_iter().map(|(layer, keys)| CorrectionLayer {
        name: layer.name.clone(),
        muted: layer.muted,
        keys: counted(keys, frames, rate),
    });
    Corrections::new(counted.collect())
}

/// Checks the number of keys of all repetitions before they are created.
fn check_rounds(
    round: &[(&CorrectionLayer, Vec<Timed>)],
    rounds: u32,
    frames: usize,
    rate: FileRate,
) -> Result<(), CorrectionsError> {
    let once: usize = round.iter().map(|(_, keys)| counted(keys.clone(), frames, rate).len()).sum();
    let (found, most) = (once.saturating_mul(rounds as usize), Corrections::MOST_KEYS);
    if found <= most {
        return Ok(());
    }
    let fault = CorrectionFault::TooManyKeys { found, most };
    Err(CorrectionsError { place: "layers".to_owned(), fault })
}

/// Returns the keys of one repetition repeated in all of them. A player that loops the clip shows
/// another repetition before the first and after the last, so keys that reach in from there are
/// added; otherwise the clip would jump at the loop point.
fn go_round(keys: &[Timed], rounds: u32, frames: usize) -> Vec<Timed> {
    let period = frames as f32 / rounds.max(1) as f32;
    let all = (-1..=i64::from(rounds)).flat_map(|round| {
        let begins = period * round as f32;
        keys.iter().map(move |key| Timed { frame: key.frame + begins, ..key.clone() })
    });
    let last = frames.saturating_sub(1) as f32;
    // the facing during the transition is not known yet, so offsets are blended as they are
    let facing = |_| Quat::IDENTITY;
    Cut { first: 0.0, last, beyond: 0.0, facing: &facing }.of(all)
}

/// Converts keys to whole frames at a rate, clamped to the clip. If two keys fall on one frame, the
/// later one wins.
fn counted(keys: Vec<Timed>, frames: usize, rate: FileRate) -> Vec<CorrectionKey> {
    let all = rate.nearest_file(frames as f32).max(1);
    let mut found: Vec<CorrectionKey> = Vec::with_capacity(keys.len());
    for key in keys {
        let frame = rate.nearest_file(key.frame).min(all - 1);
        let counted = CorrectionKey {
            frame,
            before: rate.nearest_file(key.before).min(all),
            after: rate.nearest_file(key.after).min(all),
            what: key.what,
            ease: key.ease,
        };
        let is_same = |known: &&mut CorrectionKey| {
            known.frame == frame && known.what.subject() == counted.what.subject()
        };
        match found.iter_mut().find(is_same) {
            Some(known) => *known = counted,
            None => found.push(counted),
        }
    }
    found
}

impl<'a> CarriedPart<'a> {
    /// Returns the number of frames of the canonical clip that remain.
    const fn kept(&self) -> usize {
        self.facings.frames().saturating_sub(self.trim.left).saturating_sub(self.trim.right)
    }

    /// Returns what remains of each layer, counted from the new start.
    fn cut(&self, beyond: f32) -> Vec<(&'a CorrectionLayer, Vec<Timed>)> {
        let (rate, first) = (FileRate::new(self.fps), self.trim.left as f32);
        let last = first + self.kept().saturating_sub(1) as f32;
        let facing = |frame| self.facings.at(frame);
        let cut = Cut { first, last, beyond, facing: &facing };
        let layers = self.corrections.layers().iter();
        layers
            .map(|layer| {
                let timed = layer.keys.iter().map(|key| Timed {
                    frame: rate.to_canonical(key.frame),
                    what: key.what.clone(),
                    before: rate.to_canonical(key.before),
                    after: rate.to_canonical(key.after),
                    ease: key.ease,
                });
                (layer, cut.of(timed))
            })
            .collect()
    }
}

impl Cut<'_> {
    /// Returns the remaining keys, counted from the first frame of the range.
    fn of(&self, keys: impl Iterator<Item = Timed>) -> Vec<Timed> {
        let mut subjects: Vec<Vec<Timed>> = Vec::new();
        for key in keys {
            match subjects.iter_mut().find(|keys| keys[0].what.subject() == key.what.subject()) {
                Some(keys) => keys.push(key),
                None => subjects.push(vec![key]),
            }
        }
        let kept = subjects.into_iter().flat_map(|mut keys| {
            let [beginning, end] = self.ends(&keys);
            // a key between two frames is on both
            keys.retain(|key| key.frame.ceil() >= self.first && key.frame.floor() <= self.last);
            keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
            beginning.into_iter().chain(keys).chain(end)
        });
        kept.map(|key| Timed { frame: (key.frame - self.first).max(0.0), ..key }).collect()
    }

    /// Returns the keys at both ends of the range that replace trimmed keys of the same joint or
    /// limb.
    fn ends(&self, keys: &[Timed]) -> [Option<Timed>; 2] {
        match &keys[0].what {
            Correction::Rotate { joint, .. } => {
                let turns = curve(keys, |what, _| match what {
                    Correction::Rotate { rotation, .. } => Some(Quat::from_array(rotation.get())),
                    Correction::Pull { .. } => None,
                });
                self.ends_of(&turns, |turn, _| {
                    let rotation = Rotation::new(turn.to_array()).ok()?;
                    Some(Correction::Rotate { joint: joint.clone(), rotation })
                })
            }
            Correction::Pull { limb, .. } => {
                // in world space, because the character may turn between keys
                let pulls = curve(keys, |what, frame| match what {
                    Correction::Pull { offset, .. } => {
                        Some((self.facing)(frame) * Vec3::from_array(offset.get()))
                    }
                    Correction::Rotate { .. } => None,
                });
                self.ends_of(&pulls, |pull, frame| {
                    let told = (self.facing)(frame).inverse() * pull;
                    let most = Vec3::splat(Offset::LONGEST_M);
                    let offset = Offset::new(told.clamp(-most, most).to_array()).ok()?;
                    Some(Correction::Pull { limb: *limb, offset })
                })
            }
        }
    }

    fn ends_of<V: Blend>(
        &self,
        curve: &Curve<V>,
        told: impl Fn(V, f32) -> Option<Correction>,
    ) -> [Option<Timed>; 2] {
        let timed = |key: CurveKey<V>| {
            let CurveKey { frame, value, before, after, ease } = key;
            Some(Timed { frame, what: told(value, frame)?, before, after, ease: word(ease) })
        };
        let (beginning, end) = (curve.first_from(self.first), curve.last_until(self.last));
        [
            beginning.and_then(|key| timed(CurveKey { before: self.beyond, ..key })),
            end.and_then(|key| timed(CurveKey { after: self.beyond, ..key })),
        ]
    }
}

/// Returns the curve through the keys of one joint or limb, with `value` evaluated at each key's
/// frame.
fn curve<V: Blend>(keys: &[Timed], value: impl Fn(&Correction, f32) -> Option<V>) -> Curve<V> {
    let placed = on_frames(keys.iter().map(|key| (key.frame, key)));
    let keys = placed.filter_map(|(frame, key)| {
        let (value, ease) = (value(&key.what, frame)?, shape(key.ease));
        Some(CurveKey { frame, value, before: key.before, after: key.after, ease })
    });
    Curve::new(keys.collect())
}

const fn word(ease: CorrectionEase) -> Ease {
    match ease {
        CorrectionEase::Smooth => Ease::Smooth,
        CorrectionEase::Gentle => Ease::Gentle,
        CorrectionEase::Hold => Ease::Hold,
    }
}

#[cfg(test)]
mod tests;
