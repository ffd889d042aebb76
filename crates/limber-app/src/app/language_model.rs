//! The user's own language model: connecting it, testing it, and having it read a prompt. Nothing
//! else contacts it.

use limber_client::language_model::{LanguageModelError, Role, Turn};
use limber_domain::{limits::MAX_PROMPT_CHARS, lock};
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::App;
use crate::{
    AppError, ErrorCode, Notice,
    language_model::{self, NotRead, OwnModel},
    messages::LanguageModelNotice,
    views::{
        LanguageModelEntry, LanguageModelOutcome, LanguageModelReading, LanguageModelSpeaker,
        LanguageModelTurn, SettingsView,
    },
};

#[cfg(test)]
mod tests;

/// The prompt of a connection test.
const TRIAL: &str = "takes three steps forward, then waves twice with the left hand";

impl App {
    /// Saves a model connection, replacing the previous one. The model is not contacted.
    ///
    /// # Errors
    /// If the entry is invalid or cannot be saved.
    pub async fn connect_language_model(
        &self,
        entry: LanguageModelEntry,
    ) -> Result<SettingsView, AppError> {
        let (mut model, key) = OwnModel::parse(&entry)?;
        let before = lock(&self.inner.settings).language_model.clone();
        model.has_key |= has_key_for(before.as_ref(), &model);
        let key_name = model.key_name();
        self.change(|settings| settings.language_model = Some(model))?;
        if let Some(key) = key {
            self.inner.secrets.set(&key_name, key).await;
        }
        // a key does not outlive its model or its address
        if let Some(before) = before.filter(|before| before.key_name() != key_name) {
            self.forget_key(&before).await;
        }
        Ok(self.settings().await)
    }

    /// Removes the model connection and its key.
    ///
    /// # Errors
    /// If the settings cannot be saved.
    pub async fn forget_language_model(&self) -> Result<SettingsView, AppError> {
        self.stop_language_model();
        let before = lock(&self.inner.settings).language_model.clone();
        self.change(|settings| settings.language_model = None)?;
        if let Some(before) = before {
            self.forget_key(&before).await;
        }
        Ok(self.settings().await)
    }

    /// Tests a model that is not connected yet with a short sentence. Nothing is saved. Returns
    /// `None` if the test was stopped.
    ///
    /// # Errors
    /// If the entry is invalid; nothing was sent then.
    pub async fn test_language_model(
        &self,
        entry: LanguageModelEntry,
    ) -> Result<Option<LanguageModelReading>, AppError> {
        let (mut model, typed) = OwnModel::parse(&entry)?;
        let connected = lock(&self.inner.settings).language_model.clone();
        model.has_key |= has_key_for(connected.as_ref(), &model);
        self.ask(&model, typed, TRIAL).await
    }

    /// Has the connected model read a prompt, without submitting anything. Returns `None` if it was
    /// stopped.
    ///
    /// # Errors
    /// If nothing was sent because no model is connected, its key is missing, or the prompt is
    /// empty or too long.
    pub async fn read_with_language_model(
        &self,
        prompt: &str,
    ) -> Result<Option<LanguageModelReading>, AppError> {
        let bad = |notice: Notice| AppError::new(ErrorCode::BadInput, notice);
        let prompt = prompt.trim();
        if prompt.is_empty() {
            return Err(bad(Notice::NoPrompt));
        }
        if prompt.chars().count() > MAX_PROMPT_CHARS {
            return Err(bad(Notice::PromptTooLong { most: MAX_PROMPT_CHARS }));
        }
        let model = lock(&self.inner.settings).language_model.clone().ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, LanguageModelNotice::LanguageModelMissing)
        })?;
        self.ask(&model, None, prompt).await
    }

    /// Stops the current request to a model.
    pub fn stop_language_model(&self) {
        lock(&self.inner.asking_model).cancel();
    }

    async fn ask(
        &self,
        model: &OwnModel,
        typed_key: Option<SecretString>,
        prompt: &str,
    ) -> Result<Option<LanguageModelReading>, AppError> {
        let key = match typed_key {
            None if model.has_key => Some(self.kept_key(model).await?),
            typed => typed,
        };
        let client = model.client(key)?;
        let stop = CancellationToken::new();
        // one request at a time: a new one cancels the previous one
        std::mem::replace(&mut *lock(&self.inner.asking_model), stop.clone()).cancel();
        let mut exchange = Vec::new();
        let reading = language_model::read(&client, prompt, &mut exchange);
        let read = tokio::select! {
            read = tokio::time::timeout(model.limit(), reading) => read,
            () = stop.cancelled() => return Ok(None),
        };
        let read = read.unwrap_or(Err(NotRead::Unanswered(LanguageModelError::TimedOut)));
        let outcome = match read {
            Ok(script) => LanguageModelOutcome::Script {
                json: script.to_value().to_string(),
                text: script.to_string(),
            },
            Err(NotRead::Unanswered(error)) => {
                LanguageModelOutcome::Failed { error: model.failed(error) }
            }
            Err(NotRead::NoScript { fault }) => {
                let notice = LanguageModelNotice::LanguageModelNoScript { fault };
                let error = AppError::new(ErrorCode::ServiceRefused, notice);
                LanguageModelOutcome::Failed { error }
            }
        };
        let exchange = exchange.into_iter().map(view).collect();
        Ok(Some(LanguageModelReading { outcome, exchange }))
    }

    async fn kept_key(&self, model: &OwnModel) -> Result<SecretString, AppError> {
        let gone = LanguageModelNotice::LanguageModelKeyGone;
        let key = self.inner.secrets.get(&model.key_name()).await;
        key.ok_or_else(|| AppError::new(ErrorCode::BadInput, gone))
    }

    async fn forget_key(&self, model: &OwnModel) {
        if model.has_key {
            self.inner.secrets.remove(&model.key_name()).await;
        }
    }
}

/// Returns whether a key is stored for this model's address.
fn has_key_for(connected: Option<&OwnModel>, model: &OwnModel) -> bool {
    connected.is_some_and(|known| known.has_key && known.key_name() == model.key_name())
}

fn view(turn: Turn) -> LanguageModelTurn {
    let speaker = match turn.role {
        Role::System | Role::User => LanguageModelSpeaker::Limber,
        Role::Assistant => LanguageModelSpeaker::Model,
    };
    LanguageModelTurn { speaker, text: turn.content }
}
