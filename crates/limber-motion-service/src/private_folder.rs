//! Folders that hold what people made are for the service's own user alone.

use std::{io, path::Path};

/// Makes the folder where there is none, and closes it to everybody else, whoever opened it. One that
/// belongs to somebody else (a volume that was mounted for us) or to all (`/tmp`) is left as it is, and the
/// log says so.
#[cfg(unix)]
pub(crate) fn keep_private(folder: &Path) -> io::Result<()> {
    use std::{
        fs::{DirBuilder, Permissions, metadata, set_permissions},
        os::unix::fs::{DirBuilderExt, PermissionsExt},
    };
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mode = metadata(folder)?.permissions().mode();
    let (is_open, is_for_all) = (mode & 0o077 != 0, mode & 0o1000 != 0);
    if is_open && (is_for_all || set_permissions(folder, Permissions::from_mode(0o700)).is_err()) {
        tracing::warn!(
            mode = format!("{:o}", mode & 0o7777),
            "other users of this computer may look into the folder for motion files or for what is read \
             just now, and it is not ours to close: see to it that they cannot reach it"
        );
    }
    Ok(())
}

/// What a folder inherits there (its ACL) is the operator's.
#[cfg(not(unix))]
pub(crate) fn keep_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        fs::{Permissions, metadata, set_permissions},
        os::unix::fs::PermissionsExt,
    };

    use super::*;

    fn mode(folder: &Path) -> u32 {
        metadata(folder).expect("it is there").permissions().mode() & 0o7777
    }

    #[test]
    fn a_folder_is_made_for_us_alone_and_mended_when_somebody_opened_it() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("deep/store");
        keep_private(&folder).expect("made");
        assert_eq!((mode(&folder), mode(&place.path().join("deep"))), (0o700, 0o700));
        set_permissions(&folder, Permissions::from_mode(0o755)).expect("opened");
        keep_private(&folder).expect("mended");
        assert_eq!(mode(&folder), 0o700);
    }

    #[test]
    fn a_folder_that_belongs_to_all_stays_theirs() {
        let place = tempfile::tempdir().expect("a folder");
        set_permissions(place.path(), Permissions::from_mode(0o1777)).expect("opened");
        keep_private(place.path()).expect("left alone");
        assert_eq!(mode(place.path()), 0o1777);
    }

    #[tokio::test]
    async fn a_store_that_others_could_read_is_closed_when_server_or_worker_opens_it() {
        let place = tempfile::tempdir().expect("a folder");
        set_permissions(place.path(), Permissions::from_mode(0o755)).expect("opened");
        let store = crate::StorePlace::Folder(place.path().to_owned());
        crate::files::FileStore::at(&store).await.expect("a store");
        assert_eq!(mode(place.path()), 0o700);
    }
}
