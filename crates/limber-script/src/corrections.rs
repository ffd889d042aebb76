//! Manual corrections of a finished clip: layers of keys, each of which rotates a joint or offsets
//! a hand or foot around one frame. The clip itself is not changed.
//!
//! Frame numbers are those of the exported clip. [`Corrections::from_json`] reads the JSON form and
//! [`schema`] describes it. Errors name the place: `layers[0].keys[3].frame: 400 is past the clip's
//! last frame 179`.

mod fault;
mod json;

use std::{borrow::Cow, collections::HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use fault::{CorrectionFault, CorrectionsError};
pub use json::schema;

/// All correction layers of a clip, from bottom to top.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "json::Written")]
pub struct Corrections {
    layers: Vec<CorrectionLayer>,
}

/// A layer of keys, muted or active together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionLayer {
    /// The layer's display name: one line of at most 120 characters; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 120))]
    pub name: String,
    /// Whether the layer is muted and has no effect.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
    /// The keys, in any order.
    pub keys: Vec<CorrectionKey>,
}

/// A correction at one frame, with its fade-in and fade-out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorrectionKey {
    /// The frame at which the correction has its full effect.
    pub frame: u32,
    /// The correction.
    pub what: Correction,
    /// Fade-in in frames; 0 means that frames before the key are not changed.
    #[serde(default)]
    pub before: u32,
    /// Fade-out in frames; 0 means that frames after the key are not changed.
    #[serde(default)]
    pub after: u32,
    /// Easing of both fades, and of the blend to the next key of the same joint.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ease: Ease,
}

/// A correction of the movement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Correction {
    /// Rotates a joint further.
    Rotate {
        /// The joint's VRM 1.0 name, for example `leftUpperArm`.
        joint: JointName,
        /// The additional rotation in the joint's local space: a quaternion x, y, z, w.
        rotation: Rotation,
    },
    /// Offsets a hand or foot; IK moves the limb.
    Pull {
        /// The limb whose end is offset.
        limb: PulledLimb,
        /// The offset relative to the direction that the character faces at the key's frame: left,
        /// up, forward; in metres for a body 1.75 m tall.
        offset: Offset,
    },
}

/// The limbs that [`Correction::Pull`] can offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum PulledLimb {
    LeftHand,
    RightHand,
    LeftFoot,
    RightFoot,
}

/// Easing of a correction. All start and end with zero velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Ease {
    /// Smoothstep.
    #[default]
    Smooth,
    /// Minimum jerk: slower at both ends and faster in the middle, as in human reaching.
    Gentle,
    /// Full effect for the first half of the fade, then fades to nothing by its end.
    Hold,
}

/// The name of a joint, which no particular skeleton has to have.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JointName(String);

/// A unit quaternion, x, y, z, w.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f32; 4]", into = "[f32; 4]")]
pub struct Rotation([f32; 4]);

/// An offset to the left, up and forward, metres; each component is at most [`Offset::LONGEST_M`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f32; 3]", into = "[f32; 3]")]
pub struct Offset([f32; 3]);

impl Corrections {
    /// Maximum number of layers of a clip.
    pub const MOST_LAYERS: usize = 100;
    /// Maximum number of keys in all layers together.
    pub const MOST_KEYS: usize = 500;
    /// Maximum number of characters of a layer's name.
    pub const LONGEST_NAME: usize = 120;

    /// Checks the constraints that the types do not enforce.
    ///
    /// # Errors
    /// [`CorrectionsError`] names the place: too many layers or keys, an invalid layer name, or two
    /// different corrections of the same joint at the same frame of a layer.
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

    /// Checks the corrections against a clip of this many frames.
    ///
    /// # Errors
    /// [`CorrectionsError`] names the first key that lies past the end of the clip or whose fade is
    /// longer than the clip.
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

    /// The layers, from bottom to top.
    #[must_use]
    pub fn layers(&self) -> &[CorrectionLayer] {
        &self.layers
    }

    /// Whether there are no layers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Whether the corrections have no effect.
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
    /// What the key affects: keys of one layer with the same subject blend into each other.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::Rotate { joint, .. } => joint.as_str(),
            Self::Pull { limb, .. } => limb.subject(),
        }
    }
}

impl PulledLimb {
    /// A subject that cannot be the name of a joint.
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
    /// Maximum number of characters.
    pub const LONGEST: usize = 60;

    /// A name of 1 to 60 characters without whitespace or control characters.
    ///
    /// # Errors
    /// [`CorrectionFault::JointName`] if it is empty, too long or has other characters.
    pub fn new(name: impl Into<String>) -> Result<Self, CorrectionFault> {
        let name = name.into();
        let fits = (1..=Self::LONGEST).contains(&name.chars().count());
        // pulled limbs have a space in their subject, so that it never equals a joint's name
        if fits && !name.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            Ok(Self(name))
        } else {
            Err(CorrectionFault::JointName)
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Rotation {
    /// Normalises the quaternion.
    ///
    /// # Errors
    /// [`CorrectionFault::NoRotation`] if its length is zero or not finite.
    pub fn new(quaternion: [f32; 4]) -> Result<Self, CorrectionFault> {
        let length = quaternion.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
        // also false for NaN
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
    /// Largest offset along each axis, metres; no body reaches further.
    pub const LONGEST_M: f32 = 3.0;

    /// Checks each component.
    ///
    /// # Errors
    /// [`CorrectionFault::FarOffset`] if a component is longer than [`Self::LONGEST_M`] or NaN.
    pub fn new(metres: [f32; 3]) -> Result<Self, CorrectionFault> {
        // also false for NaN
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
