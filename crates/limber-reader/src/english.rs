//! Language check. The reader was trained on English only and would find something in any text.

use crate::{
    assembly::is_small,
    pieces::Pieces,
    spelling::{self, Familiarity, SHORTEST},
    words::{Word, plain},
};

/// The most unknown words that pass as names, jargon or inventions next to English words.
const FEW: usize = 3;
/// The same if there are no English words, or only one, which may belong to another language, too:
/// *main*.
const FEW_ALONE: usize = 1;

/// Words of the corpus that are more common in other languages. An English sentence has enough other words.
const IN_OTHER_LANGUAGES: [&str; 6] = ["danse", "deux", "main", "pose", "saute", "table"];

/// Whether the words look like English.
///
/// Decides by the words of the training corpus, which is English only and covers nearly every word
/// of English prompts. The encoder's vocabulary is no use here: it contains *und* and *homme*, too.
/// Short words occur in too many languages to count, and neither does a word that is one typo away
/// from a known one, unless all others are unknown.
pub(crate) fn is_english(words: &[Word], known: &[String], pieces: &Pieces) -> bool {
    let (mut small, mut english, mut strange, mut in_other_letters) = (0, 0, 0, 0);
    let mut typos = 0;
    for word in words {
        let plain = plain(&word.text);
        match spelling::familiarity(&word.text, known, pieces) {
            Familiarity::Foreign => in_other_letters += 1,
            _ if plain.len() < 2 || !plain.chars().any(char::is_alphabetic) => {}
            _ if is_small(&plain) => small += 1,
            _ if IN_OTHER_LANGUAGES.contains(&plain.as_str()) => strange += 1,
            _ if spelling::is_learned(&plain, known) => english += 1,
            _ if plain.len() < SHORTEST => {}
            _ if spelling::is_form(&plain, |stem| spelling::is_learned(stem, known)) => {
                english += 1;
            }
            _ if spelling::corrected_spelling(&word.text, known, pieces).is_some() => typos += 1,
            _ => strange += 1,
        }
    }
    // among unknown words only, another language's words that resemble English ones are no typos
    let alike = if english == 0 && strange > 1 { typos } else { 0 };
    let others = strange + in_other_letters + alike;
    if small == 0 && english < 2 {
        return in_other_letters == 0 && others <= FEW_ALONE;
    }
    others <= FEW || others <= 2 * (small + english)
}
