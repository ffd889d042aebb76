//! Events that were read twice: *put* and *the ground* in *put a hand on the ground*, *digs* and
//! *shovelfuls* in *he digs, five shovelfuls*.

use serde_json::Map;

use super::{Assembly, Draft, Json, ways::travels};
use crate::reading::Field;

/// Words that say that something is done another time.
const AGAIN: [&str; 9] =
    ["again", "another", "second", "more", "then", "next", "other", "repeat", "repeats"];
/// Fields that a second naming may add.
const ADDED: [&str; 8] = [
    "count",
    "target",
    "target_part",
    "target_side",
    "prop",
    "manners",
    "posture",
    "posture_after",
];
/// Fields that a second naming of a reaction may add as well.
const OF_REACTIONS: [&str; 4] = ["force", "size", "direction", "side"];
/// Number of letters by which two forms of a verb are recognised as one: *jab*, *jabs*, *jabbing*.
const STEM: usize = 3;

impl Assembly<'_> {
    /// Drops the less certain of two neighbouring events in one clause that are the same in every
    /// field, except that only one may have a target. What refers to it refers to the other one
    /// then.
    pub(super) fn drop_echoes(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        let clauses = self.clauses();
        let clause = |number: usize| clauses.iter().position(|c| c.contains(&spans[number][0]));
        let mut before: Option<usize> = None;
        for number in 0..drafts.len() {
            let Some(draft) = &drafts[number] else { continue };
            let echoed = before.filter(|before| {
                clause(*before) == clause(number)
                    // *jab jab* asks for two
                    && self.plain(spans[*before][0]) != self.plain(spans[number][0])
                    && drafts[*before].as_ref().is_some_and(|other| {
                        same_but_for_a_target(&other.json, &draft.json)
                            && other.references == draft.references
                    })
            });
            let named_again =
                before.filter(|other| self.names_again(spans, drafts, *other, number));
            before = Some(number);
            if let Some(other) = named_again.filter(|_| echoed.is_none()) {
                let told = drafts[number].take();
                if let (Some(first), Some(told)) = (&mut drafts[other], told) {
                    first.json.extend(told.json);
                    // its words have been read
                    first.words.fields.push((Field("do".to_owned()), told.words.deed));
                    first.words.fields.extend(told.words.fields);
                    first.words.fields.sort_by_key(|(_, range)| range.start);
                }
                before = Some(other);
                refer_to(drafts, number, other);
                continue;
            }
            let Some(other) = echoed else { continue };
            let certainty =
                |number: usize| drafts[number].as_ref().map_or(0.0, |draft| draft.words.certainty);
            let (kept, dropped) = if certainty(other) < certainty(number) {
                (number, other)
            } else {
                (other, number)
            };
            drafts[dropped] = None;
            before = Some(kept);
            refer_to(drafts, dropped, kept);
        }
    }

    /// Whether an event names an action on the spot once more, with another word and nothing that
    /// contradicts the first.
    fn names_again(
        &self,
        spans: &[Vec<usize>],
        drafts: &[Option<Draft>],
        first: usize,
        second: usize,
    ) -> bool {
        let [Some(one), Some(other)] = [&drafts[first], &drafts[second]] else { return false };
        let action = one.json.get("do").and_then(Json::as_str);
        let is_same = action.is_some_and(|action| !travels(action))
            && one.json.get("do") == other.json.get("do");
        // a measure of its own makes it another event (*plié, grand plié*), except of a reaction:
        // *touches the stove and yanks the hand back*
        let reacts = action.is_some_and(|action| action.starts_with("react-"));
        let adds = |name: &str| ADDED.contains(&name) || reacts && OF_REACTIONS.contains(&name);
        let agrees = |(name, value): (&String, &Json)| {
            one.json.get(name).map_or(adds(name), |told| told == value)
        };
        let stem =
            |number: usize| -> String { self.plain(spans[number][0]).chars().take(STEM).collect() };
        let behind = spans[first][spans[first].len() - 1] + 1;
        let says_again = (behind..=spans[second][spans[second].len() - 1])
            .any(|place| AGAIN.contains(&self.plain(place).as_str()));
        is_same && other.json.iter().all(agrees) && stem(first) != stem(second) && !says_again
    }
}

/// Lets all events that refer to a dropped one refer to another one.
fn refer_to(drafts: &mut [Option<Draft>], dropped: usize, kept: usize) {
    for (at, draft) in drafts.iter_mut().enumerate() {
        let Some(draft) = draft else { continue };
        draft.references.retain(|_, to| at != kept || *to != dropped);
        let moved = draft.references.values_mut().filter(|to| **to == dropped);
        moved.for_each(|to| *to = kept);
    }
}

/// Whether two events differ at most in a target that one of them lacks.
fn same_but_for_a_target(one: &Map<String, Json>, other: &Map<String, Json>) -> bool {
    let mut names = one.keys().chain(other.keys());
    names.all(|name| match (one.get(name), other.get(name)) {
        (Some(one), Some(other)) => one == other,
        _ => name.starts_with("target"),
    })
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    #[test]
    fn one_clause_does_not_name_the_same_event_twice() {
        for (text, events) in [
            ("she presses her right palm on the cold ground", 1),
            ("she steps left, right hand on her hip, and waves", 3),
            ("hops on the left foot and hops on the left foot", 2),
            ("he digs. Five shovelfuls, then he waves", 2),
        ] {
            let script = Reader::shared().read(text).script.expect("there is an action");
            assert_eq!(script.events().len(), events, "{text}: {script}");
        }
    }
}
