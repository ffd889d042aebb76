//! Understanding: from a prompt to a script.
//!
//! ```text
//! prompt ──words──▶ tokens ──reading──▶ meanings ──clauses──▶ clauses ──assembly──▶ script
//!                            lexicon
//! ```
//! The lexicon is data (`assets/lexicon`); the grammar is small and made by hand. It looks for
//! actions and what is said about them, and skips people, articles and scenery. Words that look
//! like an action but are unknown are named to the user, never guessed.

mod assembly;
mod choice;
mod chunks;
mod clauses;
mod learned;
mod lexicon;
mod modifiers;
mod notation;
mod reading;
mod said;
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

use reading::Item;
use said::Words;

use crate::{EngineError, LeftOut, MotionScript, Prompt, performable, script_of};

/// The most unknown words that are named.
const MOST_WARNINGS: usize = 5;

/// A prompt's meaning, and what of it was passed over.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Understood {
    /// What will be done.
    pub script: MotionScript,
    /// All that the prompt means, whether it can be done or not; `None` where nobody wrote that down.
    pub meaning: Option<Script>,
    /// The words that each part of it came from, and what became of the others.
    pub reading: Reading,
    /// What it means and will not be done.
    pub left_out: Vec<LeftOut>,
    /// Words that were left out, and limits that were met.
    pub warnings: Vec<Message>,
}

impl Understood {
    /// The same, beginning and ending as it is asked for beside the prompt; what of that cannot be is left out.
    #[must_use]
    pub fn with_ends(mut self, ends: ClipEnds) -> Self {
        // what the prompt says of them does not count any more
        self.left_out.retain(|left| match (left.event, left.field) {
            (None, "start") => ends.start.is_none(),
            (None, "end") => ends.end.is_none(),
            _ => true,
        });
        let left_out = performable::set_ends(&mut self.script, ends);
        self.warnings.extend(left_out.iter().map(LeftOut::told_of_clip));
        self.left_out.extend(left_out);
        self.meaning = self.meaning.map(|meaning| meaning.overridden_by(ends));
        self
    }
}

/// Reads an English prompt. The same prompt always gives the same script.
///
/// # Errors
/// [`EngineError::UnknownAction`] when it holds no action Limber knows, or is in another language; the error offers
/// the nearest ones.
pub fn understand(prompt: &Prompt) -> Result<Understood, EngineError> {
    understand_with(lexicon::lexicon(), prompt)
}

/// [`understand`] by who has these words.
pub(crate) fn understand_with(
    lexicon: &Lexicon,
    prompt: &Prompt,
) -> Result<Understood, EngineError> {
    let items = reading::read_text(lexicon, prompt.as_str());
    // the learned reader has never seen an action that somebody added, and would take it for another
    let is_added =
        |item: &Item| matches!(&item.meaning, Some(Meaning::Act(act)) if act.action.is_added());
    if items.iter().any(is_added) {
        return by_items(lexicon, prompt, &items);
    }
    let by_phrases = || by_items(lexicon, prompt, &items);
    let text = prompt.as_str();
    let is_all_known = !items.iter().any(is_left_over);
    if !is_all_known && !Reader::shared().is_english(text) {
        let messages = vec![unknown::no_movement(text)];
        return Err(EngineError::UnknownAction { messages });
    }
    let is_built = limber_reader::is_built(text) && !items.iter().any(is_suffered);
    if !is_all_known || is_built || titles::has_one(text) {
        let learned = learned::understand(lexicon.repertoire(), prompt);
        return learned.or_else(|error| by_phrases().map_err(|_| error));
    }
    // phrases that leave no word over are as good as a reading that is not sure, and quicker
    let phrases = by_phrases()?;
    if choice::is_plain(text, &phrases) {
        return Ok(phrases);
    }
    let learned = learned::understand(lexicon.repertoire(), prompt);
    Ok(learned.ok().filter(|learned| choice::is_better(text, learned, &phrases)).unwrap_or(phrases))
}

/// Whether a phrase of the lexicon says of itself that something is done to somebody: *be dragged backward*.
fn is_suffered(item: &Item) -> bool {
    let is_action = matches!(item.meaning, Some(Meaning::Act(_)));
    is_action && item.text.split(' ').next().is_some_and(limber_reader::is_form_of_be)
}

/// Reads a prompt by the phrases of the lexicon alone.
pub(crate) fn by_phrases(lexicon: &Lexicon, prompt: &Prompt) -> Result<Understood, EngineError> {
    by_items(lexicon, prompt, &reading::read_text(lexicon, prompt.as_str()))
}

/// Whether these words say something else than an action, as *slowly* and *the left hand* do.
pub(crate) fn says_something_else(words: &str) -> bool {
    let read = reading::read_text(lexicon::lexicon(), words);
    let is_action = |meaning: &Meaning| matches!(meaning, Meaning::Act(_) | Meaning::Neighbour(_));
    matches!(&read[..], [Item { meaning: Some(meaning), .. }] if !is_action(meaning))
}

/// Whether the phrases of the lexicon say nothing of these words.
fn is_left_over(item: &Item) -> bool {
    matches!(item.meaning, None | Some(Meaning::Neighbour(_)))
}

fn by_items(lexicon: &Lexicon, prompt: &Prompt, items: &[Item]) -> Result<Understood, EngineError> {
    let flagged = reading::passed_over(items);
    let (clauses, mut warnings) = clauses::clauses(items);
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

/// What became of the words of a prompt.
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
    fn ends_that_are_asked_for_beside_a_prompt_win_over_its_words() {
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
    fn ends_that_cannot_be_are_told_beside_a_prompt() {
        let at_once = ClipEnds { start: Some(Start::Action), ..ClipEnds::default() };
        let jump = with_ends("a person jumps", at_once);
        let left: Vec<_> = jump.left_out.iter().map(|left| (left.event, left.field)).collect();
        assert_eq!(left, [(None, "start")]);
        let field = "start".to_owned();
        assert_eq!(jump.warnings, [Message::LeftOut { event: None, field, action: None }]);
    }
}
