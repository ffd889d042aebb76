//! Spelling correction: *wlak forwrad*.

use std::cmp::Ordering;

use crate::{pieces::Pieces, words::plain};

/// Least length of a word to be corrected, in bytes; shorter ones have too many neighbours.
pub(crate) const SHORTEST: usize = 4;

/// Returns the known word at an edit distance of one: a letter added, missing or replaced, or two
/// neighbours swapped. Words in the encoder's vocabulary and their inflections are never corrected.
pub(crate) fn corrected_spelling<'a>(
    word: &str,
    known: &'a [String],
    pieces: &Pieces,
) -> Option<&'a str> {
    let typed = plain(word);
    if typed.len() < SHORTEST
        || !typed.chars().all(|character| character.is_ascii_lowercase())
        || pieces.holds(&typed)
        || is_learned(&typed, known)
        || is_form(&typed, |stem| pieces.holds(stem))
        || is_short_form(&typed, |stem| pieces.holds(stem))
    {
        return None;
    }
    // a single edit changes the length by at most one
    let near = known.iter().filter(|known| {
        begins_alike(&typed, known)
            && known.len().abs_diff(typed.len()) <= 1
            && strsim::osa_distance(&typed, known) == 1
    });
    near.min_by_key(|known| rarity(&typed, known)).map(String::as_str)
}

/// How rare a typo is: letters are swapped more often than lost, and rarely replaced, so that
/// `sqats` are squats and not seats.
fn rarity(typed: &str, meant: &str) -> u8 {
    match typed.len().cmp(&meant.len()) {
        Ordering::Equal if letters(typed) == letters(meant) => 0,
        Ordering::Less => 1,
        Ordering::Greater => 2,
        Ordering::Equal => 3,
    }
}

fn letters(word: &str) -> Vec<u8> {
    let mut letters = word.as_bytes().to_vec();
    letters.sort_unstable();
    letters
}

/// Whether the first letters agree, or the first two are swapped. First letters are rarely wrong; a
/// word that differs in the first letter is usually another word that is not known.
fn begins_alike(typed: &str, known: &str) -> bool {
    let (typed, known) = (typed.as_bytes(), known.as_bytes());
    typed[0] == known[0] || (known.len() > 1 && typed[0] == known[1] && typed[1] == known[0])
}

/// How reliably a word can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Familiarity {
    /// Short, in the training corpus or the vocabulary, or inflected from a word of the vocabulary.
    Known,
    /// Split into pieces, as rare words and nonsense are.
    OutOfVocabulary,
    /// With letters outside the training data.
    Foreign,
}

/// Returns how reliably a word can be read.
pub(crate) fn familiarity(word: &str, known: &[String], pieces: &Pieces) -> Familiarity {
    let plain = plain(word);
    if !plain.chars().any(char::is_alphabetic) {
        return Familiarity::Known;
    }
    if !plain.chars().all(|character| character.is_ascii_alphabetic()) {
        return Familiarity::Foreign;
    }
    let is_known = plain.len() < SHORTEST
        || pieces.holds(&plain)
        || is_learned(&plain, known)
        || is_form(&plain, |stem| pieces.holds(stem));
    if is_known { Familiarity::Known } else { Familiarity::OutOfVocabulary }
}

/// Whether a word occurs in the training corpus; `known` must be sorted.
pub(crate) fn is_learned(plain: &str, known: &[String]) -> bool {
    known.binary_search_by(|known| known.as_str().cmp(plain)).is_ok()
}

/// Whether a word is a known word with an ending: `somersaulting`, `cartwheels`.
pub(crate) fn is_form(typed: &str, holds: impl Fn(&str) -> bool) -> bool {
    let endings = ["s", "es", "ed", "d", "ing", "er", "ly", "y"];
    let stems = endings.iter().filter_map(|ending| typed.strip_suffix(ending));
    stems.filter(|stem| stem.len() >= SHORTEST).any(|stem| {
        holds(stem)
            || holds(&format!("{stem}e"))
            || stem.strip_suffix(&stem[stem.len() - 1..]).is_some_and(|bare| {
                bare.len() >= SHORTEST && bare.ends_with(&stem[stem.len() - 1..]) && holds(bare)
            })
    })
}

/// Whether a word is a known word of three letters with an `s`: `rips`, `hops`. Other endings
/// double its last letter, so that `siting` is a typo.
fn is_short_form(typed: &str, holds: impl Fn(&str) -> bool) -> bool {
    typed.strip_suffix('s').is_some_and(|stem| stem.len() + 1 == SHORTEST && holds(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_typo_is_corrected_and_words_are_left_alone() {
        let pieces = Pieces::of("[CLS]\n[SEP]\n[UNK]\nwalk\nbalk\nvault\nforward").unwrap();
        let known: Vec<String> =
            ["forward", "jump", "vaulting", "walk"].map(str::to_owned).to_vec();
        assert_eq!(corrected_spelling("wlak", &known, &pieces), Some("walk"));
        assert_eq!(corrected_spelling("forwrad", &known, &pieces), Some("forward"));
        assert_eq!(corrected_spelling("avulting", &known, &pieces), Some("vaulting"));
        let near = ["seats", "squats"].map(str::to_owned);
        assert_eq!(corrected_spelling("sqats", &near, &pieces), Some("squats"));
        assert_eq!(corrected_spelling("bump", &known, &pieces), None);
        assert_eq!(corrected_spelling("balk", &known, &pieces), None);
        assert_eq!(corrected_spelling("vaulted", &known, &pieces), None);
        assert_eq!(corrected_spelling("jum", &known, &pieces), None);
        assert_eq!(corrected_spelling("xylophone", &known, &pieces), None);
    }
}
