//! One event of a script.

mod written;

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{
    ActionName, Angle, BeatsPerMinute, BodyPart, Count, Direction, Distance, Duration, Factor,
    Height, Intensity, Manner, Path, Posture, Prop, Rhythm, Script, Side, SizeClass, Speed,
    SpeedCurve, Target, Verb, ranges,
};
use written::EventJson;

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    /// An action of the vocabulary.
    Action(ActionName),
    /// A movement without a name of its own, told by a part of the body and what it does.
    Body {
        /// What the part does.
        verb: Verb,
        /// The part; [`Event::side`] says which of two.
        part: BodyPart,
    },
}

/// In words, for people: `sit down`, `raise elbow`.
impl fmt::Display for Deed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(name) => formatter.write_str(&name.as_str().replace('-', " ")),
            Self::Body { verb, part } => write!(formatter, "{verb} {part}"),
        }
    }
}

/// The place of an event in its script, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct EventIndex(#[schemars(range(max = 59))] pub usize);

impl<'de> Deserialize<'de> for EventIndex {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let last = (Script::MOST_EVENTS - 1) as f64;
        let place = ranges::whole_within(f64::deserialize(from)?, 0.0, last);
        place.map(|place| Self(place as usize)).map_err(de::Error::custom)
    }
}

/// When an event begins.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Timing {
    /// Once the one before it is over; at the beginning of the clip for the first.
    #[default]
    Then,
    /// Together with an earlier one, while that goes on.
    While(EventIndex),
    /// At the moment when an earlier one has reached its main pose: a foot on the floor, a blow at its
    /// mark.
    AsSoonAs(EventIndex),
    /// On a beat of an earlier one with a rhythm, counted from 1.
    OnBeat {
        /// The one with the rhythm.
        of: EventIndex,
        /// Which beat.
        beat: Count,
    },
}

/// What an event is aimed at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// A part of the character's own body, or of the one it acts on.
    Part {
        /// The part.
        part: BodyPart,
        /// Which of two.
        side: Option<Side>,
    },
    /// Something in the world.
    Thing {
        /// What.
        thing: Target,
        /// How large it is.
        size: Option<SizeClass>,
        /// How far away it is, or how far off the point is that is meant.
        distance_m: Option<Distance>,
    },
}

/// Something that a body does, with all that was said about it. What was left open is `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "EventJson", into = "EventJson")]
pub struct Event {
    /// What is done.
    pub deed: Deed,
    /// When it begins.
    pub timing: Timing,
    /// It ends when this later event begins.
    pub until: Option<EventIndex>,
    /// It takes up what this earlier event began: keeps running, still holds.
    pub continues: Option<EventIndex>,
    /// With which side.
    pub side: Option<Side>,
    /// Whereto; for reactions, from where the cause comes.
    pub direction: Option<Direction>,
    /// What it is aimed at.
    pub aim: Option<Aim>,
    /// What is in the hands.
    pub prop: Option<Prop>,
    /// How often.
    pub count: Option<Count>,
    /// The tempo of a rhythm.
    pub bpm: Option<BeatsPerMinute>,
    /// How repetitions follow each other.
    pub rhythm: Option<Rhythm>,
    /// How long.
    pub seconds: Option<Duration>,
    /// How far.
    pub meters: Option<Distance>,
    /// How many steps.
    pub steps: Option<Count>,
    /// By how much to turn.
    pub degrees: Option<Angle>,
    /// How large, 1 is usual.
    pub size: Option<Factor>,
    /// How high, by the body's marks.
    pub height: Option<Height>,
    /// How high above the floor.
    pub height_m: Option<Distance>,
    /// How forceful, 1 is usual.
    pub force: Option<Factor>,
    /// How fast, 1 is usual.
    pub speed: Option<Speed>,
    /// How the speed changes.
    pub speed_curve: Option<SpeedCurve>,
    /// How it is done, and how much so.
    pub manners: BTreeMap<Manner, Intensity>,
    /// The posture it is done in.
    pub posture: Option<Posture>,
    /// The posture it leaves behind.
    pub posture_after: Option<Posture>,
    /// The course over the ground.
    pub path: Option<Path>,
    /// Parts of the body that must stay as they are.
    pub still: Vec<BodyPart>,
    /// Actions that must not happen meanwhile.
    pub avoid: Vec<ActionName>,
}

impl Event {
    /// An event about which nothing else is said.
    #[must_use]
    pub fn new(deed: Deed) -> Self {
        EventJson::default().into_event(deed, Timing::Then, None)
    }

    /// The same speaking of other events: earlier ones, and those until which it lasts.
    pub(crate) fn speaking_of(
        self,
        earlier: impl Fn(EventIndex) -> Option<EventIndex>,
        later: impl Fn(EventIndex) -> Option<EventIndex>,
    ) -> Self {
        let timing = match self.timing {
            Timing::While(other) => earlier(other).map(Timing::While),
            Timing::AsSoonAs(other) => earlier(other).map(Timing::AsSoonAs),
            Timing::OnBeat { of, beat } => earlier(of).map(|of| Timing::OnBeat { of, beat }),
            Timing::Then => None,
        };
        Self {
            timing: timing.unwrap_or_default(),
            continues: self.continues.and_then(earlier),
            until: self.until.and_then(later),
            ..self
        }
    }

    /// The events this one speaks of, by the names of its fields.
    pub(crate) fn references(&self) -> [(&'static str, Option<EventIndex>); 3] {
        let (field, timed) = match self.timing {
            Timing::Then => ("while", None),
            Timing::While(other) => ("while", Some(other)),
            Timing::AsSoonAs(other) => ("as_soon_as", Some(other)),
            Timing::OnBeat { of, .. } => ("beat_of", Some(of)),
        };
        [(field, timed), ("continues", self.continues), ("until", self.until)]
    }
}
