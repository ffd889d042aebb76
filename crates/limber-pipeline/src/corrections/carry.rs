//! What becomes of a clip's corrections when the clip is edited: they stay with the frames they were made
//! for. Keys on frames that are made anew stay too, and change what is new there.

use glam::{Quat, Vec3};
use limber_cleanup::Trim;

use super::{
    Correction, CorrectionKey, CorrectionLayer, Corrections, CorrectionsError, Ease, Offset,
    Rotation, shape,
};
use crate::FileRate;

/// A clip that an edit starts from.
#[derive(Debug, Clone, Copy)]
pub struct CarriedPart<'a> {
    /// What was changed by hand in it.
    pub corrections: &'a Corrections,
    /// What those count in, frames per second.
    pub fps: u32,
    /// Frames of the canonical clip, uncut.
    pub frames: usize,
    /// What is cut off, in frames of the canonical clip.
    pub trim: Trim,
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
    let mut layers = first.cut();
    match join {
        Join::Alone => {}
        Join::Rounds(rounds) => {
            let period = frames as f32 / rounds.max(1) as f32;
            for (_, keys) in &mut layers {
                *keys = repeated(keys, period, rounds);
            }
        }
        Join::With(second) => {
            let begins = frames.saturating_sub(second.kept()) as f32;
            layers.extend(second.cut().into_iter().map(|(layer, mut keys)| {
                keys.iter_mut().for_each(|key| key.frame += begins);
                (layer, keys)
            }));
        }
    }
    let counted = layers.into_iter().map(|(layer, keys)| CorrectionLayer {
        name: layer.name.clone(),
        muted: layer.muted,
        keys: counted(keys, frames, FileRate::new(fps)),
    });
    Corrections::new(counted.collect())
}

/// Stops as soon as there are more than a clip may have.
fn repeated(keys: &[Timed], period: f32, rounds: u32) -> Vec<Timed> {
    let rounds = (0..rounds).flat_map(|round| {
        keys.iter()
            .map(move |key| Timed { frame: key.frame + period * round as f32, ..key.clone() })
    });
    rounds.take(Corrections::MOST_KEYS + 1).collect()
}

/// Whole frames at a rate, inside the clip. Of two keys that come to one frame, the later one stays.
fn counted(keys: Vec<Timed>, frames: usize, rate: FileRate) -> Vec<CorrectionKey> {
    let all = rate.nearest_file(frames as f32).max(1);
    let fade = |frames: f32| rate.nearest_file(frames).min(all);
    let mut found: Vec<CorrectionKey> = Vec::with_capacity(keys.len());
    for key in keys {
        let frame = rate.nearest_file(key.frame).min(all - 1);
        let counted = CorrectionKey {
            frame,
            before: fade(key.before),
            after: fade(key.after),
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
        self.frames.saturating_sub(self.trim.left).saturating_sub(self.trim.right)
    }

    /// What is left of each layer, counted from the new beginning.
    fn cut(&self) -> Vec<(&'a CorrectionLayer, Vec<Timed>)> {
        let first = self.trim.left as f32;
        let last = first + self.kept().saturating_sub(1) as f32;
        let rate = FileRate::new(self.fps);
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
                (layer, cut(timed, first, last))
            })
            .collect()
    }
}

fn cut(keys: impl Iterator<Item = Timed>, first: f32, last: f32) -> Vec<Timed> {
    let mut subjects: Vec<Vec<Timed>> = Vec::new();
    for key in keys {
        match subjects.iter_mut().find(|keys| keys[0].what.subject() == key.what.subject()) {
            Some(keys) => keys.push(key),
            None => subjects.push(vec![key]),
        }
    }
    let kept = subjects.into_iter().flat_map(|mut keys| {
        keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        let keys = cut_left(keys, first, Time::Forwards);
        let keys = backwards(cut_left(backwards(keys), -last, Time::Backwards));
        keys.into_iter().map(move |key| Timed { frame: key.frame - first, ..key })
    });
    kept.collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    Forwards,
    Backwards,
}

fn backwards(mut keys: Vec<Timed>) -> Vec<Timed> {
    keys.reverse();
    for key in &mut keys {
        key.frame = -key.frame;
        std::mem::swap(&mut key.before, &mut key.after);
    }
    keys
}

/// Keys about one thing, in order, from `first` on.
fn cut_left(mut keys: Vec<Timed>, first: f32, time: Time) -> Vec<Timed> {
    let stay = keys.split_off(keys.partition_point(|key| key.frame < first));
    let edge = keys.last().and_then(|gone| match stay.first() {
        Some(next) if next.frame == first => None,
        Some(next) if gone.after + next.before > next.frame - gone.frame => {
            Some(on_the_way(gone, next, first, time))
        }
        _ => left_over(gone, first),
    });
    edge.into_iter().chain(stay).collect()
}

/// What one key has become at `first` on its way to the next one.
fn on_the_way(gone: &Timed, next: &Timed, first: f32, time: Time) -> Timed {
    let way = (first - gone.frame) / (next.frame - gone.frame);
    // the way has the shape of the key that comes first
    let share = match time {
        Time::Forwards => shape(gone.ease).gone(way),
        Time::Backwards => 1.0 - shape(next.ease).gone(1.0 - way),
    };
    // a frame more than there are in between, so that it goes over into the next one
    let after = next.frame - first + 1.0;
    let what = between(&gone.what, Some(&next.what), share);
    Timed { frame: first, what, before: 0.0, after, ease: Ease::Smooth }
}

/// What is left of a key at `first`.
fn left_over(gone: &Timed, first: f32) -> Option<Timed> {
    let passed = first - gone.frame;
    let left = shape(gone.ease).left(passed, gone.after);
    (left > 0.0).then(|| Timed {
        frame: first,
        what: between(&gone.what, None, 1.0 - left),
        before: 0.0,
        after: gone.after - passed,
        ease: gone.ease,
    })
}

/// From one change, 0, to another about the same, or to none, 1.
fn between(one: &Correction, other: Option<&Correction>, share: f32) -> Correction {
    match one {
        Correction::Rotate { joint, rotation } => {
            let from = Quat::from_array(rotation.get());
            let to = match other {
                Some(Correction::Rotate { rotation, .. }) => Quat::from_array(rotation.get()),
                _ => Quat::IDENTITY,
            };
            let to = if from.dot(to) < 0.0 { -to } else { to };
            let mixed = Rotation::new(from.slerp(to, share).to_array());
            let rotation = mixed.unwrap_or(*rotation);
            Correction::Rotate { joint: joint.clone(), rotation }
        }
        Correction::Pull { limb, offset } => {
            let to = match other {
                Some(Correction::Pull { offset, .. }) => Vec3::from_array(offset.get()),
                _ => Vec3::ZERO,
            };
            let mixed = Offset::new(Vec3::from_array(offset.get()).lerp(to, share).to_array());
            Correction::Pull { limb: *limb, offset: mixed.unwrap_or(*offset) }
        }
    }
}

#[cfg(test)]
mod tests;
