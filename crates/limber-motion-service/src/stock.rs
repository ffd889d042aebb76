//! Content that is available to every account: the stock characters with their portraits, and the
//! backdrops with their thumbnails, put in the file store so that links can refer to them.

use bytes::Bytes;
use limber_api::motion::ModelId;
use limber_pipeline::{
    backdrops::{self, Backdrop},
    stock,
};

use crate::{
    FilesError, ServiceError,
    files::FileStore,
    store::{Store, contents::Saving},
};

/// Stock characters and backdrops in the file store.
#[derive(Debug, Clone)]
pub(crate) struct Stock {
    pub(crate) models: Vec<StockModel>,
    /// In the order in which menus show them.
    pub(crate) backdrops: Vec<StockBackdrop>,
}

#[derive(Debug, Clone)]
pub(crate) struct StockModel {
    pub(crate) id: ModelId,
    pub(crate) name: String,
    /// Content id of the character's GLB.
    pub(crate) glb: String,
    /// Content id of the portrait.
    pub(crate) portrait: String,
    /// Name of the character family, reported as the platform it comes from.
    pub(crate) platform: &'static str,
}

#[derive(Debug, Clone)]
pub(crate) struct StockBackdrop {
    pub(crate) backdrop: &'static Backdrop,
    /// Content id of the thumbnail.
    pub(crate) thumb: String,
}

impl Stock {
    /// Stores all stock content and records it in the database, so that it is never swept.
    pub(crate) async fn keep(store: &Store, files: &FileStore) -> Result<Self, ServiceError> {
        let saving = Saving::begin(store).await?;
        let mut models = Vec::new();
        for character in stock::list() {
            let id =
                ModelId::parse(character.id).map_err(|_| ServiceError::Stock(character.name))?;
            models.push(StockModel {
                id,
                name: character.name.to_owned(),
                glb: put(files, character.glb).await?,
                portrait: put(files, character.portrait).await?,
                platform: character.family.name(),
            });
        }
        let mut kept = Vec::new();
        for backdrop in backdrops::list() {
            kept.push(StockBackdrop { backdrop, thumb: put(files, backdrop.thumb).await? });
        }
        let all = Self { models, backdrops: kept };
        store.note_stock(&all.contents()).await?;
        saving.end().await?;
        Ok(all)
    }

    /// Returns the content ids of all stock files.
    pub(crate) fn contents(&self) -> Vec<String> {
        let models = self.models.iter().flat_map(|model| [&model.glb, &model.portrait]);
        let backdrops = self.backdrops.iter().map(|kept| &kept.thumb);
        models.chain(backdrops).cloned().collect()
    }
}

async fn put(files: &FileStore, bytes: &'static [u8]) -> Result<String, FilesError> {
    Ok(files.put(Bytes::from_static(bytes)).await?.as_str().to_owned())
}
