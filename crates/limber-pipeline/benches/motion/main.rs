//! Does the movement obey the prompt, and do the feet stand? A fixed set of prompts, made with the
//! whole pipeline on a stock character, judged on joints and skin by rules that do not know the
//! engine. Prints one table; ends with 1 when a rule is missed.
//!
//! ```text
//! cargo bench -p limber-pipeline --bench motion -- [--sheets DIR] [--only TEXT] [--seed N]
//! ```
//! `--sheets` writes a contact sheet per clip, because numbers only catch regressions; whether a
//! person moves is seen.

mod body;
mod curves;
mod prompts;
mod rules;
mod sheets;

use std::{path::PathBuf, process::ExitCode, sync::Arc, time::Instant};

use body::Body;
use limber_animation::Character;
use limber_pipeline::{Cancel, Composer, FileKind, Output, Prompt, Request, Seed, run, stock};
use prompts::{Case, SET_VERSION, cases};

/// Mean speed of standing soles, cm/s.
const MOST_SKATE_CM_S: f32 = 1.0;
/// Depth of the deepest sole vertex, mm.
const MOST_PENETRATION_MM: f32 = 10.0;
/// Seconds of work per second of motion; only told apart from noise in the release profile.
const MOST_COST: f32 = 0.25;

struct Arguments {
    sheets: Option<PathBuf>,
    only: Option<String>,
    seed: Seed,
}

fn arguments() -> Arguments {
    let mut found = Arguments { sheets: None, only: None, seed: Seed(1) };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--sheets" => found.sheets = words.next().map(PathBuf::from),
            "--only" => found.only = words.next(),
            "--seed" => {
                found.seed = Seed(words.next().and_then(|seed| seed.parse().ok()).unwrap_or(1));
            }
            // `cargo bench` adds this
            "--bench" => {}
            other => eprintln!("`{other}` is no argument of this benchmark"),
        }
    }
    found
}

fn main() -> ExitCode {
    let arguments = arguments();
    let character = match stock::list()[0].character() {
        Ok(character) => Arc::new(character.clone()),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("motion, prompt set {SET_VERSION}, on {}, seed {}", character.name, arguments.seed.0);
    println!(
        "target: every rule, skate ≤ {MOST_SKATE_CM_S} cm/s, depth ≤ {MOST_PENETRATION_MM} mm, \
         cost ≤ {MOST_COST} s/s in release\n"
    );
    println!(
        "{:<58} {:>6} {:>6} {:>6} {:>6} {:>6}  verdict",
        "prompt", "s", "skate", "depth", "float", "cost"
    );
    let only = arguments.only.as_deref().unwrap_or("");
    let chosen: Vec<Case> = cases().into_iter().filter(|case| case.prompt.contains(only)).collect();
    let mut missed = 0;
    for (place, case) in chosen.iter().enumerate() {
        missed += usize::from(!judge(case, place, &character, &arguments));
    }
    println!("\n{} of {} prompts obeyed", chosen.len() - missed, chosen.len());
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes one clip and prints its row; whether all is well.
fn judge(case: &Case, place: usize, character: &Arc<Character>, arguments: &Arguments) -> bool {
    let (output, cost_s) = match make(case, character, arguments.seed) {
        Ok(made) => made,
        Err(message) => {
            println!("{:<58} MISSED  {message}", case.prompt);
            return false;
        }
    };
    let metrics = &output.metrics;
    let cost = cost_s / output.clip.duration_s();
    let body = Body::of(&output.clip);
    let mut faults: Vec<String> = case.rules.iter().filter_map(|rule| rule(&body).err()).collect();
    if metrics.foot_skate_cm_s > MOST_SKATE_CM_S {
        faults.push("feet slide".to_owned());
    }
    if metrics.penetration_mm > MOST_PENETRATION_MM {
        faults.push("soles sink into the floor".to_owned());
    }
    if cost > MOST_COST && !cfg!(debug_assertions) {
        faults.push("too slow".to_owned());
    }
    println!(
        "{:<58} {:>6.2} {:>6.2} {:>6.1} {:>6.1} {:>6.2}  {}",
        case.prompt,
        output.clip.duration_s(),
        metrics.foot_skate_cm_s,
        metrics.penetration_mm,
        metrics.float_mm,
        cost,
        if faults.is_empty() { "ok" } else { "MISSED" }
    );
    for fault in &faults {
        println!("    {fault}");
    }
    for warning in &output.warnings {
        println!("    (warned: {warning})");
    }
    if let Some(folder) = &arguments.sheets
        && let Err(error) = sheets::write(folder, place, case.prompt, character, &output.clip)
    {
        println!("    no sheet: {error}");
    }
    faults.is_empty()
}

fn make(case: &Case, character: &Character, seed: Seed) -> Result<(Output, f32), String> {
    let prompt = Prompt::parse(case.prompt).map_err(|error| error.to_string())?;
    let mut request = Request::new(prompt, seed);
    request.options.formats = vec![FileKind::Glb];
    #[expect(clippy::disallowed_methods, reason = "a benchmark is about time")]
    let start = Instant::now();
    let output = run(&request, &Composer, character, &Cancel::default(), &mut |_| {})
        .map_err(|error| error.to_string())?;
    Ok((output, start.elapsed().as_secs_f32()))
}
