//! Writes what prompts become with and without a motion library, as pairs of BVH files in shuffled
//! order for blind comparison, and measures the cost of takes.
//!
//! `cargo run --release -p limber-takes --example compare -- FOLDER|LIBRARY.takes PROMPTS.txt OUT
//! [SEED]`
//!
//! A FOLDER is imported first, into `OUT/library.takes`, and the import report is printed. OUT gets
//! `NN_a.bvh` and `NN_b.bvh` for each line of PROMPTS for which a take was used, `prompts.txt`, and
//! `key.txt`, which says which of the two is recorded.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use limber_cleanup::measure;
use limber_formats::bvh::{self, BvhOptions};
use limber_script::{ClipEnds, Message};
use limber_takes::{AddRequest, Library, Performer, Report, TakesMode, add};
use limber_text_to_motion::{
    Cancel, Composer, GeneratedMotion, MotionEngine, MotionRequest, Prompt, Seed,
};

/// A clip and the time that it took to make, milliseconds.
struct Timed {
    made: GeneratedMotion,
    took_ms: f32,
}

#[expect(clippy::disallowed_methods, reason = "this example measures time")]
fn now() -> Instant {
    Instant::now()
}

fn timed(engine: &dyn MotionEngine, prompt: &str, seed: Seed) -> Result<Timed, Box<dyn Error>> {
    let prompt = Prompt::parse(prompt)?;
    let request =
        MotionRequest { prompt, script: None, ends: ClipEnds::default(), duration_s: None };
    let begun = now();
    let made = engine.generate(&request, seed, &Cancel::default(), &mut |_| {})?;
    Ok(Timed { made, took_ms: begun.elapsed().as_secs_f32() * 1000.0 })
}

/// The library's file, imported first if the source is a folder.
fn library(source: &Path, out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    if source.is_file() {
        return Ok(source.to_owned());
    }
    let library = out.join("library.takes");
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let request =
        AddRequest { folder: source.to_owned(), library: library.clone(), name, licence: None };
    let begun = now();
    let report = add(&request, &|| false, &mut |_| {})?;
    print_report(&report, begun.elapsed().as_secs_f32());
    Ok(library)
}

fn print_report(report: &Report, took_s: f32) {
    println!(
        "{} files ({} read now) in {took_s:.1} s: {} takes of {:.0} s, {} windows, {:.0} bytes a second",
        report.files,
        report.read_now,
        report.takes,
        report.seconds,
        report.windows,
        report.bytes as f32 / report.seconds.max(1.0),
    );
    for (action, count) in &report.actions {
        print!("{action} {count}, ");
    }
    println!();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for skipped in &report.skipped {
        let why = skipped.why.to_string();
        let kind = why.split(": ").next().unwrap_or_default().to_owned();
        *reasons.entry(kind).or_default() += 1;
    }
    println!("skipped {}: {reasons:?}; {:?}", report.skipped.len(), report.notes);
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [source, prompts, out, rest @ ..] = &arguments[..] else {
        return Err("usage: compare FOLDER|LIBRARY.takes PROMPTS.txt OUT [SEED]".into());
    };
    let seed = Seed(rest.first().and_then(|seed| seed.parse().ok()).unwrap_or(1));
    let out = Path::new(out);
    fs::create_dir_all(out)?;
    let file = library(Path::new(source), out)?;
    let begun = now();
    let library = Arc::new(Library::open(&file)?);
    println!("opened in {:.1} ms", begun.elapsed().as_secs_f32() * 1000.0);
    let performer = Performer::new(Box::new(Composer), library, TakesMode::Recorded);
    let (mut key, mut said) = (String::new(), String::new());
    // a first run, so that loading the vocabulary is not measured
    timed(&Composer, "a person walks forward", seed)?;
    for (place, prompt) in fs::read_to_string(prompts)?.lines().enumerate() {
        let drawn = timed(&Composer, prompt, seed)?;
        let taken = timed(&performer, prompt, seed)?;
        print_pair(place, prompt, &drawn, &taken);
        let is_used = |message: &Message| matches!(message, Message::Recorded { .. });
        if !taken.made.warnings.iter().any(is_used) {
            continue;
        }
        // the order depends only on the index and cannot be seen in the files
        let is_first = (place as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 63 == 0;
        let pair = if is_first { [&taken, &drawn] } else { [&drawn, &taken] };
        for (letter, shown) in ["a", "b"].into_iter().zip(pair) {
            let clip = &shown.made.clip;
            let text = bvh::write(clip.skeleton(), clip, &BvhOptions::default())?;
            fs::write(out.join(format!("{place:02}_{letter}.bvh")), text)?;
        }
        said += &format!("{place:02} {prompt}\n");
        key += &format!("{place:02} recorded={}\n", if is_first { "a" } else { "b" });
    }
    fs::write(out.join("prompts.txt"), said)?;
    fs::write(out.join("key.txt"), key)?;
    Ok(())
}

fn print_pair(place: usize, prompt: &str, drawn: &Timed, taken: &Timed) {
    let skate = |timed: &Timed| measure(&timed.made.clip).foot_skate_cm_s;
    println!(
        "{place:02} {prompt}: drawn {:.1} s in {:.0} ms, with takes {:.1} s in {:.0} ms; skate {:.2} and {:.2} cm/s",
        drawn.made.clip.duration_s(),
        drawn.took_ms,
        taken.made.clip.duration_s(),
        taken.took_ms,
        skate(drawn),
        skate(taken),
    );
    let about_takes = |message: &&Message| {
        matches!(message, Message::Recorded { .. } | Message::TakeNotUsed { .. })
    };
    for message in taken.made.warnings.iter().filter(about_takes) {
        println!("   {message}");
    }
}
