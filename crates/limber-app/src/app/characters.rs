//! Who can move.

use std::path::PathBuf;

use limber_client::motion::{FetchLimits, ModelEntry};

use super::{App, Services, lock};
use crate::{AppError, library::data_url, shown::CharacterShown};

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
        let kept: PathBuf =
            self.inner.folders.pictures().join(format!("{}-{}", model.id, model.mtime));
        if !kept.exists() {
            let limits = FetchLimits { bytes: LARGEST_PICTURE_BYTES, ..FetchLimits::default() };
            let fetched = services.motion.fetch(model.thumb.as_deref()?, &kept, limits).await;
            fetched
                .inspect_err(|error| tracing::warn!(%error, "a character has no picture"))
                .ok()?;
        }
        data_url(&tokio::fs::read(&kept).await.ok()?)
    }
}
