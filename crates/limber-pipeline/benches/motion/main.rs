//! Motion quality benchmark: does the motion obey the prompt, do the feet stand, does it look
//! human? A fixed, versioned set of prompts runs through the whole pipeline and is evaluated on
//! joints and mesh by rules that are independent of the engine (`limber-judge`). Prints tables;
//! exits with 1 if a target is missed.
//!
//! ```text
//! cargo xtask bench motion -- [--assets DIR] [--sheets DIR] [--gallery DIR] [--only TEXT] [--seeds N] [--seed N] [--all]
//! ```
//! Every prompt is made with the seeds 1 to N (four by default), or with one given seed. Only rows
//! of clips that miss something are printed; `--all` prints every row. `--only` selects the prompts
//! that contain the text, or one of the parts `spoilt`, `mocap`, `foreign`, `feet`, `edits`,
//! `stops`, `variety`, `bytes`. `--assets` reads actions and keyframe scripts from a folder laid out like
//! the repository's instead of using the built-in ones. `--sheets` writes a contact sheet per clip:
//! numbers only catch regressions, and whether a motion looks human has to be seen. `--gallery`
//! writes the book's gallery page and nothing else.

mod arguments;
mod bytes;
mod edits;
mod feet;
mod foreign;
mod gallery;
mod naturalness;
mod obedience;
mod sheets;
mod spoilt;
mod stops;
mod totals;
mod variety;

use std::{process::ExitCode, sync::Arc};

use arguments::Arguments;
use limber_animation::Character;
use limber_bench::{amount, in_short};
use limber_judge::{Expected, prompt_set};
use limber_pipeline::stock;

/// Indices of the stock characters whose feet are evaluated; the first is used for all other clips.
const WEARERS: [usize; 2] = [0, 1];

/// Returns the prompt set; in a short run, two prompts far apart.
fn prompts() -> impl Iterator<Item = &'static Expected> {
    prompt_set().all().step_by(amount(1, 160))
}

fn main() -> ExitCode {
    let arguments = Arguments::read();
    let read = arguments.assets.as_deref().map(limber_text_to_motion::read_actions_from);
    if let Some(Err(faults)) = read {
        eprintln!("{faults}");
        return ExitCode::FAILURE;
    }
    let characters: Result<Vec<Arc<Character>>, _> = WEARERS
        .into_iter()
        .map(|place| stock::list()[place].character().map(|character| Arc::new(character.clone())))
        .collect();
    let characters = match characters {
        Ok(characters) => characters,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(folder) = &arguments.gallery {
        return match gallery::write(folder) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    println!("motion, prompt set {}, on {}", prompt_set().version, characters[0].name);
    let mut met = true;
    if arguments.wants_prompts() {
        met &= obedience::judge(&characters[0], &arguments);
    }
    if arguments.wants("spoilt") {
        met &= spoilt::judge();
    }
    if arguments.wants("mocap") {
        met &= naturalness::judge();
    }
    if arguments.wants("foreign") {
        met &= foreign::judge();
    }
    if arguments.wants("feet") {
        met &= feet::judge(&characters);
    }
    if arguments.wants("edits") {
        met &= edits::judge(&characters[0], arguments.sheets.as_deref());
    }
    if arguments.wants("stops") {
        met &= stops::judge();
    }
    if arguments.wants("variety") {
        met &= variety::judge();
    }
    if arguments.wants("bytes") {
        met &= bytes::judge(&characters[0]);
    }
    // percentages of a handful of clips mean nothing
    if met || in_short() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
