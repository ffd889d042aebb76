//! The library of finished clips, one folder each. A clip exists once its `clip.json` does, which
//! is written last; anything else left behind by a crash is ignored and downloaded again.

mod bin;
mod corrections;
mod deletions;
mod details;
mod glb;
mod loop_gap;
mod names;
mod picture;
mod tags;

use std::{
    collections::{BTreeMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

use chrono::{DateTime, Utc};
use limber_client::motion::{Fetched, JobId, VariantId};
use limber_domain::{hex, lock};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    AppError, Doing, ErrorCode, Folders, MessageView, Notice, folders,
    journal::rfc3339,
    views::{ChangeKind, ClipView, Picture, Quality, SaveFormat},
};

use deletions::DeletionLog;

pub(crate) use corrections::not_made;
pub use glb::{CLIP_SCHEME, ClipGlb};
pub(crate) use names::ClipName;
pub use picture::PICTURE_SCHEME;
pub(crate) use picture::data_url;
pub(crate) use tags::Tag;
#[cfg(test)]
pub(crate) use tests::clip;

/// Extension of the canonical motion, from which all other files can be made.
pub(crate) const CANONICAL: &str = "canonical";
/// Extension of the animated thumbnail.
pub(crate) const PICTURE: &str = "png";
/// Extension of the quality metrics.
pub(crate) const METRICS: &str = "metrics.json";

/// A clip's ID: a job and one of its variants.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct ClipId {
    pub job: JobId,
    pub variant: VariantId,
}

impl ClipId {
    /// Parses the output of [`Display`](std::fmt::Display) strictly, because the ID names a folder.
    pub(crate) fn parse(text: &str) -> Result<Self, AppError> {
        let unknown = || AppError::new(ErrorCode::NotFound, Notice::ClipUnknown);
        let (job, variant) = text.rsplit_once('.').ok_or_else(unknown)?;
        let number = variant.parse().map_err(|_| unknown())?;
        Ok(Self {
            job: JobId::parse(job).map_err(|_| unknown())?,
            variant: VariantId::new(number).ok_or_else(unknown)?,
        })
    }
}

impl std::fmt::Display for ClipId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}", self.job, self.variant.get())
    }
}

/// Size and checksum of a clip's file when it was downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClipFile {
    pub bytes: u64,
    pub sha256: String,
}

impl From<Fetched> for ClipFile {
    fn from(fetched: Fetched) -> Self {
        Self { bytes: fetched.bytes, sha256: fetched.sha256 }
    }
}

/// How a clip was derived from other clips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The source clips; some may have been deleted.
    pub made_from: Vec<ClipId>,
    /// The kind of edit, as spelt in [`CHANGES`]. A string, so that an edit unknown to this version
    /// does not make the record unreadable.
    change: String,
}

/// Spellings of edit kinds in records.
const CHANGES: [(ChangeKind, &str); 6] = [
    (ChangeKind::Painted, "painted over"),
    (ChangeKind::Joined, "joined"),
    (ChangeKind::Looped, "looped"),
    (ChangeKind::Refined, "refined"),
    (ChangeKind::Cut, "cut"),
    (ChangeKind::Rendered, "Film"),
];

impl Origin {
    pub(crate) fn new(made_from: Vec<ClipId>, kind: ChangeKind) -> Self {
        let known = CHANGES.iter().find(|(each, _)| *each == kind);
        Self { made_from, change: known.map_or("changed", |(_, words)| words).to_owned() }
    }

    /// Returns the kind of edit.
    pub(crate) fn kind(&self) -> ChangeKind {
        let known = CHANGES.iter().find(|(_, words)| *words == self.change);
        known.map_or(ChangeKind::Changed, |(kind, _)| *kind)
    }

    /// Returns the IDs of the source clips as the interface knows them.
    pub(crate) fn ids(&self) -> impl Iterator<Item = String> {
        self.made_from.iter().map(ClipId::to_string)
    }
}

/// The record of a clip, stored as `clip.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clip {
    pub id: ClipId,
    pub variants: u32,
    pub prompt: String,
    /// Name given by the user; absent from records of earlier versions.
    #[serde(default)]
    pub name: Option<ClipName>,
    pub character_id: String,
    pub character_name: String,
    pub frames: u32,
    pub fps: u32,
    pub seed: Option<String>,
    /// Absent from records of earlier versions.
    #[serde(default)]
    pub script: Option<String>,
    pub made_at: DateTime<Utc>,
    /// Absent for clips made from a prompt alone, and from records of earlier versions.
    #[serde(default)]
    pub origin: Option<Origin>,
    /// Absent if it was not measured, and from records of earlier versions.
    #[serde(default)]
    pub quality: Option<Quality>,
    /// Tags given by the user; absent from records of earlier versions.
    #[serde(default)]
    pub tags: Vec<Tag>,
    /// Notices of the service about the job, such as ignored words; absent from records of earlier
    /// versions.
    #[serde(default)]
    pub told: Vec<MessageView>,
    /// Files by extension.
    pub files: BTreeMap<String, ClipFile>,
}

impl Clip {
    fn view(&self, corrected: bool) -> ClipView {
        let formats = [SaveFormat::Glb, SaveFormat::Fbx, SaveFormat::Bvh];
        ClipView {
            id: self.id.to_string(),
            job_id: self.id.job.to_string(),
            variant: self.id.variant.get(),
            variants: self.variants,
            prompt: self.prompt.clone(),
            name: self.name.as_ref().map(|name| name.words().to_owned()),
            character_id: self.character_id.clone(),
            character_name: self.character_name.clone(),
            frames: self.frames,
            fps: self.fps.max(1),
            seed: self.seed.clone(),
            script: self.script.clone(),
            made_at: rfc3339(self.made_at),
            formats: formats.into_iter().filter(|f| self.files.contains_key(f.ending())).collect(),
            picture: self.picture(),
            made_from: self.origin.iter().flat_map(Origin::ids).collect(),
            change: self.origin.as_ref().map(Origin::kind),
            quality: self.quality,
            tags: self.tag_words(),
            told: self.told.clone(),
            corrected,
        }
    }

    fn picture(&self) -> Option<Picture> {
        let there = self.files.contains_key(PICTURE);
        there.then(|| picture::of_clip(&self.id, self.frames, self.fps))
    }

    /// Returns a portable file name without extension: the first words of the title.
    pub(crate) fn file_stem(&self) -> String {
        let words: String = self
            .title()
            .chars()
            .map(|letter| if letter.is_alphanumeric() { letter } else { ' ' })
            .collect();
        let mut name = words.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
        name = name.chars().take(60).collect::<String>().trim().to_lowercase();
        if name.is_empty() {
            name = "clip".to_owned();
        }
        if self.variants > 1 {
            name = format!("{name} {}", self.id.variant.get());
        }
        if is_device(&name) { format!("clip {name}") } else { name }
    }

    /// Returns the file name with the extension of a format.
    pub(crate) fn file_name(&self, format: SaveFormat) -> String {
        format!("{}.{}", self.file_stem(), format.ending())
    }
}

/// Returns whether Windows reserves the name for a device, with any extension.
fn is_device(name: &str) -> bool {
    let numbered = |kind: &str| {
        let number = name.strip_prefix(kind).map(|rest| rest.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    };
    ["con", "prn", "aux", "nul"].contains(&name) || numbered("com") || numbered("lpt")
}

/// The library, newest clip first.
#[derive(Debug)]
pub(crate) struct Library {
    folder: PathBuf,
    /// Folder of files made for the viewer.
    played: PathBuf,
    clips: Mutex<Vec<Clip>>,
    metered: loop_gap::Metered,
    made_files: corrections::MadeFiles,
    deletions: DeletionLog,
}

impl Library {
    /// Reads the records of all clips. Folders without one are incomplete and ignored.
    pub(crate) fn open(folders: &Folders) -> Self {
        let folder = folders.library();
        let mut clips = records_in(&folder);
        clips.sort_by(|a, b| b.made_at.cmp(&a.made_at).then(a.id.variant.cmp(&b.id.variant)));
        let metered = loop_gap::Metered::default();
        let made_files = corrections::MadeFiles::default();
        let deletions = DeletionLog::open(folders);
        // nothing is being played yet
        let played = folders.played();
        let _ = fs::remove_dir_all(&played);
        Self { folder, played, clips: Mutex::new(clips), metered, made_files, deletions }
    }

    pub(crate) fn views(&self) -> Vec<ClipView> {
        self.clips().iter().map(|clip| self.view_of(clip)).collect()
    }

    /// Returns those of the given clips that exist, newest first.
    pub(crate) fn views_of(&self, ids: &HashSet<ClipId>) -> Vec<ClipView> {
        let clips = self.clips();
        let asked = clips.iter().filter(|clip| ids.contains(&clip.id));
        asked.map(|clip| self.view_of(clip)).collect()
    }

    fn view_of(&self, clip: &Clip) -> ClipView {
        clip.view(self.is_corrected(&clip.id))
    }

    /// Returns whether the clip was ever downloaded, even if it is in the trash now.
    pub(crate) fn knows(&self, id: &ClipId) -> bool {
        self.clips().iter().any(|clip| clip.id == *id) || self.in_bin(id).exists()
    }

    pub(crate) fn find(&self, id: &ClipId) -> Result<Clip, AppError> {
        self.clips()
            .iter()
            .find(|clip| clip.id == *id)
            .cloned()
            .ok_or_else(|| AppError::new(ErrorCode::NotFound, Notice::ClipGone))
    }

    /// Returns when the first existing clip of a job was added.
    pub(crate) fn made_at(&self, job: &JobId) -> Option<DateTime<Utc>> {
        self.clips().iter().filter(|clip| clip.id.job == *job).map(|clip| clip.made_at).min()
    }

    /// Returns the path of a clip's file, which need not exist.
    pub(crate) fn path(&self, id: &ClipId, ending: &str) -> PathBuf {
        self.folder.join(id.to_string()).join(format!("clip.{ending}"))
    }

    /// Adds a clip whose files have been downloaded.
    pub(crate) fn add(&self, clip: Clip) -> io::Result<()> {
        folders::write_json(&self.folder.join(clip.id.to_string()).join("clip.json"), &clip)?;
        self.put_in_order(clip);
        Ok(())
    }

    fn put_in_order(&self, clip: Clip) {
        self.deletions.forget_restored(|id| *id == clip.id);
        let mut clips = self.clips();
        clips.retain(|known| known.id != clip.id);
        let newer = |known: &Clip| {
            (known.made_at, std::cmp::Reverse(known.id.variant))
                > (clip.made_at, std::cmp::Reverse(clip.id.variant))
        };
        let at = clips.partition_point(newer);
        clips.insert(at, clip);
    }

    /// Returns the number of clips and their size in bytes, for the library and for the trash.
    pub(crate) fn storage(&self) -> ((u32, u64), (u32, u64)) {
        (size_of(&self.folder), size_of(&self.bin()))
    }

    /// Reads a clip's file and verifies its checksum.
    pub(crate) fn read(&self, clip: &Clip, ending: &str) -> Result<Vec<u8>, AppError> {
        let missing =
            || AppError::new(ErrorCode::NotFound, Notice::NoSuchFile { kind: ending.to_owned() });
        let known = clip.files.get(ending).ok_or_else(missing)?;
        let bytes = fs::read(self.path(&clip.id, ending))
            .map_err(|error| AppError::disk(Doing::ReadClip, &error))?;
        if bytes.len() as u64 == known.bytes && hex(&Sha256::digest(&bytes)) == known.sha256 {
            return Ok(bytes);
        }
        Err(AppError::new(ErrorCode::FileDamaged, Notice::ClipDamaged))
    }

    /// Saves a clip with its corrections to the chosen path; an existing file is replaced
    /// atomically.
    pub(crate) fn save(&self, clip: &Clip, format: SaveFormat, to: &Path) -> Result<(), AppError> {
        let bytes = self.seen(clip, format)?;
        folders::replace(to, &bytes).map_err(|error| AppError::disk(Doing::SaveClip, &error))
    }

    /// Returns the clips without an animated thumbnail.
    pub(crate) fn without_picture(&self) -> Vec<ClipId> {
        let clips = self.clips();
        let lacking = clips.iter().filter(|clip| !clip.files.contains_key(PICTURE));
        lacking.map(|clip| clip.id.clone()).collect()
    }

    /// Adds a late animated thumbnail to its clip. Returns whether the clip still existed.
    pub(crate) fn take_picture(&self, id: &ClipId, file: ClipFile) -> bool {
        let Ok(mut clip) = self.find(id) else {
            // a deleted clip can be restored only if its folder does not exist
            let _ = fs::remove_file(self.path(id, PICTURE));
            let _ = fs::remove_dir(self.folder.join(id.to_string()));
            return false;
        };
        clip.files.insert(PICTURE.to_owned(), file);
        self.add(clip).is_ok()
    }

    /// Returns the animated thumbnail of a clip as PNG, if its layout matches the record.
    pub(crate) fn picture(&self, clip: &Clip) -> Result<Vec<u8>, AppError> {
        let png = self.read(clip, PICTURE)?;
        if clip.picture().is_some_and(|picture| picture::is_laid_out(&png, &picture)) {
            return Ok(png);
        }
        Err(AppError::new(ErrorCode::FileDamaged, Notice::NoPictureOfClip))
    }

    fn clips(&self) -> MutexGuard<'_, Vec<Clip>> {
        lock(&self.clips)
    }
}

/// Reads the records of all clips in a folder.
fn records_in(folder: &Path) -> Vec<Clip> {
    let mut clips: Vec<Clip> = Vec::new();
    for place in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(bytes) = fs::read(place.path().join("clip.json")) else { continue };
        match serde_json::from_slice(&bytes) {
            Ok(clip) => clips.push(clip),
            Err(error) => tracing::warn!(%error, "the record of a clip is damaged"),
        }
    }
    clips
}

/// Returns the number of clips in a folder and the size of their files in bytes.
fn size_of(folder: &Path) -> (u32, u64) {
    let (mut clips, mut bytes) = (0, 0);
    for place in fs::read_dir(folder).into_iter().flatten().flatten() {
        let files = fs::read_dir(place.path()).into_iter().flatten().flatten();
        let sizes = files.filter_map(|file| file.metadata().ok()).filter(fs::Metadata::is_file);
        bytes += sizes.map(|file| file.len()).sum::<u64>();
        clips += u32::from(place.path().join("clip.json").is_file());
    }
    (clips, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of the two clips of a job.
    pub(crate) fn clip(variant: u32) -> Clip {
        Clip {
            id: ClipId {
                job: JobId::parse("job-000000000001").expect("an id"),
                variant: VariantId::new(variant).expect("from 1"),
            },
            variants: 2,
            prompt: "Walks / ../ then: waves\n?".into(),
            name: None,
            character_id: "ada".into(),
            character_name: "Ada".into(),
            frames: 90,
            fps: 30,
            seed: Some("7".into()),
            script: Some("walk > wave".into()),
            made_at: DateTime::from_timestamp(5, 0).expect("a time"),
            origin: None,
            quality: None,
            tags: vec![],
            told: vec![],
            files: BTreeMap::new(),
        }
    }

    #[test]
    fn the_edit_is_read_from_every_record_version() {
        for (kind, words) in CHANGES {
            let origin = Origin::new(vec![], kind);
            assert_eq!((origin.change.as_str(), origin.kind()), (words, kind));
        }
        let newer = serde_json::json!({ "made_from": [], "change": "mirrored" });
        let newer: Origin = serde_json::from_value(newer).expect("a record");
        assert_eq!(newer.kind(), ChangeKind::Changed);
    }

    pub(super) fn library_with(bytes: &[u8]) -> (tempfile::TempDir, Library, Clip) {
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::open(&Folders::new(folder.path()));
        let mut clip = clip(1);
        let path = library.path(&clip.id, "glb");
        folders::replace(&path, bytes).expect("arrived");
        let file = ClipFile { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) };
        clip.files.insert("glb".into(), file);
        library.add(clip.clone()).expect("added");
        (folder, library, clip)
    }

    #[test]
    fn clips_survive_a_restart_and_unfinished_ones_do_not() {
        let (folder, library, clip) = library_with(b"glTF");
        let unfinished = library.path(&super::tests::clip(2).id, "glb");
        folders::replace(&unfinished, b"gl").expect("half of it");
        let later = Library::open(&Folders::new(folder.path()));
        assert_eq!(later.views().len(), 1);
        assert_eq!(later.find(&clip.id).expect("it exists"), clip);
    }

    #[test]
    fn a_clip_is_saved_completely_under_the_chosen_name() {
        let (folder, library, clip) = library_with(b"glTF");
        let to = folder.path().join("mine.glb");
        library.save(&clip, SaveFormat::Glb, &to).expect("saved");
        assert_eq!(fs::read(&to).expect("it exists"), b"glTF");
        let error = library.save(&clip, SaveFormat::Bvh, &to).expect_err("has no bvh");
        assert_eq!(error.code, ErrorCode::NotFound);
    }

    #[test]
    fn variants_keep_their_order() {
        let (_folder, library, first) = library_with(b"glTF");
        assert_eq!(library.made_at(&first.id.job), Some(first.made_at));
        library.add(clip(2)).expect("added");
        let order: Vec<u32> = library.views().iter().map(|clip| clip.variant).collect();
        assert_eq!(order, [1, 2]);
        let other = JobId::parse("job-000000000002").expect("an id");
        assert_eq!(library.made_at(&other), None);
    }

    #[test]
    fn a_damaged_file_is_not_served() {
        let (folder, library, clip) = library_with(b"glTF");
        fs::write(library.path(&clip.id, "glb"), b"glXF").expect("damage");
        let to = folder.path().join("mine.glb");
        let error = library.save(&clip, SaveFormat::Glb, &to).expect_err("damaged");
        assert_eq!(error.code, ErrorCode::FileDamaged);
        assert!(!to.exists());
    }

    #[test]
    fn file_names_fit_every_system() {
        assert_eq!(clip(2).file_name(SaveFormat::Glb), "walks then waves 2.glb");
        let unnamed = Clip { prompt: "🕺".into(), variants: 1, ..clip(1) };
        assert_eq!(unnamed.file_name(SaveFormat::Bvh), "clip.bvh");
        // Windows reserves these for devices, and writes names with a colon elsewhere
        for (name, file) in [
            ("CON", "clip con.glb"),
            ("Lpt1", "clip lpt1.glb"),
            ("com³", "clip com³.glb"),
            ("console", "console.glb"),
            ("com10", "com10.glb"),
            ("a:b", "a b.glb"),
            ("..\\up. ", "up.glb"),
        ] {
            let named = Clip { prompt: name.into(), variants: 1, ..clip(1) };
            assert_eq!(named.file_name(SaveFormat::Glb), file, "{name}");
        }
    }

    #[test]
    fn ids_with_path_components_are_rejected() {
        let id = clip(2).id;
        assert_eq!(ClipId::parse(&id.to_string()).expect("its own words"), id);
        for wrong in ["", "..", "../../etc.1", "job-000000000001", "job-000000000001.0"] {
            assert!(ClipId::parse(wrong).is_err(), "{wrong}");
        }
    }
}
