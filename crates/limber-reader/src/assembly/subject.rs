//! Manners that follow from who the subject is: *an old man walks*.

use serde_json::{Map, Value as Json, json};

use super::{Assembly, Draft, is_small, scope};
use crate::reading::Field;

/// Words for the subject, with the manner that they imply.
const PEOPLE: [(&str, &str); 7] = [
    ("old", "old"),
    ("elderly", "old"),
    ("aged", "old"),
    ("toddler", "child"),
    ("injured", "hurt"),
    ("wounded", "hurt"),
    ("zombie", "zombie"),
];

impl Assembly<'_> {
    /// Applies the manner of the subject, described before the first event, to every event without
    /// a manner.
    pub(super) fn apply_subject(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) {
        let first = drafts.iter().flatten().map(|draft| draft.words.deed.start).min();
        let Some(first) = first else { return };
        let before = (0..self.words.len()).take_while(|at| self.words[*at].place.start < first);
        let said: Vec<(usize, String)> =
            before.filter_map(|place| Some((place, self.manner_of_subject(place)?))).collect();
        for (place, manner) in said {
            used[place] = true;
            let word = self.words[place].place.clone();
            for draft in drafts.iter_mut().flatten() {
                let manners =
                    draft.json.entry("manners").or_insert_with(|| Json::Object(Map::new()));
                let Some(manners) = manners.as_object_mut().filter(|told| told.is_empty()) else {
                    continue;
                };
                manners.insert(manner.clone(), json!(1.0));
                draft.words.fields.push((Field("manners".to_owned()), word.clone()));
            }
        }
    }

    /// Returns the manner that a word implies for the noun after it: *a nervous clerk*. Adverbs
    /// belong to the action instead.
    fn manner_of_subject(&self, place: usize) -> Option<String> {
        let word = self.plain(place);
        let person = PEOPLE.iter().find(|(name, _)| *name == word);
        let of_person = person.map(|(_, manner)| (*manner).to_owned());
        let next = self.words.get(place + 1)?;
        let is_before_noun = next.text.chars().all(char::is_alphabetic)
            && !is_small_but_person(&self.plain(place + 1));
        let adjective = scope::manner(&word).filter(|_| !word.ends_with("ly") && is_before_noun);
        of_person.or(adjective.map(|manner| manner.to_string()))
    }
}

/// Whether a word is a stop word that is no noun for a person: the *and* of *tired and hungry*.
fn is_small_but_person(word: &str) -> bool {
    const PEOPLE: [&str; 9] =
        ["man", "woman", "girl", "boy", "guy", "person", "character", "figure", "people"];
    is_small(word) && !PEOPLE.contains(&word)
}

#[cfg(test)]
mod tests {
    use limber_script::Manner;

    use crate::Reader;

    #[test]
    fn a_subjects_manner_applies_to_everything() {
        let script = Reader::shared().read("an old man walks in and sits down").script.unwrap();
        let is_old =
            |manners: &std::collections::BTreeMap<Manner, _>| manners.contains_key(&Manner::Old);
        assert!(script.events().iter().all(|event| is_old(&event.manners)), "{script:?}");
        let script = Reader::shared().read("a sad clerk sits down and reads").script.unwrap();
        assert!(script.events().iter().all(|event| event.manners.contains_key(&Manner::Sad)));
    }
}
