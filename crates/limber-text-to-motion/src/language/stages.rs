//! What is told and goes without saying: *ties his shoe, kneeling down for it*, *Discus: wind up, two turns, throw*.

use std::collections::BTreeMap;

use limber_reader::{EventWords, Reading};
use limber_script::{Deed, End, Event, EventIndex, Posture};

use crate::{Action, Way};

/// The reader is this sure of an action that stands as a title.
const SURE: f32 = 0.4;

/// Takes events out of a reading that are stages of what stands right before or behind them, or as a title above them;
/// their words change nothing and are scenery.
pub(super) fn taken_in(text: &str, mut reading: Reading) -> Reading {
    let Some(script) = reading.script.take() else { return reading };
    let mut held = held(script.events());
    held.extend(below_a_title(text, script.events(), &reading.events).unwrap_or_default());
    if held.is_empty() {
        return Reading { script: Some(script), ..reading };
    }
    let Ok(shorter) = script.clone().without(&held) else {
        return Reading { script: Some(script), ..reading };
    };
    let words = std::mem::take(&mut reading.events);
    for (index, words) in words.into_iter().enumerate() {
        if held.contains_key(&EventIndex(index)) {
            reading.scenery.push(words.deed);
            reading.scenery.extend(words.fields.into_iter().map(|(_, place)| place));
        } else {
            reading.events.push(words);
        }
    }
    reading.scenery.sort_by_key(|place| place.start);
    Reading { script: Some(shorter), ..reading }
}

/// Who comes to a stance in the end stays in it: *gets up into a fighting stance* does not end at ease.
pub(super) fn staying_in_a_stance(mut reading: Reading) -> Reading {
    reading.script = reading.script.map(|script| {
        let last = script.events().last().filter(|_| script.events().len() > 1);
        let is_stance = last.and_then(|last| named(&last.deed)).is_some_and(Action::is_stance);
        if !is_stance || script.is_loop() || script.end() != End::Idle {
            return script;
        }
        let start = script.start();
        script.with_ends(start, End::Hold)
    });
    reading
}

/// Each event that is a stage of another, with that one.
fn held(events: &[Event]) -> BTreeMap<EventIndex, EventIndex> {
    let actions: Vec<Option<Action>> = events.iter().map(|event| named(&event.deed)).collect();
    let mut held = BTreeMap::new();
    for (index, action) in actions.iter().enumerate() {
        let Some(action) = action.filter(|_| !held.contains_key(&EventIndex(index))) else {
            continue;
        };
        let is_stage = |other: usize| {
            let is_told = actions[other].is_some_and(|other| action.stages().contains(&other));
            is_told && goes_without_saying(&events[other], &events[index])
        };
        let behind = (index + 1..events.len()).take_while(|other| is_stage(*other));
        held.extend(behind.map(|other| (EventIndex(other), EventIndex(index))));
        if index > 0 && !held.contains_key(&EventIndex(index - 1)) && is_stage(index - 1) {
            held.insert(EventIndex(index - 1), EventIndex(index));
        }
    }
    // what holds another one is not taken away from it
    let holding: Vec<EventIndex> = held.values().copied().collect();
    held.retain(|stage, _| !holding.contains(stage));
    held
}

/// Events that a sentence tells below the name of what they are together: *Discus: wind up, two turns, throw.* What comes
/// behind a *then* comes behind the whole.
fn below_a_title(
    text: &str,
    events: &[Event],
    words: &[EventWords],
) -> Option<BTreeMap<EventIndex, EventIndex>> {
    let colon = text.find(':')?;
    let (first, named) = (words.first()?, named(&events.first()?.deed)?);
    let is_said = |place: usize| {
        let fields = first.fields.iter().map(|(_, range)| range);
        std::iter::once(&first.deed).chain(fields).any(|range| range.contains(&place))
    };
    let title = text[..colon].char_indices();
    let is_whole = title.filter(|(_, sign)| sign.is_alphabetic()).all(|(place, _)| is_said(place));
    if !is_whole || named.way() != Way::Score || first.certainty < SURE {
        return None;
    }
    let rest = &text[colon..];
    let ends = [".", ";", " then "].iter().filter_map(|sign| rest.find(sign)).min();
    let end = colon + ends.unwrap_or(rest.len());
    let below = (1..events.len()).take_while(|index| words[*index].deed.start < end);
    Some(below.map(|index| (EventIndex(index), EventIndex(0))).collect())
}

fn named(deed: &Deed) -> Option<Action> {
    match deed {
        Deed::Action(name) => Action::named(name.as_str()),
        Deed::Body { verb, part } => Action::named(&format!("{verb}.{part}")),
    }
}

/// Whether a stage says nothing that the whole does not do by itself.
fn goes_without_saying(stage: &Event, whole: &Event) -> bool {
    let is_counted = stage.count.is_some_and(|count| count.get() > 1) || stage.steps.is_some();
    let is_measured = stage.seconds.is_some() || stage.meters.is_some() || stage.path.is_some();
    let other_side = stage.side.is_some() && whole.side.is_some() && stage.side != whole.side;
    let ends_elsewhere = !matches!(stage.posture_after, None | Some(Posture::Standing))
        && stage.posture_after != whole.posture_after;
    !is_counted && !is_measured && !other_side && !ends_elsewhere
}

#[cfg(test)]
mod tests {
    use limber_script::Script;

    use super::*;

    fn left(line: &str) -> String {
        let script: Script = line.parse().unwrap();
        let held = held(script.events());
        script.without(&held).unwrap().to_string()
    }

    #[test]
    fn a_stage_goes_without_saying_unless_something_is_said_of_it() {
        assert_eq!(
            left("v2 react-hit-stomach > double-over > walk"),
            "v2 react-hit-stomach > walk"
        );
        assert_eq!(left("v2 kneel-on-one-knee > tie-shoe"), "v2 tie-shoe");
        for kept in ["v2 react-hit-stomach > double-over count:3", "v2 walk > double-over"] {
            assert_eq!(left(kept), kept);
        }
    }

    #[test]
    fn what_a_title_sums_up_is_done_once() {
        let below = |text: &str, places: [&str; 3]| {
            let script: Script = "v2 burpee > squat > jump".parse().unwrap();
            let words: Vec<EventWords> = (places.iter())
                .map(|place| {
                    let start = text.find(place).unwrap();
                    let deed = start..start + place.len();
                    EventWords { deed, fields: Vec::new(), certainty: 0.9 }
                })
                .collect();
            below_a_title(text, script.events(), &words).map_or(0, |held| held.len())
        };
        assert_eq!(below("Burpee: squat, hands down, jump", ["Burpee", "squat", "jump"]), 2);
        assert_eq!(below("Burpee: squat, then jump", ["Burpee", "squat", "jump"]), 1);
        assert_eq!(below("My burpee: squat, jump", ["burpee", "squat", "jump"]), 0);
    }
}
