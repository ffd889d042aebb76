//! How long it takes to carry six seconds onto a character and to write them as GLB, FBX and BVH.
//!
//! Prints `target | median | verdict` per character and ends with 1 when the budget is missed.

use std::process::ExitCode;

use limber_animation::Character;
use limber_pipeline::{CanonicalClip, FileKind, Options, Request, derive, make, stock};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

const PROMPT: &str = "a person walks forward, then waves with the right hand";
const MOTION_S: f32 = 6.0;
const BUDGET_S: f64 = 0.15;
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    let prompt = Prompt::parse(PROMPT).expect("it is a prompt");
    let request = Request { duration_s: Some(MOTION_S), ..Request::new(prompt, Seed(1)) };
    let clip = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it is made");
    let all_met = stock::list().iter().fold(true, |met, entry| {
        let character = entry.character().expect("the stock character reads");
        let median = median(|| files(&clip, character));
        verdict(&format!("{} moved and written", entry.id), median) && met
    });
    if all_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn files(clip: &CanonicalClip, character: &Character) {
    let formats = vec![FileKind::Glb, FileKind::Fbx, FileKind::Bvh];
    let options = Options { formats, ..Options::default() };
    let output = derive(clip, character, 1, &options, &Cancel::default(), &mut |_| {})
        .expect("it can be carried over");
    assert!(output.files.len() >= 3);
}

#[expect(clippy::disallowed_methods, reason = "a benchmark's work is to look at the clock")]
fn median(run: impl Fn()) -> f64 {
    run(); // warm
    let mut spent: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = std::time::Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    spent.sort_by(f64::total_cmp);
    spent[ROUNDS / 2]
}

fn verdict(what: &str, median: f64) -> bool {
    let met = median <= BUDGET_S;
    let word = if met { "met" } else { "MISSED" };
    println!("{what}: target ≤ {BUDGET_S:.2} s | median {median:.3} s | {word}");
    met
}
