//! Free disk space.

use std::{io, path::Path};

/// Returns the number of bytes that this user may still write to the disk with `path`, which must
/// exist.
///
/// # Errors
/// If the system call fails.
pub fn free_bytes(path: &Path) -> io::Result<u64> {
    system::free_bytes(path)
}

#[cfg(unix)]
mod system {
    use std::{io, path::Path};

    pub(super) fn free_bytes(path: &Path) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(path)?;
        Ok(disk.f_bavail * disk.f_frsize)
    }
}

#[cfg(windows)]
mod system {
    use std::{io, os::windows::ffi::OsStrExt, path::Path, ptr};

    use windows_sys::Win32::Storage::FileSystem::GetDiskFreeSpaceExW;

    #[expect(unsafe_code, reason = "not in the standard library; the call is explained")]
    pub(super) fn free_bytes(path: &Path) -> io::Result<u64> {
        let path: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
        let mut bytes = 0;
        // SAFETY: the path is NUL-terminated, the output is ours, and unused outputs may be null.
        let is_told = unsafe {
            GetDiskFreeSpaceExW(path.as_ptr(), &mut bytes, ptr::null_mut(), ptr::null_mut())
        };
        if is_told == 0 { Err(io::Error::last_os_error()) } else { Ok(bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_measured_and_missing_folders_are_errors() {
        let folder = tempfile::tempdir().expect("a temporary folder can be created");
        assert!(free_bytes(folder.path()).expect("the free space can be determined") > 4096);
        free_bytes(&folder.path().join("missing")).expect_err("the folder does not exist");
    }
}
