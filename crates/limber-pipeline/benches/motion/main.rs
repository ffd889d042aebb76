//! Does the movement obey the prompt, do the feet stand, does it move like a person? A fixed,
//! versioned set of prompts, made with the whole pipeline and judged on joints and skin by rules that
//! do not know the engine (`limber-judge`). Prints tables; ends with 1 when a target is missed.
//!
//! ```text
//! cargo xtask bench motion -- [--assets DIR] [--sheets DIR] [--gallery DIR] [--only TEXT] [--seeds N] [--seed N] [--all]
//! ```
//! Every prompt is made with the seeds 1 to N, four unless told otherwise, or with one seed alone.
//! Rows are printed of clips that miss something; `--all` prints every row. `--only` makes the
//! prompts that hold the text, or one of the parts `spoilt`, `mocap`, `foreign`, `feet`, `edits`, `variety`,
//! `bytes`.
//! `--assets` reads actions and scores from a folder like the repository's instead of those that were built in.
//! `--sheets` writes a contact sheet per clip, because numbers only catch regressions; whether a
//! person moves is seen. `--gallery` writes the book's page of moving pictures and nothing else.

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
mod totals;
mod variety;

use std::{process::ExitCode, sync::Arc};

use arguments::Arguments;
use limber_animation::Character;
use limber_bench::{amount, in_short};
use limber_judge::{Expected, prompt_set};
use limber_pipeline::stock;

/// The stock characters whose feet are watched; the first wears all clips.
const WEARERS: [usize; 2] = [0, 1];

/// The set's prompts, in short two from far apart.
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
    if arguments.wants("variety") {
        met &= variety::judge();
    }
    if arguments.wants("bytes") {
        met &= bytes::judge(&characters[0]);
    }
    // shares of a handful of clips say nothing
    if met || in_short() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
