//! What a verb says beyond its action: *spins* is all the way around, *stomps off* is a walk, *turns
//! and runs* leaves the way one came.

use serde_json::{Map, Value as Json, json};

use super::{Assembly, Draft, ways::travels};
use crate::reading::EventWords;

/// Beginnings of verbs for a turn all the way around.
const SPINS: [&str; 5] = ["spin", "spun", "twirl", "whirl", "pirouett"];
/// Words behind *spins* that say where the turn ends.
const ENDS_AT: [&str; 5] = ["to", "toward", "towards", "around", "round"];
/// Words behind *stomps* that make it a way to walk.
const AWAY: [&str; 6] = ["off", "away", "out", "over", "toward", "towards"];
/// Words behind a gait that lead out of the picture, and beginnings of verbs that do.
const LEAVES: [&str; 5] = ["off", "away", "out", "offscreen", "offstage"];
const LEAVING: [&str; 4] = ["exit", "leav", "flee", "fled"];
/// The angles of a spin, and of the turn of somebody who then leaves.
const FULL_TURN_DEGREES: f64 = 360.0;
const HALF_TURN_DEGREES: f64 = 180.0;

impl Assembly<'_> {
    pub(super) fn apply_verbs(&self, drafts: &mut [Option<Draft>]) {
        for number in 0..drafts.len() {
            let leaves = drafts.get(number + 1).is_some_and(|next| leaves(next.as_ref()));
            let Some(draft) = &mut drafts[number] else { continue };
            match draft.json.get("do").and_then(Json::as_str) {
                Some("turn") => self.turn_as_said(draft, leaves),
                Some("stomp") if self.is_followed_by(draft, &AWAY) => storm(draft),
                Some("kneel" | "kneel-on-one-knee") if is_toward(draft, "backward") => {
                    draft.json.insert("do".to_owned(), json!("fall-backward"));
                    draft.json.remove("posture_after");
                }
                // *jumps back in fright* tells where the body goes, not where the fright is
                Some("recoil" | "flinch") if self.goes_back(draft) => {
                    draft.json.remove("direction");
                }
                None => reach_ahead(draft),
                _ => {}
            }
        }
    }

    /// Whether the last event walks out of the picture: *turns and runs off*. Nobody stops there.
    pub(super) fn leaves_the_scene(
        &self,
        events: &[Map<String, Json>],
        words: &[EventWords],
    ) -> bool {
        let (Some(event), Some(words)) = (events.last(), words.last()) else { return false };
        let goes = event.get("do").and_then(Json::as_str).is_some_and(travels);
        let is_measured = ["meters", "steps", "seconds", "while", "path"]
            .iter()
            .any(|said| event.contains_key(*said));
        goes && !is_measured && (self.is_said_to(words, &LEAVES) || self.says(words, &LEAVING))
    }

    /// Sets the angle of a turn that says none.
    fn turn_as_said(&self, draft: &mut Draft, leaves: bool) {
        if draft.json.contains_key("degrees") {
            return;
        }
        let spins = self.says(&draft.words, &SPINS);
        let is_bare = ["side", "direction", "count", "steps"]
            .iter()
            .all(|field| !draft.json.contains_key(*field));
        if spins && !self.is_followed_by(draft, &ENDS_AT) {
            draft.json.insert("degrees".to_owned(), json!(FULL_TURN_DEGREES));
        } else if !spins && is_bare && leaves {
            draft.json.insert("degrees".to_owned(), json!(HALF_TURN_DEGREES));
        }
    }

    fn goes_back(&self, draft: &Draft) -> bool {
        is_toward(draft, "backward")
            && (self.says(&draft.words, &["back"])
                || self.word_behind(draft.words.deed.end).starts_with("back"))
    }

    fn is_followed_by(&self, draft: &Draft, known: &[&str]) -> bool {
        self.is_said_to(&draft.words, known)
    }

    /// Whether one of these words ends the verb of an event or follows it.
    fn is_said_to(&self, words: &EventWords, known: &[&str]) -> bool {
        let said = self.prompt[words.deed.clone()].to_lowercase();
        let ends_with = said.split(' ').next_back().is_some_and(|word| known.contains(&word));
        ends_with || known.contains(&self.word_behind(words.deed.end).as_str())
    }

    /// Whether the verb of an event begins with one of these.
    fn says(&self, words: &EventWords, known: &[&str]) -> bool {
        let said = self.prompt[words.deed.clone()].to_lowercase();
        known.iter().any(|begin| said.split(' ').any(|word| word.starts_with(begin)))
    }
}

/// Whether an event goes on from a turn, straight ahead.
fn leaves(next: Option<&Draft>) -> bool {
    next.is_some_and(|next| {
        let goes = next.json.get("do").and_then(Json::as_str).is_some_and(travels);
        let is_ahead = next.json.get("direction").is_none_or(|way| way == "forward");
        goes && is_ahead && !next.references.contains_key("while")
    })
}

fn is_toward(draft: &Draft, direction: &str) -> bool {
    draft.json.get("direction").is_some_and(|way| way == direction)
}

/// *Stomps off* walks away with heavy steps.
fn storm(draft: &mut Draft) {
    draft.json.insert("do".to_owned(), json!("walk"));
    draft.json.entry("force").or_insert(json!(1.5));
    let manners = draft.json.entry("manners").or_insert_with(|| json!({}));
    if let Some(manners) = manners.as_object_mut() {
        manners.entry("angry").or_insert(json!(1.0));
    }
}

/// *Reaches out* is forward, while arms that are *stretched out* may be to the sides.
fn reach_ahead(draft: &mut Draft) {
    let reaches = draft.json.get("move").is_some_and(|verb| verb == "reach");
    if reaches && is_toward(draft, "outward") {
        draft.json.insert("direction".to_owned(), json!("forward"));
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn script(prompt: &str) -> String {
        Reader::shared().read(prompt).script.expect("it has events").to_string()
    }

    #[test]
    fn turns_go_as_far_as_their_words_say() {
        assert!(script("fist pump twice, spin, then salute").contains("turn degrees:360"));
        assert!(script("he looks up, turns and runs away").contains("turn degrees:180"));
        assert!(!script("he turns left and runs").contains("degrees"));
    }

    #[test]
    fn stomping_off_is_a_walk_and_stomping_is_not() {
        let off = script("she slams the door and stomps off");
        assert!(off.contains("walk") && !off.contains("stomp"), "{off}");
        assert!(script("she stomps her foot twice").contains("stomp"));
    }

    #[test]
    fn jumping_back_is_away_from_the_front() {
        let back = script("he opens the box and jumps back in fright");
        assert!(!back.contains("recoil direction:backward"), "{back}");
    }

    #[test]
    fn who_leaves_does_not_stop_in_the_picture() {
        assert!(script("he waves, then walks away").ends_with("end:action"));
        assert!(!script("he waves, then walks to the table").contains("end:action"));
        assert!(!script("he walks away three steps").contains("end:action"));
    }
}
