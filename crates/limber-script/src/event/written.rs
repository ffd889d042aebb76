//! The JSON form of an event, and which of its fields may be combined.

use std::{borrow::Cow, collections::BTreeMap};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Aim, Event, EventAction, EventIndex, Timing};
use crate::{
    ActionName, Angle, BeatsPerMinute, BodyPart, Count, Direction, Distance, Duration, Factor,
    Height, Intensity, Manner, Path, Posture, Prop, Rhythm, Side, SizeClass, Speed, SpeedCurve,
    Target, Verb,
};

/// The JSON form of an event: flat, so that the text form needs no brackets. Open fields are absent
/// or `null`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Event")]
#[serde(default)]
pub(super) struct EventJson {
    /// An action of the vocabulary. An event has either `do`, or `move` with `part`.
    #[serde(rename = "do", skip_serializing_if = "Option::is_none")]
    action: Option<ActionName>,
    /// What the body part `part` does.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    verb: Option<Verb>,
    /// The body part that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<BodyPart>,
    /// The event starts together with this earlier event (the first is 0), while that lasts.
    /// Without `while`, `as_soon_as` and `beat_of`, an event starts when the previous one is over.
    #[serde(rename = "while", skip_serializing_if = "Option::is_none")]
    during: Option<EventIndex>,
    /// The event starts when this earlier event has reached its main pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_soon_as: Option<EventIndex>,
    /// The event starts on the beat `beat` of this earlier event.
    #[serde(skip_serializing_if = "Option::is_none")]
    beat_of: Option<EventIndex>,
    /// Number of the beat of `beat_of`, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    beat: Option<Count>,
    /// The event ends when this later event starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<EventIndex>,
    /// The event continues this earlier event.
    #[serde(skip_serializing_if = "Option::is_none")]
    continues: Option<EventIndex>,
    /// Side of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<Side>,
    /// Direction, relative to the character; for reactions, the direction that the cause comes
    /// from.
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<Direction>,
    /// The body part that it is aimed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_part: Option<BodyPart>,
    /// Side of the body part that it is aimed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_side: Option<Side>,
    /// The object that it is aimed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Target>,
    /// Size of the target object.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_size: Option<SizeClass>,
    /// Distance to the target object, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_distance_m: Option<Distance>,
    /// The object in the hands.
    #[serde(skip_serializing_if = "Option::is_none")]
    prop: Option<Prop>,
    /// Number of repetitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Count>,
    /// Beats per minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    bpm: Option<BeatsPerMinute>,
    /// Spacing of repetitions in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    rhythm: Option<Rhythm>,
    /// How long it takes or is held, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<Duration>,
    /// Distance along the ground, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    meters: Option<Distance>,
    /// Number of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Count>,
    /// Angle of the turn, degrees; `side` or `direction` gives its sense.
    #[serde(skip_serializing_if = "Option::is_none")]
    degrees: Option<Angle>,
    /// Size of the movement; 1 is usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<Factor>,
    /// Height relative to the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<Height>,
    /// Height above the floor, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    height_m: Option<Distance>,
    /// Force; 1 is usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    force: Option<Factor>,
    /// Speed; 1 is usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<Speed>,
    /// Change of speed within the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_curve: Option<SpeedCurve>,
    /// The styles it is performed in, each with its intensity; 1 is clear.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    manners: BTreeMap<Manner, Intensity>,
    /// The posture in which it is performed.
    #[serde(skip_serializing_if = "Option::is_none")]
    posture: Option<Posture>,
    /// The posture in which it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    posture_after: Option<Posture>,
    /// The path over the ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Path>,
    /// Body parts that must not move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 10))]
    still: Vec<BodyPart>,
    /// Actions that must not happen during the event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 10))]
    avoid: Vec<ActionName>,
}

/// Why fields of an event cannot be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Contradiction {
    #[error("there is no action: it needs `do`, or `move` with `part`")]
    NothingDone,
    #[error("`do` cannot be combined with `move` or `part`; use one of them")]
    TwoDeeds,
    #[error("`{0}` also needs `{1}`")]
    Alone(&'static str, &'static str),
    #[error("`{0}` and `{1}` contradict each other; use one of them")]
    Both(&'static str, &'static str),
    #[error("`{0}` has more than 10 entries")]
    TooMany(&'static str),
}

impl EventJson {
    pub(super) fn into_event(self, deed: EventAction, timing: Timing, aim: Option<Aim>) -> Event {
        Event {
            deed,
            timing,
            aim,
            until: self.until,
            continues: self.continues,
            side: self.side,
            direction: self.direction,
            prop: self.prop,
            count: self.count,
            bpm: self.bpm,
            rhythm: self.rhythm,
            seconds: self.seconds,
            meters: self.meters,
            steps: self.steps,
            degrees: self.degrees,
            size: self.size,
            height: self.height,
            height_m: self.height_m,
            force: self.force,
            speed: self.speed,
            speed_curve: self.speed_curve,
            manners: self.manners,
            posture: self.posture,
            posture_after: self.posture_after,
            path: self.path,
            still: self.still,
            avoid: self.avoid,
        }
    }

    fn deed(&self) -> Result<EventAction, Contradiction> {
        match (&self.action, self.verb, self.part) {
            (Some(action), None, None) => Ok(EventAction::Action(action.clone())),
            (None, Some(verb), Some(part)) => Ok(EventAction::Body { verb, part }),
            (None, None, None) => Err(Contradiction::NothingDone),
            (None, Some(_), None) => Err(Contradiction::Alone("move", "part")),
            (None, None, Some(_)) => Err(Contradiction::Alone("part", "move")),
            (Some(_), ..) => Err(Contradiction::TwoDeeds),
        }
    }

    fn timing(&self) -> Result<Timing, Contradiction> {
        match (self.during, self.as_soon_as, self.beat_of, self.beat) {
            (None, None, None, None) => Ok(Timing::Then),
            (Some(other), None, None, None) => Ok(Timing::While(other)),
            (None, Some(other), None, None) => Ok(Timing::AsSoonAs(other)),
            (None, None, Some(of), Some(beat)) => Ok(Timing::OnBeat { of, beat }),
            (Some(_), Some(_), ..) => Err(Contradiction::Both("while", "as_soon_as")),
            (.., Some(_), None) => Err(Contradiction::Alone("beat_of", "beat")),
            (.., None, Some(_)) => Err(Contradiction::Alone("beat", "beat_of")),
            (Some(_), ..) => Err(Contradiction::Both("while", "beat_of")),
            (None, Some(_), ..) => Err(Contradiction::Both("as_soon_as", "beat_of")),
        }
    }

    fn aim(&self) -> Result<Option<Aim>, Contradiction> {
        if let (Some(_), Some(_)) = (self.target, self.target_part) {
            return Err(Contradiction::Both("target", "target_part"));
        }
        if self.target_part.is_none() && self.target_side.is_some() {
            return Err(Contradiction::Alone("target_side", "target_part"));
        }
        if self.target.is_none() && self.target_size.is_some() {
            return Err(Contradiction::Alone("target_size", "target"));
        }
        if self.target.is_none() && self.target_distance_m.is_some() {
            return Err(Contradiction::Alone("target_distance_m", "target"));
        }
        let part = self.target_part.map(|part| Aim::Part { part, side: self.target_side });
        let thing = |thing| Aim::Thing {
            thing,
            size: self.target_size,
            distance_m: self.target_distance_m,
        };
        Ok(part.or(self.target.map(thing)))
    }
}

/// Maximum length of a list within an event.
const LONGEST_LIST: usize = 10;

impl TryFrom<EventJson> for Event {
    type Error = String;

    fn try_from(json: EventJson) -> Result<Self, Self::Error> {
        let parts = || {
            if json.still.len() > LONGEST_LIST {
                return Err(Contradiction::TooMany("still"));
            }
            if json.avoid.len() > LONGEST_LIST {
                return Err(Contradiction::TooMany("avoid"));
            }
            if json.height.is_some() && json.height_m.is_some() {
                return Err(Contradiction::Both("height", "height_m"));
            }
            Ok((json.deed()?, json.timing()?, json.aim()?))
        };
        let (deed, timing, aim) = parts().map_err(|wrong| wrong.to_string())?;
        Ok(json.into_event(deed, timing, aim))
    }
}

impl From<Event> for EventJson {
    fn from(event: Event) -> Self {
        let mut json = Self {
            until: event.until,
            continues: event.continues,
            side: event.side,
            direction: event.direction,
            prop: event.prop,
            count: event.count,
            bpm: event.bpm,
            rhythm: event.rhythm,
            seconds: event.seconds,
            meters: event.meters,
            steps: event.steps,
            degrees: event.degrees,
            size: event.size,
            height: event.height,
            height_m: event.height_m,
            force: event.force,
            speed: event.speed,
            speed_curve: event.speed_curve,
            manners: event.manners,
            posture: event.posture,
            posture_after: event.posture_after,
            path: event.path,
            still: event.still,
            avoid: event.avoid,
            ..Self::default()
        };
        match event.deed {
            EventAction::Action(action) => json.action = Some(action),
            EventAction::Body { verb, part } => (json.verb, json.part) = (Some(verb), Some(part)),
        }
        match event.timing {
            Timing::Then => {}
            Timing::While(other) => json.during = Some(other),
            Timing::AsSoonAs(other) => json.as_soon_as = Some(other),
            Timing::OnBeat { of, beat } => (json.beat_of, json.beat) = (Some(of), Some(beat)),
        }
        match event.aim {
            None => {}
            Some(Aim::Part { part, side }) => {
                (json.target_part, json.target_side) = (Some(part), side);
            }
            Some(Aim::Thing { thing, size, distance_m }) => {
                (json.target, json.target_size) = (Some(thing), size);
                json.target_distance_m = distance_m;
            }
        }
        json
    }
}

impl JsonSchema for Event {
    fn schema_name() -> Cow<'static, str> {
        "Event".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = EventJson::json_schema(generator);
        schema.insert("allOf".to_owned(), rules());
        schema
    }
}

/// The rules for combining fields, as JSON Schema: of each of these lists exactly one form applies.
/// [`Contradiction`] enforces the same rules when a script is read.
fn rules() -> Value {
    let deed = [form(&["do"], &["move", "part"]), form(&["move", "part"], &["do"])];
    let timing = [
        form(&[], &["while", "as_soon_as", "beat_of", "beat"]),
        form(&["while"], &["as_soon_as", "beat_of", "beat"]),
        form(&["as_soon_as"], &["while", "beat_of", "beat"]),
        form(&["beat_of", "beat"], &["while", "as_soon_as"]),
    ];
    let aim = [
        form(&["target"], &["target_part", "target_side"]),
        form(&["target_part"], &["target", "target_size", "target_distance_m"]),
        form(&[], &["target", "target_part", "target_side", "target_size", "target_distance_m"]),
    ];
    let height = [form(&[], &["height"]), form(&[], &["height_m"])];
    json!([{ "anyOf": deed }, { "anyOf": timing }, { "anyOf": aim }, { "anyOf": height }])
}

/// A schema that requires the fields `said` and excludes the fields `open`.
fn form(said: &[&str], open: &[&str]) -> Value {
    let said_fields = said.iter().map(|field| (*field, json!({ "not": { "type": "null" } })));
    let open_fields = open.iter().map(|field| (*field, json!({ "type": "null" })));
    let fields = said_fields.chain(open_fields).map(|(field, what)| (field.to_owned(), what));
    json!({ "required": said, "properties": fields.collect::<Map<_, _>>() })
}
