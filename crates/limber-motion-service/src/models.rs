//! Characters of accounts: made from uploads, listed, renamed, deleted.
//!
//! A character is converted to our GLB when it is stored; the file that was sent is not kept. What
//! a deleted character leaves behind goes later, when no link and no job can refer to it any more.

use std::{path::PathBuf, time::Duration};

use limber_api::motion::ModelId;
use limber_formats::humanoid::Overrides;
use object_store::GetOptions;

use crate::{
    FilesError, ServiceError, StoreError, Surroundings,
    files::{ContentId, FileStore},
    importing::{ImportRefusal, Imported, Importer},
    store::{
        Store,
        models::{ModelRow, NewModel, Saving},
    },
    uploads::UploadKind,
};

/// Contents that were let go stay so long: links live for an hour by default, a week at most.
const RELEASED_MS: i64 = 24 * 3600 * 1000;
const BASE_62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What is to be stored.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    /// Keys of uploads, as they stood in signed addresses.
    pub(crate) model_key: Option<String>,
    pub(crate) thumb_key: Option<String>,
    /// The character that is to be changed.
    pub(crate) model_id: Option<String>,
    pub(crate) name: Option<String>,
    /// What a person decided about the bones.
    pub(crate) overrides: Option<Overrides>,
    /// Whether a picture is to be drawn, unless one was sent.
    pub(crate) draw: bool,
}

/// Why nothing was stored.
#[derive(Debug)]
pub(crate) enum StoreRefusal {
    /// No upload of this account: which member of the request to blame.
    NoUpload(&'static str),
    /// Begun, or not even that, but not finished.
    Incomplete(&'static str),
    NoModel,
    TooMany {
        limit: u32,
    },
    /// The picture is none.
    NoPicture,
    Import(ImportRefusal),
    Files(FilesError),
    Store(StoreError),
}

impl From<StoreError> for StoreRefusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<FilesError> for StoreRefusal {
    fn from(error: FilesError) -> Self {
        Self::Files(error)
    }
}

/// Stores characters.
#[derive(Debug)]
pub(crate) struct Models {
    pub(crate) store: Store,
    pub(crate) files: FileStore,
    pub(crate) importer: Importer,
    pub(crate) surroundings: Surroundings,
    /// Where uploads lie, by session.
    pub(crate) uploads: PathBuf,
    pub(crate) most: u32,
    /// How often what was let go of is looked at.
    pub(crate) upkeep: Duration,
}

impl Models {
    /// Stores a character from an upload, or changes one.
    pub(crate) async fn save(&self, account: &str, wish: &Wish) -> Result<ModelRow, StoreRefusal> {
        let known = match &wish.model_id {
            Some(id) => {
                Some(self.store.find_model(account, id).await?.ok_or(StoreRefusal::NoModel)?)
            }
            None => None,
        };
        let thumb = match &wish.thumb_key {
            Some(key) => self.picture(account, key).await?,
            None => None,
        };
        let saved = match (&wish.model_key, known) {
            (Some(key), known) => self.save_file(account, wish, key, known, &thumb).await?,
            (None, Some(known)) if wish.overrides.is_some() => {
                self.map_anew(account, wish, known, &thumb).await?
            }
            (None, Some(known)) => self.change(account, &known, wish, &thumb).await?,
            (None, None) => None,
        };
        let saved = saved.ok_or(StoreRefusal::NoModel)?;
        if wish.draw && thumb.is_none() {
            return self.draw(account, saved).await;
        }
        Ok(saved)
    }

    /// With a picture, or as it is where none can be drawn.
    async fn draw(&self, account: &str, row: ModelRow) -> Result<ModelRow, StoreRefusal> {
        let Some(glb) = ContentId::parse(&row.glb) else { return Ok(row) };
        let stream = self.files.open(&glb, GetOptions::new()).await?.into_stream();
        let Some(png) = self.importer.draw(stream, &self.surroundings.token(12)).await else {
            return Ok(row);
        };
        let saving = Saving::begin(&self.store).await?;
        let thumb = self.files.put(png.into()).await?;
        let shown =
            saving.change_model(account, &row.id, None, Some(thumb.as_str()), self.now_ms());
        Ok(shown.await?.unwrap_or(row))
    }

    async fn change(
        &self,
        account: &str,
        known: &ModelRow,
        wish: &Wish,
        thumb: &Option<ContentId>,
    ) -> Result<Option<ModelRow>, StoreRefusal> {
        let thumb = thumb.as_ref().map(ContentId::as_str);
        let name = wish.name.as_deref();
        let saving = Saving::begin(&self.store).await?;
        let changed = saving.change_model(account, &known.id, name, thumb, self.now_ms()).await;
        Ok(changed?)
    }

    async fn save_file(
        &self,
        account: &str,
        wish: &Wish,
        key: &str,
        known: Option<ModelRow>,
        thumb: &Option<ContentId>,
    ) -> Result<Option<ModelRow>, StoreRefusal> {
        let upload = self.store.find_upload(account, key, UploadKind::Model).await?;
        let upload = upload.ok_or(StoreRefusal::NoUpload("modelUrl"))?;
        if let (None, Some(earlier)) = (&known, &upload.model_id)
            && let Some(earlier) = self.store.find_model(account, earlier).await?
        {
            // the answer of before was lost on its way
            return self.change(account, &earlier, wish, thumb).await;
        }
        let session = upload.session.ok_or(StoreRefusal::Incomplete("modelUrl"))?;
        if known.is_none() && self.store.count_models(account).await? >= i64::from(self.most) {
            return Err(StoreRefusal::TooMany { limit: self.most });
        }
        let overrides = overrides_of(wish, known.as_ref());
        let (file, scratch) = (self.uploads.join(session), self.surroundings.token(12));
        let read = self.importer.read(&file, &overrides, &scratch).await;
        let imported = read.map_err(StoreRefusal::Import)?;
        let made = Made { imported, overrides, thumb, upload: Some(key) };
        let name = wish.name.as_deref().or(known.as_ref().map(|known| known.name.as_str()));
        let id = known.as_ref().map_or_else(|| self.new_id(), |known| known.id.clone());
        Ok(Some(self.put(account, &id, name.unwrap_or(&upload.name), made).await?))
    }

    /// Other bones on the same joints.
    async fn map_anew(
        &self,
        account: &str,
        wish: &Wish,
        known: ModelRow,
        thumb: &Option<ContentId>,
    ) -> Result<Option<ModelRow>, StoreRefusal> {
        let glb = ContentId::parse(&known.glb).ok_or(StoreRefusal::NoModel)?;
        let stream = self.files.open(&glb, GetOptions::new()).await?.into_stream();
        let overrides = overrides_of(wish, None);
        let scratch = self.surroundings.token(12);
        let read = self.importer.read_again(stream, &overrides, &scratch).await;
        let imported = read.map_err(StoreRefusal::Import)?;
        let made = Made { imported, overrides, thumb, upload: None };
        let name = wish.name.as_deref().unwrap_or(&known.name);
        Ok(Some(self.put(account, &known.id, name, made).await?))
    }

    async fn put(
        &self,
        account: &str,
        id: &str,
        name: &str,
        made: Made<'_>,
    ) -> Result<ModelRow, StoreRefusal> {
        // nobody removes contents while this is held
        let saving = Saving::begin(&self.store).await?;
        let glb = self.files.adopt(&made.imported.glb).await?;
        let overrides = serde_json::to_value(&made.overrides).unwrap_or_default();
        let model = NewModel {
            id,
            account,
            name,
            read: &made.imported.model,
            glb: glb.as_str(),
            thumb: made.thumb.as_ref().map(ContentId::as_str),
            overrides,
            upload: made.upload,
            now_ms: self.now_ms(),
        };
        Ok(saving.put_model(&model).await?)
    }

    /// The uploaded picture. Clients in the wild always send its address, whether or not they have
    /// sent a picture there.
    async fn picture(&self, account: &str, key: &str) -> Result<Option<ContentId>, StoreRefusal> {
        let upload = self.store.find_upload(account, key, UploadKind::Thumb).await?;
        let upload = upload.ok_or(StoreRefusal::NoUpload("thumbUrl"))?;
        let Some(session) = upload.session else {
            let begun = upload.begun;
            return if begun { Err(StoreRefusal::Incomplete("thumbUrl")) } else { Ok(None) };
        };
        let path = self.uploads.join(session);
        let bytes = tokio::fs::read(path).await.map_err(FilesError::Folder)?;
        if !is_picture(&bytes) {
            return Err(StoreRefusal::NoPicture);
        }
        Ok(Some(self.files.put(bytes.into()).await?))
    }

    /// How many were deleted: one, or none.
    pub(crate) async fn delete(&self, account: &str, id: &str) -> Result<u32, StoreError> {
        Ok(u32::from(self.store.delete_model(account, id, self.now_ms()).await?))
    }

    /// Removes what was let go of, again and again, until dropped.
    pub(crate) async fn keep_tidy(&self) {
        loop {
            if let Err(error) = self.tidy().await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "old characters cannot be removed and are tried again later: {error}"
                );
            }
            tokio::time::sleep(self.upkeep).await;
        }
    }

    pub(crate) async fn tidy(&self) -> Result<(), ServiceError> {
        let removing = self.store.begin_removing(self.now_ms() - RELEASED_MS).await?;
        for id in removing.unused.iter().filter_map(|id| ContentId::parse(id)) {
            self.files.remove(&id).await?;
        }
        Ok(removing.finish().await?)
    }

    fn now_ms(&self) -> i64 {
        self.surroundings.clock.now_ms()
    }

    /// 22 digits in base 62, as the vendor's look.
    fn new_id(&self) -> String {
        let mut number =
            u128::from(self.surroundings.number()) << 64 | u128::from(self.surroundings.number());
        let mut id = String::with_capacity(22);
        for _ in 0..22 {
            id.push(char::from(BASE_62[(number % 62) as usize]));
            number /= 62;
        }
        id
    }
}

/// A character that was read and is to be noted.
struct Made<'a> {
    imported: Imported,
    overrides: Overrides,
    thumb: &'a Option<ContentId>,
    upload: Option<&'a str>,
}

/// What is said now, or was said before.
fn overrides_of(wish: &Wish, known: Option<&ModelRow>) -> Overrides {
    let before = known.and_then(|known| serde_json::from_value(known.overrides.clone()).ok());
    wish.overrides.clone().or(before).unwrap_or_default()
}

/// PNG, JPEG or WebP, by their first bytes; nothing else is ever shown as a picture.
fn is_picture(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
        || bytes.starts_with(b"\xff\xd8\xff")
        || (bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP"))
}

/// The kind of id this is.
pub(crate) fn model_id(row: &ModelRow) -> Result<ModelId, StoreError> {
    ModelId::parse(&row.id).map_err(|_| StoreError::Unreadable("a model's id has another form"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_known_by_their_first_bytes() {
        assert!(is_picture(b"\x89PNG\r\n\x1a\nrest"));
        assert!(is_picture(b"\xff\xd8\xff\xe0"));
        assert!(is_picture(b"RIFF\0\0\0\0WEBPVP8 "));
        for other in [&b"<svg onload=x>"[..], b"", b"RIFF\0\0\0\0WAVE", b"GIF89a"] {
            assert!(!is_picture(other));
        }
    }
}
