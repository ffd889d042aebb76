//! Parts of a script that are not performed, and why.

use limber_script::{
    ActionName, BodyPart, Event, EventIndex, Manner, Message, Script, Timing, message::Kept,
};

use crate::Action;

/// A part of a script that is not performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Index of the event; `None` for fields of the whole clip.
    pub event: Option<usize>,
    /// The field that is ignored; `do` or `move` if the whole event is left out.
    pub field: &'static str,
    /// The reason.
    pub why: OmissionReason,
}

/// Why a part of a script is not performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OmissionReason {
    /// The composer cannot do it yet.
    NotYet,
    /// The body part cannot move like this: a knee cannot be clenched.
    NoSuchMovement,
    /// The legs are busy with something else at that time.
    LegsAreBusy,
    /// It needs a body part that another event uses at that time, and is done after it.
    SameBodyPart,
    /// It contradicts something else, which is performed.
    Contradicts(Rival),
}

/// What contradicts a part that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rival {
    /// An earlier event at the same time. If the later event follows instead, only its `while` is
    /// left out.
    Event(usize),
    /// The action of the event itself.
    Deed,
    /// Another field of the event.
    Field(&'static str),
    /// Another manner of the event.
    Manner {
        /// The manner that is performed.
        kept: Manner,
        /// The manner that is left out.
        left: Manner,
    },
    /// The event's speed, which contradicts this manner.
    Speed(Manner),
    /// The clip's looping.
    Loop,
    /// An action that cannot repeat because it does not lead back to the start of the clip.
    Once(Action),
}

impl LeftOut {
    /// The message about it. `script` is the one that it was left out of.
    #[must_use]
    pub fn message(&self, script: &Script) -> Message {
        let Some(index) = self.event else { return self.clip_message() };
        let event = u32::try_from(index).unwrap_or(u32::MAX);
        let action = name_of(script, index);
        match self.why {
            OmissionReason::NoSuchMovement => Message::NoSuchMovement { event, action },
            OmissionReason::LegsAreBusy => Message::LegsAreBusy { event, action },
            OmissionReason::SameBodyPart => {
                let first = self.beside(script).map(|other| name_of(script, other));
                Message::SameBodyPart { first: first.unwrap_or_default(), second: action }
            }
            OmissionReason::NotYet if matches!(self.field, "do" | "move") => {
                Message::EventNotPerformedYet { event, action, nearest: Vec::new() }
            }
            OmissionReason::NotYet | OmissionReason::Contradicts(_) => {
                self.contradiction(script, Some(event), &|_, _| None).unwrap_or_else(|| {
                    let field = self.field.to_owned();
                    Message::LeftOut { event: Some(event), field, action: Some(action) }
                })
            }
        }
    }

    /// The message about it if it applies to the whole clip.
    pub(crate) fn clip_message(&self) -> Message {
        let (first, second) = match self.why {
            OmissionReason::Contradicts(Rival::Loop) => ("loop".to_owned(), "hold"),
            OmissionReason::Contradicts(Rival::Once(action)) => (action.phrase(), "loop"),
            _ => {
                let field = self.field.to_owned();
                return Message::LeftOut { event: None, field, action: None };
            }
        };
        Message::Contradiction { event: None, first, second: second.to_owned(), kept: Kept::First }
    }

    /// The event at whose time it should happen.
    pub(crate) fn beside(&self, script: &Script) -> Option<usize> {
        match script.events().get(self.event?)?.timing {
            Timing::While(EventIndex(other)) => Some(other),
            _ => None,
        }
    }

    /// The message about a contradiction within or between events. `said` returns the prompt's
    /// words for a field of an event, `do` for its action; without words, the field's text form is
    /// used. `event` is set for events of a script.
    pub(crate) fn contradiction(
        &self,
        script: &Script,
        event: Option<u32>,
        said: &dyn Fn(usize, &str) -> Option<String>,
    ) -> Option<Message> {
        let (OmissionReason::Contradicts(rival), Some(index)) = (self.why, self.event) else {
            return None;
        };
        let deed = |index: usize| said(index, "do").unwrap_or_else(|| name_of(script, index));
        let own = |field: &str| {
            let written = || written(script.events().get(index)?, field);
            said(index, field).or_else(written).unwrap_or_default()
        };
        let (first, second, kept) = match rival {
            Rival::Event(other) => {
                let kept = if self.field == "while" { Kept::InTurn } else { Kept::First };
                (deed(other), deed(index), kept)
            }
            Rival::Deed => (deed(index), own(self.field), Kept::First),
            Rival::Field(other) => (own(self.field), own(other), Kept::Second),
            Rival::Manner { kept, left } => (kept.to_string(), left.to_string(), Kept::First),
            Rival::Speed(manner) => (manner.to_string(), own("speed"), Kept::Second),
            Rival::Loop | Rival::Once(_) => return None,
        };
        Some(Message::Contradiction { event, first, second, kept })
    }
}

/// The action of an event in words.
fn name_of(script: &Script, index: usize) -> String {
    script.events().get(index).map(|event| event.deed.to_string()).unwrap_or_default()
}

/// The text form of a field of an event, for fields that can contradict something.
fn written(event: &Event, field: &str) -> Option<String> {
    let value = match field {
        "posture" => event.posture?.to_string(),
        "side" => event.side?.to_string(),
        "direction" => event.direction?.to_string(),
        "speed" => event.speed?.to_string(),
        "still" => listed(event.still.iter().map(|part: &BodyPart| part.name())),
        "avoid" => listed(event.avoid.iter().map(ActionName::as_str)),
        _ => return None,
    };
    Some(format!("{field}:{value}"))
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(",")
}
