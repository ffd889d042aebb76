//! Checks that standing feet stay put, joints stay within their limits, nothing is below the floor
//! and no frame jumps.

use limber_animation::Clip;
use limber_script::Message;
use limber_text_to_motion::{
    Act, Action, Cancel, Composer, EngineError, Intensity, Manner, Seed, Tempo, impossible_in,
};
use proptest::prelude::*;

use crate::{acted, action, enough_s, made, one, script};

pub(crate) fn assert_physical(clip: &Clip, what: &str) {
    assert!(clip.contacts().is_some(), "{what}: the composer knows its contacts");
    let faults = impossible_in(clip);
    assert!(faults.is_empty(), "{what}: {}", faults.join("; "));
}

#[test]
fn every_action_passes_the_foot_checks_with_every_seed_and_duration() {
    for action in Action::all() {
        let short = if acted(action) || action.begins().is_some() { 4.5 } else { 2.5 };
        for (seed, duration_s) in [(1, None), (2, Some(6.0)), (3, Some(short)), (4, Some(9.7))] {
            let Some(clip) = made_or_too_short(&[action], duration_s, seed) else { continue };
            if let Some(duration_s) = duration_s {
                assert_eq!(clip.len(), (duration_s * 30.0_f32).round() as usize);
            }
            assert_physical(&clip, &format!("{action:?} seed {seed} {duration_s:?}"));
        }
    }
}

#[test]
fn every_manner_and_tempo_works_and_passes_the_foot_checks() {
    for manner in Manner::ALL {
        for (action, tempo) in [(action("walk"), 1.0), (action("wave"), 1.4), (action("kick"), 0.7)]
        {
            let mut act = Act::new(action);
            act.manners.insert(*manner, Intensity::new(2.0).unwrap());
            act.tempo = Tempo(tempo);
            assert_physical(&one(act, 5), &format!("{action:?} {manner}"));
        }
    }
}

/// Makes the acts in sequence. The only acceptable error is that the time is too short, with
/// advice.
fn made_or_too_short(actions: &[Action], duration_s: Option<f32>, seed: u64) -> Option<Clip> {
    let acts: Vec<Act> = actions.iter().copied().map(Act::new).collect();
    let result =
        Composer.compose(&script(&acts), duration_s, Seed(seed), &Cancel::default(), &mut |_| {});
    let what = || format!("{actions:?} seed {seed} {duration_s:?}");
    match result {
        Ok(clip) => Some(clip),
        Err(EngineError::Failed(message)) => {
            let least: f32 = actions.iter().copied().map(enough_s).sum();
            assert!(duration_s.is_some_and(|asked| asked < least), "{}: {message}", what());
            assert!(matches!(message, Message::TooShort { .. }), "{message}");
            None
        }
        Err(other) => panic!("{}: {other}", what()),
    }
}

fn check_sequence(actions: &[Action], duration_s: f32, seed: u64) {
    if let Some(clip) = made_or_too_short(actions, Some(duration_s), seed) {
        assert_eq!(clip.len(), (duration_s * 30.0).round() as usize);
        assert_physical(&clip, &format!("{actions:?} seed {seed} {duration_s}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn any_sequence_passes_the_foot_checks_and_has_the_exact_length(
        places in prop::collection::vec(0..Action::all().len(), 1..4),
        seed in 0..1000_u64,
        frames in 120..360_u16,
    ) {
        let actions: Vec<Action> = places.iter().filter_map(|place| Action::all().nth(*place)).collect();
        check_sequence(&actions, f32::from(frames) / 30.0, seed);
    }
}

#[test]
fn regressions_in_gait_and_level_changes_stay_fixed() {
    for (actions, duration_s, seed) in [
        (&["crouch", "sit-down"][..], 5.0, 0),
        (&["crouch", "sit-down"], 4.0, 4),
        (&["crouch", "sit-down", "punch"], 8.1, 120),
        (&["crouch", "sit-down", "nod"], 9.4, 122),
        (&["crouch", "sit-down", "raise-arms"], 9.5, 847),
        (&["run", "walk"], 8.0, 3),
        (&["run", "walk"], 5.0, 19),
        (&["run", "walk", "shake-head"], 8.6, 741),
        (&["run", "walk", "hop"], 10.1, 505),
        (&["sit-down", "run", "walk"], 9.6, 746),
        (&["clap", "run", "sneak"], 7.6, 842),
        (&["run", "sneak"], 8.0, 4),
        (&["sneak", "run"], 4.0, 18),
        (&["kick", "sneak"], 4.0, 4),
        (&["sneak", "kick"], 4.0, 1),
        (&["sit-up", "scratch-head", "point"], 128.0 / 30.0, 484),
        (&["dodge", "ledge-grab", "conga-line"], 142.0 / 30.0, 195),
    ] {
        let actions: Vec<Action> = actions.iter().copied().map(action).collect();
        check_sequence(&actions, duration_s, seed);
    }
}

/// Composes every action followed by every other, with the seed and the duration drawn for the
/// second one's index.
fn check_pairs(drawn: impl Fn(u64) -> (u64, Option<f32>)) {
    let low = [
        "sit-down",
        "stand-up",
        "crouch",
        "jump",
        "crouch-walk",
        "cartwheel",
        "backflip",
        "front-flip",
    ]
    .map(action);
    let [rolls, reels] = ["roll", "stagger"].map(action);
    let performed =
        || Action::all().filter(|action| !acted(*action) && action.synonym_of().is_none());
    for first in performed() {
        for (place, second) in (0..).zip(performed()) {
            let (seed, duration_s) = drawn(place);
            let Some(clip) = made_or_too_short(&[first, second], duration_s, seed) else {
                continue;
            };
            let heights = clip.frames().iter().map(|pose| pose.hips_translation.y);
            let lowest = heights.fold(f32::MAX, f32::min);
            // nobody goes lower than the seat of a chair, and an upright body that brakes from a
            // run not even that low
            let floor = match [first, second] {
                pair if pair.contains(&rolls) => 0.08,
                pair if pair.iter().any(|action| low.contains(action)) => 0.4,
                // staggering takes steps of varying length and sinks between them
                pair if pair.contains(&reels) => 0.72,
                // a lunge out of full stride
                [_, after] if after.running().is_some() => 0.68,
                _ => 0.76,
            };
            assert!(lowest > floor, "{first:?} {second:?} seed {seed}: hips at {lowest}");
        }
    }
}

/// More than a thousand pairs, so the three variants are tested in parallel.
mod no_pair_of_actions_snaps_and_nobody_upright_sinks {
    use super::check_pairs;

    #[test]
    fn in_five_seconds() {
        check_pairs(|_| (3, Some(5.0)));
    }

    #[test]
    fn in_eight_seconds() {
        check_pairs(|place| (17 + place, Some(8.0)));
    }

    #[test]
    fn in_their_own_time() {
        check_pairs(|_| (7, None));
    }
}

#[test]
fn no_score_snaps_before_or_after_other_actions() {
    let others = ["walk", "sit-down", "jump", "wave", "crouch"].map(action);
    let scores = Action::all().filter(|action| acted(*action));
    for (place, score) in scores.enumerate() {
        let other = others[place % others.len()];
        for (actions, seed) in [([score, other], place as u64), ([other, score], 90 + place as u64)]
        {
            let clip = made(&script(&actions.map(Act::new)), None, seed);
            assert_physical(&clip, &format!("{actions:?} seed {seed}"));
        }
    }
}
