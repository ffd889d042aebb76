//! Holding a pose for a while: *hold it there*, *stays down for three seconds*, *pause*.

use std::ops::Range;

use serde_json::{Map, json};

use super::{
    Assembly, Draft,
    constructions::{Added, What, drop_begun_in},
};

/// Words for holding a pose.
const STAYING: [&str; 21] = [
    "stay",
    "stays",
    "stayed",
    "staying",
    "hold",
    "holds",
    "holding",
    "held",
    "remain",
    "remains",
    "remaining",
    "wait",
    "waits",
    "waiting",
    "pause",
    "pauses",
    "pausing",
    "beat",
    "freeze",
    "freezes",
    "keep",
];
/// Words that may accompany them without adding anything.
const BESIDE: [&str; 38] = [
    "it", "that", "this", "there", "here", "still", "put", "down", "low", "up", "like", "the", "a",
    "pose", "position", "for", "about", "around", "of", "another", "moment", "bit", "while",
    "long", "short", "brief", "briefly", "full", "in", "place", "he", "she", "they", "you", "one",
    "two", "at", "bottom",
];
/// Units of time.
const UNITS: [&str; 12] = [
    "s", "sec", "secs", "second", "seconds", "frame", "frames", "ms", "minute", "minutes", "count",
    "counts",
];
/// Length of a hold if the prompt gives none, in seconds.
const A_MOMENT_S: f64 = 1.2;
/// The action that holds the current pose.
const STILL: &str = "statue-still";
/// Actions that already mean to stay.
const STAYS: [&str; 4] = ["statue-still", "idle", "breathe", "pace-waiting"];

/// Beginnings of names of actions that hurt a part of the body.
const HURTS: [&str; 3] = ["react-", "stub-", "recoil"];
/// Parts of the body that a hand can hold.
const HURT_PARTS: [&str; 13] = [
    "head", "face", "chin", "neck", "shoulder", "elbow", "wrist", "hand", "belly", "thigh", "knee",
    "shin", "toes",
];

impl Assembly<'_> {
    /// Turns clauses that only describe a hold into events of their own, and moves durations to
    /// them that other events took from their words.
    pub(super) fn apply_staying(
        &self,
        spans: &[Vec<usize>],
        drafts: &mut [Option<Draft>],
        used: &mut [bool],
    ) -> Vec<Added> {
        let mut added = Vec::new();
        let clauses = self.clauses();
        let last = clauses.len().saturating_sub(1);
        for (index, clause) in clauses.iter().enumerate() {
            if index == 0 || !self.only_stays(clause) {
                continue;
            }
            if let Some(part) = self.hurt_part(clause, drafts) {
                drop_begun_in(drafts, &self.bytes(clause));
                used[clause.clone()].fill(true);
                let json = json!({"move": "hold", "part": "hand", "target_part": part});
                let behind = spans.iter().rposition(|span| span[0] < clause.start);
                let what = What::New(json.as_object().cloned().unwrap_or_default());
                added.push(Added { behind, what, said: self.bytes(clause) });
                continue;
            }
            let seconds = self.seconds_in(clause);
            // the last pose of a clip is held anyway
            if index == last && seconds.is_none() {
                continue;
            }
            let inside = |number: &usize| clause.contains(&spans[*number][0]);
            let own: Vec<usize> =
                (0..spans.len()).filter(inside).filter(|n| drafts[*n].is_some()).collect();
            let says_so = own.iter().any(|number| {
                let action =
                    drafts[*number].as_ref().and_then(|draft| draft.json.get("do")?.as_str());
                action.is_some_and(|action| STAYS.contains(&action))
            });
            if says_so {
                continue;
            }
            own.iter().for_each(|number| drafts[*number] = None);
            let said = self.bytes(clause);
            for draft in drafts.iter_mut().flatten() {
                let is_here = |range: &Range<usize>| said.contains(&range.start);
                let takes = draft
                    .words
                    .fields
                    .iter()
                    .any(|(field, range)| field.as_str() == "seconds" && is_here(range));
                if takes {
                    draft.json.remove("seconds");
                    draft.words.fields.retain(|(_, range)| !is_here(range));
                }
            }
            used[clause.clone()].fill(true);
            let seconds = seconds.unwrap_or(json!(A_MOMENT_S));
            let json =
                Map::from_iter([("do".to_owned(), json!(STILL)), ("seconds".to_owned(), seconds)]);
            let behind = spans.iter().rposition(|span| span[0] < clause.start);
            added.push(Added { behind, what: What::New(json), said });
        }
        added
    }

    /// The part of the body that *it* stands for in *bumps his head and holds it*.
    fn hurt_part(&self, clause: &Range<usize>, drafts: &[Option<Draft>]) -> Option<&'static str> {
        if !self.plain_words(clause.clone()).iter().any(|word| word == "it") {
            return None;
        }
        let start = self.words[clause.start].place.start;
        let before = |draft: &&Draft| draft.words.deed.start < start;
        let draft = drafts.iter().flatten().rfind(before)?;
        let action = draft.json.get("do")?.as_str()?;
        // what was read from these words names the part
        let inside = |draft: &Draft| self.bytes(clause).contains(&draft.words.deed.start);
        let names_it = |draft: &Draft| inside(draft) && draft.json.contains_key("target_part");
        if drafts.iter().flatten().any(names_it) {
            return None;
        }
        if !HURTS.iter().any(|begin| action.starts_with(begin)) {
            return None;
        }
        let from = self.words.iter().position(|word| word.place.start >= draft.words.deed.start)?;
        let said = self.plain_words(from..clause.start);
        HURT_PARTS.iter().rfind(|part| said.iter().any(|word| word == **part)).copied()
    }

    fn only_stays(&self, clause: &Range<usize>) -> bool {
        let words = self.plain_words(clause.clone());
        let stays = words.iter().any(|word| STAYING.contains(&word.as_str()))
            // *beat two* refers to a point in a script
            && !(words[0] == "beat" && words.len() > 1);
        let says_more = words.iter().any(|word| {
            let word = word.as_str();
            let is_number = word.parse::<f64>().is_ok() || crate::numbers::is_number(word);
            !STAYING.contains(&word)
                && !BESIDE.contains(&word)
                && !UNITS.contains(&word)
                && !is_number
                && word.chars().any(char::is_alphanumeric)
        });
        stays && !says_more
    }

    /// Returns the duration that a clause gives. Counts of music and of drills are converted to
    /// seconds.
    fn seconds_in(&self, clause: &Range<usize>) -> Option<serde_json::Value> {
        let words = self.plain_words(clause.clone());
        let has_unit = words.iter().any(|word| UNITS.contains(&word.as_str()));
        let has_number =
            words.iter().any(|word| word.parse::<f64>().is_ok() || crate::numbers::is_number(word));
        if !has_unit || !has_number {
            return None;
        }
        self.number("seconds", &self.prompt[self.bytes(clause)])?.ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn line(text: &str) -> String {
        Reader::shared().read(text).script.expect("there is an action").to_string()
    }

    #[test]
    fn staying_lasts_the_given_time() {
        let told = line("crouches, stays there for four seconds, stands up");
        assert!(told.contains("seconds:4") && !told.contains("crouch seconds"), "{told}");
        let told = line("Raise the left arm. Hold it there. Lower it.");
        assert!(told.contains("statue-still"), "{told}");
    }

    #[test]
    fn a_hand_holds_what_was_hurt() {
        let told = line("he bumps his head and holds it");
        assert!(told.contains("hold.hand") && told.contains("head"), "{told}");
        assert!(!line("lifts his left knee and holds it").contains("hold.hand"));
    }

    #[test]
    fn holding_an_object_is_more_than_staying() {
        assert!(!line("picks up a box, holds it above the head, puts it down").contains("statue"));
    }
}
