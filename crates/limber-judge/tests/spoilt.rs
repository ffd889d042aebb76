//! Checks that the rules pass the engine's clips of some prompts, and fail degraded versions of
//! them.

use limber_animation::Clip;
use limber_judge::{Body, Expected, degrade, prompt_set};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed, understand};

/// Prompts of most families, with sides, counts, directions and order.
const PROMPTS: [&str; 16] = [
    "a person walks forward",
    "a person steps sideways to the left",
    "a person runs forward",
    "turn right 180 degrees",
    "a person jumps three times",
    "a person kicks twice with the right foot",
    "a person sits down",
    "a person lies down",
    "a person nods twice",
    "a person waves with the left hand",
    "a person claps three times",
    "a person salutes with the right hand",
    "punch twice with the left fist",
    "jump twice, then bow",
    "left kick, then right punch",
    "walk backward slowly, then sit down",
];

fn expected(prompt: &str) -> &'static Expected {
    let found = prompt_set().all().find(|expected| expected.say == prompt);
    found.unwrap_or_else(|| panic!("`{prompt}` is not in the set"))
}

/// The clip of a prompt; `more` and `swap` change the script first.
fn clip(prompt: &str, more: i32, swap: bool) -> Clip {
    let prompt = Prompt::parse(prompt).expect("the prompt is valid");
    let mut script = understand(&prompt).expect("the prompt is understood").script;
    for step in &mut script.steps {
        let usual = if more == 0 { step.main.count } else { Some(step.main.count.unwrap_or(1)) };
        step.main.count = usual.map(|count| count.saturating_add_signed(more));
    }
    if swap {
        script.steps.reverse();
    }
    Composer
        .compose(&script, None, Seed(1), &Cancel::default(), &mut |_| {})
        .expect("the clip can be composed")
}

fn passes(expected: &Expected, clip: &Clip) -> bool {
    expected.judge(&Body::of(clip)).is_obeyed()
}

#[test]
fn clips_of_prompts_pass_and_degraded_ones_fail() {
    for (place, prompt) in PROMPTS.iter().enumerate() {
        let expected = expected(prompt);
        let good = clip(prompt, 0, false);
        let verdict = expected.judge(&Body::of(&good));
        let faults: Vec<&str> = verdict.faults().collect();
        assert!(faults.is_empty(), "{prompt}: {faults:?}");
        assert!(!passes(expected, &degrade::frozen(&good)), "{prompt}: frozen");
        if expected.tells_sides() {
            assert!(!passes(expected, &degrade::mirrored(&good)), "{prompt}: mirrored");
        }
        if expected.tells_travel() {
            assert!(!passes(expected, &degrade::backwards(&good)), "{prompt}: backwards");
        }
        if expected.tells_travel() && !expected.turns() {
            assert!(!passes(expected, &degrade::turned_about(&good)), "{prompt}: turned about");
        }
        if expected.tells_count() {
            assert!(!passes(expected, &clip(prompt, 1, false)), "{prompt}: one repetition more");
        }
        if expected.tells_order() {
            assert!(!passes(expected, &clip(prompt, 0, true)), "{prompt}: swapped");
        }
        let other = PROMPTS[(place + 5) % PROMPTS.len()];
        assert!(!passes(expected, &clip(other, 0, false)), "{prompt}: clip of {other}");
    }
}

#[test]
fn a_verdict_says_what_was_seen_instead() {
    let verdict = expected("a person claps three times").judge(&Body::of(&clip(
        "a person claps five times",
        0,
        false,
    )));
    let faults: Vec<&str> = verdict.faults().collect();
    assert_eq!(faults, ["Clap was detected 5 times, expected Exactly(3)"]);
}
