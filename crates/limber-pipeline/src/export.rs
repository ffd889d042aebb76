//! Exports a stored clip as the file for a program, locally and without any service.

use limber_animation::{Character, Clip, ik};
use limber_cleanup::Trim;
use limber_domain::limits::{FILE_FRAME_RATES, listed};
use limber_formats::{glb, humanoid::Overrides, import::import};

use crate::{
    Cancel, FileKind, FileRate, HandCorrections, Message, Options, OutputFile, PipelineError,
    Preset, canonical_from_bytes, derive, edits, stock,
};

/// A clip whose hips get farther than this from their start travels, in metres.
const TRAVELS_M: f32 = 0.5;
/// A file counts as in place if it shows less than this fraction of the clip's travel.
const STAYS: f32 = 0.4;

/// The character that the clip is shown on.
#[derive(Debug, Clone, Copy)]
pub struct TargetCharacter<'a> {
    /// The id of a stock character; any other id means that the character is read from `glb`.
    pub stock: &'a str,
    /// A GLB written by Limber that contains the character.
    pub glb: &'a [u8],
}

/// An export of a clip for one program.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The stored clip, as bytes of [`crate::canonical_to_bytes()`].
    pub canonical: &'a [u8],
    /// The character.
    pub character: TargetCharacter<'a>,
    /// The program that the file is for.
    pub preset: Preset,
    /// Number of frames to trim at the start and at the end.
    pub trim: (u32, u32),
    /// The frame rate in which the trim is counted.
    pub clip_fps: u32,
    /// Whether to remove the travel over the ground.
    pub in_place: bool,
    /// Frame rate of the file; `None` takes the program's usual rate.
    pub fps: Option<u16>,
    /// Manual corrections of the untrimmed clip.
    pub corrections: &'a HandCorrections,
}

/// Why the export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The frame rate is not one of [`FILE_FRAME_RATES`].
    #[error(
        "{0} frames per second cannot be written; choose {rates}",
        rates = listed(&FILE_FRAME_RATES)
    )]
    FrameRate(u16),
    /// The pipeline did not make the requested file.
    #[error("no {} file was made", .0.extension())]
    NotMade(FileKind),
    /// The GLB contains no character.
    #[error("the character cannot be read: {0}")]
    Character(String),
    /// A stage of the pipeline failed.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
}

impl Export<'_> {
    /// Derives the file from the stored clip.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn run(&self, cancel: &Cancel) -> Result<Vec<OutputFile>, ExportError> {
        let mut options = Options { in_place: self.in_place, ..Options::for_preset(self.preset) };
        if let Some(fps) = self.fps {
            let known = FILE_FRAME_RATES.contains(&fps).then_some(fps);
            options.fps =
                known.and_then(limber_animation::Fps::new).ok_or(ExportError::FrameRate(fps))?;
        }
        let (kept, trim) = (canonical_from_bytes(self.canonical)?, self.trimmed());
        let kept = edits::rerun(&kept, trim)?;
        options.corrections = self.corrections.shifted(-(trim.left as f32));
        let output = self.character.with_character(|character| {
            Ok(derive(&kept, character, 1, &options, cancel, &mut |_| {})?)
        })?;
        let wanted = options.formats;
        Ok(output.files.into_iter().filter(|file| wanted.contains(&file.kind)).collect())
    }

    /// Returns the trim in frames of the canonical clip.
    fn trimmed(&self) -> Trim {
        let rate = FileRate::new(self.clip_fps);
        let frames = |told: u32| rate.nearest_canonical(u64::from(told));
        Trim { left: frames(self.trim.0), right: frames(self.trim.1) }
    }
}

/// A file of a clip made again with other corrections, as a job with default options would make it.
/// Only whether the travel was removed can be told from the job's file; other physics, foot
/// locking, filtering, root or names that the job asked for are not known here.
#[derive(Debug, Clone, Copy)]
pub struct Rederive<'a> {
    /// The stored clip, as bytes of [`crate::canonical_to_bytes()`].
    pub canonical: &'a [u8],
    /// The character, with the GLB that the job made.
    pub character: TargetCharacter<'a>,
    /// Frame rate of that GLB.
    pub fps: u16,
    /// Manual corrections.
    pub corrections: &'a HandCorrections,
}

impl Rederive<'_> {
    /// Derives the file from the stored clip. If the job removed the travel, it is removed again.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn run(&self, kind: FileKind, cancel: &Cancel) -> Result<Vec<u8>, ExportError> {
        let kept = canonical_from_bytes(self.canonical)?;
        let options = Options {
            fps: limber_animation::Fps::new(self.fps).ok_or(ExportError::FrameRate(self.fps))?,
            in_place: is_in_place(&kept.clip, self.character.glb),
            formats: vec![kind],
            corrections: self.corrections.clone(),
            ..Options::default()
        };
        let output = self.character.with_character(|character| {
            Ok(derive(&kept, character, 1, &options, cancel, &mut |_| {})?)
        })?;
        let file = output.files.into_iter().find(|file| file.kind == kind);
        file.map(|file| file.bytes).ok_or(ExportError::NotMade(kind))
    }
}

impl TargetCharacter<'_> {
    /// Returns a warning for each corrected joint that the character lacks.
    ///
    /// # Errors
    /// If the character cannot be read.
    pub fn missing_joints(
        &self,
        corrections: &HandCorrections,
    ) -> Result<Vec<Message>, ExportError> {
        self.with_character(|character| Ok(corrections.missing_on(Some(character))))
    }

    /// Reads the character and calls `work` with it.
    fn with_character<T>(
        &self,
        work: impl FnOnce(&Character) -> Result<T, ExportError>,
    ) -> Result<T, ExportError> {
        match stock::find(self.stock) {
            Some(stock) => work(stock.character().map_err(ExportError::Pipeline)?),
            None => work(&character_of(self.glb)?),
        }
    }
}

/// Whether the clip travels but the file does not.
fn is_in_place(clip: &Clip, glb: &[u8]) -> bool {
    let file = glb::read(glb).ok().and_then(|read| read.clips.into_iter().next());
    file.is_some_and(|file| {
        let travels = travel_m(clip);
        travels > TRAVELS_M && travel_m(&file.clip) < STAYS * travels
    })
}

/// Returns the maximum horizontal distance of the hips from their start, in metres.
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
