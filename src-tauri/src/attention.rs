//! Signals outside the window: a system notification when a job ends, and the progress of all jobs
//! on the taskbar icon.

use std::{collections::HashMap, sync::Mutex};

use limber_app::views::{ChangeKind, JobState, JobView, Language};
use limber_domain::lock;
use tauri::{AppHandle, Manager};

/// Platform code: shows progress on the program's icon (0 to 1, or `None` for no progress), and
/// associates notifications with the program.
#[cfg_attr(target_os = "linux", path = "attention/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "attention/elsewhere.rs")]
mod desktop;

/// Maximum length of a prompt in notifications, characters.
const LONGEST_PROMPT: usize = 120;

/// Tracks jobs for notifications and the taskbar icon.
#[derive(Debug, Default)]
pub(crate) struct Attention {
    /// Progress of open jobs, percent.
    open: Mutex<HashMap<String, u32>>,
}

impl Attention {
    /// Handles a change of a job.
    pub(crate) fn job(&self, handle: &AppHandle, job: &JobView, language: Language) {
        let (is_news, progress) = self.note(job);
        let words = words_of(job, language).filter(|_| is_news);
        let handle = handle.clone();
        // calls go over a message bus and may be slow
        tauri::async_runtime::spawn_blocking(move || {
            desktop::show_progress(&handle, progress);
            let is_looked_at = handle
                .get_webview_window("main")
                .is_some_and(|window| window.is_focused().unwrap_or(false));
            if let Some((title, text)) = words.filter(|_| !is_looked_at) {
                notify(title, &text);
            }
        });
    }

    /// Records the job; returns whether it was open before, and the mean progress of all open jobs
    /// from 0 to 1, or `None` if there are none.
    fn note(&self, job: &JobView) -> (bool, Option<f64>) {
        let mut open = lock(&self.open);
        let was_open = match job.state {
            JobState::Waiting { .. } | JobState::Retrying { .. } => {
                open.insert(job.id.clone(), 0).is_some()
            }
            JobState::Working { percent, .. } => open.insert(job.id.clone(), percent).is_some(),
            JobState::Fetching => open.insert(job.id.clone(), 100).is_some(),
            _ => open.remove(&job.id).is_some(),
        };
        let done: u32 = open.values().sum();
        let share = f64::from(done) / 100.0 / open.len().max(1) as f64;
        (was_open, (!open.is_empty()).then_some(share))
    }
}

/// Returns title and text of the notification for a job that has ended; `None` for others.
fn words_of(job: &JobView, language: Language) -> Option<(&'static str, String)> {
    // not from the page's translations, because the page may be suspended
    let (english, german) = match &job.state {
        JobState::Done if job.change == Some(ChangeKind::Rendered) => {
            ("Your video is ready", "Dein Video ist fertig")
        }
        JobState::Done => ("Your clip is ready", "Dein Clip ist fertig"),
        JobState::Unpaid { .. } => {
            ("Your results need your approval", "Deine Ergebnisse warten auf deine Bestätigung")
        }
        JobState::Failed { .. } => ("A job has failed", "Ein Job ist fehlgeschlagen"),
        _ => return None,
    };
    let title = match language {
        Language::En => english,
        Language::De => german,
    };
    let mut text: String = job.prompt.chars().take(LONGEST_PROMPT).collect();
    if text.len() < job.prompt.len() {
        text.push('…');
    }
    Some((title, text))
}

fn notify(title: &str, text: &str) {
    let mut notification = notify_rust::Notification::new();
    notification.appname("Limber").icon("limber").summary(title).body(&escaped(text));
    desktop::sign(&mut notification);
    if let Err(error) = notification.show() {
        tracing::debug!(%error, "this desktop does not show notifications");
    }
}

/// Escapes text for desktops that interpret HTML in notifications.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use limber_app::views::WorkStage;

    use super::*;

    fn job(id: &str, state: JobState) -> JobView {
        JobView {
            id: id.to_owned(),
            prompt: "walks <b>&".to_owned(),
            character_id: "ada".to_owned(),
            character_name: "Ada".to_owned(),
            variants: 1,
            change: None,
            made_from: vec![],
            made_at: String::new(),
            warnings: vec![],
            asked: None,
            can_retry: false,
            state,
        }
    }

    #[test]
    fn the_taskbar_shows_the_mean_progress_of_open_jobs() {
        let attention = Attention::default();
        assert_eq!(attention.note(&job("a", JobState::Waiting { place: 1 })), (false, Some(0.0)));
        let stage = WorkStage::Moving;
        attention.note(&job("b", JobState::Working { percent: 50, stage, variant: 1 }));
        assert_eq!(attention.note(&job("a", JobState::Fetching)), (true, Some(0.75)));
        attention.note(&job("a", JobState::Done));
        assert_eq!(attention.note(&job("b", JobState::Cancelled)), (true, None));
        // a job of an earlier run that is merely listed again is not announced
        assert_eq!(attention.note(&job("c", JobState::Done)), (false, None));
    }

    #[test]
    fn only_ended_jobs_notify_and_prompts_are_escaped() {
        let words_in = |state, language| words_of(&job("a", state), language);
        assert_eq!(words_in(JobState::Waiting { place: 1 }, Language::En), None);
        assert_eq!(words_in(JobState::Cancelled, Language::En), None);
        let (title, text) = words_in(JobState::Done, Language::En).expect("news");
        assert_eq!(
            (title, escaped(&text).as_str()),
            ("Your clip is ready", "walks &lt;b&gt;&amp;")
        );
    }

    #[test]
    fn notifications_use_the_language_of_the_window() {
        let video = JobView { change: Some(ChangeKind::Rendered), ..job("a", JobState::Done) };
        let title = |job| words_of(job, Language::De).expect("news").0;
        assert_eq!(title(&video), "Dein Video ist fertig");
        assert_eq!(title(&job("a", JobState::Done)), "Dein Clip ist fertig");
    }
}
