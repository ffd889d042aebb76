//! A finished clip to a film: video, moving picture or single pictures.
//!
//! What goes in is the file that the clip left, so that a film shows exactly what was saved. It is
//! drawn off screen by drivers that nobody here has written: programs that must not die of it make
//! films in a process of their own.

use std::{
    io::{Seek, Write},
    ops::ControlFlow,
    sync::Arc,
};

use limber_animation::{Character, Clip, Fps};
use limber_cleanup::Trim;
use limber_formats::glb;
use limber_render::{
    Container as Packed, Film, FilmError, Filming, PictureSize, RenderError, Scenery, ShotKind,
};
use serde::{Deserialize, Serialize};

use crate::{ErrorCode, PipelineError, Progress, Stage, backdrops, picture::to_png};

/// Frame rates that films may have.
pub const FRAME_RATES: [u16; 5] = [24, 25, 30, 50, 60];
/// The shortest and the longest side, pixels.
pub const SIDES: [u32; 2] = [128, 3840];
/// How far to the side a camera may stand, degrees.
pub const MAX_ANGLE: f32 = 90.0;

/// How the camera moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Camera {
    /// Goes after the hips and keeps the whole body in the picture.
    Cinematic,
    /// Stands still and has the whole clip in the picture.
    Fixed,
    /// Looks at face and chest.
    Face,
}

/// What a film is packed into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Container {
    /// H.264.
    Mp4,
    /// A moving picture that every program shows.
    Gif,
    /// A ZIP with a PNG for each picture.
    Png,
}

impl Container {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Mp4, Self::Gif, Self::Png];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Gif => "gif",
            Self::Png => "png",
        }
    }

    /// What file names end in.
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

/// A film that is wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FilmRequest {
    /// Pixels, within [`SIDES`] and even.
    pub width: u32,
    /// Pixels, within [`SIDES`] and even.
    pub height: u32,
    /// Pictures a second, one of [`FRAME_RATES`].
    pub fps: u16,
    /// The first frame of the clip that is shown.
    #[serde(default)]
    pub first_frame: usize,
    /// Frames of the clip that are shown.
    pub clip_frames: usize,
    /// Frames a second of the clip.
    pub clip_fps: u16,
    /// How the camera moves.
    pub camera: Camera,
    /// From the character's front in the first frame towards its left, degrees within
    /// [`MAX_ANGLE`].
    pub angle_deg: f32,
    /// sRGB, of what is behind the character or tints it.
    pub color: [u8; 3],
    /// What is behind the character; one colour where nothing is said.
    pub backdrop: Option<String>,
    /// Whether a shadow falls on the floor.
    pub shadow: bool,
    /// What it is packed into.
    pub container: Container,
}

impl FilmRequest {
    /// How many pictures the film has.
    #[must_use]
    pub fn pictures(&self) -> usize {
        match (Fps::new(self.clip_fps), Fps::new(self.fps)) {
            (Some(from), Some(to)) => Film::frames_at(self.clip_frames, from, to),
            _ => 0,
        }
    }

    /// How long making it may take, seconds: a minute, and twenty seconds for each second of it.
    #[must_use]
    pub fn limit_s(&self) -> f32 {
        60.0 + 20.0 * self.pictures() as f32 / f32::from(self.fps.max(1))
    }

    /// What is wrong with its numbers: the parameter's name and a sentence.
    ///
    /// # Errors
    /// Those two.
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
        if !FRAME_RATES.contains(&self.fps) || Fps::new(self.clip_fps).is_none() {
            return Err(("fps", "fps must be 24, 25, 30, 50 or 60".to_owned()));
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

/// Makes the film of a GLB with one animation. `each` is told how far it is, and may end it.
///
/// # Errors
/// Codes 1102, 1105, 1106 and 1107, and 498 for what has none; [`PipelineError::Cancelled`].
pub fn film<W: Write + Seek>(
    glb: &[u8],
    request: &FilmRequest,
    out: W,
    each: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), PipelineError> {
    report(each, Stage::Load, 0.0)?;
    request.check().map_err(|(_, message)| refuse(ErrorCode::RENDER_PARAMETERS, message))?;
    let (character, clip) = load(glb, request)?;
    let mut filming = Filming::new(&character, clip, ordered(request)?)
        .map_err(|error| refuse(code_of(&error), error.to_string()))?;
    report(each, Stage::Load, 1.0)?;
    report(each, Stage::Frames, 0.0)?;
    let total = request.pictures();
    let mut told =
        |done: usize| each(Progress { stage: Stage::Frames, share: done as f32 / total as f32 });
    filming.write(request.container.packed(), out, &mut told).map_err(|error| match error {
        FilmError::Stopped => PipelineError::Cancelled,
        FilmError::Render(error) => refuse(code_of(&error), error.to_string()),
        FilmError::Packing(_) => refuse(ErrorCode::UNKNOWN, error.to_string()),
        FilmError::Write(_) => refuse(
            ErrorCode::UNKNOWN,
            "the film cannot be written; ask the operator to check the disk".to_owned(),
        ),
    })
}

/// One picture of the film of a GLB as PNG; the last one where there are not so many.
///
/// # Errors
/// As [`film()`].
pub fn still(glb: &[u8], request: &FilmRequest, number: usize) -> Result<Vec<u8>, PipelineError> {
    request.check().map_err(|(_, message)| refuse(ErrorCode::RENDER_PARAMETERS, message))?;
    let (character, clip) = load(glb, request)?;
    let number = number.min(request.pictures().saturating_sub(1));
    let picture = Filming::new(&character, clip, ordered(request)?)
        .and_then(|mut filming| filming.picture(number))
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

/// The one character and the one clip of a file.
fn load(glb: &[u8], request: &FilmRequest) -> Result<(Arc<Character>, Clip), PipelineError> {
    let read = glb::read(glb).map_err(|error| {
        let message = format!("the character cannot be read ({error}); make the motion again");
        refuse(ErrorCode::RENDER_CHARACTER, message)
    })?;
    let clip = read.clips.into_iter().next().map(|named| named.clip);
    let clip = clip.filter(|_| request.clip_frames > 0).ok_or_else(|| {
        let message = "there is no movement in the character's file; make the motion again";
        refuse(ErrorCode::RENDER_CLIP, message.to_owned())
    })?;
    Ok((Arc::new(read.character), shown_part(&clip, request)?))
}

/// The clip without what is not shown of it. What is left stays where it is in the world.
fn shown_part(clip: &Clip, request: &FilmRequest) -> Result<Clip, PipelineError> {
    // the file's rate may be another than that in which frames are counted
    let (to, from) = (usize::from(clip.fps().get()), usize::from(request.clip_fps.max(1)));
    let in_file = |frame: usize| frame * to / from;
    let left = in_file(request.first_frame);
    let end = in_file(request.first_frame + request.clip_frames).max(left + 1);
    let trim = Trim { left, right: clip.len().saturating_sub(end) };
    limber_cleanup::trim(clip, trim)
        .map_err(|error| refuse(ErrorCode::RENDER_CLIP, format!("{error}; show an earlier part")))
}

fn ordered(request: &FilmRequest) -> Result<Film, PipelineError> {
    Ok(Film {
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

fn scenery(request: &FilmRequest) -> Result<Scenery, PipelineError> {
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

/// The code of a picture that cannot be drawn.
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
