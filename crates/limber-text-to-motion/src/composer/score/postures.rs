//! Postures that a body stays in, such as kneeling or lying. They form a tree whose root is
//! standing: each is entered from another one. [`super::ways`] finds transitions between any two.

use std::sync::Arc;

use limber_animation::Side;

use super::{
    footwork::{self, Stay},
    hand_tracks, library, posture_tracks,
    reading::{Footing, Hand, HandChange, Key, PoseParam, PostureKeys},
    timing::Moment,
    transitions::{Leg, legs},
};
use crate::composer::{
    acts::Span,
    motion_plan::{MotionPlan, Posture},
    style::Style,
};
/// Sitting on a chair, which is not defined in the data.
pub(in crate::composer) const CHAIR: &str = "chair";
/// Minimum duration of a transition as a share of the usual one: hurried, but still correct.
const HURRIED: f32 = 0.65;

/// One posture with its transitions.
#[derive(Debug, Clone)]
pub(super) struct PostureDef {
    pub(super) name: String,
    /// The posture from which it is entered; `None` for standing.
    pub(super) parent: Option<u8>,
    /// Whether arms are free for other actions in it.
    pub(super) hands_free: bool,
    pub(super) enter: Vec<Key>,
    /// Keys back to the parent; what returns home at the end need not be specified.
    pub(super) leave: Vec<Key>,
    /// All dials that differ from standing.
    pub(super) dials: Vec<(PoseParam, f32)>,
    pub(super) feet: [Option<Footing>; 2],
    /// The goals of hands that do not hang.
    pub(super) hands: [Option<Hand>; 2],
    /// A key with only the hands' goals.
    pub(super) hands_key: Key,
    /// The posture to which it is equivalent.
    pub(super) like: Option<u8>,
}

/// Resolves the references between postures, in the order of definition. Faults are reported.
pub(super) fn tree(told: Vec<PostureKeys>, faults: &mut Vec<String>) -> Vec<PostureDef> {
    let names: Vec<String> = told.iter().map(|posture| posture.name.clone()).collect();
    let mut tree: Vec<PostureDef> = Vec::new();
    for posture in told {
        let name = posture.name;
        let parent = posture.from.filter(|from| from != "standing").and_then(|from| {
            let place = names.iter().position(|other| *other == from);
            match place.filter(|place| *place < tree.len()) {
                Some(place) => Some(place as u8),
                None => {
                    faults.push(format!(
                        "{name} is entered from \"{from}\", which is not defined before it"
                    ));
                    None
                }
            }
        });
        if tree.iter().any(|other| other.name == name) {
            faults.push(format!("the posture \"{name}\" is defined twice"));
        }
        let like = posture.like.and_then(|like| {
            let place = names.iter().position(|other| *other == like);
            if place.is_none() {
                faults.push(format!("{name} is like \"{like}\", which is not a posture"));
            }
            place.map(|place| place as u8)
        });
        let base = parent.and_then(|place| tree.get(usize::from(place)));
        let base_hands = base.map_or([None; 2], |held| held.hands);
        let base = base.map(|held| State::resting(&held.dials, held.feet)).unwrap_or_default();
        let states = base.through(&posture.enter);
        let last = states.last().cloned().unwrap_or_default();
        let leave = if posture.leave.is_empty() {
            backwards(&posture.enter, &base, &states)
        } else {
            let mut leave = posture.leave;
            if let Some(key) = leave.last_mut() {
                base.complete(key);
            }
            leave
        };
        let (parent, hands_free) = (parent, posture.hands_free);
        let (dials, feet) = (last.dials, last.feet);
        let hands = std::array::from_fn(|hand| last.hands[hand].or(base_hands[hand]));
        let enter = posture.enter;
        let told = hands.map(|hand| hand.map(|hand| HandChange::Goes(hand.into())));
        let hands_key = Key { hands: told, ..Key::still(0.5) };
        tree.push(PostureDef {
            name,
            parent,
            hands_free,
            enter,
            leave,
            dials,
            feet,
            hands,
            hands_key,
            like,
        });
    }
    tree
}

/// The state of the whole body after a key.
#[derive(Debug, Clone, Default)]
struct State {
    dials: Vec<(PoseParam, f32)>,
    feet: [Option<Footing>; 2],
    hands: [Option<Hand>; 2],
}

impl State {
    fn resting(dials: &[(PoseParam, f32)], feet: [Option<Footing>; 2]) -> Self {
        Self { dials: dials.to_vec(), feet, hands: [None; 2] }
    }

    /// The states after each key.
    fn through(&self, keys: &[Key]) -> Vec<Self> {
        let mut state = self.clone();
        let mut states = Vec::new();
        for key in keys {
            for (dial, value) in &key.dials {
                state.dials.retain(|(told, _)| told != dial);
                state.dials.push((*dial, *value));
            }
            for side in 0..2 {
                state.feet[side] = key.feet[side].or(state.feet[side]);
                state.hands[side] = match &key.hands[side] {
                    Some(HandChange::Free) => None,
                    Some(HandChange::Goes(words)) => words.after(state.hands[side].as_ref()),
                    None => state.hands[side],
                };
            }
            states.push(state.clone());
        }
        states
    }

    /// Completes the last key of a transition back with everything that must return to its previous
    /// value.
    fn complete(&self, key: &mut Key) {
        for dial in PoseParam::ALL {
            let told = self.dials.iter().find(|(told, _)| *told == dial);
            if key.dials.iter().all(|(told, _)| *told != dial) {
                key.dials.push((dial, told.map_or(0.0, |(_, value)| *value)));
            }
        }
        for side in 0..2 {
            let home = self.feet[side].unwrap_or(Footing::HOME);
            key.feet[side] = key.feet[side].or(Some(home));
            if key.hands[side].is_none() {
                key.hands[side] = Some(HandChange::Free);
            }
        }
    }
}

/// The reversed transition; every key specifies the whole body.
fn backwards(enter: &[Key], base: &State, states: &[State]) -> Vec<Key> {
    let mut leave = Vec::new();
    for (place, key) in enter.iter().enumerate().rev() {
        let before = place.checked_sub(1).map_or(base, |place| &states[place]);
        let mut back = Key { hold_s: 0.0, stretch_s: 0.0, dials: Vec::new(), ..key.clone() };
        back.hands = before
            .hands
            .map(|hand| Some(hand.map_or(HandChange::Free, |hand| HandChange::Goes(hand.into()))));
        back.feet = [None; 2];
        State { hands: [None; 2], ..before.clone() }.complete(&mut back);
        leave.push(back);
    }
    leave
}

/// The last key of a transition to a posture: it ends in the posture itself, whatever else it
/// specifies.
pub(super) fn arrive(key: &mut Key, held: &PostureDef) {
    key.dials.clear();
    key.feet = [None; 2];
    State::resting(&held.dials, held.feet).complete(key);
    for (change, hand) in key.hands.iter_mut().zip(held.hands) {
        *change = Some(hand.map_or(HandChange::Free, |hand| HandChange::Goes(hand.into())));
    }
}

/// The definition of a posture; `None` for standing.
fn held(posture: Posture) -> Option<&'static PostureDef> {
    match posture {
        Posture::Held(place) => library::posture(place),
        _ => None,
    }
}

/// How long entering a posture from standing leaves the feet where they stand, seconds.
pub(in crate::composer) fn feet_still_into(posture: Posture) -> f32 {
    let Some(held) = held(posture).filter(|held| held.parent.is_none()) else { return 0.0 };
    let before = held.enter.iter().take_while(|key| !super::moves_them(key));
    before.map(|key| key.takes_s + key.hold_s).sum()
}

/// The value of a dial in a posture. Postures are entered with the right side leading.
pub(super) fn resting(posture: Posture, dial: PoseParam) -> f32 {
    let told = held(posture).and_then(|held| held.dials.iter().find(|(told, _)| *told == dial));
    let side = if dial.is_lateral() { Side::Right.sign() } else { 1.0 };
    told.map_or(0.0, |(_, value)| side * *value)
}

/// The position of a foot in a posture.
pub(super) fn stay(posture: Posture, side: Side) -> Stay {
    let footing = held(posture).and_then(|held| held.feet[usize::from(side == Side::Left)]);
    footing.map_or(Stay::Home, |footing| Stay::of(footing, side))
}

/// Whether arms are free for gestures in a posture.
pub(in crate::composer) fn leaves_hands_free(posture: Posture) -> bool {
    held(posture).is_none_or(|held| held.hands_free)
}

/// Whether a posture counts as another one, as having landed on one knee and one fist counts as
/// kneeling on one knee.
pub(in crate::composer) fn is_like(posture: Posture, other: Posture) -> bool {
    let (Posture::Held(own), Posture::Held(other)) = (posture, other) else { return false };
    library::posture(own).is_some_and(|held| held.like == Some(other))
}

/// The posture with this name.
pub(in crate::composer) fn named(name: &str) -> Option<Posture> {
    if name == CHAIR {
        return Some(Posture::Sitting);
    }
    library::posture_named(name).map(Posture::Held)
}

/// Possible durations of the transition between two postures; if they are the same, of staying for
/// a while.
pub(in crate::composer) fn span(from: Posture, to: Posture, style: &Style) -> Span {
    let ways: f32 = legs(from, to).into_iter().map(Leg::usual_s).sum();
    let ways = (ways / style.tempo).max(0.3);
    match to {
        Posture::Held(_) => Span { least: HURRIED * ways, usual: ways + 1.0, most: 120.0 },
        _ => Span { least: HURRIED * ways, usual: ways + 0.1, most: 1.4 * ways },
    }
}

/// Moves from the body's posture to another.
pub(in crate::composer) fn go(
    plan: &mut MotionPlan,
    to: Posture,
    style: &Style,
    window: (f32, f32),
) {
    let legs = legs(plan.posture, to);
    let usual: f32 = legs.iter().map(|leg| leg.usual_s()).sum();
    if usual <= 0.0 {
        return;
    }
    let room = window.1 - window.0 - 0.1;
    let pace = (room / usual).min(1.0 / style.tempo).max(0.3);
    let mut now = window.0 + 0.05 + (0.4 * plan.patience()).min((room - usual * pace).max(0.0));
    for leg in legs {
        now = play(plan, leg, pace, now);
    }
}

/// Starts the clip in a posture.
pub(in crate::composer) fn begin(plan: &mut MotionPlan, to: Posture) {
    let legs = legs(Posture::Standing, to);
    let usual: f32 = legs.iter().map(|leg| leg.usual_s()).sum();
    let pace = 4.0 / usual.max(0.1);
    let mut now = -6.0;
    for leg in legs {
        now = play(plan, leg, pace, now);
    }
}

/// Plays one leg of a transition. Returns the time at which it ends.
fn play(plan: &mut MotionPlan, leg: Leg, pace: f32, begins: f32) -> f32 {
    let mut now = begins;
    let mut moments: Vec<Moment<'static>> = Vec::new();
    for key in leg.keys() {
        let at_s = now + key.takes_s * pace;
        moments.push(moment(key, (now, at_s)));
        now = at_s + key.hold_s * pace;
    }
    posture_tracks::change(plan, &moments);
    footwork::change(plan, &moments);
    let set_off = moments.first().map_or((begins, now), |first| (first.from_s, first.at_s));
    let arrives = moments.last().map_or((begins, now), |last| (last.from_s, last.at_s));
    match leg {
        Leg::Enter(place) => {
            let layers = hold(plan, &moments);
            plan.held_arms.push(layers);
            plan.posture = Posture::Held(place);
        }
        Leg::Cross(way) => {
            let_go(plan, set_off);
            let layers = hold(plan, &moments);
            plan.held_arms.push(layers);
            plan.posture = library::way(way).map_or(Posture::Standing, |way| Posture::Held(way.to));
        }
        Leg::Leave(place) => {
            for layer in plan.held_arms.pop().unwrap_or_default() {
                plan.arms[layer].fade_out = set_off;
            }
            for layer in hold(plan, &moments) {
                if plan.arms[layer].fade_out.0 > FOR_GOOD_S {
                    plan.arms[layer].fade_out = arrives;
                }
            }
            come_back(plan, place, arrives);
        }
    }
    now
}

/// A fade that starts later than this never happens, seconds.
const FOR_GOOD_S: f32 = 1e4;

fn moment(key: &'static Key, (from_s, at_s): (f32, f32)) -> Moment<'static> {
    Moment {
        key: Some(key),
        lead: Side::Right,
        both_lead: false,
        from_s,
        at_s,
        size: 1.0,
        hastens: 1.0,
        has_feet: true,
        aim: glam::Vec3::Z,
    }
}

/// Plays the hands of the moments. Returns the layers of the arms.
fn hold(plan: &mut MotionPlan, moments: &[Moment<'_>]) -> Vec<usize> {
    let begin = plan.arms.len();
    let tracks = Side::BOTH.map(|side| Arc::new(hand_tracks::track(moments, side)));
    for side in Side::BOTH {
        let pair = (&tracks[side as usize], &tracks[side.opposite() as usize]);
        hand_tracks::play(plan, side, pair);
    }
    (begin..plan.arms.len()).collect()
}

/// Releases the hands' goals.
fn let_go(plan: &mut MotionPlan, fade_out: (f32, f32)) {
    for layer in std::mem::take(&mut plan.held_arms).into_iter().flatten() {
        plan.arms[layer].fade_out = fade_out;
    }
}

/// Returns to the posture from which the one at this index was entered. If that posture was reached
/// by another transition than its own, the hands are placed as it requires.
fn come_back(plan: &mut MotionPlan, left: u8, arrives: (f32, f32)) {
    let parent = library::posture(left).and_then(|held| held.parent);
    plan.posture = parent.map_or(Posture::Standing, Posture::Held);
    let Some(parent) = parent else {
        let_go(plan, arrives);
        plan.homes = None;
        return;
    };
    if let Some(held) = library::posture(parent).filter(|_| plan.held_arms.is_empty()) {
        let layers = hold(plan, &[moment(&held.hands_key, arrives)]);
        plan.held_arms.push(layers);
    }
}
