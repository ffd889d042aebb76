//! Contact sheets: twelve moments of a clip, for visual inspection.

use std::{path::Path, sync::Arc};

use limber_animation::{Character, Clip};
use limber_render::{PictureSize, contact_sheet};

const MOMENTS: u32 = 12;
const COLUMNS: u32 = 6;
const CELL: PictureSize = PictureSize::new(300, 340);

/// Writes a contact sheet of this name into the folder.
pub(crate) fn write(
    folder: &Path,
    name: &str,
    character: &Arc<Character>,
    clip: &Clip,
) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let sheet =
        contact_sheet(character, clip, COLUMNS, MOMENTS, CELL).map_err(|error| failed(&error))?;
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    sheet.save(folder.join(format!("{name}.png"))).map_err(|error| failed(&error))
}
