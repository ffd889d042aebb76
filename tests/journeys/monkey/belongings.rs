//! Clips must not be lost: they may only be moved to the trash, from where they can be restored.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::home::Home;

/// Every clip ever seen.
pub(super) struct Belongings {
    folders: [PathBuf; 2],
    seen: BTreeSet<String>,
}

impl Belongings {
    pub(super) fn of(home: &Home) -> Self {
        let library = home.data().join("library");
        Self { folders: [library.join(".bin"), library], seen: BTreeSet::new() }
    }

    pub(super) fn count(&self) -> usize {
        self.seen.len()
    }

    /// Checks that everything seen before still exists.
    pub(super) fn look(&mut self) {
        let current = self.current_clips();
        let lost: Vec<_> = self.seen.iter().filter(|clip| !current.contains_key(*clip)).collect();
        // a clip that is just being moved to or from the trash may be missed once
        if !lost.is_empty() {
            let current = self.current_clips();
            let lost: Vec<_> = lost.iter().filter(|clip| !current.contains_key(**clip)).collect();
            assert!(lost.is_empty(), "lost: {lost:?}");
        }
        self.seen.extend(current.into_keys());
    }

    /// Checks that every file of every clip matches its record.
    pub(super) fn check_files(&self) {
        for (clip, folder) in self.current_clips() {
            let record = fs::read(folder.join("clip.json")).expect("the record can be read");
            let record: Value = serde_json::from_slice(&record).expect("the record is valid JSON");
            let files = record["files"].as_object().expect("`files` is an object");
            assert!(!files.is_empty(), "{clip} has no files");
            for (ending, known) in files {
                let bytes =
                    fs::read(folder.join(format!("clip.{ending}"))).expect("the file can be read");
                let sum = Sha256::digest(&bytes);
                let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(known["sha256"], sum, "{clip}: {ending}");
            }
        }
    }

    /// Returns every clip with a record, and its folder.
    fn current_clips(&self) -> BTreeMap<String, PathBuf> {
        let places =
            self.folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
        let clips = places.flatten().map(|place| place.path());
        clips
            .filter(|folder| folder.join("clip.json").is_file())
            .filter_map(|folder| Some((folder.file_name()?.to_str()?.to_owned(), folder)))
            .collect()
    }
}
