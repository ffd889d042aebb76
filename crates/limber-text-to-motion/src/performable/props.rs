//! Props: how objects are held in the hands while the legs do something else, as data in
//! `assets/lexicon/props.toml`.

use std::{collections::HashMap, sync::LazyLock};

use limber_script::{Event, Prop};
use serde::Deserialize;

use super::act::side_of;
use crate::{Act, Action, ActionKind, Body, Step};

const FILE: &str = include_str!("../../../../assets/lexicon/props.toml");

#[derive(Deserialize)]
struct File {
    prop: Vec<Row>,
    both_hands: Vec<BothHands>,
    with_prop: Vec<WithProp>,
}

/// A prop, and the action whose arms hold it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    props: Vec<Prop>,
    held: String,
}

/// What takes the place of an action of one hand after actions that need both.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BothHands {
    after: Vec<String>,
    action: String,
    instead: String,
}

/// What takes the place of an action that involves a prop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WithProp {
    action: String,
    instead: String,
}

fn file() -> &'static File {
    static READ: LazyLock<File> = LazyLock::new(|| {
        toml::from_str(FILE).expect("the file of props is valid; a test checks it")
    });
    &READ
}

fn holds() -> &'static HashMap<Prop, Action> {
    static HOLDS: LazyLock<HashMap<Prop, Action>> = LazyLock::new(|| {
        let rows = file().prop.iter();
        rows.flat_map(|row| {
            let held = Action::named(&row.held);
            row.props.iter().filter_map(move |prop| Some((*prop, held?)))
        })
        .collect()
    });
    &HOLDS
}

/// Returns the action that puts down with both hands what the steps before picked up with both, or
/// the action itself.
pub(super) fn with_both_hands(action: Action, before: &[Step]) -> Action {
    let is_of_the_arms = |act: &&Act| {
        !matches!(act.action.body(), Body::Locomotion | Body::Head)
            && !matches!(act.action.kind(), ActionKind::Idle | ActionKind::Turn)
    };
    let Some(last) = before.iter().rev().flat_map(Step::acts).find(is_of_the_arms) else {
        return action;
    };
    let names = |name: &String, action: Action| Action::named(name) == Some(action);
    let row = file().both_hands.iter().find(|row| {
        names(&row.action, action) && row.after.iter().any(|after| names(after, last.action))
    });
    row.and_then(|row| Action::named(&row.instead)).unwrap_or(action)
}

/// Returns the action as it is done with a prop, or the action itself.
pub(super) fn with_prop(action: Action, event: &Event) -> Action {
    let row = file().with_prop.iter().find(|row| row.action == action.name());
    let row = row.filter(|_| event.prop.is_some());
    row.and_then(|row| Action::named(&row.instead)).unwrap_or(action)
}

/// Families of actions that already include holding their object.
const WITH_THINGS: [&str; 9] = [
    "carry-and-push",
    "combat",
    "everyday",
    "fight",
    "magic",
    "music",
    "shooting",
    "sport",
    "work",
];

/// The holding action for an act that only uses the legs; arms that do something else cannot hold
/// anything yet.
pub(super) fn in_hand(
    act: &Act,
    event: &Event,
    leave: &mut impl FnMut(&'static str),
) -> Option<Act> {
    let prop = event.prop?;
    let of_the_legs = act.action.body() == Body::Locomotion
        || matches!(act.action.kind(), ActionKind::Idle | ActionKind::Crouch | ActionKind::Turn)
        || matches!(act.action.kind(), ActionKind::SitDown | ActionKind::StandUp);
    if !of_the_legs {
        if !WITH_THINGS.contains(&act.action.family()) {
            leave("prop");
        }
        return None;
    }
    let held = holds().get(&prop).copied();
    if held.is_none() {
        leave("prop");
    }
    held.map(|action| Act { side: event.side.map(side_of), ..Act::new(action) })
}

/// Adds the holding action to a step whose arms are free.
pub(super) fn hold(step: &mut Step, held: Act) {
    let mut all = std::iter::once(&step.main).chain(&step.overlays);
    if all.all(|act| matches!(act.action.body(), Body::Locomotion | Body::Head | Body::Whole)) {
        step.overlays.push(held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::performable;

    #[test]
    fn every_row_names_an_action_of_the_arms() {
        let file: File = toml::from_str(FILE).expect("it is a file of props");
        for row in file.prop {
            let held =
                Action::named(&row.held).unwrap_or_else(|| panic!("{} is not an action", row.held));
            assert_eq!(held.body(), Body::Upper, "{held:?} needs the legs");
        }
        for row in file.both_hands {
            for name in row.after.iter().chain([&row.action, &row.instead]) {
                assert!(Action::named(name).is_some(), "{name} is not an action");
            }
        }
    }

    #[test]
    fn a_box_is_put_down_with_the_hands_that_picked_it_up() {
        let steps = |script: &str| performable(&script.parse().unwrap()).0.to_string();
        assert_eq!(
            steps("v2 pick-up-box > walk > put-down-on-table"),
            "pick-up-box > walk > put-box-on-table"
        );
        assert_eq!(
            steps("v2 pick-up-box > drink > put-down-on-table"),
            "pick-up-box > drink > put-down-on-table"
        );
    }

    #[test]
    fn what_is_in_the_hands_is_held_while_the_legs_walk() {
        let (steps, left_out) =
            performable(&"v2 walk prop:rifle > rifle-reload prop:rifle".parse().unwrap());
        assert_eq!(steps.to_string(), "walk + rifle-walk > rifle-reload");
        assert_eq!(left_out, []);
    }
}
