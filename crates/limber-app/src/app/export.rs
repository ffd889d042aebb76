//! Export to other programs. Files are made on this computer from the library, without a service.

use std::{
    fs,
    path::{Path, PathBuf},
    slice,
    sync::Arc,
};

use limber_domain::lock;
use limber_pipeline::{
    Cancel, Options, PipelineError,
    export::{Export, ExportError, TargetCharacter},
};

use super::App;
use crate::{
    AppError, Doing, ErrorCode, MessageView, Notice, folders,
    library::{CANONICAL, Clip, ClipId, not_made},
    views::{ExportFailure, ExportOutcome, ExportPreset, ExportProgress, ExportRequest},
};

/// Maximum number of clips in one export.
const MOST_CLIPS: usize = 100;

/// One file to export.
#[derive(Debug, Clone)]
struct Wanted {
    clip: Arc<Clip>,
    preset: ExportPreset,
    /// Frames to remove from the start and the end.
    trim: (u32, u32),
    in_place: bool,
    fps: Option<u16>,
}

impl Wanted {
    /// Returns the file name without extension, before any number that makes it unique.
    fn stem(&self) -> String {
        let stem = format!("{} {}", self.clip.file_stem(), self.preset.suffix());
        stem.trim_end().to_owned()
    }

    /// Returns the file name with its extension.
    fn name(&self) -> String {
        let kinds = Options::for_preset(self.preset.kind()).formats;
        let endings = kinds.iter().map(|kind| kind.extension()).collect::<Vec<_>>();
        format!("{}.{}", self.stem(), endings.join("."))
    }
}

/// Why a file was not written.
#[derive(Debug)]
enum Unwritten {
    /// The export was cancelled.
    Cancelled,
    /// A problem with this file only; later ones may succeed.
    This(AppError),
    /// A problem with the folder, the disk or the request that affects all remaining files.
    All(AppError),
}

impl From<AppError> for Unwritten {
    fn from(error: AppError) -> Self {
        Self::This(error)
    }
}

impl From<ExportError> for Unwritten {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::FrameRate(_) => Self::All(AppError::new(
                ErrorCode::BadInput,
                MessageView::words(&error.to_string()),
            )),
            ExportError::Pipeline(PipelineError::Cancelled) => Self::Cancelled,
            other => Self::This(not_made(other)),
        }
    }
}

impl ExportOutcome {
    /// Records files that were not written, grouped by reason.
    fn miss(&mut self, files: &[Wanted], why: AppError) {
        let names = files.iter().map(Wanted::name);
        if let Some(known) = self.failed.iter_mut().find(|known| known.why == why) {
            known.files.extend(names);
        } else {
            self.failed.push(ExportFailure { why, files: names.collect() });
        }
    }
}

impl App {
    /// Asks for a folder and exports every clip for every program into it, one file after another,
    /// each written atomically. [`Events::exporting`](crate::Events::exporting) reports progress.
    /// Existing files are kept. Returns `None` if the user cancelled the dialog.
    ///
    /// # Errors
    /// If a clip no longer exists, the request is invalid, or the folder cannot be created. Later
    /// failures are part of the outcome, together with the files that were written.
    pub async fn export_clips(
        &self,
        request: ExportRequest,
    ) -> Result<Option<ExportOutcome>, AppError> {
        let wanted = self.files_to_export(&request)?;
        let cancel = Cancel::default();
        *lock(&self.inner.exporting) = cancel.clone();
        let Some(folder) = self.inner.environment.desktop.ask_for_folder().await else {
            return Ok(None);
        };
        let place = folder.clone();
        self.on_disk(move |_| {
            fs::create_dir_all(&place).map_err(|error| AppError::disk(Doing::WriteFile, &error))
        })
        .await?;
        let tell = |progress: ExportProgress| self.inner.environment.events.exporting(&progress);
        Ok(Some(self.export(&wanted, &folder, &cancel, tell).await))
    }

    /// Cancels the latest export, even within a file. Files written so far are kept.
    pub fn cancel_export(&self) {
        lock(&self.inner.exporting).cancel();
    }

    fn files_to_export(&self, request: &ExportRequest) -> Result<Vec<Wanted>, AppError> {
        let bad = |notice: Notice| AppError::new(ErrorCode::BadInput, notice);
        if request.presets.is_empty() {
            return Err(bad(Notice::NoProgram));
        }
        if !(1..=MOST_CLIPS).contains(&request.clips.len()) {
            return Err(bad(Notice::HowManyToExport { most: MOST_CLIPS }));
        }
        let mut wanted = Vec::new();
        for part in &request.clips {
            let clip = Arc::new(self.inner.library.find(&ClipId::parse(&part.id)?)?);
            if u64::from(part.trim_left) + u64::from(part.trim_right) >= u64::from(clip.frames) {
                return Err(bad(Notice::NothingLeft));
            }
            wanted.extend(request.presets.iter().map(|preset| Wanted {
                clip: Arc::clone(&clip),
                preset: *preset,
                trim: (part.trim_left, part.trim_right),
                in_place: request.in_place,
                fps: request.fps.and_then(|fps| u16::try_from(fps).ok()),
            }));
        }
        Ok(wanted)
    }

    /// Writes the files one after another and reports each before it is started.
    async fn export(
        &self,
        wanted: &[Wanted],
        folder: &Path,
        cancel: &Cancel,
        tell: impl Fn(ExportProgress),
    ) -> ExportOutcome {
        let count = |files: usize| u32::try_from(files).unwrap_or(u32::MAX);
        let all = count(wanted.len());
        let mut outcome = ExportOutcome {
            folder: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            files: vec![],
            all,
            failed: vec![],
            cancelled: false,
            place: self.saved_folder_id(folder),
        };
        for (done, file) in wanted.iter().enumerate() {
            tell(ExportProgress { done: count(done), all, clip: file.clip.file_stem() });
            let (this, place, stop) = (file.clone(), folder.to_owned(), cancel.clone());
            // one blocking task per file, so that a panic loses only that file
            let tried = self.on_disk(move |app| Ok(app.write(&this, &place, &stop))).await;
            match tried.unwrap_or_else(|error| Err(error.into())) {
                Ok(names) => outcome.files.extend(names),
                Err(Unwritten::This(why)) => outcome.miss(slice::from_ref(file), why),
                Err(Unwritten::All(why)) => {
                    outcome.miss(&wanted[done..], why);
                    break;
                }
                Err(Unwritten::Cancelled) => {
                    outcome.cancelled = true;
                    break;
                }
            }
        }
        outcome
    }

    /// Makes one file and writes it atomically; returns the names of the files written.
    fn write(
        &self,
        wanted: &Wanted,
        folder: &Path,
        cancel: &Cancel,
    ) -> Result<Vec<String>, Unwritten> {
        if cancel.is_cancelled() {
            return Err(Unwritten::Cancelled);
        }
        let (library, clip) = (&self.inner.library, &wanted.clip);
        if !clip.files.contains_key(CANONICAL) {
            return Err(Unwritten::This(AppError::new(ErrorCode::NotFound, Notice::NotExportable)));
        }
        let canonical = library.read(clip, CANONICAL)?;
        let worn = library.read(clip, "glb")?;
        let by_hand = library.by_hand(clip)?;
        let export = Export {
            canonical: &canonical,
            character: TargetCharacter { stock: &clip.character_id, glb: &worn },
            preset: wanted.preset.kind(),
            trim: wanted.trim,
            clip_fps: clip.fps,
            in_place: wanted.in_place,
            fps: wanted.fps,
            corrections: &by_hand,
        };
        let mut names = Vec::new();
        for file in export.run(cancel)? {
            // do not recreate the folder: the user moved it or unplugged its drive
            if !folder.is_dir() {
                return Err(Unwritten::All(AppError::new(
                    ErrorCode::DiskRefused,
                    Notice::FolderGone,
                )));
            }
            let to = free_name(folder, &wanted.stem(), file.kind.extension());
            folders::replace(&to, &file.bytes)
                .map_err(|error| Unwritten::All(AppError::disk(Doing::WriteFile, &error)))?;
            names.push(to.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
        Ok(names)
    }
}

impl ExportPreset {
    const fn kind(self) -> limber_pipeline::Preset {
        use limber_pipeline::Preset;
        match self {
            Self::Blender => Preset::Blender,
            // both use the FBX as it is
            Self::Unity | Self::Fbx => Preset::Unity,
            Self::Mixamo => Preset::MixamoNames,
            Self::Vrma => Preset::Vrma,
            Self::Unreal => Preset::Unreal5,
            Self::Web => Preset::Gltf,
            Self::Bvh => Preset::Bvh,
        }
    }

    /// Distinguishes files with the same extension.
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

/// Returns a path that does not exist yet.
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
    use std::{collections::BTreeMap, sync::Mutex};

    use chrono::DateTime;
    use limber_client::motion::{JobId, VariantId};
    use limber_domain::hex;
    use limber_pipeline::{Composer, Prompt, Request, Seed, canonical_to_bytes, make, stock};
    use sha2::{Digest, Sha256};
    use tempfile::TempDir;

    use super::*;
    use crate::{library::ClipFile, testing};

    /// A library with three variants of a walk, and a BVH export of each.
    fn three_walks() -> (TempDir, App, Vec<Wanted>) {
        let home = tempfile::tempdir().expect("a folder");
        let app = testing::app(home.path());
        let prompt = Prompt::parse("a person walks forward").expect("a prompt");
        let request = Request { duration_s: Some(2.0), ..Request::new(prompt, Seed(5)) };
        let made = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
        let canonical = canonical_to_bytes(&made).expect("it can be stored");
        let files: [(&str, &[u8]); 2] = [(CANONICAL, &canonical), ("glb", b"glTF")];
        let wanted = (1..=3).map(|number| walk(&app, number, &files)).collect();
        (home, app, wanted)
    }

    fn walk(app: &App, number: u32, files: &[(&str, &[u8])]) -> Wanted {
        let library = &app.inner.library;
        let id = ClipId {
            job: JobId::parse("job-000000000001").expect("an id"),
            variant: VariantId::new(number).expect("from 1"),
        };
        let kept = files.iter().map(|(ending, bytes)| {
            folders::replace(&library.path(&id, ending), bytes).expect("arrived");
            let sha256 = hex(&Sha256::digest(bytes));
            ((*ending).to_owned(), ClipFile { bytes: bytes.len() as u64, sha256 })
        });
        let files: BTreeMap<_, _> = kept.collect();
        let clip = Clip {
            id,
            variants: 3,
            prompt: "walks".into(),
            name: None,
            character_id: stock::list()[0].id.into(),
            character_name: "Ada".into(),
            frames: 60,
            fps: 30,
            seed: None,
            script: None,
            made_at: DateTime::from_timestamp(5, 0).expect("a time"),
            origin: None,
            quality: None,
            tags: vec![],
            told: vec![],
            files,
        };
        library.add(clip.clone()).expect("added");
        Wanted {
            clip: Arc::new(clip),
            preset: ExportPreset::Bvh,
            trim: (0, 0),
            in_place: false,
            fps: None,
        }
    }

    fn names_in(folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).expect("it exists");
        let mut names: Vec<String> = files
            .map(|file| file.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_cancelled_export_keeps_complete_files_only() {
        let (_home, app, wanted) = three_walks();
        let folder = tempfile::tempdir().expect("a folder");
        let cancel = Cancel::default();
        let stop_at_the_second = |progress: ExportProgress| {
            if progress.done == 1 {
                cancel.cancel();
            }
        };
        let outcome = app.export(&wanted, folder.path(), &cancel, stop_at_the_second).await;
        assert!(outcome.cancelled && outcome.failed.is_empty(), "{outcome:?}");
        assert_eq!((outcome.files.len(), outcome.all), (1, 3));
        assert_eq!(names_in(folder.path()), ["walks 1.bvh"]);
    }

    #[tokio::test]
    async fn a_failed_clip_is_reported_and_the_others_are_written() {
        let (_home, app, mut wanted) = three_walks();
        wanted[1] = walk(&app, 2, &[("glb", b"glTF")]);
        let folder = tempfile::tempdir().expect("a folder");
        let told = Mutex::new(vec![]);
        let tell = |progress| told.lock().expect("not poisoned").push(progress);
        let outcome = app.export(&wanted, folder.path(), &Cancel::default(), tell).await;
        assert_eq!(outcome.files, ["walks 1.bvh", "walks 3.bvh"]);
        assert_eq!(names_in(folder.path()), outcome.files);
        let [failure] = outcome.failed.as_slice() else { panic!("one reason: {outcome:?}") };
        assert_eq!((failure.why.code, failure.files.len()), (ErrorCode::NotFound, 1));
        assert_eq!((failure.files[0].as_str(), outcome.cancelled), ("walks 2.bvh", false));
        let told = told.into_inner().expect("intact");
        let steps: Vec<_> = told.iter().map(|step| (step.done, step.all, &*step.clip)).collect();
        assert_eq!(steps, [(0, 3, "walks 1"), (1, 3, "walks 2"), (2, 3, "walks 3")]);
    }

    #[tokio::test]
    async fn a_disk_error_stops_the_export_and_written_files_are_reported() {
        let (_home, app, wanted) = three_walks();
        let folder = tempfile::tempdir().expect("a folder");
        // blocks the path that the second file would be written to
        fs::create_dir(folder.path().join("walks 2.bvh.new")).expect("made");
        let outcome = app.export(&wanted, folder.path(), &Cancel::default(), |_| {}).await;
        assert_eq!(outcome.files, ["walks 1.bvh"]);
        assert_eq!(names_in(folder.path()), ["walks 1.bvh", "walks 2.bvh.new"]);
        let [failure] = outcome.failed.as_slice() else { panic!("one reason: {outcome:?}") };
        assert_eq!(failure.why.code, ErrorCode::DiskRefused);
        assert_eq!(failure.files, ["walks 2.bvh", "walks 3.bvh"]);
    }

    #[tokio::test]
    async fn a_removed_folder_is_not_recreated() {
        let (_home, app, wanted) = three_walks();
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("stick");
        fs::create_dir(&folder).expect("made");
        let pull_out = |progress: ExportProgress| {
            if progress.done == 1 {
                fs::remove_dir_all(&folder).expect("gone");
            }
        };
        let outcome = app.export(&wanted, &folder, &Cancel::default(), pull_out).await;
        assert!(!folder.exists());
        let [failure] = outcome.failed.as_slice() else { panic!("one reason: {outcome:?}") };
        assert!(failure.why.message.text.contains("no longer exists"), "{failure:?}");
        assert_eq!(failure.files, ["walks 2.bvh", "walks 3.bvh"]);
    }

    #[test]
    fn existing_files_are_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = free_name(folder.path(), "walks", "glb");
        assert_eq!(first, folder.path().join("walks.glb"));
        std::fs::write(&first, "mine").expect("written");
        assert_eq!(free_name(folder.path(), "walks", "glb"), folder.path().join("walks 2.glb"));
    }
}
