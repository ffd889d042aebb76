//! `limber-characters [FOLDER]`: writes every stock character as a GLB file into the folder, by
//! default `assets/characters`.

use std::path::PathBuf;

use anyhow::Context;
use limber_characters::{build, file_of};

fn main() -> anyhow::Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters")),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder).context("the folder for the characters cannot be created")?;
    for build in &build::STOCK {
        let bytes = file_of(build).with_context(|| format!("{} cannot be written", build.name))?;
        let name = format!("{}.glb", build.file_stem);
        std::fs::write(folder.join(&name), &bytes)
            .with_context(|| format!("{name} cannot be written"))?;
        println!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}
