//! `WordPiece` tokenizer (Schuster and Nakajima 2012): splits words into the longest pieces of the
//! encoder's vocabulary.

use std::collections::HashMap;

use crate::{weights::WeightsError, words::plain};

/// The vocabulary, from piece to id.
pub(crate) struct Pieces {
    ids: HashMap<&'static str, usize>,
    /// Length of the longest piece in bytes.
    longest: usize,
    first: usize,
    last: usize,
    unknown: usize,
}

impl Pieces {
    /// Reads a vocabulary: one piece per line, in the order of ids.
    ///
    /// # Errors
    /// If `[CLS]`, `[SEP]` or `[UNK]` is missing.
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

    /// Id of `[CLS]`, which starts every input.
    pub(crate) const fn first(&self) -> usize {
        self.first
    }

    /// Id of `[SEP]`, which ends every input.
    pub(crate) const fn last(&self) -> usize {
        self.last
    }

    /// Whether the vocabulary contains the word as a whole.
    pub(crate) fn holds(&self, plain_word: &str) -> bool {
        self.ids.contains_key(plain_word)
    }

    /// Returns the ids of the pieces of a word: at least one, `[UNK]` if the word cannot be split.
    pub(crate) fn of_word(&self, word: &str) -> Vec<usize> {
        let word = plain(word);
        let mut found = Vec::new();
        let mut start = 0;
        while start < word.len() {
            let Some((id, end)) = self.longest(&word, start) else {
                // the encoder's tokenizer splits a number such as 1.5 at its punctuation
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
    fn words_are_split_into_the_longest_pieces() {
        let pieces = Pieces::of("[CLS]\n[SEP]\n[UNK]\nwalk\n##ing\n##in\n1\n.\n5").unwrap();
        assert_eq!(pieces.of_word("Walking"), [3, 4]);
        assert_eq!(pieces.of_word("1.5"), [6, 7, 8]);
        assert_eq!(pieces.of_word("зал"), [2]);
        assert!(Pieces::of("walk").is_err());
    }
}
