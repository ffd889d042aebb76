//! The whole pipeline for the command line: prompt in, files in a folder out.
//!
//! Everything is made in memory first and written at the end, so that cancelling leaves nothing
//! behind. Files get their final names only when they are complete, and none is ever overwritten.

mod write;

use std::{
    borrow::Cow,
    io,
    path::{Path, PathBuf},
};

use limber_animation::{Character, Seconds};
use limber_domain::limits::{MAX_CHARACTER_BYTES, MAX_VARIANTS};
use limber_formats::import::ImportError;
use limber_script::{ClipEnds, ContradictoryEnds, Message, Script};
use limber_text_to_motion::{
    Cancel, MotionEngine, MotionRequest, Prompt, PromptError, Seed, script_of,
};

use crate::{
    ErrorCode, Metrics, Options, Output, PipelineError, Preset, Progress, Request, Stage,
    StageFailure, UnknownFormat, beside::import_file, parse_formats, run,
    stages::generate::refused, stock,
};

/// The arguments of the command.
#[derive(Debug, Clone)]
pub struct SayRequest {
    /// What the character does; with a script, only a label.
    pub prompt: String,
    /// Performed instead of the prompt.
    pub script: Option<Script>,
    /// How the clip begins and ends; overrides prompt and script.
    pub ends: ClipEnds,
    /// The id or name of a stock character, or the path of a character file; `None` for the
    /// default.
    pub character: Option<String>,
    /// The length of the clip in seconds; `None` leaves it to the actions.
    pub seconds: Option<Seconds>,
    /// Number of variants, 1 to [`MAX_VARIANTS`].
    pub variants: u32,
    /// The seed of all randomness.
    pub seed: Seed,
    /// Formats, for example `glb,bvh`; if empty, those of the preset or the default.
    pub formats: Vec<String>,
    /// The target program; see [`Preset`].
    pub preset: Option<String>,
    /// The output folder; created if it does not exist.
    pub out: PathBuf,
}

/// Progress over all variants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SayProgress {
    /// The current variant, counted from 1.
    pub variant: u32,
    /// Number of variants.
    pub variants: u32,
    /// Progress of this variant.
    pub progress: Progress,
}

impl SayProgress {
    /// Returns the overall progress in percent, 0 to 100.
    #[must_use]
    pub fn percent(self) -> f32 {
        let done = (self.variant - 1) as f32 * 100.0 + self.progress.percent();
        done / self.variants.max(1) as f32
    }
}

/// The result of the command.
#[derive(Debug, Clone, PartialEq)]
pub struct SayOutcome {
    /// The files in the order in which they were written.
    pub files: Vec<PathBuf>,
    /// The metrics of each variant.
    pub metrics: Vec<Metrics>,
    /// Warnings for the user, without duplicates.
    pub warnings: Vec<Message>,
}

/// Why nothing was made.
#[derive(Debug, thiserror::Error)]
pub enum SayError {
    /// The prompt is invalid.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// No clip can both loop and begin or end as requested.
    #[error(transparent)]
    Ends(#[from] ContradictoryEnds),
    /// A format is unknown or not supported.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// The preset is unknown.
    #[error("there is no preset `{0}`; choose one of: {1}")]
    UnknownPreset(String, String),
    /// The character file cannot be read.
    #[error("the character `{name}` could not be read: {reason}")]
    CharacterFile {
        /// File name, without its folder.
        name: String,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// The file contains no character that can be animated.
    #[error("error {}: `{name}`: {reason}", .reason.code())]
    CharacterRefused {
        /// File name, without its folder.
        name: String,
        /// What is wrong with it, and what to do.
        reason: ImportError,
    },
    /// There is no stock character with this name.
    #[error("there is no character `{0}`; choose a file, or one of: {1}")]
    UnknownCharacter(String, String),
    /// The number of variants is out of range.
    #[error("between 1 and {max} variants can be made, not {0}", max = MAX_VARIANTS)]
    Variants(u32),
    /// A stage failed.
    #[error("error {}: {}", .0.code, .0.message)]
    Failed(StageFailure),
    /// The caller cancelled; nothing was written.
    #[error("cancelled; nothing was written")]
    Cancelled,
    /// The folder or a file in it cannot be written.
    #[error("the files could not be written: {0}; choose another folder or free some space")]
    Write(std::io::Error),
}

impl SayError {
    /// Returns the exit code of the process: 2 for an invalid request, 130 if cancelled, 1 for all
    /// other failures.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Prompt(_)
            | Self::Ends(_)
            | Self::Format(_)
            | Self::UnknownPreset(..)
            | Self::CharacterFile { .. }
            | Self::UnknownCharacter(..)
            | Self::Variants(_) => 2,
            Self::CharacterRefused { .. } | Self::Failed(_) | Self::Write(_) => 1,
            Self::Cancelled => 130,
        }
    }
}

impl From<PipelineError> for SayError {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Cancelled => Self::Cancelled,
            PipelineError::Failed(failure) => Self::Failed(failure),
        }
    }
}

/// Makes all variants and writes their files.
///
/// # Errors
/// See [`SayError`].
pub fn say(
    request: &SayRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(SayProgress),
) -> Result<SayOutcome, SayError> {
    let prompt = Prompt::parse(&request.prompt)?;
    request.ends.check()?;
    let options = options(request)?;
    let (character, mut warnings) = character(request.character.as_deref())?;
    let variants = request.variants;
    if !(1..=MAX_VARIANTS).contains(&variants) {
        return Err(SayError::Variants(variants));
    }
    let mut outputs: Vec<Output> = Vec::new();
    for variant in 1..=variants {
        let request = Request {
            duration_s: request.seconds,
            variant,
            options: options.clone(),
            script: request.script.clone(),
            ends: request.ends,
            ..Request::new(prompt.clone(), request.seed)
        };
        let mut tell = |progress| report(SayProgress { variant, variants, progress });
        outputs.push(run(&request, engine, &character, cancel, &mut tell)?);
    }
    if cancel.is_cancelled() {
        return Err(SayError::Cancelled);
    }
    let files = write::all(&request.out, &outputs).map_err(SayError::Write)?;
    for warning in outputs.iter().flat_map(|output| &output.warnings) {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    let metrics = outputs.into_iter().map(|output| output.metrics).collect();
    Ok(SayOutcome { files, metrics, warnings })
}

/// How a prompt was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// A summary in one line: `walk dir:forward > wave side:right`.
    pub line: String,
    /// The script, which other programs can read and pass in instead of a prompt.
    pub script: Script,
    /// Warnings for the user, for example about ignored words.
    pub warnings: Vec<Message>,
}

/// Explains how a prompt is understood. With a seed, warnings also tell which parts would use
/// recorded motion; this requires generating the motion, which takes longer.
///
/// # Errors
/// [`SayError::Prompt`], or [`SayError::Failed`] if the prompt contains no known action.
pub fn explain(
    prompt: &str,
    seed: Option<Seed>,
    duration_s: Option<Seconds>,
    engine: &dyn MotionEngine,
) -> Result<Explained, SayError> {
    let prompt = Prompt::parse(prompt)?;
    let understood = engine.understand(&prompt);
    let understood = understood.map_err(|error| SayError::from(refused(&error)))?;
    let line = understood.script.to_string();
    let script = match understood.meaning {
        Some(script) => script,
        None => script_of(&understood.script).map_err(|error| {
            let message = error.to_string();
            PipelineError::at(Stage::Generate, ErrorCode::GENERATE, message)
        })?,
    };
    let mut warnings = understood.warnings;
    if let Some(seed) = seed {
        let ends = ClipEnds::default();
        let wanted = MotionRequest { prompt, script: None, ends, duration_s };
        let made = engine.generate(&wanted, seed, &Cancel::default(), &mut |_| {});
        warnings = made.map_err(|error| SayError::from(refused(&error)))?.warnings;
    }
    Ok(Explained { line, script, warnings })
}

fn options(request: &SayRequest) -> Result<Options, SayError> {
    let mut options = match request.preset.as_deref() {
        None => Options::default(),
        Some(word) => Options::for_preset(Preset::from_word(word).ok_or_else(|| {
            let known: Vec<&str> = Preset::ALL.iter().map(|preset| preset.rules().word).collect();
            SayError::UnknownPreset(word.chars().take(60).collect(), known.join(", "))
        })?),
    };
    if !request.formats.is_empty() {
        options.formats = parse_formats(request.formats.iter().map(String::as_str))?;
    }
    Ok(options)
}

/// A character, and warnings about how its rig was read.
type Taken = (Cow<'static, Character>, Vec<Message>);

fn character(name: Option<&str>) -> Result<Taken, SayError> {
    let wanted = name.unwrap_or("default");
    if let Some(stock) = stock::find(wanted) {
        return Ok((Cow::Borrowed(stock.character()?), Vec::new()));
    }
    let looks_like_file = wanted.contains(['/', '\\', '.']);
    if looks_like_file {
        return character_file(Path::new(wanted));
    }
    let known: Vec<&str> = stock::list().iter().map(|stock| stock.name).collect();
    Err(SayError::UnknownCharacter(wanted.chars().take(60).collect(), known.join(", ")))
}

fn character_file(path: &Path) -> Result<Taken, SayError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes =
        read_file(path).map_err(|reason| SayError::CharacterFile { name: name.clone(), reason })?;
    let taken =
        import_file(path, &bytes).map_err(|reason| SayError::CharacterRefused { name, reason })?;
    Ok((Cow::Owned(taken.character), taken.report.messages))
}

/// Reads a file of limited size.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_CHARACTER_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_CHARACTER_BYTES {
        let most_mb = MAX_CHARACTER_BYTES >> 20;
        let message = format!("it is larger than {most_mb} MB; use smaller textures");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}
