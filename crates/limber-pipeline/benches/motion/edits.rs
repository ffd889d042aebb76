//! Evaluates edits: smoothness at seams and loop points, sliding of standing feet, and time.

use std::{path::Path, sync::Arc, time::Instant};

use limber_animation::{Character, Clip};
use limber_bench::{all_or, verdict};
use limber_cleanup::{Build, Trim, fix_body_faults, loop_seam, measure, seam, trim};
use limber_pipeline::{
    Cancel, CanonicalClip, Composer, Options, Prompt, Request, Seed, derive,
    edits::{
        InpaintRequest, Intervals, LoopRequest, LoopSettings, MergeRequest, inpaint, make_loop,
        merge,
    },
    make,
};

use crate::sheets;

/// Maximum step across a seam, as a multiple of the larger step beside it.
const MOST_SEAM: f32 = 1.2;
/// Maximum discontinuities at the loop point.
const MOST_TURN_DEG: f32 = 1.0;
const MOST_HIPS_CM_S: f32 = 2.0;
/// Length of the clips in seconds.
const LENGTH_S: f32 = 4.0;

/// (clip, prompt that regenerates it from 1.2 to 2.6 s)
const PAINTED: [(&str, &str); 4] = [
    ("a person walks forward", "a person waves with the right hand"),
    ("a person walks forward", "a person jumps"),
    ("a person waves", "a person bows"),
    ("a person runs forward", "a person raises both arms"),
];
/// (first clip without its last second, second clip, prompt for the transition)
const MERGED: [(&str, &str, &str); 4] = [
    ("a person walks forward", "a person waves", ""),
    ("a person runs forward", "a person sits down", ""),
    ("a person waves", "a person walks forward", ""),
    ("a person walks forward", "a person kicks", "a person claps"),
];
/// Trimmed to the movement in the middle, then looped twice.
const LOOPED: [&str; 3] =
    ["a person walks forward", "a person runs forward", "a person waves with the right hand"];

/// Clips for the physics stage: one with little to correct, arms near the body, legs and floor.
const SETTLED: [&str; 4] = [
    "a person walks forward",
    "a person crosses the arms",
    "a person hugs somebody",
    "a person sits down on the floor",
];
const SETTLED_S: f32 = 6.0;
const MOST_SETTLING_MS: f32 = 30.0;

/// Runs every edit and prints a row for each. Returns whether all meet their targets.
pub(crate) fn judge(character: &Arc<Character>, folder: Option<&Path>) -> bool {
    println!(
        "\nedits: seam ≤ {MOST_SEAM}, loops ≤ {MOST_TURN_DEG}° and ≤ {MOST_HIPS_CM_S} cm/s\n{:<72} \
         {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "edit", "seam", "inside", "deg", "cm/s", "skate", "ms"
    );
    let mut met = true;
    for (under, over) in all_or(PAINTED, 1) {
        met &= row(&format!("{over} | regenerated as | {under}"), character, folder, || {
            painted(under, over)
        });
    }
    for (first, second, between) in all_or(MERGED, 1) {
        met &= row(&format!("{first} | {between} | {second}"), character, folder, || {
            merged(first, second, between)
        });
    }
    for prompt in all_or(LOOPED, 1) {
        met &= row(&format!("{prompt} | looped twice"), character, folder, || looped(prompt));
    }
    met & settling()
}

/// Prints the cost of the physics stage. Returns whether it meets its target.
fn settling() -> bool {
    let spent: Vec<Result<f32, String>> = all_or(SETTLED, 1)
        .map(|prompt| {
            let clip = kept(prompt, SETTLED_S)?.clip;
            // the first of three runs is a warm-up
            let runs: Vec<f32> = (0..3)
                .map(|_| Ok(timed(|| fix_body_faults(&clip, &Build::canonical()))?.1))
                .collect::<Result<_, String>>()?;
            Ok(runs[1].min(runs[2]))
        })
        .collect();
    println!("\nphysics stage of {SETTLED_S} s, target ≤ {MOST_SETTLING_MS} ms in release");
    let mut met = true;
    for (prompt, spent) in SETTLED.iter().zip(spent) {
        match spent {
            Ok(ms) => {
                met &= ms <= MOST_SETTLING_MS;
                println!("{prompt:<72} {ms:>6.1}  {}", verdict(ms <= MOST_SETTLING_MS));
            }
            Err(error) => {
                met = false;
                println!("{prompt:<72} MISSED  {error}");
            }
        }
    }
    met
}

/// An edited clip with its new frames and, for a loop, the discontinuity at the loop point.
struct Edited {
    clip: CanonicalClip,
    new: std::ops::Range<usize>,
    round: Option<limber_cleanup::Seam>,
    /// Duration of the edit, including the engine, in milliseconds.
    spent_ms: f32,
}

/// Runs an edit and returns its result and its duration in milliseconds.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn timed<T, E: ToString>(edit: impl FnOnce() -> Result<T, E>) -> Result<(T, f32), String> {
    let started = Instant::now();
    let made = edit().map_err(|error| error.to_string())?;
    Ok((made, 1000.0 * started.elapsed().as_secs_f32()))
}

fn row(
    name: &str,
    character: &Arc<Character>,
    folder: Option<&Path>,
    edit: impl FnOnce() -> Result<Edited, String>,
) -> bool {
    let edited = match edit() {
        Ok(edited) => edited,
        Err(error) => {
            println!("{name:<72} MISSED  {error}");
            return false;
        }
    };
    let clip = &edited.clip.clip;
    let seams = [seam(clip, edited.new.start), seam(clip, edited.new.end)];
    let worst = if seams[0].ratio > seams[1].ratio { seams[0] } else { seams[1] };
    let ratio = worst.ratio;
    let inside = (edited.new.start + 1..edited.new.end)
        .map(|frame| seam(clip, frame).ratio)
        .fold(0.0, f32::max);
    let part = Trim { left: edited.new.start, right: clip.len() - edited.new.end };
    let skate = trim(clip, part).map_or(0.0, |part| measure(&part).foot_skate_cm_s);
    let (turn_deg, hips_cm_s) = edited.round.map_or((0.0, 0.0), |s| (s.turn_deg, s.hips_cm_s));
    let met = ratio <= MOST_SEAM
        && turn_deg <= MOST_TURN_DEG
        && hips_cm_s <= MOST_HIPS_CM_S
        && skate <= 0.5;
    println!(
        "{name:<72} {ratio:>6.2} {inside:>6.2} {turn_deg:>6.2} {hips_cm_s:>6.2} {skate:>6.2} {:>6.1}  {}",
        edited.spent_ms,
        verdict(met)
    );
    if ratio > MOST_SEAM {
        let joint = &clip.skeleton().joint(worst.worst).name;
        println!("    worst: {joint}");
    }
    if let Some(folder) = folder
        && let Err(error) = sheet(folder, name, character, &edited.clip)
    {
        println!("    no sheet: {error}");
    }
    met
}

fn sheet(
    folder: &Path,
    name: &str,
    character: &Arc<Character>,
    clip: &CanonicalClip,
) -> Result<(), String> {
    let options = Options { formats: Vec::new(), ..Options::default() };
    let output = derive(clip, character, 1, &options, &Cancel::default(), &mut |_| {})
        .map_err(|error| error.to_string())?;
    sheets::write(folder, &format!("edit_{name}"), character, &output.clip)
}

fn kept(prompt: &str, length_s: f32) -> Result<CanonicalClip, String> {
    let prompt = Prompt::parse(prompt).map_err(|error| error.to_string())?;
    let request = Request { duration_s: Some(length_s), ..Request::new(prompt, Seed(1)) };
    make(&request, &Composer, &Cancel::default(), &mut |_| {}).map_err(|error| error.to_string())
}

fn painted(under: &str, over: &str) -> Result<Edited, String> {
    let source = kept(under, LENGTH_S)?;
    let request = InpaintRequest {
        prompt: Prompt::parse(over).map_err(|error| error.to_string())?,
        script: None,
        intervals: Intervals::new(std::iter::once(36..78), source.clip.len())
            .map_err(|error| error.to_string())?,
        trim: Trim::default(),
        seed: Seed(2),
        variant: 1,
    };
    let (clip, spent_ms) =
        timed(|| inpaint(&source, &request, &Composer, &Cancel::default(), &mut |_| {}))?;
    Ok(Edited { clip, new: 36..78, round: None, spent_ms })
}

fn merged(first: &str, second: &str, between: &str) -> Result<Edited, String> {
    let (first, second) = (kept(first, LENGTH_S)?, kept(second, LENGTH_S)?);
    let prompt = Prompt::parse(between).ok();
    // an action needs time, a plain transition takes half a second
    let bridge_frames = if prompt.is_some() { 60 } else { 15 };
    let request = MergeRequest {
        prompt,
        script: None,
        trim_first: Trim { left: 0, right: 30 },
        trim_second: Trim::default(),
        bridge_frames,
        seed: Seed(2),
        variant: 1,
    };
    let (clip, spent_ms) =
        timed(|| merge(&first, &second, &request, &Composer, &Cancel::default(), &mut |_| {}))?;
    let start = first.clip.len() - 30;
    Ok(Edited { clip, new: start..start + bridge_frames, round: None, spent_ms })
}

fn looped(prompt: &str) -> Result<Edited, String> {
    let source = kept(prompt, LENGTH_S)?;
    let trim = Trim { left: 40, right: 40 };
    let settings = LoopSettings { repetitions: 2, blend_frames: 24, ..LoopSettings::default() };
    let request =
        LoopRequest { prompt: None, script: None, trim, settings, seed: Seed(2), variant: 1 };
    let (clip, spent_ms) =
        timed(|| make_loop(&source, &request, &Composer, &Cancel::default(), &mut |_| {}))?;
    let own = limber_cleanup::trim(&source.clip, trim).map_err(|error| error.to_string())?;
    let round =
        limber_cleanup::make_loop(&own, &settings, None).map_err(|error| error.to_string())?;
    let once: Clip = limber_cleanup::trim(&round.clip, Trim { left: 0, right: round.period })
        .map_err(|error| error.to_string())?;
    let new = own.len()..round.period;
    Ok(Edited { clip, new, round: Some(loop_seam(&once, round.travel)), spent_ms })
}
