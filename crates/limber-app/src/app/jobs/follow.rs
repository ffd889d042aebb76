//! Follows open jobs through the service's event stream, and by polling.

use std::{sync::Arc, time::Duration};

use limber_client::motion::{FailureCause, JobEvents, JobId, JobStatus, Message, MotionError};
use limber_domain::lock;
use limber_pipeline::Stage;

use super::{
    super::{App, Services},
    fetch::Consent,
};
use crate::{
    AppError, ErrorCode, Notice,
    journal::{Entry, Outcome},
    library::Origin,
    messages::of_service,
    views::{JobState, WorkStage},
};

/// Polling interval while there is no event stream.
const PACE: Duration = Duration::from_millis(300);
/// Polling interval while the service does not answer.
const PATIENT_PACE: Duration = Duration::from_secs(2);
/// Polling interval while there is an event stream; events may be lost.
const TRUSTING_PACE: Duration = Duration::from_secs(15);
/// The service's limit for one status request.
const MOST_AT_ONCE: usize = 100;

/// Derives the current variant and stage from a percentage. The service reports a percentage only,
/// but each stage has a known share of it, and variants are made one after another.
fn working(percent: u32, variants: u32, is_render: bool) -> JobState {
    let variants = variants.max(1);
    let of_all = (percent * variants).min(100 * variants - 1);
    let stages: &[Stage] = if is_render { &Stage::VIDEO } else { &Stage::ALL };
    let stage = match Stage::at(stages, (of_all % 100) as f32) {
        Some(Stage::Generate) => WorkStage::Moving,
        Some(Stage::Tracking | Stage::Correction) => WorkStage::Grounding,
        Some(Stage::Bvh | Stage::Bake) => WorkStage::Writing,
        Some(Stage::Frames) => WorkStage::Drawing,
        Some(Stage::Finish | Stage::Encode) => WorkStage::Finishing,
        Some(Stage::Intake | Stage::Load) | None => WorkStage::Preparing,
    };
    JobState::Working { percent, stage, variant: of_all / 100 + 1 }
}

impl App {
    /// Follows open jobs in a background task, and waits for new ones when there are none.
    pub(in super::super) fn follow_jobs(&self) {
        let Ok(services) = self.services() else { return };
        let app = self.clone();
        let task = tokio::spawn(async move {
            app.adopt_unknown_jobs(&services).await;
            let mut told = None;
            loop {
                let open = app.open_jobs(&services);
                if open.is_empty() {
                    told = None;
                    app.inner.news.notified().await;
                    continue;
                }
                // subscribe before polling, so that no change is missed in between
                if told.is_none() {
                    told = services.motion.events(None).await.ok();
                }
                let is_stuck = match app.ask_about(&services, &open).await {
                    Ok(all) => !all,
                    Err(error) => {
                        tracing::warn!(%error, "the state of open jobs could not be queried");
                        app.show_interrupted(&open, error);
                        true
                    }
                };
                if is_stuck {
                    let _ = tokio::time::timeout(PATIENT_PACE, app.inner.news.notified()).await;
                    continue;
                }
                told = app.listen(&services, told).await;
            }
        });
        if let Some(earlier) = lock(&self.inner.tasks).follow.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    /// Handles events until the next poll is due; returns the stream if it is still open.
    async fn listen(&self, services: &Arc<Services>, told: Option<JobEvents>) -> Option<JobEvents> {
        let Some(mut told) = told else {
            let _ = tokio::time::timeout(PACE, self.inner.news.notified()).await;
            return None;
        };
        loop {
            let event = tokio::select! {
                event = told.next() => event,
                () = self.inner.news.notified() => return Some(told),
                () = tokio::time::sleep(TRUSTING_PACE) => return Some(told),
            };
            let Ok(Some((id, status))) = event else {
                // the stream ended; if the service closes streams at once, fall back to polling
                tokio::time::sleep(PACE).await;
                return None;
            };
            let Some(entry) = self.open_job(services, &id) else { continue };
            if !self.heard(services, &entry, Some(status)).await {
                return Some(told);
            }
            if self.open_jobs(services).is_empty() {
                return Some(told);
            }
        }
    }

    fn open_job(&self, services: &Services, id: &JobId) -> Option<Entry> {
        let entry = self.inner.journal.find(id)?;
        (entry.studio == services.studio && entry.outcome == Outcome::Open).then_some(entry)
    }

    fn open_jobs(&self, services: &Services) -> Vec<Entry> {
        let entries = self.inner.journal.of(&services.studio);
        entries.into_iter().filter(|entry| entry.outcome == Outcome::Open).collect()
    }

    /// Polls the status of jobs. Returns whether all of them could be handled.
    async fn ask_about(
        &self,
        services: &Arc<Services>,
        open: &[Entry],
    ) -> Result<bool, MotionError> {
        let ids: Vec<JobId> = open.iter().take(MOST_AT_ONCE).map(|e| e.id.clone()).collect();
        let statuses = match services.motion.statuses(&ids).await {
            Ok(statuses) => statuses,
            Err(error) if error.kind() == Some("job_not_found") => vec![],
            Err(error) => return Err(error),
        };
        let mut all = true;
        for entry in open.iter().take(MOST_AT_ONCE) {
            let status = statuses.iter().find(|(id, _)| *id == entry.id).map(|(_, s)| s.clone());
            all &= self.heard(services, entry, status).await;
        }
        Ok(all)
    }

    /// Shows open jobs as interrupted. They continue at the service.
    fn show_interrupted(&self, open: &[Entry], error: MotionError) {
        let reason = AppError::from(error).message;
        for entry in open {
            self.show_live(entry, JobState::Retrying { reason: reason.clone() });
        }
    }

    /// Handles the status of one job; `None` means that the service does not know it. Returns
    /// `false` if this has to be retried.
    async fn heard(
        &self,
        services: &Arc<Services>,
        entry: &Entry,
        status: Option<JobStatus>,
    ) -> bool {
        let ended = match status {
            Some(JobStatus::Queued { position }) => {
                self.show_live(entry, JobState::Waiting { place: position });
                return true;
            }
            Some(JobStatus::Running { step, total }) => {
                let percent = (100 * u64::from(step) / u64::from(total.max(1))).min(100);
                let percent = u32::try_from(percent).unwrap_or(100);
                let state = working(percent, entry.variants, entry.video.is_some());
                self.show_live(entry, state);
                return true;
            }
            Some(JobStatus::Retrying(cause)) => {
                self.show_live(
                    entry,
                    JobState::Retrying { reason: of_service(&cause.messages, &cause.text) },
                );
                return true;
            }
            Some(JobStatus::Succeeded { .. }) => {
                // during a retry, keep showing the trouble until the retry succeeds
                let is_retried = matches!(
                    lock(&self.inner.job_states).get(&entry.id),
                    Some(JobState::Retrying { .. })
                );
                if !is_retried {
                    self.show_live(entry, JobState::Fetching);
                }
                match self.bring_home(services, entry, Consent::Withheld).await {
                    Ok(outcome) => outcome,
                    Err(error @ MotionError::TooLarge { .. }) => {
                        Outcome::failed(AppError::from(error).message)
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a result could not be downloaded");
                        self.show_interrupted(std::slice::from_ref(entry), error);
                        return false;
                    }
                }
            }
            Some(JobStatus::Failed(cause)) => {
                let name_of = |id: &str| self.name_of_source(id, entry.origin.as_ref());
                failed(cause, name_of)
            }
            Some(JobStatus::Cancelled) => Outcome::Cancelled,
            None => Outcome::failed(Notice::JobUnknownToStudio),
        };
        if let Err(error) = self.end(entry.clone(), ended) {
            tracing::error!(code = ?error.code, "the job journal could not be written");
        }
        true
    }

    /// Returns the title of a source clip by the service's ID for it.
    fn name_of_source(&self, id: &str, origin: Option<&Origin>) -> Option<String> {
        let sources = origin.map(|origin| origin.made_from.as_slice()).unwrap_or_default();
        let mut known = sources.iter().filter_map(|source| self.inner.library.find(source).ok());
        let clip = known.find(|clip| format!("{}/{}", clip.id.job, clip.id.variant) == id)?;
        Some(format!("“{}”", clip.title()))
    }
}

fn failed(cause: FailureCause, name_of: impl Fn(&str) -> Option<String>) -> Outcome {
    let FailureCause { codes, messages, text, .. } = cause;
    let codes: Vec<String> = codes.iter().map(u16::to_string).collect();
    let messages: Vec<Message> =
        messages.into_iter().map(|message| message.naming(&name_of)).collect();
    let error = AppError::new(ErrorCode::JobFailed, of_service(&messages, &text));
    if codes.is_empty() {
        return Outcome::of(error);
    }
    Outcome::of(error.with_detail(format!("Code {}", codes.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_job_names_the_missing_clip_by_its_prompt() {
        let cause = FailureCause {
            codes: vec![494],
            kind: "InputError".to_owned(),
            text: "the clip 0123456789abcdef/1 that the job starts from was removed".to_owned(),
            messages: vec![Message::SourceRemoved { clip: "0123456789abcdef/1".to_owned() }],
        };
        let Outcome::Failed { message, detail, told } =
            failed(cause, |id| (id == "0123456789abcdef/1").then(|| "“walks”".to_owned()))
        else {
            panic!("it failed")
        };
        assert_eq!(message, "The clip “walks” that the job starts from was removed.");
        assert_eq!(detail.as_deref(), Some("Code 494"));
        assert_eq!(told.map(|told| told.code).as_deref(), Some("source-removed"));
    }

    #[test]
    fn a_percentage_says_which_variant_is_at_which_stage() {
        let of = |percent, variants| match working(percent, variants, false) {
            JobState::Working { stage, variant, .. } => (stage, variant),
            other => panic!("{other:?}"),
        };
        assert_eq!(of(1, 1), (WorkStage::Preparing, 1));
        assert_eq!(of(30, 1), (WorkStage::Moving, 1));
        assert_eq!(of(60, 1), (WorkStage::Grounding, 1));
        assert_eq!(of(99, 1), (WorkStage::Finishing, 1));
        assert_eq!(of(10, 4), (WorkStage::Moving, 1));
        assert_eq!(of(45, 4), (WorkStage::Writing, 2));
        assert_eq!(of(100, 4), (WorkStage::Finishing, 4));
        let render = working(40, 1, true);
        assert!(matches!(render, JobState::Working { stage: WorkStage::Drawing, variant: 1, .. }));
    }
}
