//! Splits prompts into words. Training splits them the same way
//! (`training/limber_reader/words.py`).

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A word, a number or a punctuation mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Byte range in the prompt.
    pub(crate) place: Range<usize>,
    /// The text as typed, or after spelling correction.
    pub(crate) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Letter,
    Digit,
    /// Always a token of its own.
    Sign,
}

fn kind(character: char) -> Kind {
    if character.is_whitespace() {
        Kind::Space
    } else if character.is_alphabetic() || is_combining_mark(character) {
        Kind::Letter
    } else if character.is_numeric() {
        Kind::Digit
    } else {
        Kind::Sign
    }
}

/// Splits a prompt into words: `crouch_idle` into three, `90deg` into two, `WalkFwd` into two,
/// `1.5` into one.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let end_of = |index: usize| characters.get(index).map_or(text.len(), |(place, _)| *place);
    let mut found: Vec<Word> = Vec::new();
    let mut start = 0;
    while start < characters.len() {
        let first = kind(characters[start].1);
        let mut end = start + 1;
        while end < characters.len() && goes_on(&characters, start, end) {
            end += 1;
        }
        if first != Kind::Space {
            let place = characters[start].0..end_of(end);
            found.push(Word { text: text[place.clone()].to_owned(), place });
        }
        start = end;
    }
    found
}

/// Whether the character at index `at` continues the word that began at index `start`.
fn goes_on(characters: &[(usize, char)], start: usize, at: usize) -> bool {
    let character = |index: usize| characters.get(index).map(|(_, character)| *character);
    let (Some(before), Some(here)) = (character(at - 1), character(at)) else { return false };
    match kind(characters[start].1) {
        Kind::Space => kind(here) == Kind::Space,
        Kind::Sign => false,
        Kind::Digit => {
            let next_is_digit = character(at + 1).is_some_and(|next| kind(next) == Kind::Digit);
            kind(here) == Kind::Digit || (matches!(here, '.' | ',' | ':') && next_is_digit)
        }
        Kind::Letter => kind(here) == Kind::Letter && !is_hump(before, here, character(at + 1)),
    }
}

/// Whether a capital begins a new word, as in asset names: `WalkFwdLoop`, `RUNLoop`.
fn is_hump(before: char, here: char, next: Option<char>) -> bool {
    let lower = |character: char| character.is_ascii_lowercase();
    here.is_ascii_uppercase()
        && (lower(before) || (before.is_ascii_uppercase() && next.is_some_and(lower)))
}

/// Removes group separators from long numbers: `10 000` and `10,000` become `10000`; `1,5` stays.
#[must_use]
pub(crate) fn joined_digits(text: &str) -> String {
    let within = within_numbers(text);
    let kept = text.char_indices().filter(|(place, _)| !within.contains(place));
    kept.map(|(_, character)| character).collect()
}

/// Returns the byte offsets of the spaces and commas that group the digits of a number, as in
/// `10 000` and `10,000`.
#[must_use]
pub fn within_numbers(text: &str) -> Vec<usize> {
    let is_group =
        |rest: &str| rest.chars().take_while(|character| character.is_ascii_digit()).count() == 3;
    let mut within = Vec::new();
    // digits since the last separator or other character, and the first digit of the number
    let (mut digits, mut first) = (0, None);
    for (place, character) in text.char_indices() {
        if character.is_ascii_digit() {
            digits += 1;
            first = first.or(Some(character));
        } else if (1..=3).contains(&digits)
            && first != Some('0')
            && (character == ',' || character.is_whitespace())
            && is_group(&text[place + character.len_utf8()..])
        {
            digits = 0;
            within.push(place);
        } else {
            (digits, first) = (0, None);
        }
    }
    within
}

/// Normalises a word as in training: lower case without accents.
pub(crate) fn plain(word: &str) -> String {
    word.to_lowercase().nfd().filter(|character| !is_combining_mark(*character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn asset_names_numbers_and_punctuation_are_split() {
        assert_eq!(cut("crouch_idle_loop"), ["crouch", "_", "idle", "_", "loop"]);
        assert_eq!(cut("WalkFwdLoop RUNLoop"), ["Walk", "Fwd", "Loop", "RUN", "Loop"]);
        assert_eq!(
            cut("turns 90deg, 1.5m x3."),
            ["turns", "90", "deg", ",", "1.5", "m", "x", "3", "."]
        );
        assert_eq!(cut("doesn't  plié"), ["doesn", "'", "t", "plié"]);
        assert_eq!(plain("PLIÉ"), "plie");
    }

    #[test]
    fn groups_of_digits_are_one_number() {
        for (text, joined) in [
            ("turns 10 000 degrees", "turns 10000 degrees"),
            ("10,000 times", "10000 times"),
            ("1 000 000, twice", "1000000, twice"),
            ("1,5 metres, 0,500 s", "1,5 metres, 0,500 s"),
            ("90, 180, 270 degrees", "90, 180, 270 degrees"),
            ("in 1990 100 people", "in 1990 100 people"),
            ("3 1000", "3 1000"),
        ] {
            assert_eq!(joined_digits(text), joined);
        }
    }

    #[test]
    fn positions_refer_to_the_text() {
        let text = "a plié, twice";
        for word in words(text) {
            assert_eq!(word.text, text[word.place]);
        }
    }
}
