//! Runs every prompt with every seed through the whole pipeline and compares the detected actions
//! with the requested ones.

use std::{sync::Arc, time::Instant};

use limber_animation::Character;
use limber_bench::verdict;
use limber_judge::{Body, Class, Expected, Verdict, snap};
use limber_pipeline::{Cancel, Composer, FileKind, Output, Prompt, Request, Seed, run};

use crate::{
    arguments::Arguments,
    prompts, sheets,
    totals::{StageClock, Totals},
};

/// Maximum mean speed of standing soles, in cm/s.
const MOST_SKATE_CM_S: f32 = 1.0;
/// Maximum depth of a sole vertex below the floor, in mm.
const MOST_PENETRATION_MM: f32 = 10.0;
/// Maximum seconds of work per second of motion; only meaningful in the release profile.
const MOST_COST: f32 = 0.25;
/// Minimum fraction of clips that must be right in each class.
const LEAST_OBEDIENCE: f32 = 0.95;

/// Makes all prompts. Returns whether enough of them obey.
pub(crate) fn judge(character: &Arc<Character>, arguments: &Arguments) -> bool {
    println!(
        "target: skate ≤ {MOST_SKATE_CM_S} cm/s, depth ≤ {MOST_PENETRATION_MM} mm, cost ≤ \
         {MOST_COST} s/s in release\n\n{:<64} {:>4} {:>6} {:>6} {:>6} {:>6} {:>6}  verdict",
        "prompt", "seed", "s", "skate", "depth", "float", "cost"
    );
    let chosen = prompts().filter(|expected| arguments.wants_prompt(&expected.say));
    let mut tally = Tally::default();
    for (place, expected) in chosen.enumerate() {
        let faulty = arguments
            .seeds
            .clone()
            .filter(|seed| !clip(expected, place, Seed(*seed), character, arguments, &mut tally))
            .count();
        tally.prompts += 1;
        tally.clean += usize::from(faulty == 0);
    }
    tally.print()
}

/// Totals over all clips.
#[derive(Default)]
struct Tally {
    totals: Totals,
    prompts: usize,
    clean: usize,
    made: usize,
    obeyed: usize,
    /// For each class, the number of clips that were requested for it and the number that show it.
    classes: [[usize; 2]; Class::ALL.len()],
}

impl Tally {
    fn add(&mut self, verdict: Option<&Verdict>, asked: &Expected) {
        self.made += 1;
        self.obeyed += usize::from(verdict.is_some_and(Verdict::is_obeyed));
        for ((class, _), [all, well]) in Class::ALL.into_iter().zip(&mut self.classes) {
            let seen = match verdict {
                Some(verdict) => verdict.of(class),
                // a prompt that is not understood fails in every class
                None => asked.asks_for(class).then_some(false),
            };
            *all += usize::from(seen.is_some());
            *well += usize::from(seen == Some(true));
        }
    }

    fn print(&self) -> bool {
        println!(
            "\n{} of {} clips obey; {} of {} prompts with every seed, feet and grace included\n\n\
             obedience by class, target ≥ {:.0} % each",
            self.obeyed,
            self.made,
            self.clean,
            self.prompts,
            100.0 * LEAST_OBEDIENCE
        );
        let mut met = true;
        for ((_, name), [all, well]) in Class::ALL.iter().zip(self.classes) {
            let share = if all == 0 { 1.0 } else { well as f32 / all as f32 };
            met &= share >= LEAST_OBEDIENCE;
            println!(
                "  {name:<10} {well:>5} of {all:>5}  {:>5.1} %  {}",
                100.0 * share,
                verdict(share >= LEAST_OBEDIENCE)
            );
        }
        met & self.totals.print()
    }
}

/// Makes one clip and prints its row. Returns whether nothing is wrong with it.
fn clip(
    expected: &Expected,
    place: usize,
    seed: Seed,
    character: &Arc<Character>,
    arguments: &Arguments,
    tally: &mut Tally,
) -> bool {
    let (output, cost_s) = match make(&expected.say, character, seed) {
        Ok((output, cost_s, clock)) => {
            tally.totals.add(&output.metrics, &clock, &expected.say);
            (output, cost_s)
        }
        Err(message) => {
            tally.add(None, expected);
            println!("{:<64} {:>4} MISSED  {message}", expected.say, seed.0);
            return false;
        }
    };
    let cost = cost_s / output.clip.duration_s();
    let body = Body::of(&output.clip);
    let judged = expected.judge(&body);
    tally.add(Some(&judged), expected);
    let mut faults: Vec<String> = judged.faults().map(str::to_owned).collect();
    faults.extend(snap(&body));
    faults.extend(physical(&output, cost));
    if arguments.all || !faults.is_empty() {
        print_row(expected, seed, &output, cost, &faults);
        print_seen(expected, &body);
    }
    if let Some(folder) = &arguments.sheets {
        let name = format!("{place:03}_{}_{}", expected.say, seed.0);
        if let Err(error) = sheets::write(folder, &name, character, &output.clip) {
            println!("    no sheet: {error}");
        }
    }
    faults.is_empty()
}

fn print_row(expected: &Expected, seed: Seed, output: &Output, cost: f32, faults: &[String]) {
    let metrics = &output.metrics;
    println!(
        "{:<64} {:>4} {:>6.2} {:>6.2} {:>6.1} {:>6.1} {:>6.2}  {}",
        expected.say,
        seed.0,
        output.clip.duration_s(),
        metrics.foot_skate_cm_s,
        metrics.penetration_mm,
        metrics.float_mm,
        cost,
        verdict(faults.is_empty())
    );
    for fault in faults {
        println!("    {fault}");
    }
    if let Some(script) = &metrics.script {
        println!("    (understood: {})", script.trim().replace('\n', "; "));
    }
    for warning in &output.warnings {
        println!("    (warned: {warning})");
    }
}

/// Prints the detections of each requested action.
fn print_seen(expected: &Expected, body: &Body) {
    for step in &expected.see {
        let seen: Vec<String> = step
            .deed
            .sightings(body)
            .into_iter()
            .map(|seen| {
                let side = seen.side.map_or(String::new(), |side| format!(" {side:?}"));
                let way = seen.way.map_or(String::new(), |way| format!(" {way:?}"));
                format!("{}-{}{side}{way} {:.2}", seen.frames.start, seen.frames.end, seen.amount)
            })
            .collect();
        println!("    (seen {:?}: {})", step.deed, seen.join(", "));
    }
}

/// Returns what is wrong with feet and cost, in words.
fn physical(output: &Output, cost: f32) -> Vec<String> {
    let mut faults = Vec::new();
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

/// Makes the clip of a prompt on a character. Returns it with the total time in seconds and the
/// time of each stage.
pub(crate) fn make(
    prompt: &str,
    character: &Character,
    seed: Seed,
) -> Result<(Output, f32, StageClock), String> {
    let prompt = Prompt::parse(prompt).map_err(|error| error.to_string())?;
    let mut request = Request::new(prompt, seed);
    request.options.formats = vec![FileKind::Glb];
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
    let start = Instant::now();
    let mut clock = StageClock::new();
    let mut hear = |progress| clock.hear(progress);
    let output = run(&request, &Composer, character, &Cancel::default(), &mut hear)
        .map_err(|error| error.to_string())?;
    Ok((output, start.elapsed().as_secs_f32(), clock))
}
