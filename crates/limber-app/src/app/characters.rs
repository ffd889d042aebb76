//! Who can move.

use std::path::Path;

use limber_client::motion::{FetchLimits, ModelEntry};

use super::{App, Services, lock};
use crate::{AppError, folders, library::data_url, shown::CharacterShown};

/// The service's own limit for pictures of characters.
const LARGEST_PICTURE_BYTES: u64 = 5 << 20;

impl App {
    /// Every character prompts can be shown on, with pictures.
    ///
    /// # Errors
    /// When nobody is signed in or the service does not answer.
    pub async fn characters(&self) -> Result<Vec<CharacterShown>, AppError> {
        let services = self.services_of_signed_in()?;
        let mut characters = Vec::new();
        for model in services.motion.models().await? {
            characters.push(CharacterShown {
                picture: self.character_picture(&services, &model).await,
                id: model.id.to_string(),
                name: model.name,
            });
        }
        // the one that is taken when none is chosen stands first, the others as the service has them
        let first = limber_pipeline::stock::list().first().map_or("", |stock| stock.id);
        characters.sort_by_key(|character| character.id != first);
        lock(&self.inner.characters).clone_from(&characters);
        Ok(characters)
    }

    /// The name of a character, or its id while the name is not known.
    pub(super) fn character_name(&self, id: &str) -> String {
        let characters = lock(&self.inner.characters);
        characters.iter().find(|known| known.id == id).map_or(id, |known| &known.name).to_owned()
    }

    /// A character without a picture is still a character, so failures only leave it out.
    async fn character_picture(&self, services: &Services, model: &ModelEntry) -> Option<String> {
        let kept = self.inner.folders.pictures().join(format!("{}.png", model.id));
        if let Some(url) = &model.thumb {
            // a picture that was changed since has another time
            let kept = kept.with_file_name(format!("{}-{}", model.id, model.mtime));
            if !kept.exists() {
                let limits = FetchLimits { bytes: LARGEST_PICTURE_BYTES, ..FetchLimits::default() };
                let fetched = services.motion.fetch(url, &kept, limits).await;
                fetched
                    .inspect_err(|error| tracing::warn!(%error, "a character has no picture"))
                    .ok()?;
            }
            return data_url(&tokio::fs::read(&kept).await.ok()?);
        }
        let id = model.id.to_string();
        let drawn = tokio::task::spawn_blocking(move || portrait(&id, &kept));
        data_url(&drawn.await.ok().flatten()?)
    }
}

/// The portrait of a stock character, drawn once and kept.
fn portrait(id: &str, kept: &Path) -> Option<Vec<u8>> {
    if let Ok(bytes) = std::fs::read(kept) {
        return Some(bytes);
    }
    let stock = limber_pipeline::stock::find(id)?;
    let drawn = limber_pipeline::picture::portrait(stock.character().ok()?);
    let bytes =
        drawn.inspect_err(|error| tracing::warn!(%error, "a character has no portrait")).ok()?;
    if let Err(error) = folders::replace(kept, &bytes) {
        tracing::warn!(%error, "a portrait could not be kept");
    }
    Some(bytes)
}
