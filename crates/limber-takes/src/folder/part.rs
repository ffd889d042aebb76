//! A library's file while it is being written, and the contents of an earlier one.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufWriter, Seek},
    path::{Path, PathBuf},
};

use super::{SkipReason, listing::Listing};
use crate::index::{
    self, Contents, FileRecord, Header, IndexError, Outcome, Stamp, StoredRecord, Writer,
};

/// A library's file while it is being written, under a temporary name. Its complete records survive
/// an interruption.
pub(super) struct Part {
    library: PathBuf,
    path: PathBuf,
    pub(super) writer: Writer<BufWriter<File>>,
    /// Records that an interrupted import left in it.
    pub(super) known: BTreeMap<String, StoredRecord>,
}

impl Part {
    /// Continues an interrupted import of the same folder, or begins a new one.
    pub(super) fn open(library: &Path, header: &Header) -> Result<Self, IndexError> {
        let path = beside(library, ".part");
        let partial =
            File::open(&path).map_err(IndexError::from).and_then(index::read_partial_import).ok();
        let partial = partial.filter(|partial| partial.contents.header == *header);
        let library = library.to_owned();
        let Some(partial) = partial else {
            let file = BufWriter::new(File::create(&path)?);
            let writer = Writer::begin(file, header)?;
            return Ok(Self { library, path, writer, known: BTreeMap::new() });
        };
        let mut file = File::options().write(true).open(&path)?;
        file.set_len(partial.good_bytes)?;
        file.seek(io::SeekFrom::End(0))?;
        let known = partial.contents.records.into_iter();
        let known = known.map(|stored| (stored.record.file.clone(), stored)).collect();
        Ok(Self { library, path, writer: Writer::go_on(BufWriter::new(file)), known })
    }

    pub(super) fn close(self) -> Result<(), IndexError> {
        close(self.writer.finish()?)
    }

    /// Renames the file to its final name, without the records of files that no longer exist.
    pub(super) fn finish(self, listing: &Listing) -> Result<(), IndexError> {
        close(self.writer.finish()?)?;
        let mut from = File::open(&self.path)?;
        let partial = index::read_partial_import(&from)?;
        let is_listed = |stored: &StoredRecord| {
            let file = &stored.record.file;
            listing.files.binary_search_by(|entry| entry.name.cmp(file)).is_ok()
        };
        if partial.contents.records.iter().all(is_listed) {
            fs::rename(&self.path, &self.library)?;
            return Ok(());
        }
        let fresh = beside(&self.library, ".new");
        let file = BufWriter::new(File::create(&fresh)?);
        let mut writer = Writer::begin(file, &partial.contents.header)?;
        for stored in partial.contents.records.iter().filter(|stored| is_listed(stored)) {
            writer.record(&stored.record, &index::movement(&mut from, stored)?)?;
        }
        close(writer.finish()?)?;
        fs::rename(&fresh, &self.library)?;
        let _ = fs::remove_file(&self.path);
        Ok(())
    }
}

/// A library that was imported before.
pub(super) struct Known {
    pub(super) header: Header,
    contents: Contents,
    file: File,
}

impl Known {
    pub(super) fn open(path: &Path) -> Option<Self> {
        let contents = index::open(path).ok()?;
        Some(Self { header: contents.header.clone(), contents, file: File::open(path).ok()? })
    }

    /// The record of a file that has not changed, with its movement.
    pub(super) fn kept(
        &mut self,
        file: &str,
        stamp: Stamp,
        words: &str,
    ) -> Option<(FileRecord, Vec<u8>)> {
        let records = &self.contents.records;
        let place =
            records.binary_search_by(|stored| stored.record.file.as_str().cmp(file)).ok()?;
        let stored: &StoredRecord = &records[place];
        if !is_as_it_was(&stored.record, stamp, words) {
            return None;
        }
        let movement = index::movement(&mut self.file, stored).ok()?;
        Some((stored.record.clone(), movement))
    }
}

/// Whether a file and its captions have not changed. Files that could not be opened are always
/// tried again.
pub(super) fn is_as_it_was(record: &FileRecord, stamp: Stamp, words: &str) -> bool {
    let retried = matches!(
        record.outcome,
        Outcome::Skipped(SkipReason::Unreadable(_) | SkipReason::Changing | SkipReason::SameAs(_))
    );
    record.stamp == stamp && record.words == words && !retried
}

fn close(file: BufWriter<File>) -> Result<(), IndexError> {
    let file = file.into_inner().map_err(|error| IndexError::from(error.into_error()))?;
    file.sync_all()?;
    Ok(())
}

/// The path of a file next to the library's file: its name with this ending appended.
fn beside(library: &Path, ending: &str) -> PathBuf {
    let mut name = library.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
