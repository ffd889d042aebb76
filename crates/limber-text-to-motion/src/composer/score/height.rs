//! Heights: adapts actions with a hand or foot in the air to another height than usual.

use glam::Vec3;
use limber_script::Height;

use super::{
    places::Place,
    reading::{Anchor, DirectionSpec, Footing, Hand, HandChange, HandSpec, Key, PoseParam, Score},
};
use crate::{Level, composer::feet::ANKLE_HEIGHT};

/// Height of the shoulder of a standing body, its distance from the midline, and its distance from
/// the centre of the hand, metres, on the canonical skeleton.
pub(super) const SHOULDER_M: f32 = 1.40;
const SHOULDER_OUT_M: f32 = 0.17;
pub(super) const ARM_M: f32 = 0.60;
/// Height of the centre of the pelvis when standing.
const PELVIS_M: f32 = 0.955;
/// Below this height the body goes down with the hand, and all the way for the floor.
pub(super) const BENT_BELOW_M: f32 = 0.95;
/// A hand closer to its shoulder than this, horizontally, is not in the air.
const OUT_M: f32 = 0.25;
/// A foot lifted by less takes a step.
const LIFTED_M: f32 = 0.22;
/// Maximum height of an ankle.
const HIGHEST_ANKLE_M: f32 = 1.05;

/// Height of a level above the floor for a body 1.75 m tall, metres.
pub(super) const fn metres(level: Level) -> f32 {
    match level {
        Level::Metres(metres) => metres,
        Level::Mark(Height::Floor) => 0.03,
        Level::Mark(Height::Knee) => 0.50,
        Level::Mark(Height::Hip) => 0.95,
        Level::Mark(Height::Chest) => 1.28,
        Level::Mark(Height::Head) => 1.60,
        Level::Mark(Height::Overhead) => 1.95,
    }
}

/// The part of a score that goes to a height.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Peak {
    /// A hand: offset from its shoulder, out, up, ahead, metres.
    Hand(Vec3),
    /// An ankle: height above that of a flat foot, metres.
    Foot(f32),
}

/// Whether a score can be performed at another height: it lifts a foot, or has a hand in the air.
pub(super) fn is_variable(score: &Score) -> bool {
    peak(score).is_some()
}

/// Performs what is furthest out at this height, and adapts the rest.
pub(super) fn take(score: &mut Score, level: Level) {
    let height_m = metres(level);
    match peak(score) {
        Some(Peak::Foot(peak_m)) => raise_feet(score, peak_m, height_m),
        Some(Peak::Hand(peak)) => raise_hands(score, peak, height_m),
        None => {}
    }
}

fn keys(score: &Score) -> impl Iterator<Item = &Key> {
    score.begin.iter().chain(&score.again).chain(&score.end)
}

fn keys_mut(score: &mut Score) -> impl Iterator<Item = &mut Key> {
    score.begin.iter_mut().chain(&mut score.again).chain(&mut score.end)
}

fn peak(score: &Score) -> Option<Peak> {
    let lifts = keys(score).flat_map(|key| key.feet).filter_map(|footing| match footing {
        Some(Footing::Lift(place, ..)) => Some(place.y),
        _ => None,
    });
    let highest = lifts.fold(0.0, f32::max);
    if highest > LIFTED_M {
        return Some(Peak::Foot(highest));
    }
    let mut hands: [Option<Hand>; 2] = [None; 2];
    let mut furthest: Option<Vec3> = None;
    for key in keys(score) {
        for place in follow(key, &mut hands).into_iter().flatten() {
            let out = |place: Vec3| place.with_y(0.0).length();
            if out(place) > OUT_M && furthest.is_none_or(|other| out(place) > out(other)) {
                furthest = Some(place);
            }
        }
    }
    furthest.map(Peak::Hand)
}

/// Applies a key to both hands. Returns the offsets from their shoulders of hands that the key sets
/// and that are in the air.
fn follow(key: &Key, hands: &mut [Option<Hand>; 2]) -> [Option<Vec3>; 2] {
    let mut told = [None; 2];
    for (role, change) in key.hands.iter().enumerate() {
        match change {
            Some(HandChange::Free) => hands[role] = None,
            Some(HandChange::Goes(words)) => {
                hands[role] = words.after(hands[role].as_ref());
                told[role] = hands[role].as_ref().and_then(from_shoulder);
            }
            None => {}
        }
    }
    told
}

/// Offset of a hand from its shoulder when standing upright; `None` for a hand that touches
/// something.
fn from_shoulder(hand: &Hand) -> Option<Vec3> {
    match hand.anchor {
        Anchor::Stretched(DirectionSpec::Vector(way), share)
        | Anchor::Pointed(DirectionSpec::Vector(way), share) => Some(way * share * ARM_M),
        Anchor::Stretched(DirectionSpec::Aim, share) => Some(Vec3::Z * share * ARM_M),
        Anchor::At(place) if place.is_free() && place.is_upright() => {
            Some(hand.offset + Vec3::new(-SHOULDER_OUT_M, PELVIS_M - SHOULDER_M, 0.0))
        }
        Anchor::At(place) if place.is_free() => Some(hand.offset),
        _ => None,
    }
}

fn raise_hands(score: &mut Score, peak: Vec3, height_m: f32) {
    let rise_m = height_m - SHOULDER_M - peak.y;
    let furthest_m = peak.with_y(0.0).length();
    let is_low = height_m < BENT_BELOW_M - 0.1;
    let mut hands: [Option<Hand>; 2] = [None; 2];
    for key in keys_mut(score) {
        let told = follow(key, &mut hands);
        let mut bends = false;
        for (change, place) in key.hands.iter_mut().zip(told) {
            let (Some(HandChange::Goes(words)), Some(place)) = (change, place) else { continue };
            let share = (place.with_y(0.0).length() / furthest_m).clamp(0.0, 1.0);
            let raised = place + Vec3::Y * rise_m * share;
            if is_low && share > 0.6 {
                bends = true;
                put_at(words, "floor", low(raised));
            } else {
                put_at(words, "shoulder", within_reach(raised));
            }
        }
        if bends {
            go_down(key, height_m);
        }
    }
}

fn put_at(words: &mut HandSpec, place: &str, offset: Vec3) {
    words.anchor = Place::named(place).map(Anchor::At);
    words.offset = Some(offset);
}

/// The same position relative to the floor below the body, for a body that has bent down.
fn low(from_shoulder: Vec3) -> Vec3 {
    let place = from_shoulder + Vec3::new(SHOULDER_OUT_M, SHOULDER_M, 0.0);
    Vec3::new(place.x, place.y.max(0.03), place.z)
}

/// The nearest position of the same height within the arm's reach.
fn within_reach(from_shoulder: Vec3) -> Vec3 {
    let most = 0.97 * ARM_M;
    let up = from_shoulder.y.clamp(-0.95 * most, 0.97 * most);
    let level = from_shoulder.with_y(0.0);
    let room = (most * most - up * up).sqrt();
    level.clamp_length_max(room) + Vec3::Y * up
}

fn raise_feet(score: &mut Score, peak_m: f32, height_m: f32) {
    let highest = (height_m - ANKLE_HEIGHT).clamp(0.08, HIGHEST_ANKLE_M);
    let factor = highest / peak_m;
    for foot in keys_mut(score).flat_map(|key| &mut key.feet) {
        if let Some(Footing::Lift(place, ..)) = foot {
            place.y *= factor;
        }
    }
}

/// Bends the body so that a hand reaches this height, with hips and trunk sharing the bend as in
/// touching one's toes.
pub(super) fn go_down(key: &mut Key, height_m: f32) {
    let share = ((BENT_BELOW_M - height_m) / BENT_BELOW_M).clamp(0.0, 1.0);
    if share <= 0.0 {
        return;
    }
    let told = [
        (PoseParam::TrunkBend, 58_f32.to_radians()),
        (PoseParam::PelvisTip, 56_f32.to_radians()),
        (PoseParam::PelvisDown, 0.32),
        (PoseParam::PelvisAhead, -0.14),
        (PoseParam::HeadFollow, 0.6),
    ];
    for (dial, most) in told {
        key.dials.retain(|(other, _)| *other != dial);
        key.dials.push((dial, share * most));
    }
    key.takes_s *= 1.0 + 0.6 * share;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, composer::score::library};

    fn at(name: &str, height: Height) -> Score {
        let action = Action::named(name).expect("it is an action");
        let mut score = library::score_of(action).expect("it is done by a score").clone();
        take(&mut score, Level::Mark(height));
        score
    }

    fn peak_m(score: &Score) -> f32 {
        match peak(score) {
            Some(Peak::Hand(place)) => SHOULDER_M + place.y,
            Some(Peak::Foot(up)) => ANKLE_HEIGHT + up,
            None => panic!("nothing goes out"),
        }
    }

    #[test]
    fn punches_and_kicks_reach_the_given_height() {
        for (name, heights) in [
            ("jab", [(Height::Hip, 0.95), (Height::Chest, 1.28), (Height::Head, 1.60)]),
            ("slap", [(Height::Hip, 0.95), (Height::Chest, 1.28), (Height::Head, 1.60)]),
            ("side-kick", [(Height::Knee, 0.5), (Height::Hip, 0.95), (Height::Chest, 1.13)]),
        ] {
            for (height, wanted_m) in heights {
                let is_m = peak_m(&at(name, height));
                assert!((is_m - wanted_m).abs() < 0.08, "{name} at {height}: {is_m} m");
            }
        }
    }

    #[test]
    fn reaching_low_bends_the_body() {
        let bend = |height| {
            let score = at("jab", height);
            let bends = keys(&score).flat_map(|key| &key.dials);
            bends
                .filter(|(dial, _)| *dial == PoseParam::TrunkBend)
                .map(|(_, bend)| *bend)
                .fold(0.0, f32::max)
        };
        assert!(bend(Height::Knee) > bend(Height::Chest) + 0.2);
    }

    #[test]
    fn hands_on_the_body_stay_there() {
        let score = library::score_of(Action::named("facepalm").expect("an action"));
        assert!(!is_variable(score.expect("it is done by a score")));
    }
}
