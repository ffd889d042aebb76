//! Turns actions done to the animated person into reactions: *is slapped*, *a stranger shoves her*.

use std::{collections::HashMap, sync::LazyLock};

use serde_json::{Value as Json, json};

use super::{Assembly, Draft};
use crate::words::plain;

/// `assets/lexicon/received.toml` inverted: from an action to the reaction of the person it is done
/// to.
fn received() -> &'static HashMap<String, String> {
    static RECEIVED: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let text = include_str!("../../../../assets/lexicon/received.toml");
        let file: HashMap<String, Vec<String>> = toml::from_str(text).expect("a test checks it");
        let rows = file.into_iter();
        rows.flat_map(|(reaction, dealt)| {
            dealt.into_iter().map(move |dealt| (dealt, reaction.clone()))
        })
        .collect()
    });
    &RECEIVED
}

/// Returns the reaction of the person to whom an action is done.
pub(super) fn reaction_to(dealt: &str) -> Option<&'static str> {
    received().get(dealt).map(String::as_str)
}

impl Assembly<'_> {
    /// Replaces the action of an event that is done to the animated person by the reaction to it.
    pub(super) fn apply_receiving(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        for (span, draft) in spans.iter().zip(drafts.iter_mut()) {
            let Some(draft) = draft else { continue };
            let dealt = draft.json.get("do").and_then(Json::as_str);
            let Some(reaction) = dealt.and_then(reaction_to) else { continue };
            if self.is_suffered(span) {
                draft.json.insert("do".to_owned(), json!(reaction));
            }
        }
    }

    fn is_suffered(&self, span: &[usize]) -> bool {
        let word = |place: usize| plain(&self.words[place].text);
        let (first, last) = (span[0], span[span.len() - 1]);
        let is_passive_inside = is_form_of_be(&word(first)) && span.len() > 1;
        // *is suddenly hugged*
        let before = (0..first).rev().map(word).find(|word| !is_adverb(word));
        let is_participle = is_participle(&word(first));
        let is_passive = is_participle && before.as_deref().is_some_and(is_form_of_be);
        let next = self.words.get(last + 1).map(|word| plain(&word.text)).unwrap_or_default();
        let object_inside = span.iter().any(|place| OBJECTS.contains(&word(*place).as_str()));
        let has_object = object_inside || OBJECTS.contains(&next.as_str());
        let by_another = before.as_deref().is_some_and(|word| OTHERS.contains(&word));
        is_passive || is_passive_inside || (by_another && has_object)
    }
}

/// Whether a word can be the auxiliary of a passive: *is pushed*, *gets pushed*.
fn is_form_of_be(word: &str) -> bool {
    ["is", "are", "was", "were", "be", "been", "being", "get", "gets", "got", "getting"]
        .contains(&word)
}

fn is_adverb(word: &str) -> bool {
    word.ends_with("ly") || ["then", "just", "almost", "again", "both"].contains(&word)
}

/// Whether a verb is a past participle, as in *is pushed*.
fn is_participle(word: &str) -> bool {
    const IRREGULAR: [&str; 11] = [
        "hit", "shot", "struck", "thrown", "caught", "held", "flung", "swept", "stung", "beaten",
        "hurt",
    ];
    word.ends_with("ed") || IRREGULAR.contains(&word)
}

/// Object pronouns, which refer to the animated person if someone else acts.
const OBJECTS: [&str; 5] = ["him", "her", "them", "me", "us"];
/// Subjects other than the animated person, if they act on a pronoun.
const OTHERS: [&str; 7] =
    ["somebody", "someone", "something", "opponent", "enemy", "attacker", "stranger"];

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn deeds(text: &str) -> Vec<String> {
        let script = Reader::shared().read(text).script.expect("there is an action");
        script.events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn the_target_of_an_action_reacts() {
        assert_eq!(deeds("a page is hugged by the king"), ["be hugged"]);
        assert_eq!(deeds("somebody shoves him and he stumbles")[0], "react push");
        assert_eq!(deeds("a thief gets slapped"), ["react slap"]);
    }

    #[test]
    fn an_acting_person_performs_the_action() {
        assert_eq!(deeds("someone kicks a door"), ["kick"]);
        assert_eq!(deeds("he hugs her"), ["hug"]);
    }

    #[test]
    fn every_action_in_the_list_exists() {
        let all = crate::postures::tests::all_actions();
        for (dealt, reaction) in super::received() {
            assert!(all.contains(dealt) && all.contains(reaction), "{dealt} {reaction}");
        }
    }
}
