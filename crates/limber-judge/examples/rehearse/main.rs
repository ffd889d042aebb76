//! Between the engine and the training of the learned prior (`training/`): makes the engine's clips that
//! are learned from, and judges the clips that come back.
//!
//! ```text
//! rehearse make REQUESTS.jsonl OUT    one clip per line {"say": …, "seed": …, "duration_s": …}
//! rehearse prompts SEEDS OUT          the versioned prompt set, with the seeds 1 to SEEDS
//! rehearse naturalise FROM WEIGHTS STRENGTH OUT    a folder's clips as the product naturalises them
//! rehearse judge FOLDER…              judges clips of the prompt set, folder beside folder
//! ```
//! How a folder of clips looks stands in `exchange.rs`. `judge` prints a table and writes
//! `verdicts.jsonl` into every folder.

mod exchange;
mod verdicts;

use std::{error::Error, path::Path};

use exchange::{Folder, Request};
use limber_animation::Clip;
use limber_judge::prompt_set;
use limber_naturalise::{Constraints, Model, Naturaliser, Strength};
use limber_text_to_motion::{
    Cancel, Composer, GeneratedMotion, MotionEngine, MotionRequest, Prompt, Seed,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["make", requests, out] => make(&exchange::requests(Path::new(requests))?, Path::new(out)),
        ["prompts", seeds, out] => make(&prompts(seeds.parse()?), Path::new(out)),
        ["naturalise", from, weights, strength, out] => {
            naturalise(&Folder::read(Path::new(from))?, weights, strength.parse()?)?
                .write(Path::new(out))
        }
        ["judge", ref folders @ ..] if !folders.is_empty() => verdicts::judge(folders),
        _ => Err("usage: rehearse make REQUESTS OUT | prompts SEEDS OUT | \
                  naturalise FROM WEIGHTS STRENGTH OUT | judge FOLDER…"
            .into()),
    }
}

fn prompts(seeds: u64) -> Vec<Request> {
    let of = |say: &str| {
        let say = say.to_owned();
        (1..=seeds).map(move |seed| Request { say: say.clone(), seed, duration_s: None })
    };
    prompt_set().all().flat_map(|expected| of(&expected.say)).collect()
}

fn make(requests: &[Request], out: &Path) -> Outcome<()> {
    let mut folder = Folder::default();
    for request in requests {
        match made(request) {
            Ok(made) => folder.add(request, &made.clip, &made.script.to_string(), &made.warnings),
            Err(message) => folder.refused(request, &message),
        }
    }
    println!("{} of {} requests made", folder.clips.len(), requests.len());
    folder.write(out)
}

fn naturalise(from: &Folder, weights: &str, strength: f32) -> Outcome<Folder> {
    let naturaliser = Naturaliser::new(Model::from_bytes(&std::fs::read(weights)?)?);
    let strength = Strength::new(strength)?;
    #[expect(clippy::disallowed_methods, reason = "what it costs is printed")]
    let started = std::time::Instant::now();
    let moved =
        from.mapped(|clip| Ok(naturaliser.naturalise(clip, strength, &Constraints::default())?))?;
    let motion_s: f32 = from.clips.iter().map(Clip::duration_s).sum();
    println!(
        "{:.2} ms per second of motion",
        1000.0 * started.elapsed().as_secs_f32() / motion_s.max(1e-3)
    );
    Ok(moved)
}

fn made(request: &Request) -> Result<GeneratedMotion, String> {
    let prompt = Prompt::parse(&request.say).map_err(|error| error.to_string())?;
    let wanted = MotionRequest { prompt, duration_s: request.duration_s };
    Composer
        .generate(&wanted, Seed(request.seed), &Cancel::default(), &mut |_| {})
        .map_err(|error| error.to_string())
}
