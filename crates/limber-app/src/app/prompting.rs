//! Support for writing prompts: how a prompt is understood, what it costs, and which words are
//! known.

use limber_client::motion::{ModelId, MotionError, TextToMotion};
use limber_domain::{
    limits::{MAX_PROMPT_CHARS, MAX_VARIANTS},
    lock,
};
use serde::Deserialize;

use super::{
    App,
    jobs::checked,
    reading::{LONGEST_SCRIPT, reading_of},
};
use crate::{
    AppError, Doing, Folders, MessageView, folders,
    views::{ActionFamily, Place, PromptCheck, PromptDraft, PromptRequest, Vocabulary},
};

/// Maximum number of favourites.
const MOST_FAVOURITES: usize = 200;
/// Longer than any seed, so that one with a typo is kept and can be fixed.
const LONGEST_SEED: usize = 64;

impl App {
    /// Parses a prompt without making anything; fast enough to be called while the user types.
    ///
    /// # Errors
    /// If nobody is signed in, the service does not answer, or anything but the wording of the
    /// prompt is invalid.
    pub async fn check_prompt(&self, request: PromptRequest) -> Result<PromptCheck, AppError> {
        let services = self.services_of_signed_in()?;
        let wire: TextToMotion = checked(&request)?;
        match services.motion.dry_run(&wire.to_process_request()).await {
            Ok(told) => Ok(PromptCheck {
                reading: reading_of(&told, request.ends()),
                warnings: told.told().iter().map(MessageView::from).collect(),
                script: told.script,
                skipped: told.skipped,
                nearest: told.nearest,
                price: told.price,
            }),
            Err(error) => not_understood(&error).ok_or_else(|| error.into()),
        }
    }

    /// Returns the words that prompts can be made of.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        let known = limber_pipeline::vocabulary();
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let family = |(family, words): (&str, Vec<String>)| ActionFamily {
            family: family.to_owned(),
            words,
        };
        Vocabulary {
            actions: known.actions.into_iter().map(family).collect(),
            directions: owned(known.directions),
            sides: owned(known.sides),
            speeds: owned(known.speeds),
            manners: owned(known.manners),
            counts: owned(known.counts),
        }
    }

    /// Returns the user's favourite prompts, newest first.
    #[must_use]
    pub fn favourites(&self) -> Vec<String> {
        lock(&self.inner.settings).favourites.clone()
    }

    /// Adds or removes a favourite prompt; returns all favourites.
    ///
    /// # Errors
    /// If the settings cannot be saved.
    pub fn set_favourite(&self, prompt: &str, favourite: bool) -> Result<Vec<String>, AppError> {
        let prompt = prompt.trim();
        self.change(|settings| {
            settings.favourites.retain(|known| known != prompt);
            if favourite && !prompt.is_empty() {
                settings.favourites.insert(0, prompt.to_owned());
                settings.favourites.truncate(MOST_FAVOURITES);
            }
        })?;
        Ok(self.favourites())
    }

    /// Saves the contents of the prompt box, so that a restart or a crash loses nothing; they are
    /// on disk when this returns. Text beyond the length limit is cut off.
    ///
    /// # Errors
    /// If a disk operation fails.
    pub async fn save_prompt_draft(&self, draft: PromptDraft) -> Result<(), AppError> {
        self.on_disk(move |app| {
            // held during the write, so that writes do not overlap
            let mut standing = lock(&app.inner.prompt_draft);
            *standing = bounded(draft);
            folders::write_json(&app.inner.folders.prompt_draft(), &*standing)
                .map_err(|error| AppError::disk(Doing::KeepDraft, &error))
        })
        .await
    }

    /// Returns the credit balance; `None` for the local studio, where nothing is charged.
    ///
    /// # Errors
    /// If nobody is signed in or the service does not answer.
    pub async fn balance(&self) -> Result<Option<f64>, AppError> {
        if lock(&self.inner.settings).place == Place::ThisComputer {
            return Ok(None);
        }
        Ok(Some(self.services_of_signed_in()?.motion.balance().await?.credits))
    }
}

/// Reads the prompt box of the previous run; empty if it cannot be read.
pub(super) fn load_prompt_draft(folders: &Folders) -> PromptDraft {
    let left = folders::read_json(&folders.prompt_draft()).unwrap_or_else(|error| {
        tracing::warn!(%error, "the prompt draft cannot be read");
        PromptDraft::default()
    });
    bounded(left)
}

/// Limits the prompt box to what can be submitted, whatever the page or the file contains.
fn bounded(draft: PromptDraft) -> PromptDraft {
    let cut = |text: &str, longest: usize| text.chars().take(longest).collect::<String>();
    PromptDraft {
        text: cut(&draft.text, MAX_PROMPT_CHARS),
        character_id: draft.character_id.filter(|id| ModelId::parse(id).is_ok()),
        seconds: if draft.seconds.is_finite() { draft.seconds.max(0.0) } else { 0.0 },
        variants: draft.variants.clamp(1, MAX_VARIANTS),
        seed: cut(&draft.seed, LONGEST_SEED),
        script: draft.script.filter(|script| script.len() <= LONGEST_SCRIPT),
        ..draft
    }
}

/// Converts the service's refusal of a prompt without known actions, or of a script without
/// performable steps, into a result.
fn not_understood(error: &MotionError) -> Option<PromptCheck> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Details {
        words: Vec<String>,
        nearest: Vec<String>,
    }
    let MotionError::Refused { param: Some(param), message, details, .. } = error else {
        return None;
    };
    let told = match error.messages() {
        known if known.is_empty() => vec![MessageView::words(message)],
        known => known.iter().map(MessageView::from).collect(),
    };
    let details = details.clone().and_then(|details| serde_json::from_value(details).ok());
    let Details { words, nearest } = details.unwrap_or_default();
    matches!(param.as_str(), "prompt" | "script").then_some(PromptCheck {
        script: None,
        reading: None,
        skipped: words,
        nearest,
        warnings: told,
        price: 0.0,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        testing,
        views::{ClipEnd, ClipStart},
    };

    fn begun() -> PromptDraft {
        PromptDraft {
            text: "walks, then ".into(),
            character_id: Some("ada".into()),
            seconds: 6.0,
            variants: 4,
            seed: "42".into(),
            script: Some(r#"{"version":2,"events":[{"do":"walk"}]}"#.into()),
            start: Some(ClipStart::Action),
            end: Some(ClipEnd::Hold),
            loops: None,
        }
    }

    #[tokio::test]
    async fn the_prompt_draft_survives_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        assert_eq!(app.snapshot().await.desk, PromptDraft::default());
        app.save_prompt_draft(begun()).await.expect("saved");
        assert_eq!(app.snapshot().await.desk, begun());
        assert_eq!(testing::app(folder.path()).snapshot().await.desk, begun());
        std::fs::write(folder.path().join("desk.json"), "{").expect("damaged");
        assert_eq!(testing::app(folder.path()).snapshot().await.desk, PromptDraft::default());
    }

    #[test]
    fn the_prompt_draft_is_limited_to_what_can_be_submitted() {
        assert_eq!(bounded(begun()), begun());
        let odd = bounded(PromptDraft {
            text: "ö".repeat(2000),
            character_id: Some("../x".into()),
            seconds: f32::INFINITY,
            variants: 0,
            seed: "1".repeat(2000),
            script: Some(" ".repeat(LONGEST_SCRIPT + 1)),
            ..PromptDraft::default()
        });
        assert_eq!(
            odd,
            PromptDraft {
                text: "ö".repeat(MAX_PROMPT_CHARS),
                seed: "1".repeat(LONGEST_SEED),
                ..PromptDraft::default()
            }
        );
    }

    #[test]
    fn unknown_actions_are_a_result_and_other_refusals_are_errors() {
        let refused = |param: &str| MotionError::Refused {
            status: 422,
            code: Some(502),
            kind: "invalid_parameter".into(),
            message: "Limber does not know “flurb” yet".into(),
            param: Some(param.to_owned()),
            details: Some(json!({ "words": ["flurb"], "nearest": ["climb ladder"] })),
            request_id: "".into(),
        };
        let check = not_understood(&refused("prompt")).expect("an answer");
        assert_eq!((check.script, check.skipped), (None, vec!["flurb".to_owned()]));
        assert_eq!(check.nearest, ["climb ladder"]);
        assert_eq!(check.warnings, [MessageView::words("Limber does not know “flurb” yet")]);
        assert!(not_understood(&refused("script")).is_some(), "so is a script of steps not known");
        assert_eq!(not_understood(&refused("model")), None);
    }
}
