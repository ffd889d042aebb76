//! Restricts folders that contain user data to the user that runs the service.

use std::{io, path::Path};

use limber_system::private::{Access, folder};

/// Creates the folder if it is missing and makes it accessible to its owner only. A folder that
/// belongs to another user (such as a mounted volume) or is shared by design (`/tmp`) is left as it
/// is, with a warning in the log.
pub(crate) fn keep_private(path: &Path) -> io::Result<()> {
    if folder(path)? == Access::Others {
        tracing::warn!(
            "other users of this computer may be able to read the folder for motion files or \
             temporary files, and the service cannot restrict it: make sure that they have no \
             access"
        );
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs::{Permissions, metadata, set_permissions},
        os::unix::fs::PermissionsExt,
    };

    #[tokio::test]
    async fn server_and_worker_make_a_readable_store_private() {
        let place = tempfile::tempdir().expect("a folder");
        set_permissions(place.path(), Permissions::from_mode(0o755)).expect("opened");
        let store = crate::StorePlace::Folder(place.path().to_owned());
        crate::files::FileStore::at(&store).await.expect("a store");
        let mode = metadata(place.path()).expect("it exists").permissions().mode();
        assert_eq!(mode & 0o7777, 0o700);
    }
}
