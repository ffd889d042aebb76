//! The finished clips, one folder each. A clip is in the library once its `clip.json` is there,
//! which is written last; whatever else a kill leaves behind is no clip and is fetched again.

mod bin;
mod corrections;
mod details;
mod glb;
mod loop_gap;
mod names;
mod picture;
mod tags;
mod thrown;

use std::{
    collections::{BTreeMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, Utc};
use limber_client::motion::{Fetched, JobId, VariantId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    AppError, Doing, ErrorCode, Folders, Notice, Told, folders,
    journal::rfc3339,
    shown::{ChangeKind, ClipShown, Picture, Quality, SaveFormat},
};

use thrown::ThrownAway;

pub(crate) use corrections::not_made;
pub use glb::{CLIP_SCHEME, ClipGlb};
pub(crate) use names::ClipName;
pub use picture::PICTURE_SCHEME;
pub(crate) use picture::data_url;
pub(crate) use tags::Tag;
#[cfg(test)]
pub(crate) use tests::clip;

/// The ending of the clip that every other file can be made of.
pub(crate) const CANONICAL: &str = "canonical";
/// The ending of a clip's moving picture.
pub(crate) const PICTURE: &str = "png";
/// The ending of a clip's measurements.
pub(crate) const METRICS: &str = "metrics.json";

/// One result of one job.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct ClipId {
    pub job: JobId,
    pub variant: VariantId,
}

impl ClipId {
    /// Reads what [`Display`](std::fmt::Display) wrote. Nothing else gets past: the id names a
    /// folder.
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

/// One file of a clip, as it was when it arrived.
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

/// Where a clip comes from that was made of others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// The clips; they may have been deleted since.
    pub made_from: Vec<ClipId>,
    /// What was done to them, as [`CHANGES`] has it. A text, so that what a newer Limber did to a clip
    /// does not hide the clip from this one.
    change: String,
}

/// How records say what was done.
const CHANGES: [(ChangeKind, &str); 6] = [
    (ChangeKind::Painted, "painted over"),
    (ChangeKind::Joined, "joined"),
    (ChangeKind::Looped, "looped"),
    (ChangeKind::Refined, "refined"),
    (ChangeKind::Cut, "cut"),
    (ChangeKind::Filmed, "Film"),
];

impl Origin {
    pub(crate) fn new(made_from: Vec<ClipId>, kind: ChangeKind) -> Self {
        let known = CHANGES.iter().find(|(each, _)| *each == kind);
        Self { made_from, change: known.map_or("changed", |(_, words)| words).to_owned() }
    }

    /// What was done to the clips.
    pub(crate) fn kind(&self) -> ChangeKind {
        let known = CHANGES.iter().find(|(_, words)| *words == self.change);
        known.map_or(ChangeKind::Changed, |(kind, _)| *kind)
    }

    /// The clips' ids as the interface knows them.
    pub(crate) fn ids(&self) -> impl Iterator<Item = String> {
        self.made_from.iter().map(ClipId::to_string)
    }
}

/// What is known of a clip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clip {
    pub id: ClipId,
    pub variants: u32,
    pub prompt: String,
    /// What somebody called it; absent from records of earlier versions.
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
    /// Absent where words alone were made a clip, and from records of earlier versions.
    #[serde(default)]
    pub origin: Option<Origin>,
    /// Absent where it was not measured, and from records of earlier versions.
    #[serde(default)]
    pub quality: Option<Quality>,
    /// What somebody filed it under; absent from records of earlier versions.
    #[serde(default)]
    pub tags: Vec<Tag>,
    /// What the service said of its job, such as words that it passed over; absent from records of earlier
    /// versions.
    #[serde(default)]
    pub told: Vec<Told>,
    /// By ending.
    pub files: BTreeMap<String, ClipFile>,
}

impl Clip {
    fn shown(&self, corrected: bool) -> ClipShown {
        let formats = [SaveFormat::Glb, SaveFormat::Fbx, SaveFormat::Bvh];
        ClipShown {
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

    /// A file name that every system takes, without an ending: the first words of what it is called.
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

    /// The same for a file of this format.
    pub(crate) fn file_name(&self, format: SaveFormat) -> String {
        format!("{}.{}", self.file_stem(), format.ending())
    }
}

/// Whether Windows takes a name, whatever its ending, for one of its devices: no file can have it there.
fn is_device(name: &str) -> bool {
    let numbered = |kind: &str| {
        let number = name.strip_prefix(kind).map(|rest| rest.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    };
    ["con", "prn", "aux", "nul"].contains(&name) || numbered("com") || numbered("lpt")
}

/// All clips, newest first.
#[derive(Debug)]
pub(crate) struct Library {
    folder: PathBuf,
    /// Files that were made to be played.
    played: PathBuf,
    clips: Mutex<Vec<Clip>>,
    metered: loop_gap::Metered,
    made_files: corrections::MadeFiles,
    thrown: ThrownAway,
}

impl Library {
    /// Reads every clip's record. Folders without one are unfinished and stay out.
    pub(crate) fn open(folders: &Folders) -> Self {
        let folder = folders.library();
        let mut clips = records_in(&folder);
        clips.sort_by(|a, b| b.made_at.cmp(&a.made_at).then(a.id.variant.cmp(&b.id.variant)));
        let metered = loop_gap::Metered::default();
        let made_files = corrections::MadeFiles::default();
        let thrown = ThrownAway::open(folders);
        // nobody plays anything yet
        let played = folders.played();
        let _ = fs::remove_dir_all(&played);
        Self { folder, played, clips: Mutex::new(clips), metered, made_files, thrown }
    }

    pub(crate) fn shown(&self) -> Vec<ClipShown> {
        self.clips().iter().map(|clip| self.shown_as_seen(clip)).collect()
    }

    /// Those of these clips that are there, newest first.
    pub(crate) fn shown_of(&self, ids: &HashSet<ClipId>) -> Vec<ClipShown> {
        let clips = self.clips();
        let asked = clips.iter().filter(|clip| ids.contains(&clip.id));
        asked.map(|clip| self.shown_as_seen(clip)).collect()
    }

    fn shown_as_seen(&self, clip: &Clip) -> ClipShown {
        clip.shown(self.is_corrected(&clip.id))
    }

    /// Whether the clip has arrived once, even if it was deleted since.
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

    /// When the first clip of a job arrived that is there.
    pub(crate) fn made_at(&self, job: &JobId) -> Option<DateTime<Utc>> {
        self.clips().iter().filter(|clip| clip.id.job == *job).map(|clip| clip.made_at).min()
    }

    /// Where a file of a clip lies or shall lie.
    pub(crate) fn path(&self, id: &ClipId, ending: &str) -> PathBuf {
        self.folder.join(id.to_string()).join(format!("clip.{ending}"))
    }

    /// Takes a clip in whose files have arrived.
    pub(crate) fn add(&self, clip: Clip) -> io::Result<()> {
        folders::write_json(&self.folder.join(clip.id.to_string()).join("clip.json"), &clip)?;
        self.put_in_order(clip);
        Ok(())
    }

    fn put_in_order(&self, clip: Clip) {
        self.thrown.take_back(|id| *id == clip.id);
        let mut clips = self.clips();
        clips.retain(|known| known.id != clip.id);
        let newer = |known: &Clip| {
            (known.made_at, std::cmp::Reverse(known.id.variant))
                > (clip.made_at, std::cmp::Reverse(clip.id.variant))
        };
        let at = clips.partition_point(newer);
        clips.insert(at, clip);
    }

    /// How many clips there are and what they take up, and the same of the bin; bytes.
    pub(crate) fn storage(&self) -> ((u32, u64), (u32, u64)) {
        (size_of(&self.folder), size_of(&self.bin()))
    }

    /// The bytes of a clip's file, checked against what arrived.
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

    /// Writes a clip as it is seen where the person said; an older file there stays whole until the new one
    /// is.
    pub(crate) fn save(&self, clip: &Clip, format: SaveFormat, to: &Path) -> Result<(), AppError> {
        let bytes = self.seen(clip, format)?;
        folders::replace(to, &bytes).map_err(|error| AppError::disk(Doing::SaveClip, &error))
    }

    /// Clips that have come without their moving picture.
    pub(crate) fn without_picture(&self) -> Vec<ClipId> {
        let clips = self.clips();
        let lacking = clips.iter().filter(|clip| !clip.files.contains_key(PICTURE));
        lacking.map(|clip| clip.id.clone()).collect()
    }

    /// Takes a clip's moving picture in, which has arrived after it. Answers whether the clip was still
    /// there.
    pub(crate) fn take_picture(&self, id: &ClipId, file: ClipFile) -> bool {
        let Ok(mut clip) = self.find(id) else {
            // a deleted clip comes back to this place only while nothing lies there
            let _ = fs::remove_file(self.path(id, PICTURE));
            let _ = fs::remove_dir(self.folder.join(id.to_string()));
            return false;
        };
        clip.files.insert(PICTURE.to_owned(), file);
        self.add(clip).is_ok()
    }

    /// The moving picture of a clip as PNG, if it is laid out as its record says.
    pub(crate) fn picture(&self, clip: &Clip) -> Result<Vec<u8>, AppError> {
        let png = self.read(clip, PICTURE)?;
        if clip.picture().is_some_and(|picture| picture::is_laid_out(&png, &picture)) {
            return Ok(png);
        }
        Err(AppError::new(ErrorCode::FileDamaged, Notice::NoPictureOfClip))
    }

    fn clips(&self) -> MutexGuard<'_, Vec<Clip>> {
        self.clips.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The records of all clips in a folder.
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

/// How many clips a folder holds, and their files' bytes.
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

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
    fn what_was_done_to_a_clip_is_read_from_every_record() {
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
    fn a_clip_is_there_after_a_restart_and_an_unfinished_one_is_not() {
        let (folder, library, clip) = library_with(b"glTF");
        let unfinished = library.path(&super::tests::clip(2).id, "glb");
        folders::replace(&unfinished, b"gl").expect("half of it");
        let later = Library::open(&Folders::new(folder.path()));
        assert_eq!(later.shown().len(), 1);
        assert_eq!(later.find(&clip.id).expect("there"), clip);
    }

    #[test]
    fn a_clip_is_saved_whole_under_the_name_that_was_chosen() {
        let (folder, library, clip) = library_with(b"glTF");
        let to = folder.path().join("mine.glb");
        library.save(&clip, SaveFormat::Glb, &to).expect("saved");
        assert_eq!(fs::read(&to).expect("there"), b"glTF");
        let error = library.save(&clip, SaveFormat::Bvh, &to).expect_err("has no bvh");
        assert_eq!(error.code, ErrorCode::NotFound);
    }

    #[test]
    fn variants_stand_in_their_order_and_none_moves_another() {
        let (_folder, library, first) = library_with(b"glTF");
        assert_eq!(library.made_at(&first.id.job), Some(first.made_at));
        library.add(clip(2)).expect("added");
        let order: Vec<u32> = library.shown().iter().map(|clip| clip.variant).collect();
        assert_eq!(order, [1, 2]);
        let other = JobId::parse("job-000000000002").expect("an id");
        assert_eq!(library.made_at(&other), None);
    }

    #[test]
    fn a_damaged_file_is_not_given_out() {
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
        // Windows keeps these for devices, and would write the rest of the others elsewhere
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
    fn ids_that_name_other_folders_are_refused() {
        let id = clip(2).id;
        assert_eq!(ClipId::parse(&id.to_string()).expect("its own words"), id);
        for wrong in ["", "..", "../../etc.1", "job-000000000001", "job-000000000001.0"] {
            assert!(ClipId::parse(wrong).is_err(), "{wrong}");
        }
    }
}
