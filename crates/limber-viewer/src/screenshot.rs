//! One frame as a file, drawn without any window.

use std::{
    fs,
    io::Cursor,
    path::{Path, PathBuf},
};

use image::ImageFormat;
use limber_render::{Actor, Offscreen, PictureSize, RenderError, Scene, Stage};

use crate::{ViewerError, error::file_name, lineup::Lineup, session::Session};

/// A picture of one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Screenshot {
    /// Where to write it, as PNG; an older picture there is replaced.
    pub file: PathBuf,
    /// Which frame, from 0.
    pub frame: usize,
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// Draw the bones over the skin.
    pub bones: bool,
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
    let lineup = Lineup::read(files)?;
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
    session.look.bones = wanted.bones;
    let moments = session.moments();
    let actors: Vec<Actor<'_>> = session.actors(&moments);
    let camera = session.camera();
    let scene = Scene { camera: &camera, actors: &actors, look: &session.look };
    let picture = offscreen.picture(&mut stage, &scene)?;
    let mut png = Cursor::new(Vec::new());
    let packed =
        image::DynamicImage::from(picture).into_rgb8().write_to(&mut png, ImageFormat::Png);
    packed.map_err(|error| ViewerError::Screenshot(error.to_string()))?;
    Ok(png.into_inner())
}

/// A size that cannot be drawn is no fault of the driver.
fn undrawn(error: RenderError) -> ViewerError {
    match error {
        RenderError::Size { .. } => ViewerError::Screenshot(error.to_string()),
        other => other.into(),
    }
}

fn save(file: &Path, png: &[u8]) -> Result<(), ViewerError> {
    fs::write(file, png).map_err(|error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            std::io::ErrorKind::PermissionDenied => "you may not write there".to_owned(),
            other => other.to_string(),
        };
        ViewerError::Screenshot(format!("{}: {reason}", file_name(file)))
    })
}
