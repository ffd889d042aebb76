//! Corrections of readings that need the vocabulary: removes what is implied by another action, as
//! in *ties his shoe, kneeling down for it*, and decides whose face is wiped and what is held.

use std::collections::BTreeMap;

use limber_reader::{EventWords, Reading};
use limber_script::{
    Aim, BodyPart, Direction, End, Event, EventAction, EventIndex, Posture, Script, Timing, Verb,
};

use crate::{Action, Body, vocabulary};

/// Prevents wiping a part of one's own body from being read as wiping a table.
pub(super) fn wiping_oneself(mut reading: Reading) -> Reading {
    reading.script = reading.script.map(|script| {
        let wipes = |event: &Event| {
            let is_wipe = named(&event.deed).is_some_and(|action| action.name() == "wipe");
            is_wipe && matches!(event.aim, Some(Aim::Part { .. }))
        };
        let by_hand = EventAction::Body { verb: Verb::Rub, part: BodyPart::Hand };
        let by_sleeve = Action::named("wipe-mouth").and_then(deed_of);
        let events = script.events().iter().map(|event| match &by_sleeve {
            Some(deed) if (wipes(event) || rubs(event)) && is_at_mouth(event) => {
                Event { deed: deed.clone(), prop: None, aim: None, ..event.clone() }
            }
            _ if wipes(event) => Event { deed: by_hand.clone(), prop: None, ..event.clone() },
            _ => event.clone(),
        });
        let rubbed = Script::new(events.collect()).expect("as many events as before");
        rubbed.with_ends(script.start(), script.end()).with_loop(script.is_loop())
    });
    reading
}

/// Whether an event rubs something with a hand.
fn rubs(event: &Event) -> bool {
    let hands = [BodyPart::Hand, BodyPart::Fingers, BodyPart::Forearm, BodyPart::Arm];
    matches!(&event.deed, EventAction::Body { verb: Verb::Rub, part } if hands.contains(part))
}

fn is_at_mouth(event: &Event) -> bool {
    matches!(event.aim, Some(Aim::Part { part: BodyPart::Mouth | BodyPart::Chin, .. }))
}

fn deed_of(action: Action) -> Option<EventAction> {
    Some(EventAction::Action(action.name().parse().ok()?))
}

/// Removes events of the whole body that are stages of the event right before or after them, which
/// would otherwise be done twice. Their words are ignored like scenery.
pub(super) fn taken_in(mut reading: Reading) -> Reading {
    let Some(script) = &reading.script else { return reading };
    let held = held(script.events());
    let taken = reading.take_out(&held);
    reading.pass_over(taken.iter().flat_map(EventWords::places).cloned());
    reading
}

/// A clip that ends in a stance stays in it: *gets up into a fighting stance* does not end at ease.
pub(super) fn staying_in_a_stance(mut reading: Reading) -> Reading {
    reading.script = reading.script.map(|script| {
        // an accompanying action does not count as the end
        let mut in_turn = script.events().iter().filter(|event| event.timing == Timing::Then);
        let last = in_turn.next_back().filter(|_| in_turn.next().is_some());
        let is_stance = last.and_then(|last| named(&last.deed)).is_some_and(Action::is_stance);
        if !is_stance || script.is_loop() || script.end() != End::Idle {
            return script;
        }
        let start = script.start();
        script.with_ends(start, End::Hold)
    });
    reading
}

/// Maps each event that is a stage of another event to that event.
fn held(events: &[Event]) -> BTreeMap<EventIndex, EventIndex> {
    let actions: Vec<Option<Action>> = events.iter().map(|event| named(&event.deed)).collect();
    let mut held = BTreeMap::new();
    for (index, action) in actions.iter().enumerate() {
        let Some(action) = action.filter(|_| !held.contains_key(&EventIndex(index))) else {
            continue;
        };
        let is_stage = |other: usize| {
            // gestures of the upper body, and ways that are gone, are seen beside the whole action
            let is_implied = actions[other].is_some_and(|other| {
                action.stages().contains(&other) && other.body() == Body::Whole
            });
            (is_implied || by_part(action, &events[other]))
                && adds_nothing(&events[other], &events[index], action)
        };
        let behind = (index + 1..events.len()).take_while(|other| is_stage(*other));
        held.extend(behind.map(|other| (EventIndex(other), EventIndex(index))));
        if index > 0 && !held.contains_key(&EventIndex(index - 1)) && is_stage(index - 1) {
            held.insert(EventIndex(index - 1), EventIndex(index));
        }
    }
    // what is a stage itself includes no other: *is shot, dies, falls on his back* is a shot and a fall
    let stages: Vec<EventIndex> = held.keys().copied().collect();
    held.retain(|_, whole| !stages.contains(whole));
    held
}

/// Actions for which the body bends down anyway.
const BENDS: [&str; 8] = [
    "pick-up",
    "pick-up-box",
    "lift-heavy",
    "deadlift",
    "put-down",
    "toe-touch",
    "tie-shoe",
    "pull-weeds",
];

/// Whether a movement of a body part is part of an action: the trunk bends when somebody picks
/// something up, the hands push when somebody gets up from the floor, and rest on the knees of
/// somebody who is out of breath.
fn by_part(action: Action, event: &Event) -> bool {
    use BodyPart::{Arm, Back, Fist, Hand, Knee, UpperBody, Waist};
    let EventAction::Body { verb, part } = event.deed else { return false };
    if verb == Verb::Bend && matches!(part, UpperBody | Back | Waist | Knee) {
        return event.timing == Timing::Then && BENDS.contains(&action.name());
    }
    if !matches!(part, Hand | Arm | Fist) {
        return false;
    }
    let props = matches!(verb, Verb::Push | Verb::Press | Verb::Place | Verb::Hold);
    let on_knees = matches!(event.aim, Some(Aim::Part { part: Knee, .. }));
    match action.name() {
        "exhausted-idle" | "double-over" => props && on_knees,
        // raised fists are no support
        name => props && part != Fist && event.aim.is_none() && name.starts_with("get-up-from"),
    }
}

/// The action of the vocabulary for this deed.
pub(super) fn named(deed: &EventAction) -> Option<Action> {
    match deed {
        EventAction::Action(name) => Action::named(name.as_str()),
        EventAction::Body { verb, part } => Action::named(&format!("{verb}.{part}")),
    }
}

/// Whether a stage says nothing that the whole action does not do anyway.
fn adds_nothing(stage: &Event, whole: &Event, action: Action) -> bool {
    let is_counted = stage.count.is_some_and(|count| count.get() > 1) || stage.steps.is_some();
    let is_measured = stage.seconds.is_some() || stage.meters.is_some() || stage.path.is_some();
    // who *dies backwards, falls on his back* falls once
    let bends = matches!(stage.deed, EventAction::Body { verb: Verb::Bend, .. });
    let is_own = |way| {
        let is_down = matches!(way, Direction::Down | Direction::Forward);
        whole.direction.is_none() && (goes_toward(action, way) || bends && is_down)
    };
    let is_directed = stage.direction.is_some()
        && stage.direction != whole.direction
        && !stage.direction.is_some_and(is_own);
    let other_side = stage.side.is_some() && whole.side.is_some() && stage.side != whole.side;
    let ends_elsewhere = !matches!(stage.posture_after, None | Some(Posture::Standing))
        && stage.posture_after != whole.posture_after;
    !is_counted && !is_measured && !is_directed && !other_side && !ends_elsewhere
}

/// Whether an action goes in a direction of a script by itself.
fn goes_toward(action: Action, way: Direction) -> bool {
    vocabulary::direction(&way.to_string()).is_some_and(|way| action.goes(way))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(line: &str) -> String {
        let script: Script = line.parse().unwrap();
        let held = held(script.events());
        script.without(&held).unwrap().to_string()
    }

    #[test]
    fn an_implied_stage_is_dropped_unless_it_has_details_or_is_a_gesture() {
        assert_eq!(
            left("v2 react-hit-stomach > double-over > walk"),
            "v2 react-hit-stomach > walk"
        );
        assert_eq!(left("v2 kneel-on-one-knee > tie-shoe"), "v2 tie-shoe");
        assert_eq!(
            left("v2 react-shot > die direction:backward > fall-backward"),
            "v2 react-shot > fall-backward"
        );
        assert_eq!(
            left("v2 get-up-from-front > push.hand side:both > kneel-on-one-knee > walk"),
            "v2 get-up-from-front > walk"
        );
        assert_eq!(
            left("v2 run > exhausted-idle > place.hand side:both target_part:knee while:1"),
            "v2 run > exhausted-idle"
        );
        for kept in [
            "v2 react-hit-stomach > double-over count:3",
            "v2 walk > double-over",
            "v2 sidestep direction:right > cross-step",
            "v2 stretch > yawn",
        ] {
            assert_eq!(left(kept), kept);
        }
    }

    #[test]
    fn a_face_is_wiped_by_hand() {
        let wiped = |line: &str| {
            let script = Some(line.parse().unwrap());
            wiping_oneself(Reading { script, ..Reading::default() }).script.unwrap().to_string()
        };
        assert_eq!(wiped("v2 wipe target_part:face"), "v2 rub.hand target_part:face");
        assert_eq!(wiped("v2 walk > wipe target_part:mouth"), "v2 walk > wipe-mouth");
        assert_eq!(wiped("v2 rub.hand side:left target_part:mouth"), "v2 wipe-mouth side:left");
        assert_eq!(wiped("v2 wipe target:table"), "v2 wipe target:table");
    }
}
