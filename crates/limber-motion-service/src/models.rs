//! Accounts' own characters: created from uploads, listed, renamed and deleted.
//!
//! A character is converted to our GLB when it is stored; the uploaded file is not kept. The files
//! of a deleted character are removed later, when no link and no job can refer to them any more.

mod arrived;
mod pictures;

use std::{path::Path, time::Duration};

use limber_api::motion::ModelId;
use limber_formats::humanoid::Overrides;
use serde_json::Value;
use url::Url;

use crate::{
    Environment, FilesError, ServiceError, StoreError,
    fetching::{FetchRefusal, Fetcher},
    files::{ContentId, FileStore},
    importing::{BoneOverrides, ImportRefusal, Imported, Importer, ReadContext},
    pipeline::is_face,
    shares::{Share, Shares},
    stock::Stock,
    store::{
        Store,
        contents::Saving,
        models::{ModelRow, NewModel, Place, SpentUploads, Stored},
    },
    sweeping::sweep,
    uploads::{Spool, UploadKind},
};
use pictures::Picture;

/// How long released content is kept, in milliseconds. Links to it may still be in use: they last
/// an hour by default, and a week at most.
const RELEASED_MS: i64 = 24 * 3600 * 1000;
/// How long a parsed character waits for its turn to be written to the file store.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
const BASE_62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What the client wants to store or change.
#[derive(Debug, Default)]
pub(crate) struct SaveRequest {
    pub(crate) file: Option<FileSource>,
    /// Key of an upload, taken from a signed URL.
    pub(crate) thumb_key: Option<String>,
    /// The character to change; `None` stores a new one.
    pub(crate) model_id: Option<String>,
    pub(crate) name: Option<String>,
    /// Bones that the user assigned to joints by hand.
    pub(crate) overrides: Option<Overrides>,
    /// Whether to render a portrait if none was uploaded.
    pub(crate) draw: bool,
    /// Whether to reject a character whose face cannot be animated.
    pub(crate) require_face: bool,
}

/// Where the character's file comes from.
#[derive(Debug)]
pub(crate) enum FileSource {
    /// An upload; its key, taken from a signed URL.
    Sent(String),
    /// A URL on another host.
    Elsewhere(Url),
}

/// Why a character was not stored.
#[derive(Debug)]
pub(crate) enum StoreRefusal {
    /// This account has no such upload; holds the request member at fault.
    NoUpload(&'static str),
    /// The upload has not finished, or has not even started.
    Incomplete(&'static str),
    /// The upload's file has been damaged since it arrived.
    Damaged(&'static str),
    NoModel,
    TooMany {
        limit: u32,
    },
    /// The thumbnail is not an image, or cannot be converted.
    NoPicture,
    /// The face has too few blend shapes; holds a message.
    NoFace(String),
    Fetch(FetchRefusal),
    Import(ImportRefusal),
    Files(FilesError),
    Store(StoreError),
}

impl SaveRequest {
    /// Fails with code 906 if a face is required and, by the character's report, there is none.
    fn check_face(&self, report: &Value) -> Result<(), StoreRefusal> {
        if !self.require_face {
            return Ok(());
        }
        is_face(face_of(report).unwrap_or(0)).map_err(StoreRefusal::NoFace)
    }
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

/// Stores, changes and deletes characters. Clones share all state.
#[derive(Debug, Clone)]
pub(crate) struct Models {
    pub(crate) store: Store,
    pub(crate) files: FileStore,
    pub(crate) importer: Importer,
    /// Limits concurrent writes to fewer than there are database connections: a writer holds a
    /// connection for as long as the file store takes.
    pub(crate) writers: Shares,
    /// `None` unless fetching from other hosts is allowed.
    pub(crate) fetcher: Option<Fetcher>,
    pub(crate) environment: Environment,
    /// Its files are never removed.
    pub(crate) stock: Stock,
    /// Where uploads are stored.
    pub(crate) uploads: Spool,
    pub(crate) most: u32,
    /// Interval at which released content is checked.
    pub(crate) upkeep: Duration,
    /// How long unreferenced content is kept before it is removed.
    pub(crate) orphan_age: Duration,
}

impl Models {
    /// Stores a character from an upload or a URL, or changes a stored one.
    pub(crate) async fn save(
        &self,
        account: &str,
        request: &SaveRequest,
    ) -> Result<ModelRow, StoreRefusal> {
        let known = match &request.model_id {
            Some(id) if ModelId::parse(id).is_err() => return Err(StoreRefusal::NoModel),
            Some(id) => {
                Some(self.store.find_model(account, id).await?.ok_or(StoreRefusal::NoModel)?)
            }
            None => None,
        };
        let picture = match &request.thumb_key {
            Some(key) => self.sent_picture(account, key).await?,
            None => None,
        };
        let saved = match (&request.file, known) {
            (Some(FileSource::Sent(key)), known) => {
                self.save_sent(account, request, key, known, &picture).await?
            }
            (Some(FileSource::Elsewhere(url)), known) => {
                self.save_fetched(account, request, url, known, &picture).await?
            }
            (None, Some(known)) if request.overrides.is_some() => {
                self.map_anew(account, request, known, &picture).await?
            }
            (None, Some(known)) => {
                request.check_face(&known.report)?;
                self.change(account, &known.id, request, &picture).await?
            }
            (None, None) => return Err(StoreRefusal::NoModel),
        };
        if request.draw && picture.is_none() {
            return Ok(self.draw(account, saved).await);
        }
        Ok(saved)
    }

    async fn change(
        &self,
        account: &str,
        id: &str,
        request: &SaveRequest,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let _place = match picture {
            Some(_) => Some(self.place_to_write(account).await?),
            None => None,
        };
        let saving = Saving::begin(&self.store).await?;
        let (thumb, upload) = (self.keep(picture).await?, picture.as_ref().map(Picture::upload));
        let thumb = (thumb.as_ref().map(ContentId::as_str), upload);
        let name = request.name.as_deref();
        let changed = saving.change_model(account, id, name, thumb, self.now_ms()).await?;
        changed.ok_or(StoreRefusal::NoModel)
    }

    async fn save_fetched(
        &self,
        account: &str,
        request: &SaveRequest,
        url: &Url,
        known: Option<ModelRow>,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let refused = StoreRefusal::Fetch;
        let fetcher = self.fetcher.as_ref().ok_or(refused(FetchRefusal::Unreachable))?;
        let context = ReadContext { account, scratch: &self.environment.token(12) };
        let fetched = fetcher.fetch(url, context).await.map_err(refused)?;
        let source = Source { file: &fetched.file, key: None, name: &fetched.name };
        self.read_and_put(account, request, known, source, picture).await
    }

    async fn save_sent(
        &self,
        account: &str,
        request: &SaveRequest,
        key: &str,
        known: Option<ModelRow>,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let upload = self.store.find_upload(account, key, UploadKind::Model).await?;
        let upload = upload.ok_or(StoreRefusal::NoUpload("modelUrl"))?;
        if let (None, Some(earlier)) = (&known, &upload.model_id) {
            // a repeated request, whose first response was lost
            return self.change(account, earlier, request, picture).await;
        }
        let session = upload.session.ok_or(StoreRefusal::Incomplete("modelUrl"))?;
        let file = self.arrived(&session, "modelUrl").await?;
        let source = Source { file: file.path(), key: Some(key), name: &upload.name };
        self.read_and_put(account, request, known, source, picture).await
    }

    async fn read_and_put(
        &self,
        account: &str,
        request: &SaveRequest,
        known: Option<ModelRow>,
        source: Source<'_>,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let most = i64::from(self.most);
        if known.is_none() && self.store.count_models(account).await? >= most {
            if let Some(key) = source.key
                && let Some(upload) =
                    self.store.find_upload(account, key, UploadKind::Model).await?
                && let Some(earlier) = upload.model_id
            {
                // the character that fills the limit may be this same file, stored a moment ago
                return self.change(account, &earlier, request, picture).await;
            }
            return Err(StoreRefusal::TooMany { limit: self.most });
        }
        let bone_overrides = self.bone_overrides(account, request, known.as_ref()).await?;
        let context = ReadContext { account, scratch: &self.environment.token(12) };
        let read = self.importer.read(source.file, bone_overrides, context).await;
        let imported = read.map_err(StoreRefusal::Import)?;
        let name = request.name.as_deref().or(known.as_ref().map(|known| known.name.as_str()));
        let parsed = ParsedModel {
            imported,
            picture,
            upload: source.key,
            name: name.unwrap_or(source.name),
        };
        match &known {
            Some(known) => self.put(account, request, (&known.id, Place::Known), parsed).await,
            None => self.put(account, request, (&self.new_id(), Place::New { most }), parsed).await,
        }
    }

    /// Returns the manual bone mapping: that of the request, else of this character, else those of
    /// earlier characters, from which one with the same rig is used.
    async fn bone_overrides(
        &self,
        account: &str,
        request: &SaveRequest,
        known: Option<&ModelRow>,
    ) -> Result<BoneOverrides, StoreError> {
        let read = |value: &Value| serde_json::from_value(value.clone()).ok();
        let before = || known.and_then(|known| read(&known.overrides));
        let own = request.overrides.clone().or_else(before);
        if own.is_some() {
            return Ok(BoneOverrides { own, ..BoneOverrides::default() });
        }
        let rigs = self.store.rigs_decided_on(account).await?;
        let remembered =
            rigs.into_iter().filter_map(|(joints, value)| Some((joints, read(&value)?))).collect();
        Ok(BoneOverrides { own, remembered })
    }

    /// Maps other bones to the joints of a stored character.
    async fn map_anew(
        &self,
        account: &str,
        request: &SaveRequest,
        known: ModelRow,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let glb = ContentId::parse(&known.glb).ok_or(StoreRefusal::NoModel)?;
        let stream = self.files.open_verified(&glb).await?;
        let bone_overrides =
            BoneOverrides { own: request.overrides.clone(), ..BoneOverrides::default() };
        let context = ReadContext { account, scratch: &self.environment.token(12) };
        let read = self.importer.read_again(stream, bone_overrides, context).await;
        let mut imported = read.map_err(StoreRefusal::Import)?;
        // our own GLB declares its bones and has fewer joints, so keep what is known of the
        // original rig
        imported.model.rig_id.clone_from(&known.rig_id);
        if let Some(joints) = &known.joints {
            imported.model.joints.clone_from(joints);
        }
        let name = request.name.as_deref().unwrap_or(&known.name);
        let parsed = ParsedModel { imported, picture, upload: None, name };
        self.put(account, request, (&known.id, Place::Known), parsed).await
    }

    async fn put(
        &self,
        account: &str,
        request: &SaveRequest,
        (id, place): (&str, Place),
        parsed: ParsedModel<'_>,
    ) -> Result<ModelRow, StoreRefusal> {
        request.check_face(&parsed.imported.model.report)?;
        let writing = self.place_to_write(account).await?;
        // no content is removed while this is held
        let saving = Saving::begin(&self.store).await?;
        let glb = self.files.adopt(&parsed.imported.glb).await?;
        let thumb = self.keep(parsed.picture).await?;
        let model = NewModel {
            id,
            account,
            place,
            name: parsed.name,
            read: &parsed.imported.model,
            glb: glb.as_str(),
            thumb: thumb.as_ref().map(ContentId::as_str),
            uploads: SpentUploads {
                model: parsed.upload,
                thumb: parsed.picture.as_ref().map(Picture::upload),
            },
            now_ms: self.now_ms(),
        };
        let stored = saving.put_model(&model).await?;
        // `change` takes a slot of its own
        drop(writing);
        match stored {
            Stored::Now(row) => Ok(*row),
            Stored::Before(earlier) => {
                self.change(account, &earlier, request, parsed.picture).await
            }
            Stored::TooMany => Err(StoreRefusal::TooMany { limit: self.most }),
            Stored::Gone => Err(StoreRefusal::NoModel),
        }
    }

    /// Waits until the account may write to the file store.
    async fn place_to_write(&self, account: &str) -> Result<Share, StoreRefusal> {
        let place = self.writers.take(account, LONGEST_WAIT).await;
        place.ok_or(StoreRefusal::Import(ImportRefusal::Busy))
    }

    /// Deletes a character. Returns how many were deleted: one or none.
    pub(crate) async fn delete(&self, account: &str, id: &str) -> Result<u32, StoreError> {
        // an invalid id cannot exist, and PostgreSQL would reject some of them
        let Ok(id) = ModelId::parse(id) else { return Ok(0) };
        Ok(u32::from(self.store.delete_model(account, id.as_str(), self.now_ms()).await?))
    }

    /// Removes released content periodically, until dropped.
    pub(crate) async fn keep_tidy(&self) {
        loop {
            if let Err(error) = self.tidy().await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "old characters could not be removed; trying again later: {error}"
                );
            }
            tokio::time::sleep(self.upkeep).await;
        }
    }

    pub(crate) async fn tidy(&self) -> Result<(), ServiceError> {
        self.store.note_stock(&self.stock.contents()).await?;
        let removing = self.store.begin_removing(self.now_ms() - RELEASED_MS).await?;
        for id in removing.unused.iter().filter_map(|id| ContentId::parse(id)) {
            self.files.remove(&id).await?;
        }
        removing.finish().await?;
        sweep(&self.store, &self.files, self.orphan_age).await.map(drop)
    }

    fn now_ms(&self) -> i64 {
        self.environment.clock.now_ms()
    }

    /// Returns a new id: 22 base-62 digits, the format of the vendor's ids.
    fn new_id(&self) -> String {
        let mut number =
            u128::from(self.environment.number()) << 64 | u128::from(self.environment.number());
        let mut id = String::with_capacity(22);
        for _ in 0..22 {
            id.push(char::from(BASE_62[(number % 62) as usize]));
            number /= 62;
        }
        id
    }
}

/// A file to make a character from.
struct Source<'a> {
    file: &'a Path,
    /// Key of its upload, unless it was fetched.
    key: Option<&'a str>,
    /// Default name of the character.
    name: &'a str,
}

/// A parsed character that is about to be stored.
struct ParsedModel<'a> {
    imported: Imported,
    picture: &'a Option<Picture>,
    upload: Option<&'a str>,
    name: &'a str,
}

/// Returns how many of ARKit's face blend shapes a character has, according to its report.
pub(crate) fn face_of(report: &Value) -> Option<usize> {
    usize::try_from(report.pointer("/face/shapes")?.as_u64()?).ok()
}

/// Parses the id of a row.
pub(crate) fn model_id(row: &ModelRow) -> Result<ModelId, StoreError> {
    ModelId::parse(&row.id)
        .map_err(|_| StoreError::Unreadable("a model's id has an unexpected form"))
}
