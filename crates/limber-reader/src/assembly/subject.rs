//! Who the subject is: how many people there are, and manners that follow from who they are, *an
//! old man walks*.

use serde_json::{Map, Value as Json, json};

use super::{Assembly, Draft, is_small, scope};
use crate::reading::{Field, WordRange};

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

/// Words for more than one.
const SEVERAL: [&str; 16] = [
    "two", "three", "four", "five", "six", "seven", "eight", "ten", "several", "many", "2", "3",
    "4", "couple", "group", "pair",
];
/// Nouns for people, in the plural.
const PERSONS: [&str; 28] = [
    "people",
    "persons",
    "men",
    "women",
    "guys",
    "girls",
    "boys",
    "kids",
    "children",
    "ladies",
    "characters",
    "figures",
    "friends",
    "brothers",
    "sisters",
    "lovers",
    "strangers",
    "dancers",
    "boxers",
    "fighters",
    "wrestlers",
    "players",
    "soldiers",
    "guards",
    "knights",
    "workers",
    "teammates",
    "teenagers",
];
/// Words that may stand between a number and its noun: *a group of very tired young soldiers*.
const MOST_BETWEEN: usize = 4;

impl Assembly<'_> {
    /// Returns the words before the first event that name several people, and marks them as used.
    pub(super) fn several_people(
        &self,
        drafts: &[Option<Draft>],
        used: &mut [bool],
    ) -> Option<WordRange> {
        let first = drafts.iter().flatten().map(|draft| draft.words.deed.start).min()?;
        let is_before = |at: &usize| self.words[*at].place.start < first;
        let subject = (0..self.words.len()).take_while(is_before);
        let persons = subject.clone().find(|at| PERSONS.contains(&&*self.plain(*at)))?;
        let nearby = persons.saturating_sub(MOST_BETWEEN)..persons;
        let several = nearby.into_iter().rfind(|at| SEVERAL.contains(&&*self.plain(*at)))?;
        used[several..=persons].fill(true);
        Some(self.range(&[several, persons]))
    }

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
    fn several_people_are_noticed() {
        let several = |prompt: &str| {
            Reader::shared().read(prompt).several_people.map(|place| prompt[place].to_owned())
        };
        assert_eq!(several("two young men shake hands").as_deref(), Some("two young men"));
        assert_eq!(several("A group of soldiers marches").as_deref(), Some("group of soldiers"));
        assert_eq!(several("a man waves at two women"), None);
        assert_eq!(several("waves twice, then two men wave back"), None);
    }

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
