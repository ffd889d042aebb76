//! The trash: deleted clips, which can be restored until it is emptied.

use std::{fs, io, path::PathBuf};

use limber_client::motion::JobId;

use super::{ClipId, Library, records_in};
use crate::{AppError, Doing, ErrorCode, Notice, views::ClipView};

impl Library {
    /// Moves a clip to the trash.
    pub(crate) fn delete(&self, id: &ClipId) -> Result<(), AppError> {
        let mut clips = self.clips();
        let at = clips.iter().position(|clip| clip.id == *id);
        let at = at.ok_or_else(|| AppError::new(ErrorCode::NotFound, Notice::ClipGone))?;
        let refused = |error: io::Error| AppError::disk(Doing::DeleteClip, &error);
        let bin = self.in_bin(id);
        fs::create_dir_all(self.bin()).map_err(refused)?;
        if bin.exists() {
            fs::remove_dir_all(&bin).map_err(refused)?;
        }
        fs::rename(self.folder.join(id.to_string()), bin).map_err(refused)?;
        clips.remove(at);
        Ok(())
    }

    /// Writes into a clip's folder while the clip cannot be moved to the trash: a folder recreated
    /// after the move would block restoring the clip.
    pub(super) fn while_there<T>(
        &self,
        id: &ClipId,
        write: impl FnOnce() -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let clips = self.clips();
        if !clips.iter().any(|clip| clip.id == *id) {
            return Err(AppError::new(ErrorCode::NotFound, Notice::ClipGone));
        }
        write()
    }

    /// Restores a clip from the trash.
    pub(crate) fn restore(&self, id: &ClipId) -> Result<(), AppError> {
        let gone = || AppError::new(ErrorCode::NotFound, Notice::ClipDeleted);
        let refused = |error: io::Error| AppError::disk(Doing::BringBackClip, &error);
        let bytes = fs::read(self.in_bin(id).join("clip.json")).map_err(|_| gone())?;
        let clip = serde_json::from_slice(&bytes).map_err(|_| gone())?;
        fs::rename(self.in_bin(id), self.folder.join(id.to_string())).map_err(refused)?;
        self.put_in_order(clip);
        Ok(())
    }

    /// Returns the clips in the trash, newest first.
    pub(crate) fn binned(&self) -> Vec<ClipView> {
        let mut clips = records_in(&self.bin());
        clips.sort_by_key(|clip| (std::cmp::Reverse(clip.made_at), clip.id.variant));
        // users recognise clips here by thumbnail and name, so corrections do not matter
        clips.iter().map(|clip| clip.view(false)).collect()
    }

    /// Empties the trash, and records the clips for deletion by the studios that made them.
    pub(crate) fn empty_bin(&self, studio_of: impl Fn(&JobId) -> String) -> io::Result<()> {
        let clips = records_in(&self.bin());
        self.record_deletions(&clips, studio_of, || match fs::remove_dir_all(self.bin()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        })
    }

    pub(super) fn in_bin(&self, id: &ClipId) -> PathBuf {
        self.bin().join(id.to_string())
    }

    /// The folder of deleted clips.
    pub(super) fn bin(&self) -> PathBuf {
        self.folder.join(".bin")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Folders, folders, library::tests::library_with};

    #[test]
    fn a_clip_deleted_during_a_write_can_be_restored() {
        let (_folder, library, clip) = library_with(b"glTF");
        let beside = library.path(&clip.id, "beside");
        std::thread::scope(|scope| {
            let written = library.while_there(&clip.id, || {
                let deleting = scope.spawn(|| library.delete(&clip.id));
                std::thread::sleep(Duration::from_millis(50));
                folders::replace(&beside, b"new").expect("written");
                Ok(deleting)
            });
            let deleted = written.expect("it exists").join().expect("it ends");
            deleted.expect("deleted");
        });
        library.restore(&clip.id).expect("restored");
        assert_eq!(fs::read(beside).expect("it was moved too"), b"new");
        library.delete(&clip.id).expect("deleted");
        let late = library.while_there(&clip.id, || Ok(())).expect_err("it is in the trash");
        assert_eq!(late.code, ErrorCode::NotFound);
    }

    #[test]
    fn a_deleted_clip_can_be_restored_and_is_not_downloaded_again() {
        let (folder, library, clip) = library_with(b"glTF");
        library.delete(&clip.id).expect("deleted");
        let asked = [clip.id.clone()].into();
        assert!(library.views_of(&asked).is_empty() && library.knows(&clip.id));
        assert!(Library::open(&Folders::new(folder.path())).views().is_empty());
        library.restore(&clip.id).expect("restored");
        assert_eq!(library.find(&clip.id).expect("it exists"), clip);
        assert_eq!(library.views_of(&asked), library.views());
        assert_eq!(library.read(&clip, "glb").expect("intact"), b"glTF");
        let error = library.restore(&clip.id).expect_err("is not in the trash");
        assert_eq!(error.code, ErrorCode::NotFound);
    }
}
