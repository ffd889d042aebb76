//! Responses of the motion service.

use std::collections::BTreeMap;

use limber_script::{Message, message};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{JobId, ModelId, RenderEntry};

/// `GET /account/v1/auth`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuthAnswer {
    /// Always true.
    pub result: bool,
    /// When the session expires, in milliseconds since the epoch.
    pub expires_at: i64,
    /// The client id.
    pub account: String,
}

/// `GET /account/v1/creditBalance`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreditBalance {
    /// Credits that can be spent now.
    pub credits: f64,
    /// The account's plan.
    pub subscription: Subscription,
    /// Credits reserved for unfinished jobs.
    #[serde(default)]
    pub reserved: f64,
}

/// An account's plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Display name.
    pub name: String,
    /// Credits granted in each billing period.
    pub credits: f64,
    /// Limits of the plan.
    pub feature_limits: FeatureLimits,
    /// The current billing period.
    pub current_period: BillingPeriod,
}

/// Limits of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeatureLimits {
    /// Maximum number of variants per job, 1 to 8.
    pub max_variants_generation: u32,
}

/// Start and end of a period, in milliseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(missing_docs, reason = "start and end need no explanation")]
pub struct BillingPeriod {
    pub start: i64,
    pub end: i64,
}

/// `POST /job/v1/process/{processor}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProcessAnswer {
    /// The new job.
    pub rid: JobId,
    /// Warnings about what was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The same warnings as data, in the same order: a `code`, its arguments, and the message as
    /// `text`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "limber_script::message::told")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub messages: Vec<Message>,
}

impl ProcessAnswer {
    /// Returns the response for a stored job, with warnings about what was ignored.
    #[must_use]
    pub fn new(rid: JobId, messages: Vec<Message>) -> Self {
        Self { rid, warnings: sentences_of(&messages), messages }
    }

    /// Returns the warnings, whichever version of the service sent them.
    #[must_use]
    pub fn told(self) -> Vec<Message> {
        told(self.messages, self.warnings)
    }
}

/// Returns the text of each message.
fn sentences_of(messages: &[Message]) -> Vec<String> {
    messages.iter().map(Message::to_string).collect()
}

/// Uses the plain sentences if there are no messages, as from earlier versions of the service.
fn told(messages: Vec<Message>, warnings: Vec<String>) -> Vec<Message> {
    if messages.is_empty() { warnings.into_iter().map(Message::from).collect() } else { messages }
}

/// How the words of a prompt were interpreted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PromptWords {
    /// For each event of the script, in order, the words it was read from.
    pub events: Vec<EventWords>,
    /// Words that have no effect.
    pub scenery: Vec<String>,
    /// Words that were not understood.
    pub not_understood: Vec<String>,
}

/// The words that an event was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EventWords {
    /// Words that name the action.
    pub deed: String,
    /// Words that describe it.
    pub fields: Vec<FieldWords>,
}

/// The words that a field of an event was read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldWords {
    /// Name of the field in the script, such as `side` or `count`.
    pub field: String,
    /// The words.
    pub words: String,
}

/// `POST /job/v1/process/{processor}?dryRun=1`: what the request would do without `dryRun`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DryRunAnswer {
    /// How the prompt or script was understood, as a script in text form; absent if there is
    /// neither.
    #[serde(default)]
    pub script: Option<String>,
    /// The same as JSON, which can be submitted as `script`.
    #[serde(default, rename = "motionScript", skip_serializing_if = "Option::is_none")]
    pub motion_script: Option<Value>,
    /// The words of the prompt that each event of `motionScript` was read from, and how the others
    /// were used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<PromptWords>,
    /// Parts of the script that cannot be performed yet.
    #[serde(default, rename = "leftOut")]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub left_out: Vec<LeftOut>,
    /// Words that were ignored.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub skipped: Vec<String>,
    /// Actions similar to those words.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub nearest: Vec<String>,
    /// Warnings about what would be ignored.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub warnings: Vec<String>,
    /// The same warnings as data, in the same order: a `code`, its arguments, and the message as
    /// `text`.
    #[serde(default, with = "limber_script::message::told")]
    #[cfg_attr(feature = "openapi", schema(required = true, value_type = Vec<Object>))]
    pub messages: Vec<Message>,
    /// Maximum credits that would be reserved; 0 if nothing is charged.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub price: f64,
}

impl DryRunAnswer {
    /// Returns what a request would do, without the fields about scripts.
    #[must_use]
    pub fn new(script: Option<String>, messages: Vec<Message>, price: f64) -> Self {
        Self {
            script,
            motion_script: None,
            words: None,
            left_out: Vec::new(),
            skipped: message::unknown_words(&messages),
            nearest: message::nearest(&messages),
            warnings: sentences_of(&messages),
            messages,
            price,
        }
    }

    /// Returns the warnings, whichever version of the service sent them.
    #[must_use]
    pub fn told(&self) -> Vec<Message> {
        told(self.messages.clone(), self.warnings.clone())
    }
}

/// A part of a motion script that cannot be performed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeftOut {
    /// Index of the event, from 0; absent if it concerns the whole clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<usize>,
    /// The field that is ignored; `do` or `move` if it is the whole event.
    pub field: String,
}

/// State of a job on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum WireStatus {
    /// Queued or running.
    Progress,
    /// Finished, with files.
    Success,
    /// Failed; will be retried.
    Retry,
    /// Failed permanently, or cancelled.
    Failure,
}

impl WireStatus {
    /// Returns the wire value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Progress => "PROGRESS",
            Self::Success => "SUCCESS",
            Self::Retry => "RETRY",
            Self::Failure => "FAILURE",
        }
    }
}

/// `GET /job/v1/status/{rid,…}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StatusAnswer {
    /// Number of entries.
    pub count: usize,
    /// The jobs found, in the order of the request.
    pub status: Vec<StatusEntry>,
    /// Ids that are not jobs of this account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// Status of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatusEntry {
    /// Id of the job.
    pub rid: JobId,
    /// State of the job.
    pub status: WireStatus,
    /// Details, which depend on the state.
    pub details: StatusDetails,
    /// Position in the queue: 1 is next, 0 is running; absent in other states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_in_queue: Option<u32>,
}

/// Details of a [`StatusEntry`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum StatusDetails {
    /// For PROGRESS.
    Progress {
        /// Steps completed.
        step: u32,
        /// Total number of steps; never 0, because clients divide by it.
        total: u32,
    },
    /// For RETRY and FAILURE.
    Failed {
        /// Numeric error codes as strings, for example `["905"]`.
        exc_message: Vec<String>,
        /// `PipelineError`, `Timeout`, `Cancelled`, `CreditError`, `InputError`, `InternalError`.
        exc_type: String,
        /// What happened, to what, and what to do about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exc_text: Option<String>,
        /// The same as data, if more than the text is known: a `code`, its arguments, and the
        /// message as `text`.
        #[serde(
            default,
            skip_serializing_if = "Vec::is_empty",
            with = "limber_script::message::told"
        )]
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
        messages: Vec<Message>,
    },
    /// For SUCCESS. The last variant, because every object matches it.
    Files {
        /// `rid/variant` of the source clips.
        #[serde(rename = "In", alias = "in", default)]
        #[cfg_attr(feature = "openapi", schema(required = true))]
        input: Vec<String>,
        /// Names of the files.
        #[serde(default)]
        #[cfg_attr(feature = "openapi", schema(required = true))]
        out: Vec<String>,
    },
}

/// `GET /job/v1/cancel/{rid}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CancelAnswer {
    /// Always true.
    pub result: bool,
}

/// `DELETE /job/v1/purge/{rid}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PurgeAnswer {
    /// Always true.
    pub result: bool,
}

/// `GET /job/v1/list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobList {
    /// Number of entries.
    pub count: usize,
    /// The jobs, newest first.
    pub list: Vec<JobSummary>,
}

/// A job in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobSummary {
    /// Id of the job.
    pub rid: JobId,
    /// `text2motion` or `render`.
    pub processor: String,
    /// The parameters as submitted, with the effective seed, frame rate and number of variants.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub parameters: Map<String, Value>,
    /// When and how the job was processed.
    pub processing_info: ProcessingInfo,
    /// Variants by number, from "1"; absent for videos.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, VariantEntry>))]
    pub variants: Option<BTreeMap<String, VariantEntry>>,
    /// Credits charged.
    pub charged_amount: f64,
    /// State of the job.
    pub status: WireStatus,
    /// When the job was submitted.
    pub ctime: i64,
    /// When its state last changed.
    pub mtime: i64,
    /// Error codes of the variants that made the job fail.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Vec<String>>))]
    pub failed_variants: FailedVariants,
}

/// Error codes by variant number.
pub type FailedVariants = BTreeMap<String, Vec<String>>;

/// When and how a job was processed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessingInfo {
    /// When the job was queued.
    pub queued_at: i64,
    /// When a worker last claimed the job.
    pub started_at: Option<i64>,
    /// When the job ended.
    pub finished_at: Option<i64>,
    /// How often a worker has claimed the job.
    pub attempts: u32,
    /// Stages in the order they ran, those of earlier attempts first. The stages of an attempt
    /// follow each other without gaps.
    pub stages: Vec<StageTime>,
    /// The last worker.
    pub worker: Option<String>,
    /// Version of the service.
    pub version: String,
}

/// Timing of a stage of a variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StageTime {
    /// `intake`, `generate`, `tracking`, `correction`, `bvh`, `bake`, `finish`; for videos `load`,
    /// `frames`, `encode`. Between them `prepare`, when inputs are loaded, and `store`, when
    /// results are written.
    pub name: String,
    /// Number of the variant.
    pub variant: u32,
    /// Number of the attempt, from 1; 0 if an earlier version did not record it.
    #[serde(default)]
    pub attempt: u32,
    /// When the stage started.
    pub started_at: i64,
    /// Elapsed time.
    pub duration_ms: i64,
    /// CPU time.
    pub cpu_ms: i64,
}

/// A variant of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VariantEntry {
    /// Whether it can be downloaded without paying.
    pub download: bool,
    /// Length in frames.
    #[serde(default)]
    pub frames: u32,
    /// Frames per second.
    #[serde(default)]
    pub fps: u32,
    /// Length in seconds.
    #[serde(default, rename = "durationS")]
    pub duration_s: f64,
    /// Seed of the random numbers; a string, because JSON numbers lose the last digits.
    #[serde(default)]
    pub seed: String,
    /// Signed URL of an animated preview.
    #[serde(default)]
    pub thumb: Option<String>,
    /// Quality metrics.
    #[serde(default)]
    pub metrics: Option<VariantMetrics>,
}

/// Quality metrics of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantMetrics {
    /// Mean speed of feet in contact with the floor, in cm/s.
    pub foot_skate_cm_s: f64,
    /// Deepest penetration of a sole into the floor, in millimetres.
    pub penetration_mm: f64,
    /// Largest height of a sole above the floor during contact, in millimetres.
    pub float_mm: f64,
    /// Mean jerk of the joints, in m/s³.
    pub jerk: f64,
}

/// `GET /job/v1/download/{rid,…}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DownloadAnswer {
    /// Number of entries.
    pub count: usize,
    /// The jobs found, in the order of the request.
    pub links: Vec<DownloadEntry>,
}

/// Files of a job. If the job is unfinished or failed, there is only `rid`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DownloadEntry {
    /// Id of the job.
    pub rid: JobId,
    /// The parameters as submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub parameters: Option<Map<String, Value>>,
    /// Videos of the job's clips, newest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub render_job_list: Option<Vec<RenderEntry>>,
    /// Whether the variant can be downloaded; false if it does not exist or cannot be paid for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant_download_status: Option<bool>,
    /// The files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub urls: Option<Vec<FileGroup>>,
    /// Price of the variant in credits; absent once it is paid for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<f64>,
    /// Available credits; only together with `required`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<f64>,
    /// Whether the files have been removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub purged: bool,
}

impl DownloadEntry {
    /// Returns the URL of the first file of this kind.
    #[must_use]
    pub fn url(&self, kind: &str) -> Option<&str> {
        let groups = self.urls.as_deref().unwrap_or_default();
        groups
            .iter()
            .flat_map(|group| &group.files)
            .find_map(|file| file.get(kind))
            .map(String::as_str)
    }
}

/// Files that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FileGroup {
    /// Name, suitable as a file name.
    pub name: String,
    /// One object with a single key per file: kind → URL.
    pub files: Vec<BTreeMap<String, String>>,
}

/// A character in `GET /character/v1/listModels`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelEntry {
    /// The id, as the specification spells it.
    #[serde(rename = "Id")]
    pub upper_id: ModelId,
    /// The id, as existing clients read it.
    pub id: ModelId,
    /// Display name.
    pub name: String,
    /// Signed URL of a portrait.
    pub thumb: Option<String>,
    /// Signed URL of the character.
    pub glb: Option<String>,
    /// Naming convention of the skeleton.
    pub rig_id: String,
    /// When it was stored.
    pub ctime: i64,
    /// When it last changed.
    pub mtime: i64,
    /// `custom`, `stock_maker` or `stock_game`.
    pub platform: String,
}

/// `GET /character/v1/getModelUploadUrl`: where to upload a character and its thumbnail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadUrls {
    /// Signed URL for the model.
    pub model_url: String,
    /// Signed URL for the thumbnail, which is optional.
    pub thumb_url: String,
}

/// `POST /character/v1/storeModel`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoredModel {
    /// Id of the character, for use in jobs.
    pub model_id: ModelId,
    /// Blend shapes of the face: 0 none, 1 at least half of the 52, 2 all.
    pub face_data_type: u8,
    /// Finger chains: 0 none, 1 some, 2 all ten.
    pub hand_data_type: u8,
    /// The bone mapping: which joint is which bone, what is missing, what was guessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rig_report: Option<Value>,
}

/// `DELETE /character/v1/deleteModel/{model_id}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedModels {
    /// 1, or 0 if this account has no such character.
    pub count: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_details_keep_their_wire_names() {
        let details = StatusDetails::Files { input: vec![], out: vec!["walk_v1.glb".into()] };
        let text = serde_json::to_string(&details).expect("the value can be serialised");
        assert_eq!(text, r#"{"In":[],"out":["walk_v1.glb"]}"#);
        let progress: StatusDetails =
            serde_json::from_str(r#"{"step":0,"total":100}"#).expect("the progress can be parsed");
        assert_eq!(progress, StatusDetails::Progress { step: 0, total: 100 });
        let failed: StatusDetails =
            serde_json::from_str(r#"{"exc_message":[],"exc_type":"Cancelled"}"#)
                .expect("the failure can be parsed");
        assert!(
            matches!(failed, StatusDetails::Failed { exc_type, .. } if exc_type == "Cancelled")
        );
    }

    #[test]
    fn warnings_are_sent_as_text_and_as_data() {
        let rid = || JobId::parse("0123456789abcdef").expect("the job id is valid");
        let messages =
            vec![Message::UnknownWord { word: "juwmps".into(), nearest: vec!["jump".into()] }];
        let answer = ProcessAnswer::new(rid(), messages.clone());
        let wire = serde_json::to_value(&answer).expect("the value can be serialised");
        assert_eq!(wire["warnings"][0], wire["messages"][0]["text"]);
        let read: ProcessAnswer = serde_json::from_value(wire).expect("the response can be parsed");
        assert_eq!(read.told(), messages);
        let older = r#"{"rid":"0123456789abcdef","warnings":["unknown parameter: colour"]}"#;
        let read: ProcessAnswer = serde_json::from_str(older).expect("the response can be parsed");
        assert_eq!(read.told(), [Message::from("unknown parameter: colour")]);
        let silent = ProcessAnswer::new(rid(), Vec::new());
        let wire = serde_json::to_string(&silent).expect("the value can be serialised");
        assert_eq!(wire, r#"{"rid":"0123456789abcdef"}"#);
        let dry = DryRunAnswer::new(Some("walk".into()), messages, 0.0);
        assert_eq!((dry.skipped, dry.nearest), (vec!["juwmps".into()], vec!["jump".into()]));
    }

    #[test]
    fn unfinished_downloads_contain_only_the_rid() {
        let entry = DownloadEntry {
            rid: JobId::parse("0123456789abcdef").expect("the job id is valid"),
            parameters: None,
            render_job_list: None,
            variant_download_status: None,
            urls: None,
            required: None,
            available: None,
            purged: false,
        };
        assert_eq!(
            serde_json::to_string(&entry).expect("the value can be serialised"),
            r#"{"rid":"0123456789abcdef"}"#
        );
    }
}
