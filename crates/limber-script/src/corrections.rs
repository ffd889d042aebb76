//! What an animator changes by hand in a finished clip: layers of keys, each of which turns a joint or
//! pulls a hand or foot around one frame. The clip itself stays as it was made.
//!
//! Frames are those of the clip's files. The JSON form is read by [`Corrections::from_json`] and described
//! by [`schema`]; what does not fit is told with its place: `layers[0].keys[3].frame: 400 is past the
//! clip's last frame 179`.

mod fault;
mod json;

use std::{borrow::Cow, collections::HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use fault::{CorrectionFault, CorrectionsError};
pub use json::schema;

/// All layers of a clip, from the lowest to the topmost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "json::Written")]
pub struct Corrections {
    layers: Vec<CorrectionLayer>,
}

/// Keys that are shown and hidden together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionLayer {
    /// What the animator calls it: one line of at most 120 characters, or nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 120))]
    pub name: String,
    /// Whether it changes nothing for now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
    /// In any order.
    pub keys: Vec<CorrectionKey>,
}

/// One change at one frame, and how it fades before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionKey {
    /// The frame at which the change is whole.
    pub frame: u32,
    /// What is changed.
    pub what: Correction,
    /// Frames over which the change comes; none changes this frame alone.
    #[serde(default)]
    pub before: u32,
    /// Frames over which the change goes again.
    #[serde(default)]
    pub after: u32,
    /// The shape of both, and of the way to the next key of the same joint.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ease: Ease,
}

/// What is changed about the movement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Correction {
    /// A joint turns further.
    Rotate {
        /// The joint's VRM 1.0 name, for example `leftUpperArm`.
        joint: JointName,
        /// By how much, in the joint's own space: a quaternion x, y, z, w.
        rotation: Rotation,
    },
    /// A hand or foot is elsewhere.
    Pull {
        /// The limb that is pulled.
        limb: PulledLimb,
        /// How far, as the character faces at the key's frame: to its left, up, forward; metres on a body
        /// 1.75 m tall.
        offset: Offset,
    },
}

/// What a [`Correction::Pull`] pulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it all")]
pub enum PulledLimb {
    LeftHand,
    RightHand,
    LeftFoot,
    RightFoot,
}

/// How a change comes and goes. All begin and end without a jolt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Ease {
    /// Evenly.
    #[default]
    Smooth,
    /// More slowly at both ends, faster in the middle, as hands reach.
    Gentle,
    /// Whole for the first half, gone by the end.
    Hold,
}

/// The name of a joint, which need not be one of any body.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JointName(String);

/// A unit quaternion, x, y, z, w.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f32; 4]", into = "[f32; 4]")]
pub struct Rotation([f32; 4]);

/// A way to the left, up and forward, metres; none is longer than [`Offset::LONGEST_M`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f32; 3]", into = "[f32; 3]")]
pub struct Offset([f32; 3]);

impl Corrections {
    /// So many layers a clip may have.
    pub const MOST_LAYERS: usize = 100;
    /// So many keys all layers together may have.
    pub const MOST_KEYS: usize = 500;
    /// So many characters a layer's name may have.
    pub const LONGEST_NAME: usize = 120;

    /// Looks at what types cannot rule out.
    ///
    /// # Errors
    /// [`CorrectionsError`] names the place: too many layers or keys, a name that is none, two keys of one
    /// layer that say something different of one joint at one frame.
    pub fn new(layers: Vec<CorrectionLayer>) -> Result<Self, CorrectionsError> {
        if layers.len() > Self::MOST_LAYERS {
            let (found, most) = (layers.len(), Self::MOST_LAYERS);
            return Err(CorrectionsError::at(
                "layers",
                CorrectionFault::TooManyLayers { found, most },
            ));
        }
        let found = layers.iter().map(|layer| layer.keys.len()).sum();
        if found > Self::MOST_KEYS {
            let most = Self::MOST_KEYS;
            return Err(CorrectionsError::at(
                "layers",
                CorrectionFault::TooManyKeys { found, most },
            ));
        }
        for (place, layer) in layers.iter().enumerate() {
            if let Some(fault) = name_fault(&layer.name) {
                return Err(CorrectionsError::at(format!("layers[{place}].name"), fault));
            }
            said_once(place, layer)?;
        }
        Ok(Self { layers })
    }

    /// Holds them against a clip of so many frames.
    ///
    /// # Errors
    /// [`CorrectionsError`] names the first key that lies beyond its end, or fades for longer than it is.
    pub fn check_within(&self, frames: u32) -> Result<(), CorrectionsError> {
        for (place, layer) in self.layers.iter().enumerate() {
            for (number, key) in layer.keys.iter().enumerate() {
                let at = |field: &str, fault| {
                    CorrectionsError::at(format!("layers[{place}].keys[{number}].{field}"), fault)
                };
                if key.frame >= frames {
                    let (frame, last) = (key.frame, frames.saturating_sub(1));
                    return Err(at("frame", CorrectionFault::PastEnd { frame, last }));
                }
                for (field, found) in [("before", key.before), ("after", key.after)] {
                    if found > frames {
                        return Err(at(field, CorrectionFault::LongFade { found, most: frames }));
                    }
                }
            }
        }
        Ok(())
    }

    /// From the lowest to the topmost.
    #[must_use]
    pub fn layers(&self) -> &[CorrectionLayer] {
        &self.layers
    }

    /// Whether there is no layer at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Whether no key changes anything.
    #[must_use]
    pub fn change_nothing(&self) -> bool {
        self.layers.iter().all(|layer| layer.muted || layer.keys.is_empty())
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn name_fault(name: &str) -> Option<CorrectionFault> {
    let found = name.chars().count();
    let most = Corrections::LONGEST_NAME;
    if found > most {
        return Some(CorrectionFault::LongName { found, most });
    }
    name.chars().any(char::is_control).then_some(CorrectionFault::ControlCharacter)
}

fn said_once(place: usize, layer: &CorrectionLayer) -> Result<(), CorrectionsError> {
    let mut known = HashMap::new();
    for (number, key) in layer.keys.iter().enumerate() {
        if let Some(other) = known.insert((key.what.subject(), key.frame), number) {
            let place = format!("layers[{place}].keys[{number}]");
            let subject = key.what.subject().to_owned();
            let fault = CorrectionFault::SaidTwice { subject, frame: key.frame, other };
            return Err(CorrectionsError::at(place, fault));
        }
    }
    Ok(())
}

impl Correction {
    /// What it is about: keys of one layer with the same subject go over into each other.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::Rotate { joint, .. } => joint.as_str(),
            Self::Pull { limb, .. } => limb.subject(),
        }
    }
}

impl PulledLimb {
    /// Unlike that of any joint.
    const fn subject(self) -> &'static str {
        match self {
            Self::LeftHand => "pull leftHand",
            Self::RightHand => "pull rightHand",
            Self::LeftFoot => "pull leftFoot",
            Self::RightFoot => "pull rightFoot",
        }
    }
}

impl JointName {
    /// So many characters it may have.
    pub const LONGEST: usize = 60;

    /// Letters, digits and what stands between them in names of joints.
    ///
    /// # Errors
    /// [`CorrectionFault::JointName`].
    pub fn new(name: impl Into<String>) -> Result<Self, CorrectionFault> {
        let name = name.into();
        let fits = (1..=Self::LONGEST).contains(&name.chars().count());
        // a space is left to what is pulled, so that no joint is taken for it
        if fits && !name.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            Ok(Self(name))
        } else {
            Err(CorrectionFault::JointName)
        }
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Rotation {
    /// Brings the quaternion to unit length.
    ///
    /// # Errors
    /// [`CorrectionFault::NoRotation`] where it has none.
    pub fn new(quaternion: [f32; 4]) -> Result<Self, CorrectionFault> {
        let length = quaternion.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
        // also false for what is no number
        if length.is_finite() && length > 1e-6 {
            Ok(Self(quaternion.map(|part| (f64::from(part) / length) as f32)))
        } else {
            Err(CorrectionFault::NoRotation)
        }
    }

    /// x, y, z, w.
    #[must_use]
    pub const fn get(self) -> [f32; 4] {
        self.0
    }
}

impl Offset {
    /// Further nobody reaches.
    pub const LONGEST_M: f32 = 3.0;

    /// Checks each direction.
    ///
    /// # Errors
    /// [`CorrectionFault::FarOffset`].
    pub fn new(metres: [f32; 3]) -> Result<Self, CorrectionFault> {
        // also false for what is no number
        let fits = metres.iter().all(|part| part.abs() <= Self::LONGEST_M);
        if fits { Ok(Self(metres)) } else { Err(CorrectionFault::FarOffset) }
    }

    /// Left, up, forward.
    #[must_use]
    pub const fn get(self) -> [f32; 3] {
        self.0
    }
}

macro_rules! checked {
    ($($name:ident of $kind:ty, $word:literal, $schema:tt;)+) => {$(
        impl TryFrom<$kind> for $name {
            type Error = CorrectionFault;

            fn try_from(value: $kind) -> Result<Self, CorrectionFault> {
                Self::new(value)
            }
        }

        impl From<$name> for $kind {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $word.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    )+};
}

checked! {
    JointName of String, "JointName", { "type": "string", "minLength": 1, "maxLength": 60 };
    Rotation of [f32; 4], "Rotation",
        { "type": "array", "items": { "type": "number" }, "minItems": 4, "maxItems": 4 };
    Offset of [f32; 3], "Offset", {
        "type": "array", "items": { "type": "number", "minimum": -3, "maximum": 3 },
        "minItems": 3, "maxItems": 3
    };
}

#[cfg(test)]
mod tests;
