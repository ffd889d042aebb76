//! Takes, and what is known of them.

use std::ops::Range;

use limber_animation::Side;
use serde::{Deserialize, Serialize};

/// One uninterrupted recording of a person with its captions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Take {
    /// What people call it: the file's name without its ending, with the animation's name and a number where the file
    /// holds several.
    pub name: String,
    /// What somebody said about it.
    pub captions: Vec<String>,
    /// How many frames it has, at 30 a second.
    pub frames: usize,
    /// What can be performed with it.
    pub windows: Vec<Window>,
    /// Where its movement begins in the record of its file, and how long it is there, bytes.
    pub(crate) packed: Range<usize>,
}

/// A part of a take that shows one action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// The action's name in the vocabulary; of several words for one movement the first.
    pub action: String,
    /// Which frames of the take.
    pub frames: Range<usize>,
    /// The limb that does it, where one does.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "side")]
    pub side: Option<Side>,
    /// Whereto it goes, seen from how the body faces at the beginning: degrees, 0 forward, left positive; `None` where
    /// it stays within half a metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading_deg: Option<f32>,
    /// By how much the body turns from the beginning to the end, degrees, left positive.
    pub turned_deg: f32,
    /// The way from the beginning to the end, metres.
    pub way_m: f32,
    /// How the body is at the beginning and at the end.
    pub stances: [Stance; 2],
    /// How often it is done, where repetitions can be told apart; 1 otherwise.
    pub count: usize,
    /// The moment it is about: the blow, the apex, the farthest reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<usize>,
    /// When feet come down, where the body goes on foot: frame, and which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landings: Vec<Landing>,
    /// Manners that its caption tells, by name, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub manners: Vec<String>,
    /// How fast its caption says it is; 1 is usual.
    pub tempo: f32,
    /// Whether what the caption says was found in the movement.
    pub seen: Seen,
    /// How clean the recording is.
    pub quality: Quality,
}

/// A foot comes down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landing(pub usize, #[serde(with = "side_word")] pub Side);

/// How the body is where a window begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// Upright on both feet, and hardly moving.
    Rest,
    /// Upright, in the middle of something.
    Moving,
    /// Sitting, kneeling, lying, or in the air.
    Elsewhere,
}

/// Whether a caption was checked against the movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// The movement shows it.
    Seen,
    /// There is no measure for this action; the caption is believed.
    NotMeasured,
}

/// How clean a recording is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quality {
    /// How fast standing feet slide before anything is mended, cm/s.
    pub skate_cm_s: f32,
    /// The mean third derivative of joints' places, m/s³.
    pub jerk_m_s3: f32,
}

/// `left` and `right`, as scripts write them.
mod side_word {
    use limber_animation::Side;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(side: &Side, to: S) -> Result<S::Ok, S::Error> {
        match side {
            Side::Left => "left",
            Side::Right => "right",
        }
        .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Side, D::Error> {
        match String::deserialize(from)?.as_str() {
            "left" => Ok(Side::Left),
            "right" => Ok(Side::Right),
            other => Err(D::Error::unknown_variant(other, &["left", "right"])),
        }
    }
}

/// The same where there may be none.
mod side {
    use limber_animation::Side;
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    struct Word(#[serde(with = "super::side_word")] Side);

    pub(super) fn serialize<S: Serializer>(side: &Option<Side>, to: S) -> Result<S::Ok, S::Error> {
        match side {
            Some(side) => super::side_word::serialize(side, to),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Side>, D::Error> {
        Ok(Option::<Word>::deserialize(from)?.map(|word| word.0))
    }
}

impl Window {
    /// The same in the mirror: left is right.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirror = self.clone();
        mirror.side = self.side.map(Side::opposite);
        mirror.heading_deg = self.heading_deg.map(|heading| -heading);
        mirror.turned_deg = -self.turned_deg;
        for landing in &mut mirror.landings {
            landing.1 = landing.1.opposite();
        }
        mirror
    }
}
