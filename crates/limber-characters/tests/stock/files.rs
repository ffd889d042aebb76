//! The files under `assets/characters` are what the program writes.

use std::path::Path;

use limber_characters::build::STOCK;
use limber_formats::glb::write_character;

use crate::CHARACTERS;

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters"))
}

#[test]
fn the_committed_files_are_fresh_and_small() {
    let mut together = 0;
    for (build, character) in STOCK.iter().zip(CHARACTERS.iter()) {
        let name = format!("{}.glb", build.file_stem);
        let committed = std::fs::read(folder().join(&name)).expect("every stock file is committed");
        let written = write_character(character).expect("stock characters can be written");
        assert!(
            committed == written,
            "{name} is not what the program writes; run `cargo run -p limber-characters`"
        );
        assert!(committed.len() <= 900_000, "{name}: {} bytes", committed.len());
        together += committed.len();
    }
    assert!(together <= 5_500_000, "{together} bytes");
}

#[test]
fn modelling_twice_gives_the_same_bytes() {
    let again = limber_characters::file_of(&STOCK[0]).expect("stock characters can be written");
    let first = write_character(&CHARACTERS[0]).expect("stock characters can be written");
    assert!(again == first);
}

#[test]
fn every_file_has_a_record_of_its_origin() {
    let records = std::fs::read_to_string(folder().join("PROVENANCE.toml"))
        .expect("the folder has its records");
    for build in &STOCK {
        assert!(records.contains(&format!("path = \"{}.glb\"", build.file_stem)));
    }
}
