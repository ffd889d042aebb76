//! Steps mentioned without a verb: *four slow steps, then he bows*.

use std::ops::Range;

use serde_json::{Map, Value as Json, json};

use super::{
    Assembly, Draft,
    constructions::{Added, What},
    ways::travels,
};
use crate::{numbers, reading::Field};

/// How many words may stand between a number and its steps: *three slow, heavy steps*.
const ADJECTIVES: usize = 2;
const STEPS: [&str; 6] = ["step", "steps", "stride", "strides", "pace", "paces"];
/// Forms of *take*, as in *takes three steps*.
const TAKING: [&str; 4] = ["take", "takes", "taking", "took"];

/// Actions whose steps cover no ground.
const IN_PLACE: [&str; 3] = ["high-knees", "run-in-place", "walk-in-place"];

/// The action of *paces, five steps each way*.
const PACING: &str = "pace-waiting";

impl Assembly<'_> {
    /// Adds a walk for steps in a clause without an action, unless they measure the travel before
    /// them. Other events lose the fields that they took from this clause.
    pub(super) fn apply_steps(
        &self,
        spans: &[Vec<usize>],
        drafts: &mut [Option<Draft>],
        used: &mut [bool],
    ) -> Vec<Added> {
        let mut added = Vec::new();
        for clause in self.clauses() {
            let words = self.plain_words(clause.clone());
            let Some(at) = words.iter().position(|word| STEPS.contains(&word.as_str())) else {
                continue;
            };
            let has_deed = (0..spans.len()).any(|number| {
                drafts[number].is_some() && spans[number].iter().any(|place| clause.contains(place))
            });
            let Some(steps) = self.steps_in(&words[..at]).filter(|_| !has_deed) else { continue };
            let said = self.bytes(&clause);
            if steps.as_ref().is_some_and(|steps| self.counts_what_goes(&clause, drafts, steps)) {
                used[clause].fill(true);
                continue;
            }
            let mut json = Map::from_iter([("do".to_owned(), json!("walk"))]);
            json.extend(steps.map(|steps| ("steps".to_owned(), steps)));
            for draft in drafts.iter_mut().flatten() {
                let is_here = |field: &Field, range: &Range<usize>| {
                    said.contains(&range.start) && field.as_str() != "while"
                };
                let taken: Vec<String> = (draft.words.fields.iter())
                    .filter(|(field, range)| is_here(field, range))
                    .map(|(field, _)| field.as_str().to_owned())
                    .collect();
                draft.words.fields.retain(|(field, range)| !is_here(field, range));
                let goes =
                    draft.json.get("do").and_then(|action| action.as_str()).is_some_and(travels);
                for field in taken.iter().filter(|field| !goes || *field == "steps") {
                    if let Some(value) = draft.json.remove(field)
                        && ["size", "speed", "direction", "manners", "force"]
                            .contains(&field.as_str())
                    {
                        json.insert(field.clone(), value);
                    }
                }
            }
            used[clause.clone()].fill(true);
            let behind = spans.iter().rposition(|span| span[0] < clause.start);
            added.push(Added { behind, what: What::New(json), said });
        }
        added
    }

    /// Returns the number of steps that the words before *steps* give, or `Some(None)` if steps are
    /// taken without a number; `None` if nobody takes these steps.
    fn steps_in(&self, before: &[String]) -> Option<Option<Json>> {
        let near = before.len().saturating_sub(ADJECTIVES + 1);
        let number = (near..before.len()).rev().find(|at| {
            let word = before[*at].as_str();
            let says = word.parse::<f64>().is_ok() || numbers::is_number(word);
            // *a step* is one step; the article of *a man … steps* is no number
            says && (!matches!(word, "a" | "an") || at + 2 >= before.len())
        });
        if let Some(at) = number {
            let count = self.number("steps", &[before[at..].join(" ").as_str(), "steps"].join(" "));
            return Some(Some(count?.ok()?));
        }
        let takes = before[near..].iter().any(|word| TAKING.contains(&word.as_str()));
        takes.then_some(None)
    }

    /// Applies the steps to a travelling event before them: *crawls forward, six paces*.
    fn counts_what_goes(
        &self,
        clause: &Range<usize>,
        drafts: &mut [Option<Draft>],
        steps: &Json,
    ) -> bool {
        let sentences = self.sentences();
        let sentence = sentences.iter().find(|sentence| sentence.contains(&clause.start));
        let Some(here) = sentence.map(|sentence| self.bytes(sentence)) else { return false };
        let start = self.words[clause.start].place.start;
        let is_after_comma = clause.start > 0 && self.plain(clause.start - 1) == ",";
        let before = drafts.iter_mut().flatten().rfind(|draft| {
            let is_main =
                !draft.references.contains_key("while") && !draft.json.contains_key("part");
            is_main && draft.words.deed.start < start
        });
        let Some(draft) =
            before.filter(|draft| is_after_comma && here.contains(&draft.words.deed.start))
        else {
            return false;
        };
        let action = draft.json.get("do").and_then(Json::as_str).unwrap_or_default();
        let goes = travels(action) || IN_PLACE.contains(&action) || action == PACING;
        let said = self.bytes(clause);
        let is_here = |(field, range): &(Field, Range<usize>)| {
            field.as_str() == "steps" && said.contains(&range.start)
        };
        let is_told = draft.words.fields.iter().any(is_here);
        let is_open = !draft.json.contains_key("steps");
        if goes && is_open {
            draft.json.insert("steps".to_owned(), steps.clone());
            draft.words.fields.push((Field::from("steps"), said));
        }
        goes && (is_open || is_told)
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    #[test]
    fn steps_without_a_verb_are_walking() {
        let told = Reader::shared().read("Four slow steps, then he bows.").script.unwrap();
        let deeds: Vec<String> = told.events().iter().map(|event| event.deed.to_string()).collect();
        assert_eq!(deeds, ["walk", "bow"], "{told}");
        assert_eq!(told.events()[1].steps, None);
    }

    #[test]
    fn steps_behind_pacing_are_its_own() {
        let told =
            Reader::shared().read("He paces, five steps each way, then bows.").script.unwrap();
        assert_eq!(told.events().len(), 2, "{told}");
        assert!(told.events()[0].steps.is_some(), "{told}");
    }
}
