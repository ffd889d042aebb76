//! The library, as a person uses it: see and save.

use super::App;
use crate::{
    AppError, ErrorCode, SaveAs,
    library::ClipId,
    shown::{ClipShown, Picture, SaveFormat},
};

impl App {
    /// All clips, newest first.
    #[must_use]
    pub fn clips(&self) -> Vec<ClipShown> {
        self.inner.library.shown()
    }

    /// The moving picture of a clip; `None` when it has none.
    ///
    /// # Errors
    /// When the clip is gone or its picture is damaged.
    pub async fn clip_picture(&self, id: &str) -> Result<Option<Picture>, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        self.on_disk(move |app| app.inner.library.picture(&clip)).await
    }

    /// Asks where, and saves a clip there. Answers the file's name, or `None` when the person
    /// closed the dialog.
    ///
    /// # Errors
    /// When the clip is gone or damaged, or the disk refuses.
    pub async fn save_clip(
        &self,
        id: &str,
        format: SaveFormat,
    ) -> Result<Option<String>, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        let question = SaveAs { file_name: clip.file_name(format), ending: format.ending() };
        let Some(mut to) = self.inner.around.desktop.ask_where_to_save(question).await else {
            return Ok(None);
        };
        if to.extension().is_none() {
            to.set_extension(format.ending());
        }
        let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.on_disk(move |app| app.inner.library.save(&clip, format, &to)).await?;
        Ok(Some(name))
    }

    /// Shows the folder of the clips in the file manager.
    ///
    /// # Errors
    /// When the desktop has no file manager.
    pub async fn open_folder(&self) -> Result<(), AppError> {
        self.inner.around.desktop.show_folder(self.inner.library.folder().to_owned()).await
    }

    /// Runs work that waits for the disk where waiting hurts nobody.
    pub(super) async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let app = self.clone();
        tokio::task::spawn_blocking(move || work(&app)).await.unwrap_or_else(|_| {
            Err(AppError::new(
                ErrorCode::Internal,
                "Limber failed at the disk. Nothing was lost; try again.",
            ))
        })
    }
}
