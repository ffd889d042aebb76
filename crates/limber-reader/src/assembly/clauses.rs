//! Where clauses and the parts of lists begin and end.

use std::ops::Range;

use super::Assembly;
use crate::words::plain;

/// Signs that end a sentence.
const ENDS: [&str; 5] = [".", ";", ":", "!", "?"];
/// Words that begin another clause.
const JOINERS: [&str; 12] = [
    "and", "then", "while", "whilst", "before", "after", "until", "till", "when", "as", "or", "but",
];

impl Assembly<'_> {
    /// A word as the rules compare it; nothing behind the last.
    pub(super) fn plain(&self, place: usize) -> String {
        self.words.get(place).map(|word| plain(&word.text)).unwrap_or_default()
    }

    /// Sentences, without the signs that end them.
    pub(super) fn sentences(&self) -> Vec<Range<usize>> {
        self.parted(|word| ENDS.contains(&word))
    }

    /// What stands between commas and ends of sentences.
    pub(super) fn between_signs(&self) -> Vec<Range<usize>> {
        self.parted(|word| word == "," || ENDS.contains(&word))
    }

    /// What stands between signs and words that join clauses.
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

    /// The words of a stretch of the prompt.
    pub(super) fn plain_words(&self, places: Range<usize>) -> Vec<String> {
        places.map(|place| self.plain(place)).collect()
    }

    /// Where a stretch lies in the prompt, in bytes.
    pub(super) fn bytes(&self, places: &Range<usize>) -> Range<usize> {
        self.words[places.start].place.start..self.words[places.end - 1].place.end
    }
}
