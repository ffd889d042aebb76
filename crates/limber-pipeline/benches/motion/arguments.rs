//! Command-line arguments of the benchmark.

use std::{ops::RangeInclusive, path::PathBuf};

use limber_bench::amount;

/// Number of seeds per prompt.
const SEEDS: u64 = 4;
/// Values of `--only` that are not prompts.
const PARTS: [&str; 8] =
    ["spoilt", "mocap", "foreign", "feet", "edits", "stops", "variety", "bytes"];

pub(crate) struct Arguments {
    pub(crate) sheets: Option<PathBuf>,
    pub(crate) gallery: Option<PathBuf>,
    /// Read actions and keyframe scripts from here instead of the built-in ones, so that authors
    /// can evaluate a change without a build.
    pub(crate) assets: Option<PathBuf>,
    pub(crate) only: Option<String>,
    pub(crate) seeds: RangeInclusive<u64>,
    /// Whether to print the rows of all clips, not only those with failures.
    pub(crate) all: bool,
}

impl Arguments {
    pub(crate) fn read() -> Self {
        let seeds = 1..=amount(SEEDS, 1);
        let mut found =
            Self { sheets: None, gallery: None, assets: None, only: None, seeds, all: false };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--sheets" => found.sheets = words.next().map(PathBuf::from),
                "--gallery" => found.gallery = words.next().map(PathBuf::from),
                "--assets" => found.assets = words.next().map(PathBuf::from),
                "--only" => found.only = words.next(),
                "--seeds" => found.seeds = 1..=number(words.next()).unwrap_or(SEEDS),
                "--seed" => {
                    let seed = number(words.next()).unwrap_or(1);
                    found.seeds = seed..=seed;
                }
                "--all" => found.all = true,
                // passed by `cargo bench`
                "--bench" => {}
                other => eprintln!("`{other}` is not an argument of this benchmark"),
            }
        }
        found
    }

    /// Whether this part is selected.
    pub(crate) fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }

    /// Whether any prompts are selected.
    pub(crate) fn wants_prompts(&self) -> bool {
        self.only.as_deref().is_none_or(|only| !PARTS.contains(&only))
    }

    /// Whether this prompt is selected.
    pub(crate) fn wants_prompt(&self, prompt: &str) -> bool {
        self.only.as_deref().is_none_or(|only| prompt.contains(only))
    }
}

fn number(word: Option<String>) -> Option<u64> {
    let word = word?;
    let number = word.parse().ok();
    if number.is_none() {
        eprintln!("`{word}` is not a number");
    }
    number
}
