//! The user's data folder, and atomic replacement of files in it.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use limber_system::{disk, private};
use serde::{Serialize, de::DeserializeOwned};

/// Paths within the data folder.
#[derive(Debug, Clone)]
pub struct Folders {
    root: PathBuf,
}

impl Folders {
    /// Uses `root` as the data folder.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Creates the data folder if needed, and restricts it to its owner; everything else lies
    /// inside it.
    ///
    /// # Errors
    /// If it cannot be created, or belongs to another user.
    pub fn close_to_others(&self) -> io::Result<()> {
        private::own_folder(&self.root)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn settings(&self) -> PathBuf {
        self.root.join("settings.json")
    }

    /// Contents of the prompt box.
    pub(crate) fn prompt_draft(&self) -> PathBuf {
        self.root.join("desk.json")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.root.join("jobs.json")
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.root.join("library")
    }

    /// Permanently deleted clips that studios may still keep.
    pub(crate) fn deletions(&self) -> PathBuf {
        self.root.join("thrown-away.json")
    }

    pub(crate) fn uploads(&self) -> PathBuf {
        self.root.join("uploads")
    }

    /// Videos that are being downloaded to their final location.
    pub(crate) fn videos(&self) -> PathBuf {
        self.root.join("films")
    }

    /// Copies of clips that are dragged into another program.
    pub(crate) fn dragged(&self) -> PathBuf {
        self.root.join("dragged")
    }

    /// Logs of the app and of the local studio's processes.
    pub(crate) fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// Returns the free space of the disk in bytes; 0 if unknown.
    pub(crate) fn free_bytes(&self) -> u64 {
        disk::free_bytes(&self.root).unwrap_or(0)
    }

    /// Temporary files of character tests.
    pub(crate) fn tests(&self) -> PathBuf {
        self.root.join("tests")
    }

    /// Corrected clips that are played in the viewer.
    pub(crate) fn played(&self) -> PathBuf {
        self.root.join("played")
    }

    pub(crate) fn pictures(&self) -> PathBuf {
        self.root.join("pictures")
    }
}

/// Replaces a file atomically and durably, even across a power failure.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder)?;
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let fresh = path.with_file_name(name);
    if let Err(error) = write_through(&fresh, bytes).and_then(|()| fs::rename(&fresh, path)) {
        // a partial file is useless and takes space on a disk that may be full
        let _ = fs::remove_file(&fresh);
        return Err(error);
    }
    // sync the rename itself; not every file system allows a folder to be synced
    let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Writes a value as JSON, atomically.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> io::Result<()> {
    replace(path, &serde_json::to_vec_pretty(value).map_err(io::Error::other)?)
}

/// Reads a JSON value, or the default if the file is missing. A file that cannot be parsed is
/// renamed instead of being overwritten.
pub(crate) fn read_json<T: DeserializeOwned + Default>(path: &Path) -> io::Result<T> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(T::default()),
        other => other?,
    };
    match serde_json::from_slice(&bytes) {
        Ok(value) => Ok(value),
        Err(error) => {
            tracing::warn!(%error, "a file in the data folder is damaged and was moved aside");
            fs::rename(path, path.with_extension("damaged"))?;
            Ok(T::default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_the_default_and_a_damaged_one_is_moved_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.json");
        assert_eq!(read_json::<Vec<u32>>(&path).expect("readable"), Vec::<u32>::new());
        write_json(&path, &vec![1, 2]).expect("written");
        assert_eq!(read_json::<Vec<u32>>(&path).expect("readable"), vec![1, 2]);
        fs::write(&path, "[1,").expect("damaged");
        assert_eq!(read_json::<Vec<u32>>(&path).expect("readable"), Vec::<u32>::new());
        let aside = fs::read(folder.path().join("list.damaged")).expect("saved");
        assert_eq!(aside, b"[1,");
    }

    #[test]
    fn a_failed_write_leaves_no_partial_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.json");
        fs::create_dir(&path).expect("a folder that no file can replace");
        replace(&path, b"[1]").expect_err("refused");
        assert!(path.is_dir());
        assert!(!folder.path().join("list.json.new").exists());
    }

    #[test]
    fn an_unfinished_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.json");
        write_json(&path, &vec![1]).expect("written");
        fs::write(folder.path().join("list.json.new"), "[1, 2").expect("a kill in the middle");
        assert_eq!(read_json::<Vec<u32>>(&path).expect("readable"), vec![1]);
    }
}
