//! The prompt reader: from a prompt to a script.
//!
//! ```text
//! prompt ──limber-reader──▶ reading ──titles, chunks, stages──▶ script
//!        └─words──▶ tokens ──reading──▶ meanings ──clauses──▶ clauses ──assembly──▶ script
//!                            lexicon
//! ```
//! The learned reader reads prompts; titles, lists of known phrases and implied stages are handled
//! around it. Below is the reader by phrases: the lexicon is data (`assets/lexicon`), and the
//! grammar is small and hand-written. It reads what the learned reader does not find, short plain
//! prompts of known phrases (`choice`), and prompts with actions that a studio added. Unknown words
//! that look like an action are reported to the user, never guessed.

mod assembly;
mod choice;
mod chunks;
mod clauses;
mod description;
mod learned;
mod lexicon;
mod modifiers;
mod notation;
mod reading;
mod speaking;
mod stages;
mod titles;
mod unknown;
mod words;

#[cfg(test)]
mod paraphrases;

pub(crate) use assembly::{lay_over, set_afoot};
pub use learned::names_not_performed_yet;
pub(crate) use lexicon::Lexicon;
pub use notation::ParseScriptError;

use lexicon::Meaning;
use limber_reader::{NotUnderstood, Reader, Reading};
use limber_script::{ClipEnds, Message, Script};

use description::Words;
use reading::Item;

use crate::{Act, Action, EngineError, LeftOut, MotionScript, Prompt, performable, script_of};

/// Maximum number of unknown words that are reported.
const MOST_WARNINGS: usize = 5;

/// How a prompt was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Understood {
    /// The steps that will be performed.
    pub script: MotionScript,
    /// The complete meaning, whether it can be performed or not; `None` if it was not recorded.
    pub meaning: Option<Script>,
    /// The words from which each part of the meaning was read, and what became of the other words.
    pub reading: Reading,
    /// Parts of the meaning that will not be performed.
    pub left_out: Vec<LeftOut>,
    /// Warnings about ignored words and limits.
    pub warnings: Vec<Message>,
}

impl Understood {
    /// Overrides how the clip starts and ends; what cannot be applied is added to
    /// [`Self::left_out`].
    #[must_use]
    pub fn with_ends(mut self, ends: ClipEnds) -> Self {
        // the prompt's own start and end no longer apply
        self.left_out.retain(|left| match (left.event, left.field) {
            (None, "start") => ends.start.is_none(),
            (None, "end") => ends.end.is_none(),
            _ => true,
        });
        let left_out = performable::set_ends(&mut self.script, ends);
        self.warnings.extend(left_out.iter().map(LeftOut::clip_message));
        self.left_out.extend(left_out);
        self.meaning = self.meaning.map(|meaning| meaning.overridden_by(ends));
        self
    }
}

/// Reads an English prompt. The same prompt always gives the same script.
///
/// # Errors
/// [`EngineError::UnknownAction`] if it contains no action that Limber knows, or is in another
/// language. The error lists the nearest actions.
pub fn understand(prompt: &Prompt) -> Result<Understood, EngineError> {
    understand_with(lexicon::lexicon(), prompt)
}

/// [`understand`] with another lexicon.
pub(crate) fn understand_with(
    lexicon: &Lexicon,
    prompt: &Prompt,
) -> Result<Understood, EngineError> {
    let items = reading::read_text(lexicon, prompt.as_str());
    // the learned reader was not trained on custom actions and would take them for others
    let is_added =
        |item: &Item| matches!(&item.meaning, Some(Meaning::Act(act)) if act.action.is_added());
    if items.iter().any(is_added) {
        return by_items(lexicon, prompt, &items);
    }
    let text = prompt.as_str();
    let is_all_known = !items.iter().any(is_left_over);
    if !is_all_known && !Reader::shared().is_english(text) {
        let messages = vec![unknown::no_movement(text)];
        return Err(EngineError::UnknownAction { messages });
    }
    let by_phrases = || by_items(lexicon, prompt, &items);
    let learned = match learned::understand(lexicon.repertoire(), prompt) {
        Ok(learned) => learned,
        // known words that name no action are not unknown
        Err(_) if is_all_known => return by_phrases(),
        Err(error) => return by_phrases().map_err(|_| error),
    };
    if !is_all_known {
        return Ok(learned);
    }
    match by_phrases() {
        Ok(phrases) if choice::phrases_win(text, &learned, &phrases) => Ok(phrases),
        Err(error) if choice::is_guess(&learned) => Err(error),
        _ => Ok(learned),
    }
}

/// Reads a prompt with the phrases of the lexicon only.
pub(crate) fn by_phrases(lexicon: &Lexicon, prompt: &Prompt) -> Result<Understood, EngineError> {
    by_items(lexicon, prompt, &reading::read_text(lexicon, prompt.as_str()))
}

/// Whether these words mean something other than an action, as *slowly* and *the left hand* do.
pub(crate) fn says_something_else(words: &str) -> bool {
    let read = reading::read_text(lexicon::lexicon(), words);
    let is_action = |meaning: &Meaning| matches!(meaning, Meaning::Act(_) | Meaning::Neighbour(_));
    matches!(&read[..], [Item { meaning: Some(meaning), .. }] if !is_action(meaning))
}

/// Whether no phrase of the lexicon explains these words.
fn is_left_over(item: &Item) -> bool {
    matches!(item.meaning, None | Some(Meaning::Neighbour(_)))
}

fn by_items(lexicon: &Lexicon, prompt: &Prompt, items: &[Item]) -> Result<Understood, EngineError> {
    let flagged = reading::passed_over(items);
    let (clauses, mut warnings) = match standing_in_a_manner(items) {
        Some(items) => clauses::clauses(&items),
        None => clauses::clauses(items),
    };
    let (steps, words) = assembly::assemble(clauses, &mut warnings);
    if steps.is_empty() {
        return Err(unknown::error(lexicon, prompt, items, &flagged));
    }
    let mut said: Vec<&str> = Vec::new();
    for item in &flagged {
        if said.len() < MOST_WARNINGS && !said.contains(&item.text.as_str()) {
            said.push(&item.text);
            warnings.push(unknown::warning(lexicon, item));
        }
    }
    let script = MotionScript { steps };
    let meaning = script_of(&script).ok();
    let reading = read_by_phrases(lexicon, meaning.as_ref(), &words, items, &flagged);
    Ok(Understood { script, meaning, reading, warnings, ..Understood::default() })
}

/// Handles prompts that only describe a state, such as *angry* or *a very tired man*: adds standing
/// as the action that shows it.
fn standing_in_a_manner(items: &[Item]) -> Option<Vec<Item>> {
    let says_no_more = |item: &Item| {
        use Meaning::{Degree, Determiner, Filler, Join, Manner, Subject};
        let meaning = item.meaning.as_ref();
        meaning.is_some_and(|meaning| {
            matches!(meaning, Manner(..) | Degree(_) | Join(_) | Subject | Determiner | Filler)
        })
    };
    let manner = items.iter().rfind(|item| matches!(item.meaning, Some(Meaning::Manner(..))))?;
    let idle = Meaning::Act(Act::new(Action::idle()));
    let standing = Item { meaning: Some(idle), ..manner.clone() };
    items.iter().all(says_no_more).then(|| items.iter().cloned().chain([standing]).collect())
}

/// The reading of a prompt: what its words were understood as.
fn read_by_phrases(
    lexicon: &Lexicon,
    meaning: Option<&Script>,
    words: &[Words],
    items: &[Item],
    flagged: &[&Item],
) -> Reading {
    let events = meaning.map(Script::events).unwrap_or_default();
    let is_flagged = |item: &Item| flagged.iter().any(|other| other.place == item.place);
    let not_understood = flagged.iter().map(|item| NotUnderstood {
        place: item.place.clone(),
        nearest: (unknown::nearest(lexicon, item).into_iter())
            .map(|action| action.name().to_owned())
            .collect(),
    });
    let is_scenery = |item: &&Item| is_left_over(item) && !is_flagged(item);
    Reading {
        script: meaning.cloned(),
        events: events.iter().zip(words).map(|(event, words)| words.of_event(event)).collect(),
        scenery: items.iter().filter(is_scenery).map(|item| item.place.clone()).collect(),
        not_understood: not_understood.collect(),
        ..Reading::default()
    }
}

#[cfg(test)]
mod tests {
    use limber_script::{End, Start};

    use super::*;

    fn with_ends(prompt: &str, ends: ClipEnds) -> Understood {
        let prompt = Prompt::parse(prompt).unwrap();
        understand(&prompt).unwrap().with_ends(ends)
    }

    #[test]
    fn requested_ends_override_the_prompt() {
        let open = ClipEnds::default();
        let loops = ClipEnds { is_loop: Some(true), ..open };
        let stays = ClipEnds { end: Some(End::Hold), ..open };
        let at_ease = ClipEnds { end: Some(End::Idle), ..open };
        for (prompt, ends, steps, meaning) in [
            ("a person walks forward", loops, "walk dir:forward loop:true", "| loop:true"),
            ("a person salutes", stays, "salute end:hold", "| end:hold"),
        ] {
            let plain = with_ends(prompt, open);
            let understood = with_ends(prompt, ends);
            assert_eq!(understood.script.to_string(), steps);
            let said = understood.meaning.as_ref().unwrap().to_string();
            assert!(said.ends_with(meaning), "{said}");
            assert_eq!((&understood.left_out, &understood.warnings), (&vec![], &vec![]));
            assert_eq!(understood.with_ends(at_ease), plain, "{prompt}");
        }
    }

    #[test]
    fn impossible_ends_are_reported_for_a_prompt() {
        let at_once = ClipEnds { start: Some(Start::Action), ..ClipEnds::default() };
        let jump = with_ends("a person jumps", at_once);
        let left: Vec<_> = jump.left_out.iter().map(|left| (left.event, left.field)).collect();
        assert_eq!(left, [(None, "start")]);
        let field = "start".to_owned();
        assert_eq!(jump.warnings, [Message::LeftOut { event: None, field, action: None }]);
    }
}
