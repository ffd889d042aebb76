//! What there is to say about a prompt, a script or a request, as data.
//!
//! A [`Message`] is a code with its arguments. Programs look at those; people read its sentence, which for
//! English is made here and nowhere else, and for other languages by whoever shows it. Nobody has to find
//! out from a sentence what it is about.
//!
//! Between programs a message travels with its sentence beside it, `text`, so that who does not know a
//! code yet still has something to show: see [`told`].

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that there is to say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[expect(missing_docs, reason = "the sentence of each says what its arguments are")]
pub enum Message {
    /// A word of a prompt means nothing to the reader.
    #[error("Limber does not know \"{word}\" yet and left it out.{}", nearest_of(.nearest))]
    UnknownWord { word: String, nearest: Vec<String> },
    /// A prompt holds no action; these of its words might have been one.
    #[error("Limber does not know {} yet.{}", quoted(.words), nearest_of(.nearest))]
    NothingKnown { words: Vec<String>, nearest: Vec<String> },
    /// A prompt holds no word that could be an action.
    #[error(
        "Limber found no English word for a movement in \"{prompt}\". Try for example: {}.",
        listed(.nearest)
    )]
    NoMovement { prompt: String, nearest: Vec<String> },
    /// A prompt is empty.
    #[error(
        "the prompt is empty; describe what the person does, for example \"a person walks forward\""
    )]
    EmptyPrompt,
    /// A prompt is too long.
    #[error("the prompt has {characters} characters, at most {most} are allowed; shorten it")]
    LongPrompt { characters: u32, most: u32 },
    /// A word was mistyped, and read as the one that was meant.
    #[error("Limber read \"{typed}\" as \"{meant}\".")]
    Corrected { typed: String, meant: String },
    /// An action has a place in scripts, and the body cannot do it.
    #[error("Limber cannot perform \"{action}\" yet.{}", nearest_of(.nearest))]
    NotPerformedYet { action: String, nearest: Vec<String> },
    /// The body cannot show yet what these words of a prompt say of an action.
    #[error("Limber cannot show {} yet.", quoted(.words))]
    WordsNotPerformedYet { words: Vec<String> },
    /// The same of an event of a script, counted from 0.
    #[error("events[{event}]: Limber cannot perform \"{action}\" yet.{}", nearest_of(.nearest))]
    EventNotPerformedYet { event: u32, action: String, nearest: Vec<String> },
    /// An event of a script, counted from 0, asks of a part of the body what it does not do.
    #[error("events[{event}]: \"{action}\" is not a movement of that body part.")]
    NoSuchMovement { event: u32, action: String },
    /// An event of a script, counted from 0, needs the legs while they do something else.
    #[error("events[{event}]: \"{action}\" is left out; the legs are busy at that time.")]
    LegsAreBusy { event: u32, action: String },
    /// An event of a script, counted from 0, says something that the body does not do; or the script says
    /// it of the whole clip, and there is neither event nor action.
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
    /// A number in the prompt that no body and no clip has room for: a thousand times, ten kilometres.
    #[error("\"{words}\" was left out: the number is outside the range that Limber supports.")]
    NumberOutOfRange { words: String },
    /// No body does both of these, which are said in this order: of an event of a script, counted from 0, or of
    /// a prompt or the whole clip, and there is no event.
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
    /// The prompt says not to do this.
    #[error("\"{action}\" was left out because the prompt excludes it.")]
    Negated { action: String },
    /// The prompt speaks of several people.
    #[error("Limber animates one person; the others were left out.")]
    OnePerson,
    /// The prompt has somebody walk without getting anywhere.
    #[error(
        "Limber cannot walk or run on the spot yet; the person moves along. Turn on \"in place\" to \
         remove the root motion."
    )]
    OnTheSpot,
    /// Two things cannot be done at once.
    #[error("\"{first}\" and \"{second}\" need the same body part; one follows the other.")]
    SameBodyPart { first: String, second: String },
    /// "at the same time" as nothing.
    #[error("Nothing was specified to happen at the same time.")]
    NothingMeanwhile,
    /// There are more actions than a prompt may hold.
    #[error("A prompt can contain {most} actions; the rest were left out.")]
    MostActions { most: u32 },
    /// An action is repeated more often than allowed.
    #[error("Limber repeats an action at most {most} times (\"{action}\").")]
    MostRepetitions { action: String, most: u32 },
    /// A turn is larger than allowed.
    #[error("A turn can go around at most ten times.")]
    MostTurns,
    /// An action goes on for longer than allowed.
    #[error("One action lasts at most {most} {measure} (\"{action}\").")]
    MostOfOne { action: String, most: u32, measure: Measure },
    /// There is time for no more than the beginning of what is asked for.
    #[error(
        "{} seconds are enough only for the beginning of the request; all of it takes about {}",
        seconds(.wanted_ms),
        seconds(.whole_ms)
    )]
    OnlyBeginning { wanted_ms: u32, whole_ms: u32 },
    /// There is no time even for that.
    #[error(
        "{} seconds are too short for these actions, which take about {usual_s}; ask for at least {} \
         seconds or for fewer actions",
        seconds(.wanted_ms),
        plain_seconds(.enough_ms)
    )]
    TooShort { wanted_ms: u32, usual_s: u32, enough_ms: u32 },
    /// All of what is asked for takes longer than a clip may last.
    #[error(
        "the actions take about {whole_s} seconds, and a clip lasts at most {most_s}; leave something out"
    )]
    TooLong { whole_s: u32, most_s: u32 },
    /// A clip of this length is never made.
    #[error(
        "a clip lasts between {} and {} seconds; ask for a time in between",
        plain_seconds(.least_ms),
        plain_seconds(.most_ms)
    )]
    ClipLength { least_ms: u32, most_ms: u32 },
    /// A script without anything to do.
    #[error("the script has no steps")]
    EmptyScript,
    /// All of a clip is to be painted over.
    #[error("the whole clip is marked, so all of it is regenerated")]
    AllMadeAnew,
    /// A request has a parameter that there is not.
    #[error("unknown parameter: {name}")]
    UnknownParameter { name: String },
    /// A request has a parameter that says nothing beside another one.
    #[error("{name} has no effect together with {beside}")]
    MeaninglessParameter { name: String, beside: String },
    /// A request asks for FBX alone, and for none.
    #[error("fbx is both requested and skipped; the job produces bvh and glb")]
    FbxSkipped,
    /// A film has a shadow and nothing that it could fall on.
    #[error("a two-dimensional backdrop has no floor, so shadow is ignored")]
    NoFloorForShadow,
    /// Several results are asked for that would be the same.
    #[error("a rerun produces the same motion, so it has one variant")]
    OneRerun,
    /// The same of two clips that overlap.
    #[error("an overlap generates no new motion, so it has one variant")]
    OneOverlap,
    /// Ends of intervals could be frames and were read so, or the other way round.
    #[error(
        "the ends of the intervals are whole numbers and were read as {read_as}; if they are {}, set \
         `unit`",
        other_than(.read_as)
    )]
    UnitGuessed { read_as: IntervalUnit },
    /// What a job starts from is gone; the clip is named by job and variant.
    #[error("the clip {clip} that the job starts from was removed")]
    SourceRemoved { clip: String },
    /// What a job starts from is damaged.
    #[error("the clip {clip} that the job starts from cannot be read; run that job again")]
    SourceUnreadable { clip: String },
    /// What is to be filmed is gone.
    #[error("the files of {clip} were removed; generate that motion again")]
    FilmedClipRemoved { clip: String },
    /// What is to be filmed is damaged.
    #[error("the file of {clip} cannot be read; generate that motion again")]
    FilmedClipUnreadable { clip: String },
    /// A correction by hand is about a joint that the character lacks.
    #[error("the character has no joint \"{joint}\", so its correction has no effect")]
    CorrectedJointMissing { joint: String },
    /// Corrections by hand put parts of the body into each other.
    #[error("the corrections put parts of the body into each other; nothing was pushed apart")]
    CorrectedBodyStuck,
    /// A step is performed with a recording from a motion library.
    #[error("\"{action}\" is recorded: {take}, from {library}.{}", terms(.licence))]
    Recorded { action: String, take: String, library: String, licence: String },
    /// A step could not be performed with a recording.
    #[error("\"{action}\" is drawn: {}.", refusal.sentence())]
    TakeNotUsed { action: String, refusal: TakeRefusal },
    /// A sentence of which nothing else is known: of an earlier version, or of a part that has none but
    /// its words.
    #[error("{said}")]
    Sentence { said: String },
}

/// What the length of an action is told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it all")]
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

/// What ends of intervals are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it all")]
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

/// What is done of two things that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kept {
    /// Only what is said first.
    First,
    /// Only what is said second.
    Second,
    /// Both, one after the other.
    InTurn,
}

/// Why a step is not performed with a recording. The later, the nearer it came.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum TakeRefusal {
    /// The library shows the action nowhere.
    NoTake,
    /// Something is done at the same time.
    Together,
    /// It is done sitting, lying or low down.
    Posture,
    /// The clip begins or ends in the middle of it.
    Ends,
    /// It is told in more detail than can be found in recordings.
    Details,
    /// With the other side.
    Side,
    /// In another direction.
    Direction,
    /// In another style or tempo.
    Style,
    /// Not as often in a row.
    Count,
    /// Too long or too short.
    Length,
    /// The action could not be recognised in the result.
    Unlike,
    /// The result was not as clean as a drawn one.
    Unclean,
    /// The library's file is damaged, or gone.
    Damaged,
}

impl TakeRefusal {
    const fn sentence(self) -> &'static str {
        match self {
            Self::NoTake => "the library does not show it",
            Self::Together => "recordings show one action at a time",
            Self::Posture => "recordings are used only for what is done standing",
            Self::Ends => "the clip begins or ends in the middle of it",
            Self::Details => "the library does not show it in this way",
            Self::Side => "the library shows it only with the other side",
            Self::Direction => "the library shows it only in another direction",
            Self::Style => "the library shows it only in another style or tempo",
            Self::Count => "the library does not show it this often in a row",
            Self::Length => "what the library shows is too long or too short",
            Self::Unlike => "the recording did not show it clearly enough",
            Self::Unclean => "the recording would not have moved cleanly here",
            Self::Damaged => "the library could not be read; add its folder again",
        }
    }
}

// what the sentences are put together with takes references, as they are at hand there

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

/// What may have been meant, where something comes near.
fn nearest_of(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!(" Nearest: {}.", listed(nearest)) }
}

/// Which event it is about, where it is about one.
fn place_of(event: Option<&u32>) -> String {
    event.map(|event| format!("events[{event}]: ")).unwrap_or_default()
}

fn of_action(action: Option<&str>) -> String {
    action.map(|action| format!(" of \"{action}\"")).unwrap_or_default()
}

/// The terms of use in one line.
fn terms(licence: &str) -> String {
    let first = licence.lines().map(str::trim).find(|line| !line.is_empty());
    first.map(|line| format!(" Terms of use: {line}")).unwrap_or_default()
}

fn listed(words: &[String]) -> String {
    words.join(", ")
}

/// In tenths.
fn seconds(milliseconds: &u32) -> String {
    format!("{:.1}", f64::from(*milliseconds) / 1000.0)
}

/// With as many digits as it has.
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
    /// The words of a prompt that it says nobody understood, as they were typed.
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

    /// What it offers instead, nearest first, as people would type it.
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

    /// The same with what can be done instead of an event that is left out, where it says nothing of it.
    #[must_use]
    pub fn offering(mut self, offers: impl FnOnce(&str) -> Vec<String>) -> Self {
        if let Self::EventNotPerformedYet { action, nearest, .. } = &mut self
            && nearest.is_empty()
        {
            *nearest = offers(action);
        }
        self
    }

    /// The same with another name for the clip that it speaks of, where there is one.
    #[must_use]
    pub fn naming(mut self, name_of: impl Fn(&str) -> Option<String>) -> Self {
        if let Self::SourceRemoved { clip }
        | Self::SourceUnreadable { clip }
        | Self::FilmedClipRemoved { clip }
        | Self::FilmedClipUnreadable { clip } = &mut self
            && let Some(name) = name_of(clip)
        {
            *clip = name;
        }
        self
    }

    /// Its code and its arguments by name, in the JSON of both.
    #[must_use]
    pub fn parts(&self) -> (String, serde_json::Map<String, serde_json::Value>) {
        let mut parts = match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(parts)) => parts,
            // an enum with a tag is an object, and nothing in it fails to be written
            _ => serde_json::Map::new(),
        };
        let code = parts.remove("code").and_then(|code| code.as_str().map(str::to_owned));
        (code.unwrap_or_default(), parts)
    }
}

/// Several messages in one line.
#[must_use]
pub fn sentences(messages: &[Message]) -> String {
    messages.iter().map(Message::to_string).collect::<Vec<_>>().join(" ")
}

/// The words of a prompt that these messages say nobody understood, each once.
#[must_use]
pub fn unknown_words(messages: &[Message]) -> Vec<String> {
    once(messages.iter().flat_map(Message::unknown_words))
}

/// What these messages offer instead, each once.
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

/// The JSON Schema of a message without its sentence: every code there is, with its arguments.
#[must_use]
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(Message)
}

/// How lists of messages are written for others, each with its sentence as `text`, and read again:
/// `#[serde(with = "limber_script::message::told")]`.
///
/// Reading never fails on what a message says. One whose code is not known, and a mere text, which
/// earlier versions wrote, become [`Message::Sentence`].
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

    /// Writes them.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn serialize<S: Serializer>(
        messages: &[Message],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            messages.iter().map(|message| Spoken { message, text: message.to_string() }),
        )
    }

    /// Reads them.
    ///
    /// # Errors
    /// When there is no list.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Message>, D::Error> {
        let heard = Vec::<Value>::deserialize(deserializer)?;
        Ok(heard.into_iter().map(understood).collect())
    }

    /// The list as a value.
    #[must_use]
    pub fn to_value(messages: &[Message]) -> Value {
        // nothing in a message fails to be written
        serialize(messages, serde_json::value::Serializer).unwrap_or_default()
    }

    /// The list that is in a value; empty where it is none.
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
