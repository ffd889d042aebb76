//! Messages for the user, as data.
//!
//! The interface speaks several languages and the app speaks one. Every message therefore crosses
//! as a code with arguments. The English text is made here, from a [`Notice`] of the app or a
//! [`Message`] of a service; the interface makes the text of every other language from the code.
//! `ui/src/texts/codes.json` lists all codes for the interface's tests.

mod language_model;
mod notice;
mod phrases;

use std::{collections::BTreeMap, fmt};

use limber_client::motion::Message;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use language_model::LanguageModelNotice;
pub use notice::Notice;
pub use phrases::{Doing, ServiceName};

use crate::error::sentence;

/// An argument of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(untagged)]
pub enum Argument {
    /// A count or a duration.
    Number(u32),
    /// A word or a name, used verbatim.
    Word(String),
    /// A list of words.
    Words(Vec<String>),
    /// A nested message with its own code.
    Message(Box<MessageView>),
}

/// A message for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct MessageView {
    /// The code under which the interface finds its translation.
    pub code: String,
    /// Arguments by name.
    pub arguments: BTreeMap<String, Argument>,
    /// The English text.
    pub text: String,
}

impl MessageView {
    /// Wraps text from elsewhere that has no code of its own.
    #[must_use]
    pub fn words(text: &str) -> Self {
        Self::from(&Message::from(text))
    }

    /// Makes a message from an enum whose serde tag is the code.
    fn coded(what: &impl Serialize, text: String) -> Self {
        let mut parts = match serde_json::to_value(what) {
            Ok(Value::Object(parts)) => parts,
            // a tagged enum serialises to an object, and serialising ours cannot fail
            _ => Map::new(),
        };
        let code = parts.remove("code").and_then(|code| code.as_str().map(str::to_owned));
        Self { code: code.unwrap_or_default(), arguments: arguments(parts), text }
    }
}

impl fmt::Display for MessageView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl From<&Message> for MessageView {
    fn from(message: &Message) -> Self {
        if matches!(message, Message::Sentence { said } if said.trim().is_empty()) {
            return Notice::NothingSaid.into();
        }
        let (code, parts) = message.parts();
        Self { code, arguments: arguments(parts), text: sentence(&message.to_string()) }
    }
}

impl From<Notice> for MessageView {
    fn from(notice: Notice) -> Self {
        Self::coded(&notice, notice.to_string())
    }
}

fn arguments(parts: Map<String, Value>) -> BTreeMap<String, Argument> {
    let known = parts.into_iter().map(|(name, value)| {
        let argument = serde_json::from_value(value.clone());
        // keep the digits of anything that is neither, such as a fraction
        (name, argument.unwrap_or_else(|_| Argument::Word(value.to_string())))
    });
    known.collect()
}

/// Converts the first of a service's messages, or its plain text if it sent no structured messages.
pub(crate) fn of_service(messages: &[Message], words: &str) -> MessageView {
    messages.first().map_or_else(|| MessageView::words(words), MessageView::from)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Collects every code with the names of its arguments.
    fn codes_of(schema: &Value, known: &mut BTreeMap<String, Vec<String>>) {
        let variants = schema["oneOf"].as_array().expect("an enum");
        for variant in variants {
            let properties = variant["properties"].as_object().expect("an object");
            let code = properties["code"]["const"].as_str().expect("a code").to_owned();
            let names = properties.keys().filter(|name| *name != "code");
            let mut names: Vec<String> = names.cloned().collect();
            names.sort();
            assert_eq!(known.insert(code.clone(), names), None, "{code} has two meanings");
        }
    }

    /// With `LIMBER_RENEW_PAGES=1` this writes the file instead of failing.
    #[test]
    fn the_interface_knows_every_code() {
        let mut known = BTreeMap::new();
        codes_of(limber_client::motion::message::schema().as_value(), &mut known);
        codes_of(schemars::schema_for!(Notice).as_value(), &mut known);
        codes_of(schemars::schema_for!(LanguageModelNotice).as_value(), &mut known);
        codes_of(schemars::schema_for!(Doing).as_value(), &mut known);
        codes_of(schemars::schema_for!(ServiceName).as_value(), &mut known);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/texts/codes.json");
        if std::env::var_os("LIMBER_RENEW_PAGES").is_some() {
            let page = serde_json::to_string_pretty(&known).expect("it is JSON") + "\n";
            std::fs::write(Path::new(path), page).expect("it is written");
        }
        let page = std::fs::read_to_string(path).unwrap_or_default();
        let written: BTreeMap<String, Vec<String>> =
            serde_json::from_str(&page).unwrap_or_default();
        assert!(
            written == known,
            "ui/src/texts/codes.json is out of date; regenerate it with LIMBER_RENEW_PAGES=1 cargo \
             test -p limber-app the_interface_knows"
        );
    }

    #[test]
    fn messages_have_a_code_arguments_and_english_text() {
        let told = MessageView::from(Notice::LongName { most: 60 });
        assert_eq!(
            (told.code.as_str(), told.text.as_str()),
            ("long-name", "A name has 1 to 60 characters.")
        );
        assert_eq!(told.arguments["most"], Argument::Number(60));
        let full = MessageView::from(Notice::DiskFull { doing: Doing::SaveClip });
        assert_eq!(
            full.text,
            "The disk is full, so Limber could not save the clip. Free some space and try again."
        );
        let Argument::Message(doing) = &full.arguments["doing"] else { panic!("{full:?}") };
        assert_eq!((doing.code.as_str(), doing.text.as_str()), ("save-clip", "save the clip"));
        let kept = serde_json::to_string(&full).expect("it is kept");
        assert_eq!(serde_json::from_str::<MessageView>(&kept).expect("it is read"), full);
    }

    #[test]
    fn service_errors_keep_their_code_and_become_sentences() {
        let begun = Message::OnlyBeginning { wanted_ms: 1000, whole_ms: 6300 };
        let told = MessageView::from(&begun);
        assert_eq!(
            (told.code.as_str(), &told.arguments["wantedMs"]),
            ("only-beginning", &Argument::Number(1000))
        );
        assert!(
            told.text.starts_with("1.0 seconds are enough") && told.text.ends_with('.'),
            "{told}"
        );
        assert_eq!(of_service(&[begun], "other words"), told);
        assert_eq!(of_service(&[], "no such job").text, "No such job.");
    }
}
