//! Implementation with file modes.

use std::{
    fs::{DirBuilder, File, Permissions, metadata, set_permissions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

use super::Access;

/// Permission bits of group and others, and the sticky bit of shared folders.
const OTHERS: u32 = 0o077;
const FOR_ALL: u32 = 0o1000;

pub(super) fn folder(folder: &Path) -> io::Result<Access> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mode = metadata(folder)?.permissions().mode();
    if mode & FOR_ALL != 0 {
        // restricting it would lock everybody out
        return Ok(Access::Others);
    }
    let is_closed =
        mode & OTHERS == 0 || set_permissions(folder, Permissions::from_mode(0o700)).is_ok();
    Ok(if is_closed { Access::Owner } else { Access::Others })
}

pub(super) fn new_file(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};

    fn mode(path: &Path) -> u32 {
        metadata(path).expect("the path exists").permissions().mode() & 0o7777
    }

    fn open(path: &Path, mode: u32) {
        set_permissions(path, Permissions::from_mode(mode))
            .expect("the permissions can be changed");
    }

    #[test]
    fn folders_are_private_and_made_private_again() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let data = place.path().join("deep/data");
        own_folder(&data).expect("the folder can be created");
        assert_eq!((mode(&data), mode(&place.path().join("deep"))), (0o700, 0o700));
        open(&data, 0o755);
        own_folder(&data).expect("the folder can be made private");
        assert_eq!(mode(&data), 0o700);
    }

    #[test]
    fn shared_folders_are_left_unchanged() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        open(place.path(), 0o1777);
        assert_eq!(
            super::super::folder(place.path()).expect("the folder is accepted"),
            Access::Others
        );
        own_folder(place.path()).expect_err("the permissions are unchanged");
        assert_eq!(mode(place.path()), 0o1777);
    }

    #[test]
    fn files_are_readable_only_by_their_owner() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let path = place.path().join("secret.txt");
        std::fs::write(&path, "").expect("the file can be written");
        open(&path, 0o666);
        write(&path, b"hush").expect("the file can be written");
        assert_eq!(mode(&path), 0o600);
    }
}
