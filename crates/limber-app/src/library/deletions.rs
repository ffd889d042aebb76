//! Permanently deleted clips whose studio still has to delete its own copies.
//!
//! A studio stores the files of a job together, so they are deleted once all clips of the job have
//! been deleted here. A missing clip alone means nothing: it may still be downloading, or belong to
//! a library that is restored from a backup tomorrow. Only explicit deletions are recorded, and
//! restored clips are removed from the record.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Mutex, MutexGuard},
};

use limber_client::motion::{JobId, VariantId};
use limber_domain::lock;
use serde::{Deserialize, Serialize};

use super::{Clip, ClipId, Library};
use crate::{Folders, folders};

/// A job with its deleted clips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct DeletedJob {
    job: JobId,
    /// The studio that has it; job IDs are unique only within a studio.
    studio: String,
    /// Number of clips that the job made.
    variants: u32,
    /// Its deleted clips; the name in existing files is older.
    #[serde(rename = "thrown")]
    deleted: BTreeSet<VariantId>,
}

impl DeletedJob {
    fn ids(&self) -> impl Iterator<Item = ClipId> {
        self.deleted.iter().map(|variant| ClipId { job: self.job.clone(), variant: *variant })
    }
}

#[derive(Debug)]
struct Records {
    jobs: Vec<DeletedJob>,
    /// Whether the file is up to date.
    is_saved: bool,
}

/// The records, written to disk after every change.
#[derive(Debug)]
pub(super) struct DeletionLog {
    path: PathBuf,
    records: Mutex<Records>,
    /// Whether the file could be read; an unreadable file must not be overwritten.
    is_readable: bool,
}

impl DeletionLog {
    pub(super) fn open(folders: &Folders) -> Self {
        let path = folders.deletions();
        let read = folders::read_json(&path).inspect_err(
            |error| tracing::error!(%error, "the list of deleted clips cannot be read"),
        );
        let is_readable = read.is_ok();
        let records = Records { jobs: read.unwrap_or_default(), is_saved: true };
        Self { path, records: Mutex::new(records), is_readable }
    }

    fn add(&self, clips: &[Clip], studio_of: impl Fn(&JobId) -> String) {
        self.change(|jobs| {
            for Clip { id, variants, .. } in clips {
                match jobs.iter_mut().find(|known| known.job == id.job) {
                    Some(known) => {
                        known.deleted.insert(id.variant);
                    }
                    None => jobs.push(DeletedJob {
                        job: id.job.clone(),
                        studio: studio_of(&id.job),
                        variants: *variants,
                        deleted: [id.variant].into(),
                    }),
                }
            }
        });
    }

    /// Removes the records of restored clips.
    pub(super) fn forget_restored(&self, is_there: impl Fn(&ClipId) -> bool) {
        self.change(|jobs| {
            for job in &mut *jobs {
                let there: Vec<ClipId> = job.ids().filter(|id| is_there(id)).collect();
                job.deleted.retain(|variant| !there.iter().any(|id| id.variant == *variant));
            }
            jobs.retain(|job| !job.deleted.is_empty());
        });
    }

    /// Changes the records. If writing fails, clips are deleted anyway, because they may be what
    /// fills the disk; the write is retried with the next change.
    fn change(&self, change: impl FnOnce(&mut Vec<DeletedJob>)) {
        let mut records = self.records();
        let before = records.jobs.clone();
        change(&mut records.jobs);
        if !self.is_readable || (records.is_saved && records.jobs == before) {
            return;
        }
        let saved = folders::write_json(&self.path, &records.jobs);
        records.is_saved = saved
            .inspect_err(|error| tracing::warn!(%error, "a deletion could not be recorded"))
            .is_ok();
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        lock(&self.records)
    }
}

impl Library {
    /// Records the clips in the trash as deleted, while `empty` deletes them.
    pub(super) fn record_deletions<T>(
        &self,
        clips: &[Clip],
        studio_of: impl Fn(&JobId) -> String,
        empty: impl FnOnce() -> T,
    ) -> T {
        // recorded first: after a crash in between they are recorded and still in the trash, which
        // `purgeable` accounts for
        self.deletions.add(clips, studio_of);
        let emptied = empty();
        // clips that could not be deleted, or were restored meanwhile
        self.deletions.forget_restored(|id| self.knows(id));
        emptied
    }

    /// Returns the jobs of a studio whose clips have all been deleted.
    pub(crate) fn purgeable(&self, studio: &str) -> Vec<JobId> {
        let jobs = self.deletions.records().jobs.clone();
        let all = |job: &&DeletedJob| job.deleted.len() >= job.variants as usize;
        let gone = |job: &&DeletedJob| !job.ids().any(|id| self.knows(&id));
        let jobs = jobs.iter().filter(|job| job.studio == studio).filter(all).filter(gone);
        jobs.map(|job| job.job.clone()).collect()
    }

    /// Removes the records of jobs that the studio has deleted.
    pub(crate) fn purged(&self, purged: &[JobId]) {
        self.deletions.change(|jobs| jobs.retain(|job| !purged.contains(&job.job)));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::library::tests::{clip, library_with};

    fn here(_: &JobId) -> String {
        "here".to_owned()
    }

    /// A library with both clips of a job, and the job.
    fn library_of_two() -> (tempfile::TempDir, Library, JobId) {
        let (folder, library, first) = library_with(b"glTF");
        library.add(clip(2)).expect("added");
        (folder, library, first.id.job)
    }

    #[test]
    fn a_job_is_released_once_all_its_clips_left_the_trash() {
        let (folder, library, job) = library_of_two();
        library.delete(&clip(1).id).expect("deleted");
        library.empty_bin(here).expect("emptied");
        assert!(library.purgeable("here").is_empty(), "a clip of it is in the library");
        library.delete(&clip(2).id).expect("deleted");
        assert!(library.purgeable("here").is_empty(), "a clip of it is in the bin");
        library.empty_bin(here).expect("emptied");
        assert!(library.purgeable("elsewhere").is_empty());
        let later = Library::open(&Folders::new(folder.path()));
        assert_eq!(later.purgeable("here"), std::slice::from_ref(&job));
        later.purged(&[job]);
        assert!(Library::open(&Folders::new(folder.path())).purgeable("here").is_empty());
    }

    #[test]
    fn clips_lost_otherwise_are_not_purged() {
        let (folder, library, _) = library_of_two();
        library.delete(&clip(1).id).expect("deleted");
        library.empty_bin(here).expect("emptied");
        // deleted by hand, or lost with a disk
        fs::remove_dir_all(folder.path().join("library")).expect("lost");
        let later = Library::open(&Folders::new(folder.path()));
        assert!(later.views().is_empty() && later.purgeable("here").is_empty());
    }

    #[test]
    fn recorded_deletions_still_in_the_trash_are_deferred() {
        let (folder, library, job) = library_of_two();
        for variant in [1, 2] {
            library.delete(&clip(variant).id).expect("deleted");
        }
        // as after a crash between recording and deleting
        library.deletions.add(&[clip(1), clip(2)], here);
        let later = Library::open(&Folders::new(folder.path()));
        assert!(later.purgeable("here").is_empty());
        later.restore(&clip(2).id).expect("restored");
        later.empty_bin(here).expect("emptied");
        fs::remove_dir_all(folder.path().join("library")).expect("lost");
        let last = Library::open(&Folders::new(folder.path()));
        assert!(last.purgeable("here").is_empty(), "the second one was brought back");
        let notes = fs::read_to_string(folder.path().join("thrown-away.json")).expect("notes");
        assert!(notes.contains(job.as_str()), "the first one was not: {notes}");
    }

    #[test]
    fn the_trash_can_be_emptied_when_nothing_can_be_recorded() {
        let (folder, library, job) = library_of_two();
        for variant in [1, 2] {
            library.delete(&clip(variant).id).expect("deleted");
        }
        let notes = folder.path().join("thrown-away.json");
        fs::create_dir(&notes).expect("a folder that no file can replace");
        library.empty_bin(here).expect("emptied");
        assert!(library.binned().is_empty());
        assert_eq!(library.purgeable("here"), std::slice::from_ref(&job), "until Limber ends");
        fs::remove_dir(&notes).expect("moved away");
        library.empty_bin(here).expect("it is empty");
        let later = Library::open(&Folders::new(folder.path()));
        assert_eq!(later.purgeable("here"), [job], "recorded as soon as possible");
    }
}
