//! Folders and files that only their owner can read.
//!
//! On Unix this uses file modes. On Windows it uses an access control list on the folder, inherited
//! by its contents, that grants access to the user, the system and administrators regardless of the
//! parent folder. File systems that support neither (FAT) offer no protection.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

/// Platform implementations: each restricts a folder, and creates a file that no one else can read.
#[cfg_attr(unix, path = "private/unix.rs")]
#[cfg_attr(windows, path = "private/windows.rs")]
mod system;

/// Who can read a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Access {
    /// Its owner, and administrators of the computer.
    Owner,
    /// Others as well, and it is not ours to restrict: it belongs to another user or to everybody,
    /// such as `/tmp`.
    Others,
}

/// Creates the folder if needed and restricts it to its owner, whatever its permissions were.
///
/// # Errors
/// If it can neither be created nor inspected.
pub fn folder(folder: &Path) -> io::Result<Access> {
    system::folder(folder)
}

/// Does the same as [`folder`] for a folder that must be private.
///
/// # Errors
/// If it cannot be created, or others can read it and it is not ours to restrict.
pub fn own_folder(folder: &Path) -> io::Result<()> {
    match self::folder(folder)? {
        Access::Owner => Ok(()),
        Access::Others => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "other users of this computer can read the folder, and it belongs to someone else, so \
             it cannot be made private",
        )),
    }
}

/// Atomically replaces a file by one that only its owner can read.
///
/// The content is written to a newly created temporary file first, so that a file or link planted
/// under the temporary name never receives it.
///
/// # Errors
/// If an I/O operation fails.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    match fs::remove_file(&fresh) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = system::new_file(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&fresh, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_open_handles_see_no_new_content() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let (path, left) = (place.path().join("secret.txt"), place.path().join("secret.new"));
        fs::write(&left, "").expect("the leftover file can be written");
        let held = fs::File::open(&left).expect("the leftover file can be opened");
        write(&path, b"hush").expect("the file can be written");
        assert_eq!(io::read_to_string(held).expect("the file can be read"), "");
        write(&path, b"hush again").expect("the file can be replaced");
        assert_eq!(fs::read(&path).expect("the file can be read"), b"hush again");
        assert!(!left.exists());
    }
}
