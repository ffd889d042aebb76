//! Renders a turntable video, without a window.

use std::{
    f32::consts::TAU,
    fs::{self, File},
    io::BufWriter,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use limber_animation::Fps;
use limber_api::viewer::ViewerLayer;
use limber_render::{Container, Look, PictureSize, Quality, VideoError, VideoFormat, write_video};

use crate::{ViewerError, error::file_name, grid, lineup::Lineup, screenshot, session::Session};

/// Minimum duration of a turn; faster ones are unpleasant to watch.
const SHORTEST_S: f32 = 4.0;
/// Maximum duration of the video; longer clips still turn once.
const LONGEST_S: f32 = 120.0;

/// Options of [`turntable`]: a video in which the camera circles once while the clips play a whole
/// number of times.
#[derive(Debug, Clone, PartialEq)]
pub struct Turntable {
    /// Target file; its extension selects the format: `.mp4`, `.gif`, or `.zip` with one PNG per
    /// frame. An existing file is replaced.
    pub file: PathBuf,
    /// The clip to show, by name or by number from 1; `None` shows the first.
    pub clip: Option<String>,
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// Additional visible layers.
    pub layers: Vec<ViewerLayer>,
    /// Whether to use the light background.
    pub light: bool,
}

/// Renders a turntable video of files side by side, as the viewer shows them, and writes it. Needs
/// neither a window nor a display.
///
/// # Errors
/// See [`ViewerError`]. On failure an existing file is left unchanged.
pub fn turntable(files: &[PathBuf], wanted: &Turntable) -> Result<(), ViewerError> {
    render_turntable(files, wanted, &mut |_| ControlFlow::Continue(()))
}

/// Does the same as [`turntable`]; `each` receives the progress, 0 to 1, and may stop it. A stopped
/// video leaves no file behind.
pub(crate) fn render_turntable(
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
    // written to a temporary file first, so that a failure leaves an existing video unchanged
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

/// Frame rate of GIFs, which players honour reliably; their delays are in hundredths of a second.
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
        let look = Look { quality: Quality::Fine, ..session.look };
        session.picture(size, &look, |scene| offscreen.picture(&mut stage, scene))
    };
    let format = VideoFormat { size, fps, frames };
    let mut each = |number: usize| each(number as f32 / frames as f32);
    write_video(&format, container, out, &mut picture, &mut each).map_err(|error| match error {
        VideoError::Render(error) => error.into(),
        VideoError::Write(error) => screenshot::not_written(&wanted.file, &error),
        other => ViewerError::Screenshot(other.to_string()),
    })
}
