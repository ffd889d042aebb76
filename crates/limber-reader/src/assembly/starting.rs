//! The state in which a prompt begins: *a girl lying in bed sits up*, *from idle*, *sit to stand*.

use serde_json::{Value as Json, json};

use super::{Assembly, Draft};
use crate::postures;

/// Verb forms that describe a posture.
const BEING: [&str; 14] = [
    "sitting",
    "seated",
    "sits",
    "lying",
    "lies",
    "lay",
    "laying",
    "kneeling",
    "crouching",
    "crouched",
    "squatting",
    "sat",
    "kneels",
    "hanging",
];
/// Actions that leave such a posture.
const LEAVING: [&str; 9] = [
    "stand-up",
    "get-up",
    "sit-up",
    "jump-up",
    "get-out",
    "roll-to-side",
    "kip-up",
    "roll-over",
    "wake",
];
/// Words next to the idle in which a clip begins or ends.
const TO: [&str; 8] = ["to", "from", "back", "into", "base", "in", "the", "end"];

impl Assembly<'_> {
    /// Drops a lying or sitting down that only describes the starting posture of someone who gets
    /// up.
    pub(super) fn apply_starting(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        self.drop_idles(spans, drafts);
        let kept: Vec<usize> = (0..drafts.len()).filter(|n| drafts[*n].is_some()).collect();
        let [first, second, ..] = kept[..] else { return };
        let (Some(one), Some(other)) = (&drafts[first], &drafts[second]) else { return };
        let action =
            |draft: &Draft| draft.json.get("do").and_then(Json::as_str).unwrap_or("").to_owned();
        let posture = one.json.get("posture").cloned();
        let left = postures::posture_after(&action(one)).map(|posture| json!(posture));
        let is_being = spans[first].len() <= 2
            && BEING.contains(&self.plain(spans[first][0]).as_str())
            // *sits down* is an action
            && self.word_behind(one.words.deed.end) != "down"
            && !self.prompt[one.words.deed.clone()].contains("down");
        let leaves = LEAVING.iter().any(|begin| action(other).starts_with(begin));
        let Some(posture) = left.or(posture).filter(|_| is_being && leaves) else { return };
        if let Some(other) = &mut drafts[second] {
            other.json.entry("posture").or_insert(posture);
            other.references.clear();
        }
        drafts[first] = None;
    }

    /// Drops the idles of *from idle to idle*, which only describe how the clip begins and ends.
    fn drop_idles(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        let mut dropped = Vec::new();
        for (number, span) in spans.iter().enumerate() {
            let is_idle = drafts[number].as_ref().is_some_and(|draft| {
                draft.json.get("do").is_some_and(|action| action == "idle")
                    && !draft.json.contains_key("seconds")
            });
            let before = span[0].checked_sub(1).map(|place| self.plain(place));
            let comes_to = before.is_some_and(|word| TO.contains(&word.as_str()));
            let goes_to = self.word_behind(self.words[span[span.len() - 1]].place.end) == "to";
            let is_both = (span[0]..span[span.len() - 1]).any(|place| self.plain(place) == "to");
            if is_idle && (comes_to || goes_to || is_both) {
                dropped.push(number);
            }
        }
        self.drop_unless_all(drafts, &dropped);
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn line(text: &str) -> String {
        Reader::shared().read(text).script.expect("there is an action").to_string()
    }

    #[test]
    fn a_seated_person_does_not_sit_down_before_standing_up() {
        assert_eq!(
            line("a clerk sitting on a chair stands up"),
            "v2 stand-up posture:seated-on-chair"
        );
        assert!(line("a clerk sits down on a chair, then stands up").starts_with("v2 sit-down"));
    }

    #[test]
    fn idle_at_the_ends_is_not_an_event() {
        assert!(!line("jumps forward, idle to idle").contains("idle"));
    }
}
