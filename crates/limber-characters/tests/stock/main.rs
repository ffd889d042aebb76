//! Requirements for every stock character: a closed mesh, good weights, clean bending, and a file
//! that is up to date.

mod bending;
mod body;
mod face;
mod files;
mod poses;
mod section;
mod touching;

use std::{path::Path, sync::LazyLock};

use limber_animation::Character;
use limber_characters::build::{Build, STOCK};
use limber_formats::glb;

/// Every stock character as read from its file: generating them takes long, and [`files`] checks
/// that the files are up to date.
static CHARACTERS: LazyLock<Vec<Character>> = LazyLock::new(|| {
    let read = |build: &Build| glb::read(&committed(build)).expect("a character").character;
    STOCK.iter().map(read).collect()
});

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters"))
}

fn committed(build: &Build) -> Vec<u8> {
    let file = folder().join(format!("{}.glb", build.file_stem));
    std::fs::read(file).expect("every stock character is committed")
}
