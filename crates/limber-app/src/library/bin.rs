//! Deleted clips, which come back until the bin is emptied.

use std::{fs, io, path::PathBuf};

use limber_client::motion::JobId;

use super::{Clip, ClipId, Library, records_in};
use crate::{AppError, Doing, ErrorCode, Notice, shown::ClipShown};

impl Library {
    /// Takes a clip out, until [`Self::restore`] or for good.
    pub(crate) fn delete(&self, id: &ClipId) -> Result<(), AppError> {
        self.find(id)?;
        let refused = |error: io::Error| AppError::disk(Doing::DeleteClip, &error);
        let bin = self.in_bin(id);
        fs::create_dir_all(self.bin()).map_err(refused)?;
        if bin.exists() {
            fs::remove_dir_all(&bin).map_err(refused)?;
        }
        fs::rename(self.folder.join(id.to_string()), bin).map_err(refused)?;
        self.clips().retain(|clip| clip.id != *id);
        Ok(())
    }

    /// Puts a deleted clip back where it was.
    pub(crate) fn restore(&self, id: &ClipId) -> Result<(), AppError> {
        let gone = || AppError::new(ErrorCode::NotFound, Notice::ClipDeleted);
        let refused = |error: io::Error| AppError::disk(Doing::BringBackClip, &error);
        let bytes = fs::read(self.in_bin(id).join("clip.json")).map_err(|_| gone())?;
        let clip = serde_json::from_slice(&bytes).map_err(|_| gone())?;
        fs::rename(self.in_bin(id), self.folder.join(id.to_string())).map_err(refused)?;
        self.put_in_order(clip);
        Ok(())
    }

    /// The clips in the bin, newest first.
    pub(crate) fn binned(&self) -> Vec<ClipShown> {
        let mut clips = records_in(&self.bin());
        clips.sort_by_key(|clip| (std::cmp::Reverse(clip.made_at), clip.id.variant));
        clips.iter().map(Clip::shown).collect()
    }

    /// Removes what lies in the bin, and notes it for the studios that made it.
    pub(crate) fn empty_bin(&self, studio_of: impl Fn(&JobId) -> String) -> io::Result<()> {
        let clips = records_in(&self.bin());
        self.throw_away(&clips, studio_of, || match fs::remove_dir_all(self.bin()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        })
    }

    pub(super) fn in_bin(&self, id: &ClipId) -> PathBuf {
        self.bin().join(id.to_string())
    }

    /// Holds deleted clips until somebody empties it.
    pub(super) fn bin(&self) -> PathBuf {
        self.folder.join(".bin")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folders, library::tests::library_with};

    #[test]
    fn a_deleted_clip_comes_back_and_is_not_fetched_again() {
        let (folder, library, clip) = library_with(b"glTF");
        library.delete(&clip.id).expect("deleted");
        let asked = [clip.id.clone()].into();
        assert!(library.shown_of(&asked).is_empty() && library.knows(&clip.id));
        assert!(Library::open(&Folders::new(folder.path())).shown().is_empty());
        library.restore(&clip.id).expect("restored");
        assert_eq!(library.find(&clip.id).expect("there"), clip);
        assert_eq!(library.shown_of(&asked), library.shown());
        assert_eq!(library.read(&clip, "glb").expect("whole"), b"glTF");
        let error = library.restore(&clip.id).expect_err("is not in the bin");
        assert_eq!(error.code, ErrorCode::NotFound);
    }
}
