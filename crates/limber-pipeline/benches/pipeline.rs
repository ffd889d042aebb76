//! How long a newcomer waits: a prompt to a GLB of six seconds on a stock character, warm.
//!
//! Prints `target | median | verdict` per budget and ends with 1 when one is missed.

use std::{process::ExitCode, time::Duration};

use limber_pipeline::{FileKind, Options, Request, run, stock};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

const PROMPT: &str = "a person walks forward, then waves with the right hand";
const MOTION_S: f32 = 6.0;
const WALL_S: f64 = 1.0;
const CPU_S_PER_MOTION_S: f64 = 0.25;
const ROUNDS: u64 = 3;

/// Time on the wall and on all processors.
struct Spent {
    wall_s: f64,
    cpu_s: f64,
}

fn main() -> ExitCode {
    let character = stock::list()[0].character().expect("the stock character reads");
    spend(Seed(0), character); // warm
    let rounds: Vec<Spent> = (1..=ROUNDS).map(|seed| spend(Seed(seed), character)).collect();
    let wall = median(rounds.iter().map(|spent| spent.wall_s).collect());
    let cpu = median(rounds.iter().map(|spent| spent.cpu_s).collect()) / f64::from(MOTION_S);
    let met = [
        verdict("prompt to GLB, 6 s, wall", WALL_S, wall, "s"),
        verdict("processor time per second of motion", CPU_S_PER_MOTION_S, cpu, "s/s"),
    ];
    if met.iter().all(|met| *met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark's work is to look at the clock")]
fn spend(seed: Seed, character: &limber_animation::Character) -> Spent {
    let prompt = Prompt::parse(PROMPT).expect("it is a prompt");
    let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
    let request = Request { duration_s: Some(MOTION_S), options, ..Request::new(prompt, seed) };
    let (wall, cpu) = (std::time::Instant::now(), processor_time());
    let output = run(&request, &Composer, character, &Cancel::default(), &mut |_| {})
        .expect("the prompt is understood");
    let spent = Spent {
        wall_s: wall.elapsed().as_secs_f64(),
        cpu_s: (processor_time() - cpu).as_secs_f64(),
    };
    assert!(output.files.iter().any(|file| file.kind == FileKind::Glb));
    spent
}

#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Elsewhere the processor's time is not asked for; the wall must do.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    Duration::ZERO
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn verdict(what: &str, target: f64, median: f64, unit: &str) -> bool {
    let met = median <= target;
    let word = if met { "met" } else { "MISSED" };
    println!("{what}: target ≤ {target:.2} {unit} | median {median:.3} {unit} | {word}");
    met
}
