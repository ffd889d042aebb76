//! One frame as a file, drawn without any window.

use std::{
    fs::{self, OpenOptions},
    io::{Cursor, Write},
    path::{Path, PathBuf},
};

use image::{ImageFormat, RgbaImage};
use limber_api::viewer::ViewerLayer;
use limber_render::{Offscreen, PictureSize, RenderError, Scene, Stage};

use crate::{ViewerError, error::file_name, figures::Figure, lineup::Lineup, session::Session};

/// A picture of one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Screenshot {
    /// Where to write it, as PNG; an older picture there is replaced.
    pub file: PathBuf,
    /// Which clip, by name or by number from 1; the first without.
    pub clip: Option<String>,
    /// Which frame, from 0.
    pub frame: usize,
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// What is shown besides.
    pub layers: Vec<ViewerLayer>,
}

/// Draws one frame of files side by side, as the viewer shows them, and writes it. Needs neither a
/// window nor a display.
///
/// # Errors
/// See [`ViewerError`]. What was at the picture's place stays when there is no new one.
pub fn screenshot(files: &[PathBuf], wanted: &Screenshot) -> Result<(), ViewerError> {
    if !wanted.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return Err(ViewerError::Screenshot(format!(
            "{} does not end in .png, and it will be a PNG",
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
    let mut offscreen = Offscreen::new(size).map_err(undrawn)?;
    let mut stage = Stage::new(offscreen.context(), &lineup.cast)?;
    let mut session = Session::new(lineup, size.aspect());
    session.playback.pause();
    session.seek(wanted.frame);
    for layer in &wanted.layers {
        session.show(*layer, true);
    }
    let figures = session.figures();
    let actors: Vec<_> = figures.iter().map(Figure::actor).collect();
    let (camera, trails) = (session.camera(), session.trails(&figures));
    let scene = Scene { camera: &camera, actors: &actors, trails: &trails, look: &session.look };
    packed(offscreen.picture(&mut stage, &scene)?)
}

/// As PNG without coverage.
pub(crate) fn packed(picture: RgbaImage) -> Result<Vec<u8>, ViewerError> {
    let mut png = Cursor::new(Vec::new());
    let packed =
        image::DynamicImage::from(picture).into_rgb8().write_to(&mut png, ImageFormat::Png);
    packed.map_err(|error| ViewerError::Screenshot(error.to_string()))?;
    Ok(png.into_inner())
}

/// Writes a picture into a folder, under a name that is still free there; returns that name.
pub(crate) fn save_new(
    folder: &Path,
    (label, frame): (&str, usize),
    png: &[u8],
) -> Result<String, ViewerError> {
    const MOST: u32 = 1000;
    for number in 1..=MOST {
        let again = if number == 1 { String::new() } else { format!(" ({number})") };
        let name = format!("{label} {frame:04}{again}.png");
        match OpenOptions::new().write(true).create_new(true).open(folder.join(&name)) {
            Ok(mut file) => {
                file.write_all(png).map_err(|error| not_written(Path::new(&name), &error))?;
                return Ok(name);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(not_written(Path::new(&name), &error)),
        }
    }
    Err(ViewerError::Screenshot(format!("there are {MOST} pictures of this frame already")))
}

/// A size that cannot be drawn is no fault of the driver.
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
        std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "you may not write there".to_owned(),
        other => other.to_string(),
    };
    ViewerError::Screenshot(format!("{}: {reason}", file_name(file)))
}
