//! The characters that everybody has, where links can reach them, and their portraits.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use limber_api::motion::ModelId;
use limber_pipeline::stock;
use tokio_util::sync::CancellationToken;

use crate::{
    ServiceError,
    files::{ContentId, FileStore},
    road,
    store::{Store, contents::Saving},
};

/// A stock character, ready to be linked to.
#[derive(Debug, Clone)]
pub(crate) struct StockModel {
    pub(crate) id: ModelId,
    pub(crate) name: String,
    /// Content id of its GLB.
    pub(crate) glb: String,
    /// Content id of its portrait, once that is drawn.
    pub(crate) portrait: Arc<OnceLock<String>>,
    /// Where it says it comes from.
    pub(crate) platform: &'static str,
}

/// Puts the stock characters where links can reach them.
pub(crate) async fn keep_stock(
    store: &Store,
    files: &FileStore,
) -> Result<Vec<StockModel>, ServiceError> {
    let saving = Saving::begin(store).await?;
    let mut models = Vec::new();
    for character in stock::list() {
        let glb = files.put(Bytes::from_static(character.glb)).await?;
        let id = ModelId::parse(character.id).map_err(|_| ServiceError::Stock(character.name))?;
        models.push(StockModel {
            id,
            name: character.name.to_owned(),
            glb: glb.as_str().to_owned(),
            portrait: Arc::default(),
            platform: character.family.name(),
        });
    }
    let contents: Vec<String> = models.iter().map(|model| model.glb.clone()).collect();
    store.note_stock(&contents).await?;
    saving.end().await?;
    Ok(models)
}

/// Nobody waits for portraits; until they are there, characters are listed without.
pub(crate) async fn draw_portraits(
    store: Store,
    files: FileStore,
    stock: Vec<StockModel>,
    stopping: CancellationToken,
) {
    for model in stock {
        if stopping.is_cancelled() {
            return;
        }
        let id = model.id.clone();
        let drawn = tokio::task::spawn_blocking(move || road::portrait(&id)).await;
        let Ok(Some(png)) = drawn else { continue };
        match keep_for_all(&store, &files, png).await {
            // the only writer
            Ok(id) => drop(model.portrait.set(id.as_str().to_owned())),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a portrait cannot be kept until the next start: {error}"
            ),
        }
    }
}

/// Keeps a picture that belongs to no account.
pub(crate) async fn keep_for_all(
    store: &Store,
    files: &FileStore,
    png: Vec<u8>,
) -> Result<ContentId, ServiceError> {
    let saving = Saving::begin(store).await?;
    let id = files.put(Bytes::from(png)).await?;
    store.note_stock(&[id.as_str().to_owned()]).await?;
    saving.end().await?;
    Ok(id)
}
