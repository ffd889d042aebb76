//! Jobs: handing in, following, cancelling, and bringing the results home.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use limber_client::motion::{
    FailureCause, FetchLimits, JobId, JobStatus, JobSummary, ModelId, MotionError, TextToMotion,
    VariantId,
};

use super::{App, Services, lock};
use crate::{
    AppError, ErrorCode,
    error::sentence,
    journal::{Entry, Outcome},
    library::{CANONICAL, Clip, ClipId, METRICS},
    shown::{JobShown, JobState, PromptRequest},
};

mod adopt;

/// The service's own limit.
pub(super) const LONGEST_PROMPT: usize = 1024;
pub(super) const MOST_VARIANTS: u32 = 8;
/// How often open jobs are asked about.
const PACE: Duration = Duration::from_millis(300);
/// The same while the service does not answer.
const PATIENT_PACE: Duration = Duration::from_secs(2);
/// The service answers for so many at once.
const MOST_AT_ONCE: usize = 100;
/// What the library keeps of each variant, by ending and by the service's word. Older services
/// write no FBX and keep the clip to themselves, and a picture may be missing; the others may not.
const FILES: [(&str, &str, bool); 6] = [
    ("glb", "glb", true),
    ("bvh", "bvh", true),
    ("fbx", "fbx_raw", false),
    ("png", "png", false),
    (METRICS, "json", false),
    (CANONICAL, "clip", false),
];

impl App {
    /// Hands a prompt in.
    ///
    /// # Errors
    /// [`ErrorCode::UnknownAction`] with the nearest known actions, [`ErrorCode::BadInput`], or
    /// that the service cannot be reached.
    pub async fn submit_prompt(&self, request: PromptRequest) -> Result<JobShown, AppError> {
        let services = self.services_of_signed_in()?;
        let wire = checked(&request)?;
        let submitted = services.motion.submit(&wire, None).await?;
        let entry = Entry {
            id: submitted.job,
            studio: services.studio.clone(),
            prompt: wire.prompt,
            character_name: self.character_name(&request.character_id),
            character_id: request.character_id,
            variants: request.variants,
            made_at: self.inner.around.clock.now(),
            origin: None,
            warnings: submitted.warnings.iter().map(|words| sentence(words)).collect(),
            outcome: Outcome::Open,
        };
        self.note(entry)
    }

    /// Puts a job that was just handed in into the journal, and has it followed.
    pub(super) fn note(&self, entry: Entry) -> Result<JobShown, AppError> {
        let shown = entry.shown(None);
        self.put(entry)?;
        self.inner.news.notify_one();
        Ok(shown)
    }
    /// Stops a job. One that has ended already stays as it ended.
    ///
    /// # Errors
    /// When the job is not known or the service cannot be reached.
    pub async fn cancel_job(&self, id: &str) -> Result<(), AppError> {
        let services = self.services_of_signed_in()?;
        let unknown = || AppError::new(ErrorCode::NotFound, "This job is not known any more.");
        let id = JobId::parse(id).map_err(|_| unknown())?;
        let entry = self.inner.journal.find(&id).ok_or_else(unknown)?;
        match services.motion.cancel(&id).await {
            Ok(()) => self.end(entry, Outcome::Cancelled)?,
            // it ended in the same moment; the follower tells how
            Err(error) if error.kind() == Some("invalid_state") => self.inner.news.notify_one(),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// All jobs of the studio in use, newest first.
    ///
    /// # Errors
    /// When the studio is not ready.
    pub fn jobs(&self) -> Result<Vec<JobShown>, AppError> {
        let services = self.services()?;
        let live = lock(&self.inner.live);
        let entries = self.inner.journal.of(&services.studio);
        Ok(entries.iter().map(|entry| entry.shown(live.get(&entry.id).cloned())).collect())
    }

    /// Earlier prompts, each once, newest first.
    #[must_use]
    pub fn prompt_history(&self) -> Vec<String> {
        self.inner.journal.prompts()
    }

    /// Asks about open jobs for as long as there are any, and waits for the next one.
    pub(super) fn follow_jobs(&self) {
        let Ok(services) = self.services() else { return };
        let app = self.clone();
        let task = tokio::spawn(async move {
            app.adopt_unknown_jobs(&services).await;
            loop {
                let open = app.open_jobs(&services);
                if open.is_empty() {
                    app.inner.news.notified().await;
                    continue;
                }
                let pace = match app.ask_about(&services, open).await {
                    Ok(()) => PACE,
                    Err(error) => {
                        tracing::warn!(%error, "open jobs could not be asked about");
                        PATIENT_PACE
                    }
                };
                let _ = tokio::time::timeout(pace, app.inner.news.notified()).await;
            }
        });
        if let Some(earlier) = lock(&self.inner.tasks).follow.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    fn open_jobs(&self, services: &Services) -> Vec<Entry> {
        let entries = self.inner.journal.of(&services.studio);
        entries.into_iter().filter(|entry| entry.outcome == Outcome::Open).collect()
    }

    async fn ask_about(
        &self,
        services: &Arc<Services>,
        open: Vec<Entry>,
    ) -> Result<(), MotionError> {
        let ids: Vec<JobId> = open.iter().take(MOST_AT_ONCE).map(|e| e.id.clone()).collect();
        let statuses = match services.motion.statuses(&ids).await {
            Ok(statuses) => statuses,
            Err(error) if error.kind() == Some("job_not_found") => vec![],
            Err(error) => return Err(error),
        };
        for entry in open.into_iter().take(MOST_AT_ONCE) {
            let status = statuses.iter().find(|(id, _)| *id == entry.id).map(|(_, s)| s.clone());
            self.heard(services, entry, status).await?;
        }
        Ok(())
    }

    /// Acts upon what the service said of one job; `None` means that it does not know it.
    async fn heard(
        &self,
        services: &Arc<Services>,
        entry: Entry,
        status: Option<JobStatus>,
    ) -> Result<(), MotionError> {
        let ended = match status {
            Some(JobStatus::Queued { position }) => {
                self.show_live(&entry, JobState::Waiting { place: position });
                return Ok(());
            }
            Some(JobStatus::Running { step, total }) => {
                let percent = (100 * u64::from(step) / u64::from(total.max(1))).min(100);
                let percent = u32::try_from(percent).unwrap_or(100);
                self.show_live(&entry, JobState::Working { percent });
                return Ok(());
            }
            Some(JobStatus::Retrying(cause)) => {
                self.show_live(&entry, JobState::Retrying { reason: sentence(&cause.text) });
                return Ok(());
            }
            Some(JobStatus::Succeeded { .. }) => {
                self.show_live(&entry, JobState::Fetching);
                self.bring_home(services, &entry).await?
            }
            Some(JobStatus::Failed(cause)) => failed(&cause),
            Some(JobStatus::Cancelled) => Outcome::Cancelled,
            None => Outcome::Failed {
                message: "The studio does not know this job any more. Generate it again.".into(),
                detail: None,
            },
        };
        if let Err(error) = self.end(entry, ended) {
            tracing::error!(code = ?error.code, "the journal of jobs could not be written");
        }
        Ok(())
    }

    /// Fetches every variant of a finished job into the library.
    async fn bring_home(
        &self,
        services: &Arc<Services>,
        entry: &Entry,
    ) -> Result<Outcome, MotionError> {
        let Some(summary) = find_summary(services, &entry.id).await? else {
            return Ok(gone());
        };
        let count = u32::try_from(summary.variants.len()).unwrap_or(MOST_VARIANTS);
        let mut arrived = 0;
        for number in summary.variants.keys() {
            let Some(variant) = number.parse().ok().and_then(VariantId::new) else { continue };
            let id = ClipId { job: entry.id.clone(), variant };
            if self.inner.library.knows(&id)
                || self.fetch_clip(services, entry, &summary, id, count).await?
            {
                arrived += 1;
            }
        }
        Ok(if arrived == 0 { gone() } else { Outcome::Done })
    }

    /// Fetches one variant. Answers `false` when the service has no files of it any more.
    async fn fetch_clip(
        &self,
        services: &Arc<Services>,
        entry: &Entry,
        summary: &JobSummary,
        id: ClipId,
        variants: u32,
    ) -> Result<bool, MotionError> {
        let links = services.motion.links(&id.job, id.variant).await?;
        let Some(known) = summary.variants.get(&id.variant.get().to_string()) else {
            return Ok(false);
        };
        let mut files = BTreeMap::new();
        for (ending, kind, needed) in FILES {
            let thumb = known.thumb.as_deref().filter(|_| kind == "png");
            let Some(url) = links.url(kind).or(thumb) else {
                if needed {
                    return Ok(false);
                }
                continue;
            };
            match self.fetch_file(services, url, &id, ending).await {
                Ok(file) => drop(files.insert(ending.to_owned(), file)),
                Err(error) if needed => return Err(error),
                Err(error) => tracing::warn!(%error, kind, "a file of a clip did not arrive"),
            }
        }
        let clip = Clip {
            variants,
            prompt: entry.prompt.clone(),
            character_id: entry.character_id.clone(),
            character_name: entry.character_name.clone(),
            frames: known.frames,
            fps: known.fps,
            seed: (!known.seed.is_empty()).then(|| known.seed.clone()),
            script: summary
                .parameters
                .get("script")
                .and_then(serde_json::Value::as_str)
                .map(str::to_owned),
            made_at: self.inner.around.clock.now(),
            origin: entry.origin.clone(),
            files,
            id,
        };
        self.inner.library.add(clip).map_err(MotionError::Disk)?;
        self.inner.around.events.library();
        Ok(true)
    }

    async fn fetch_file(
        &self,
        services: &Services,
        url: &str,
        id: &ClipId,
        ending: &str,
    ) -> Result<crate::library::ClipFile, MotionError> {
        let to = self.inner.library.path(id, ending);
        let fetched = services.motion.fetch(url, &to, FetchLimits::default()).await?;
        Ok(fetched.into())
    }

    fn show_live(&self, entry: &Entry, state: JobState) {
        let earlier = lock(&self.inner.live).insert(entry.id.clone(), state.clone());
        if earlier.as_ref() != Some(&state) {
            self.inner.around.events.job(&entry.shown(Some(state)));
        }
    }

    fn end(&self, mut entry: Entry, outcome: Outcome) -> Result<(), AppError> {
        entry.outcome = outcome;
        lock(&self.inner.live).remove(&entry.id);
        let shown = entry.shown(None);
        self.put(entry)?;
        self.inner.around.events.job(&shown);
        Ok(())
    }

    fn put(&self, entry: Entry) -> Result<(), AppError> {
        self.inner.journal.put(entry).map_err(|error| AppError::disk("note the job", &error))
    }
}

async fn find_summary(services: &Services, id: &JobId) -> Result<Option<JobSummary>, MotionError> {
    let list = services.motion.list(&limber_client::motion::ListFilter::default()).await?;
    Ok(list.into_iter().find(|summary| summary.rid == *id))
}

fn gone() -> Outcome {
    Outcome::Failed {
        message: "The studio removed the files of this job before they arrived. Generate it again."
            .into(),
        detail: None,
    }
}

fn failed(cause: &FailureCause) -> Outcome {
    let codes: Vec<String> = cause.codes.iter().map(u16::to_string).collect();
    let detail = (!codes.is_empty()).then(|| format!("Code {}", codes.join(", ")));
    Outcome::Failed { message: sentence(&cause.text), detail }
}

/// What the service would refuse is refused here, in the words of the screen.
fn checked(request: &PromptRequest) -> Result<TextToMotion, AppError> {
    let bad = |words: &str| AppError::new(ErrorCode::BadInput, words);
    let prompt = request.prompt.trim();
    if prompt.is_empty() {
        return Err(bad("Write what the character should do, for example “walks, then waves”."));
    }
    if prompt.chars().count() > LONGEST_PROMPT {
        return Err(bad("The prompt is longer than 1024 characters. Shorten it."));
    }
    if !(1..=MOST_VARIANTS).contains(&request.variants) {
        return Err(bad("Choose 1 to 8 variants."));
    }
    let model = ModelId::parse(&request.character_id)
        .map_err(|_| bad("Choose a character for this prompt."))?;
    let seed = match request.seed.as_deref().map(str::trim).filter(|seed| !seed.is_empty()) {
        Some(seed) => Some(
            seed.parse()
                .map_err(|_| bad("A seed is a whole number below 18,446,744,073,709,551,616."))?,
        ),
        None => None,
    };
    Ok(TextToMotion {
        duration_s: request.seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0),
        variants: request.variants,
        seed,
        ..TextToMotion::new(prompt, model)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(prompt: &str) -> PromptRequest {
        PromptRequest {
            prompt: prompt.into(),
            character_id: "ada".into(),
            seconds: Some(6.0),
            variants: 1,
            seed: Some(" 42 ".into()),
        }
    }

    #[test]
    fn a_good_prompt_goes_out_as_it_is() {
        let wire = checked(&request("  walks 🕺 then waves  ")).expect("fine");
        assert_eq!((wire.prompt.as_str(), wire.seed), ("walks 🕺 then waves", Some(42)));
    }

    #[test]
    fn bad_input_says_what_to_do() {
        let long = "x".repeat(2000);
        let cases = [
            (request("   "), "Write what"),
            (request(&long), "Shorten"),
            (PromptRequest { variants: 9, ..request("walks") }, "1 to 8"),
            (PromptRequest { seed: Some("-1".into()), ..request("walks") }, "whole number"),
            (PromptRequest { character_id: "../x".into(), ..request("walks") }, "character"),
        ];
        for (request, words) in cases {
            let error = checked(&request).expect_err("refused");
            assert_eq!(error.code, ErrorCode::BadInput);
            assert!(error.message.contains(words), "{error}");
        }
    }
}
