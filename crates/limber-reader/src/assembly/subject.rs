//! What somebody is says how they move: *an old man walks*.

use serde_json::{Map, Value as Json, json};

use super::{Assembly, Draft};
use crate::{
    reading::{Field, WordRange},
    words::plain,
};

/// What is said of whom a prompt is about, and the manner in which they do everything.
const MANNERS: [(&str, &str); 10] = [
    ("old", "old"),
    ("elderly", "old"),
    ("aged", "old"),
    ("drunk", "drunk"),
    ("drunken", "drunk"),
    ("zombie", "zombie"),
    ("robot", "robot"),
    ("toddler", "child"),
    ("injured", "hurt"),
    ("wounded", "hurt"),
];

impl Assembly<'_> {
    /// Tells every event the manner of whoever does it, where it tells none; what stands before the first event is said of
    /// them.
    pub(super) fn apply_subject(&self, drafts: &mut [Option<Draft>], used: &mut [bool]) {
        let first = drafts.iter().flatten().map(|draft| draft.words.deed.start).min();
        let Some(first) = first else { return };
        let before = self.words.iter().take_while(|word| word.place.start < first).enumerate();
        let said: Vec<(usize, &str, WordRange)> = before
            .filter(|(place, _)| !used[*place])
            .filter_map(|(place, word)| {
                let text = plain(&word.text);
                let (_, manner) = MANNERS.iter().find(|(name, _)| *name == text)?;
                Some((place, *manner, word.place.clone()))
            })
            .collect();
        for (place, manner, word) in said {
            used[place] = true;
            for draft in drafts.iter_mut().flatten() {
                let manners =
                    draft.json.entry("manners").or_insert_with(|| Json::Object(Map::new()));
                let Some(manners) = manners.as_object_mut().filter(|told| told.is_empty()) else {
                    continue;
                };
                manners.insert(manner.to_owned(), json!(1.0));
                draft.words.fields.push((Field("manners".to_owned()), word.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use limber_script::Manner;

    use crate::Reader;

    #[test]
    fn who_is_old_does_everything_so() {
        let script = Reader::shared().read("an old man walks in and sits down").script.unwrap();
        let is_old =
            |manners: &std::collections::BTreeMap<Manner, _>| manners.contains_key(&Manner::Old);
        assert!(script.events().iter().all(|event| is_old(&event.manners)), "{script:?}");
    }
}
