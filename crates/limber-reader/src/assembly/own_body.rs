//! Actions aimed at a part of one's own body, which look otherwise there: *slaps both knees*, *pulls
//! the heel to the buttock*, *grabs his shoulder* after a shot.

use serde_json::{Map, json};

use super::{Assembly, Draft};

/// Parts at which *clutch a wound* holds the belly already.
const TRUNK: [&str; 4] = ["belly", "chest", "waist", "upper-body"];
/// Parts of the legs that a hand slaps.
const OF_LEGS: [&str; 3] = ["knee", "thigh", "leg"];
/// Words that name something at both hands: *shakes the water off*, *dries them*.
const AT_BOTH_HANDS: [&str; 3] = ["them", "water", "hands"];

/// Nouns behind *the other*.
const ONES: [&str; 10] =
    ["hand", "arm", "foot", "leg", "knee", "fist", "elbow", "shoulder", "one", "side"];

impl Assembly<'_> {
    /// Gives *with the other* the side that the event before it does not use.
    pub(super) fn apply_the_other(&self, drafts: &mut [Option<Draft>]) {
        for clause in self.clauses() {
            let says_other = clause.clone().any(|place| {
                let is_last = place + 1 == clause.end;
                self.plain(place) == "other"
                    && (is_last || ONES.contains(&self.plain(place + 1).as_str()))
            });
            let here = |draft: &Draft| self.bytes(&clause).contains(&draft.words.deed.start);
            let own = drafts.iter().position(|draft| draft.as_ref().is_some_and(here));
            let Some(own) = own.filter(|_| says_other) else { continue };
            let before = drafts[..own].iter().flatten().next_back().map(|one| one.text("side"));
            let opposite = match before {
                Some("left") => "right",
                Some("right") => "left",
                _ => continue,
            };
            if let Some(draft) = &mut drafts[own] {
                draft.json.insert("side".to_owned(), json!(opposite));
            }
        }
    }

    /// Gives these actions the movement that they are at that part.
    pub(super) fn apply_own_body(&self, drafts: &mut [Option<Draft>]) {
        for draft in drafts.iter_mut().flatten() {
            let aimed = draft.text("target_part").to_owned();
            match draft.text("do") {
                "clutch-wound" if !aimed.is_empty() && !TRUNK.contains(&aimed.as_str()) => {
                    rename(draft, "hold", "hand");
                }
                "slap" if OF_LEGS.contains(&aimed.as_str()) => rename(draft, "pat", "hand"),
                "scratch-body" if TRUNK.contains(&aimed.as_str()) => rename(draft, "rub", "hand"),
                "" => self.at_both_hands(draft),
                _ => {}
            }
            let is_of_leg = matches!(draft.text("part"), "heel" | "foot" | "leg");
            let pulls = draft.text("move") == "pull" && is_of_leg;
            if pulls && aimed == "buttocks" {
                draft.json.remove("move");
                draft.json.remove("part");
                draft.json.remove("target_part");
                draft.json.insert("do".to_owned(), json!("quad-stretch"));
            }
        }
    }

    /// *Shakes the water off* and *dries them* are done with both hands.
    fn at_both_hands(&self, draft: &mut Draft) {
        let is_hand = draft.text("part") == "hand"
            && matches!(draft.text("move"), "shake" | "rub")
            && !draft.json.contains_key("side");
        let clauses = self.clauses();
        let clause =
            clauses.iter().find(|clause| self.bytes(clause).contains(&draft.words.deed.start));
        let Some(clause) = clause.filter(|_| is_hand) else { return };
        let words = self.plain_words(clause.clone());
        if words.iter().any(|word| AT_BOTH_HANDS.contains(&word.as_str())) {
            draft.json.insert("side".to_owned(), json!("both"));
        }
    }
}

/// Makes an action a movement of a part of the body, with the same details.
fn rename(draft: &mut Draft, verb: &str, part: &str) {
    draft.json.remove("do");
    let named = [("move", json!(verb)), ("part", json!(part))];
    draft.json.extend(Map::from_iter(named.map(|(name, value)| (name.to_owned(), value))));
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    #[test]
    fn the_other_hand_is_not_the_one_before() {
        let read = |text| Reader::shared().read(text).script.expect("it has events").to_string();
        let told = read("holds the rope with the left hand and waves with the other");
        assert!(told.contains("wave side:right"), "{told}");
    }

    #[test]
    fn a_part_of_the_own_body_is_reached() {
        for (prompt, events) in [
            ("slaps both knees and stands up", "pat.hand"),
            ("he is shot in the shoulder and clutches it", "hold.hand"),
            ("pulls the right heel to the buttock", "quad-stretch side:right"),
            ("washes his hands and shakes the water off", "shake.hand side:both"),
        ] {
            let script = Reader::shared().read(prompt).script.expect("it has events").to_string();
            assert!(script.contains(events), "{prompt}: {script}");
        }
    }
}
