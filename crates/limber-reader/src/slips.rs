//! Slips of the fingers: *wlak forwrad*.

use crate::{pieces::Pieces, words::plain};

/// Shorter words have too many neighbours to be guessed at.
pub(crate) const SHORTEST: usize = 4;

/// The word that was meant, where only one slip lies between them: a letter too many, too few, another, or
/// two in the wrong order. Words that the encoder knows as a whole are never touched, nor are forms of them.
pub(crate) fn meant<'a>(word: &str, known: &'a [String], pieces: &Pieces) -> Option<&'a str> {
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
    // one slip changes the length by one at most
    let near = known.iter().filter(|known| {
        known.len().abs_diff(typed.len()) <= 1 && strsim::osa_distance(&typed, known) == 1
    });
    // first letters are rarely wrong, and two letters change places more often than one is lost
    let unlike = |known: &&String| {
        (known.as_bytes()[0] != typed.as_bytes()[0], known.len().abs_diff(typed.len()))
    };
    near.min_by_key(unlike).map(String::as_str)
}

/// How far a word can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// A word like others.
    Yes,
    /// Put together of pieces, as rare words are, and as nonsense is.
    Unheard,
    /// Of letters that nobody learned to read.
    Foreign,
}

/// Whether the encoder or what was learned knows a word.
pub(crate) fn known(word: &str, known: &[String], pieces: &Pieces) -> Known {
    let plain = plain(word);
    if !plain.chars().any(char::is_alphabetic) {
        return Known::Yes;
    }
    if !plain.chars().all(|character| character.is_ascii_alphabetic()) {
        return Known::Foreign;
    }
    let is_heard = plain.len() < SHORTEST
        || pieces.holds(&plain)
        || is_learned(&plain, known)
        || is_form(&plain, |stem| pieces.holds(stem));
    if is_heard { Known::Yes } else { Known::Unheard }
}

/// Whether a word occurs in what was learned; `known` is in order.
pub(crate) fn is_learned(plain: &str, known: &[String]) -> bool {
    known.binary_search_by(|known| known.as_str().cmp(plain)).is_ok()
}

/// `somersaulting`, `cartwheels`: a known word with an ending.
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

/// `rips`, `hops`: a known word of three letters with an `s`. Other endings double its last letter: `siting` is a slip.
fn is_short_form(typed: &str, holds: impl Fn(&str) -> bool) -> bool {
    typed.strip_suffix('s').is_some_and(|stem| stem.len() + 1 == SHORTEST && holds(stem))
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
