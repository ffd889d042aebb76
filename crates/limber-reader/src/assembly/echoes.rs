//! Events that were read twice from one clause: *put* and *the ground* in *put a hand on the
//! ground*.

use serde_json::Map;

use super::{Assembly, Draft, Json};

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
            before = Some(number);
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
            for (at, draft) in drafts.iter_mut().enumerate() {
                let Some(draft) = draft else { continue };
                draft.references.retain(|_, to| at != kept || *to != dropped);
                let moved = draft.references.values_mut().filter(|to| **to == dropped);
                moved.for_each(|to| *to = kept);
            }
        }
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
        ] {
            let script = Reader::shared().read(text).script.expect("there is an action");
            assert_eq!(script.events().len(), events, "{text}: {script}");
        }
    }
}
