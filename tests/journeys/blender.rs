//! Opens exported files in Blender.

use std::path::Path;

use serde::Deserialize;

/// The contents of a file as Blender sees them.
#[derive(Debug, Deserialize)]
pub(crate) struct Found {
    pub(crate) seconds: f64,
    pub(crate) bones: usize,
    pub(crate) vertices: usize,
    /// Height from the lowest bone to the highest.
    pub(crate) tallest_m: f64,
    /// Largest height difference of any bone between a few sampled frames.
    pub(crate) moved_m: f64,
}

/// Opens a file in Blender; prints a message and returns `None` if there is no Blender.
///
/// `LIMBER_BLENDER` names a Python that has Blender as a module (`pip install bpy`). It is a third
/// of a gigabyte, so the tests do not download it.
pub(crate) fn open(file: &Path) -> Option<Found> {
    let Some(python) = std::env::var_os("LIMBER_BLENDER") else {
        println!("skipped: LIMBER_BLENDER is not a Python with bpy");
        return None;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/journeys/blender.py");
    let output = std::process::Command::new(python).arg(script).arg(file).output();
    let output = output.expect("LIMBER_BLENDER can be started");
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let found = said.lines().filter_map(|line| serde_json::from_str(line).ok()).next_back();
    Some(found.unwrap_or_else(|| panic!("{} in Blender: {said}{errors}", file.display())))
}
