//! A language model of a person's own: connecting it, trying it, and having it read a prompt. Nothing else
//! contacts it.

use limber_client::language_model::{LanguageModelError, Role, Turn};
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::{App, jobs::LONGEST_PROMPT, lock};
use crate::{
    AppError, ErrorCode, Notice,
    language_model::{self, NotRead, OwnModel},
    shown::{
        LanguageModelEntry, LanguageModelOutcome, LanguageModelReading, LanguageModelSpeaker,
        LanguageModelTurn, SettingsShown,
    },
    told::LanguageModelNotice,
};

#[cfg(test)]
mod tests;

/// What a model that is tried has to read.
const TRIAL: &str = "takes three steps forward, then waves twice with the left hand";

impl App {
    /// Connects a model, in place of the one before. It is not contacted.
    ///
    /// # Errors
    /// When the entry is not usable or cannot be kept.
    pub async fn connect_language_model(
        &self,
        entry: LanguageModelEntry,
    ) -> Result<SettingsShown, AppError> {
        let (mut model, key) = OwnModel::parse(&entry)?;
        let before = lock(&self.inner.settings).language_model.clone();
        model.has_key |= has_key_for(before.as_ref(), &model);
        let key_name = model.key_name();
        self.change(|settings| settings.language_model = Some(model))?;
        if let Some(key) = key {
            self.inner.secrets.set(&key_name, key).await;
        }
        // a key outlives neither its model nor its address
        if let Some(before) = before.filter(|before| before.key_name() != key_name) {
            self.forget_key(&before).await;
        }
        Ok(self.settings().await)
    }

    /// Forgets the model that is connected, and its key.
    ///
    /// # Errors
    /// When the settings cannot be kept.
    pub async fn forget_language_model(&self) -> Result<SettingsShown, AppError> {
        self.stop_language_model();
        let before = lock(&self.inner.settings).language_model.clone();
        self.change(|settings| settings.language_model = None)?;
        if let Some(before) = before {
            self.forget_key(&before).await;
        }
        Ok(self.settings().await)
    }

    /// Has a model that is not connected yet read a short sentence. Nothing is kept. `None` when it was
    /// stopped.
    ///
    /// # Errors
    /// When the entry is not usable, so that nothing was sent.
    pub async fn test_language_model(
        &self,
        entry: LanguageModelEntry,
    ) -> Result<Option<LanguageModelReading>, AppError> {
        let (mut model, typed) = OwnModel::parse(&entry)?;
        let connected = lock(&self.inner.settings).language_model.clone();
        model.has_key |= has_key_for(connected.as_ref(), &model);
        self.ask(&model, typed, TRIAL).await
    }

    /// Has the model that is connected read a prompt. Nothing is handed in. `None` when it was stopped.
    ///
    /// # Errors
    /// When nothing was sent: no model is connected, its key is gone, or the prompt is empty or too long.
    pub async fn read_with_language_model(
        &self,
        prompt: &str,
    ) -> Result<Option<LanguageModelReading>, AppError> {
        let bad = |notice: Notice| AppError::new(ErrorCode::BadInput, notice);
        let prompt = prompt.trim();
        if prompt.is_empty() {
            return Err(bad(Notice::NoPrompt));
        }
        if prompt.chars().count() > LONGEST_PROMPT {
            return Err(bad(Notice::PromptTooLong { most: LONGEST_PROMPT }));
        }
        let model = lock(&self.inner.settings).language_model.clone().ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, LanguageModelNotice::LanguageModelMissing)
        })?;
        self.ask(&model, None, prompt).await
    }

    /// Waits no longer for a model.
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
        // one at a time: who asks anew does not wait for the answer before
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
        let exchange = exchange.into_iter().map(shown).collect();
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

/// Whether a key was kept for this one's address.
fn has_key_for(connected: Option<&OwnModel>, model: &OwnModel) -> bool {
    connected.is_some_and(|known| known.has_key && known.key_name() == model.key_name())
}

fn shown(turn: Turn) -> LanguageModelTurn {
    let speaker = match turn.role {
        Role::System | Role::User => LanguageModelSpeaker::Limber,
        Role::Assistant => LanguageModelSpeaker::Model,
    };
    LanguageModelTurn { speaker, text: turn.content }
}
