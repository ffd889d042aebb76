//! The data folder: private, writable and locked.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use limber_api::local::SECRET_FILE;
use limber_system::private;

use crate::LocalError;

/// Subfolders of the database and of the motion service's result files.
const DATABASE: &str = "database";
const MOTION_FILES: &str = "motion";

/// The data folder, locked for as long as this value lives.
#[derive(Debug)]
pub(crate) struct DataFolder {
    root: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Creates the folder if needed, checks that it can be written to, and locks it.
    pub(crate) fn open(root: &Path) -> Result<Self, LocalError> {
        private::own_folder(root).map_err(LocalError::folder)?;
        // do not truncate: the name may be a link to another file
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let lock = options.open(root.join("studio.lock")).map_err(LocalError::folder)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LocalError::AlreadyOpen,
            TryLockError::Error(cause) => LocalError::System(cause),
        })?;
        probe(root).map_err(LocalError::folder)?;
        private::own_folder(&root.join("logs")).map_err(LocalError::folder)?;
        Ok(Self { root: root.to_owned(), _lock: lock })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.root.join(DATABASE)
    }

    pub(crate) fn motion_files(&self) -> PathBuf {
        self.root.join(MOTION_FILES)
    }

    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.root.join("logs").join(format!("{name}.log"))
    }
}

impl Drop for DataFolder {
    fn drop(&mut self) {
        // useless once the studio has stopped
        let _ = fs::remove_file(self.root.join(SECRET_FILE));
    }
}

/// Returns the size of the studio's own data in the folder, bytes.
pub(crate) fn stored_bytes(root: &Path) -> u64 {
    [DATABASE, MOTION_FILES].iter().map(|name| bytes_below(&root.join(name))).sum()
}

/// Sums the sizes of all files below a folder. Symbolic links are not followed, and files that
/// disappear meanwhile are ignored.
fn bytes_below(folder: &Path) -> u64 {
    let (mut bytes, mut folders) = (0, vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => folders.push(entry.path()),
                Ok(found) if found.is_file() => bytes += found.len(),
                _ => {}
            }
        }
    }
    bytes
}

/// Checks that a file can be written: the lock file may already exist on a disk that is now full or
/// read-only.
fn probe(root: &Path) -> io::Result<()> {
    let path = root.join("studio.probe");
    // left by a start that was killed, or a link whose target we must not overwrite
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = File::create_new(&path)?;
    file.write_all(&[0; 4096])?;
    file.sync_all()?;
    fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_folder_can_be_used_by_one_studio_at_a_time() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let first = DataFolder::open(place.path()).expect("the folder can be opened");
        let second = DataFolder::open(place.path()).expect_err("the folder is locked");
        assert!(matches!(second, LocalError::AlreadyOpen));
        drop(first);
        DataFolder::open(place.path()).expect("the folder can be locked again");
    }

    #[cfg(unix)]
    #[test]
    fn readable_data_folders_are_made_private_at_the_next_start() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let root = place.path().join("data");
        let mode =
            |path: &Path| fs::metadata(path).expect("the file exists").permissions().mode() & 0o777;
        drop(DataFolder::open(&root).expect("the folder can be created"));
        assert_eq!((mode(&root), mode(&root.join("logs"))), (0o700, 0o700));
        for path in [root.join("logs"), root.clone()] {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o777))
                .expect("the permissions can be changed");
        }
        DataFolder::open(&root).expect("the folder can be opened");
        assert_eq!((mode(&root), mode(&root.join("logs"))), (0o700, 0o700));
    }

    #[cfg(unix)]
    #[test]
    fn files_behind_links_in_the_folder_are_not_overwritten() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let (root, precious) = (place.path().join("data"), place.path().join("precious"));
        fs::create_dir(&root).expect("the folder can be created");
        fs::write(&precious, "years of work").expect("the file can be written");
        for name in ["studio.lock", "studio.probe"] {
            std::os::unix::fs::symlink(&precious, root.join(name))
                .expect("the link can be created");
        }
        DataFolder::open(&root).expect("the folder can be opened");
        assert_eq!(fs::read_to_string(&precious).expect("the file can be read"), "years of work");
    }

    #[test]
    fn disk_usage_counts_both_stores_and_nothing_else() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        assert_eq!(stored_bytes(place.path()), 0, "there is no data yet");
        for (file, bytes) in [
            ("database/base/1/2619", 70),
            ("database/PG_VERSION", 3),
            ("motion/objects/ab/abcd", 500),
            ("library/job-000000000001.1/clip.glb", 9000),
            ("logs/motion.log", 9000),
        ] {
            let file = place.path().join(file);
            fs::create_dir_all(file.parent().expect("the path has a parent"))
                .expect("the folder can be created");
            fs::write(file, vec![0; bytes]).expect("the file can be written");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path(), place.path().join("motion/round"))
            .expect("the link can be created");
        assert_eq!(stored_bytes(place.path()), 573);
    }

    #[test]
    fn errors_about_the_data_folder_do_not_contain_its_path() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let file = place.path().join("file");
        fs::write(&file, "").expect("the file can be written");
        let error = DataFolder::open(&file.join("data")).expect_err("the path is not a folder");
        assert!(matches!(error, LocalError::FolderNotWritable(_)));
        assert!(!error.to_string().contains("file/data"));
    }
}
