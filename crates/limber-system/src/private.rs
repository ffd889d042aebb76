//! Folders and files that nobody but their owner can look into.
//!
//! On Unix by their mode. On Windows by the list of who may do what with a folder, which what lies in it
//! inherits: the user, the system and administrators, whatever the folder above allows. A disk that keeps
//! neither (FAT) protects nothing.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

/// The implementations: each closes a folder, and opens a file that nobody else can read.
#[cfg_attr(unix, path = "private/unix.rs")]
#[cfg_attr(windows, path = "private/windows.rs")]
mod system;

/// Who can look into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Access {
    /// Its owner, and who administers the computer.
    Owner,
    /// Others too, and it is not ours to close: it belongs to somebody else or to all, such as `/tmp`.
    Others,
}

/// Makes the folder where there is none, and closes it to everybody but its owner, whoever opened it.
///
/// # Errors
/// When it can neither be made nor be looked at.
pub fn folder(folder: &Path) -> io::Result<Access> {
    system::folder(folder)
}

/// As [`folder`], for one that has to be the owner's alone.
///
/// # Errors
/// When it cannot be made, or others can look into it and it is not ours to close.
pub fn own_folder(folder: &Path) -> io::Result<()> {
    match self::folder(folder)? {
        Access::Owner => Ok(()),
        Access::Others => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "other users of this computer can look into the folder, and it is not ours to close",
        )),
    }
}

/// Replaces a file by one that only its owner can read, whole or not at all.
///
/// It is written under another name first, into a file that is made for it: nobody gets to read it who left
/// a file or a link under that name.
///
/// # Errors
/// As the system has them.
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
    fn a_file_is_replaced_whole_and_not_written_into_one_that_somebody_holds_open() {
        let place = tempfile::tempdir().expect("a folder");
        let (path, left) = (place.path().join("secret.txt"), place.path().join("secret.new"));
        fs::write(&left, "").expect("somebody left it there");
        let held = fs::File::open(&left).expect("and holds it open");
        write(&path, b"hush").expect("written");
        assert_eq!(io::read_to_string(held).expect("read"), "");
        write(&path, b"hush again").expect("written over");
        assert_eq!(fs::read(&path).expect("there"), b"hush again");
        assert!(!left.exists());
    }
}
