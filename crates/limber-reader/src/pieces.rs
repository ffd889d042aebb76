//! `WordPiece` (Schuster and Nakajima 2012): words as pieces of the encoder's vocabulary, longest first.

use std::collections::HashMap;

use crate::{weights::WeightsError, words::plain};

/// The vocabulary.
pub(crate) struct Pieces {
    ids: HashMap<&'static str, usize>,
    /// Bytes of the longest piece.
    longest: usize,
    first: usize,
    last: usize,
    unknown: usize,
}

impl Pieces {
    /// One piece a line, in the order of their numbers.
    pub(crate) fn of(lines: &'static str) -> Result<Self, WeightsError> {
        let ids: HashMap<_, _> = lines.lines().enumerate().map(|(id, piece)| (piece, id)).collect();
        let longest = ids.keys().map(|piece| piece.len()).max().unwrap_or_default();
        let special = |name| ids.get(name).copied().ok_or(WeightsError::OtherVersion("pieces"));
        let (first, last, unknown) = (special("[CLS]")?, special("[SEP]")?, special("[UNK]")?);
        Ok(Self { ids, longest, first, last, unknown })
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Stands before every text.
    pub(crate) const fn first(&self) -> usize {
        self.first
    }

    /// Stands behind every text.
    pub(crate) const fn last(&self) -> usize {
        self.last
    }

    /// Whether the vocabulary holds the word as a whole.
    pub(crate) fn holds(&self, plain_word: &str) -> bool {
        self.ids.contains_key(plain_word)
    }

    /// The pieces of a word; never none.
    pub(crate) fn of_word(&self, word: &str) -> Vec<usize> {
        let word = plain(word);
        let mut found = Vec::new();
        let mut start = 0;
        while start < word.len() {
            let Some((id, end)) = self.longest(&word, start) else {
                // numbers such as 1.5 are three of its words
                let sign = word[start..].chars().next().filter(|c| !c.is_alphanumeric());
                let Some(sign) = sign else { return vec![self.unknown] };
                found
                    .push(self.ids.get(sign.to_string().as_str()).copied().unwrap_or(self.unknown));
                start += sign.len_utf8();
                continue;
            };
            found.push(id);
            start = end;
        }
        if found.is_empty() { vec![self.unknown] } else { found }
    }

    fn longest(&self, word: &str, start: usize) -> Option<(usize, usize)> {
        let goes_on = word[..start].chars().next_back().is_some_and(char::is_alphanumeric);
        let mut end = word.len().min(start + self.longest);
        while end > start {
            if word.is_char_boundary(end) {
                let part = &word[start..end];
                let whole = if goes_on { format!("##{part}") } else { part.to_owned() };
                if let Some(id) = self.ids.get(whole.as_str()) {
                    return Some((*id, end));
                }
            }
            end -= 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_longest_pieces() {
        let pieces = Pieces::of("[CLS]\n[SEP]\n[UNK]\nwalk\n##ing\n##in\n1\n.\n5").unwrap();
        assert_eq!(pieces.of_word("Walking"), [3, 4]);
        assert_eq!(pieces.of_word("1.5"), [6, 7, 8]);
        assert_eq!(pieces.of_word("зал"), [2]);
        assert!(Pieces::of("walk").is_err());
    }
}
