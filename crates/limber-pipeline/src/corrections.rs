//! Manual corrections: converts corrections from their serialised form to changes of a clip.
//!
//! A stored clip is never modified. Its corrections are applied each time files are derived from
//! it, before all other stages, so that joint limits, floor and feet are handled as usual. Edits of
//! a clip carry its corrections over: see [`carried`].

mod carry;

use glam::{Quat, Vec3};
use limber_animation::{Character, Clip, HumanBone, Side, Skeleton, canonical_skeleton};
use limber_cleanup::{
    Correction as Change, CorrectionEase, CorrectionKey as Key, CorrectionLayer as Layer,
    PulledLimb as Limb, apply_corrections,
};
use limber_script::Message;

pub use carry::{CarriedPart, Facings, Join, carried};
pub use limber_script::corrections::{
    Correction, CorrectionFault, CorrectionKey, CorrectionLayer, Corrections, CorrectionsError,
    Ease, JointName, Offset, PulledLimb, Rotation, schema,
};

use crate::{CanonicalClip, FileRate};

/// Corrections in frames of the canonical clip, ready to be applied; muted layers are left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HandCorrections {
    layers: Vec<Layer>,
    /// Joint names that no skeleton has.
    unknown: Vec<String>,
}

impl HandCorrections {
    /// Converts corrections whose frames are counted at `fps` frames per second.
    #[must_use]
    pub fn new(corrections: &Corrections, fps: u32) -> Self {
        let rate = FileRate::new(fps);
        let mut by_hand = Self::default();
        for layer in corrections.layers().iter().filter(|layer| !layer.muted) {
            let mut keys = Vec::with_capacity(layer.keys.len());
            for key in &layer.keys {
                let what = change(&key.what);
                if let (None, Correction::Rotate { joint, .. }) = (what, &key.what) {
                    by_hand.unknown.push(joint.as_str().to_owned());
                }
                keys.extend(what.map(|what| Key {
                    frame: rate.to_canonical(key.frame),
                    what,
                    before: rate.to_canonical(key.before),
                    after: rate.to_canonical(key.after),
                    ease: shape(key.ease),
                }));
            }
            let keys = on_frames(keys.into_iter().map(|key: Key| (key.frame, key)));
            let keys: Vec<Key> = keys.map(|(frame, key)| Key { frame, ..key }).collect();
            if !keys.is_empty() {
                by_hand.layers.push(Layer { muted: false, keys });
            }
        }
        by_hand
    }

    /// Whether there is nothing to apply and nothing to warn about.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unknown.is_empty() && !self.change_something()
    }

    /// Whether there are keys to apply.
    pub(crate) fn change_something(&self) -> bool {
        !self.layers.is_empty()
    }

    /// Returns the corrections shifted by a number of frames; positive is later.
    pub(crate) fn shifted(&self, frames: f32) -> Self {
        let mut shifted = self.clone();
        if frames != 0.0 {
            for key in shifted.layers.iter_mut().flat_map(|layer| &mut layer.keys) {
                key.frame += frames;
            }
        }
        shifted
    }

    /// Returns the clip with the corrections applied.
    pub(crate) fn apply(&self, clip: &Clip) -> Clip {
        if self.change_something() { apply_corrections(clip, &self.layers) } else { clip.clone() }
    }

    /// Returns a stored clip with the corrections applied, for measurements; do not store it.
    #[must_use]
    pub fn seen(&self, kept: CanonicalClip) -> CanonicalClip {
        CanonicalClip { clip: self.apply(&kept.clip), ..kept }
    }

    /// Returns a warning for each corrected joint that a character lacks; without a character, for
    /// each joint that canonical clips do not move.
    #[must_use]
    pub fn missing_on(&self, character: Option<&Character>) -> Vec<Message> {
        let canonical = canonical_skeleton();
        self.missing_in(character.map_or(&canonical, |character| &character.skeleton))
    }

    fn missing_in(&self, skeleton: &Skeleton) -> Vec<Message> {
        let keys = self.layers.iter().flat_map(|layer| &layer.keys);
        let lacking = keys.filter_map(|key| match key.what {
            Change::Rotate { joint, .. } => {
                let has = skeleton.find(joint).is_some() && is_canonical(joint);
                (!has).then(|| joint.name().to_owned())
            }
            Change::Pull { .. } => None,
        });
        let mut named: Vec<String> = Vec::new();
        for joint in self.unknown.iter().cloned().chain(lacking) {
            if !named.contains(&joint) {
                named.push(joint);
            }
        }
        named.into_iter().map(|joint| Message::CorrectedJointMissing { joint }).collect()
    }
}

/// Moves keys to whole frames of the canonical clip. A key between two frames is put on both,
/// because files at other rates interpolate between them and then show it in full. If several keys
/// fall on one frame, the nearest comes last and wins.
fn on_frames<K: Clone>(keys: impl Iterator<Item = (f32, K)>) -> impl Iterator<Item = (f32, K)> {
    let mut placed: Vec<(f32, f32, K)> = Vec::new();
    for (frame, key) in keys {
        let [earlier, later] = [frame.floor(), frame.ceil()];
        placed.push((frame - earlier, earlier, key.clone()));
        if later != earlier {
            placed.push((later - frame, later, key));
        }
    }
    placed.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    placed.into_iter().map(|(_, frame, key)| (frame, key))
}

/// Whether canonical clips move a joint; they do not move eyes and jaw.
fn is_canonical(joint: HumanBone) -> bool {
    canonical_skeleton().find(joint).is_some()
}

/// Converts a correction; `None` if no skeleton has its joint.
fn change(what: &Correction) -> Option<Change> {
    Some(match what {
        Correction::Rotate { joint, rotation } => Change::Rotate {
            joint: HumanBone::from_name(joint.as_str())?,
            rotation: Quat::from_array(rotation.get()),
        },
        Correction::Pull { limb, offset } => Change::Pull {
            limb: match limb {
                PulledLimb::LeftHand => Limb::Hand(Side::Left),
                PulledLimb::RightHand => Limb::Hand(Side::Right),
                PulledLimb::LeftFoot => Limb::Foot(Side::Left),
                PulledLimb::RightFoot => Limb::Foot(Side::Right),
            },
            offset: Vec3::from_array(offset.get()),
        },
    })
}

const fn shape(ease: Ease) -> CorrectionEase {
    match ease {
        Ease::Smooth => CorrectionEase::Smooth,
        Ease::Gentle => CorrectionEase::Gentle,
        Ease::Hold => CorrectionEase::Hold,
    }
}

#[cfg(test)]
mod tests;
