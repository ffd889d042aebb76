//! Evaluates prompts that others wrote: held-out prompts and captions of motion capture. Each is
//! generated and evaluated against what the evaluator's own word list reads in it. The captured
//! clips are evaluated by the same rules, which shows how far the rules can be trusted. Skipped if
//! the data are missing.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use limber_bench::{all_or, amount, verdict};
use limber_judge::{
    Body, Captions,
    mocap::{Library, Take},
};
use limber_pipeline::{Cancel, Composer, Message, MotionEngine, Prompt, Seed};
use limber_text_to_motion::{ClipEnds, MotionRequest};

const LEAST_UNDERSTOOD: f32 = 0.85;
const LEAST_OBEYED: f32 = 0.90;
/// Number of captions that are drawn, and the seed of the draw.
const DRAWN: usize = 100;
const SEED: u64 = 20_261_121;
const FOLDERS: [&str; 2] = ["cmu-text", "cc0-clips"];

/// Returns the data folder: `LIMBER_MOCAP`, or the one next to the repository.
fn data() -> Option<PathBuf> {
    let told = std::env::var_os("LIMBER_MOCAP").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    told.or(Some(beside)).filter(|folder| folder.exists())
}

/// Prints a verdict for every prompt. Returns whether enough are understood and obeyed.
pub(crate) fn judge() -> bool {
    let Some(folder) = data() else {
        println!("\nthird-party prompts: skipped, there is no recorded motion here");
        return true;
    };
    let libraries: Result<Vec<Library>, _> =
        FOLDERS.into_iter().map(|name| Library::open(&folder.join(name))).collect();
    let libraries = match libraries {
        Ok(libraries) => libraries,
        Err(error) => {
            println!("\nthird-party prompts: skipped, {error}");
            return true;
        }
    };
    println!("\nthird-party prompts, seed 1");
    let held_out = std::fs::read_to_string(folder.join(FOLDERS[0]).join("heldout_prompts.txt"));
    let held_out = held_out.unwrap_or_default();
    let held_out: Vec<String> = all_or(held_out.lines(), 3).map(str::to_owned).collect();
    let drawn = draw(&libraries);
    let met = group("held out", &held_out) & group("captions of the test splits", &drawn);
    beside_people(&libraries);
    met
}

/// Draws distinct captions from the test splits with a fixed seed.
fn draw(libraries: &[Library]) -> Vec<String> {
    let test = libraries.iter().flat_map(|library| &library.takes);
    let test = test.filter(|take| take.split == "test");
    let sentences = |take: &Take| -> Vec<String> {
        let measured = take.auto.iter().map(|auto| auto.replace("{}", "a person"));
        take.sentences().chain(measured).collect()
    };
    let distinct: BTreeSet<String> = test.flat_map(sentences).collect();
    let mut left: Vec<String> = distinct.into_iter().collect();
    let mut state = SEED;
    let mut drawn = Vec::new();
    while drawn.len() < amount(DRAWN, 3) && !left.is_empty() {
        // Knuth's linear congruential generator; its high bits are good enough for this
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = (state >> 33) as usize % left.len();
        drawn.push(left.swap_remove(place));
    }
    drawn
}

enum Fate {
    Unknown(String),
    NoRule,
    Missed(String),
    Obeyed,
}

fn fate(sentence: &str) -> Fate {
    let made = Prompt::parse(sentence).map_err(|error| error.to_string()).and_then(|prompt| {
        let request =
            MotionRequest { prompt, script: None, ends: ClipEnds::default(), duration_s: None };
        let cancel = Cancel::default();
        let made = Composer.generate(&request, Seed(1), &cancel, &mut |_| {});
        made.map_err(|error| error.to_string())
    });
    let made = match made {
        Ok(made) => made,
        Err(error) => return Fate::Unknown(error),
    };
    let is_unknown = |warning: &&Message| !warning.unknown_words().is_empty();
    if let Some(left_out) = made.warnings.iter().find(is_unknown) {
        return Fate::Unknown(left_out.to_string());
    }
    let Some(expected) = Captions::built_in().read(sentence) else { return Fate::NoRule };
    let verdict = expected.judge(&Body::of(&made.clip));
    let faults: Vec<&str> = verdict.faults().collect();
    if faults.is_empty() {
        return Fate::Obeyed;
    }
    Fate::Missed(format!("{} ({})", faults.join("; "), made.script))
}

/// Returns the actions that the evaluator looks for, to be printed with a verdict.
fn rules(sentence: &str) -> String {
    let expected = Captions::built_in().read(sentence);
    let deeds = expected.map(|expected| {
        expected.see.iter().map(|step| format!("{:?}", step.deed)).collect::<Vec<_>>().join(" ")
    });
    deeds.unwrap_or_default()
}

fn group(name: &str, sentences: &[String]) -> bool {
    println!("{name}:");
    let (mut understood, mut judged, mut obeyed) = (0_usize, 0_usize, 0_usize);
    for sentence in sentences {
        let fate = fate(sentence);
        understood += usize::from(!matches!(fate, Fate::Unknown(_)));
        judged += usize::from(matches!(fate, Fate::Obeyed | Fate::Missed(_)));
        obeyed += usize::from(matches!(fate, Fate::Obeyed));
        let said = match fate {
            Fate::Unknown(why) => format!("NOT UNDERSTOOD  {why}"),
            Fate::NoRule => "understood, no rule".to_owned(),
            Fate::Missed(why) => format!("NOT OBEYED  {why}"),
            Fate::Obeyed => format!("obeyed  {}", rules(sentence)),
        };
        println!("  {sentence:<60} {said}");
    }
    let share = |part: usize, whole: usize| part as f32 / whole.max(1) as f32;
    let known = share(understood, sentences.len());
    let well = share(obeyed, judged);
    let met = known >= LEAST_UNDERSTOOD && well >= LEAST_OBEYED;
    println!(
        "  {name}: {understood} of {} understood ({:.1} %, target ≥ {:.0} %), {obeyed} of the {judged} \
         with a rule obeyed ({:.1} %, target ≥ {:.0} %)  {}",
        sentences.len(),
        100.0 * known,
        100.0 * LEAST_UNDERSTOOD,
        100.0 * well,
        100.0 * LEAST_OBEYED,
        verdict(met)
    );
    met
}

/// Compares the rules on motion capture with the rules on clips generated from the same captions.
fn beside_people(libraries: &[Library]) {
    let words = Captions::built_in();
    let (mut takes, mut theirs, mut asked, mut ours) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut heard: BTreeSet<String> = BTreeSet::new();
    let mut missed: Vec<String> = Vec::new();
    for library in libraries {
        for take in all_or(library.takes.iter().filter(|take| !take.mixed), 3) {
            let Some(sentence) = take.sentences().find(|said| words.read(said).is_some()) else {
                continue;
            };
            let (Some(expected), Ok(clip)) = (words.read(&sentence), library.clip(take)) else {
                continue;
            };
            takes += 1;
            if expected.judge(&Body::of(&clip)).is_obeyed() {
                theirs += 1;
            } else {
                missed.push(format!("{} ({sentence})", take.id));
            }
            if heard.insert(sentence.clone()) {
                asked += 1;
                ours += usize::from(matches!(fate(&sentence), Fate::Obeyed));
            }
        }
    }
    let percent = |part: usize, whole: usize| 100.0 * part as f32 / whole.max(1) as f32;
    println!(
        "the same rules on {takes} captioned recordings: {theirs} pass ({:.1} %); on what the engine \
         makes of their {asked} captions: {ours} pass ({:.1} %)",
        percent(theirs, takes),
        percent(ours, asked)
    );
    println!("  recordings that fail: {}", missed.join(", "));
}
