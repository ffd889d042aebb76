//! Requests that are too short for the acts: these are sped up, or only begun.

use limber_animation::Clip;
use limber_script::Message;
use limber_text_to_motion::{
    Cancel, ClipEnds, Composer, GeneratedMotion, MotionEngine, MotionRequest, Prompt, Seed,
};

const LONG: &str = "a person walks forward, then sits down, then waves with the right hand";

fn generated(prompt: &str, duration_s: f32, seed: u64) -> GeneratedMotion {
    let request = MotionRequest {
        ends: ClipEnds::default(),
        prompt: Prompt::parse(prompt).expect("it is a valid prompt"),
        script: None,
        duration_s: Some(duration_s),
    };
    Composer
        .generate(&request, Seed(seed), &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{prompt} in {duration_s} s, seed {seed}: {error}"))
}

fn is_only_begun(made: &GeneratedMotion) -> bool {
    made.warnings.iter().any(|warning| matches!(warning, Message::OnlyBeginning { .. }))
}

/// Largest displacement of any joint from its initial position, metres.
fn farthest(clip: &Clip) -> f32 {
    let places = clip.world_positions();
    let ways = places.iter().flat_map(|frame| frame.iter().zip(&places[0]));
    ways.map(|(at, first)| at.distance(*first)).fold(0.0, f32::max)
}

#[test]
fn motions_with_too_little_time_are_cut_off_with_a_message() {
    for duration_s in [0.05, 0.1, 0.3, 0.5, 1.0, 2.0] {
        let made = generated(LONG, duration_s, 3);
        assert_eq!(made.clip.len(), (duration_s * 30.0_f32).round() as usize);
        assert!(is_only_begun(&made), "{duration_s}: {:?}", made.warnings);
        let hips = made.clip.frames()[0].hips_translation;
        assert!(hips.x.abs() < 1e-5 && hips.z.abs() < 1e-5, "{hips}");
        assert!(duration_s < 0.3 || farthest(&made.clip) > 0.02, "nothing moves in {duration_s} s");
    }
    assert!(!is_only_begun(&generated(LONG, 10.0, 3)));
}

#[test]
fn the_message_is_the_same_when_asked_in_advance() {
    let prompt = Prompt::parse(LONG).expect("it is a valid prompt");
    let script = Composer.understand(&prompt).expect("it is understood").script;
    for duration_s in [0.5, 1.0, 10.0, 20.0] {
        let told = Composer.only_beginning(&script, duration_s, Seed(3)).is_some();
        assert_eq!(told, is_only_begun(&generated(LONG, duration_s, 3)), "{duration_s} s");
    }
}

#[test]
fn fifty_waves_and_thirty_steps_can_be_cut_off_too() {
    let many = "a person waves 50 times".to_owned();
    let long = ["a person turns around 50 times"; 10].join(", then ");
    for prompt in [many, long] {
        for duration_s in [0.3, 1.0, 5.0] {
            let made = generated(&prompt, duration_s, 1);
            assert_eq!(made.clip.len(), (duration_s * 30.0_f32).round() as usize);
            assert!(is_only_begun(&made), "{prompt} in {duration_s} s");
        }
    }
}

#[test]
fn progress_of_a_cut_off_motion_only_rises() {
    let mut heard = Vec::new();
    let request = MotionRequest {
        ends: ClipEnds::default(),
        prompt: Prompt::parse(LONG).expect("a prompt"),
        script: None,
        duration_s: Some(1.0),
    };
    Composer
        .generate(&request, Seed(1), &Cancel::default(), &mut |amount| heard.push(amount))
        .expect("the beginning is made");
    assert!(heard.windows(2).all(|pair| pair[0] < pair[1]), "{heard:?}");
    assert_eq!(heard.last(), Some(&1.0));
}
