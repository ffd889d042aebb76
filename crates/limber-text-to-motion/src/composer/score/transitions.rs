//! Transitions between postures: into a posture from its parent, back again, and directly where the
//! data define it. The fastest sequence is chosen, so that nobody stands up only to lie down again.

use std::collections::BinaryHeap;

use super::{
    library,
    postures::{PostureDef, arrive},
    reading::{Key, TransitionKeys},
};
use crate::composer::motion_plan::Posture;

/// Time to shift into a nearly equal posture, seconds.
const SHIFT_S: f32 = 0.6;

/// A direct transition between two postures.
#[derive(Debug)]
pub(super) struct PostureTransition {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) keys: Vec<Key>,
    /// Whether it may only be used from its initial posture and not as part of a longer sequence,
    /// because nobody falls down in order to get up from there.
    is_shift: bool,
}

/// Resolves the postures of the transitions. Faults are reported.
pub(super) fn across(
    told: Vec<TransitionKeys>,
    postures: &[PostureDef],
    faults: &mut Vec<String>,
) -> Vec<PostureTransition> {
    let mut ways = Vec::new();
    for TransitionKeys { from, to, mut keys } in told {
        let mut place = |name: &str| {
            let place = postures.iter().position(|posture| posture.name == name);
            if place.is_none() {
                faults.push(format!(
                    "a transition leads from {from} to {to}, but {name} is not a posture"
                ));
            }
            place
        };
        let (Some(begin), Some(end)) = (place(&from), place(&to)) else { continue };
        if let Some(last) = keys.last_mut() {
            arrive(last, &postures[end]);
        }
        ways.push(PostureTransition { from: begin as u8, to: end as u8, keys, is_shift: false });
    }
    for (from, posture) in (0u8..).zip(postures) {
        if let Some(to) = posture.like {
            let mut key = Key::still(SHIFT_S);
            arrive(&mut key, &postures[usize::from(to)]);
            ways.push(PostureTransition { from, to, keys: vec![key], is_shift: true });
        }
    }
    ways
}

/// One part of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leg {
    /// Back to the parent.
    Leave(u8),
    Enter(u8),
    /// A direct transition, by its index.
    Cross(usize),
}

impl Leg {
    pub(super) fn keys(self) -> &'static [Key] {
        let posture = |place: u8| library::posture(place);
        match self {
            Self::Leave(place) => posture(place).map_or(&[], |held| &held.leave),
            Self::Enter(place) => posture(place).map_or(&[], |held| &held.enter),
            Self::Cross(way) => library::way(way).map_or(&[], |way| &way.keys),
        }
    }

    pub(super) fn usual_s(self) -> f32 {
        self.keys().iter().map(|key| key.takes_s + key.hold_s).sum()
    }

    fn usual_ms(self) -> u32 {
        (1000.0 * self.usual_s()) as u32
    }
}

/// A state of the body: standing, or the posture with this index.
type Place = Option<u8>;

fn place_of(posture: Posture) -> Place {
    match posture {
        Posture::Held(place) => Some(place),
        _ => None,
    }
}

/// The fastest sequence of transitions from one posture to another.
pub(super) fn legs(from: Posture, to: Posture) -> Vec<Leg> {
    let (from, to) = (place_of(from), place_of(to));
    // for each state: the cost, the previous state and the transition from there
    let count = library::postures().len();
    let index = |place: Place| place.map_or(count, usize::from);
    let mut best: Vec<Option<(u32, Place, Option<Leg>)>> = vec![None; count + 1];
    let mut open = BinaryHeap::from([(std::cmp::Reverse(0), from)]);
    best[index(from)] = Some((0, None, None));
    while let Some((std::cmp::Reverse(took_ms), place)) = open.pop() {
        if place == to {
            break;
        }
        if best[index(place)].is_some_and(|(known_ms, ..)| known_ms < took_ms) {
            continue;
        }
        for (next, leg) in onward(place, place == from) {
            let ms = took_ms + leg.usual_ms();
            if best[index(next)].is_none_or(|(known_ms, ..)| ms < known_ms) {
                best[index(next)] = Some((ms, place, Some(leg)));
                open.push((std::cmp::Reverse(ms), next));
            }
        }
    }
    let mut legs = Vec::new();
    let mut place = to;
    while place != from {
        let Some((_, before, leg)) = best[index(place)] else { return Vec::new() };
        legs.extend(leg);
        place = before;
    }
    legs.reverse();
    legs
}

/// The states that can be reached directly, and the transitions to them.
fn onward(place: Place, begins: bool) -> Vec<(Place, Leg)> {
    let children = (0u8..).zip(library::postures()).filter(|(_, held)| held.parent == place);
    let mut onward: Vec<(Place, Leg)> =
        children.map(|(child, _)| (Some(child), Leg::Enter(child))).collect();
    let Some((own, held)) = place.and_then(|own| Some((own, library::posture(own)?))) else {
        return onward;
    };
    onward.push((held.parent, Leg::Leave(own)));
    let ways = library::ways().iter().enumerate();
    let ways = ways.filter(|(_, way)| way.from == own && (begins || !way.is_shift));
    onward.extend(ways.map(|(number, way)| (Some(way.to), Leg::Cross(number))));
    onward
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(from: &str, to: &str) -> Vec<Leg> {
        let posture = |name| match name {
            "standing" => Posture::Standing,
            name => super::super::named(name).expect("it is a posture"),
        };
        legs(posture(from), posture(to))
    }

    #[test]
    fn there_is_a_transition_between_any_two_postures() {
        let names = library::postures().iter().map(|held| held.name.as_str());
        let names: Vec<&str> = names.chain(["standing"]).collect();
        for from in &names {
            for to in &names {
                let legs = way(from, to);
                assert_eq!(legs.is_empty(), from == to, "from {from} to {to}: {legs:?}");
                assert!(legs.len() <= 8, "from {from} to {to}: {legs:?}");
            }
        }
    }

    #[test]
    fn prone_to_hands_and_knees_does_not_stand_up() {
        let stands = |legs: &[Leg]| {
            legs.iter().any(|leg| match leg {
                Leg::Leave(place) => {
                    library::posture(*place).is_some_and(|held| held.parent.is_none())
                }
                _ => false,
            })
        };
        for from in ["lying-front", "fallen-front"] {
            let legs = way(from, "hands-and-knees");
            assert!(!legs.is_empty() && !stands(&legs), "from {from}: {legs:?}");
        }
    }
}
