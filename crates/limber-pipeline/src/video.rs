//! Renders a finished clip as a video, an animated GIF or an image sequence.
//!
//! The input is the clip's saved file, so that a video shows exactly what was saved. Rendering runs
//! third-party graphics drivers, which may crash: programs that must survive that render in a
//! separate process.

use std::{
    io::{Seek, Write},
    ops::ControlFlow,
    sync::Arc,
};

use limber_animation::{Character, Clip, Fps};
use limber_cleanup::Trim;
use limber_domain::limits::{VIDEO_FRAME_RATES, listed};
use limber_formats::glb;
use limber_render::{
    Container as Packed, PictureSize, RenderError, Scenery, ShotKind, VideoError, VideoRenderer,
    VideoSettings,
};
use serde::{Deserialize, Serialize};

use crate::{ErrorCode, PipelineError, Progress, Stage, backdrops, picture::to_png};

/// Minimum and maximum length of a side, in pixels.
pub const SIDES: [u32; 2] = [128, 3840];
/// Maximum angle of the camera to either side, in degrees.
pub const MAX_ANGLE: f32 = 90.0;

/// How the camera moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Camera {
    /// Follows the hips and keeps the whole body in view.
    Cinematic,
    /// Stands still and shows the whole clip.
    Fixed,
    /// A close-up of face and chest.
    Face,
}

/// The file format of a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Container {
    /// H.264 in MP4.
    Mp4,
    /// Animated GIF.
    Gif,
    /// A ZIP archive with one PNG per frame.
    Png,
}

impl Container {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Mp4, Self::Gif, Self::Png];

    /// Returns the name used in the API.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Gif => "gif",
            Self::Png => "png",
        }
    }

    /// Returns the file extension, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Gif => "gif",
            Self::Png => "zip",
        }
    }

    const fn packed(self) -> Packed {
        match self {
            Self::Mp4 => Packed::Mp4,
            Self::Gif => Packed::Gif,
            Self::Png => Packed::Png,
        }
    }
}

/// A request for a video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VideoRequest {
    /// Width in pixels; even and within [`SIDES`].
    pub width: u32,
    /// Height in pixels; even and within [`SIDES`].
    pub height: u32,
    /// Frame rate; one of [`VIDEO_FRAME_RATES`].
    pub fps: u16,
    /// The first frame of the clip to show.
    #[serde(default)]
    pub first_frame: usize,
    /// Number of frames of the clip to show.
    pub clip_frames: usize,
    /// The frame rate in which `first_frame` and `clip_frames` are counted.
    pub clip_fps: u16,
    /// How the camera moves.
    pub camera: Camera,
    /// Camera angle from the character's front in the first frame, positive towards its left, in
    /// degrees, within [`MAX_ANGLE`].
    pub angle_deg: f32,
    /// sRGB colour of the backdrop, or its tint.
    pub color: [u8; 3],
    /// Name of the backdrop; `None` for a single colour.
    pub backdrop: Option<String>,
    /// Whether a shadow falls on the floor.
    pub shadow: bool,
    /// The file format.
    pub container: Container,
}

impl VideoRequest {
    /// Returns the number of frames of the video; 0 if a rate is invalid.
    #[must_use]
    pub fn pictures(&self) -> usize {
        match (Fps::new(self.clip_fps), Fps::new(self.fps)) {
            (Some(from), Some(to)) => VideoSettings::frames_at(self.clip_frames, from, to),
            _ => 0,
        }
    }

    /// Returns the time limit for rendering in seconds: one minute plus 20 seconds per second of
    /// video.
    #[must_use]
    pub fn limit_s(&self) -> f32 {
        60.0 + 20.0 * self.pictures() as f32 / f32::from(self.fps.max(1))
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// The name of an invalid parameter and a sentence that says what is wrong with it.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        for (name, side) in [("width", self.width), ("height", self.height)] {
            if !(SIDES[0]..=SIDES[1]).contains(&side) || side % 2 != 0 {
                let [least, most] = SIDES;
                return Err((
                    name,
                    format!("{name} must be an even number from {least} to {most}"),
                ));
            }
        }
        if !VIDEO_FRAME_RATES.contains(&self.fps) || Fps::new(self.clip_fps).is_none() {
            return Err(("fps", format!("fps must be {}", listed(&VIDEO_FRAME_RATES))));
        }
        if !(-MAX_ANGLE..=MAX_ANGLE).contains(&self.angle_deg) {
            let message = "camHorizontalAngle must be a number from -90 to 90 degrees";
            return Err(("camHorizontalAngle", message.to_owned()));
        }
        let (size, fps) = (PictureSize::new(self.width, self.height), Fps::new(self.fps));
        let fits = self.container.packed().check(size, fps.unwrap_or(Fps::DEFAULT));
        fits.map_err(|message| ("container", message))
    }
}

/// Renders the video of a GLB with one animation. Reports progress to `each`, which may cancel.
///
/// # Errors
/// Codes 1102, 1105, 1106 and 1107, or 498 for anything else; [`PipelineError::Cancelled`].
pub fn render<W: Write + Seek>(
    glb: &[u8],
    request: &VideoRequest,
    out: W,
    each: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), PipelineError> {
    report(each, Stage::Load, 0.0)?;
    request.check().map_err(|(_, message)| refuse(ErrorCode::RENDER_PARAMETERS, message))?;
    let (character, clip) = load(glb, request)?;
    let mut renderer = VideoRenderer::new(&character, clip, settings_of(request)?)
        .map_err(|error| refuse(code_of(&error), error.to_string()))?;
    report(each, Stage::Load, 1.0)?;
    report(each, Stage::Frames, 0.0)?;
    let total = request.pictures();
    let mut told =
        |done: usize| each(Progress { stage: Stage::Frames, share: done as f32 / total as f32 });
    renderer.write(request.container.packed(), out, &mut told).map_err(|error| match error {
        VideoError::Stopped => PipelineError::Cancelled,
        VideoError::Render(error) => refuse(code_of(&error), error.to_string()),
        VideoError::Packing(_) => refuse(ErrorCode::UNKNOWN, error.to_string()),
        VideoError::Write(_) => refuse(
            ErrorCode::UNKNOWN,
            "the video cannot be written; ask the operator to check the disk".to_owned(),
        ),
    })
}

/// Renders one frame of the video of a GLB as PNG; numbers beyond the end give the last frame.
///
/// # Errors
/// See [`render()`].
pub fn still(glb: &[u8], request: &VideoRequest, number: usize) -> Result<Vec<u8>, PipelineError> {
    request.check().map_err(|(_, message)| refuse(ErrorCode::RENDER_PARAMETERS, message))?;
    let (character, clip) = load(glb, request)?;
    let number = number.min(request.pictures().saturating_sub(1));
    let picture = VideoRenderer::new(&character, clip, settings_of(request)?)
        .and_then(|mut renderer| renderer.picture(number))
        .map_err(|error| refuse(code_of(&error), error.to_string()))?;
    to_png(&picture).map_err(|error| refuse(ErrorCode::UNKNOWN, error.to_string()))
}

fn report(
    each: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    stage: Stage,
    share: f32,
) -> Result<(), PipelineError> {
    match each(Progress { stage, share }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(PipelineError::Cancelled),
    }
}

/// Reads the character and the first clip of a file.
fn load(glb: &[u8], request: &VideoRequest) -> Result<(Arc<Character>, Clip), PipelineError> {
    let read = glb::read(glb).map_err(|error| {
        let message = format!("the character cannot be read ({error}); generate the motion again");
        refuse(ErrorCode::RENDER_CHARACTER, message)
    })?;
    let clip = read.clips.into_iter().next().map(|named| named.clip);
    let clip = clip.filter(|_| request.clip_frames > 0).ok_or_else(|| {
        let message = "the character's file contains no animation; generate the motion again";
        refuse(ErrorCode::RENDER_CLIP, message.to_owned())
    })?;
    Ok((Arc::new(read.character), shown_part(&clip, request)?))
}

/// Returns the part of the clip that is shown. It keeps its position in the world.
fn shown_part(clip: &Clip, request: &VideoRequest) -> Result<Clip, PipelineError> {
    // the file's rate may differ from the rate in which frames are counted
    let (to, from) = (usize::from(clip.fps().get()), usize::from(request.clip_fps.max(1)));
    let in_file = |frame: usize| frame * to / from;
    let left = in_file(request.first_frame);
    let end = in_file(request.first_frame + request.clip_frames).max(left + 1);
    let trim = Trim { left, right: clip.len().saturating_sub(end) };
    limber_cleanup::trim(clip, trim)
        .map_err(|error| refuse(ErrorCode::RENDER_CLIP, format!("{error}; show an earlier part")))
}

fn settings_of(request: &VideoRequest) -> Result<VideoSettings, PipelineError> {
    Ok(VideoSettings {
        size: PictureSize::new(request.width, request.height),
        fps: Fps::new(request.fps).unwrap_or(Fps::DEFAULT),
        frames: request.pictures(),
        camera: match request.camera {
            Camera::Cinematic => ShotKind::Follow,
            Camera::Fixed => ShotKind::Fixed,
            Camera::Face => ShotKind::Face,
        },
        angle: request.angle_deg.to_radians(),
        scenery: scenery(request)?,
        shadow: request.shadow,
    })
}

fn scenery(request: &VideoRequest) -> Result<Scenery, PipelineError> {
    let color = request.color.map(|band| f32::from(band) / 255.0);
    match request.backdrop.as_deref() {
        None => Ok(Scenery::Plain(color)),
        Some(backdrops::STUDIO) => Ok(Scenery::Studio(color)),
        Some(name) => backdrops::painting(name).map(Scenery::Painting).ok_or_else(|| {
            let message = "this version has no such backdrop; choose one of those it lists";
            refuse(ErrorCode::RENDER_BACKDROP, message.to_owned())
        }),
    }
}

/// Returns the code for an error of the renderer.
const fn code_of(error: &RenderError) -> ErrorCode {
    match error {
        RenderError::OtherSkeleton { .. } | RenderError::OtherSkins => ErrorCode::RENDER_CLIP,
        RenderError::Packing(_) | RenderError::Moving(_) => ErrorCode::UNKNOWN,
        RenderError::NoGraphics(_)
        | RenderError::Driver(_)
        | RenderError::Size { .. }
        | RenderError::NoSuchCharacter(_)
        | RenderError::Character(_) => ErrorCode::RENDER_CHARACTER,
    }
}

fn refuse(code: ErrorCode, message: String) -> PipelineError {
    PipelineError::at(Stage::Load, code, message)
}
