//! Chooses between the learned reading and that by phrases for prompts of which phrases explain every
//! word: they are more reliable for short, plain ones, such as *walks and waves*.

use limber_script::{Event, Message, Script};

use super::{Understood, stages::named};

/// Maximum number of words of a plain prompt with several actions. Longer ones have grammar, which
/// phrases miss.
const PLAIN: usize = 6;
/// Maximum number of words of a prompt in which phrases find what the learned reader loses.
const SIMPLE: usize = 10;

/// Below this certainty, an action in words that name none is a guess.
const UNSURE: f32 = 0.7;

/// Whether phrases, which explain every word of the prompt, read it more reliably than the learned
/// reader.
pub(super) fn phrases_win(text: &str, learned: &Understood, phrases: &Understood) -> bool {
    // in an overlong list of known actions, phrases miss none of those that fit
    if phrases.warnings.iter().any(|message| matches!(message, Message::MostActions { .. })) {
        return true;
    }
    // only the learned reader stays on the spot
    if !is_without_repeats(phrases) || phrases.warnings.contains(&Message::OnTheSpot) {
        return false;
    }
    let words = text.split_whitespace().count();
    // *after clapping, …*: the learned reader lost an action
    let is_lost = words <= SIMPLE && !learned.reading.not_understood.is_empty();
    if is_lost && events(phrases).count() > events(learned).count() {
        return true;
    }
    let is_short = words <= PLAIN;
    let is_one = events(phrases).count() == 1;
    // *10,000* is no list
    !text.contains(", ")
        && !text.contains([';', ':', '_', '('])
        && (is_short || is_one)
        && (events(phrases).any(reacts) || !events(learned).any(reacts))
        && events(learned).all(|event| event.manners.is_empty() || has_manners(phrases))
}

/// Whether the learned reader is not sure of any action.
pub(super) fn is_guess(learned: &Understood) -> bool {
    learned.reading.events.iter().all(|words| words.certainty < UNSURE)
}

fn events(understood: &Understood) -> impl Iterator<Item = &Event> {
    understood.meaning.iter().flat_map(Script::events)
}

/// Whether no action is read twice, as phrases do with *jump up with both feet*.
fn is_without_repeats(understood: &Understood) -> bool {
    let mut pairs = events(understood).zip(events(understood).skip(1));
    pairs.all(|(one, next)| one.deed != next.deed)
}

/// Whether the action is a reaction to what others do; phrases take *is pushed* for a push.
fn reacts(event: &Event) -> bool {
    named(&event.deed).is_some_and(|action| action.family() == "reactions")
}

/// Whether the style of the person, as in *a child claps*, was read.
fn has_manners(understood: &Understood) -> bool {
    events(understood).any(|event| !event.manners.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::understand;
    use crate::Prompt;

    fn read(text: &str) -> String {
        understand(&Prompt::parse(text).unwrap()).unwrap().meaning.unwrap().to_string()
    }

    #[test]
    fn phrases_read_plain_prompts() {
        for (text, script) in [
            ("walks and waves", "v2 walk > wave while:0"),
            ("kneel and pray", "v2 kneel > pray"),
            ("after clapping, a person waves with the left hand", "v2 clap > wave side:left"),
        ] {
            assert_eq!(read(text), script, "{text}");
        }
    }

    #[test]
    fn the_learned_reader_reads_everything_else() {
        for (text, script) in [
            ("a page is pushed by the king", "v2 react-push"),
            ("a child claps his hands", "v2 clap manners:child=1.0"),
            ("a person walks on the spot", "v2 walk-in-place"),
            (
                "Jab, cross, left hook, right uppercut",
                "v2 jab > cross > hook side:left > uppercut side:right",
            ),
        ] {
            assert_eq!(read(text), script, "{text}");
        }
    }
}
