//! Renders one frame to a file, without a window.

use std::{
    fs::{self, OpenOptions},
    io::{Cursor, Write},
    path::{Path, PathBuf},
};

use image::{ImageFormat, RgbaImage};
use limber_api::viewer::ViewerLayer;
use limber_render::{Look, PictureSize, Quality, RenderError};

use crate::{ViewerError, error::file_name, grid, lineup::Lineup, session::Session};

/// Options of [`screenshot`].
#[derive(Debug, Clone, PartialEq)]
pub struct Screenshot {
    /// Target file, as PNG; an existing one is replaced.
    pub file: PathBuf,
    /// The clip to show, by name or by number from 1; `None` shows the first.
    pub clip: Option<String>,
    /// The frame, from 0.
    pub frame: usize,
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// Additional visible layers.
    pub layers: Vec<ViewerLayer>,
    /// Whether to use the light background.
    pub light: bool,
}

/// Renders one frame of files side by side, as the viewer shows them, and writes it. Needs neither
/// a window nor a display.
///
/// # Errors
/// See [`ViewerError`]. On failure an existing file is left unchanged.
pub fn screenshot(files: &[PathBuf], wanted: &Screenshot) -> Result<(), ViewerError> {
    if !wanted.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return Err(ViewerError::Screenshot(format!(
            "{} must end in .png",
            file_name(&wanted.file)
        )));
    }
    let mut lineup = Lineup::read(files)?;
    if let Some(clip) = &wanted.clip {
        lineup.choose_named(clip)?;
    }
    let size = PictureSize::new(wanted.size.0, wanted.size.1);
    let png = draw(lineup, size, wanted)?;
    save(&wanted.file, &png)
}

fn draw(lineup: Lineup, size: PictureSize, wanted: &Screenshot) -> Result<Vec<u8>, ViewerError> {
    let frames = lineup.timeline().0;
    if wanted.frame >= frames {
        return Err(ViewerError::NoSuchFrame { frame: wanted.frame, last: frames - 1 });
    }
    // before the stage, so that it outlives what is drawn with its context
    let (mut offscreen, mut stage) = grid::offscreen(&lineup, size)?;
    let mut session = Session::new(lineup, size.aspect());
    session.playback.pause();
    session.seek(wanted.frame);
    session.set_theme(wanted.light);
    for layer in &wanted.layers {
        session.show(*layer, true);
    }
    let look = Look { quality: Quality::Fine, ..session.look };
    packed(session.picture(size, &look, |scene| offscreen.picture(&mut stage, scene))?)
}

/// Encodes as PNG without an alpha channel.
pub(crate) fn packed(picture: RgbaImage) -> Result<Vec<u8>, ViewerError> {
    let mut png = Cursor::new(Vec::new());
    let packed =
        image::DynamicImage::from(picture).into_rgb8().write_to(&mut png, ImageFormat::Png);
    packed.map_err(|error| ViewerError::Screenshot(error.to_string()))?;
    Ok(png.into_inner())
}

/// Writes an image into a folder under an unused name, which it returns.
pub(crate) fn save_new(folder: &Path, stem: &str, png: &[u8]) -> Result<String, ViewerError> {
    loop {
        let name = free_name(folder, stem, "png")?;
        match OpenOptions::new().write(true).create_new(true).open(folder.join(&name)) {
            Ok(mut file) => {
                file.write_all(png).map_err(|error| not_written(Path::new(&name), &error))?;
                return Ok(name);
            }
            // another process took the name; try the next
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(not_written(Path::new(&name), &error)),
        }
    }
}

/// Returns an unused file name in a folder that begins with `stem`, reduced to characters that file
/// systems accept.
pub(crate) fn free_name(folder: &Path, stem: &str, ending: &str) -> Result<String, ViewerError> {
    const MOST: u32 = 1000;
    const LONGEST: usize = 80;
    let letters = stem.chars().filter(|letter| {
        letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_' | ',' | '(' | ')')
    });
    let stem: String = letters.take(LONGEST).collect();
    let stem = stem.trim();
    let names = (1..=MOST).map(|number| match number {
        1 => format!("{stem}.{ending}"),
        _ => format!("{stem} ({number}).{ending}"),
    });
    let mut free = names.filter(|name| !folder.join(name).exists());
    let full = || ViewerError::Screenshot(format!("there are already {MOST} files named “{stem}”"));
    free.next().ok_or_else(full)
}

/// Converts a render error; an impossible size is not the driver's fault.
pub(crate) fn undrawn(error: RenderError) -> ViewerError {
    match error {
        RenderError::Size { .. } => ViewerError::Screenshot(error.to_string()),
        other => other.into(),
    }
}

fn save(file: &Path, png: &[u8]) -> Result<(), ViewerError> {
    fs::write(file, png).map_err(|error| not_written(file, &error))
}

pub(crate) fn not_written(file: &Path, error: &std::io::Error) -> ViewerError {
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => "the folder does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "you are not allowed to write there".to_owned(),
        other => other.to_string(),
    };
    ViewerError::Screenshot(format!("{}: {reason}", file_name(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screenshot_names_are_valid_and_unused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let name = |stem: &str| free_name(folder.path(), stem, "png").expect("free");
        assert_eq!(name("../../a walk: “happy” 0042"), "a walk happy 0042.png");
        assert!(name(&"long ".repeat(100)).len() < 100);
        assert_eq!(save_new(folder.path(), "walk", b"one").expect("saved"), "walk.png");
        assert_eq!(save_new(folder.path(), "walk", b"two").expect("saved"), "walk (2).png");
        assert_eq!(fs::read(folder.path().join("walk.png")).expect("it exists"), b"one");
    }
}
