//! Restricts folders that contain user data to the user that runs the service.

use std::{io, path::Path};

use limber_system::private::{Access, folder};

/// Creates the folder if it is missing and makes it accessible to its owner only. A folder that
/// belongs to another user (such as a mounted volume) or is shared by design (`/tmp`) is left as it
/// is, with a warning in the log.
pub(crate) fn keep_private(path: &Path) -> io::Result<()> {
    if folder(path)? == Access::Others {
        tracing::warn!(
            "other users of this computer may look into the folder for motion files or for what is read \
             just now, and it is not ours to close: see to it that they cannot reach it"
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
    async fn a_store_that_others_could_read_is_closed_when_server_or_worker_opens_it() {
        let place = tempfile::tempdir().expect("a folder");
        set_permissions(place.path(), Permissions::from_mode(0o755)).expect("opened");
        let store = crate::StorePlace::Folder(place.path().to_owned());
        crate::files::FileStore::at(&store).await.expect("a store");
        let mode = metadata(place.path()).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o7777, 0o700);
    }
}
