//! The options of a request and their validation.

use limber_animation::{Fps, Seconds};
use limber_cleanup::FootLockingMode;
use limber_domain::limits::{FILE_FRAME_RATES, listed};
use limber_formats::preset::{JointNames, KeyReduction, Preset, PresetFile};
use limber_script::{ClipEnds, Script};
use limber_text_to_motion::{Prompt, Seed};

use crate::{ErrorCode, HandCorrections};

/// A request for one variant.
#[derive(Debug, Clone)]
pub struct Request {
    /// What the character does.
    pub prompt: Prompt,
    /// Performed instead of the prompt, which is then only a label.
    pub script: Option<Script>,
    /// How the clip begins and ends; overrides prompt and script.
    pub ends: ClipEnds,
    /// The length of the clip in seconds; `None` leaves it to the actions.
    pub duration_s: Option<Seconds>,
    /// The seed of the job; the variant uses [`Seed::for_variant`] of it.
    pub seed: Seed,
    /// The variant, counted from 1.
    pub variant: u32,
    /// How the clip is finished and written.
    pub options: Options,
}

impl Request {
    /// Minimum length of a clip, in seconds.
    pub const MIN_DURATION_S: Seconds = 0.3;
    /// Maximum length of a clip, in seconds.
    pub const MAX_DURATION_S: Seconds = 60.0;

    /// Creates a request for the first variant with default options.
    #[must_use]
    pub fn new(prompt: Prompt, seed: Seed) -> Self {
        Self {
            prompt,
            script: None,
            ends: ClipEnds::default(),
            duration_s: None,
            seed,
            variant: 1,
            options: Options::default(),
        }
    }
}

/// A kind of output file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// Skeleton and rotations.
    Bvh,
    /// The character with the animation, for Unity, Unreal, Maya and Blender.
    Fbx,
    /// The FBX and its textures as separate files in one ZIP.
    FbxZip,
    /// The character with the animation.
    Glb,
    /// The motion of the human bones, for any VRM character.
    Vrma,
    /// Metrics of the clip as JSON.
    Metrics,
    /// The clip as a sprite sheet; see [`crate::picture`].
    Picture,
}

impl FileKind {
    /// The default formats.
    pub const CHOICES: [Self; 3] = [Self::Bvh, Self::Fbx, Self::Glb];

    /// Returns the file extension, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Bvh => "bvh",
            Self::Fbx => "fbx",
            Self::FbxZip => "zip",
            Self::Glb => "glb",
            Self::Vrma => "vrma",
            Self::Metrics => "json",
            Self::Picture => "png",
        }
    }
}

/// A format that cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownFormat {
    /// Support is planned.
    #[error("{0} files cannot be written yet; choose glb, fbx, bvh or vrma")]
    NotYet(String),
    /// The format is unknown.
    #[error("there is no format `{0}`; choose glb, fbx, bvh or vrma")]
    Unknown(String),
    /// The list is empty.
    #[error("no format is chosen; choose glb, fbx, bvh or vrma")]
    None,
}

/// Parses a list such as `glb,bvh`.
///
/// # Errors
/// See [`UnknownFormat`].
pub fn parse_formats<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<FileKind>, UnknownFormat> {
    let mut kinds = Vec::new();
    for name in names.into_iter().flat_map(|list| list.split(',')) {
        match name.trim().to_ascii_lowercase().as_str() {
            "" => {}
            "glb" => kinds.push(FileKind::Glb),
            "vrma" => kinds.push(FileKind::Vrma),
            "fbx" => kinds.push(FileKind::Fbx),
            "bvh" => kinds.push(FileKind::Bvh),
            known @ "mp4" => return Err(UnknownFormat::NotYet(known.to_owned())),
            other => return Err(UnknownFormat::Unknown(other.chars().take(20).collect())),
        }
    }
    kinds.sort();
    kinds.dedup();
    if kinds.is_empty() { Err(UnknownFormat::None) } else { Ok(kinds) }
}

/// How a clip is finished and written.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Frame rate of the files: one of [`FILE_FRAME_RATES`].
    pub fps: Fps,
    /// Whether the physics stage runs: it keeps the body out of the floor and out of itself, and
    /// joints within their limits.
    pub physics: bool,
    /// How feet are locked.
    pub foot_locking: FootLockingMode,
    /// Strength of the smoothing of jitter, from 0 (none) to 1.
    pub pose_filtering_strength: f32,
    /// Whether to add a root joint at the origin that carries the travel.
    pub root_at_origin: bool,
    /// Whether to remove the travel over the ground.
    pub in_place: bool,
    /// Which files are written.
    pub formats: Vec<FileKind>,
    /// Naming scheme of the joints in the files.
    pub names: JointNames,
    /// Which keys are omitted in FBX and GLB.
    pub keys: KeyReduction,
    /// Whether the FBX contains the mesh.
    pub mesh: bool,
    /// Whether the request fails if there is no facial animation.
    pub require_face: bool,
    /// Base name of the files; `None` takes the first words of the prompt.
    pub name: Option<String>,
    /// Manual corrections, applied before all stages.
    pub corrections: HandCorrections,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fps: Fps::DEFAULT,
            physics: true,
            foot_locking: FootLockingMode::default(),
            pose_filtering_strength: 0.0,
            root_at_origin: false,
            in_place: false,
            formats: FileKind::CHOICES.to_vec(),
            names: JointNames::Own,
            keys: KeyReduction::None,
            mesh: true,
            require_face: false,
            name: None,
            corrections: HandCorrections::default(),
        }
    }
}

/// An invalid option.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum OptionsError {
    /// Not one of the rates that engines and editors support.
    #[error(
        "{0} frames per second cannot be written; choose {rates}",
        rates = listed(&FILE_FRAME_RATES)
    )]
    FrameRate(u16),
    /// Not a number from 0 to 1.
    #[error("the filtering strength must be between 0 and 1")]
    FilteringStrength,
    /// Not from [`Request::MIN_DURATION_S`] to [`Request::MAX_DURATION_S`].
    #[error("the duration must be between 0.3 and 60 seconds")]
    Duration,
}

impl OptionsError {
    /// Returns the error code that clients know.
    #[must_use]
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::FrameRate(_) => ErrorCode::BVH_PARAMETERS,
            Self::FilteringStrength => ErrorCode::CORRECTION_PARAMETERS,
            Self::Duration => ErrorCode::GENERATE_PARAMETERS,
        }
    }
}

impl Options {
    /// Returns the options for a target program, with defaults for everything else.
    #[must_use]
    pub fn for_preset(preset: Preset) -> Self {
        let rules = preset.rules();
        let file = match rules.file {
            PresetFile::Glb => FileKind::Glb,
            PresetFile::Fbx => FileKind::Fbx,
            PresetFile::Vrma => FileKind::Vrma,
            PresetFile::Bvh => FileKind::Bvh,
        };
        Self {
            fps: rules.fps.and_then(Fps::new).unwrap_or(Fps::DEFAULT),
            root_at_origin: rules.root,
            formats: vec![file],
            names: rules.names,
            keys: rules.keys,
            mesh: rules.mesh,
            ..Self::default()
        }
    }

    /// Checks the constraints that the types do not enforce.
    ///
    /// # Errors
    /// See [`OptionsError`].
    pub fn check(&self) -> Result<(), OptionsError> {
        if !FILE_FRAME_RATES.contains(&self.fps.get()) {
            return Err(OptionsError::FrameRate(self.fps.get()));
        }
        // also rejects NaN
        if !(0.0..=1.0).contains(&self.pose_filtering_strength) {
            return Err(OptionsError::FilteringStrength);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_read_in_any_spelling_and_order() {
        assert_eq!(parse_formats(["GLB, bvh"]), Ok(vec![FileKind::Bvh, FileKind::Glb]));
        assert_eq!(parse_formats(["glb", "glb"]), Ok(vec![FileKind::Glb]));
        assert_eq!(parse_formats(["glb,FBX"]), Ok(vec![FileKind::Fbx, FileKind::Glb]));
        assert_eq!(parse_formats(["mp4"]), Err(UnknownFormat::NotYet("mp4".to_owned())));
        assert_eq!(parse_formats(["exe"]), Err(UnknownFormat::Unknown("exe".to_owned())));
        assert_eq!(parse_formats([","]), Err(UnknownFormat::None));
    }

    #[test]
    fn options_out_of_range_are_refused_with_their_code() {
        let strong = Options { pose_filtering_strength: f32::NAN, ..Options::default() };
        assert_eq!(
            strong.check().map_err(OptionsError::code),
            Err(ErrorCode::CORRECTION_PARAMETERS)
        );
        let odd = Options { fps: Fps::new(31).expect("a rate"), ..Options::default() };
        assert_eq!(odd.check().map_err(OptionsError::code), Err(ErrorCode::BVH_PARAMETERS));
        assert_eq!(Options::default().check(), Ok(()));
    }
}
