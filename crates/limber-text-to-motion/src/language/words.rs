//! Tokenises prompts, and finds base forms of inflected words.

use std::{collections::HashMap, ops::Range};

/// A word or punctuation mark, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Letters and apostrophes, a number such as `1.5`, or `°`.
    Word(String),
    /// A comma, or any mark that separates sentences or brackets.
    Comma,
}

/// Splits a prompt into tokens with their byte ranges. Hyphens separate words, `90deg` is two
/// tokens, emoji are dropped.
pub(super) fn tokens(text: &str) -> Vec<(Token, Range<usize>)> {
    let mut found: Vec<(Token, Range<usize>)> = Vec::new();
    let mut word = String::new();
    let mut start = 0;
    let within_numbers = limber_reader::within_numbers(text);
    let characters: Vec<(usize, char)> =
        text.char_indices().filter(|(place, _)| !within_numbers.contains(place)).collect();
    for (index, &(place, typed)) in characters.iter().enumerate() {
        let character = if matches!(typed, '\u{2019}' | '\u{2018}' | '`') { '\'' } else { typed };
        let next = characters.get(index + 1);
        let in_number = word.starts_with(|c: char| c.is_ascii_digit());
        let decimal_point =
            in_number && character == '.' && next.is_some_and(|(_, c)| c.is_ascii_digit());
        let letter = character.is_alphanumeric() || character == '\'';
        let goes_on = decimal_point || letter && in_number == character.is_ascii_digit();
        if !word.is_empty() && !goes_on {
            found.push((without_genitive(&word), start..place));
            word.clear();
        }
        if letter || decimal_point {
            if word.is_empty() {
                start = place;
            }
            word.extend(character.to_lowercase());
            continue;
        }
        let here = place..place + typed.len_utf8();
        match character {
            '°' => found.push((Token::Word("°".to_owned()), here)),
            ',' | ';' | '.' | '!' | '?' | ':' | '(' | ')' | '–' | '—' | '،' | '、' => {
                found.push((Token::Comma, here));
            }
            _ => {}
        }
    }
    if !word.is_empty() {
        found.push((without_genitive(&word), start..text.len()));
    }
    found
}

fn without_genitive(word: &str) -> Token {
    Token::Word(word.strip_suffix("'s").unwrap_or(word).trim_matches('\'').to_owned())
}

/// All base forms that the word may be inflected from, the word itself first: `waving` may come
/// from `wav` or `wave`, `sitting` from `sit`.
pub(super) fn base_forms(word: &str, irregular: &HashMap<String, String>) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    let mut add = |form: String| {
        if form.chars().count() >= 2 && !forms.contains(&form) {
            forms.push(form);
        }
    };
    if let Some(base) = irregular.get(word) {
        add(base.clone());
    }
    if let Some(stem) = word.strip_suffix("ies").or_else(|| word.strip_suffix("ied")) {
        add(format!("{stem}y"));
        add(format!("{stem}ie"));
    }
    if let Some(stem) = word.strip_suffix('s').filter(|stem| !stem.ends_with(['s', 'u'])) {
        add(stem.to_owned());
        if let Some(shorter) = stem.strip_suffix('e') {
            add(shorter.to_owned());
        }
    }
    for ending in ["ed", "ing"] {
        if let Some(stem) = word.strip_suffix(ending) {
            add(stem.to_owned());
            add(format!("{stem}e"));
            add(undoubled(stem));
        }
    }
    forms
}

/// Removes a doubled final consonant: `runn` → `run`.
fn undoubled(stem: &str) -> String {
    let mut characters: Vec<char> = stem.chars().collect();
    if let [.., before, last] = characters[..]
        && before == last
    {
        characters.pop();
    }
    characters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokens(text)
            .into_iter()
            .map(|(token, _)| match token {
                Token::Word(word) => word,
                Token::Comma => ",".to_owned(),
            })
            .collect()
    }

    #[test]
    fn numbers_units_hyphens_and_apostrophes_are_split_sensibly() {
        assert_eq!(words("Turn 90deg, 1.5m!"), ["turn", "90", "deg", ",", "1.5", "m", ","]);
        assert_eq!(words("10 000 steps, 1,000 m"), ["10000", "steps", ",", "1000", "m"]);
        assert_eq!(words("counter-clockwise 180°"), ["counter", "clockwise", "180", "°"]);
        assert_eq!(words("the man’s arm doesn't"), ["the", "man", "arm", "doesn't"]);
        assert!(words("🙂🙂").is_empty());
    }

    #[test]
    fn positions_refer_to_the_prompt_as_typed() {
        let text = "Émile’s DOG: waves 2x, nods";
        let said: Vec<&str> = tokens(text).into_iter().map(|(_, place)| &text[place]).collect();
        assert_eq!(said, ["Émile’s", "DOG", ":", "waves", "2", "x", ",", "nods"]);
    }

    #[test]
    fn inflected_verbs_find_their_base() {
        let irregular = HashMap::from([("ran".to_owned(), "run".to_owned())]);
        let pairs = [
            ("ran", "run"),
            ("running", "run"),
            ("waving", "wave"),
            ("waved", "wave"),
            ("claps", "clap"),
            ("punches", "punch"),
            ("goes", "go"),
            ("tries", "try"),
            ("nodded", "nod"),
            ("dances", "dance"),
            ("crouching", "crouch"),
        ];
        for (word, base) in pairs {
            assert!(base_forms(word, &irregular).contains(&base.to_owned()), "{word} → {base}");
        }
    }
}
