//! Implementation with access control lists. Files inherit the list of their folder.

use std::{
    fs::{self, File},
    io,
    os::windows::ffi::OsStrExt,
    path::Path,
    ptr, slice,
};

use windows_sys::Win32::{
    Foundation::{CloseHandle, ERROR_SUCCESS, HANDLE, LocalFree},
    Security::{
        Authorization::{
            ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW,
            SDDL_REVISION_1, SE_FILE_OBJECT, SetNamedSecurityInfoW,
        },
        DACL_SECURITY_INFORMATION, GetSecurityDescriptorDacl, GetTokenInformation,
        PROTECTED_DACL_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR, TOKEN_QUERY, TOKEN_USER,
        TokenUser,
    },
    System::Threading::{GetCurrentProcess, OpenProcessToken},
};

use super::Access;

pub(super) fn folder(folder: &Path) -> io::Result<Access> {
    fs::create_dir_all(folder)?;
    match close(folder) {
        Ok(()) => Ok(Access::Owner),
        Err(error) => {
            tracing::debug!(%error, "a folder could not be made private");
            Ok(Access::Others)
        }
    }
}

pub(super) fn new_file(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

/// Replaces the folder's list by one that inherits nothing and is inherited by its contents: full
/// access for the user, the system (`SY`) and administrators (`BA`), as in a user profile.
#[expect(unsafe_code, reason = "a C interface; each call is explained")]
fn close(folder: &Path) -> io::Result<()> {
    let user = user()?;
    let list = wide(&format!("D:P(A;OICI;FA;;;{user})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)"));
    let path: Vec<u16> = folder.as_os_str().encode_wide().chain([0]).collect();
    let mut descriptor = Allocated(ptr::null_mut());
    let (mut is_there, mut is_default, mut entries) = (0, 0, ptr::null_mut());
    // SAFETY: the text is NUL-terminated; the allocated descriptor is freed on drop.
    succeed(unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            list.as_ptr(),
            SDDL_REVISION_1,
            &mut descriptor.0,
            ptr::null_mut(),
        )
    })?;
    // SAFETY: the descriptor was just made; the entries point into it and are used while it lives.
    succeed(unsafe {
        GetSecurityDescriptorDacl(descriptor.0, &mut is_there, &mut entries, &mut is_default)
    })?;
    // SAFETY: the path is NUL-terminated; only the list is replaced, so the other arguments are
    // unused.
    let error = unsafe {
        SetNamedSecurityInfoW(
            path.as_ptr(),
            SE_FILE_OBJECT,
            DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION,
            ptr::null_mut(),
            ptr::null_mut(),
            entries,
            ptr::null(),
        )
    };
    if error == ERROR_SUCCESS {
        Ok(())
    } else {
        Err(io::Error::from_raw_os_error(error.cast_signed()))
    }
}

/// Returns the SID of this process's user, of the form `S-1-5-21-…`.
#[expect(unsafe_code, reason = "a C interface; each call is explained")]
fn user() -> io::Result<String> {
    let mut token: HANDLE = ptr::null_mut();
    // SAFETY: the handle is this process; the token is closed below.
    succeed(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &mut token) })?;
    // a TOKEN_USER followed by the longest SID takes 84 bytes, aligned for a pointer
    let mut told = [0_u64; 16];
    let mut length = 0;
    // SAFETY: the buffer is ours and has the given size.
    let asked = succeed(unsafe {
        let size = u32::try_from(size_of_val(&told)).unwrap_or(0);
        GetTokenInformation(token, TokenUser, told.as_mut_ptr().cast(), size, &mut length)
    });
    // SAFETY: the token was opened above and is not used any more.
    unsafe { CloseHandle(token) };
    asked?;
    let mut text = Allocated(ptr::null_mut());
    // SAFETY: the buffer begins with a TOKEN_USER that points to the SID behind it.
    succeed(unsafe {
        let sid = (*told.as_ptr().cast::<TOKEN_USER>()).User.Sid;
        ConvertSidToStringSidW(sid, (&raw mut text.0).cast())
    })?;
    let text = text.0.cast::<u16>();
    // SAFETY: the text is NUL-terminated and lives until the end of this function.
    let letters = unsafe {
        let length = (0..).take_while(|index| *text.add(*index) != 0).count();
        slice::from_raw_parts(text, length)
    };
    String::from_utf16(letters).map_err(io::Error::other)
}

/// Memory allocated by the system, freed on drop.
struct Allocated(PSECURITY_DESCRIPTOR);

impl Drop for Allocated {
    #[expect(unsafe_code, reason = "a C interface; the call is explained")]
    fn drop(&mut self) {
        // SAFETY: it is null or was allocated by the system, and nothing else frees it.
        unsafe { LocalFree(self.0) };
    }
}

fn succeed(answer: i32) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::Security::Authorization::{
        ConvertSecurityDescriptorToStringSecurityDescriptorW, GetNamedSecurityInfoW,
    };

    use super::*;

    /// The access control list of a folder in SDDL.
    #[expect(unsafe_code, reason = "a C interface; each call is explained")]
    fn list_of(folder: &Path) -> String {
        let path: Vec<u16> = folder.as_os_str().encode_wide().chain([0]).collect();
        let (mut descriptor, mut text) = (Allocated(ptr::null_mut()), Allocated(ptr::null_mut()));
        let nothing = ptr::null_mut;
        // SAFETY: the path is NUL-terminated, and unused outputs may be null.
        let error = unsafe {
            GetNamedSecurityInfoW(
                path.as_ptr(),
                SE_FILE_OBJECT,
                DACL_SECURITY_INFORMATION,
                nothing(),
                nothing(),
                ptr::null_mut(),
                ptr::null_mut(),
                &mut descriptor.0,
            )
        };
        assert_eq!(error, ERROR_SUCCESS);
        let mut length = 0;
        // SAFETY: the descriptor was just made; the text is freed on drop.
        succeed(unsafe {
            ConvertSecurityDescriptorToStringSecurityDescriptorW(
                descriptor.0,
                SDDL_REVISION_1,
                DACL_SECURITY_INFORMATION,
                (&raw mut text.0).cast(),
                &mut length,
            )
        })
        .expect("the file can be written");
        // SAFETY: the system returned the length of the text.
        let letters = unsafe { slice::from_raw_parts(text.0.cast::<u16>(), length as usize) };
        String::from_utf16_lossy(letters).trim_end_matches('\0').to_owned()
    }

    #[test]
    fn folder_permissions_name_only_the_owner() {
        let place = tempfile::tempdir().expect("a temporary folder can be created");
        let data = place.path().join("deep").join("data");
        super::super::own_folder(&data).expect("the folder was created and made private");
        let list = list_of(&data);
        // everyone, built-in users, and authenticated users
        for others in [";;;WD)", ";;;BU)", ";;;AU)"] {
            assert!(!list.contains(others), "{list}");
        }
        assert!(list.contains(&user().expect("the user can be determined")), "{list}");
        super::super::own_folder(&data).expect("the folder was made private again");
        super::super::write(&data.join("secret.txt"), b"hush")
            .expect("the folder can be written to");
    }
}
