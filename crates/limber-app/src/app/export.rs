//! Files for other programs, made on this computer from what the library keeps: no service is asked.

use std::path::{Path, PathBuf};

use limber_pipeline::{
    Cancel, PipelineError,
    export::{Export, ExportError, Wearer},
};

use super::App;
use crate::{
    AppError, ErrorCode, folders,
    library::{CANONICAL, Clip, ClipId},
    shown::{ExportOutcome, ExportPreset, ExportRequest},
};

/// So many clips are exported at once.
const MOST_CLIPS: usize = 100;

impl App {
    /// Asks for a folder and writes every clip for every program into it. Files that lie there
    /// already stay. `None` when the person closed the dialog.
    ///
    /// # Errors
    /// When a clip is gone, damaged or of an earlier version, or the disk refuses. What was written
    /// before stays.
    pub async fn export_clips(
        &self,
        request: ExportRequest,
    ) -> Result<Option<ExportOutcome>, AppError> {
        let clips = self.clips_to_export(&request)?;
        let Some(folder) = self.inner.around.desktop.ask_for_folder().await else {
            return Ok(None);
        };
        let place = folder.clone();
        let files = self
            .on_disk(move |app| {
                let mut files = Vec::new();
                for (clip, part) in clips.iter().zip(&request.clips) {
                    let trim = (part.trim_left, part.trim_right);
                    files.extend(app.export(clip, trim, &request, &place)?);
                }
                Ok(files)
            })
            .await?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Some(ExportOutcome { folder: name, files, place: self.place_of(&folder) }))
    }

    fn clips_to_export(&self, request: &ExportRequest) -> Result<Vec<Clip>, AppError> {
        let bad = |words: &str| AppError::new(ErrorCode::BadInput, words);
        if request.presets.is_empty() {
            return Err(bad("Choose at least one program to export for."));
        }
        if !(1..=MOST_CLIPS).contains(&request.clips.len()) {
            return Err(bad("Choose 1 to 100 clips to export."));
        }
        let clips = request.clips.iter().map(|part| {
            let clip = self.inner.library.find(&ClipId::parse(&part.id)?)?;
            if u64::from(part.trim_left) + u64::from(part.trim_right) >= u64::from(clip.frames) {
                return Err(bad("Nothing would be left of the clip. Move the trim handles apart."));
            }
            Ok(clip)
        });
        clips.collect()
    }

    /// Writes one clip for every program; answers the names of the files.
    fn export(
        &self,
        clip: &Clip,
        (trim_left, trim_right): (u32, u32),
        request: &ExportRequest,
        folder: &Path,
    ) -> Result<Vec<String>, AppError> {
        let library = &self.inner.library;
        if !clip.files.contains_key(CANONICAL) {
            return Err(AppError::new(
                ErrorCode::NotFound,
                "This clip was made before Limber kept what exports are made of. Save it as GLB, FBX \
                 or BVH from its card, or generate it again.",
            ));
        }
        let canonical = library.read(clip, CANONICAL)?;
        let worn = library.read(clip, "glb")?;
        let mut names = Vec::new();
        for preset in &request.presets {
            let export = Export {
                canonical: &canonical,
                wearer: Wearer { stock: &clip.character_id, glb: &worn },
                preset: preset.kind(),
                trim: (trim_left, trim_right),
                clip_fps: clip.fps,
                in_place: request.in_place,
                fps: request.fps.and_then(|fps| u16::try_from(fps).ok()),
            };
            for file in export.run(&Cancel::default()).map_err(explained)? {
                let stem = format!("{} {}", clip.file_stem(), preset.suffix());
                let to = free_name(folder, stem.trim_end(), file.kind.extension());
                folders::replace(&to, &file.bytes)
                    .map_err(|error| AppError::disk("write the file", &error))?;
                names.push(to.file_name().unwrap_or_default().to_string_lossy().into_owned());
            }
        }
        Ok(names)
    }
}

impl ExportPreset {
    const fn kind(self) -> limber_pipeline::Preset {
        use limber_pipeline::Preset;
        match self {
            Self::Blender => Preset::Blender,
            // both take the file as it is
            Self::Unity | Self::Fbx => Preset::Unity,
            Self::Mixamo => Preset::MixamoNames,
            Self::Vrma => Preset::Vrma,
            Self::Unreal => Preset::Unreal5,
            Self::Web => Preset::Gltf,
            Self::Bvh => Preset::Bvh,
        }
    }

    /// Tells files of one ending apart.
    const fn suffix(self) -> &'static str {
        match self {
            Self::Blender => "blender",
            Self::Unity => "unity",
            Self::Unreal => "unreal",
            Self::Mixamo => "mixamo",
            Self::Fbx | Self::Web | Self::Vrma | Self::Bvh => "",
        }
    }
}

fn explained(error: ExportError) -> AppError {
    match error {
        ExportError::FrameRate(_) => AppError::new(ErrorCode::BadInput, format!("{error}.")),
        ExportError::Character(_) => AppError::new(
            ErrorCode::FileDamaged,
            "The character of this clip cannot be read any more. Generate the clip again with the \
             same prompt and seed.",
        ),
        ExportError::Pipeline(PipelineError::Failed(failure)) => AppError::new(
            ErrorCode::JobFailed,
            format!("The file could not be made: {}.", failure.message),
        ),
        ExportError::Pipeline(_) => AppError::new(ErrorCode::JobFailed, "The export was stopped."),
    }
}

/// A name nobody has yet.
fn free_name(folder: &Path, stem: &str, ending: &str) -> PathBuf {
    let numbered = (2..).map(|number| format!("{stem} {number}"));
    std::iter::once(stem.to_owned())
        .chain(numbered)
        .map(|stem| folder.join(format!("{stem}.{ending}")))
        .find(|path| !path.exists())
        .unwrap_or_else(|| folder.join(format!("{stem}.{ending}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_lies_there_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = free_name(folder.path(), "walks", "glb");
        assert_eq!(first, folder.path().join("walks.glb"));
        std::fs::write(&first, "mine").expect("written");
        assert_eq!(free_name(folder.path(), "walks", "glb"), folder.path().join("walks 2.glb"));
    }
}
