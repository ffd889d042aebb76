//! Tests of performing prompts with the takes of a library.

use std::sync::Arc;

use limber_script::{Message, message::TakeRefusal};
use limber_takes::{Performer, TakesMode};
use limber_text_to_motion::{Composer, MotionEngine};

use crate::{compose, import_folder, open_library, write_recordings};

fn performer(mode: TakesMode) -> (tempfile::TempDir, Performer) {
    let home = tempfile::tempdir().expect("a temporary folder");
    let folder = home.path().join("recordings");
    std::fs::create_dir(&folder).expect("the name is not taken");
    write_recordings(&folder);
    let (libraries, _) = import_folder(home.path(), &folder);
    let performer = Performer::new(Box::new(Composer), Arc::new(open_library(&libraries)), mode);
    (home, performer)
}

/// The takes that a clip was performed with.
fn recorded(messages: &[Message]) -> Vec<(&str, &str)> {
    messages
        .iter()
        .filter_map(|message| match message {
            Message::Recorded { action, take, .. } => Some((action.as_str(), take.as_str())),
            _ => None,
        })
        .collect()
}

#[test]
fn steps_use_matching_takes_and_others_give_the_reason() {
    let (_home, performer) = performer(TakesMode::Recorded);
    let made = compose(
        &performer,
        "a person walks forward, then kicks with the right leg, then jumps",
        None,
        5,
    );
    let used = recorded(&made.warnings);
    assert!(used.contains(&("kick", "a2")), "{:?}", made.warnings);
    let refused = made.warnings.iter().any(|message| {
        matches!(message, Message::TakeNotUsed { action, refusal: TakeRefusal::NoTake } if action == "jump")
    });
    assert!(refused, "{:?}", made.warnings);
    let licence = made.warnings.iter().find_map(|message| match message {
        Message::Recorded { licence, library, .. } => Some((licence.as_str(), library.as_str())),
        _ => None,
    });
    assert_eq!(licence, Some(("Only for this studio.\nSecond line.", "studio")));
    let drawn = compose(
        &Composer,
        "a person walks forward, then kicks with the right leg, then jumps",
        None,
        5,
    );
    assert_ne!(made.clip.frames(), drawn.clip.frames());
}

#[test]
fn takes_of_a_walk_fit_between_its_first_and_last_steps() {
    let (_home, performer) = performer(TakesMode::Recorded);
    let used = (1..=4).filter(|seed| {
        let made = compose(&performer, "a person walks forward", None, *seed);
        !recorded(&made.warnings).is_empty()
    });
    assert!(used.count() >= 2);
}

#[test]
fn takes_are_mirrored_for_the_other_side() {
    let (_home, performer) = performer(TakesMode::Recorded);
    let made = compose(&performer, "a person kicks with the left leg", None, 3);
    assert_eq!(recorded(&made.warnings), [("kick", "a2")], "{:?}", made.warnings);
}

#[test]
fn requested_durations_are_met_exactly() {
    let (_home, performer) = performer(TakesMode::Recorded);
    for seconds in [3.0, 4.0, 6.0] {
        let made = compose(&performer, "a person waves with the right hand", Some(seconds), 3);
        assert_eq!(made.clip.len(), (30.0 * seconds) as usize);
    }
}

#[test]
fn the_same_seed_gives_the_same_clip() {
    let (_home, performer) = performer(TakesMode::Recorded);
    let prompt = "a person bows, then waves with the right hand";
    let [one, two] = [0, 1].map(|_| compose(&performer, prompt, None, 9));
    assert_eq!(one.clip, two.clip);
    assert_eq!(one.warnings, two.warnings);
    let (_home, none) = self::performer(TakesMode::Drawn);
    let drawn = compose(&none, prompt, None, 9);
    assert_eq!(drawn.clip, compose(&Composer, prompt, None, 9).clip);
    assert!(drawn.warnings.is_empty());
    assert_eq!(performer.describe().name, "composer with takes");
}

#[test]
fn loops_and_actions_that_are_not_upright_are_drawn() {
    let (_home, performer) = performer(TakesMode::Recorded);
    let made = compose(&performer, "a person sits down", None, 2);
    assert!(recorded(&made.warnings).is_empty());
}
