//! A kept clip as the file a program wants, without asking any service.

use limber_animation::Character;
use limber_cleanup::Trim;
use limber_formats::{humanoid::Overrides, import::import};

use crate::{
    Cancel, Options, OutputFile, PipelineError, Preset, canonical_from_bytes, derive, edits, stock,
};

/// Frames a second of canonical clips.
const CANONICAL_FPS: u32 = 30;

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
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Not one of [`Options::FRAME_RATES`].
    #[error("{0} frames per second cannot be written; choose 24, 25, 30, 48, 50, 60 or 120")]
    FrameRate(u16),
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
        let kept = canonical_from_bytes(self.canonical)?;
        let kept = edits::rerun(&kept, self.trimmed())?;
        let read;
        let character = match stock::find(self.wearer.stock) {
            Some(stock) => stock.character()?,
            None => {
                read = character_of(self.wearer.glb)?;
                &read
            }
        };
        let output = derive(&kept, character, 1, &options, cancel, &mut |_| {})?;
        let wanted = options.formats;
        Ok(output.files.into_iter().filter(|file| wanted.contains(&file.kind)).collect())
    }

    /// The cut in frames of the canonical clip.
    fn trimmed(&self) -> Trim {
        let frames = |told: u32| {
            let exact = u64::from(told) * u64::from(CANONICAL_FPS);
            let fps = u64::from(self.clip_fps.max(1));
            usize::try_from((exact + fps / 2) / fps).unwrap_or(usize::MAX)
        };
        Trim { left: frames(self.trim.0), right: frames(self.trim.1) }
    }
}

fn character_of(glb: &[u8]) -> Result<Character, ExportError> {
    let read = import(glb, &Overrides::default());
    Ok(read.map_err(|error| ExportError::Character(error.to_string()))?.character)
}
