//! Whether a prompt is English. The reader learned no other language, and would find something in any.

use crate::{
    assembly::is_small,
    pieces::Pieces,
    slips::{self, Known, SHORTEST},
    words::{Word, plain},
};

/// So many strange words among English ones may be names, trades or inventions.
const FEW: usize = 3;
/// The same without English ones, or with one alone that may be in the other language, too: *main*.
const FEW_ALONE: usize = 1;

/// Whether the words are English ones, as far as they tell.
///
/// The encoder's vocabulary tells nothing: it holds *und* and *homme* as well. What was learned from is English
/// alone, and holds nearly every word of English prompts. Short words are in too many languages, and what is one slip
/// away from a word may be either.
pub(crate) fn is_english(words: &[Word], known: &[String], pieces: &Pieces) -> bool {
    let (mut small, mut english, mut strange, mut in_other_letters) = (0, 0, 0, 0);
    for word in words {
        let plain = plain(&word.text);
        match slips::known(&word.text, known, pieces) {
            Known::Foreign => in_other_letters += 1,
            _ if plain.len() < 2 || !plain.chars().any(char::is_alphabetic) => {}
            _ if is_small(&plain) => small += 1,
            _ if slips::is_learned(&plain, known) => english += 1,
            _ if plain.len() < SHORTEST => {}
            _ if slips::is_form(&plain, |stem| slips::is_learned(stem, known)) => english += 1,
            _ if slips::meant(&word.text, known, pieces).is_some() => {}
            _ => strange += 1,
        }
    }
    let others = strange + in_other_letters;
    if small == 0 && english < 2 {
        return in_other_letters == 0 && others <= FEW_ALONE;
    }
    others <= FEW || others <= 2 * (small + english)
}
