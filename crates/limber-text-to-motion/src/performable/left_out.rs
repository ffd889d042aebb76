//! What a script says and is not done, and why.

use limber_script::{
    ActionName, BodyPart, Event, EventIndex, Manner, Message, Script, Timing, message::Kept,
};

use crate::Action;

/// Something that a script says and the composer does not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Which event, from 0; `None` for what is said of the whole clip.
    pub event: Option<usize>,
    /// The field that is not looked at; `do` or `move` when the whole event is left out.
    pub field: &'static str,
    /// Why.
    pub why: Why,
}

/// Why something that a script says is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The composer cannot do it yet.
    NotYet,
    /// The part of the body does no such thing: a knee cannot be clenched.
    NoSuchMovement,
    /// The legs do something else at that time.
    LegsAreBusy,
    /// It needs the part of the body that another event has at that time, and follows it.
    SameBodyPart,
    /// No body does it and this, which is done.
    Contradicts(Rival),
}

/// What contradicts something that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rival {
    /// An earlier event at the same time. Of the later one `while` is left out where it follows instead.
    Event(usize),
    /// What the event itself does.
    Deed,
    /// Another field of the event.
    Field(&'static str),
    /// One manner of an event another one.
    Manner {
        /// The one that it is done in.
        kept: Manner,
        /// The one that it is not.
        left: Manner,
    },
    /// The speed of an event this manner of it.
    Speed(Manner),
    /// The clip goes round.
    Loop,
    /// This is done once, and does not lead back to where the clip begins.
    Once(Action),
}

impl LeftOut {
    /// What to say of it. `script` is the one that it was left out of.
    #[must_use]
    pub fn told(&self, script: &Script) -> Message {
        let Some(index) = self.event else { return self.told_of_clip() };
        let event = u32::try_from(index).unwrap_or(u32::MAX);
        let action = name_of(script, index);
        match self.why {
            Why::NoSuchMovement => Message::NoSuchMovement { event, action },
            Why::LegsAreBusy => Message::LegsAreBusy { event, action },
            Why::SameBodyPart => {
                let first = self.beside(script).map(|other| name_of(script, other));
                Message::SameBodyPart { first: first.unwrap_or_default(), second: action }
            }
            Why::NotYet if matches!(self.field, "do" | "move") => {
                Message::EventNotPerformedYet { event, action, nearest: Vec::new() }
            }
            Why::NotYet | Why::Contradicts(_) => {
                self.contradiction(script, Some(event), &|_, _| None).unwrap_or_else(|| {
                    let field = self.field.to_owned();
                    Message::LeftOut { event: Some(event), field, action: Some(action) }
                })
            }
        }
    }

    /// What to say of it where it is said of the whole clip.
    pub(crate) fn told_of_clip(&self) -> Message {
        let (first, second) = match self.why {
            Why::Contradicts(Rival::Loop) => ("loop".to_owned(), "hold"),
            Why::Contradicts(Rival::Once(action)) => (action.phrase(), "loop"),
            _ => {
                let field = self.field.to_owned();
                return Message::LeftOut { event: None, field, action: None };
            }
        };
        Message::Contradiction { event: None, first, second: second.to_owned(), kept: Kept::First }
    }

    /// The event at whose time it should be done.
    pub(crate) fn beside(&self, script: &Script) -> Option<usize> {
        match script.events().get(self.event?)?.timing {
            Timing::While(EventIndex(other)) => Some(other),
            _ => None,
        }
    }

    /// What to say where an event contradicts something. `said` has the words for a field of an event, `do` for what names
    /// it; where it has none, they are told as the script tells them. `event` is named where it is a script's.
    pub(crate) fn contradiction(
        &self,
        script: &Script,
        event: Option<u32>,
        said: &dyn Fn(usize, &str) -> Option<String>,
    ) -> Option<Message> {
        let (Why::Contradicts(rival), Some(index)) = (self.why, self.event) else { return None };
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

/// What an event does, in words.
fn name_of(script: &Script, index: usize) -> String {
    script.events().get(index).map(|event| event.deed.to_string()).unwrap_or_default()
}

/// A field of an event as the text form of scripts has it, of those that can contradict something.
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
