//! Does the movement obey the prompt, and do the feet stand? A fixed set of prompts, made with the
//! whole pipeline on a stock character, judged on joints and skin by rules that do not know the
//! engine. Prints one table; ends with 1 when a rule is missed.
//!
//! ```text
//! cargo xtask bench motion -- [--sheets DIR] [--only TEXT] [--seeds N] [--seed N]
//! ```
//! Every prompt is made with the seeds 1 to N, four unless told otherwise, or with one seed alone.
//! Behind the prompts stand the edits; `--only edits` makes nothing else.
//! `--sheets` writes a contact sheet per clip, because numbers only catch regressions; whether a
//! person moves is seen.

mod body;
mod curves;
mod edits;
mod prompts;
mod rules;
mod sheets;
mod totals;

use std::{ops::RangeInclusive, path::PathBuf, process::ExitCode, sync::Arc, time::Instant};

use body::Body;
use limber_animation::Character;
use limber_pipeline::{Cancel, Composer, FileKind, Output, Prompt, Request, Seed, run, stock};
use prompts::{Case, SET_VERSION, cases};
use totals::{StageClock, Totals};

/// Mean speed of standing soles, cm/s.
const MOST_SKATE_CM_S: f32 = 1.0;
/// Depth of the deepest sole vertex, mm.
const MOST_PENETRATION_MM: f32 = 10.0;
/// Seconds of work per second of motion; only told apart from noise in the release profile.
const MOST_COST: f32 = 0.25;
/// How many seeds each prompt is made with.
const SEEDS: u64 = 4;

struct Arguments {
    sheets: Option<PathBuf>,
    only: Option<String>,
    seeds: RangeInclusive<u64>,
}

fn arguments() -> Arguments {
    let mut found = Arguments { sheets: None, only: None, seeds: 1..=SEEDS };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--sheets" => found.sheets = words.next().map(PathBuf::from),
            "--only" => found.only = words.next(),
            "--seeds" => found.seeds = 1..=number(words.next()).unwrap_or(SEEDS),
            "--seed" => {
                let seed = number(words.next()).unwrap_or(1);
                found.seeds = seed..=seed;
            }
            // `cargo bench` adds this
            "--bench" => {}
            other => eprintln!("`{other}` is no argument of this benchmark"),
        }
    }
    found
}

fn number(word: Option<String>) -> Option<u64> {
    let word = word?;
    let number = word.parse().ok();
    if number.is_none() {
        eprintln!("`{word}` is no number");
    }
    number
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
    println!("motion, prompt set {SET_VERSION}, on {}", character.name);
    println!(
        "target: every rule, skate ≤ {MOST_SKATE_CM_S} cm/s, depth ≤ {MOST_PENETRATION_MM} mm, \
         cost ≤ {MOST_COST} s/s in release\n"
    );
    println!(
        "{:<58} {:>4} {:>6} {:>6} {:>6} {:>6} {:>6}  verdict",
        "prompt", "seed", "s", "skate", "depth", "float", "cost"
    );
    let only = arguments.only.as_deref().unwrap_or("");
    let chosen: Vec<Case> = cases().into_iter().filter(|case| case.prompt.contains(only)).collect();
    let (mut made, mut missed, mut clean) = (0, 0, 0);
    let mut totals = Totals::default();
    for (place, case) in chosen.iter().enumerate() {
        let seeds = arguments.seeds.clone().map(Seed);
        let faulty = seeds
            .filter(|seed| !judge(case, place, *seed, &character, &arguments, &mut totals))
            .count();
        made += arguments.seeds.clone().count();
        missed += faulty;
        clean += usize::from(faulty == 0);
    }
    println!(
        "\n{} of {made} clips obey; {clean} of {} prompts with every seed",
        made - missed,
        chosen.len()
    );
    let possible = totals.print();
    let with_edits = only.is_empty() || only == "edits";
    let smooth = !with_edits || edits::judge(&character, arguments.sheets.as_deref());
    if missed == 0 && possible && smooth { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes one clip and prints its row; whether all is well.
fn judge(
    case: &Case,
    place: usize,
    seed: Seed,
    character: &Arc<Character>,
    arguments: &Arguments,
    totals: &mut Totals,
) -> bool {
    let (output, cost_s) = match make(case, character, seed) {
        Ok((output, cost_s, clock)) => {
            totals.add(&output.metrics, &clock);
            (output, cost_s)
        }
        Err(message) => {
            println!("{:<58} {:>4} MISSED  {message}", case.prompt, seed.0);
            return false;
        }
    };
    let metrics = &output.metrics;
    let cost = cost_s / output.clip.duration_s();
    let faults = faults(case, &output, cost);
    println!(
        "{:<58} {:>4} {:>6.2} {:>6.2} {:>6.1} {:>6.1} {:>6.2}  {}",
        case.prompt,
        seed.0,
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
    if let Some(folder) = &arguments.sheets {
        let name = format!("{place:02}_{}_{}", case.prompt, seed.0);
        if let Err(error) = sheets::write(folder, &name, character, &output.clip) {
            println!("    no sheet: {error}");
        }
    }
    faults.is_empty()
}

/// What is wrong with a clip, in words.
fn faults(case: &Case, output: &Output, cost: f32) -> Vec<String> {
    let body = Body::of(&output.clip);
    let mut faults: Vec<String> = case.rules.iter().filter_map(|rule| rule(&body).err()).collect();
    faults.extend(rules::graceful(&body).err());
    if output.metrics.foot_skate_cm_s > MOST_SKATE_CM_S {
        faults.push("feet slide".to_owned());
    }
    if output.metrics.penetration_mm > MOST_PENETRATION_MM {
        faults.push("soles sink into the floor".to_owned());
    }
    if cost > MOST_COST && !cfg!(debug_assertions) {
        faults.push("too slow".to_owned());
    }
    faults
}

fn make(
    case: &Case,
    character: &Character,
    seed: Seed,
) -> Result<(Output, f32, StageClock), String> {
    let prompt = Prompt::parse(case.prompt).map_err(|error| error.to_string())?;
    let mut request = Request::new(prompt, seed);
    request.options.formats = vec![FileKind::Glb];
    #[expect(clippy::disallowed_methods, reason = "a benchmark is about time")]
    let start = Instant::now();
    let mut clock = StageClock::new();
    let mut hear = |progress| clock.hear(progress);
    let output = run(&request, &Composer, character, &Cancel::default(), &mut hear)
        .map_err(|error| error.to_string())?;
    Ok((output, start.elapsed().as_secs_f32(), clock))
}
