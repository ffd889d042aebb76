//! Thumbnails of characters: uploaded by clients, or rendered.

use std::time::Duration;

use bytes::Bytes;

use super::{Models, StoreRefusal};
use crate::{
    FilesError,
    files::ContentId,
    importing::ReadContext,
    store::{contents::Saving, models::ModelRow},
    uploads::UploadKind,
};

/// How long a request waits for a portrait; after that, rendering continues in the background.
const LONGEST_DRAWING: Duration = Duration::from_secs(10);

/// An uploaded thumbnail, converted to our PNG.
#[derive(Debug)]
pub(super) struct Picture {
    png: Bytes,
    key: String,
}

impl Picture {
    /// Returns the key of its upload.
    pub(super) fn upload(&self) -> &str {
        &self.key
    }
}

impl Models {
    /// Returns the uploaded thumbnail; `None` if nothing was uploaded. Existing clients always send
    /// the URL, even if they have not uploaded an image to it.
    pub(super) async fn sent_picture(
        &self,
        account: &str,
        key: &str,
    ) -> Result<Option<Picture>, StoreRefusal> {
        let upload = self.store.find_upload(account, key, UploadKind::Thumb).await?;
        let upload = upload.ok_or(StoreRefusal::NoUpload("thumbUrl"))?;
        let Some(session) = upload.session else {
            let begun = upload.begun;
            return if begun { Err(StoreRefusal::Incomplete("thumbUrl")) } else { Ok(None) };
        };
        let file = self.arrived(&session, "thumbUrl").await?;
        let context = ReadContext { account, scratch: &self.environment.token(12) };
        let fitted = self.importer.sanitize_image(file.path(), context).await;
        let png = fitted.map_err(StoreRefusal::Import)?.ok_or(StoreRefusal::NoPicture)?;
        Ok(Some(Picture { png: png.into(), key: key.to_owned() }))
    }

    /// Puts a thumbnail in the file store. Call it only while a [`Saving`] is held.
    pub(super) async fn keep(
        &self,
        picture: &Option<Picture>,
    ) -> Result<Option<ContentId>, FilesError> {
        match picture {
            Some(picture) => Ok(Some(self.files.put(picture.png.clone()).await?)),
            None => Ok(None),
        }
    }

    /// Renders and stores a portrait. Returns the row with it, or unchanged if rendering fails or
    /// takes too long.
    pub(super) async fn draw(&self, account: &str, row: ModelRow) -> ModelRow {
        let (models, account, drawn) = (self.clone(), account.to_owned(), row.clone());
        let drawing = tokio::spawn(async move { models.draw_now(&account, drawn).await });
        match tokio::time::timeout(LONGEST_DRAWING, drawing).await {
            Ok(Ok(Ok(done))) => done,
            Ok(Ok(Err(refusal))) => {
                // the character itself is stored; failing now would make the client store it twice
                tracing::warn!(?refusal, "a character was stored without its thumbnail");
                row
            }
            Ok(Err(_)) | Err(_) => row,
        }
    }

    async fn draw_now(&self, account: &str, row: ModelRow) -> Result<ModelRow, StoreRefusal> {
        let Some(glb) = ContentId::parse(&row.glb) else { return Ok(row) };
        let stream = self.files.open_verified(&glb).await?;
        let context = ReadContext { account, scratch: &self.environment.token(12) };
        let Some(png) = self.importer.draw(stream, context).await else {
            return Ok(row);
        };
        let _place = self.place_to_write(account).await?;
        let saving = Saving::begin(&self.store).await?;
        let thumb = self.files.put(png.into()).await?;
        let thumb = (Some(thumb.as_str()), None);
        let shown = saving.change_model(account, &row.id, None, thumb, self.now_ms()).await?;
        Ok(shown.unwrap_or(row))
    }
}
