//! Order of the events in time, and references between them.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::{Assembly, Draft, TIMINGS};
use crate::{
    heads::{EventScores, best, rounded},
    reading::EventWords,
};

impl Assembly<'_> {
    /// Returns the drafts in order of time, with their references resolved to indices in that
    /// order.
    pub(super) fn in_order(
        &self,
        drafts: Vec<Option<Draft>>,
        order: &[usize],
    ) -> Vec<(Map<String, Json>, EventWords)> {
        let place = |number: usize| order.iter().position(|other| *other == number);
        let mut found: BTreeMap<usize, Draft> = BTreeMap::new();
        for (number, draft) in drafts.into_iter().enumerate() {
            if let (Some(draft), Some(place)) = (draft, place(number)) {
                found.insert(place, draft);
            }
        }
        let mut timed: BTreeMap<usize, (&'static str, usize)> = BTreeMap::new();
        for (here, draft) in &mut found {
            for (field, number) in std::mem::take(&mut draft.references) {
                let Some(there) = place(number) else { continue };
                let (later, earlier) = (*here.max(&there), *here.min(&there));
                match field {
                    // the later of two simultaneous events holds the reference
                    "while" => _ = timed.insert(later, (field, earlier)),
                    "until" if there > *here => _ = draft.json.insert(field.into(), json!(there)),
                    "continues" if there < *here => {
                        _ = draft.json.insert(field.into(), json!(there));
                    }
                    "as_soon_as" if there < *here => _ = timed.insert(*here, (field, there)),
                    "beat_of" if there < *here && draft.json.contains_key("beat") => {
                        timed.insert(*here, (field, there));
                    }
                    _ => {}
                }
            }
        }
        for (here, draft) in &mut found {
            if let Some((field, there)) = timed.get(here) {
                draft.json.insert((*field).into(), json!(there));
            }
            if !draft.json.contains_key("beat_of") {
                draft.json.remove("beat");
            }
        }
        found.into_values().map(|draft| (draft.json, draft.words)).collect()
    }
}

/// Returns the numbers of the kept drafts in order of time. Of two neighbours in the text, the
/// second may come first (*before*, *after having*).
pub(super) fn in_time(
    events: &[EventScores],
    drafts: &[Option<Draft>],
    swaps: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let kept = drafts.iter().enumerate().filter(|(_, draft)| draft.is_some());
    for (number, _) in kept {
        let last = order.last().copied();
        let is_before = last.is_some_and(|last| {
            last + 1 == number && (rounded(events[last].order[number]) > 0.0 || swaps(number))
        });
        order.insert(order.len() - usize::from(is_before), number);
    }
    order
}

/// Returns the references of an event to others, by their indices in the order of the text; of
/// several timings only the most certain.
pub(super) fn references(scores: &EventScores) -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    let named = |field: &str| {
        let scores = scores.references.get(field)?;
        let best = best(scores);
        (best > 0).then(|| (best - 1, rounded(scores[best] - scores[0])))
    };
    let timings = TIMINGS.iter().filter_map(|field| named(field).map(|found| (*field, found)));
    if let Some((field, (other, _))) = timings.max_by(|a, b| a.1.1.total_cmp(&b.1.1)) {
        found.insert(field, other);
    }
    for field in ["continues", "until"] {
        if let Some((other, _)) = named(field) {
            found.insert(field, other);
        }
    }
    found
}
