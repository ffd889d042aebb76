//! The library, as a person uses it: see and save.

use std::path::PathBuf;

use limber_pipeline::picture;

use super::App;
use crate::{
    AppError, ErrorCode, SaveAs,
    library::{ClipId, data_url},
    shown::{ClipShown, SaveFormat, Saved},
};

/// Width and height of a large picture, pixels: the stage of the editor in a window of usual size.
const STILL_SIDE: u32 = 720;

impl App {
    /// All clips, newest first.
    #[must_use]
    pub fn clips(&self) -> Vec<ClipShown> {
        self.inner.library.shown()
    }

    /// Those of these clips that are in the library, newest first.
    #[must_use]
    pub fn clips_of(&self, ids: &[String]) -> Vec<ClipShown> {
        let ids = ids.iter().filter_map(|id| ClipId::parse(id).ok()).collect();
        self.inner.library.shown_of(&ids)
    }

    /// The moving picture of a clip as PNG, for its [`Picture::url`](crate::shown::Picture::url).
    ///
    /// # Errors
    /// When the clip is gone, or its picture is or is damaged.
    pub async fn clip_picture(&self, id: &str) -> Result<Vec<u8>, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        self.on_disk(move |app| app.inner.library.picture(&clip)).await
    }

    /// One frame of a clip, large, as data URL, drawn on this computer.
    ///
    /// # Errors
    /// When the clip is gone or damaged, or this computer cannot draw.
    pub async fn clip_still(&self, id: &str, frame: u32) -> Result<String, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        self.on_disk(move |app| {
            let glb = app.inner.library.read(&clip, SaveFormat::Glb.ending())?;
            let png = picture::moment(&glb, frame, STILL_SIDE).map_err(undrawn)?;
            data_url(&png).ok_or_else(|| undrawn("the picture is none"))
        })
        .await
    }

    /// Asks where, and saves a clip there. Answers the file's name and place, or `None` when the
    /// person closed the dialog.
    ///
    /// # Errors
    /// When the clip is gone or damaged, or the disk refuses.
    pub async fn save_clip(&self, id: &str, format: SaveFormat) -> Result<Option<Saved>, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        let question = SaveAs { file_name: clip.file_name(format), ending: format.ending() };
        let Some(mut to) = self.inner.around.desktop.ask_where_to_save(question).await else {
            return Ok(None);
        };
        if to.extension().is_none() {
            to.set_extension(format.ending());
        }
        let saved = to.clone();
        self.on_disk(move |app| app.inner.library.save(&clip, format, &to)).await?;
        Ok(Some(self.saved(&saved)))
    }

    /// Hands clips to the pointer, to be dropped on another program: each as one file with a name for
    /// people.
    ///
    /// # Errors
    /// When a clip is gone or damaged, or the disk or the desktop refuses.
    pub async fn drag_clips(&self, ids: Vec<String>, format: SaveFormat) -> Result<(), AppError> {
        let files = self
            .on_disk(move |app| ids.iter().map(|id| app.copy_to_drag(id, format)).collect())
            .await?;
        self.inner.around.desktop.drag(files).await
    }

    /// A copy, because nobody knows what the other program does with the file, nor when.
    fn copy_to_drag(&self, id: &str, format: SaveFormat) -> Result<PathBuf, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        let folder = self.inner.folders.dragged().join(clip.id.to_string());
        std::fs::create_dir_all(&folder)
            .map_err(|error| AppError::disk("copy the clip", &error))?;
        let to = folder.join(clip.file_name(format));
        self.inner.library.save(&clip, format, &to)?;
        Ok(to)
    }

    /// Whether these files are copies that were dragged out of this very window.
    #[must_use]
    pub fn dragged_out(&self, files: &[PathBuf]) -> bool {
        let own = self.inner.folders.dragged();
        files.iter().any(|file| file.starts_with(&own))
    }

    /// Shows Limber's own folder in the file manager: the library lies in it, and films that could not
    /// be saved where somebody wanted them.
    ///
    /// # Errors
    /// When the desktop has no file manager.
    pub async fn open_folder(&self) -> Result<(), AppError> {
        self.inner.around.desktop.show_folder(self.inner.folders.root().to_owned()).await
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

fn undrawn(why: impl std::fmt::Display) -> AppError {
    let message = "This computer could not draw the picture. The clip itself is as good as ever.";
    AppError::new(ErrorCode::ViewerFailed, message).with_detail(why.to_string())
}
