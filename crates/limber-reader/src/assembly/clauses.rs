//! Splits a prompt into sentences, clauses and parts of lists, as ranges of word indices.

use std::ops::Range;

use super::Assembly;
use crate::words::plain;

/// Punctuation that ends a sentence.
const ENDS: [&str; 5] = [".", ";", ":", "!", "?"];
/// Conjunctions that start another clause.
const JOINERS: [&str; 12] = [
    "and", "then", "while", "whilst", "before", "after", "until", "till", "when", "as", "or", "but",
];

impl Assembly<'_> {
    /// Returns a word in normalised form; empty past the end of the prompt.
    pub(super) fn plain(&self, place: usize) -> String {
        self.words.get(place).map(|word| plain(&word.text)).unwrap_or_default()
    }

    /// Returns the sentences, without the punctuation that ends them.
    pub(super) fn sentences(&self) -> Vec<Range<usize>> {
        self.parted(|word| ENDS.contains(&word))
    }

    /// Returns the stretches between commas and ends of sentences.
    pub(super) fn between_signs(&self) -> Vec<Range<usize>> {
        self.parted(|word| word == "," || ENDS.contains(&word))
    }

    /// Returns the stretches between punctuation and conjunctions.
    pub(super) fn clauses(&self) -> Vec<Range<usize>> {
        self.parted(|word| word == "," || ENDS.contains(&word) || JOINERS.contains(&word))
    }

    fn parted(&self, parts: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut start = 0;
        for place in 0..=self.words.len() {
            if place == self.words.len() || parts(&self.plain(place)) {
                if start < place {
                    found.push(start..place);
                }
                start = place + 1;
            }
        }
        found
    }

    /// Returns the normalised words of a stretch of the prompt.
    pub(super) fn plain_words(&self, places: Range<usize>) -> Vec<String> {
        places.map(|place| self.plain(place)).collect()
    }

    /// Returns the byte range of a stretch, which must not be empty.
    pub(super) fn bytes(&self, places: &Range<usize>) -> Range<usize> {
        self.words[places.start].place.start..self.words[places.end - 1].place.end
    }
}
