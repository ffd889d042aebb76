//! Takes and their metadata.

use std::ops::Range;

use limber_animation::Side;
use serde::{Deserialize, Serialize};

/// One uninterrupted recording of a person, with captions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Take {
    /// Display name: the file's name without its extension, followed by the animation's name and a
    /// number if the file holds several.
    pub name: String,
    /// The captions.
    pub captions: Vec<String>,
    /// Number of frames at 30 fps.
    pub frames: usize,
    /// The parts that can be performed.
    pub windows: Vec<Window>,
    /// Byte range of its packed movement within the movement of its file's record.
    pub(crate) packed: Range<usize>,
}

/// A part of a take that shows one action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// The action's name in the vocabulary; of synonyms the main one.
    pub action: String,
    /// The frames of the take.
    pub frames: Range<usize>,
    /// The side that performs the action, if it is one-sided.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "side")]
    pub side: Option<Side>,
    /// Direction of travel relative to the initial heading, degrees: 0 is forward, left is
    /// positive; `None` if it stays within half a metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading_deg: Option<f32>,
    /// Rotation of the body from the first frame to the last, degrees, left positive.
    pub turned_deg: f32,
    /// Distance from the first to the last position, metres.
    pub way_m: f32,
    /// The body's state in the first and in the last frame.
    pub stances: [Stance; 2],
    /// Number of repetitions, if they can be distinguished; 1 otherwise.
    pub count: usize,
    /// The key frame: the impact, the apex or the furthest reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<usize>,
    /// Foot landings during locomotion: frame and foot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landings: Vec<Landing>,
    /// Names of the manners in its caption, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub manners: Vec<String>,
    /// Tempo according to its caption; 1 is usual.
    pub tempo: f32,
    /// Whether the captioned action was recognised in the movement.
    pub seen: Seen,
    /// Quality of the recording.
    pub quality: Quality,
}

/// A foot landing: frame and foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landing(pub usize, #[serde(with = "side_word")] pub Side);

/// State of the body where a window starts or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stance {
    /// Standing on both feet, almost motionless.
    Rest,
    /// Upright and moving.
    Moving,
    /// Sitting, kneeling, lying or in the air.
    Elsewhere,
}

/// Whether a caption was verified against the movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// The movement shows the action.
    Seen,
    /// There is no detector for the action, and the caption is trusted.
    NotMeasured,
}

/// Quality metrics of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quality {
    /// Speed of standing feet before any repair, cm/s.
    pub skate_cm_s: f32,
    /// Mean jerk of the joint positions, m/s³.
    pub jerk_m_s3: f32,
}

/// Serialises sides as `left` and `right`, as in scripts.
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

/// The same for optional sides.
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
    /// The window mirrored, with left and right exchanged.
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
