//! Applies cue words with a fixed meaning, and numbers that count what precedes them.

use std::{collections::BTreeMap, ops::Range};

use serde_json::{Value as Json, json};

use super::{
    Assembly, Draft,
    constructions::{Added, What},
    tidy,
};
use crate::{
    heads::{EventScores, rounded},
    reading::{Field, Opposed, WordRange},
    rules::{self, Cue, Value},
};

pub(super) fn as_json(value: Value) -> Json {
    match value {
        Value::Word(word) => json!(word),
        Value::Factor(factor) => json!(factor),
    }
}

/// Fields with a single value per event, in contrast to those that can be both left and right.
const OF_ONE_VALUE: [&str; 2] = ["direction", "speed"];

impl Assembly<'_> {
    /// Applies each cue word to the event that it is most strongly linked to, unless the field is
    /// set already. Returns the cues that contradict another, and the events to repeat the other
    /// way (*left, then right*). Cues within the ranges of `told` were handled before and are
    /// skipped.
    pub(super) fn apply_cues(
        &self,
        drafts: &mut [Option<Draft>],
        events: &[EventScores],
        told: &[Range<usize>],
        used: &mut [bool],
    ) -> (Vec<Opposed>, Vec<Added>) {
        let mut heard: BTreeMap<(usize, &str), (usize, Value)> = BTreeMap::new();
        let (mut opposed, mut again) = (Vec::new(), Vec::new());
        for (place, word) in self.words.iter().enumerate() {
            let Some(cue) = rules::cue(&word.text) else { continue };
            if told.iter().any(|places| places.contains(&place)) {
                continue;
            }
            let (Some(field), Some(number)) =
                (self.field_of(&cue, place), self.event_of(drafts, events, place))
            else {
                continue;
            };
            let Some(draft) = &mut drafts[number] else { continue };
            // a word that names the action is not a cue for it
            if draft.words.deed.contains(&word.place.start) {
                continue;
            }
            let (before, value) = *heard.entry((number, field)).or_insert((place, cue.value));
            // an event with a path may go there and back
            let is_one = OF_ONE_VALUE.contains(&field) && !draft.json.contains_key("path");
            if is_one && rules::opposite(value, cue.value) && self.are_in_turn(before, place) {
                let other = vec![(field, as_json(cue.value))];
                let said = word.place.clone();
                let what = What::Again(number, other);
                again.push(Added { behind: Some(number), what, said });
                draft.json.insert(field.to_owned(), as_json(value));
                used[place] = true;
                continue;
            }
            if is_one && rules::opposite(value, cue.value) {
                let is_held = draft.json.get(field).is_some_and(|held| cue.value.is_in(held));
                let (kept, dropped) = if is_held { (place, before) } else { (before, place) };
                let range = |place: usize| self.words[place].place.clone();
                opposed.push(Opposed { kept: range(kept), dropped: range(dropped) });
                used[place] = true;
                continue;
            }
            if used[place] && draft.json.contains_key(field) {
                continue;
            }
            if !draft.json.contains_key(field) {
                draft.json.insert(field.to_owned(), as_json(cue.value));
                tidy(&mut draft.json);
            }
            if !used[place] {
                draft.words.fields.push((Field(field.to_owned()), word.place.clone()));
                used[place] = true;
            }
        }
        (opposed, again)
    }

    /// Returns the field that this word most probably sets, of those that its cue may set.
    fn field_of(&self, cue: &Cue, place: usize) -> Option<&'static str> {
        let tag = |field: &str| self.lists.tags.iter().position(|name| name == field);
        let score = |field: &&&str| tag(field).map_or(f32::MIN, |tag| self.tags[[place, tag]]);
        cue.fields.iter().max_by(|a, b| score(a).total_cmp(&score(b))).copied()
    }

    /// Returns the kept event that a word is most strongly linked to.
    fn event_of(
        &self,
        drafts: &[Option<Draft>],
        events: &[EventScores],
        place: usize,
    ) -> Option<usize> {
        let kept = (0..drafts.len()).filter(|number| drafts[*number].is_some());
        let link = |number: &usize| rounded(events[*number].links[place]);
        kept.max_by(|a, b| link(a).total_cmp(&link(b)))
    }

    /// Applies a count of repetitions that no event used to the event before it: *squat slowly. Ten
    /// reps.* Returns counts that are out of range, such as *zero times*.
    pub(super) fn apply_counts(
        &self,
        drafts: &mut [Option<Draft>],
        used: &mut [bool],
    ) -> Vec<(Field, WordRange)> {
        let mut out_of_range = Vec::new();
        for place in 0..self.words.len().saturating_sub(1) {
            let (word, next) = (&self.words[place], &self.words[place + 1]);
            if used[place] || !rules::counts_what_was_said(&next.text) {
                continue;
            }
            let Some(count) = self.number("count", &word.text) else { continue };
            let before = |draft: &&mut Draft| draft.words.deed.end <= word.place.start;
            let Some(draft) = drafts.iter_mut().flatten().filter(before).last() else { continue };
            let said = word.place.start..next.place.end;
            match count {
                Err(_) => {
                    out_of_range.push((Field("count".to_owned()), said));
                    // *zero* looks like a small size
                    if draft.words.fields.iter().all(|(field, _)| field.as_str() != "size") {
                        draft.json.remove("size");
                    }
                }
                Ok(_) if draft.json.contains_key("count") || draft.json.contains_key("steps") => {
                    continue;
                }
                Ok(count) => {
                    draft.json.insert("count".to_owned(), count);
                    draft.words.fields.push((Field("count".to_owned()), said));
                }
            }
            used[place..=place + 1].fill(true);
        }
        out_of_range
    }
}
