//! Every accepted character of the shared collection, with five motions.

use std::{fs, path::Path};

use limber_animation::Character;
use limber_formats::{humanoid::Overrides, import::import};
use limber_pipeline::stock;
use serde_json::Value;

use crate::{
    look,
    measure::{Meant, Measured, measure, median},
    motions,
};

/// Maximum median deviation of limb directions from the canonical body, over all motions; hands
/// that touch something may deviate.
const MEDIAN_LIMB_DEG: f32 = 1.0;

/// All characters take minutes, so they are tested in two halves in parallel.
#[derive(Clone, Copy)]
enum Half {
    First,
    Second,
}

/// Returns the accepted characters among every second file, by file name.
fn accepted(half: Half) -> Option<Vec<(String, Character)>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models"));
    let index = fs::read(folder.join("index.json")).ok()?;
    let index: Value = serde_json::from_slice(&index).expect("the index is JSON");
    let files = index["files"].as_array().expect("a list of files").iter();
    let taken = files.skip(half as usize).step_by(2).filter_map(|entry| {
        let name = entry["file"].as_str().expect("a file has a name");
        let bytes = fs::read(folder.join(name)).expect("the file can be read");
        let taken = import(&bytes, &Overrides::default()).ok()?;
        Some((name.to_owned(), Character { name: name.to_owned(), ..taken.character }))
    });
    Some(taken.collect())
}

mod every_shared_character_does_what_the_canonical_body_does {
    use super::{Half, do_what_the_canonical_body_does};

    #[test]
    fn in_the_first_half() {
        do_what_the_canonical_body_does(Half::First);
    }

    #[test]
    fn in_the_second_half() {
        do_what_the_canonical_body_does(Half::Second);
    }
}

fn do_what_the_canonical_body_does(half: Half) {
    let Some(characters) = accepted(half) else {
        println!("skipped: the shared models are missing");
        return;
    };
    let mannequin = stock::list()[0].character().expect("the stock character reads");
    println!("{:38} motion  {}", "file", Measured::HEADER);
    let meant: Vec<Meant> = motions::all()
        .iter()
        .map(|motion| Meant::new(mannequin, motions::on(motion, mannequin, Vec::new()).clip))
        .collect();
    let mut wrong = Vec::new();
    for (name, character) in &characters {
        let mut limbs_deg = Vec::new();
        for (motion, meant) in motions::all().iter().zip(&meant) {
            let output = motions::on(motion, character, Vec::new());
            let measured = measure(meant, character, &output.clip);
            println!("{name:38} {:7} {measured}", motion.name);
            for problem in measured.problems() {
                wrong.push(format!("{name} {}: {problem}", motion.name));
            }
            // the others are the same bodies again
            if name.starts_with("good/") {
                look::sheet(name, motion.name, character, &output.clip);
            }
            limbs_deg.extend(measured.limbs_deg);
        }
        limbs_deg.sort_by(f32::total_cmp);
        let median = median(&limbs_deg);
        println!("{name:38} all     {median:5.2}");
        if median.is_nan() || median > MEDIAN_LIMB_DEG {
            wrong.push(format!("{name}: limbs {median}° off"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

mod every_shared_character_walks_in_every_format {
    use super::{Half, walk_in_every_format};

    #[test]
    fn in_the_first_half() {
        walk_in_every_format(Half::First);
    }

    #[test]
    fn in_the_second_half() {
        walk_in_every_format(Half::Second);
    }
}

/// Writes files for independent readers.
fn walk_in_every_format(half: Half) {
    let Some(characters) = accepted(half) else {
        println!("skipped: the shared models are missing");
        return;
    };
    let walk = &motions::all()[0];
    for (name, character) in &characters {
        let kinds = limber_pipeline::FileKind::CHOICES.to_vec();
        // the pipeline has read back and compared every file already
        let output = motions::on(walk, character, kinds);
        look::files(name, &output);
        for kind in limber_pipeline::FileKind::CHOICES {
            let file = output.files.iter().find(|file| file.kind == kind);
            assert!(file.is_some_and(|file| !file.bytes.is_empty()), "{name}: {kind:?}");
        }
    }
}
