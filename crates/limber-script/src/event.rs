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

/// The action of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum EventAction {
    /// A named action of the vocabulary.
    Action(ActionName),
    /// A movement without a name of its own, described by a body part and what it does.
    Body {
        /// What the part does.
        verb: Verb,
        /// The part; [`Event::side`] selects left or right.
        part: BodyPart,
    },
}

/// In words, for display: `sit down`, `raise elbow`.
impl fmt::Display for EventAction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(name) => formatter.write_str(&name.as_str().replace('-', " ")),
            Self::Body { verb, part } => write!(formatter, "{verb} {part}"),
        }
    }
}

/// Zero-based index of an event in its script.
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

/// When an event starts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Timing {
    /// After the previous event; for the first event, at the beginning of the clip.
    #[default]
    Then,
    /// Together with an earlier event, while that lasts.
    While(EventIndex),
    /// When an earlier event has reached its main pose, such as a foot touching the floor or a blow
    /// hitting its target.
    AsSoonAs(EventIndex),
    /// On a beat of an earlier rhythmic event, counted from 1.
    OnBeat {
        /// The rhythmic event.
        of: EventIndex,
        /// The number of the beat.
        beat: Count,
    },
}

/// The target of an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// A part of the character's own body, or of the body that it acts on.
    Part {
        /// The part.
        part: BodyPart,
        /// Side of the part.
        side: Option<Side>,
    },
    /// An object in the world.
    Thing {
        /// The object.
        thing: Target,
        /// Size of the object.
        size: Option<SizeClass>,
        /// Distance to the object, metres, or how far away a point is that is meant.
        distance_m: Option<Distance>,
    },
}

/// Something that a body does, with everything that was specified about it. Open fields are `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "EventJson", into = "EventJson")]
pub struct Event {
    /// The action.
    pub deed: EventAction,
    /// When it starts.
    pub timing: Timing,
    /// The later event at whose start this one ends.
    pub until: Option<EventIndex>,
    /// The earlier event that this one continues, for example one that keeps running or holding
    /// something.
    pub continues: Option<EventIndex>,
    /// The side of the body.
    pub side: Option<Side>,
    /// The direction; for reactions, the direction that the cause comes from.
    pub direction: Option<Direction>,
    /// The target.
    pub aim: Option<Aim>,
    /// The object in the hands.
    pub prop: Option<Prop>,
    /// Number of repetitions.
    pub count: Option<Count>,
    /// The tempo of a rhythm.
    pub bpm: Option<BeatsPerMinute>,
    /// How the repetitions are spaced in time.
    pub rhythm: Option<Rhythm>,
    /// Duration, seconds.
    pub seconds: Option<Duration>,
    /// Distance along the ground, metres.
    pub meters: Option<Distance>,
    /// Number of steps.
    pub steps: Option<Count>,
    /// Angle of the turn, degrees.
    pub degrees: Option<Angle>,
    /// Size of the movement; 1 is usual.
    pub size: Option<Factor>,
    /// Height relative to the body.
    pub height: Option<Height>,
    /// Height above the floor, metres.
    pub height_m: Option<Distance>,
    /// Force; 1 is usual.
    pub force: Option<Factor>,
    /// Speed; 1 is usual.
    pub speed: Option<Speed>,
    /// How the speed changes during the event.
    pub speed_curve: Option<SpeedCurve>,
    /// The styles it is performed in, each with its intensity.
    pub manners: BTreeMap<Manner, Intensity>,
    /// The posture in which it is performed.
    pub posture: Option<Posture>,
    /// The posture in which it ends.
    pub posture_after: Option<Posture>,
    /// The path over the ground.
    pub path: Option<Path>,
    /// Body parts that must not move.
    pub still: Vec<BodyPart>,
    /// Actions that must not happen during the event.
    pub avoid: Vec<ActionName>,
}

impl Event {
    /// An event with nothing but its action; all other fields are open.
    #[must_use]
    pub fn new(deed: EventAction) -> Self {
        EventJson::default().into_event(deed, Timing::Then, None)
    }

    /// The same event with its references to other events mapped: those to earlier events by
    /// `earlier`, and the one in `until` by `later`.
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

    /// The references to other events, with the names of their fields.
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
