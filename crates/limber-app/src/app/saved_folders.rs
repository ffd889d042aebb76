//! Folders that files were saved to. The page refers to them by number, so that no path crosses.

use std::path::Path;

use limber_domain::lock;

use super::App;
use crate::{AppError, ErrorCode, Notice, views::Saved};

impl App {
    /// Opens a folder that a file was saved to in the file manager.
    ///
    /// # Errors
    /// If nothing was saved there since Limber started, or the desktop has no file manager.
    pub async fn show_saved_folder(&self, place: u32) -> Result<(), AppError> {
        let known = lock(&self.inner.saved_folders).get(place as usize).cloned();
        let unknown = || AppError::new(ErrorCode::NotFound, Notice::PlaceForgotten);
        let folder = known.ok_or_else(unknown)?;
        self.inner.environment.desktop.show_folder(folder).await
    }

    /// Returns the number of a folder, for [`Self::show_saved_folder`].
    pub(super) fn saved_folder_id(&self, folder: &Path) -> u32 {
        let mut folders = lock(&self.inner.saved_folders);
        let known = folders.iter().position(|each| each == folder);
        if known.is_none() {
            folders.push(folder.to_owned());
        }
        let place = known.unwrap_or_else(|| folders.len() - 1);
        u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// Describes a file that was just saved to the page.
    pub(super) fn saved(&self, file: &Path) -> Saved {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = file.parent().unwrap_or_else(|| Path::new("."));
        Saved { name, place: self.saved_folder_id(folder) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[tokio::test]
    async fn only_folders_that_were_saved_to_are_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        let error = app.show_saved_folder(0).await.expect_err("nothing was saved yet");
        assert_eq!(error.code, ErrorCode::NotFound);
        let first = app.saved(&folder.path().join("walks.glb"));
        assert_eq!(first, Saved { name: "walks.glb".into(), place: 0 });
        assert_eq!(app.saved(&folder.path().join("waves.bvh")).place, 0);
        assert_eq!(app.saved_folder_id(&folder.path().join("films")), 1);
        app.show_saved_folder(0).await.expect("shown");
        app.show_saved_folder(1).await.expect("shown");
        app.show_saved_folder(2).await.expect_err("there are two");
    }
}
