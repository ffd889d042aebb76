//! Between the engine and the training of the learned prior (`training/`): makes the engine's clips that
//! are learned from, and judges the clips that come back.
//!
//! ```text
//! rehearse make REQUESTS.jsonl OUT    one clip per line {"say": …, "seed": …, "duration_s": …}
//! rehearse prompts SEEDS OUT          the versioned prompt set, with the seeds 1 to SEEDS
//! rehearse naturalise SEEDS STRENGTH OUT    the same as the road naturalises them, 0 to 1
//! rehearse judge FOLDER…              judges clips of the prompt set, folder beside folder
//! ```
//! How a folder of clips looks stands in `exchange.rs`. `judge` prints a table and writes
//! `verdicts.jsonl` into every folder.

mod exchange;
mod verdicts;

use std::{error::Error, path::Path};

use exchange::{Folder, Request};
use limber_judge::prompt_set;
use limber_pipeline::{Strength, make as walk};
use limber_text_to_motion::{
    Cancel, ClipEnds, Composer, GeneratedMotion, MotionEngine, MotionRequest, Prompt, Seed,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["make", requests, out] => make(&exchange::requests(Path::new(requests))?, Path::new(out)),
        ["prompts", seeds, out] => make(&prompts(seeds.parse()?), Path::new(out)),
        ["naturalise", seeds, strength, out] => {
            naturalise(&prompts(seeds.parse()?), Strength::new(strength.parse()?)?, Path::new(out))
        }
        ["judge", ref folders @ ..] if !folders.is_empty() => verdicts::judge(folders),
        _ => Err("usage: rehearse make REQUESTS OUT | prompts SEEDS OUT | \
                  naturalise SEEDS STRENGTH OUT | judge FOLDER…"
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

fn naturalise(requests: &[Request], strength: Strength, out: &Path) -> Outcome<()> {
    let mut folder = Folder::default();
    let mut plain = 0;
    for request in requests {
        let wanted = limber_pipeline::Request {
            duration_s: request.duration_s,
            naturalising: strength,
            ..limber_pipeline::Request::new(Prompt::parse(&request.say)?, Seed(request.seed))
        };
        match walk(&wanted, &Composer, &Cancel::default(), &mut |_| {}) {
            Ok(made) => {
                let why = made.meta.naturalised.and_then(|done| done.kept_plain);
                if let Some(why) = why {
                    println!("plain: `{}`, seed {}: {why}", request.say, request.seed);
                    plain += 1;
                }
                let script = made.meta.script.unwrap_or_default();
                folder.add(request, &made.clip, &script, &made.meta.warnings);
            }
            Err(error) => folder.refused(request, &error.to_string()),
        }
    }
    println!("{} of {} clips stayed plain", plain, folder.clips.len());
    folder.write(out)
}

fn made(request: &Request) -> Result<GeneratedMotion, String> {
    let prompt = Prompt::parse(&request.say).map_err(|error| error.to_string())?;
    let wanted = MotionRequest {
        prompt,
        script: None,
        ends: ClipEnds::default(),
        duration_s: request.duration_s,
    };
    Composer
        .generate(&wanted, Seed(request.seed), &Cancel::default(), &mut |_| {})
        .map_err(|error| error.to_string())
}
