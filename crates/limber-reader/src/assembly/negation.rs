//! Actions and properties that are negated or hedged: *does not look up*, *almost falls*, *stops
//! chewing*, *not too fast*, *no forward movement*.

use serde_json::json;

use super::{Assembly, Draft};

/// Words that negate what follows.
const DENYING: [&str; 12] = [
    "not", "never", "no", "without", "don", "doesn", "didn", "dont", "doesnt", "won", "can",
    "cannot",
];
/// Words that may stand between the negation and what it negates.
const BETWEEN: [&str; 9] = ["'", "t", "to", "ever", "even", "any", "do", "at", "all"];
/// Words before something that nearly happens.
const NEARLY: [&str; 3] = ["almost", "nearly", "barely"];
/// Nouns of movement that *no* can negate: *no forward movement*, *no lean*.
const MOVEMENTS: [&str; 9] =
    ["movement", "motion", "travel", "travelling", "lean", "leaning", "rotation", "drift", "steps"];
/// The action that replaces a loss of balance that nearly happens.
const CAUGHT: &str = "regain-balance";
/// Prefixes of the names of actions that lose balance.
const LOSSES: [&str; 8] =
    ["fall", "trip", "slip", "stumble", "pratfall", "crumple", "faint", "knock-down"];
/// Factor for *not too …*: a little less than usual.
const NOT_TOO_MUCH: f64 = 0.85;

impl Assembly<'_> {
    /// Returns the words of what is negated, without the negation itself.
    pub(super) fn denied(&self, said: &[usize]) -> Vec<usize> {
        let says_it = |place: &&usize| {
            let word = self.plain(**place);
            !DENYING.contains(&word.as_str()) && !BETWEEN.contains(&word.as_str())
        };
        said.iter().filter(says_it).copied().collect()
    }

    /// Drops what nearly happens, is given up or is negated by *no*; a loss of balance that nearly
    /// happens becomes its recovery.
    pub(super) fn apply_denied(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        let mut dropped = Vec::new();
        for (number, span) in spans.iter().enumerate() {
            let Some(draft) = &mut drafts[number] else { continue };
            let is_over = self.is_no_movement(span)
                || self.word_behind(draft.words.deed.end) == "nothing"
                || self.is_given_up(span);
            if is_over {
                dropped.push(number);
            } else if self.is_nearly(span[0]) {
                let action = draft.json.get("do").and_then(|action| action.as_str());
                let is_loss = action
                    .is_some_and(|action| LOSSES.iter().any(|begin| action.starts_with(begin)));
                if is_loss {
                    draft.json.insert("do".to_owned(), json!(CAUGHT));
                    draft.json.remove("posture_after");
                } else if action.is_none_or(|action| !action.starts_with(CAUGHT)) {
                    dropped.push(number);
                }
            }
        }
        self.drop_unless_all(drafts, &dropped);
        self.deny_ways(drafts);
        catch_once(drafts);
        self.weaken(drafts);
    }

    /// Reduces *not too fast*, *not very high* to slightly less than usual, whatever value the
    /// words alone would set.
    fn weaken(&self, drafts: &mut [Option<Draft>]) {
        let words = self.plain_words(0..self.words.len());
        for place in 2..words.len() {
            let is_limit = ["too", "very", "so", "that", "overly"]
                .contains(&words[place - 1].as_str())
                && matches!(words[place - 2].as_str(), "not" | "t" | "never");
            if !is_limit {
                continue;
            }
            let limited = &self.words[place].place;
            for draft in drafts.iter_mut().flatten() {
                let fields = draft.words.fields.iter();
                let of_word: Vec<String> = fields
                    .filter(|(_, range)| range.contains(&limited.start))
                    .map(|(field, _)| field.as_str().to_owned())
                    .collect();
                for field in of_word {
                    if let Some(factor) =
                        draft.json.get_mut(&field).filter(|factor| factor.as_f64().is_some())
                        && ["speed", "size", "force"].contains(&field.as_str())
                    {
                        *factor = json!(NOT_TOO_MUCH);
                    }
                }
            }
        }
    }

    /// Removes negated directions: *no backward lean*.
    fn deny_ways(&self, drafts: &mut [Option<Draft>]) {
        for draft in drafts.iter_mut().flatten() {
            let fields = draft.words.fields.iter();
            let denied: Vec<String> = fields
                .filter(|(field, range)| {
                    let places = 0..self.words.len();
                    let at = places.clone().find(|at| self.words[*at].place.start == range.start);
                    let is_way = ["direction", "side"].contains(&field.as_str());
                    is_way && at.is_some_and(|at| self.is_no_movement(&[at]))
                })
                .map(|(field, _)| field.as_str().to_owned())
                .collect();
            for field in denied {
                draft.json.remove(&field);
                draft.words.fields.retain(|(other, _)| other.as_str() != field);
            }
        }
    }

    /// Whether a span belongs to a phrase such as *no forward movement*.
    fn is_no_movement(&self, span: &[usize]) -> bool {
        let last = span[span.len() - 1];
        let from = span[0].saturating_sub(3);
        let behind = (last..(last + 3).min(self.words.len())).map(|place| self.plain(place));
        let denies = (from..=span[0]).rev().map(|place| self.plain(place));
        let is_apart = |word: &String| word == "," || word == ".";
        let names_movement = behind
            .take_while(|word| !is_apart(word))
            .any(|word| MOVEMENTS.contains(&word.as_str()));
        let mut denies = denies.take_while(|word| !is_apart(word));
        names_movement && denies.any(|word| word == "no" || word == "without")
    }

    /// Whether a span only says that someone stops an activity: *stops chewing*. Stopping to walk
    /// or run is an action itself.
    fn is_given_up(&self, span: &[usize]) -> bool {
        const LEAVING_OFF: [&str; 6] = ["stop", "stops", "stopped", "quit", "quits", "finishes"];
        const GOING: [&str; 7] =
            ["walking", "running", "jogging", "sprinting", "marching", "moving", "skating"];
        let last = span[span.len() - 1];
        (span[0].max(1)..=last + 1).any(|place| {
            let word = self.plain(place);
            let leaves_off = LEAVING_OFF.contains(&self.plain(place - 1).as_str());
            leaves_off && word.ends_with("ing") && !GOING.contains(&word.as_str())
        })
    }

    /// Whether the event that starts at this word nearly happens: *almost drops it*, *is about to
    /// jump*.
    fn is_nearly(&self, first: usize) -> bool {
        if NEARLY.contains(&self.plain(first).as_str()) {
            return true;
        }
        let before = first.checked_sub(1).map(|place| self.plain(place));
        // *is about to jump* may be read as one action
        let mut near = first.saturating_sub(2)..first + 2;
        before.is_some_and(|word| NEARLY.contains(&word.as_str()))
            || near.any(|at| self.plain(at) == "about" && self.plain(at + 1) == "to")
    }
}

/// Merges neighbouring recoveries of balance: *almost falls, catches himself* describes one.
fn catch_once(drafts: &mut [Option<Draft>]) {
    let is_caught = |draft: &Option<Draft>| {
        draft.as_ref().is_some_and(|draft| draft.json.get("do").is_some_and(|name| name == CAUGHT))
    };
    for number in 1..drafts.len() {
        if is_caught(&drafts[number - 1]) && is_caught(&drafts[number]) {
            let (before, here) = drafts.split_at_mut(number);
            if let (Some(first), Some(second)) = (&mut before[number - 1], here[0].take()) {
                for (field, value) in second.json {
                    first.json.entry(field).or_insert(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn script(text: &str) -> limber_script::Script {
        Reader::shared().read(text).script.expect("there is an action")
    }

    fn deeds(text: &str) -> Vec<String> {
        script(text).events().iter().map(|event| event.deed.to_string()).collect()
    }

    #[test]
    fn near_events_do_not_happen() {
        let told = deeds("he nearly trips over a rug but keeps walking");
        assert!(!told.contains(&"trip".to_owned()), "{told:?}");
        assert_eq!(deeds("he waves and is about to bow"), ["wave"]);
        assert_eq!(deeds("he stops clapping and bows"), ["bow"]);
    }

    #[test]
    fn limits_are_not_degrees() {
        let told = script("jogs, not too fast");
        let speed = told.events()[0].speed.map_or(1.0, |speed| speed.get());
        assert!((0.7..1.1).contains(&speed), "{told}");
    }

    #[test]
    fn a_negated_movement_is_dropped() {
        assert_eq!(deeds("jogs on the spot, no forward movement").len(), 1);
    }
}
