//! Messages about a prompt, a script or a request, as data.
//!
//! A [`Message`] is a code with arguments. Programs branch on these; people read the sentence. The
//! English sentence is made here and nowhere else; programs that show another language make their
//! own sentence from code and arguments. No program has to parse a sentence.
//!
//! Between programs a message is sent together with its sentence in the field `text`, so that a
//! receiver that does not know a code yet can still show the sentence: see [`told`].

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Side;

/// A message to the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "each message documents its arguments")]
pub enum Message {
    /// The reader does not know a word of the prompt.
    #[error("Limber does not know \"{word}\" yet and left it out.{}", nearest_of(.nearest))]
    UnknownWord { word: String, nearest: Vec<String> },
    /// The prompt contains no known action; `words` lists those that might have been one.
    #[error("Limber does not know {} yet.{}", quoted(.words), nearest_of(.nearest))]
    NothingKnown { words: Vec<String>, nearest: Vec<String> },
    /// The prompt contains no word that could be an action.
    #[error(
        "Limber found no English word for a movement in \"{prompt}\". Try for example: {}.",
        listed(.nearest)
    )]
    NoMovement { prompt: String, nearest: Vec<String> },
    /// The prompt is empty.
    #[error(
        "the prompt is empty; describe what the person does, for example \"a person walks forward\""
    )]
    EmptyPrompt,
    /// The prompt is too long.
    #[error("the prompt has {characters} characters, at most {most} are allowed; shorten it")]
    LongPrompt { characters: u32, most: u32 },
    /// A word was misspelt and read as its likely correction.
    #[error("Limber read \"{typed}\" as \"{meant}\".")]
    Corrected { typed: String, meant: String },
    /// Scripts may contain the action, but Limber cannot perform it yet.
    #[error("Limber cannot perform \"{action}\" yet.{}", nearest_of(.nearest))]
    NotPerformedYet { action: String, nearest: Vec<String> },
    /// The words describe an action in a way that Limber cannot perform yet.
    #[error("Limber cannot show {} yet.", quoted(.words))]
    WordsNotPerformedYet { words: Vec<String> },
    /// An event of a script, counted from 0, has an action that Limber cannot perform yet.
    #[error("events[{event}]: Limber cannot perform \"{action}\" yet.{}", nearest_of(.nearest))]
    EventNotPerformedYet { event: u32, action: String, nearest: Vec<String> },
    /// An event of a script, counted from 0, asks a body part for a movement that it cannot make.
    #[error("events[{event}]: \"{action}\" is not a movement of that body part.")]
    NoSuchMovement { event: u32, action: String },
    /// An event of a script, counted from 0, needs the legs while another event uses them.
    #[error("events[{event}]: \"{action}\" is left out; the legs are busy at that time.")]
    LegsAreBusy { event: u32, action: String },
    /// A field of an event, counted from 0, is not supported yet and was left out; a field of the
    /// whole script if there is no event or action.
    #[error(
        "{}`{field}`{} is left out; Limber does not support it yet.",
        place_of(.event.as_ref()),
        of_action(.action.as_deref())
    )]
    LeftOut {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<u32>,
        field: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        action: Option<String>,
    },
    /// A number in the prompt is too large for a body or a clip: a thousand times, ten kilometres.
    #[error("\"{words}\" was left out: the number is outside the range that Limber supports.")]
    NumberOutOfRange { words: String },
    /// Two words, in this order, that contradict each other: in an event of a script, counted from
    /// 0, or in a prompt or the whole clip, in which case there is no event.
    #[error(
        "{}\"{first}\" and \"{second}\" contradict each other; {}.",
        place_of(.event.as_ref()),
        outcome(.first, .second, .kept)
    )]
    Contradiction {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<u32>,
        first: String,
        second: String,
        kept: Kept,
    },
    /// The prompt says that this action should not happen.
    #[error("\"{action}\" was left out because the prompt excludes it.")]
    Negated { action: String },
    /// The prompt describes several people.
    #[error("Limber animates one person; the others were left out.")]
    OnePerson,
    /// The prompt asks for walking or running on the spot.
    #[error(
        "Limber cannot walk or run on the spot yet; the person moves along. Turn on \"in place\" to \
         remove the root motion."
    )]
    OnTheSpot,
    /// Two actions cannot happen at the same time because they need the same body part.
    #[error("\"{first}\" and \"{second}\" need the same body part; one follows the other.")]
    SameBodyPart { first: String, second: String },
    /// The prompt says "at the same time" without an action to go with it.
    #[error("Nothing was specified to happen at the same time.")]
    NothingMeanwhile,
    /// The prompt contains too many actions.
    #[error("A prompt can contain {most} actions; the rest were left out.")]
    MostActions { most: u32 },
    /// An action is repeated too often.
    #[error("Limber repeats an action at most {most} times (\"{action}\").")]
    MostRepetitions { action: String, most: u32 },
    /// A turn is too large.
    #[error("A turn can go around at most ten times.")]
    MostTurns,
    /// An action is too long.
    #[error("One action lasts at most {most} {measure} (\"{action}\").")]
    MostOfOne { action: String, most: u32, measure: Measure },
    /// The requested duration fits only the beginning of the request.
    #[error(
        "{} seconds are enough only for the beginning of the request; all of it takes about {}",
        seconds(.wanted_ms),
        seconds(.whole_ms)
    )]
    OnlyBeginning { wanted_ms: u32, whole_ms: u32 },
    /// The requested duration is too short even for the beginning.
    #[error(
        "{} seconds are too short for these actions, which take about {usual_s}; ask for at least {} \
         seconds or for fewer actions",
        seconds(.wanted_ms),
        plain_seconds(.enough_ms)
    )]
    TooShort { wanted_ms: u32, usual_s: u32, enough_ms: u32 },
    /// The request takes longer than the longest possible clip.
    #[error(
        "the actions take about {whole_s} seconds, and a clip lasts at most {most_s}; leave something out"
    )]
    TooLong { whole_s: u32, most_s: u32 },
    /// The requested duration is outside the possible range.
    #[error(
        "a clip lasts between {} and {} seconds; ask for a time in between",
        plain_seconds(.least_ms),
        plain_seconds(.most_ms)
    )]
    ClipLength { least_ms: u32, most_ms: u32 },
    /// The script has no events.
    #[error("the script has no steps")]
    EmptyScript,
    /// All of the clip is to be regenerated.
    #[error("the whole clip is marked, so all of it is regenerated")]
    AllMadeAnew,
    /// The request has an unknown parameter.
    #[error("unknown parameter: {name}")]
    UnknownParameter { name: String },
    /// The request has a parameter that has no effect together with another one.
    #[error("{name} has no effect together with {beside}")]
    MeaninglessParameter { name: String, beside: String },
    /// The request asks for FBX only, and also to skip FBX.
    #[error("fbx is both requested and skipped; the job produces bvh and glb")]
    FbxSkipped,
    /// The video has a shadow but no floor for it to fall on.
    #[error("a two-dimensional backdrop has no floor, so shadow is ignored")]
    NoFloorForShadow,
    /// The request asks for several results that would be identical.
    #[error("a rerun produces the same motion, so it has one variant")]
    OneRerun,
    /// The request asks for several overlaps of two clips, which would be identical.
    #[error("an overlap generates no new motion, so it has one variant")]
    OneOverlap,
    /// The bounds of the intervals could be frames or seconds, and one of them was assumed.
    #[error(
        "the ends of the intervals are whole numbers and were read as {read_as}; if they are {}, set \
         `unit`",
        other_than(.read_as)
    )]
    UnitGuessed { read_as: IntervalUnit },
    /// The clip that a job starts from was deleted; `clip` names it by job and variant.
    #[error("the clip {clip} that the job starts from was removed")]
    SourceRemoved { clip: String },
    /// The clip that a job starts from is damaged.
    #[error("the clip {clip} that the job starts from cannot be read; run that job again")]
    SourceUnreadable { clip: String },
    /// The clip to be rendered was deleted.
    #[error("the files of {clip} were removed; generate that motion again")]
    #[serde(rename = "filmed-clip-removed")]
    VideoSourceRemoved { clip: String },
    /// The clip to be rendered is damaged.
    #[error("the file of {clip} cannot be read; generate that motion again")]
    #[serde(rename = "filmed-clip-unreadable")]
    VideoSourceUnreadable { clip: String },
    /// A manual correction refers to a joint that the character does not have.
    #[error("the character has no joint \"{joint}\", so its correction has no effect")]
    CorrectedJointMissing { joint: String },
    /// The manual corrections make parts of the body intersect.
    #[error("the corrections make parts of the body intersect; the overlap was not resolved")]
    CorrectedBodyStuck,
    /// A step is performed with a take from a motion library.
    #[error("\"{action}\" is recorded: {take}, from {library}.{}", terms(.licence))]
    Recorded { action: String, take: String, library: String, licence: String },
    /// A step could not be performed with a take from a motion library.
    #[error("\"{action}\" is generated: {}.", refusal.sentence())]
    TakeNotUsed { action: String, refusal: TakeRefusal },
    /// An arm of a character has no joint for the hand.
    #[error("There is no joint for the {side} hand: the mesh there moves with the lower arm.")]
    HandMissing { side: Side },
    /// A hand of a character has no joints for fingers.
    #[error("No finger joints were found for the {side} hand: its fingers do not move.")]
    FingersMissing { side: Side },
    /// A sentence without code and arguments, from an earlier version or from a component that
    /// provides only text.
    #[error("{said}")]
    Sentence { said: String },
}

/// The unit in which the length of an action is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Measure {
    Steps,
    Metres,
    Seconds,
}

impl fmt::Display for Measure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Steps => "steps",
            Self::Metres => "metres",
            Self::Seconds => "seconds",
        })
    }
}

/// The unit of interval bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum IntervalUnit {
    Frames,
    Seconds,
}

impl fmt::Display for IntervalUnit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Frames => "frames",
            Self::Seconds => "seconds",
        })
    }
}

/// How a contradiction was resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// Only the first is done.
    First,
    /// Only the second is done.
    Second,
    /// Both are done, one after the other.
    InTurn,
}

/// Why a step is not performed with a take, ordered by how far the search got.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum TakeRefusal {
    /// No library has a take of the action.
    NoTake,
    /// Another action happens at the same time.
    Together,
    /// The step is performed sitting, lying or crouching.
    Posture,
    /// The clip starts or ends in the middle of the action.
    Ends,
    /// The step has more details than takes can be searched for.
    Details,
    /// The takes use the other side.
    Side,
    /// The takes go in another direction.
    Direction,
    /// The takes have another style or tempo.
    Style,
    /// The takes have fewer repetitions.
    Count,
    /// The takes are too long or too short.
    Length,
    /// The action was not recognised in the result.
    Unlike,
    /// The result was less clean than the procedural motion.
    Unclean,
    /// The library's file is damaged or missing.
    Damaged,
}

impl TakeRefusal {
    const fn sentence(self) -> &'static str {
        match self {
            Self::NoTake => "the library has no recording of it",
            Self::Together => "recordings show one action at a time",
            Self::Posture => "recordings are used only for standing actions",
            Self::Ends => "the clip begins or ends in the middle of it",
            Self::Details => "the library has no recording of it done this way",
            Self::Side => "the library has it only on the other side",
            Self::Direction => "the library has it only in another direction",
            Self::Style => "the library has it only in another style or at another tempo",
            Self::Count => "the library has no recording with that many in a row",
            Self::Length => "the recordings of it are too long or too short",
            Self::Unlike => "the recording did not show it clearly enough",
            Self::Unclean => "the recording would not have fit here cleanly",
            Self::Damaged => "the library could not be read; add its folder again",
        }
    }
}

// these helpers take references because thiserror's format arguments are references

fn outcome(first: &str, second: &str, kept: &Kept) -> String {
    match kept {
        Kept::First => format!("only \"{first}\" is done"),
        Kept::Second => format!("only \"{second}\" is done"),
        Kept::InTurn => "one follows the other".to_owned(),
    }
}

const fn other_than(unit: &IntervalUnit) -> IntervalUnit {
    match unit {
        IntervalUnit::Frames => IntervalUnit::Seconds,
        IntervalUnit::Seconds => IntervalUnit::Frames,
    }
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// The nearest alternatives, if any.
fn nearest_of(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!(" Nearest: {}.", listed(nearest)) }
}

/// The event that the message is about, if any.
fn place_of(event: Option<&u32>) -> String {
    event.map(|event| format!("events[{event}]: ")).unwrap_or_default()
}

fn of_action(action: Option<&str>) -> String {
    action.map(|action| format!(" of \"{action}\"")).unwrap_or_default()
}

/// The first line of the terms of use.
fn terms(licence: &str) -> String {
    let first = licence.lines().map(str::trim).find(|line| !line.is_empty());
    first.map(|line| format!(" Terms of use: {line}")).unwrap_or_default()
}

fn listed(words: &[String]) -> String {
    words.join(", ")
}

/// Seconds, rounded to tenths.
fn seconds(milliseconds: &u32) -> String {
    format!("{:.1}", f64::from(*milliseconds) / 1000.0)
}

/// Seconds, with as many digits as needed.
fn plain_seconds(milliseconds: &u32) -> f64 {
    f64::from(*milliseconds) / 1000.0
}

impl From<String> for Message {
    fn from(said: String) -> Self {
        Self::Sentence { said }
    }
}

impl From<&str> for Message {
    fn from(said: &str) -> Self {
        Self::Sentence { said: said.to_owned() }
    }
}

impl Message {
    /// The words of a prompt that the message reports as unknown, as they were typed.
    #[must_use]
    pub fn unknown_words(&self) -> &[String] {
        match self {
            Self::UnknownWord { word, .. } => std::slice::from_ref(word),
            Self::NothingKnown { words, .. } => words,
            Self::NoMovement { prompt, .. } => std::slice::from_ref(prompt),
            Self::NotPerformedYet { action, .. } | Self::EventNotPerformedYet { action, .. } => {
                std::slice::from_ref(action)
            }
            _ => &[],
        }
    }

    /// The alternatives that the message suggests, nearest first, as people would type them.
    #[must_use]
    pub fn nearest(&self) -> &[String] {
        match self {
            Self::UnknownWord { nearest, .. }
            | Self::NothingKnown { nearest, .. }
            | Self::NoMovement { nearest, .. }
            | Self::NotPerformedYet { nearest, .. }
            | Self::EventNotPerformedYet { nearest, .. } => nearest,
            _ => &[],
        }
    }

    /// Adds suggestions to a message about an event that was left out, if it has none.
    #[must_use]
    pub fn offering(mut self, offers: impl FnOnce(&str) -> Vec<String>) -> Self {
        if let Self::EventNotPerformedYet { action, nearest, .. } = &mut self
            && nearest.is_empty()
        {
            *nearest = offers(action);
        }
        self
    }

    /// Renames the clip that the message refers to, if it refers to one and `name_of` has a name
    /// for it.
    #[must_use]
    pub fn naming(mut self, name_of: impl Fn(&str) -> Option<String>) -> Self {
        if let Self::SourceRemoved { clip }
        | Self::SourceUnreadable { clip }
        | Self::VideoSourceRemoved { clip }
        | Self::VideoSourceUnreadable { clip } = &mut self
            && let Some(name) = name_of(clip)
        {
            *clip = name;
        }
        self
    }

    /// The code and the arguments by name, as in the JSON form.
    #[must_use]
    pub fn parts(&self) -> (String, serde_json::Map<String, serde_json::Value>) {
        let mut parts = match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(parts)) => parts,
            // an enum with a tag serialises as an object, and none of its fields can fail
            _ => serde_json::Map::new(),
        };
        let code = parts.remove("code").and_then(|code| code.as_str().map(str::to_owned));
        (code.unwrap_or_default(), parts)
    }
}

/// The sentences of several messages in one line.
#[must_use]
pub fn sentences(messages: &[Message]) -> String {
    messages.iter().map(Message::to_string).collect::<Vec<_>>().join(" ")
}

/// The words of a prompt that these messages report as unknown, each once.
#[must_use]
pub fn unknown_words(messages: &[Message]) -> Vec<String> {
    once(messages.iter().flat_map(Message::unknown_words))
}

/// The alternatives that these messages suggest, each once.
#[must_use]
pub fn nearest(messages: &[Message]) -> Vec<String> {
    once(messages.iter().flat_map(Message::nearest))
}

fn once<'a>(words: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words {
        if !found.contains(word) {
            found.push(word.clone());
        }
    }
    found
}

/// The JSON Schema of a message without its sentence: all codes with their arguments.
#[must_use]
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(Message)
}

/// Serialises lists of messages, each with its sentence as `text`, and reads them back:
/// `#[serde(with = "limber_script::message::told")]`.
///
/// Reading does not fail because of a message's content. A message with an unknown code, or a plain
/// string, as earlier versions wrote it, becomes [`Message::Sentence`].
pub mod told {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    use super::Message;

    #[derive(Serialize)]
    struct Spoken<'a> {
        #[serde(flatten)]
        message: &'a Message,
        text: String,
    }

    /// Writes the list.
    ///
    /// # Errors
    /// Those of the serialiser.
    pub fn serialize<S: Serializer>(
        messages: &[Message],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            messages.iter().map(|message| Spoken { message, text: message.to_string() }),
        )
    }

    /// Reads a list.
    ///
    /// # Errors
    /// If the value is not a list.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Message>, D::Error> {
        let heard = Vec::<Value>::deserialize(deserializer)?;
        Ok(heard.into_iter().map(understood).collect())
    }

    /// The list as a JSON value.
    #[must_use]
    pub fn to_value(messages: &[Message]) -> Value {
        // no field of a message can fail to serialise
        serialize(messages, serde_json::value::Serializer).unwrap_or_default()
    }

    /// The list in a JSON value; empty if it is not a list.
    #[must_use]
    pub fn from_value(value: Value) -> Vec<Message> {
        deserialize(value).unwrap_or_default()
    }

    fn understood(value: Value) -> Message {
        if let Value::String(said) = value {
            return Message::Sentence { said };
        }
        let said = value.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
        serde_json::from_value(value).unwrap_or(Message::Sentence { said })
    }
}

#[cfg(test)]
mod tests;
