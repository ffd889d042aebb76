//! Assigns measures to the right event: *legs a little apart* does not make a jump small, and *for
//! two seconds* applies once.

use std::{
    f64::consts::{PI, TAU},
    ops::Range,
};

use serde_json::{Value as Json, json};

use super::{Assembly, Draft};
use crate::rules::DETERMINERS;

/// Numeric fields that are read from the words.
const NUMBERS: [&str; 7] =
    ["count", "seconds", "steps", "meters", "degrees", "height_m", "target_distance_m"];
/// Words for body parts whose state may be described along with an action.
const PARTS: [&str; 22] = [
    "leg",
    "legs",
    "arm",
    "arms",
    "elbow",
    "elbows",
    "hand",
    "hands",
    "foot",
    "feet",
    "knee",
    "knees",
    "head",
    "shoulder",
    "shoulders",
    "palms",
    "fingers",
    "chin",
    "chest",
    "back",
    "hips",
    "heels",
];
/// Prepositions that introduce a place, whose adjectives describe that place.
const PLACES: [&str; 10] =
    ["under", "beside", "behind", "near", "by", "against", "below", "above", "inside", "outside"];

/// How far one walks around a circle, as a multiple of the measure that these words name.
const OF_CIRCLES: [(&str, f64); 5] =
    [("wide", PI), ("across", PI), ("diameter", PI), ("diam", PI), ("radius", TAU)];
/// Number of words around a measure in which they stand: *a radius of two metres*.
const NEAR_WORDS: usize = 3;

impl Assembly<'_> {
    /// Removes measures from events that they do not belong to, and converts those of circles to
    /// the way around.
    pub(super) fn apply_measures(&self, drafts: &mut [Option<Draft>]) {
        self.count_once(drafts);
        drafts.iter_mut().flatten().for_each(|draft| self.measure_around(draft));
        let says_size =
            |draft: &Draft| draft.words.fields.iter().any(|(field, _)| field.as_str() == "size");
        // the words belong to another event
        let is_said = drafts.iter().flatten().any(says_size);
        for draft in drafts.iter_mut().flatten().filter(|draft| !says_size(draft)) {
            // the size of a *big crate* is guessed for the movement, too
            if is_said || draft.json.contains_key("target_size") {
                draft.json.remove("size");
            }
        }
        for draft in drafts.iter_mut().flatten() {
            let deed = draft.words.deed.clone();
            let sizes = || draft.words.fields.iter().filter(|(field, _)| field.as_str() == "size");
            let is_said = sizes().count() > 0;
            let is_small =
                draft.json.get("size").and_then(Json::as_f64).is_some_and(|size| size < 1.0);
            let of_parts = is_small && sizes().all(|(_, range)| self.is_of_part(&deed, range));
            // a *big crate* is no big movement
            let of_things =
                draft.words.fields.iter().filter(|(field, _)| field.as_str() == "target_size");
            let of_things: Vec<&Range<usize>> = of_things.map(|(_, range)| range).collect();
            let of_target = sizes().all(|(_, range)| of_things.contains(&range));
            if is_said
                && (of_parts
                    || of_target
                    || sizes().all(|(_, range)| self.is_of_place(&deed, range)))
            {
                draft.json.remove("size");
                draft.words.fields.retain(|(field, _)| field.as_str() != "size");
            }
        }
    }

    /// *A circle three metres wide* is walked for more than three metres.
    fn measure_around(&self, draft: &mut Draft) {
        let is_circle = draft.json.get("path").is_some_and(|path| path == "circle");
        let metres = draft.json.get("meters").and_then(Json::as_f64);
        let mut fields = draft.words.fields.iter();
        let said = fields.find(|(field, _)| field.as_str() == "meters");
        let (true, Some(metres), Some((_, said))) = (is_circle, metres, said) else { return };
        let at = |byte: usize| self.words.iter().position(|word| word.place.end > byte);
        let (Some(first), Some(last)) = (at(said.start), at(said.end.saturating_sub(1))) else {
            return;
        };
        let near = first.saturating_sub(NEAR_WORDS)..last + 1 + NEAR_WORDS;
        let near: Vec<String> = near.map(|place| self.plain(place)).collect();
        let measure = OF_CIRCLES.iter().find(|(word, _)| near.iter().any(|near| near == word));
        let Some((_, around)) = measure else { return };
        draft.json.insert("meters".to_owned(), json!(metres * around));
        draft.json.remove("size");
        draft.words.fields.retain(|(field, _)| field.as_str() != "size");
    }

    /// Leaves a number that two events claim only with the one in the same clause.
    fn count_once(&self, drafts: &mut [Option<Draft>]) {
        let clauses: Vec<Range<usize>> = self.clauses().iter().map(|one| self.bytes(one)).collect();
        let clause = |at: usize| clauses.iter().position(|clause| clause.contains(&at));
        let holders = |drafts: &[Option<Draft>], field: &str, start: usize| -> Vec<usize> {
            let holds = |draft: &Draft| {
                let mut fields = draft.words.fields.iter();
                fields.any(|(own, range)| own.as_str() == field && range.start == start)
            };
            (0..drafts.len()).filter(|number| drafts[*number].as_ref().is_some_and(holds)).collect()
        };
        for field in NUMBERS {
            let told: Vec<Range<usize>> = (drafts.iter().flatten())
                .flat_map(|draft| draft.words.fields.iter())
                .filter(|(own, _)| own.as_str() == field)
                .map(|(_, range)| range.clone())
                .collect();
            for range in told {
                let holders = holders(drafts, field, range.start);
                let deed =
                    |number: &usize| drafts[*number].as_ref().map(|own| own.words.deed.start);
                let beside = |number: &&usize| {
                    deed(number).is_some_and(|deed| clause(deed) == clause(range.start))
                };
                if holders.len() < 2 || holders.iter().filter(beside).count() != 1 {
                    continue;
                }
                let others: Vec<usize> =
                    holders.iter().filter(|number| !beside(number)).copied().collect();
                for number in others {
                    let Some(draft) = &mut drafts[number] else { continue };
                    draft
                        .words
                        .fields
                        .retain(|(own, other)| own.as_str() != field || other.start != range.start);
                    // keep the value if other words set the field, too
                    if !draft.words.fields.iter().any(|(own, _)| own.as_str() == field) {
                        draft.json.remove(field);
                    }
                }
            }
        }
    }

    /// Whether a body part stands between an action and a word of size: *jumps high with legs a
    /// little apart*. Only small sizes count, because a large one may belong to the action: *waves
    /// both arms in huge sweeps*.
    fn is_of_part(&self, deed: &Range<usize>, range: &Range<usize>) -> bool {
        let between = deed.end..range.start;
        let inside = |place: &usize| between.contains(&self.words[*place].place.start);
        deed.end < range.start
            && (0..self.words.len())
                .filter(inside)
                .any(|place| PARTS.contains(&self.plain(place).as_str()))
    }

    /// Whether a word gives the size of a place mentioned before the action: *under a huge moon he
    /// bows*.
    fn is_of_place(&self, deed: &Range<usize>, range: &Range<usize>) -> bool {
        let at = (0..self.words.len()).find(|at| self.words[*at].place.start == range.start);
        let Some(at) = at.filter(|at| *at >= 2 && range.end <= deed.start) else { return false };
        let article = self.plain(at - 1);
        DETERMINERS.contains(&article.as_str()) && PLACES.contains(&self.plain(at - 2).as_str())
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn script(text: &str) -> limber_script::Script {
        Reader::shared().read(text).script.expect("there is an action")
    }

    #[test]
    fn a_size_applies_to_its_own_event() {
        for text in ["jumps with the feet a little apart", "Under a huge oak a knight bows."] {
            let told = script(text);
            assert!(told.events()[0].size.is_none(), "{told}");
        }
        assert!(script("takes a huge jump").events()[0].size.is_some());
    }

    #[test]
    fn the_size_of_a_circle_is_not_the_way_around_it() {
        for text in ["runs in a circle two metres wide", "walks a circle with a radius of 1 m"] {
            let event = script(text).events()[0].clone();
            let metres = event.meters.expect("it is said").get();
            assert!((6.2..6.4).contains(&metres), "{text}: {metres}");
            assert_eq!(event.size, None, "{text}");
        }
    }

    #[test]
    fn a_duration_is_used_once() {
        let told = script("stands still for two seconds, then waves");
        let timed = told.events().iter().filter(|event| event.seconds.is_some());
        assert_eq!(timed.count(), 1, "{told}");
        let told = script("claps three times and nods twice");
        let counts: Vec<u32> =
            told.events().iter().filter_map(|event| Some(event.count?.get())).collect();
        assert_eq!(counts, [3, 2], "{told}");
    }
}
