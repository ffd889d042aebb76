//! A film in which the camera goes once around, drawn without any window.

use std::{
    f32::consts::TAU,
    fs::{self, File},
    io::BufWriter,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use limber_animation::Fps;
use limber_api::viewer::ViewerLayer;
use limber_render::{Container, FilmError, PictureSize, Reel, write_reel};

use crate::{ViewerError, error::file_name, grid, lineup::Lineup, screenshot, session::Session};

/// A turn takes no less: faster ones cannot be looked at.
const SHORTEST_S: f32 = 4.0;
/// Clips that are longer turn once all the same; the film is as long as this at most.
const LONGEST_S: f32 = 120.0;

/// A film in which the camera goes once around while the clips play, a whole number of times.
#[derive(Debug, Clone, PartialEq)]
pub struct Turntable {
    /// Where to write it, by its ending: `.mp4`, `.gif`, or `.zip` with a PNG for each picture.
    /// An older film there is replaced.
    pub file: PathBuf,
    /// Which clip, by name or by number from 1; the first without.
    pub clip: Option<String>,
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// What is shown besides.
    pub layers: Vec<ViewerLayer>,
    /// In the light studio instead of the dark one.
    pub light: bool,
}

/// Draws the film of files side by side, as the viewer shows them, and writes it. Needs neither a
/// window nor a display.
///
/// # Errors
/// See [`ViewerError`]. What was at the film's place stays when there is no new one.
pub fn turntable(files: &[PathBuf], wanted: &Turntable) -> Result<(), ViewerError> {
    film_turn(files, wanted, &mut |_| ControlFlow::Continue(()))
}

/// The same; `each` hears what share of the pictures is drawn, 0 to 1, and may stop it. A film that is
/// stopped is left behind nowhere.
pub(crate) fn film_turn(
    files: &[PathBuf],
    wanted: &Turntable,
    each: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<(), ViewerError> {
    let container = container(&wanted.file)?;
    let size = PictureSize::new(wanted.size.0, wanted.size.1);
    let fps = if container == Container::Gif { GIF_RATE } else { Fps::DEFAULT };
    container.check(size, fps).map_err(ViewerError::Screenshot)?;
    let mut lineup = Lineup::read(files)?;
    if let Some(clip) = &wanted.clip {
        lineup.choose_named(clip)?;
    }
    // written beside its place first, so that a film that fails leaves an older one alone
    let part = wanted.file.with_extension("part");
    let written = File::create(&part)
        .map_err(|error| screenshot::not_written(&wanted.file, &error))
        .and_then(|file| draw(lineup, (size, fps), wanted, BufWriter::new(file), each))
        .and_then(|()| {
            fs::rename(&part, &wanted.file)
                .map_err(|error| screenshot::not_written(&wanted.file, &error))
        });
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// What players keep to; their clocks count hundredths.
const GIF_RATE: Fps = match Fps::new(25) {
    Some(rate) => rate,
    None => Fps::DEFAULT,
};

fn container(file: &Path) -> Result<Container, ViewerError> {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "mp4" => Ok(Container::Mp4),
        "gif" => Ok(Container::Gif),
        "zip" => Ok(Container::Png),
        _ => Err(ViewerError::Screenshot(format!(
            "{} must end in .mp4, .gif or .zip",
            file_name(file)
        ))),
    }
}

fn draw(
    lineup: Lineup,
    (size, fps): (PictureSize, Fps),
    wanted: &Turntable,
    out: BufWriter<File>,
    each: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<(), ViewerError> {
    let container = container(&wanted.file)?;
    // before the stage, so that it outlives what is drawn with its context
    let (mut offscreen, mut stage) = grid::offscreen(&lineup, size)?;
    let mut session = Session::new(lineup, size.aspect());
    session.set_theme(wanted.light);
    for layer in &wanted.layers {
        session.show(*layer, true);
    }
    session.frame_round();
    let once_s = session.playback.duration_s();
    let rounds = (SHORTEST_S / once_s).ceil().max(1.0);
    let frames = ((rounds * once_s).min(LONGEST_S) * fps.per_second()).round().max(1.0) as usize;
    let mut picture = |number: usize| {
        let angle = TAU * number as f32 / frames as f32;
        session.stand(number as f32 * fps.frame_duration_s(), angle);
        let look = session.look;
        session.picture(size, &look, |scene| offscreen.picture(&mut stage, scene))
    };
    let reel = Reel { size, fps, frames };
    let mut each = |number: usize| each(number as f32 / frames as f32);
    write_reel(&reel, container, out, &mut picture, &mut each).map_err(|error| match error {
        FilmError::Render(error) => error.into(),
        FilmError::Write(error) => screenshot::not_written(&wanted.file, &error),
        other => ViewerError::Screenshot(other.to_string()),
    })
}
