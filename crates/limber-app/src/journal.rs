//! The journal of submitted jobs, which survives restarts.

use std::{
    io,
    path::PathBuf,
    sync::{Mutex, MutexGuard},
};

use chrono::{DateTime, SecondsFormat, Utc};
use limber_client::motion::JobId;
use limber_domain::lock;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    AppError, ErrorCode, Folders, MessageView, folders,
    library::{ClipName, Origin},
    views::{EditRequest, JobState, JobView, PromptRequest, RenderRequest},
};

/// Maximum number of jobs in the journal; the oldest ended jobs are dropped. Their clips are kept.
const LONGEST: usize = 500;

/// The outcome of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub(crate) enum Outcome {
    Open,
    Done,
    /// Succeeded; its results wait until the user accepts their price, in credits.
    Unpaid {
        credits: f64,
        available: f64,
    },
    Failed {
        message: String,
        detail: Option<String>,
        /// The message as structured data; absent from records of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<MessageView>,
    },
    Cancelled,
}

impl Outcome {
    /// Makes a failure with this message.
    pub(crate) fn failed(reason: impl Into<MessageView>) -> Self {
        Self::of(AppError::new(ErrorCode::JobFailed, reason))
    }

    /// Makes a failure from an error, with its details.
    pub(crate) fn of(error: AppError) -> Self {
        let AppError { message, detail, .. } = error;
        Self::Failed { message: message.text.clone(), detail, told: Some(message) }
    }
}

/// A video's destination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct VideoDestination {
    pub to: PathBuf,
    /// The file kind, as the service names it.
    pub kind: String,
}

/// The original request, for retries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OriginalRequest {
    Prompt(PromptRequest),
    Edit(EditRequest),
    #[serde(rename = "film")]
    Render(RenderRequest),
}

/// A job in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub id: JobId,
    /// The studio that runs it; job IDs are unique only within a studio.
    pub studio: String,
    pub prompt: String,
    /// Name for its clips; absent if they are named after the prompt, and from records of earlier
    /// versions.
    #[serde(default)]
    pub name: Option<ClipName>,
    pub character_id: String,
    pub character_name: String,
    pub variants: u32,
    pub made_at: DateTime<Utc>,
    /// Absent for jobs made from a prompt alone, and from records of earlier versions.
    #[serde(default)]
    pub origin: Option<Origin>,
    /// Where to save the video that this job makes; absent for other jobs.
    #[serde(default, rename = "film")]
    pub video: Option<VideoDestination>,
    /// An [`OriginalRequest`]; absent from records of earlier versions and for jobs started
    /// elsewhere. It is parsed lazily, so that a request of a newer version does not hide the whole
    /// entry.
    #[serde(default)]
    pub asked: Option<serde_json::Value>,
    /// Earlier versions stored plain strings under the name `warnings`, and ignore `told`.
    #[serde(default, rename = "told", alias = "warnings", deserialize_with = "view_or_words")]
    pub warnings: Vec<MessageView>,
    pub outcome: Outcome,
}

impl Entry {
    /// Returns the original request, if it is known and readable.
    pub(crate) fn original_request(&self) -> Option<OriginalRequest> {
        serde_json::from_value(self.asked.clone()?).ok()
    }

    /// Stores the original request.
    pub(crate) fn with_request(self, asked: OriginalRequest) -> Self {
        Self { asked: serde_json::to_value(asked).ok(), ..self }
    }

    /// Converts the entry to its view model; `live` is the last known state of an open job.
    pub(crate) fn view(&self, live: Option<JobState>) -> JobView {
        let state = match &self.outcome {
            Outcome::Open => live.unwrap_or(JobState::Waiting { place: 1 }),
            Outcome::Done => JobState::Done,
            Outcome::Unpaid { credits, available } => {
                live.unwrap_or(JobState::Unpaid { credits: *credits, available: *available })
            }
            Outcome::Cancelled => JobState::Cancelled,
            Outcome::Failed { message, detail, told } => JobState::Failed {
                error: AppError {
                    code: ErrorCode::JobFailed,
                    message: told.clone().unwrap_or_else(|| MessageView::words(message)),
                    detail: detail.clone(),
                },
            },
        };
        let asked = self.original_request();
        JobView {
            id: self.id.to_string(),
            prompt: self.prompt.clone(),
            character_id: self.character_id.clone(),
            character_name: self.character_name.clone(),
            variants: self.variants,
            change: self.origin.as_ref().map(Origin::kind),
            made_from: self.origin.iter().flat_map(Origin::ids).collect(),
            made_at: rfc3339(self.made_at),
            warnings: self.warnings.clone(),
            asked: match &asked {
                Some(OriginalRequest::Prompt(request)) => Some(request.clone()),
                _ => None,
            },
            can_retry: asked.is_some() && self.has_failed(),
            state,
        }
    }
}

impl Entry {
    const fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed { .. } | Outcome::Cancelled)
    }
}

fn view_or_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<MessageView>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum StoredMessage {
        View(MessageView),
        Words(String),
    }
    let stored = Vec::<StoredMessage>::deserialize(deserializer)?;
    let told = stored.into_iter().map(|message| match message {
        StoredMessage::View(view) => view,
        StoredMessage::Words(words) => MessageView::words(&words),
    });
    Ok(told.collect())
}

pub(crate) fn rfc3339(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The journal, newest job first.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    entries: Mutex<Vec<Entry>>,
    /// Whether the file could be read; an unreadable file must not be overwritten.
    is_readable: bool,
}

impl Journal {
    /// Reads the journal. If it cannot be read, the journal is empty and refuses writes.
    pub(crate) fn open(folders: &Folders) -> Self {
        let path = folders.journal();
        let read = folders::read_json(&path)
            .inspect_err(|error| tracing::error!(%error, "the job journal cannot be read"));
        let is_readable = read.is_ok();
        Self { entries: Mutex::new(read.unwrap_or_default()), path, is_readable }
    }

    /// Returns all jobs of one studio, newest first.
    pub(crate) fn of(&self, studio: &str) -> Vec<Entry> {
        self.entries().iter().filter(|entry| entry.studio == studio).cloned().collect()
    }

    /// Summarises how many jobs had which outcome.
    pub(crate) fn outcomes(&self) -> String {
        let entries = self.entries();
        let count = |is: fn(&Outcome) -> bool| entries.iter().filter(|e| is(&e.outcome)).count();
        format!(
            "{} open, {} done, {} unpaid, {} failed, {} cancelled",
            count(|outcome| matches!(outcome, Outcome::Open)),
            count(|outcome| matches!(outcome, Outcome::Done)),
            count(|outcome| matches!(outcome, Outcome::Unpaid { .. })),
            count(|outcome| matches!(outcome, Outcome::Failed { .. })),
            count(|outcome| matches!(outcome, Outcome::Cancelled)),
        )
    }

    pub(crate) fn find(&self, id: &JobId) -> Option<Entry> {
        self.entries().iter().find(|entry| entry.id == *id).cloned()
    }

    /// Returns every prompt that was submitted, without duplicates, newest first.
    pub(crate) fn prompts(&self) -> Vec<String> {
        let mut prompts: Vec<String> = Vec::new();
        for entry in self.entries().iter().filter(|entry| entry.origin.is_none()) {
            if !prompts.contains(&entry.prompt) {
                prompts.push(entry.prompt.clone());
            }
        }
        prompts
    }

    /// Adds or replaces a job; it is on disk when this returns.
    pub(crate) fn put(&self, entry: Entry) -> io::Result<()> {
        if !self.is_readable {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let mut entries = self.entries();
        match entries.iter_mut().find(|known| known.id == entry.id) {
            Some(known) => *known = entry,
            None => {
                let at = entries.partition_point(|known| known.made_at > entry.made_at);
                entries.insert(at, entry);
            }
        }
        while entries.len() > LONGEST
            && let Some(oldest) = entries.iter().rposition(|e| e.outcome != Outcome::Open)
        {
            entries.remove(oldest);
        }
        folders::write_json(&self.path, &*entries)
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        lock(&self.entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Notice,
        views::{ClipEnd, ClipPart, VideoCamera, VideoFormat},
    };

    fn entry(number: u32, outcome: Outcome) -> Entry {
        Entry {
            id: JobId::parse(&format!("job-{number:016}")).expect("an id"),
            studio: "here".into(),
            prompt: format!("walk {}", number % 3),
            name: None,
            character_id: "ada".into(),
            character_name: "Ada".into(),
            variants: 1,
            made_at: DateTime::from_timestamp(i64::from(number), 0).expect("a time"),
            origin: None,
            video: None,
            asked: None,
            warnings: vec![],
            outcome,
        }
    }

    #[test]
    fn jobs_survive_a_restart_newest_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::new(folder.path());
        let journal = Journal::open(&folders);
        journal.put(entry(1, Outcome::Open)).expect("written");
        journal.put(entry(2, Outcome::Open)).expect("written");
        journal.put(entry(1, Outcome::Done)).expect("written");
        let later = Journal::open(&folders);
        assert_eq!(later.of("here"), vec![entry(2, Outcome::Open), entry(1, Outcome::Done)]);
        assert!(later.of("elsewhere").is_empty());
    }

    #[test]
    fn failed_jobs_can_be_retried() {
        let request = PromptRequest {
            prompt: "walks".into(),
            character_id: "ada".into(),
            seconds: Some(3.0),
            variants: 4,
            seed: Some("7".into()),
            script: Some(r#"{"version":2,"events":[{"do":"walk"}]}"#.into()),
            start: None,
            end: Some(ClipEnd::Hold),
            loops: None,
        };
        let asked = OriginalRequest::Prompt(request.clone());
        let entry = entry(1, Outcome::Cancelled).with_request(asked.clone());
        let kept = serde_json::to_string(&entry).expect("text");
        let read: Entry = serde_json::from_str(&kept).expect("an entry");
        assert_eq!(read.original_request(), Some(asked));
        let shown = read.view(None);
        assert!(shown.can_retry);
        assert_eq!(shown.asked, Some(request));
        assert!(!Entry { outcome: Outcome::Done, ..read.clone() }.view(None).can_retry);
        let newer = Entry { asked: Some(serde_json::json!({"dream": {}})), ..read };
        assert!(!newer.view(None).can_retry, "unknown entries are not requested");
    }

    #[test]
    fn videos_keep_their_stored_names() {
        let request = RenderRequest {
            clip: ClipPart { id: "job-3.1".into(), trim_left: 0, trim_right: 0 },
            camera: VideoCamera::Fixed,
            angle_deg: 0.0,
            color: None,
            backdrop: None,
            shadow: true,
            width: 256,
            height: 256,
            fps: 30,
            container: VideoFormat::Mp4,
        };
        let video = VideoDestination { to: "saved.mp4".into(), kind: "mp4".into() };
        let entry = Entry { video: Some(video), ..entry(1, Outcome::Cancelled) };
        let entry = entry.with_request(OriginalRequest::Render(request));
        let kept = serde_json::to_value(&entry).expect("text");
        assert_eq!(kept["film"]["kind"], "mp4");
        assert_eq!(kept["asked"]["film"]["clip"]["id"], "job-3.1");
        assert_eq!(serde_json::from_value::<Entry>(kept).expect("an entry"), entry);
        assert!(matches!(entry.original_request(), Some(OriginalRequest::Render(_))));
    }

    #[test]
    fn messages_are_stored_as_data_and_old_sentences_are_still_read() {
        let warned = MessageView::from(Notice::JobUnknown);
        let entry = Entry {
            warnings: vec![warned.clone()],
            ..entry(1, Outcome::failed(Notice::JobFilesGone))
        };
        let kept = serde_json::to_value(&entry).expect("text");
        assert_eq!(serde_json::from_value::<Entry>(kept.clone()).expect("an entry"), entry);
        assert!(kept.get("warnings").is_none(), "earlier versions find nothing they cannot read");
        let mut older = kept;
        let record = older.as_object_mut().expect("an object");
        record.remove("told");
        record.insert("warnings".into(), serde_json::json!(["The toes were guessed."]));
        let failed =
            serde_json::json!({ "state": "failed", "message": "It failed.", "detail": null });
        record.insert("outcome".into(), failed);
        let read: Entry = serde_json::from_value(older).expect("an entry");
        assert_eq!(read.warnings, [MessageView::words("The toes were guessed.")]);
        let JobState::Failed { error } = read.view(None).state else { panic!("it failed") };
        assert_eq!(error.message, MessageView::words("It failed."));
    }

    #[test]
    fn a_full_journal_drops_only_ended_jobs() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = Journal::open(&Folders::new(folder.path()));
        journal.put(entry(0, Outcome::Open)).expect("written");
        *journal.entries() = (0..u32::try_from(LONGEST).expect("small"))
            .rev()
            .map(|n| entry(n, if n == 0 { Outcome::Open } else { Outcome::Done }))
            .collect();
        journal.put(entry(9999, Outcome::Open)).expect("written");
        let kept = journal.of("here");
        assert_eq!(kept.len(), LONGEST);
        assert_eq!(kept.first(), Some(&entry(9999, Outcome::Open)));
        assert_eq!(kept.last(), Some(&entry(0, Outcome::Open)));
    }

    #[test]
    fn each_prompt_is_remembered_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = Journal::open(&Folders::new(folder.path()));
        for number in 0..5 {
            journal.put(entry(number, Outcome::Done)).expect("written");
        }
        assert_eq!(journal.prompts(), ["walk 1", "walk 0", "walk 2"]);
    }
}
