//! Corrections by hand, from the words that people and programs write them in to what is done to a clip.
//!
//! A kept clip stays as it was made. Its corrections are applied whenever files are derived from it, before
//! any other stage, so that limits, floor and feet are seen to as usual. Edits of a clip take its
//! corrections along: see [`carried`].

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
    /// Joints that no body has.
    unknown: Vec<String>,
}

impl HandCorrections {
    /// Of a clip whose frames are counted at so many a second.
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

    /// Whether there is nothing to apply, nor anything to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unknown.is_empty() && !self.change_something()
    }

    /// Whether a key is to be applied.
    pub(crate) fn change_something(&self) -> bool {
        !self.layers.is_empty()
    }

    /// The same so many frames later.
    pub(crate) fn shifted(&self, frames: f32) -> Self {
        let mut shifted = self.clone();
        if frames != 0.0 {
            for key in shifted.layers.iter_mut().flat_map(|layer| &mut layer.keys) {
                key.frame += frames;
            }
        }
        shifted
    }

    /// The clip with its corrections.
    pub(crate) fn apply(&self, clip: &Clip) -> Clip {
        if self.change_something() { apply_corrections(clip, &self.layers) } else { clip.clone() }
    }

    /// A kept clip as it is seen with its corrections; to be measured, not to be kept.
    #[must_use]
    pub fn seen(&self, kept: CanonicalClip) -> CanonicalClip {
        CanonicalClip { clip: self.apply(&kept.clip), ..kept }
    }

    /// What to say of joints that a character lacks, each once; without one, of those that no clip moves.
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

/// Keys where the canonical clip has frames. One between two frames is put on both: files at other rates show
/// there what lies in between, which is then all of it. Where several come to one frame, the nearest of them
/// stands last, as the one that counts.
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

/// Kept clips do not know eyes and jaw.
fn is_canonical(joint: HumanBone) -> bool {
    canonical_skeleton().find(joint).is_some()
}

/// `None` of a joint that no body has.
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
