//! A kept clip as the file a program wants, without asking any service.

use limber_animation::{Character, Clip, ik};
use limber_cleanup::Trim;
use limber_formats::{glb, humanoid::Overrides, import::import};

use crate::{
    Cancel, FileKind, FileRate, HandCorrections, Message, Options, OutputFile, PipelineError,
    Preset, canonical_from_bytes, derive, edits, stock,
};

/// Who gets further than this travels, metres …
const TRAVELS_M: f32 = 0.5;
/// … and stays where a file shows no more of it than this share.
const STAYS: f32 = 0.4;

/// Whom the clip is shown on.
#[derive(Debug, Clone, Copy)]
pub struct Wearer<'a> {
    /// The id of a stock character; others are read from `glb`.
    pub stock: &'a str,
    /// A GLB that Limber wrote, which holds the character.
    pub glb: &'a [u8],
}

/// One file for one program.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The kept clip.
    pub canonical: &'a [u8],
    /// Who moves.
    pub wearer: Wearer<'a>,
    /// For which program.
    pub preset: Preset,
    /// Frames to go at the beginning and at the end.
    pub trim: (u32, u32),
    /// What those frames count in, per second.
    pub clip_fps: u32,
    /// Takes the travel over the ground out.
    pub in_place: bool,
    /// Frames per second of the file; `None` takes what the program is used to.
    pub fps: Option<u16>,
    /// What is changed by hand in the uncut clip.
    pub corrections: &'a HandCorrections,
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Not one of [`Options::FRAME_RATES`].
    #[error("{0} frames per second cannot be written; choose 24, 25, 30, 48, 50, 60 or 120")]
    FrameRate(u16),
    /// The pipeline made every file but this one.
    #[error("no {} file was made", .0.extension())]
    NotMade(FileKind),
    /// The GLB holds no character.
    #[error("the character cannot be read: {0}")]
    Character(String),
    /// A stage failed.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
}

impl Export<'_> {
    /// Walks the second half of the road.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn run(&self, cancel: &Cancel) -> Result<Vec<OutputFile>, ExportError> {
        let mut options = Options { in_place: self.in_place, ..Options::for_preset(self.preset) };
        if let Some(fps) = self.fps {
            let known = Options::FRAME_RATES.contains(&fps).then_some(fps);
            options.fps =
                known.and_then(limber_animation::Fps::new).ok_or(ExportError::FrameRate(fps))?;
        }
        let (kept, trim) = (canonical_from_bytes(self.canonical)?, self.trimmed());
        let kept = edits::rerun(&kept, trim)?;
        options.corrections = self.corrections.shifted(-(trim.left as f32));
        let output = self
            .wearer
            .dressed(|character| Ok(derive(&kept, character, 1, &options, cancel, &mut |_| {})?))?;
        let wanted = options.formats;
        Ok(output.files.into_iter().filter(|file| wanted.contains(&file.kind)).collect())
    }

    /// The cut in frames of the canonical clip.
    fn trimmed(&self) -> Trim {
        let rate = FileRate::new(self.clip_fps);
        let frames = |told: u32| rate.nearest_canonical(u64::from(told));
        Trim { left: frames(self.trim.0), right: frames(self.trim.1) }
    }
}

/// A file of a clip, made anew with other corrections, as a job makes it that asks for nothing special. Only
/// whether the travel was taken out is seen in the file that the job made; a job that asked for other physics,
/// foot locking, filtering, root or names is not known here.
#[derive(Debug, Clone, Copy)]
pub struct Again<'a> {
    /// The kept clip.
    pub canonical: &'a [u8],
    /// Who moves, with the GLB that the job made.
    pub wearer: Wearer<'a>,
    /// Frames per second of that GLB.
    pub fps: u16,
    /// What is changed by hand.
    pub corrections: &'a HandCorrections,
}

impl Again<'_> {
    /// Walks the second half of the road. A clip whose travel was taken out stays in its place.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn run(&self, kind: FileKind, cancel: &Cancel) -> Result<Vec<u8>, ExportError> {
        let kept = canonical_from_bytes(self.canonical)?;
        let options = Options {
            fps: limber_animation::Fps::new(self.fps).ok_or(ExportError::FrameRate(self.fps))?,
            in_place: is_in_place(&kept.clip, self.wearer.glb),
            formats: vec![kind],
            corrections: self.corrections.clone(),
            ..Options::default()
        };
        let output = self
            .wearer
            .dressed(|character| Ok(derive(&kept, character, 1, &options, cancel, &mut |_| {})?))?;
        let file = output.files.into_iter().find(|file| file.kind == kind);
        file.map(|file| file.bytes).ok_or(ExportError::NotMade(kind))
    }
}

impl Wearer<'_> {
    /// What to say of joints that corrections are about and the character lacks.
    ///
    /// # Errors
    /// When the character cannot be read.
    pub fn lacks(&self, corrections: &HandCorrections) -> Result<Vec<Message>, ExportError> {
        self.dressed(|character| Ok(corrections.missing_on(Some(character))))
    }

    /// Hands the character to `work`.
    fn dressed<T>(
        &self,
        work: impl FnOnce(&Character) -> Result<T, ExportError>,
    ) -> Result<T, ExportError> {
        match stock::find(self.stock) {
            Some(stock) => work(stock.character().map_err(ExportError::Pipeline)?),
            None => work(&character_of(self.glb)?),
        }
    }
}

/// Whether the file stays where the clip travels.
fn is_in_place(clip: &Clip, glb: &[u8]) -> bool {
    let file = glb::read(glb).ok().and_then(|read| read.clips.into_iter().next());
    file.is_some_and(|file| {
        let travels = travel_m(clip);
        travels > TRAVELS_M && travel_m(&file.clip) < STAYS * travels
    })
}

/// How far the hips are from where they begin, at most; over the ground, metres.
fn travel_m(clip: &Clip) -> f32 {
    let skeleton = clip.skeleton();
    let at = |pose| {
        let place = ik::standing(skeleton, pose, skeleton.hips()).0;
        glam::Vec2::new(place.x, place.z)
    };
    let begin = at(&clip.frames()[0]);
    clip.frames().iter().map(|pose| at(pose).distance(begin)).fold(0.0, f32::max)
}

fn character_of(glb: &[u8]) -> Result<Character, ExportError> {
    let read = import(glb, &Overrides::default());
    Ok(read.map_err(|error| ExportError::Character(error.to_string()))?.character)
}
