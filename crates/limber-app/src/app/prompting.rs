//! Help for whoever writes a prompt: how it is understood, what it costs, which words there are.

use limber_client::motion::{MotionError, TextToMotion};
use serde::Deserialize;

use super::{App, jobs::checked, lock};
use crate::{
    AppError,
    error::sentence,
    shown::{ActionFamily, Place, PromptCheck, PromptRequest, Vocabulary},
};

/// So many favourites are kept.
const MOST_FAVOURITES: usize = 200;

impl App {
    /// Understands a prompt without making anything; quick enough to be asked while somebody types.
    ///
    /// # Errors
    /// When nobody is signed in, the service does not answer, or something else than the prompt's
    /// words is wrong with it.
    pub async fn check_prompt(&self, request: PromptRequest) -> Result<PromptCheck, AppError> {
        let services = self.services_of_signed_in()?;
        let wire: TextToMotion = checked(&request)?;
        match services.motion.dry_run(&wire.to_process_request()).await {
            Ok(told) => Ok(PromptCheck {
                script: told.script,
                skipped: told.skipped,
                nearest: told.nearest,
                warnings: told.warnings.iter().map(|words| sentence(words)).collect(),
                price: told.price,
            }),
            Err(error) => not_understood(&error).ok_or_else(|| error.into()),
        }
    }

    /// The words that prompts are made of.
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

    /// Prompts that somebody marked, newest first.
    #[must_use]
    pub fn favourites(&self) -> Vec<String> {
        lock(&self.inner.settings).favourites.clone()
    }

    /// Marks a prompt as a favourite, or not any more; answers all of them.
    ///
    /// # Errors
    /// When the settings cannot be kept.
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

    /// Credits that are left; `None` on this computer, where nothing is charged.
    ///
    /// # Errors
    /// When nobody is signed in or the service does not answer.
    pub async fn balance(&self) -> Result<Option<f64>, AppError> {
        if lock(&self.inner.settings).place == Place::ThisComputer {
            return Ok(None);
        }
        Ok(Some(self.services_of_signed_in()?.motion.balance().await?.credits))
    }
}

/// What the service says when no word of a prompt is an action.
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
    let details = details.clone().and_then(|details| serde_json::from_value(details).ok());
    let Details { words, nearest } = details.unwrap_or_default();
    (param == "prompt").then(|| PromptCheck {
        script: None,
        skipped: words,
        nearest,
        warnings: vec![sentence(message)],
        price: 0.0,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_prompt_without_a_known_action_is_an_answer_and_other_refusals_are_not() {
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
        assert_eq!(not_understood(&refused("model")), None);
    }
}
