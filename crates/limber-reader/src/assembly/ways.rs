//! Directions of travel and gaze: *turns around and walks back*, *comes in from the left*, *looks
//! left to right*, *to each side*.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{
    Assembly, Draft,
    constructions::{Added, What, drop_begun_in},
};
use crate::rules::{DETERMINERS, TURNS};

/// Whether an action covers ground.
pub(super) fn travels(action: &str) -> bool {
    #[derive(Deserialize)]
    struct File {
        action: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        action: String,
        #[serde(default)]
        takes: Vec<String>,
    }
    static TRAVELS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let text = include_str!("../../../../assets/lexicon/actions/locomotion.toml");
        let file: File = toml::from_str(text).expect("a test checks it");
        let rows = file.action.into_iter();
        // gaits take a distance; cycles of key poses that travel take a count and no angle
        let takes = |row: &Row, known: &str| row.takes.iter().any(|what| what == known);
        let is_way =
            |row: &Row| takes(row, "distance") || takes(row, "count") && !takes(row, "angle");
        let far = rows.filter(|row| is_way(row) && !ONE_STEP.contains(&row.action.as_str()));
        far.map(|row| row.action).collect()
    });
    TRAVELS.contains(action)
}

/// Actions of this kind that are a single step or stay in place.
const ONE_STEP: [&str; 2] = ["step-up", "run-in-place"];
/// Actions for which *left to right* means both in turn; for travel it means to the right.
const LOOKS: [&str; 6] =
    ["look-aside", "look-around", "peer", "shake-head", "turn", "look-over-shoulder"];

/// Gaits, and the actions that perform them on the spot.
const ON_THE_SPOT: [(&str, &str); 4] = [
    ("walk", "walk-in-place"),
    ("march", "high-knees"),
    ("run", "run-in-place"),
    ("jog", "run-in-place"),
];

/// Turns by at least this angle face the way one came from.
const AROUND_DEGREES: f64 = 135.0;

impl Assembly<'_> {
    pub(super) fn apply_ways(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) -> Vec<Added> {
        self.walk_back(drafts);
        self.come_from(drafts);
        self.to_each_side(drafts, used);
        self.stay_on_the_spot(drafts, used);
        let mut added = self.side_to_side(drafts, used);
        added.extend(self.on_the_other_side(drafts, used));
        added
    }

    /// Repeats the actions before with their sides swapped: *same on the other side*, *then the
    /// other*, *swaps legs*.
    fn on_the_other_side(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) -> Vec<Added> {
        let mut added = Vec::new();
        let stretches = self.clauses();
        for (index, stretch) in stretches.iter().enumerate().skip(1) {
            let said = self.bytes(stretch);
            let Some(whole) = self.swaps(stretch) else { continue };
            let from =
                if whole { self.sentence_before(stretch) } else { stretches[index - 1].clone() };
            let Some(from) = Some(from).filter(|from| !from.is_empty()) else { continue };
            let from = self.bytes(&from);
            let told: Vec<usize> = (0..drafts.len())
                .filter(|number| {
                    let draft = drafts[*number].as_ref();
                    draft.is_some_and(|draft| from.contains(&draft.words.deed.start))
                })
                .collect();
            let is_sided = |number: &usize| {
                drafts[*number].as_ref().is_some_and(|draft| swapped(draft).is_some())
            };
            if !told.iter().any(is_sided) {
                continue;
            }
            // drop what the model read here: the repetition covers it
            drop_begun_in(drafts, &said);
            let behind = (0..drafts.len()).rev().find(|number| {
                let draft = drafts[*number].as_ref();
                draft.is_some_and(|draft| draft.words.deed.start < said.start)
            });
            for number in told {
                let Some(draft) = &drafts[number] else { continue };
                let what = match swapped(draft) {
                    Some(other) => What::Again(number, vec![other]),
                    None => What::New(draft.json.clone()),
                };
                added.push(Added { behind, what, said: said.clone() });
            }
            used[stretch.clone()].fill(true);
        }
        added
    }

    /// Returns whether a stretch only says to repeat something with the other side: `Some(true)` if
    /// it repeats the sentence before, `Some(false)` if it repeats the clause before.
    fn swaps(&self, stretch: &Range<usize>) -> Option<bool> {
        const SWAPPING: [&str; 7] =
            ["swap", "swaps", "switch", "switches", "change", "changes", "swapping"];
        const LIMBS: [&str; 9] =
            ["side", "sides", "leg", "legs", "arm", "arms", "hand", "hands", "feet"];
        const SAME: [&str; 4] = ["same", "repeat", "repeats", "again"];
        const BESIDE: [&str; 8] = ["the", "with", "on", "one", "foot", "to", "thing", "then"];
        let words = self.plain_words(stretch.clone());
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let only = |known: &[&[&str]]| {
            words.iter().all(|word| known.iter().any(|known| known.contains(&word.as_str())))
        };
        if has(&SWAPPING) && has(&LIMBS) {
            return only(&[&SWAPPING, &LIMBS, &BESIDE]).then_some(false);
        }
        if has(&["other"]) && words[0] != "other" || has(&["other"]) && has(&["side"]) {
            let is_all = has(&SAME) || has(&["side"]);
            return only(&[&SAME, &LIMBS, &BESIDE, &["other"]]).then_some(is_all);
        }
        let follows = words.last().is_some_and(|word| word == "follows" || word == "follow");
        let is_sided = words.len() == 3 && has(&["left", "right"]);
        (follows && is_sided && words[0] == "the").then_some(false)
    }

    fn sentence_before(&self, stretch: &Range<usize>) -> Range<usize> {
        let sentences = self.sentences();
        let before = sentences.iter().rfind(|sentence| sentence.start < stretch.start);
        before.map_or(0..0, |sentence| sentence.start..sentence.end.min(stretch.start))
    }

    /// Makes *walks back* a walk forward if the character has turned around before.
    fn walk_back(&self, drafts: &mut [Option<Draft>]) {
        for number in 1..drafts.len() {
            let Some(before) = drafts[..number].iter().flatten().next_back() else { continue };
            let action = before.json.get("do").and_then(Json::as_str).unwrap_or_default();
            let degrees = before.json.get("degrees").and_then(Json::as_f64);
            let said = self.prompt[before.words.deed.start..].split([',', '.', ';']).next();
            let is_around = said.is_some_and(|said| said.contains("round"));
            let has_turned = action == "turn-on-heel"
                || TURNS.contains(&action)
                    && degrees.map_or(is_around, |degrees| degrees >= AROUND_DEGREES);
            let Some(draft) = drafts[number].as_mut().filter(|_| has_turned) else { continue };
            let goes = draft.json.get("do").and_then(Json::as_str).is_some_and(travels);
            let is_backward = draft.json.get("direction").is_some_and(|way| way == "backward");
            let said = &self.prompt[draft.words.deed.clone()];
            let says_back =
                said.ends_with("back") || self.word_behind(draft.words.deed.end) == "back";
            if goes && is_backward && says_back {
                draft.json.remove("direction");
            }
        }
    }

    /// Removes the direction of *from the left*, which is an origin.
    fn come_from(&self, drafts: &mut [Option<Draft>]) {
        for draft in drafts.iter_mut().flatten() {
            let goes = draft.json.get("do").and_then(Json::as_str).is_some_and(travels);
            let fields = draft.words.fields.iter();
            let from = fields.filter(|(field, range)| {
                // *from left to right* is a direction of travel
                let leads_on = self.word_behind(range.end) == "to";
                ["side", "direction"].contains(&field.as_str())
                    && self.says_from(range)
                    && !leads_on
            });
            let names: Vec<String> = from.map(|(field, _)| field.as_str().to_owned()).collect();
            if goes {
                names.iter().for_each(|field| _ = draft.json.remove(field));
            }
        }
    }

    /// Whether *from* stands within a byte range of the prompt, or before it with only determiners
    /// in between.
    fn says_from(&self, range: &Range<usize>) -> bool {
        let first = (0..self.words.len()).find(|at| self.words[*at].place.end > range.start);
        let Some(first) = first else { return false };
        let inside = |at: &usize| self.words[*at].place.start < range.end;
        let near = first.saturating_sub(2)..self.words.len();
        let from = near.take_while(inside).filter(|at| self.plain(*at) == "from").last();
        // only determiners may stand in between, as in *from the left*
        from.is_some_and(|from| {
            from >= first
                || (from + 1..first).all(|at| DETERMINERS.contains(&self.plain(at).as_str()))
        })
    }

    /// Makes events *to each side* alternate between left and right.
    fn to_each_side(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) {
        for place in 1..self.words.len() {
            let pair = [self.plain(place - 1), self.plain(place)];
            let each = matches!(pair[0].as_str(), "each" | "either" | "both")
                && matches!(pair[1].as_str(), "side" | "sides" | "leg" | "arm" | "foot" | "hand");
            if !each || pair[0] == "both" && pair[1] != "sides" {
                continue;
            }
            let start = self.words[place - 1].place.start;
            let before = |draft: &&mut Draft| draft.words.deed.start < start;
            let Some(draft) = drafts.iter_mut().flatten().rfind(before) else { continue };
            let is_one = draft.json.get("side").is_none_or(|side| side == "both");
            if is_one && !draft.json.contains_key("direction") {
                draft.json.insert("side".to_owned(), json!("alternating"));
                draft.json.entry("count").or_insert(json!(2));
                used[place - 1..=place].fill(true);
            }
        }
    }

    /// Lets gaits *on the spot* or *in place* cover no ground.
    fn stay_on_the_spot(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) {
        for place in 1..self.words.len() {
            let first = match (self.plain(place - 1).as_str(), self.plain(place).as_str()) {
                ("in", "place") => place - 1,
                ("the" | "one", "spot") if place > 1 && self.plain(place - 2) == "on" => place - 2,
                _ => continue,
            };
            let start = self.words[first].place.start;
            let before = |draft: &&mut Draft| draft.words.deed.start < start;
            let Some(draft) = drafts.iter_mut().flatten().rfind(before) else { continue };
            let gait = draft.json.get("do").and_then(Json::as_str).unwrap_or_default();
            let Some((_, action)) = ON_THE_SPOT.iter().find(|(known, _)| *known == gait) else {
                continue;
            };
            draft.json.insert("do".to_owned(), json!(action));
            for field in ["direction", "path", "meters"] {
                draft.json.remove(field);
            }
            if let Some(steps) = draft.json.remove("steps") {
                draft.json.insert("count".to_owned(), steps);
            }
            used[first..=place].fill(true);
        }
    }

    /// Splits *looks left to right* into two events.
    fn side_to_side(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) -> Vec<Added> {
        let mut added = Vec::new();
        for place in 1..self.words.len().saturating_sub(1) {
            let side = |place: usize| match self.plain(place).as_str() {
                "left" | "l" => Some("left"),
                "right" | "r" => Some("right"),
                _ => None,
            };
            let (Some(from), Some(to)) = (side(place - 1), side(place + 1)) else { continue };
            if self.plain(place) != "to" || from == to {
                continue;
            }
            let start = self.words[place - 1].place.start;
            let behind = drafts.iter().rposition(|draft| {
                draft.as_ref().is_some_and(|draft| draft.words.deed.start < start)
            });
            let Some(number) = behind else { continue };
            let Some(draft) = &mut drafts[number] else { continue };
            let action = draft.json.get("do").and_then(Json::as_str).unwrap_or_default();
            if !LOOKS.contains(&action) {
                continue;
            }
            let field = if draft.json.contains_key("side") && !draft.json.contains_key("direction")
            {
                "side"
            } else {
                "direction"
            };
            if action == "look-around" {
                draft.json.insert("do".to_owned(), json!("look-aside"));
            }
            draft.json.insert(field.to_owned(), json!(from));
            let said = self.words[place + 1].place.clone();
            let what = What::Again(number, vec![(field, json!(to))]);
            added.push(Added { behind: Some(number), what, said });
            used[place - 1..=place + 1].fill(true);
        }
        added
    }

    /// Returns the word that starts at or after a byte offset of the prompt.
    pub(super) fn word_behind(&self, end: usize) -> String {
        let next = (0..self.words.len()).find(|place| self.words[*place].place.start >= end);
        next.map(|place| self.plain(place)).unwrap_or_default()
    }
}

/// Returns the side or direction of a draft with left and right swapped; `None` if it has neither.
fn swapped(draft: &Draft) -> Option<(&'static str, Json)> {
    ["side", "direction"].iter().find_map(|field| {
        let other = match draft.json.get(*field)?.as_str()? {
            "left" => "right",
            "right" => "left",
            _ => return None,
        };
        Some((*field, json!(other)))
    })
}

#[cfg(test)]
mod tests {
    use limber_script::{Direction, Script};

    use crate::Reader;

    fn script(text: &str) -> Script {
        Reader::shared().read(text).script.expect("there is an action")
    }

    #[test]
    fn walking_back_after_turning_around_is_forward() {
        let told = script("she walks four steps, turns around and walks back");
        assert_eq!(told.events().last().unwrap().direction, None, "{told}");
        let told = script("she stops and walks backward");
        assert_eq!(told.events().last().unwrap().direction, Some(Direction::Backward), "{told}");
    }

    #[test]
    fn the_origin_is_not_the_direction() {
        let told = script("a clerk walks in from the left and waves");
        assert_eq!(told.events()[0].direction, None, "{told}");
    }

    #[test]
    fn gaits_on_the_spot_cover_no_ground() {
        for (text, action) in [
            ("a recruit walks on the spot", "walk in place"),
            ("marching on the spot, 12 steps", "high knees"),
            ("she jogs in place and shakes out her arms", "run in place"),
        ] {
            let told = script(text);
            assert_eq!(told.events()[0].deed.to_string(), action, "{text}: {told}");
        }
        let told = script("he walks over and puts the vase back in place");
        assert_eq!(told.events()[0].deed.to_string(), "walk", "{told}");
    }
}
