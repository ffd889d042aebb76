//! Slips of the fingers: *wlak forwrad*.

use crate::{pieces::Pieces, words::plain};

/// Shorter words have too many neighbours to be guessed at.
const SHORTEST: usize = 4;

/// The word that was meant, where only one slip lies between them: a letter too many, too few, another, or
/// two in the wrong order. Words that the encoder knows as a whole are never touched, nor are forms of them.
pub(crate) fn meant<'a>(word: &str, known: &'a [String], pieces: &Pieces) -> Option<&'a str> {
    let typed = plain(word);
    if typed.len() < SHORTEST
        || !typed.chars().all(|character| character.is_ascii_lowercase())
        || pieces.holds(&typed)
        || known.binary_search_by(|known| known.as_str().cmp(&typed)).is_ok()
        || is_form(&typed, pieces)
    {
        return None;
    }
    let near = |known: &&String| strsim::osa_distance(&typed, known) == 1;
    let begins_alike = |known: &&String| known.as_bytes()[0] == typed.as_bytes()[0];
    let mut found = known.iter().filter(near);
    let first = found.clone().find(begins_alike).or_else(|| found.next())?;
    Some(first)
}

/// `somersaulting`, `cartwheels`: a known word with an ending, in pieces.
fn is_form(typed: &str, pieces: &Pieces) -> bool {
    let endings = ["s", "es", "ed", "d", "ing", "er", "ly", "y"];
    let stems = endings.iter().filter_map(|ending| typed.strip_suffix(ending));
    stems.filter(|stem| stem.len() >= SHORTEST).any(|stem| {
        pieces.holds(stem)
            || pieces.holds(&format!("{stem}e"))
            || stem.strip_suffix(&stem[stem.len() - 1..]).is_some_and(|bare| {
                bare.len() >= SHORTEST
                    && bare.ends_with(&stem[stem.len() - 1..])
                    && pieces.holds(bare)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_mended_and_words_are_left_alone() {
        let pieces = Pieces::of("[CLS]\n[SEP]\n[UNK]\nwalk\nbalk\nvault\nforward").unwrap();
        let known: Vec<String> =
            ["forward", "jump", "vaulting", "walk"].map(str::to_owned).to_vec();
        assert_eq!(meant("wlak", &known, &pieces), Some("walk"));
        assert_eq!(meant("forwrad", &known, &pieces), Some("forward"));
        assert_eq!(meant("balk", &known, &pieces), None);
        assert_eq!(meant("vaulted", &known, &pieces), None);
        assert_eq!(meant("jum", &known, &pieces), None);
        assert_eq!(meant("xylophone", &known, &pieces), None);
    }
}
