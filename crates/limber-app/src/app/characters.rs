//! Characters of the studio, with their thumbnails and skeletons.

mod rig;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use limber_client::motion::{FetchLimits, ModelEntry, ModelId, StoreModelRequest, StoredModel};
use limber_domain::lock;
use limber_pipeline::{
    Cancel, ClipEnds, Composer, Seed,
    say::{SayRequest, say},
};

use super::{App, Services};
use crate::{
    AppError, ErrorCode, MessageView, Notice,
    library::data_url,
    views::{CharacterView, RigView},
};

/// The service's size limit for character thumbnails.
const LARGEST_PICTURE_BYTES: u64 = 5 << 20;
/// The service's limit for names, in characters.
const LONGEST_NAME: usize = 120;
/// The value of `platform` for uploaded characters.
const OWN: &str = "custom";
/// A prompt that exercises both arms and both legs, and shows whether left and right are swapped.
const TEST_PROMPT: &str = "a person waves with the left hand, then raises both arms, then squats, then kicks with the right leg";

impl App {
    /// Lists all characters that motions can be made for, with thumbnails.
    ///
    /// # Errors
    /// If nobody is signed in or the service does not answer.
    pub async fn characters(&self) -> Result<Vec<CharacterView>, AppError> {
        let services = self.services_of_signed_in()?;
        let mut characters = Vec::new();
        for model in services.motion.models().await? {
            let own = model.platform == OWN;
            characters.push(CharacterView {
                picture: self.character_picture(&services, &model).await,
                id: model.id.to_string(),
                name: model.name,
                own,
                rig: own.then_some(model.rig_id),
            });
        }
        // the default character first, then uploaded ones, then the service's order
        let first = limber_pipeline::stock::list().first().map_or("", |stock| stock.id);
        characters.sort_by_key(|character| (character.id != first, !character.own));
        lock(&self.inner.characters).clone_from(&characters);
        Ok(characters)
    }

    /// Renames an uploaded character.
    ///
    /// # Errors
    /// If the name is empty or too long, or the character was not uploaded by the user.
    pub async fn rename_character(&self, id: &str, name: &str) -> Result<(), AppError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return Err(AppError::new(
                ErrorCode::BadInput,
                Notice::LongName { most: LONGEST_NAME },
            ));
        }
        let request = StoreModelRequest { model_name: Some(name.to_owned()), ..change(id)? };
        self.store_character(&request).await.map(drop)
    }

    /// Deletes an uploaded character. Clips made with it are kept.
    ///
    /// # Errors
    /// If the character was not uploaded by the user, or the service does not answer.
    pub async fn delete_character(&self, id: &str) -> Result<(), AppError> {
        let services = self.services_of_signed_in()?;
        match services.motion.delete_model(&model_id(id)?).await? {
            true => Ok(()),
            false => Err(unknown()),
        }
    }

    /// Returns the skeleton analysis of a character.
    ///
    /// # Errors
    /// If the character was not uploaded by the user, or the service does not report skeletons.
    pub async fn character_rig(&self, id: &str) -> Result<RigView, AppError> {
        rig::view(self.store_character(&change(id)?).await?)
    }

    /// Overrides the bone mapping: each bone is mapped to the given joint, or to none. Other bones
    /// keep their detected joints.
    ///
    /// # Errors
    /// If a joint does not exist, or the remaining mapping is too incomplete to animate.
    pub async fn map_character(
        &self,
        id: &str,
        joints: BTreeMap<String, Option<String>>,
    ) -> Result<RigView, AppError> {
        let request = StoreModelRequest { overrides: Some(joints), ..change(id)? };
        rig::view(self.store_character(&request).await?)
    }

    /// Plays a short test motion on a character in the viewer, so that the user can check the bone
    /// mapping. Nothing is kept.
    ///
    /// # Errors
    /// If the character cannot be downloaded or animated, or the viewer does not start.
    pub async fn test_character(&self, id: &str) -> Result<(), AppError> {
        let services = self.services_of_signed_in()?;
        let models = services.motion.models().await?;
        let model = models.into_iter().find(|model| model.id.as_str() == id).ok_or_else(unknown)?;
        let folder = self.inner.folders.tests();
        let character = match &model.glb {
            Some(url) => {
                let to = folder.join("character.glb");
                services.motion.fetch(url, &to, FetchLimits::default()).await?;
                to.to_string_lossy().into_owned()
            }
            None => id.to_owned(),
        };
        let file = self.on_disk(move |_| tested(character, &folder)).await?;
        let showing = self.showing(vec![file], vec![model.name]);
        self.inner.environment.desktop.play(showing, std::sync::Arc::new(drop)).await
    }

    async fn store_character(&self, request: &StoreModelRequest) -> Result<StoredModel, AppError> {
        let services = self.services_of_signed_in()?;
        Ok(services.motion.store_model(request).await?)
    }

    /// Returns the name of a character, or its ID if the name is not known yet.
    pub(super) fn character_name(&self, id: &str) -> String {
        let characters = lock(&self.inner.characters);
        characters.iter().find(|known| known.id == id).map_or(id, |known| &known.name).to_owned()
    }

    /// Returns a character's thumbnail as a data URL; `None` on any failure, because it is
    /// optional.
    async fn character_picture(&self, services: &Services, model: &ModelEntry) -> Option<String> {
        if let Some(stock) = limber_pipeline::stock::find(&model.id.to_string()) {
            return data_url(stock.portrait);
        }
        // the modification time makes a changed thumbnail a new file
        let kept = self.inner.folders.pictures().join(format!("{}-{}", model.id, model.mtime));
        if !kept.exists() {
            let limits = FetchLimits { bytes: LARGEST_PICTURE_BYTES, ..FetchLimits::default() };
            let fetched = services.motion.fetch(model.thumb.as_ref()?, &kept, limits).await;
            fetched
                .inspect_err(|error| tracing::warn!(%error, "a character has no thumbnail"))
                .ok()?;
        }
        data_url(&tokio::fs::read(&kept).await.ok()?)
    }
}

fn model_id(id: &str) -> Result<ModelId, AppError> {
    ModelId::parse(id).map_err(|_| unknown())
}

/// Returns a store request that identifies the character and changes nothing.
fn change(id: &str) -> Result<StoreModelRequest, AppError> {
    Ok(StoreModelRequest { model_id: Some(model_id(id)?), ..StoreModelRequest::default() })
}

fn unknown() -> AppError {
    AppError::new(ErrorCode::NotFound, Notice::CharacterGone)
}

/// Writes the GLB of the test motion.
fn tested(character: String, folder: &Path) -> Result<PathBuf, AppError> {
    let out = folder.join("motion");
    // output of an earlier test; the viewer has read it into memory
    let _ = std::fs::remove_dir_all(&out);
    let request = SayRequest {
        ends: ClipEnds::default(),
        prompt: TEST_PROMPT.to_owned(),
        script: None,
        character: Some(character),
        seconds: None,
        variants: 1,
        seed: Seed(1),
        formats: vec!["glb".to_owned()],
        preset: None,
        out,
    };
    let refused = |why: &str| AppError::new(ErrorCode::JobFailed, MessageView::words(why));
    let made = say(&request, &Composer, &Cancel::default(), &mut drop)
        .map_err(|error| refused(&error.to_string()))?;
    made.files.into_iter().next().ok_or_else(|| refused("no file was made"))
}
