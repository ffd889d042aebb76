//! Interprets captions with the prompt reader.

use std::collections::HashMap;

use limber_animation::Side;
use limber_text_to_motion::{Act, ActionKind, Prompt, SideChoice, understand};

/// One action that a caption names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sense {
    /// The action's name; of synonyms the main one.
    pub(crate) action: String,
    pub(crate) way: ActionKind,
    pub(crate) side: Option<Side>,
    /// Names of the manners, sorted.
    pub(crate) manners: Vec<String>,
    pub(crate) tempo: f32,
    /// The words by which it can be detected.
    pub(crate) said: String,
}

/// Interprets captions and caches the results: a library has few different ones.
#[derive(Debug, Default)]
pub(crate) struct Senses {
    known: HashMap<String, Vec<Sense>>,
}

impl Senses {
    /// The distinct actions of the first caption that names any.
    pub(crate) fn of(&mut self, captions: &[String]) -> Vec<Sense> {
        for caption in captions {
            let senses = self.known.entry(caption.clone()).or_insert_with(|| read(caption));
            if !senses.is_empty() {
                return senses.clone();
            }
        }
        Vec::new()
    }
}

fn read(caption: &str) -> Vec<Sense> {
    let Ok(prompt) = Prompt::parse(caption) else { return Vec::new() };
    let Ok(understood) = understand(&prompt) else { return Vec::new() };
    let acts = understood
        .script
        .steps
        .iter()
        .flat_map(|step| std::iter::once(&step.main).chain(&step.overlays));
    let mut senses: Vec<Sense> = Vec::new();
    let is_one = understood.script.steps.len() == 1;
    for act in acts.filter(|act| act.action.kind() != ActionKind::Idle) {
        let sense = sense(act, if is_one { caption } else { "" });
        if !senses.iter().any(|other| other.action == sense.action) {
            senses.push(sense);
        }
    }
    senses
}

/// The action without counts and distances, because a take has as many repetitions and travels as
/// far as it does.
fn sense(act: &Act, caption: &str) -> Sense {
    let action = root(act);
    let phrase = format!("a person {caption} {}", act.action.phrase());
    Sense {
        action: action.to_owned(),
        way: act.action.kind(),
        side: match act.side {
            Some(SideChoice::Left) => Some(Side::Left),
            Some(SideChoice::Right) => Some(Side::Right),
            Some(SideChoice::Both) | None => None,
        },
        manners: manners(act),
        tempo: act.tempo.0,
        said: phrase,
    }
}

/// The name of an act's action; of synonyms the main one.
pub(crate) fn root(act: &Act) -> &'static str {
    let mut action = act.action;
    while let Some(first) = action.synonym_of() {
        action = first;
    }
    action.name()
}

/// The names of an act's manners, sorted.
pub(crate) fn manners(act: &Act) -> Vec<String> {
    let mut names: Vec<String> =
        act.manners.keys().map(|manner| manner.name().to_owned()).collect();
    names.sort_unstable();
    names
}
