//! Performs actions with several seeds and durations, alone and beside other actions, and prints
//! what no body could do: feet that slide or sink, joints below the floor, knees that bend
//! backwards. Actions and scores are read at run time from `assets`, or from the folder in
//! `LIMBER_ASSETS`, so that their authors do not have to compile.
//!
//! `cargo run -p limber-text-to-motion --example motion_check -- [ACTION ...]`

use std::path::{Path, PathBuf};

use limber_text_to_motion::{
    Act, Action, ActionKind, Cancel, Composer, MotionScript, Seed, Step, faults_of_scores,
    impossible_in, read_actions_from,
};

/// Seeds and durations in seconds; `None` is the natural duration.
const ALONE: [(u64, Option<f32>); 4] = [(1, None), (2, Some(6.0)), (3, Some(4.5)), (4, Some(9.7))];
/// Actions before and after.
const OTHERS: [&str; 5] = ["walk", "sit-down", "jump", "wave", "crouch"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let assets = std::env::var_os("LIMBER_ASSETS").map_or(own, PathBuf::from);
    read_actions_from(&assets)?;
    let faults = faults_of_scores();
    if !faults.is_empty() {
        return Err(faults.join("\n").into());
    }
    let names: Vec<String> = std::env::args().skip(1).collect();
    let named =
        |action: &Action| names.is_empty() || names.iter().any(|name| name == action.name());
    let mut found = 0;
    // the numbers are those of the tests, so that they find the same faults
    let is_acted =
        |action: &Action| matches!(action.kind(), ActionKind::Score | ActionKind::Posture);
    for action in Action::all().filter(named) {
        for (seed, duration_s) in ALONE {
            found += check(&[action], duration_s, seed);
        }
    }
    for (place, action) in Action::all().filter(is_acted).enumerate() {
        let other = Action::named(OTHERS[place % OTHERS.len()]).ok_or("no such action")?;
        if named(&action) {
            found += check(&[action, other], None, place as u64);
            found += check(&[other, action], None, 90 + place as u64);
        }
    }
    println!("{found} impossible");
    Ok(())
}

/// Prints the faults of the actions in sequence, and returns how many clips have some.
fn check(actions: &[Action], duration_s: Option<f32>, seed: u64) -> usize {
    let step = |action: &Action| Step { main: Act::new(*action), overlays: Vec::new() };
    let script = MotionScript { steps: actions.iter().map(step).collect() };
    let clip = Composer.compose(&script, duration_s, Seed(seed), &Cancel::default(), &mut |_| {});
    // too short a duration is no fault of the action
    let faults = clip.map(|clip| impossible_in(&clip)).unwrap_or_default();
    if !faults.is_empty() {
        let names: Vec<&str> = actions.iter().map(|action| action.name()).collect();
        println!("{} seed {seed} {duration_s:?}: {}", names.join(" > "), faults.join("; "));
    }
    usize::from(!faults.is_empty())
}
