//! Jobs: submission, cancellation and the journal.

use limber_client::motion::{JobId, ModelId, TextToMotion};
use limber_domain::{
    limits::{MAX_PROMPT_CHARS, MAX_VARIANTS},
    lock,
};

use super::{App, prices::agree, reading::script_of};
use crate::{
    AppError, Doing, ErrorCode, MessageView, Notice,
    journal::{Entry, OriginalRequest, Outcome},
    views::{Credits, JobState, JobView, PromptRequest},
};

mod adopt;
mod fetch;
mod follow;
mod retry;

impl App {
    /// Submits a prompt if it costs no more than `agreed`.
    ///
    /// # Errors
    /// [`ErrorCode::DearerThanAgreed`], [`ErrorCode::UnknownAction`] with similar known actions,
    /// [`ErrorCode::BadInput`], or an error if the service cannot be reached.
    pub async fn submit_prompt(
        &self,
        request: PromptRequest,
        agreed: Credits,
    ) -> Result<JobView, AppError> {
        let services = self.services_of_signed_in()?;
        let wire = checked(&request)?;
        let asked = wire.to_process_request();
        agree(&services.motion.dry_run(&asked).await?, agreed)?;
        let key = self.idempotency_key(&services.studio, "text2motion", &asked);
        let submitted = services.motion.submit(&wire, Some(key.as_str())).await;
        self.record_response(key, &submitted);
        let submitted = submitted?;
        let entry = Entry {
            id: submitted.job,
            studio: services.studio.clone(),
            prompt: wire.prompt,
            name: None,
            character_name: self.character_name(&request.character_id),
            character_id: request.character_id.clone(),
            variants: request.variants,
            made_at: self.inner.environment.clock.now(),
            origin: None,
            video: None,
            asked: None,
            warnings: submitted.messages.iter().map(MessageView::from).collect(),
            outcome: Outcome::Open,
        };
        self.add_job(entry.with_request(OriginalRequest::Prompt(request)))
    }

    /// Adds a submitted job to the journal and starts following it.
    pub(super) fn add_job(&self, entry: Entry) -> Result<JobView, AppError> {
        let shown = entry.view(None);
        self.put(entry)?;
        self.inner.news.notify_one();
        Ok(shown)
    }

    /// Cancels a job. A job that has already ended keeps its outcome.
    ///
    /// # Errors
    /// If the job is unknown or the service cannot be reached.
    pub async fn cancel_job(&self, id: &str) -> Result<(), AppError> {
        let services = self.services_of_signed_in()?;
        let unknown = || AppError::new(ErrorCode::NotFound, Notice::JobUnknown);
        let id = JobId::parse(id).map_err(|_| unknown())?;
        let entry = self.inner.journal.find(&id).ok_or_else(unknown)?;
        match services.motion.cancel(&id).await {
            Ok(()) => self.end(entry, Outcome::Cancelled)?,
            Err(error) if error.kind() == Some("invalid_state") => {
                // give up on a result that cannot be downloaded; the follower reports how other
                // jobs ended
                let is_stuck = matches!(
                    lock(&self.inner.job_states).get(&id),
                    Some(JobState::Retrying { .. })
                );
                if is_stuck {
                    self.end(entry, Outcome::Cancelled)?;
                }
                self.inner.news.notify_one();
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Returns all jobs of the connected studio, newest first.
    ///
    /// # Errors
    /// If the studio is not ready.
    pub fn jobs(&self) -> Result<Vec<JobView>, AppError> {
        let services = self.services()?;
        let live = lock(&self.inner.job_states);
        let entries = self.inner.journal.of(&services.studio);
        Ok(entries.iter().map(|entry| entry.view(live.get(&entry.id).cloned())).collect())
    }

    /// Returns earlier prompts without duplicates, newest first.
    #[must_use]
    pub fn prompt_history(&self) -> Vec<String> {
        self.inner.journal.prompts()
    }

    fn show_live(&self, entry: &Entry, state: JobState) {
        let earlier = lock(&self.inner.job_states).insert(entry.id.clone(), state.clone());
        if earlier.as_ref() != Some(&state) {
            self.inner.environment.events.job(&entry.view(Some(state)));
        }
    }

    fn end(&self, mut entry: Entry, outcome: Outcome) -> Result<(), AppError> {
        entry.outcome = outcome;
        lock(&self.inner.job_states).remove(&entry.id);
        let shown = entry.view(None);
        self.put(entry)?;
        self.inner.environment.events.job(&shown);
        Ok(())
    }

    fn put(&self, entry: Entry) -> Result<(), AppError> {
        self.inner.journal.put(entry).map_err(|error| AppError::disk(Doing::NoteJob, &error))
    }
}

/// Rejects what the service would reject, with a message that fits the interface.
pub(super) fn checked(request: &PromptRequest) -> Result<TextToMotion, AppError> {
    let bad = |notice: Notice| AppError::new(ErrorCode::BadInput, notice);
    let prompt = request.prompt.trim();
    if prompt.is_empty() {
        return Err(bad(Notice::NoPrompt));
    }
    if prompt.chars().count() > MAX_PROMPT_CHARS {
        return Err(bad(Notice::PromptTooLong { most: MAX_PROMPT_CHARS }));
    }
    if !(1..=MAX_VARIANTS).contains(&request.variants) {
        return Err(bad(Notice::Variants { most: MAX_VARIANTS }));
    }
    let model = ModelId::parse(&request.character_id).map_err(|_| bad(Notice::NoCharacter))?;
    let seed = match request.seed.as_deref().map(str::trim).filter(|seed| !seed.is_empty()) {
        Some(seed) => Some(seed.parse().map_err(|_| bad(Notice::NoSeed))?),
        None => None,
    };
    Ok(TextToMotion {
        duration_s: request.seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0),
        variants: request.variants,
        seed,
        ends: request.ends(),
        script: request.script.as_deref().map(script_of).transpose()?,
        ..TextToMotion::new(prompt, model)
    })
}

#[cfg(test)]
mod tests {
    use limber_client::motion::{ClipEnds, End, Start};

    use super::*;
    use crate::views::{ClipEnd, ClipStart};

    const NEVER: &str = r#"{"version":2,"events":[{"do":"wave","count":0}]}"#;

    fn request(prompt: &str) -> PromptRequest {
        PromptRequest {
            prompt: prompt.into(),
            character_id: "ada".into(),
            seconds: Some(6.0),
            variants: 1,
            seed: Some(" 42 ".into()),
            script: None,
            start: None,
            end: None,
            loops: None,
        }
    }

    #[test]
    fn a_valid_prompt_is_sent_unchanged() {
        let wire = checked(&request("  walks 🕺 then waves  ")).expect("valid");
        assert_eq!((wire.prompt.as_str(), wire.seed), ("walks 🕺 then waves", Some(42)));
    }

    #[test]
    fn chosen_ends_are_sent() {
        assert!(checked(&request("walks")).expect("valid").ends.is_open());
        let held = PromptRequest {
            start: Some(ClipStart::Action),
            end: Some(ClipEnd::Hold),
            ..request("walks")
        };
        let (start, end) = (Some(Start::Action), Some(End::Hold));
        let wire = checked(&held).expect("valid");
        assert_eq!(wire.ends, ClipEnds { start, end, is_loop: None });
    }

    #[test]
    fn changed_steps_are_sent_with_the_prompt_as_title() {
        let script = r#"{"version":2,"events":[{"do":"wave","count":3}]}"#;
        let changed = PromptRequest { script: Some(script.into()), ..request("walks, waves") };
        let wire = checked(&changed).expect("valid");
        assert_eq!(wire.prompt, "walks, waves");
        let sent: serde_json::Value = serde_json::from_str(script).expect("JSON");
        assert_eq!(wire.script, Some(sent));
    }

    #[test]
    fn invalid_input_says_what_to_do() {
        let long = "x".repeat(2000);
        let cases = [
            (request("   "), "Describe what"),
            (request(&long), "Shorten"),
            (PromptRequest { variants: 9, ..request("walks") }, "1 to 8"),
            (PromptRequest { seed: Some("-1".into()), ..request("walks") }, "whole number"),
            (PromptRequest { character_id: "../x".into(), ..request("walks") }, "character"),
            (PromptRequest { script: Some("{".into()), ..request("walks") }, "the steps"),
            (
                PromptRequest { script: Some(NEVER.into()), ..request("walks") },
                "events[0].count: 0 is below 1",
            ),
        ];
        for (request, words) in cases {
            let error = checked(&request).expect_err("refused");
            assert_eq!(error.code, ErrorCode::BadInput);
            assert!(error.message.text.contains(words), "{error}");
        }
    }
}
