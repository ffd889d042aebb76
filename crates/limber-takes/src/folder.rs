//! Imports a user's folder of recordings: lists its files, reports the outcome for each and detects
//! changes.

mod listing;
mod part;

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use limber_formats::motion::{self, MAX_MOTION_BYTES, MotionHints};
use serde::{Deserialize, Serialize};

use crate::{
    captions::{self, CaptionSet},
    import,
    index::{self, Contents, FileRecord, Header, IndexError, Outcome, Stamp, Writer},
    packing,
    take::Take,
    windows::{self, NoWindow, Senses},
};
use listing::{Listing, list};
use part::{Known, Part, is_as_it_was};

/// Why a file was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// It cannot be read or disappeared during the import.
    #[error("the file could not be opened: {0}")]
    Unreadable(String),
    /// It is too large; its size in MiB.
    #[error("the file has {0} MB, but the limit is {max} MB; cut it into \
             pieces", max = MAX_MOTION_BYTES >> 20)]
    TooLarge(u64),
    /// It was written to while it was being read.
    #[error("the file changed while it was being read; add the folder again")]
    Changing,
    /// It is not a recording of a human body.
    #[error("{0}")]
    NoRecording(String),
    /// The markers are lost too often.
    #[error("the motion jumps at least every half second")]
    OnlyJumps,
    /// It has no captions.
    #[error("there is no caption; write one, or name the file after the action")]
    NoWords,
    /// No caption names a known action.
    #[error("no caption contains an action that Limber knows: {0}")]
    NothingKnown(String),
    /// A caption names several actions.
    #[error("the caption names several actions that cannot be told apart in the motion: {0}")]
    SeveralActions(String),
    /// The movement does not show the captioned action.
    #[error("the motion does not show what its caption says: {0}")]
    NotSeen(String),
    /// No part of it can be performed.
    #[error("no part of it starts and ends in an upright posture: {0}")]
    NothingWhole(String),
    /// It is the same recording as another file.
    #[error("this is the same recording as {0}")]
    SameAs(String),
}

/// A file that was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its path relative to the folder.
    pub file: String,
    /// Why it was skipped.
    pub why: SkipReason,
}

/// Outcome of importing a folder.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Number of files that may hold recordings.
    pub files: usize,
    /// Number of those that were read this time; the others had not changed.
    pub read_now: usize,
    /// Number of takes with at least one window.
    pub takes: usize,
    /// Number of windows: parts of takes that can be performed.
    pub windows: usize,
    /// Total duration of all takes, seconds.
    pub seconds: f32,
    /// Number of windows of each action.
    pub actions: Vec<(String, usize)>,
    /// Files that were skipped.
    pub skipped: Vec<Skipped>,
    /// Other remarks for the user: folders that could not be listed, tables that could not be read,
    /// limits that were reached.
    pub notes: Vec<String>,
    /// Size of the library's file, bytes.
    pub bytes: u64,
}

/// Progress of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddProgress {
    /// Number of files processed.
    pub done: usize,
    /// Total number of files.
    pub files: usize,
}

/// An import to be done: from which folder, into which library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddRequest {
    /// The folder of recordings.
    pub folder: PathBuf,
    /// The library's file; rewritten unless it already has the current format version.
    pub library: PathBuf,
    /// Display name.
    pub name: String,
    /// Terms of use; `None` takes them from a file called LICENSE or LICENCE in the folder, or else
    /// keeps the library's.
    pub licence: Option<String>,
}

/// Why an import was not completed.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    /// The folder does not exist or is not a folder.
    #[error(
        "the folder cannot be read: {0}; choose a folder that contains BVH, FBX, GLB or AMC files"
    )]
    Folder(io::Error),
    /// The folder is empty.
    #[error("the folder contains no BVH, FBX, GLB or AMC files")]
    Empty,
    /// The library's file cannot be read or written.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The user cancelled. Everything read so far is kept, and the next import continues from
    /// there.
    #[error("stopped; add the folder again to continue from here")]
    Stopped,
}

/// Imports a folder into a library. Files that were imported before and have not changed are taken
/// over; an interrupted import continues. The library appears under its name only when it is
/// complete.
///
/// # Errors
/// See [`AddError`].
pub fn add(
    request: &AddRequest,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(AddProgress),
) -> Result<Report, AddError> {
    let listing = list(&request.folder).map_err(AddError::Folder)?;
    if listing.files.is_empty() {
        return Err(AddError::Empty);
    }
    let before = Known::open(&request.library);
    let licence = request.licence.clone().or_else(|| listing.licence.clone());
    let licence = licence.or_else(|| before.as_ref().map(|known| known.header.licence.clone()));
    let header = Header {
        name: request.name.clone(),
        folder: request.folder.to_string_lossy().into_owned(),
        licence: licence.unwrap_or_default(),
    };
    if let Some(parent) = request.library.parent() {
        fs::create_dir_all(parent).map_err(IndexError::from)?;
    }
    let mut part = Part::open(&request.library, &header)?;
    let mut before = before;
    let mut adding = Adding { listing: &listing, senses: Senses::default(), sums: Sums::default() };
    let files = listing.files.len();
    let mut read_now = 0;
    for (place, entry) in listing.files.iter().enumerate() {
        if is_stopped() {
            part.close()?;
            return Err(AddError::Stopped);
        }
        report(AddProgress { done: place, files });
        let words = adding.words(place);
        if let Some(stored) = part.known.get(&entry.name)
            && is_as_it_was(&stored.record, entry.stamp, &words)
        {
            adding.sums.notice(&stored.record);
            continue;
        }
        let kept = before.as_mut().and_then(|known| known.kept(&entry.name, entry.stamp, &words));
        let (record, movement) = kept.unwrap_or_else(|| {
            read_now += 1;
            adding.read(place)
        });
        adding.sums.notice(&record);
        part.writer.record(&record, &movement)?;
    }
    part.finish(&listing)?;
    report(AddProgress { done: files, files });
    let contents = index::open(&request.library)?;
    let bytes = fs::metadata(&request.library).map_or(0, |metadata| metadata.len());
    Ok(reported(&contents, &listing, read_now, bytes))
}

/// Imports a folder into memory, for a single use.
///
/// # Errors
/// See [`AddError`].
pub(crate) fn in_memory(folder: &Path, name: &str) -> Result<Vec<u8>, AddError> {
    let listing = list(folder).map_err(AddError::Folder)?;
    if listing.files.is_empty() {
        return Err(AddError::Empty);
    }
    let header = Header {
        name: name.to_owned(),
        folder: folder.to_string_lossy().into_owned(),
        licence: listing.licence.clone().unwrap_or_default(),
    };
    let mut writer = Writer::begin(Vec::new(), &header)?;
    let mut adding = Adding { listing: &listing, senses: Senses::default(), sums: Sums::default() };
    for place in 0..listing.files.len() {
        let (record, movement) = adding.read(place);
        adding.sums.notice(&record);
        writer.record(&record, &movement)?;
    }
    Ok(writer.finish()?)
}

/// Checksums of the movement imported so far, which detect the same recording under another name.
#[derive(Default)]
struct Sums(std::collections::HashMap<String, String>);

impl Sums {
    fn notice(&mut self, record: &FileRecord) {
        if !record.takes().is_empty() {
            self.0.entry(record.sum.clone()).or_insert_with(|| record.file.clone());
        }
    }
}

struct Adding<'a> {
    listing: &'a Listing,
    senses: Senses,
    sums: Sums,
}

impl Adding<'_> {
    /// A checksum of what is said about a file.
    fn words(&self, place: usize) -> String {
        let said = self.listing.said(place);
        let rate = said.frames_per_second.map(f64::to_bits).unwrap_or_default();
        let mut text = said.captions.join("\n");
        text.push_str(&format!("\n{rate}"));
        index::sum_of(text.as_bytes())[..16].to_owned()
    }

    fn read(&mut self, place: usize) -> (FileRecord, Vec<u8>) {
        let entry = &self.listing.files[place];
        let words = self.words(place);
        let (outcome, movement) = match self.takes(place) {
            Ok((takes, movement)) => (Outcome::Takes(takes), movement),
            Err(why) => (Outcome::Skipped(why), Vec::new()),
        };
        let sum = index::sum_of(&movement);
        let same = self.sums.0.get(&sum).filter(|_| !movement.is_empty()).cloned();
        let (outcome, movement) = match same {
            Some(other) => (Outcome::Skipped(SkipReason::SameAs(other)), Vec::new()),
            None => (outcome, movement),
        };
        let sum = index::sum_of(&movement);
        let (file, stamp) = (entry.name.clone(), entry.stamp);
        (FileRecord { file, stamp, words, outcome, sum }, movement)
    }

    fn takes(&mut self, place: usize) -> Result<(Vec<Take>, Vec<u8>), SkipReason> {
        let entry = &self.listing.files[place];
        let bytes = whole(&entry.path, entry.stamp)?;
        let skeleton = match &entry.skeleton {
            Some(skeleton) => Some(whole(skeleton, stamp_of(skeleton)?)?),
            None => None,
        };
        let said = self.listing.said(place);
        let hints = MotionHints {
            skeleton: skeleton.as_deref(),
            frames_per_second: said.frames_per_second,
        };
        let recordings = motion::read(&bytes, &hints);
        let recordings = recordings.map_err(|error| SkipReason::NoRecording(error.to_string()))?;
        let (mut takes, mut movement) = (Vec::new(), Vec::new());
        let mut refusal = None;
        let is_one = recordings.len() == 1;
        for recording in recordings {
            let stem = entry.name.rsplit_once('.').map_or(&*entry.name, |(stem, _)| stem);
            let name = if is_one { stem.to_owned() } else { format!("{stem}/{}", recording.name) };
            let stretches = import::stretches(&recording.clip);
            let stretches =
                stretches.map_err(|error| SkipReason::NoRecording(error.to_string()))?;
            let captions = captions_of(&said, &recording.name, stem, is_one);
            let several = stretches.len() > 1;
            if stretches.is_empty() {
                refusal = refusal.or(Some(SkipReason::OnlyJumps));
            }
            for (number, clip) in stretches.iter().enumerate() {
                let windows = match windows::windows(clip, &captions, &mut self.senses) {
                    Ok(windows) => windows,
                    Err(why) => {
                        refusal = refusal.or_else(|| Some(explained(why, &captions)));
                        continue;
                    }
                };
                let packed = packing::pack(clip);
                let name = if several { format!("{name}~{}", number + 1) } else { name.clone() };
                let begins = movement.len();
                movement.extend(packed);
                takes.push(Take {
                    name,
                    captions: captions.clone(),
                    frames: clip.len(),
                    windows,
                    packed: begins..movement.len(),
                });
            }
        }
        if takes.is_empty() {
            Err(refusal.unwrap_or(SkipReason::OnlyJumps))
        } else {
            Ok((takes, movement))
        }
    }
}

/// The captions of one recording of a file; if there are none, the names of the animation and the
/// file.
fn captions_of(said: &CaptionSet, animation: &str, stem: &str, is_one: bool) -> Vec<String> {
    let named = captions::from_name(animation);
    match (is_one, said.captions.is_empty()) {
        (true, false) => said.captions.clone(),
        (true, true) => captions::from_name(stem).or(named).into_iter().collect(),
        // captions of the file apply to all recordings in it
        (false, _) => named.into_iter().chain(said.captions.iter().cloned()).collect(),
    }
}

fn explained(why: NoWindow, captions: &[String]) -> SkipReason {
    let Some(said) = captions.first().cloned() else { return SkipReason::NoWords };
    match why {
        NoWindow::NothingKnown => SkipReason::NothingKnown(said),
        NoWindow::Several => SkipReason::SeveralActions(said),
        NoWindow::NotSeen => SkipReason::NotSeen(said),
        NoWindow::NothingWhole => SkipReason::NothingWhole(said),
    }
}

fn stamp_of(path: &Path) -> Result<Stamp, SkipReason> {
    let metadata =
        fs::metadata(path).map_err(|error| SkipReason::Unreadable(error.kind().to_string()))?;
    Ok(stamp(&metadata))
}

fn stamp(metadata: &fs::Metadata) -> Stamp {
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified_ns = modified.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    Stamp { size: metadata.len(), modified_ns }
}

/// The whole contents of a file, unless it is too large or has changed since the folder was listed.
fn whole(path: &Path, listed: Stamp) -> Result<Vec<u8>, SkipReason> {
    let unreadable = |error: io::Error| SkipReason::Unreadable(error.kind().to_string());
    if listed.size > MAX_MOTION_BYTES as u64 {
        return Err(SkipReason::TooLarge(listed.size >> 20));
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::with_capacity(listed.size as usize);
    (&mut file).take(listed.size + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let now = stamp(&file.metadata().map_err(unreadable)?);
    if now != listed || bytes.len() as u64 != listed.size {
        return Err(SkipReason::Changing);
    }
    Ok(bytes)
}

fn reported(contents: &Contents, listing: &Listing, read_now: usize, bytes: u64) -> Report {
    let records = || contents.records.iter().map(|stored| &stored.record);
    let takes = || records().flat_map(FileRecord::takes);
    let windows = || takes().flat_map(|take| &take.windows);
    let skipped = records().filter_map(|record| match &record.outcome {
        Outcome::Skipped(why) => Some(Skipped { file: record.file.clone(), why: why.clone() }),
        Outcome::Takes(_) => None,
    });
    Report {
        files: listing.files.len(),
        read_now,
        takes: takes().count(),
        windows: windows().count(),
        seconds: takes().map(|take| take.frames as f32 / 30.0).sum(),
        actions: windows::count_by_action(windows()).into_iter().collect(),
        skipped: skipped.collect(),
        notes: listing.notes.clone(),
        bytes,
    }
}

/// A difference between a folder and the library that was imported from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The library does not have the file yet.
    New(String),
    /// The file or its captions have changed.
    Changed(String),
    /// The file no longer exists; its takes can still be performed.
    Gone(String),
}

/// Compares a folder with its library without reading the recordings.
///
/// # Errors
/// See [`AddError`]; a folder that is gone is [`AddError::Folder`].
pub fn changes(library: &Path, folder: &Path) -> Result<Vec<Change>, AddError> {
    let contents = index::open(library)?;
    let listing = list(folder).map_err(AddError::Folder)?;
    let adding = Adding { listing: &listing, senses: Senses::default(), sums: Sums::default() };
    let known = |file: &str| {
        let records = &contents.records;
        let place = records.binary_search_by(|stored| stored.record.file.as_str().cmp(file)).ok();
        place.map(|place| &records[place].record)
    };
    let mut changes: Vec<Change> = Vec::new();
    for (place, entry) in listing.files.iter().enumerate() {
        match known(&entry.name) {
            None => changes.push(Change::New(entry.name.clone())),
            Some(record) if record.stamp != entry.stamp || record.words != adding.words(place) => {
                changes.push(Change::Changed(entry.name.clone()));
            }
            Some(_) => {}
        }
    }
    for stored in &contents.records {
        let file = &stored.record.file;
        if listing.files.binary_search_by(|entry| entry.name.cmp(file)).is_err() {
            changes.push(Change::Gone(file.clone()));
        }
    }
    Ok(changes)
}
