//! What becomes of a clip's corrections when the clip is edited: they stay with the frames they were made
//! for. Keys on frames that are made anew stay too, and change what is new there.

use glam::{Quat, Vec3};
use limber_animation::Clip;
use limber_cleanup::{Blend, CorrectionEase, Curve, CurveKey, Trim, facing};

use super::{
    Correction, CorrectionFault, CorrectionKey, CorrectionLayer, Corrections, CorrectionsError,
    Ease, Offset, Rotation, on_frames, shape,
};
use crate::FileRate;

/// A clip that an edit starts from.
#[derive(Debug, Clone, Copy)]
pub struct CarriedPart<'a> {
    /// What was changed by hand in it.
    pub corrections: &'a Corrections,
    /// What those count in, frames per second.
    pub fps: u32,
    /// Which way it faces, uncut.
    pub facings: &'a Facings,
    /// What is cut off, in frames of the canonical clip.
    pub trim: Trim,
}

/// Which way a canonical clip faces in each of its frames: what offsets of pulls are told against.
#[derive(Debug, Clone, PartialEq)]
pub struct Facings(Vec<Quat>);

impl Facings {
    /// Looks at every frame.
    #[must_use]
    pub fn of(clip: &Clip) -> Self {
        Self((0..clip.len()).map(|frame| facing(clip, frame as f32)).collect())
    }

    /// Frames of the clip.
    #[must_use]
    pub const fn frames(&self) -> usize {
        self.0.len()
    }

    /// At a whole frame; what lies outside faces as the first or last frame does.
    fn at(&self, frame: f32) -> Quat {
        self.0[(frame.max(0.0) as usize).min(self.0.len() - 1)]
    }
}

/// How the parts lie in the result.
#[derive(Debug, Clone, Copy)]
pub enum Join<'a> {
    /// There is one, once: what is left of a clip, or the same frames made anew.
    Alone,
    /// It goes round so often, each time with its way back.
    Rounds(u32),
    /// Another follows, after new frames or before the first one ends.
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

/// What is left where a stretch of frames is cut out.
struct Cut<'a> {
    first: f32,
    last: f32,
    /// Frames over which keys at its ends fade into what lies beyond.
    beyond: f32,
    /// Which way the clip faces.
    facing: &'a dyn Fn(f32) -> Quat,
}

/// The corrections of an edit's result, which has `frames` frames as canonical clip and counts `fps` a
/// second in its files. Keys that are cut away leave one at the new end, as large as they are there.
///
/// # Errors
/// [`CorrectionsError`] where together there are more than a clip may have.
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

/// Refuses what would be too many keys before they are made.
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

/// One round's keys in every round. Who plays the clip over and over sees another round before the first and
/// after the last, so what reaches in from there is added: otherwise the clip would jump where it begins
/// again.
fn go_round(keys: &[Timed], rounds: u32, frames: usize) -> Vec<Timed> {
    let period = frames as f32 / rounds.max(1) as f32;
    let all = (-1..=i64::from(rounds)).flat_map(|round| {
        let begins = period * round as f32;
        keys.iter().map(move |key| Timed { frame: key.frame + begins, ..key.clone() })
    });
    let last = frames.saturating_sub(1) as f32;
    // nobody knows yet how the clip turns on its way back: offsets are blended as they are told
    let facing = |_| Quat::IDENTITY;
    Cut { first: 0.0, last, beyond: 0.0, facing: &facing }.of(all)
}

/// Whole frames at a rate, inside the clip. Of two keys that come to one frame, the later one stays.
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
    /// Frames of the canonical clip that are left.
    const fn kept(&self) -> usize {
        self.facings.frames().saturating_sub(self.trim.left).saturating_sub(self.trim.right)
    }

    /// What is left of each layer, counted from the new beginning.
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
    /// The keys that are left, counted from its first frame.
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

    /// The keys that stand at both ends for those about one thing that are cut away there.
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
                // in the clip's own space: the character may turn from key to key
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

/// The curve of keys about one thing, with the value of each where it lies.
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
