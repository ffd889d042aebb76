//! Characters of accounts: made from uploads, listed, renamed, deleted.
//!
//! A character is converted to our GLB when it is stored; the file that was sent is not kept. What
//! a deleted character leaves behind goes later, when no link and no job can refer to it any more.

mod arrived;
mod pictures;

use std::{path::Path, time::Duration};

use limber_api::motion::ModelId;
use limber_formats::humanoid::Overrides;
use serde_json::Value;
use url::Url;

use crate::{
    FilesError, ServiceError, StoreError, Surroundings,
    fetching::{FetchRefusal, Fetcher},
    files::{ContentId, FileStore},
    importing::{Bench, Choices, ImportRefusal, Imported, Importer},
    road::is_face,
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

/// Contents that were let go stay so long: links live for an hour by default, a week at most.
const RELEASED_MS: i64 = 24 * 3600 * 1000;
/// So long a character that was read waits for others to be written.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
const BASE_62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What is to be stored.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    pub(crate) file: Option<WishedFile>,
    /// Key of an upload, as it stood in a signed address.
    pub(crate) thumb_key: Option<String>,
    /// The character that is to be changed.
    pub(crate) model_id: Option<String>,
    pub(crate) name: Option<String>,
    /// What a person decided about the bones.
    pub(crate) overrides: Option<Overrides>,
    /// Whether a picture is to be drawn, unless one was sent.
    pub(crate) draw: bool,
    /// Whether a character without a face that moves is to be refused.
    pub(crate) require_face: bool,
}

/// Where the file is that a character is to be made of.
#[derive(Debug)]
pub(crate) enum WishedFile {
    /// Here: the key of an upload, as it stood in a signed address.
    Sent(String),
    /// On another host.
    Elsewhere(Url),
}

/// Why nothing was stored.
#[derive(Debug)]
pub(crate) enum StoreRefusal {
    /// No upload of this account: which member of the request to blame.
    NoUpload(&'static str),
    /// Begun, or not even that, but not finished.
    Incomplete(&'static str),
    /// Arrived, and is not any more what it was then.
    Damaged(&'static str),
    NoModel,
    TooMany {
        limit: u32,
    },
    /// The picture is none, or cannot be shown.
    NoPicture,
    /// Too few shapes of a face, in a sentence.
    NoFace(String),
    Fetch(FetchRefusal),
    Import(ImportRefusal),
    Files(FilesError),
    Store(StoreError),
}

impl Wish {
    /// Code 906 where a face is wanted and the report of the character tells of none.
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

/// Stores characters. Clones share everything.
#[derive(Debug, Clone)]
pub(crate) struct Models {
    pub(crate) store: Store,
    pub(crate) files: FileStore,
    pub(crate) importer: Importer,
    /// Whoever writes files holds a connection to the database meanwhile, as long as the store takes; so
    /// there are fewer places than connections.
    pub(crate) writers: Shares,
    /// Where other hosts are allowed.
    pub(crate) fetcher: Option<Fetcher>,
    pub(crate) surroundings: Surroundings,
    /// What these are made of stays.
    pub(crate) stock: Stock,
    /// Where uploads lie.
    pub(crate) uploads: Spool,
    pub(crate) most: u32,
    /// How often what was let go of is looked at.
    pub(crate) upkeep: Duration,
    /// How long what belongs to nobody is left alone.
    pub(crate) orphan_age: Duration,
}

impl Models {
    /// Stores a character from an upload, or changes one.
    pub(crate) async fn save(&self, account: &str, wish: &Wish) -> Result<ModelRow, StoreRefusal> {
        let known = match &wish.model_id {
            Some(id) if ModelId::parse(id).is_err() => return Err(StoreRefusal::NoModel),
            Some(id) => {
                Some(self.store.find_model(account, id).await?.ok_or(StoreRefusal::NoModel)?)
            }
            None => None,
        };
        let picture = match &wish.thumb_key {
            Some(key) => self.sent_picture(account, key).await?,
            None => None,
        };
        let saved = match (&wish.file, known) {
            (Some(WishedFile::Sent(key)), known) => {
                self.save_sent(account, wish, key, known, &picture).await?
            }
            (Some(WishedFile::Elsewhere(url)), known) => {
                self.save_fetched(account, wish, url, known, &picture).await?
            }
            (None, Some(known)) if wish.overrides.is_some() => {
                self.map_anew(account, wish, known, &picture).await?
            }
            (None, Some(known)) => {
                wish.check_face(&known.report)?;
                self.change(account, &known.id, wish, &picture).await?
            }
            (None, None) => return Err(StoreRefusal::NoModel),
        };
        if wish.draw && picture.is_none() {
            return Ok(self.draw(account, saved).await);
        }
        Ok(saved)
    }

    async fn change(
        &self,
        account: &str,
        id: &str,
        wish: &Wish,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let _place = match picture {
            Some(_) => Some(self.place_to_write(account).await?),
            None => None,
        };
        let saving = Saving::begin(&self.store).await?;
        let (thumb, upload) = (self.keep(picture).await?, picture.as_ref().map(Picture::upload));
        let thumb = (thumb.as_ref().map(ContentId::as_str), upload);
        let name = wish.name.as_deref();
        let changed = saving.change_model(account, id, name, thumb, self.now_ms()).await?;
        changed.ok_or(StoreRefusal::NoModel)
    }

    async fn save_fetched(
        &self,
        account: &str,
        wish: &Wish,
        url: &Url,
        known: Option<ModelRow>,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let refused = StoreRefusal::Fetch;
        let fetcher = self.fetcher.as_ref().ok_or(refused(FetchRefusal::Unreachable))?;
        let bench = Bench { account, scratch: &self.surroundings.token(12) };
        let fetched = fetcher.fetch(url, bench).await.map_err(refused)?;
        let source = Source { file: &fetched.file, key: None, name: &fetched.name };
        self.read_and_put(account, wish, known, source, picture).await
    }

    async fn save_sent(
        &self,
        account: &str,
        wish: &Wish,
        key: &str,
        known: Option<ModelRow>,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let upload = self.store.find_upload(account, key, UploadKind::Model).await?;
        let upload = upload.ok_or(StoreRefusal::NoUpload("modelUrl"))?;
        if let (None, Some(earlier)) = (&known, &upload.model_id) {
            // the answer of before was lost on its way
            return self.change(account, earlier, wish, picture).await;
        }
        let session = upload.session.ok_or(StoreRefusal::Incomplete("modelUrl"))?;
        let file = self.arrived(&session, "modelUrl").await?;
        let source = Source { file: file.path(), key: Some(key), name: &upload.name };
        self.read_and_put(account, wish, known, source, picture).await
    }

    async fn read_and_put(
        &self,
        account: &str,
        wish: &Wish,
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
                // the last one there may be is this same file, stored a moment ago
                return self.change(account, &earlier, wish, picture).await;
            }
            return Err(StoreRefusal::TooMany { limit: self.most });
        }
        let choices = self.choices(account, wish, known.as_ref()).await?;
        let bench = Bench { account, scratch: &self.surroundings.token(12) };
        let read = self.importer.read(source.file, choices, bench).await;
        let imported = read.map_err(StoreRefusal::Import)?;
        let name = wish.name.as_deref().or(known.as_ref().map(|known| known.name.as_str()));
        let made =
            Made { imported, picture, upload: source.key, name: name.unwrap_or(source.name) };
        match &known {
            Some(known) => self.put(account, wish, (&known.id, Place::Known), made).await,
            None => self.put(account, wish, (&self.new_id(), Place::New { most }), made).await,
        }
    }

    /// What is said now, or was said before: of this character, else of its kind.
    async fn choices(
        &self,
        account: &str,
        wish: &Wish,
        known: Option<&ModelRow>,
    ) -> Result<Choices, StoreError> {
        let read = |value: &Value| serde_json::from_value(value.clone()).ok();
        let before = || known.and_then(|known| read(&known.overrides));
        let own = wish.overrides.clone().or_else(before);
        if own.is_some() {
            return Ok(Choices { own, ..Choices::default() });
        }
        let rigs = self.store.rigs_decided_on(account).await?;
        let remembered =
            rigs.into_iter().filter_map(|(joints, value)| Some((joints, read(&value)?))).collect();
        Ok(Choices { own, remembered })
    }

    /// Other bones on the same joints.
    async fn map_anew(
        &self,
        account: &str,
        wish: &Wish,
        known: ModelRow,
        picture: &Option<Picture>,
    ) -> Result<ModelRow, StoreRefusal> {
        let glb = ContentId::parse(&known.glb).ok_or(StoreRefusal::NoModel)?;
        let stream = self.files.open_sound(&glb).await?;
        let choices = Choices { own: wish.overrides.clone(), ..Choices::default() };
        let bench = Bench { account, scratch: &self.surroundings.token(12) };
        let read = self.importer.read_again(stream, choices, bench).await;
        let mut imported = read.map_err(StoreRefusal::Import)?;
        // our own file declares its bones and holds fewer joints; what the rig was, it stays
        imported.model.rig_id.clone_from(&known.rig_id);
        if let Some(joints) = &known.joints {
            imported.model.joints.clone_from(joints);
        }
        let name = wish.name.as_deref().unwrap_or(&known.name);
        let made = Made { imported, picture, upload: None, name };
        self.put(account, wish, (&known.id, Place::Known), made).await
    }

    async fn put(
        &self,
        account: &str,
        wish: &Wish,
        (id, place): (&str, Place),
        made: Made<'_>,
    ) -> Result<ModelRow, StoreRefusal> {
        wish.check_face(&made.imported.model.report)?;
        let writing = self.place_to_write(account).await?;
        // nobody removes contents while this is held
        let saving = Saving::begin(&self.store).await?;
        let glb = self.files.adopt(&made.imported.glb).await?;
        let thumb = self.keep(made.picture).await?;
        let model = NewModel {
            id,
            account,
            place,
            name: made.name,
            read: &made.imported.model,
            glb: glb.as_str(),
            thumb: thumb.as_ref().map(ContentId::as_str),
            uploads: SpentUploads {
                model: made.upload,
                thumb: made.picture.as_ref().map(Picture::upload),
            },
            now_ms: self.now_ms(),
        };
        let stored = saving.put_model(&model).await?;
        // a change takes its own
        drop(writing);
        match stored {
            Stored::Now(row) => Ok(*row),
            Stored::Before(earlier) => self.change(account, &earlier, wish, made.picture).await,
            Stored::TooMany => Err(StoreRefusal::TooMany { limit: self.most }),
            Stored::Gone => Err(StoreRefusal::NoModel),
        }
    }

    /// Waits until one more of the account may write files.
    async fn place_to_write(&self, account: &str) -> Result<Share, StoreRefusal> {
        let place = self.writers.take(account, LONGEST_WAIT).await;
        place.ok_or(StoreRefusal::Import(ImportRefusal::Busy))
    }

    /// How many were deleted: one, or none.
    pub(crate) async fn delete(&self, account: &str, id: &str) -> Result<u32, StoreError> {
        // what is no id names none; PostgreSQL would not even take all of it
        let Ok(id) = ModelId::parse(id) else { return Ok(0) };
        Ok(u32::from(self.store.delete_model(account, id.as_str(), self.now_ms()).await?))
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
        self.store.note_stock(&self.stock.contents()).await?;
        let removing = self.store.begin_removing(self.now_ms() - RELEASED_MS).await?;
        for id in removing.unused.iter().filter_map(|id| ContentId::parse(id)) {
            self.files.remove(&id).await?;
        }
        removing.finish().await?;
        sweep(&self.store, &self.files, self.orphan_age).await.map(drop)
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

/// A file to make a character of.
struct Source<'a> {
    file: &'a Path,
    /// Of its upload, if it has one.
    key: Option<&'a str>,
    /// For want of another.
    name: &'a str,
}

/// A character that was read and is to be noted.
struct Made<'a> {
    imported: Imported,
    picture: &'a Option<Picture>,
    upload: Option<&'a str>,
    name: &'a str,
}

/// How many of ARKit's shapes of a face a character has, as its report tells.
pub(crate) fn face_of(report: &Value) -> Option<usize> {
    usize::try_from(report.pointer("/face/shapes")?.as_u64()?).ok()
}

/// The kind of id this is.
pub(crate) fn model_id(row: &ModelRow) -> Result<ModelId, StoreError> {
    ModelId::parse(&row.id).map_err(|_| StoreError::Unreadable("a model's id has another form"))
}
