//! An event as it is written in JSON, and what of its fields may stand beside each other.

use std::{borrow::Cow, collections::BTreeMap};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Aim, Deed, Event, EventIndex, Timing};
use crate::{
    ActionName, Angle, BeatsPerMinute, BodyPart, Count, Direction, Distance, Duration, Factor,
    Height, Intensity, Manner, Path, Posture, Prop, Rhythm, Side, SizeClass, Speed, SpeedCurve,
    Target, Verb,
};

/// An event as it is written: flat, so that its text form needs no brackets. What was left open is absent, or
/// `null`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Event")]
#[serde(default)]
pub(super) struct EventJson {
    /// An action of the vocabulary. Either this, or `move` with `part`.
    #[serde(rename = "do", skip_serializing_if = "Option::is_none")]
    action: Option<ActionName>,
    /// What the part of the body named by `part` does.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    verb: Option<Verb>,
    /// The part of the body that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<BodyPart>,
    /// Begins together with this earlier event (the first is 0), while it goes on. Without `while`,
    /// `as_soon_as` and `beat_of` an event begins once the one before it is over.
    #[serde(rename = "while", skip_serializing_if = "Option::is_none")]
    during: Option<EventIndex>,
    /// Begins when this earlier event has reached its main pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_soon_as: Option<EventIndex>,
    /// Begins on the beat `beat` of this earlier event.
    #[serde(skip_serializing_if = "Option::is_none")]
    beat_of: Option<EventIndex>,
    /// Which beat of `beat_of`, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    beat: Option<Count>,
    /// Ends when this later event begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<EventIndex>,
    /// Takes up what this earlier event began.
    #[serde(skip_serializing_if = "Option::is_none")]
    continues: Option<EventIndex>,
    /// With which side of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<Side>,
    /// Whereto, seen from the character; for reactions, from where the cause comes.
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<Direction>,
    /// The part of a body it is aimed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_part: Option<BodyPart>,
    /// Which of two parts it is aimed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_side: Option<Side>,
    /// The thing it is aimed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Target>,
    /// How large that thing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_size: Option<SizeClass>,
    /// How far away that thing is, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_distance_m: Option<Distance>,
    /// What is in the hands.
    #[serde(skip_serializing_if = "Option::is_none")]
    prop: Option<Prop>,
    /// How often.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Count>,
    /// Beats per minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    bpm: Option<BeatsPerMinute>,
    /// How repetitions follow each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    rhythm: Option<Rhythm>,
    /// How long it takes or is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<Duration>,
    /// How far along the ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    meters: Option<Distance>,
    /// How many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Count>,
    /// By how much to turn; `side` or `direction` says which way.
    #[serde(skip_serializing_if = "Option::is_none")]
    degrees: Option<Angle>,
    /// How large; 1 is usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<Factor>,
    /// How high, by the body's own marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<Height>,
    /// How high above the floor, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    height_m: Option<Distance>,
    /// How forceful; 1 is usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    force: Option<Factor>,
    /// How fast; 1 is usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<Speed>,
    /// How the speed changes within the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_curve: Option<SpeedCurve>,
    /// How it is done, each with how much so: 1 is clearly.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    manners: BTreeMap<Manner, Intensity>,
    /// The posture it is done in.
    #[serde(skip_serializing_if = "Option::is_none")]
    posture: Option<Posture>,
    /// The posture it leaves behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    posture_after: Option<Posture>,
    /// The course over the ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Path>,
    /// Parts of the body that must stay as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 10))]
    still: Vec<BodyPart>,
    /// Actions that must not happen meanwhile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 10))]
    avoid: Vec<ActionName>,
}

/// What is wrong between the fields of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Contradiction {
    #[error("nothing is done: it needs `do`, or `move` with `part`")]
    NothingDone,
    #[error("`do` stands beside `move` or `part`; take one of them")]
    TwoDeeds,
    #[error("`{0}` needs `{1}` beside it")]
    Alone(&'static str, &'static str),
    #[error("`{0}` and `{1}` contradict each other; take one of them")]
    Both(&'static str, &'static str),
    #[error("`{0}` has more than 10 entries")]
    TooMany(&'static str),
}

impl EventJson {
    pub(super) fn into_event(self, deed: Deed, timing: Timing, aim: Option<Aim>) -> Event {
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

    fn deed(&self) -> Result<Deed, Contradiction> {
        match (&self.action, self.verb, self.part) {
            (Some(action), None, None) => Ok(Deed::Action(action.clone())),
            (None, Some(verb), Some(part)) => Ok(Deed::Body { verb, part }),
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

/// The longest list within an event.
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
            Deed::Action(action) => json.action = Some(action),
            Deed::Body { verb, part } => (json.verb, json.part) = (Some(verb), Some(part)),
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

/// Which fields stand beside which, as a schema says it: of each of these lists one form holds. What is read is
/// held to the same by [`Contradiction`].
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

/// An event that says these fields, and leaves those open.
fn form(said: &[&str], open: &[&str]) -> Value {
    let said_fields = said.iter().map(|field| (*field, json!({ "not": { "type": "null" } })));
    let open_fields = open.iter().map(|field| (*field, json!({ "type": "null" })));
    let fields = said_fields.chain(open_fields).map(|(field, what)| (field.to_owned(), what));
    json!({ "required": said, "properties": fields.collect::<Map<_, _>>() })
}
