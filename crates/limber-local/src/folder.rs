//! The data folder: private, writable, and ours alone.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::LocalError;

/// The folder, locked for as long as this value lives.
#[derive(Debug)]
pub(crate) struct DataFolder {
    root: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Makes the folder if need be, checks that it can be written, and locks it.
    pub(crate) fn open(root: &Path) -> Result<Self, LocalError> {
        make_private(root).map_err(LocalError::folder)?;
        let lock = File::create(root.join("studio.lock")).map_err(LocalError::folder)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LocalError::AlreadyOpen,
            TryLockError::Error(cause) => LocalError::System(cause),
        })?;
        probe(root).map_err(LocalError::folder)?;
        make_private(&root.join("logs")).map_err(LocalError::folder)?;
        Ok(Self { root: root.to_owned(), _lock: lock })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.root.join("database")
    }

    pub(crate) fn motion_files(&self) -> PathBuf {
        self.root.join("motion")
    }

    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.root.join("logs").join(format!("{name}.log"))
    }
}

/// The lock file may stand on a disk that is full or was mounted read-only since.
fn probe(root: &Path) -> io::Result<()> {
    let path = root.join("studio.probe");
    let mut file = File::create(&path)?;
    file.write_all(&[0; 4096])?;
    file.sync_all()?;
    fs::remove_file(path)
}

#[cfg(unix)]
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_studio_in_the_same_folder_is_refused_until_the_first_is_gone() {
        let place = tempfile::tempdir().expect("a folder");
        let first = DataFolder::open(place.path()).expect("opens");
        let second = DataFolder::open(place.path()).expect_err("is taken");
        assert!(matches!(second, LocalError::AlreadyOpen));
        drop(first);
        DataFolder::open(place.path()).expect("is free again");
    }

    #[test]
    fn a_place_that_is_no_folder_is_refused_in_words_without_its_path() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("file");
        fs::write(&file, "").expect("written");
        let error = DataFolder::open(&file.join("data")).expect_err("no folder");
        assert!(matches!(error, LocalError::FolderNotWritable(_)));
        assert!(!error.to_string().contains("file/data"));
    }
}
