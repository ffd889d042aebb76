//! Measures for how long the body stands at ease between two actions, for all ordered pairs of
//! common actions.

use limber_bench::{all_or, verdict};
use limber_judge::{Body, stops::at_ease_s};
use limber_pipeline::{Cancel, ClipEnds, Composer, MotionEngine, Prompt, Script, Seed};
use limber_text_to_motion::MotionRequest;

/// Actions that people most often ask for in sequence, of all kinds that join differently.
const ACTIONS: [&str; 22] = [
    "walk",
    "run",
    "turn",
    "jump",
    "kick",
    "punch",
    "throw",
    "pick-up",
    "put-down",
    "react-hit",
    "hop",
    "wave",
    "point",
    "bow",
    "sword-slash",
    "duck",
    "roll",
    "stomp",
    "cross-arms",
    "salute",
    "push",
    "crouch",
];
/// Maximum time at ease between two actions, seconds: people settle for a moment.
const MOST_S: f32 = 0.15;
/// Minimum share of pairs within it.
const LEAST_WITHIN: f32 = 0.95;

/// Prints the rows. Returns whether the target is met.
pub(crate) fn judge() -> bool {
    println!(
        "\nstops between two actions: at most {MOST_S} s at ease, target ≥ {:.0} % of pairs",
        100.0 * LEAST_WITHIN
    );
    let actions: Vec<&str> = all_or(ACTIONS, 3).collect();
    let mut stops: Vec<(f32, String)> = Vec::new();
    for first in &actions {
        for second in actions.iter().filter(|second| *second != first) {
            let text = format!("v2 {first} > {second}");
            match at_ease_between_s(&text) {
                Some(seconds) => stops.push((seconds, format!("{first}, {second}"))),
                None => println!("  {text}: not performed"),
            }
        }
    }
    stops.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (seconds, pair) in stops.iter().take_while(|(seconds, _)| *seconds > MOST_S).take(40) {
        println!("  {seconds:.2} s  {pair}");
    }
    let within = stops.iter().filter(|(seconds, _)| *seconds <= MOST_S).count();
    let share = within as f32 / stops.len().max(1) as f32;
    let mean_s = stops.iter().map(|(seconds, _)| seconds).sum::<f32>() / stops.len().max(1) as f32;
    let met = share >= LEAST_WITHIN;
    println!(
        "{within} of {} pairs ({:.1} %), mean {mean_s:.2} s: {}",
        stops.len(),
        100.0 * share,
        verdict(met)
    );
    met
}

fn at_ease_between_s(text: &str) -> Option<f32> {
    let request = MotionRequest {
        prompt: Prompt::parse(text).ok()?,
        script: Some(text.parse::<Script>().ok()?),
        duration_s: None,
        ends: ClipEnds::default(),
    };
    let made = Composer.generate(&request, Seed(1), &Cancel::default(), &mut |_| {}).ok()?;
    let [first, second] = &made.steps[..] else { return None };
    let middle = |frames: &std::ops::Range<usize>| frames.start.midpoint(frames.end);
    let between = middle(&first.frames)..middle(&second.frames);
    Some(at_ease_s(&Body::of(&made.clip), between))
}
