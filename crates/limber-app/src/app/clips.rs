//! The library, as a person uses it: see, play, save.

use super::App;
use crate::{
    AppError, ErrorCode, SaveQuestion,
    library::ClipId,
    shown::{ClipShown, Picture, SaveFormat},
};

/// So many clips fit side by side in one viewer.
const MOST_SIDE_BY_SIDE: usize = 8;

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

    /// Plays clips side by side in the native viewer.
    ///
    /// # Errors
    /// When a clip is gone or damaged, or the viewer does not start.
    pub async fn play_clips(&self, ids: &[String]) -> Result<(), AppError> {
        if ids.is_empty() || ids.len() > MOST_SIDE_BY_SIDE {
            return Err(AppError::new(
                ErrorCode::BadInput,
                format!("Choose 1 to {MOST_SIDE_BY_SIDE} clips to play."),
            ));
        }
        let mut files = Vec::with_capacity(ids.len());
        for id in ids {
            let clip = self.inner.library.find(&ClipId::parse(id)?)?;
            files.push(self.inner.library.path(&clip.id, SaveFormat::Glb.ending()));
            self.on_disk(move |app| app.inner.library.read(&clip, SaveFormat::Glb.ending()))
                .await?;
        }
        self.inner.around.desktop.play(files).await
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
        let question = SaveQuestion { file_name: clip.file_name(format), format };
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
