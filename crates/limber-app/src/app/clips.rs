//! Viewing, saving and dragging clips of the library.

use std::path::PathBuf;

use limber_pipeline::picture;

use super::App;
use crate::{
    AppError, Doing, ErrorCode, Notice, SaveAs,
    drawing::NotDrawn,
    library::{ClipGlb, ClipId, data_url},
    views::{ClipView, SaveFormat, Saved},
};

/// Width and height of a large still, pixels: the editor's viewport in a window of typical size.
const STILL_SIDE: u32 = 720;

impl App {
    /// Returns all clips, newest first.
    #[must_use]
    pub fn clips(&self) -> Vec<ClipView> {
        self.inner.library.views()
    }

    /// Returns those of the given clips that are in the library, newest first.
    #[must_use]
    pub fn clips_of(&self, ids: &[String]) -> Vec<ClipView> {
        let ids = ids.iter().filter_map(|id| ClipId::parse(id).ok()).collect();
        self.inner.library.views_of(&ids)
    }

    /// Returns the animated thumbnail of a clip as PNG, for its
    /// [`Picture::url`](crate::views::Picture::url).
    ///
    /// # Errors
    /// If the clip no longer exists, or its thumbnail is missing or damaged.
    pub async fn clip_picture(&self, id: &str) -> Result<Vec<u8>, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        self.on_disk(move |app| app.inner.library.picture(&clip)).await
    }

    /// Returns the GLB of a clip, for its
    /// [`ClipDetails::glb_url`](crate::views::ClipDetails::glb_url).
    ///
    /// # Errors
    /// If the clip no longer exists, has no GLB or is damaged.
    pub async fn clip_glb(&self, id: &str) -> Result<ClipGlb, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        self.on_disk(move |app| app.inner.library.glb(&clip)).await
    }

    /// Renders one frame of a clip on this computer and returns it as a data URL.
    ///
    /// # Errors
    /// If the clip no longer exists or is damaged, or this computer cannot render.
    pub async fn clip_still(&self, id: &str, frame: u32) -> Result<String, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        self.draw(move |app| {
            let glb = app.inner.library.seen(&clip, SaveFormat::Glb)?;
            let png = picture::moment(&glb, frame, STILL_SIDE).map_err(undrawn)?;
            data_url(&png).ok_or_else(|| undrawn("the image cannot be decoded"))
        })
        .await
        .map_err(undrawn)?
    }

    /// Asks the user for a location and saves a clip there. Returns the file's name and folder, or
    /// `None` if the user cancelled the dialog.
    ///
    /// # Errors
    /// If the clip no longer exists or is damaged, or a disk operation fails.
    pub async fn save_clip(&self, id: &str, format: SaveFormat) -> Result<Option<Saved>, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        let question = SaveAs { file_name: clip.file_name(format), ending: format.ending() };
        let Some(mut to) = self.inner.environment.desktop.ask_where_to_save(question).await else {
            return Ok(None);
        };
        if to.extension().is_none() {
            to.set_extension(format.ending());
        }
        let saved = to.clone();
        self.on_disk(move |app| app.inner.library.save(&clip, format, &to)).await?;
        Ok(Some(self.saved(&saved)))
    }

    /// Starts a drag of clips to another program, each as one file with a readable name.
    ///
    /// # Errors
    /// If a clip no longer exists or is damaged, a disk operation fails, or the desktop refuses the
    /// drag.
    pub async fn drag_clips(&self, ids: Vec<String>, format: SaveFormat) -> Result<(), AppError> {
        let files = self
            .on_disk(move |app| ids.iter().map(|id| app.copy_to_drag(id, format)).collect())
            .await?;
        self.inner.environment.desktop.drag(files).await
    }

    /// Copies a clip for dragging: the other program may move or change the file at any time.
    fn copy_to_drag(&self, id: &str, format: SaveFormat) -> Result<PathBuf, AppError> {
        let clip = self.inner.library.find(&ClipId::parse(id)?)?;
        let folder = self.inner.folders.dragged().join(clip.id.to_string());
        std::fs::create_dir_all(&folder)
            .map_err(|error| AppError::disk(Doing::CopyClip, &error))?;
        let to = folder.join(clip.file_name(format));
        self.inner.library.save(&clip, format, &to)?;
        Ok(to)
    }

    /// Returns whether the files are copies that were dragged out of this window.
    #[must_use]
    pub fn dragged_out(&self, files: &[PathBuf]) -> bool {
        let own = self.inner.folders.dragged();
        files.iter().any(|file| file.starts_with(&own))
    }

    /// Opens Limber's data folder in the file manager. It holds the library, and videos that could
    /// not be saved to the chosen location.
    ///
    /// # Errors
    /// If the desktop has no file manager.
    pub async fn open_folder(&self) -> Result<(), AppError> {
        self.inner.environment.desktop.show_folder(self.inner.folders.root().to_owned()).await
    }

    /// Runs blocking disk work on a thread where blocking is allowed.
    pub(super) async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T, AppError> + Send + 'static,
    ) -> Result<T, AppError> {
        let app = self.clone();
        tokio::task::spawn_blocking(move || work(&app))
            .await
            .unwrap_or_else(|_| Err(AppError::new(ErrorCode::Internal, Notice::DiskWorkStopped)))
    }

    /// Runs rendering work on the drawing thread; disk reads that it needs happen there too.
    pub(super) async fn draw<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> T + Send + 'static,
    ) -> Result<T, NotDrawn> {
        let app = self.clone();
        self.inner.drawing.draw(move || work(&app)).await
    }
}

fn undrawn(why: impl std::fmt::Display) -> AppError {
    let message = Notice::ClipNotDrawn;
    AppError::new(ErrorCode::ViewerFailed, message).with_detail(why.to_string())
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc::channel, time::Duration};

    use limber_domain::hex;
    use limber_pipeline::{Cancel, Composer, FileKind, Options, Prompt, Request, Seed, run, stock};
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::{
        folders,
        library::{ClipFile, clip},
        testing,
        views::{ClipPart, RenderRequest, VideoCamera, VideoFormat},
    };

    /// A GLB of a walk, as a studio would deliver it.
    fn walk() -> Vec<u8> {
        let prompt = Prompt::parse("a person walks forward").expect("a prompt");
        let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
        let request = Request { duration_s: Some(2.0), options, ..Request::new(prompt, Seed(5)) };
        let character = stock::list()[0].character().expect("it reads");
        let made = run(&request, &Composer, character, &Cancel::default(), &mut |_| {});
        let files = made.expect("it works").files;
        files.into_iter().find(|file| file.kind == FileKind::Glb).expect("it was requested").bytes
    }

    /// Adds a clip with this GLB to the library and returns its ID.
    fn keep(app: &App, glb: &[u8]) -> String {
        let mut clip = clip(1);
        folders::replace(&app.inner.library.path(&clip.id, "glb"), glb).expect("arrived");
        let file = ClipFile { bytes: glb.len() as u64, sha256: hex(&Sha256::digest(glb)) };
        clip.files.insert("glb".into(), file);
        let id = clip.id.to_string();
        app.inner.library.add(clip).expect("added");
        id
    }

    fn render_request(id: &str) -> RenderRequest {
        RenderRequest {
            clip: ClipPart { id: id.to_owned(), trim_left: 0, trim_right: 0 },
            camera: VideoCamera::Fixed,
            angle_deg: 0.0,
            color: None,
            backdrop: None,
            shadow: true,
            width: 256,
            height: 256,
            fps: 30,
            container: VideoFormat::Mp4,
        }
    }

    #[test]
    fn images_are_not_rendered_on_disk_threads() {
        let home = tempfile::tempdir().expect("a folder");
        let app = testing::app(home.path());
        let id = keep(&app, &walk());
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().max_blocking_threads(1).build().expect("a runtime");
        runtime.block_on(async {
            // the only blocking thread stays busy for as long as stills are requested
            let (free, held) = channel::<()>();
            let disk = tokio::task::spawn_blocking(move || held.recv().is_ok());
            let pictures = async {
                [app.clip_still(&id, 30).await, app.video_still(render_request(&id), 30).await]
            };
            let pictures = tokio::time::timeout(Duration::from_secs(300), pictures).await;
            for picture in pictures.expect("no disk thread is blocked") {
                let url = picture.expect("this computer can render");
                assert!(url.starts_with("data:image/png;base64,"));
            }
            free.send(()).expect("it is still blocked");
            assert!(disk.await.expect("it ends"));
        });
    }

    #[tokio::test]
    async fn a_clip_that_cannot_be_rendered_is_reported_and_the_next_is_rendered() {
        let home = tempfile::tempdir().expect("a folder");
        let app = testing::app(home.path());
        let id = keep(&app, b"glTF");
        let lost: Result<(), NotDrawn> = app.draw(|_| panic!("on purpose")).await;
        assert!(lost.is_err());
        let error = app.clip_still(&id, 0).await.expect_err("it is not an image");
        assert_eq!(error.code, ErrorCode::ViewerFailed, "{error}");
        // the fault is the file's, not the thread's
        assert_ne!(error.detail, Some(NotDrawn::Failed.to_string()));
    }
}
