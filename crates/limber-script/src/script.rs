//! Scripts: events in order, and how the clip starts and ends.

use std::collections::BTreeMap;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{ClipEnds, Event, EventIndex, words};

/// How a clip starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Standing at ease, followed by a transition into the first event.
    #[default]
    Idle,
    /// In the first pose of the first event, without a lead-in.
    Action,
}

impl Start {
    /// All values.
    pub const ALL: [Self; 2] = [Self::Idle, Self::Action];

    /// The name in JSON and text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Action => "action",
        }
    }
}

/// How a clip ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Returning to standing at ease.
    #[default]
    Idle,
    /// Holding the last pose.
    Hold,
    /// In the middle of the last event.
    Action,
}

impl End {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Idle, Self::Hold, Self::Action];

    /// The name in JSON and text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Hold => "hold",
            Self::Action => "action",
        }
    }
}

/// A motion script: events on a timeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ScriptJson")]
pub struct Script {
    version: Version,
    /// In order of their start unless their timing says otherwise; never empty.
    events: Vec<Event>,
    #[serde(skip_serializing_if = "is_default")]
    start: Start,
    #[serde(skip_serializing_if = "is_default")]
    end: End,
    #[serde(rename = "loop", skip_serializing_if = "is_default")]
    is_loop: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The version number of the script format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "u32")]
pub(crate) struct Version;

impl Version {
    const NUMBER: u32 = 2;
}

impl From<Version> for u32 {
    fn from(_: Version) -> Self {
        Version::NUMBER
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(from)?;
        if number == f64::from(Self::NUMBER) {
            return Ok(Self);
        }
        let known = Self::NUMBER;
        let told = format!("version {number} is unknown; this program reads version {known}");
        Err(de::Error::custom(told))
    }
}

impl JsonSchema for Version {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": Self::NUMBER, "maximum": Self::NUMBER })
    }
}

/// Why a script is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", if place.is_empty() { String::new() } else { format!("{place}: ") })]
pub struct ScriptError {
    /// The place, such as `events[2].count`; empty if the error is about the whole script.
    pub place: String,
    /// What is wrong there.
    pub reason: String,
}

impl ScriptError {
    pub(crate) fn new(place: impl Into<String>, reason: &dyn std::fmt::Display) -> Self {
        Self { place: place.into(), reason: reason.to_string() }
    }
}

impl Script {
    /// Maximum number of events.
    pub const MOST_EVENTS: usize = 60;
    /// Maximum length of a title in characters; events that would exceed it are left out.
    const LONGEST_TITLE: usize = 200;

    /// A script of these events, starting and ending at ease.
    ///
    /// # Errors
    /// [`ScriptError`] if there are no events or too many, or if an event refers to one that it
    /// cannot refer to.
    pub fn new(events: Vec<Event>) -> Result<Self, ScriptError> {
        if events.is_empty() {
            return Err(ScriptError::new("events", &"there are none"));
        }
        if events.len() > Self::MOST_EVENTS {
            let reason = format!("{} are more than {}", events.len(), Self::MOST_EVENTS);
            return Err(ScriptError::new("events", &reason));
        }
        for (index, event) in events.iter().enumerate() {
            for (field, other) in event.references() {
                let Some(EventIndex(other)) = other else { continue };
                let fault = match field {
                    "until" if other <= index => "is not a later event",
                    "until" if other < events.len() => continue,
                    _ if other < index => continue,
                    "until" => "is not an event of this script",
                    _ => "is not an earlier event",
                };
                let place = format!("events[{index}].{field}");
                return Err(ScriptError::new(place, &format!("{other} {fault}")));
            }
        }
        let (start, end) = (Start::default(), End::default());
        Ok(Self { version: Version, events, start, end, is_loop: false })
    }

    /// The script with another start and end.
    #[must_use]
    pub fn with_ends(self, start: Start, end: End) -> Self {
        Self { start, end, ..self }
    }

    /// The script with looping set to `is_loop`.
    #[must_use]
    pub fn with_loop(self, is_loop: bool) -> Self {
        Self { is_loop, ..self }
    }

    /// Removes events that other events already include, given as a map from removed event to the
    /// one that includes it. References to a removed event then refer to the including event, or
    /// are dropped where that is not possible.
    ///
    /// # Errors
    /// [`ScriptError`] if no event is left.
    pub fn without(self, held: &BTreeMap<EventIndex, EventIndex>) -> Result<Self, ScriptError> {
        let is_gone = |index: usize| held.contains_key(&EventIndex(index));
        let place = |index: usize| index - held.range(..EventIndex(index)).count();
        let of = |EventIndex(other): EventIndex, index: usize| {
            let other = held.get(&EventIndex(other)).map_or(other, |holds| holds.0);
            (other != index && !is_gone(other)).then(|| EventIndex(place(other)))
        };
        let kept = self.events.into_iter().enumerate().filter(|(index, _)| !is_gone(*index));
        let events = kept.map(|(index, event)| {
            let earlier = |other| of(other, index).filter(|other| other.0 < place(index));
            let later = |other| of(other, index).filter(|other| other.0 > place(index));
            event.speaking_of(earlier, later)
        });
        let shorter = Self::new(events.collect())?;
        Ok(Self { events: shorter.events, ..self })
    }

    /// The script with another event at the beginning.
    ///
    /// # Errors
    /// [`ScriptError`] if that makes too many events.
    pub fn preceded_by(self, first: Event) -> Result<Self, ScriptError> {
        let next = |other: EventIndex| Some(EventIndex(other.0 + 1));
        let moved = self.events.into_iter().map(|event| event.speaking_of(next, next));
        let longer = Self::new(std::iter::once(first).chain(moved).collect())?;
        Ok(Self { events: longer.events, ..self })
    }

    /// The script with its start, end and looping overridden.
    #[must_use]
    pub fn overridden_by(self, ends: ClipEnds) -> Self {
        Self {
            start: ends.start.unwrap_or(self.start),
            end: ends.end.unwrap_or(self.end),
            is_loop: ends.loops().unwrap_or(self.is_loop),
            ..self
        }
    }

    /// The events; never empty.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// A title for a script without a name: `walk, then wave`.
    #[must_use]
    pub fn title(&self) -> String {
        let mut title = String::new();
        for event in &self.events {
            let deed = event.deed.to_string();
            if title.is_empty() {
                title = deed;
            } else if title.len() + deed.len() < Self::LONGEST_TITLE {
                title = format!("{title}, then {deed}");
            } else {
                break;
            }
        }
        title
    }

    /// How the clip starts.
    #[must_use]
    pub const fn start(&self) -> Start {
        self.start
    }

    /// How the clip ends.
    #[must_use]
    pub const fn end(&self) -> End {
        self.end
    }

    /// Whether the clip loops: its last frame leads into its first.
    #[must_use]
    pub const fn is_loop(&self) -> bool {
        self.is_loop
    }
}

/// The JSON form of a script.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Limber motion script", rename = "Script")]
pub(crate) struct ScriptJson {
    /// The version of the format: 2.
    version: Version,
    /// The events, in order.
    #[schemars(length(min = 1, max = 60))]
    pub(crate) events: Vec<Event>,
    /// How the clip starts; `idle` by default.
    #[serde(default, deserialize_with = "words::from_text")]
    start: Start,
    /// How the clip ends; `idle` by default.
    #[serde(default, deserialize_with = "words::from_text")]
    end: End,
    /// Whether the clip loops.
    #[serde(default, rename = "loop")]
    is_loop: bool,
}

impl TryFrom<ScriptJson> for Script {
    type Error = ScriptError;

    fn try_from(json: ScriptJson) -> Result<Self, Self::Error> {
        let script = Self::new(json.events)?;
        let script = script.with_ends(json.start, json.end).with_loop(json.is_loop);
        Ok(Self { version: json.version, ..script })
    }
}
