//! Video export: renders a clip with a moving camera, frame by frame.
//!
//! [`VideoRenderer`] renders any single frame; [`VideoRenderer::write`] renders all frames in order
//! and encodes each before the next is drawn, so that memory use does not depend on the length of
//! the video.

mod mp4;
mod stills;
mod yuv;

use std::{
    io::{Seek, Write},
    ops::ControlFlow,
    sync::Arc,
};

use image::RgbaImage;
use limber_animation::{Character, Clip, Fps};

use crate::{
    Backdrop, BodyBounds, Look, Painting, PictureSize, RenderError, Shot, ShotKind, Studio, Sweep,
    gif::GifWriter, stage::HUMAN_HEIGHT,
};

/// Pitch of video cameras, in radians: they look down a little. Close-ups of the face are taken
/// from nearly the same height.
const PITCH: f32 = 0.10;
const FACE_PITCH: f32 = 0.03;
/// Pitches for painted backdrops, in radians: the camera looks up, because the painted floor ends
/// about two thirds down the image and a character that walks away must approach that line. The
/// first pitch that keeps the camera high enough is used.
const PAINTED_PITCHES: [f32; 3] = [-0.10, -0.05, 0.0];
/// Minimum height of the camera, as a fraction of the body's height.
const LOWEST_EYE: f32 = 0.15;
/// Number of frames, spread over the video, from which the palette of a GIF is computed.
const PALETTE_PICTURES: usize = 8;
/// Maximum size of a frame in macroblocks of 16 × 16 pixels: the limit of H.264 level 5.2, which
/// most of today's decoders support.
const MAX_BLOCKS: u32 = 36_864;

/// The settings of a video.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VideoSettings {
    /// Size of each frame.
    pub size: PictureSize,
    /// Frame rate.
    pub fps: Fps,
    /// Number of frames; see [`VideoSettings::frames_at`].
    pub frames: usize,
    /// How the camera moves.
    pub camera: ShotKind,
    /// Camera angle from the character's front in the first frame, positive towards its left, in
    /// radians.
    pub angle: f32,
    /// What is behind the character.
    pub scenery: Scenery,
    /// Whether a shadow falls on the floor.
    pub shadow: bool,
}

/// What an encoder needs to know about a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VideoFormat {
    /// Size of each frame.
    pub size: PictureSize,
    /// Frame rate.
    pub fps: Fps,
    /// Number of frames, at least one.
    pub frames: usize,
}

/// What is behind the character. Colours are sRGB, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scenery {
    /// A single colour.
    Plain([f32; 3]),
    /// A studio whose floor curves up into the back wall (a cyclorama), in this colour.
    Studio([f32; 3]),
    /// A painted backdrop; it has no floor for a shadow to fall on.
    Painting(Painting),
}

impl VideoSettings {
    /// Returns how many frames at rate `to` last as long as `frames` frames at rate `from`, rounded
    /// to the nearest frame, at least one.
    #[must_use]
    pub const fn frames_at(frames: usize, from: Fps, to: Fps) -> usize {
        let (from, to) = (from.get() as usize, to.get() as usize);
        let rounded = (2 * frames * to + from) / (2 * from);
        if rounded == 0 { 1 } else { rounded }
    }
}

/// The file format of a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// H.264 High profile in MP4, BT.709 colours, with the index at the front so that playback can
    /// start during the download.
    Mp4,
    /// Animated GIF: at most 256 colours and 50 frames per second.
    Gif,
    /// A ZIP archive with one PNG per frame.
    Png,
}

impl Container {
    /// Checks whether the format supports a frame size and rate.
    ///
    /// # Errors
    /// If it does not: a sentence that says why.
    pub fn check(self, size: PictureSize, fps: Fps) -> Result<(), String> {
        let blocks = size.width.div_ceil(16) * size.height.div_ceil(16);
        match self {
            Self::Mp4 if size.width % 2 + size.height % 2 > 0 => {
                Err("an MP4's width and height must be even".to_owned())
            }
            Self::Mp4 if blocks > MAX_BLOCKS => Err(format!(
                "{} × {} pixels are more than an MP4 can have; use at most 3840 × 2400",
                size.width, size.height
            )),
            Self::Gif if fps.get() > 50 => {
                Err("a GIF shows at most 50 frames per second; use fps=50 or fewer".to_owned())
            }
            Self::Mp4 | Self::Gif | Self::Png => Ok(()),
        }
    }
}

/// Why a video could not be made.
#[derive(Debug, thiserror::Error)]
pub enum VideoError {
    /// A frame could not be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The encoder or muxer failed.
    #[error("the video could not be encoded: {0}")]
    Packing(String),
    /// The output could not be written.
    #[error("the video could not be written")]
    Write(#[from] std::io::Error),
    /// The caller cancelled.
    #[error("the video was cancelled")]
    Stopped,
}

impl VideoError {
    fn packing(why: impl std::fmt::Display) -> Self {
        Self::Packing(why.to_string())
    }
}

/// A video in the making. Must stay on the thread that created it.
#[derive(Debug)]
pub struct VideoRenderer {
    studio: Studio,
    shot: Shot,
    clip: Clip,
    settings: VideoSettings,
}

impl VideoRenderer {
    /// Sets up the scene and the camera. The clip must be on the character's skeleton.
    ///
    /// # Errors
    /// See [`Studio::new`]. [`RenderError::OtherSkeleton`] if the skeletons differ in their number
    /// of joints.
    pub fn new(
        character: &Arc<Character>,
        clip: Clip,
        settings: VideoSettings,
    ) -> Result<Self, RenderError> {
        let (pose, own) = (clip.skeleton().len(), character.skeleton.len());
        if pose != own {
            return Err(RenderError::OtherSkeleton { pose, character: own });
        }
        let bounds = BodyBounds::of(character);
        let height = bounds.at(&character.skeleton.rest_world()).size().y;
        let shot = shot(character, &clip, &settings, LOWEST_EYE * height);
        let mut studio = Studio::new(Arc::clone(character), settings.size)?;
        let backdrop = match settings.scenery {
            Scenery::Plain(color) => Backdrop::Plain(color),
            Scenery::Studio(color) => {
                let room = bounds.over(&clip);
                Backdrop::Sweep(Sweep::behind(
                    &room,
                    &shot.camera_at(0),
                    color,
                    height / HUMAN_HEIGHT,
                ))
            }
            Scenery::Painting(painting) => {
                studio.set_backdrop_picture(&painting.paint(settings.size))?;
                Backdrop::Picture
            }
        };
        studio.look =
            Look { backdrop, floor_shadow: settings.shadow, grid: false, ..Look::default() };
        Ok(Self { studio, shot, clip, settings })
    }

    /// Renders one frame; the first is 0.
    ///
    /// # Errors
    /// See [`Studio::picture`].
    pub fn picture(&mut self, number: usize) -> Result<RgbaImage, RenderError> {
        let time_s = number as f32 / self.settings.fps.per_second();
        let camera = self.shot.camera_at_time(time_s, &self.clip);
        self.studio.picture(&self.clip, time_s, &camera)
    }

    /// Renders and encodes all frames. Calls `each` after every frame with the number of frames
    /// done; `each` may cancel.
    ///
    /// # Errors
    /// See [`VideoError`].
    pub fn write<W: Write + Seek>(
        &mut self,
        container: Container,
        out: W,
        each: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<(), VideoError> {
        let VideoSettings { size, fps, frames, .. } = self.settings;
        let format = VideoFormat { size, fps, frames };
        write_video(&format, container, out, &mut |number| self.picture(number), each)
    }
}

/// Encodes a video from frames that `picture` renders by index, each right before it is encoded.
/// Calls `each` after every frame with the number of frames done; `each` may cancel.
///
/// # Errors
/// See [`VideoError`].
pub fn write_video<W: Write + Seek>(
    format: &VideoFormat,
    container: Container,
    out: W,
    picture: &mut dyn FnMut(usize) -> Result<RgbaImage, RenderError>,
    each: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<(), VideoError> {
    let mut encoder: Box<dyn FrameEncoder + '_> = match container {
        Container::Mp4 => Box::new(mp4::Mp4::begin(out, format)?),
        Container::Gif => Box::new(begin_gif(format, out, picture)?),
        Container::Png => Box::new(stills::Stills::begin(out)),
    };
    for number in 0..format.frames {
        encoder.add(&picture(number)?)?;
        if each(number + 1).is_break() {
            return Err(VideoError::Stopped);
        }
    }
    encoder.finish()
}

fn begin_gif<W: Write>(
    format: &VideoFormat,
    out: W,
    picture: &mut dyn FnMut(usize) -> Result<RgbaImage, RenderError>,
) -> Result<GifWriter<W>, VideoError> {
    let count = format.frames.min(PALETTE_PICTURES);
    let sample = (0..count).map(|place| picture(place * format.frames / count));
    let sample = sample.collect::<Result<Vec<_>, _>>()?;
    Ok(GifWriter::begin(out, &sample, 1.0 / format.fps.per_second(), 255)?)
}

/// Plans the camera of a video. With a painted backdrop the camera stays at least `lowest_m` above
/// the floor if one of the pitches allows it.
fn shot(character: &Character, clip: &Clip, settings: &VideoSettings, lowest_m: f32) -> Shot {
    let looking = |pitch| {
        Shot::new(settings.camera, character, clip, (settings.angle, pitch), settings.size.aspect())
    };
    match (settings.camera, settings.scenery) {
        (ShotKind::Face, _) => looking(FACE_PITCH),
        (_, Scenery::Painting(_)) => {
            let mut shots = PAINTED_PITCHES.into_iter().map(looking);
            let high = shots.find(|shot| shot.camera_at(0).eye().y >= lowest_m);
            high.unwrap_or_else(|| looking(PITCH))
        }
        _ => looking(PITCH),
    }
}

/// An encoder that takes frames one by one.
trait FrameEncoder {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), VideoError>;

    /// Writes what is only known at the end, such as an index.
    fn finish(self: Box<Self>) -> Result<(), VideoError>;
}

impl<W: Write> FrameEncoder for GifWriter<W> {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), VideoError> {
        Ok(self.put(picture)?)
    }

    fn finish(self: Box<Self>) -> Result<(), VideoError> {
        Ok(self.end().map(drop)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fps(number: u16) -> Fps {
        Fps::new(number).expect("a rate")
    }

    #[test]
    fn a_video_is_as_long_as_its_clip_within_half_a_frame() {
        assert_eq!(VideoSettings::frames_at(60, fps(30), fps(30)), 60);
        assert_eq!(VideoSettings::frames_at(60, fps(30), fps(24)), 48);
        assert_eq!(VideoSettings::frames_at(61, fps(30), fps(25)), 51);
        assert_eq!(VideoSettings::frames_at(61, fps(30), fps(60)), 122);
        assert_eq!(VideoSettings::frames_at(3, fps(120), fps(24)), 1);
        assert_eq!(VideoSettings::frames_at(1, fps(120), fps(24)), 1);
    }

    #[test]
    fn cameras_stay_above_the_floor_in_front_of_backdrops() {
        let (character, clip) = crate::shot::tests::walker();
        let looking = |camera, scenery| {
            let settings = VideoSettings {
                size: PictureSize::new(640, 360),
                fps: Fps::DEFAULT,
                frames: 60,
                camera,
                angle: 0.6,
                scenery,
                shadow: false,
            };
            shot(&character, &clip, &settings, 0.25).camera_at(0)
        };
        let painting = Scenery::Painting(Painting::GoldenAgeGlitz);
        for camera in [ShotKind::Follow, ShotKind::Fixed] {
            let painted = looking(camera, painting);
            assert!(painted.pitch <= 0.0 && painted.eye().y >= 0.25, "{camera:?}: {painted:?}");
            assert_eq!(looking(camera, Scenery::Plain([0.5; 3])).pitch, PITCH);
        }
        assert_eq!(looking(ShotKind::Face, painting).pitch, FACE_PITCH);
    }

    #[test]
    fn container_limits_are_reported_with_advice() {
        let full = PictureSize::new(3840, 3840);
        assert!(Container::Png.check(full, fps(60)).is_ok());
        let why = Container::Mp4.check(full, fps(30)).expect_err("too large");
        assert!(why.contains("3840 × 2400"), "{why}");
        assert!(Container::Mp4.check(PictureSize::new(3840, 2400), fps(60)).is_ok());
        assert!(Container::Mp4.check(PictureSize::new(2400, 3840), fps(60)).is_ok());
        assert!(Container::Gif.check(full, fps(60)).is_err());
    }
}
