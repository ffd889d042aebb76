//! Scope of what is mentioned once and applies to more: *Furious: …*, *…, cautious*, *one hand …
//! the other …*.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use limber_script::Manner;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::{Assembly, Draft};
use crate::{assembly::is_small, reading::Field};

/// Manners by the words for them, from `assets/lexicon/manners.toml`.
fn manners() -> &'static HashMap<String, Manner> {
    #[derive(Deserialize)]
    struct File {
        manner: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        manner: String,
        #[serde(default)]
        words: Vec<String>,
    }
    static MANNERS: LazyLock<HashMap<String, Manner>> = LazyLock::new(|| {
        let text = include_str!("../../../../assets/lexicon/manners.toml");
        let file: File = toml::from_str(text).expect("a test checks it");
        let rows = file.manner.into_iter().filter_map(|row| {
            let manner: Manner = serde_json::from_value(json!(row.manner)).ok()?;
            let name = Some(row.manner).filter(|name| !ALSO_NOUNS.contains(&name.as_str()));
            Some(row.words.into_iter().chain(name).map(move |word| (word, manner)))
        });
        rows.flatten().collect()
    });
    &MANNERS
}

/// Returns the manner that a word stands for.
pub(super) fn manner(word: &str) -> Option<Manner> {
    manners().get(word).copied()
}

/// Words for manners that have other meanings, too.
const ALSO_NOUNS: [&str; 4] = ["child", "animal", "light", "cold"];

/// Body parts that share the side of the hand (arm) or foot (leg).
const OF_ARM: [&str; 9] =
    ["hand", "arm", "forearm", "elbow", "fist", "wrist", "fingers", "thumb", "upper-arm"];
const OF_LEG: [&str; 7] = ["leg", "knee", "foot", "toes", "heel", "ankle", "thigh"];

/// Distance in bytes within which a word still names the body part of a movement: *both of her arms
/// out*.
const NEAR_BYTES: usize = 14;

impl Assembly<'_> {
    /// Applies manners to a whole sentence if they stand alone between punctuation at its start or
    /// end.
    pub(super) fn apply_manners_of_all(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) {
        let sentences = self.sentences();
        for stretch in self.between_signs() {
            let found = self.manners_in(&stretch);
            let Some(sentence) =
                sentences.iter().find(|sentence| sentence.contains(&stretch.start))
            else {
                continue;
            };
            let is_whole = *sentence == stretch;
            let is_at_edge = sentence.start == stretch.start || sentence.end == stretch.end;
            if found.is_empty() || !is_at_edge {
                continue;
            }
            let scope = if is_whole { 0..self.prompt.len() } else { self.bytes(sentence) };
            let said = self.bytes(&stretch);
            // an action read from the words of a manner is no action
            let inside = |draft: &Draft| said.contains(&draft.words.deed.start);
            let others = drafts.iter().flatten().filter(|draft| !inside(draft)).count();
            if others == 0 {
                continue;
            }
            for draft in drafts.iter_mut() {
                let Some(told) = draft else { continue };
                if inside(told) {
                    *draft = None;
                } else if scope.contains(&told.words.deed.start) {
                    add_manners(told, &found, &said);
                }
            }
            used[stretch].fill(true);
        }
    }

    /// Returns the manners that a stretch names, with their intensities; empty if it says anything
    /// else.
    fn manners_in(&self, stretch: &Range<usize>) -> Vec<(Manner, f64)> {
        let words = self.plain_words(stretch.clone());
        let mut found = Vec::new();
        let mut much = 1.0;
        for word in &words {
            match word.as_str() {
                "very" | "really" | "extremely" | "super" => much = 1.5,
                "slightly" | "somewhat" | "rather" => much = 0.5,
                "style" | "mood" | "feel" | "way" | "everything" | "whole" | "thing" | "entire" => {
                }
                other => match manner(other) {
                    Some(manner) => found.push((manner, std::mem::replace(&mut much, 1.0))),
                    None if is_small(other) => {}
                    None => return Vec::new(),
                },
            }
        }
        found
    }

    /// The side directly before an action is its own: *cross, left hook, right uppercut*.
    pub(super) fn apply_sides_before(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) {
        let side = |place: usize| match self.plain(place).as_str() {
            "left" => Some("left"),
            "right" => Some("right"),
            _ => None,
        };
        for draft in drafts.iter_mut().flatten() {
            let deed = draft.words.deed.clone();
            let of_deed = |place: &usize| deed.contains(&self.words[*place].place.start);
            let Some(first) = (0..self.words.len()).find(of_deed).filter(|first| *first > 0) else {
                continue;
            };
            let behind = (first..self.words.len()).find(|place| !of_deed(place));
            let is_behind = behind.is_some_and(|place| side(place).is_some());
            let other = draft.json.get("side").filter(|held| is_one_side(held));
            if let (Some(said), Some(held), false) = (side(first - 1), other, is_behind)
                && held != said
            {
                draft.json.insert("side".to_owned(), said.into());
                draft.words.fields.retain(|(field, _)| field.as_str() != "side");
                let place = self.words[first - 1].place.clone();
                draft.words.fields.push((Field("side".to_owned()), place));
                used[first - 1] = true;
            }
        }
    }

    /// Gives a body part the side of the one-sided movement before it in the same sentence if it
    /// accompanies that movement: *waves with the left hand, elbow bent*.
    pub(super) fn apply_sides_of_parts(&self, drafts: &mut [Option<Draft>]) {
        let sentences: Vec<Range<usize>> =
            self.sentences().iter().map(|sentence| self.bytes(sentence)).collect();
        let sentence = |draft: &Draft| {
            sentences.iter().position(|range| range.contains(&draft.words.deed.start))
        };
        for number in 1..drafts.len() {
            let Some(draft) = &drafts[number] else { continue };
            let part = draft.json.get("part").and_then(Json::as_str).unwrap_or_default();
            let kin: &[&str] = match part {
                part if OF_ARM.contains(&part) => &OF_ARM,
                part if OF_LEG.contains(&part) => &OF_LEG,
                _ => continue,
            };
            if draft.json.contains_key("side") || self.says_several(&draft.words.deed) {
                continue;
            }
            let before = drafts[..number].iter().flatten().next_back();
            let side =
                before.filter(|before| sentence(before) == sentence(draft)).and_then(|before| {
                    let side = before.json.get("side").filter(|side| is_one_side(side))?;
                    let names_kin = before.words.fields.iter().any(|(field, range)| {
                        field.as_str() == "side" && self.names_one_of(range, kin)
                    });
                    names_kin.then(|| side.clone())
                });
            if let (Some(side), Some(draft)) = (side, &mut drafts[number]) {
                draft.json.insert("side".to_owned(), side);
            }
        }
    }

    /// Whether the words of a side, or a word next to them, name one of these body parts.
    fn names_one_of(&self, range: &Range<usize>, kin: &[&str]) -> bool {
        let is_near = |place: &usize| {
            let word = &self.words[*place].place;
            word.start + 1 >= range.start && word.start <= range.end + 1
        };
        (0..self.words.len()).filter(is_near).any(|place| kin.contains(&self.plain(place).as_str()))
    }

    /// Whether the words near a range name several body parts: *both arms*, *elbows*.
    fn says_several(&self, range: &Range<usize>) -> bool {
        (0..self.words.len())
            .filter(|place| {
                let start = self.words[*place].place.start;
                start + NEAR_BYTES >= range.start && start <= range.end + NEAR_BYTES
            })
            .any(|place| {
                let word = self.plain(place);
                ["both", "elbows", "arms", "hands", "fists", "knees", "legs", "feet", "wrists"]
                    .contains(&word.as_str())
            })
    }

    /// Gives the events of *one hand …, the other …* opposite sides.
    pub(super) fn apply_one_and_the_other(&self, drafts: &mut [Option<Draft>]) {
        let words = self.plain_words(0..self.words.len());
        let Some(other) = words.windows(2).position(|pair| pair[0] == "the" && pair[1] == "other")
        else {
            return;
        };
        let at = self.words[other].place.start;
        let first = drafts.iter().rposition(|draft| {
            draft.as_ref().is_some_and(|draft| draft.words.deed.start < at && of_limbs(draft))
        });
        let second = drafts.iter().position(|draft| {
            draft.as_ref().is_some_and(|draft| {
                let is_here = self.prompt[at..draft.words.deed.start.max(at)].find([',', '.', ';']);
                draft.words.deed.start >= at && is_here.is_none() && of_limbs(draft)
            })
        });
        let (Some(first), Some(second)) = (first, second) else { return };
        let side = |number: usize, drafts: &[Option<Draft>]| {
            let draft = drafts[number].as_ref()?;
            draft.json.get("side").and_then(Json::as_str).map(str::to_owned)
        };
        let told = (side(first, drafts), side(second, drafts));
        let says_one = words[..other].iter().any(|word| word == "one");
        let (one, two) = match (told.0.as_deref(), told.1.as_deref()) {
            (Some("left"), None) => ("left", "right"),
            (Some("right"), None) => ("right", "left"),
            (None, None) if says_one => ("right", "left"),
            _ => return,
        };
        for (number, side) in [(first, one), (second, two)] {
            if let Some(draft) = &mut drafts[number] {
                draft.json.insert("side".to_owned(), json!(side));
            }
        }
    }
}

fn is_one_side(side: &Json) -> bool {
    side == "left" || side == "right"
}

/// Whether the event moves or uses a single limb, as far as it says.
fn of_limbs(draft: &Draft) -> bool {
    let part = draft.json.get("part").and_then(Json::as_str);
    part.is_none_or(|part| OF_ARM.contains(&part) || OF_LEG.contains(&part))
}

fn add_manners(draft: &mut Draft, found: &[(Manner, f64)], said: &Range<usize>) {
    let manners = draft.json.entry("manners").or_insert_with(|| Json::Object(Map::new()));
    let Some(manners) = manners.as_object_mut() else { return };
    for (manner, much) in found {
        manners.entry(manner.to_string()).or_insert(json!(much));
    }
    let is_noted = draft.words.fields.iter().any(|(_, range)| range == said);
    if !is_noted {
        draft.words.fields.push((Field("manners".to_owned()), said.clone()));
    }
}

#[cfg(test)]
mod tests {
    use limber_script::{Manner, Script, Side};

    use crate::Reader;

    fn script(text: &str) -> Script {
        Reader::shared().read(text).script.expect("there is an action")
    }

    #[test]
    fn a_manner_at_the_edge_of_a_sentence_applies_to_all_of_it() {
        for text in ["march forward, turn around, salute, proud", "Proud: march, turn, salute."] {
            let told = script(text);
            let is_proud =
                |event: &limber_script::Event| event.manners.contains_key(&Manner::Proud);
            assert!(told.events().iter().all(is_proud), "{told}");
        }
    }

    #[test]
    fn a_body_part_has_the_side_before_it() {
        let told = script("she salutes with the left hand, elbow bent");
        assert!(told.events().iter().all(|event| event.side == Some(Side::Left)), "{told}");
    }
}
