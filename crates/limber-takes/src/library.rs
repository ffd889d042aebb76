//! A library opened for performing.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Cursor,
    path::{Path, PathBuf},
};

use limber_animation::Clip;

use crate::{
    AddError, folder,
    index::{self, Contents, FileRecord, Header, IndexError, StoredRecord},
    packing,
    take::{Take, Window},
};

/// Why a take cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The library's file cannot be read.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The movement is damaged.
    #[error(transparent)]
    Movement(#[from] packing::Damaged),
}

/// Where the movement is read from.
#[derive(Debug)]
enum Source {
    File(PathBuf),
    Memory(Vec<u8>),
}

/// An opened library, indexed by action. Movement is read on demand.
#[derive(Debug)]
pub struct Library {
    contents: Contents,
    source: Source,
    /// The windows of each action.
    by_action: BTreeMap<String, Vec<Place>>,
}

/// The location of a window in the library: record, take, window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    record: usize,
    take: usize,
    window: usize,
}

impl Place {
    /// A number that is unique within the library.
    pub(crate) const fn number(self) -> u64 {
        (self.record as u64) << 32 | (self.take as u64) << 16 | self.window as u64
    }
}

impl Library {
    /// Imports a folder into memory, for a single use.
    ///
    /// # Errors
    /// See [`AddError`].
    pub fn of_folder(folder: &Path, name: &str) -> Result<Self, AddError> {
        Ok(Self::from_bytes(folder::in_memory(folder, name)?)?)
    }

    /// Opens a library's file.
    ///
    /// # Errors
    /// See [`IndexError`].
    pub fn open(file: &Path) -> Result<Self, IndexError> {
        Ok(Self::new(index::open(file)?, Source::File(file.to_owned())))
    }

    /// Opens a library that is held in memory.
    ///
    /// # Errors
    /// See [`IndexError`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, IndexError> {
        let contents = index::read(Cursor::new(&bytes))?;
        Ok(Self::new(contents, Source::Memory(bytes)))
    }

    fn new(contents: Contents, source: Source) -> Self {
        let mut by_action: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for (record, stored) in contents.records.iter().enumerate() {
            for (take, found) in stored.record.takes().iter().enumerate() {
                for (window, shows) in found.windows.iter().enumerate() {
                    let place = Place { record, take, window };
                    by_action.entry(shows.action.clone()).or_default().push(place);
                }
            }
        }
        Self { contents, source, by_action }
    }

    /// The description of the library.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.contents.header
    }

    /// The import results of all files.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &FileRecord> {
        self.contents.records.iter().map(|stored| &stored.record)
    }

    /// All takes.
    pub fn takes(&self) -> impl Iterator<Item = &Take> {
        self.records().flat_map(FileRecord::takes)
    }

    /// The number of windows of each action.
    #[must_use]
    pub fn actions(&self) -> BTreeMap<&str, usize> {
        self.by_action.iter().map(|(action, places)| (action.as_str(), places.len())).collect()
    }

    pub(crate) fn windows(&self, action: &str) -> &[Place] {
        self.by_action.get(action).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn window(&self, place: Place) -> (&Take, &Window) {
        let take = &self.contents.records[place.record].record.takes()[place.take];
        (take, &take.windows[place.window])
    }

    /// Reads the movement of the take that a window belongs to.
    pub(crate) fn movement(&self, place: Place) -> Result<Clip, LibraryError> {
        let stored: &StoredRecord = &self.contents.records[place.record];
        let packed = match &self.source {
            Source::File(file) => {
                let mut file = File::open(file).map_err(IndexError::from)?;
                index::movement(&mut file, stored)?
            }
            Source::Memory(bytes) => index::movement(&mut Cursor::new(bytes), stored)?,
        };
        let (take, _) = self.window(place);
        let packed = packed.get(take.packed.clone()).ok_or(IndexError::Damaged)?;
        let clip = packing::unpack(packed)?;
        let is_whole = take.windows.iter().all(|window| {
            window.frames.start < window.frames.end && window.frames.end <= clip.len()
        });
        if is_whole { Ok(clip) } else { Err(IndexError::Damaged.into()) }
    }
}
