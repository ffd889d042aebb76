//! What the service answers.

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
    /// When the session ends.
    pub expires_at: i64,
    /// The client id.
    pub account: String,
}

/// `GET /account/v1/creditBalance`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreditBalance {
    /// Everything that can be spent now.
    pub credits: f64,
    /// The plan.
    pub subscription: Subscription,
    /// Held back for unfinished jobs.
    #[serde(default)]
    pub reserved: f64,
}

/// An account's plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Shown to people.
    pub name: String,
    /// Granted each period.
    pub credits: f64,
    /// What the plan allows.
    pub feature_limits: FeatureLimits,
    /// The running period.
    pub current_period: BillingPeriod,
}

/// What a plan allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FeatureLimits {
    /// 1 to 8.
    pub max_variants_generation: u32,
}

/// From when to when, milliseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(missing_docs, reason = "start and end say it all")]
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
    /// What was passed over, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The same in the same order, as data: a `code`, its arguments, and the sentence as `text`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "limber_script::message::told")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub messages: Vec<Message>,
}

impl ProcessAnswer {
    /// A job that was stored, and what was passed over.
    #[must_use]
    pub fn new(rid: JobId, messages: Vec<Message>) -> Self {
        Self { rid, warnings: sentences_of(&messages), messages }
    }

    /// What was passed over, whichever version of the service tells it.
    #[must_use]
    pub fn told(self) -> Vec<Message> {
        told(self.messages, self.warnings)
    }
}

/// One sentence for each.
fn sentences_of(messages: &[Message]) -> Vec<String> {
    messages.iter().map(Message::to_string).collect()
}

/// Services of earlier versions have nothing but sentences.
fn told(messages: Vec<Message>, warnings: Vec<String>) -> Vec<Message> {
    if messages.is_empty() { warnings.into_iter().map(Message::from).collect() } else { messages }
}

/// What the words of a prompt were taken for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PromptWords {
    /// For each event of the script the words it came from, in the order of the script.
    pub events: Vec<EventWords>,
    /// Words that change nothing.
    pub scenery: Vec<String>,
    /// Words that were not understood.
    pub not_understood: Vec<String>,
}

/// The words that an event came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EventWords {
    /// Those that name what is done.
    pub deed: String,
    /// Those that say something about it.
    pub fields: Vec<FieldWords>,
}

/// The words that a field of an event came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldWords {
    /// The field's name in the script: `side`, `count`.
    pub field: String,
    /// Its words.
    pub words: String,
}

/// `POST /job/v1/process/{processor}?dryRun=1`: what the same request would become.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DryRunAnswer {
    /// How the prompt or the script is understood, in the text form of scripts; absent of jobs without
    /// one.
    #[serde(default)]
    pub script: Option<String>,
    /// The same as JSON, as it can be handed in as `script`.
    #[serde(default, rename = "motionScript", skip_serializing_if = "Option::is_none")]
    pub motion_script: Option<Value>,
    /// The words of a prompt that each event of `motionScript` came from, and what became of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<PromptWords>,
    /// What a script says and cannot be performed yet.
    #[serde(default, rename = "leftOut")]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub left_out: Vec<LeftOut>,
    /// Words that are passed over.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub skipped: Vec<String>,
    /// Actions near those words.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub nearest: Vec<String>,
    /// What is passed over, in sentences.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub warnings: Vec<String>,
    /// The same in the same order, as data: a `code`, its arguments, and the sentence as `text`.
    #[serde(default, with = "limber_script::message::told")]
    #[cfg_attr(feature = "openapi", schema(required = true, value_type = Vec<Object>))]
    pub messages: Vec<Message>,
    /// Credits that are held back at most; 0 where nothing is charged.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub price: f64,
}

impl DryRunAnswer {
    /// What a request would become, without what is told of scripts.
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

    /// What is passed over, whichever version of the service tells it.
    #[must_use]
    pub fn told(&self) -> Vec<Message> {
        told(self.messages.clone(), self.warnings.clone())
    }
}

/// Something that a motion script says and that cannot be performed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeftOut {
    /// Which event, from 0; absent where it is about the whole clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<usize>,
    /// The part of the event that is passed over; `do` or `move` where it is all of the event.
    pub field: String,
}

/// The four words a job's state has on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum WireStatus {
    /// Waiting or being worked on.
    Progress,
    /// Done, with files.
    Success,
    /// Failed, will be tried again.
    Retry,
    /// Failed or cancelled, for good.
    Failure,
}

impl WireStatus {
    /// The word on the wire.
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
    /// How many entries.
    pub count: usize,
    /// In the order asked.
    pub status: Vec<StatusEntry>,
    /// Ids that are no jobs of this account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// One job's state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatusEntry {
    /// Which job.
    pub rid: JobId,
    /// Its state.
    pub status: WireStatus,
    /// By state.
    pub details: StatusDetails,
    /// 1 is next, 0 is being worked on; absent unless waiting or worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_in_queue: Option<u32>,
}

/// What a [`StatusEntry`] says beyond its word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum StatusDetails {
    /// With PROGRESS.
    Progress {
        /// Steps done.
        step: u32,
        /// Never 0: clients divide by it.
        total: u32,
    },
    /// With RETRY and FAILURE.
    Failed {
        /// Numeric codes as texts, for example `["905"]`.
        exc_message: Vec<String>,
        /// `PipelineError`, `Timeout`, `Cancelled`, `CreditError`, `InputError`, `InternalError`.
        exc_type: String,
        /// What happened, to what, what to do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exc_text: Option<String>,
        /// The same as data, where more than its words is known: a `code`, its arguments, and the
        /// sentence as `text`.
        #[serde(
            default,
            skip_serializing_if = "Vec::is_empty",
            with = "limber_script::message::told"
        )]
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
        messages: Vec<Message>,
    },
    /// With SUCCESS. Last, because every object fits it.
    Files {
        /// `rid/variant` of what the job started from.
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
    /// How many entries.
    pub count: usize,
    /// Newest first.
    pub list: Vec<JobSummary>,
}

/// Everything the service tells about one job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JobSummary {
    /// Which job.
    pub rid: JobId,
    /// `text2motion` or `render`.
    pub processor: String,
    /// As submitted, with the effective seed, frame rate and number of variants.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub parameters: Map<String, Value>,
    /// When what happened.
    pub processing_info: ProcessingInfo,
    /// Results by number, from "1"; absent of films.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, VariantEntry>))]
    pub variants: Option<BTreeMap<String, VariantEntry>>,
    /// Credits spent.
    pub charged_amount: f64,
    /// Its state.
    pub status: WireStatus,
    /// When it was made.
    pub ctime: i64,
    /// When its state last changed.
    pub mtime: i64,
    /// Codes of the variants for which the job failed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Vec<String>>))]
    pub failed_variants: FailedVariants,
}

/// Codes by variant number.
pub type FailedVariants = BTreeMap<String, Vec<String>>;

/// When what happened to a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessingInfo {
    /// When it was stored.
    pub queued_at: i64,
    /// When a worker last took it.
    pub started_at: Option<i64>,
    /// When it ended.
    pub finished_at: Option<i64>,
    /// How often a worker took it.
    pub attempts: u32,
    /// In the order they ran, those of earlier attempts first. What an attempt did from its beginning to its
    /// end stands here without gaps.
    pub stages: Vec<StageTime>,
    /// Which worker had it last.
    pub worker: Option<String>,
    /// Which build.
    pub version: String,
}

/// How long one stage of one variant took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StageTime {
    /// `intake`, `generate`, `tracking`, `correction`, `bvh`, `bake`, `finish`; of films `load`, `frames`,
    /// `encode`. Between them `prepare`, while what is needed is read, and `store`, while results are
    /// written.
    pub name: String,
    /// Which variant.
    pub variant: u32,
    /// In which attempt, from 1; 0 where an earlier version did not tell.
    #[serde(default)]
    pub attempt: u32,
    /// When it began.
    pub started_at: i64,
    /// Wall-clock time.
    pub duration_ms: i64,
    /// Time on the processor.
    pub cpu_ms: i64,
}

/// One result of a job.
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
    /// Where its chance came from; a text, because JSON numbers lose the last digits.
    #[serde(default)]
    pub seed: String,
    /// Signed URL of a moving picture.
    #[serde(default)]
    pub thumb: Option<String>,
    /// How good it is.
    #[serde(default)]
    pub metrics: Option<VariantMetrics>,
}

/// How good a clip is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantMetrics {
    /// Mean speed of feet in contact, cm/s.
    pub foot_skate_cm_s: f64,
    /// Deepest sole under the floor, millimetres.
    pub penetration_mm: f64,
    /// Highest sole over the floor while in contact, millimetres.
    pub float_mm: f64,
    /// Mean third derivative of the joints, m/s³.
    pub jerk: f64,
}

/// `GET /job/v1/download/{rid,…}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DownloadAnswer {
    /// How many entries.
    pub count: usize,
    /// In the order asked.
    pub links: Vec<DownloadEntry>,
}

/// One job's files. Only `rid` for a job that is unfinished or failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DownloadEntry {
    /// Which job.
    pub rid: JobId,
    /// As submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub parameters: Option<Map<String, Value>>,
    /// Films made of it, newest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub render_job_list: Option<Vec<RenderEntry>>,
    /// False when there is no such variant or it cannot be paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant_download_status: Option<bool>,
    /// One group per item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub urls: Option<Vec<FileGroup>>,
    /// Credits that the variant costs; absent once it is paid for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<f64>,
    /// Credits that there are, beside `required`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<f64>,
    /// True once the files were removed by retention.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub purged: bool,
}

impl DownloadEntry {
    /// The first link of this kind: its URL.
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
    /// Fit for a file name.
    pub name: String,
    /// One single-key object per file: kind → URL.
    pub files: Vec<BTreeMap<String, String>>,
}

/// One character of `GET /character/v1/listModels`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelEntry {
    /// The id, as the specification spells it.
    #[serde(rename = "Id")]
    pub upper_id: ModelId,
    /// The id, as clients in the wild read it.
    pub id: ModelId,
    /// Shown to people.
    pub name: String,
    /// Signed URL of a picture.
    pub thumb: Option<String>,
    /// Signed URL of the character.
    pub glb: Option<String>,
    /// Which naming convention its skeleton follows.
    pub rig_id: String,
    /// When it was stored.
    pub ctime: i64,
    /// When it last changed.
    pub mtime: i64,
    /// `custom`, `stock_maker` or `stock_game`.
    pub platform: String,
}

/// `GET /character/v1/getModelUploadUrl`: where to send a character and its picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct UploadUrls {
    /// Signed address for the model.
    pub model_url: String,
    /// Signed address for the picture; nobody has to send one.
    pub thumb_url: String,
}

/// `POST /character/v1/storeModel`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoredModel {
    /// What jobs name it by.
    pub model_id: ModelId,
    /// Face shapes: 0 none, 1 at least half of the 52, 2 all.
    pub face_data_type: u8,
    /// Finger chains: 0 none, 1 some, 2 all ten.
    pub hand_data_type: u8,
    /// What was found: which joint is which bone, what is missing, what was guessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rig_report: Option<Value>,
}

/// `DELETE /character/v1/deleteModel/{model_id}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedModels {
    /// 1, or 0 when there was none of this account.
    pub count: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_details_keep_the_spelling_of_the_wire() {
        let details = StatusDetails::Files { input: vec![], out: vec!["walk_v1.glb".into()] };
        let text = serde_json::to_string(&details).expect("plain data");
        assert_eq!(text, r#"{"In":[],"out":["walk_v1.glb"]}"#);
        let progress: StatusDetails =
            serde_json::from_str(r#"{"step":0,"total":100}"#).expect("progress");
        assert_eq!(progress, StatusDetails::Progress { step: 0, total: 100 });
        let failed: StatusDetails =
            serde_json::from_str(r#"{"exc_message":[],"exc_type":"Cancelled"}"#).expect("failure");
        assert!(
            matches!(failed, StatusDetails::Failed { exc_type, .. } if exc_type == "Cancelled")
        );
    }

    #[test]
    fn sentences_stay_where_they_were_and_their_data_stands_beside_them() {
        let rid = || JobId::parse("0123456789abcdef").expect("an id");
        let messages =
            vec![Message::UnknownWord { word: "juwmps".into(), nearest: vec!["jump".into()] }];
        let answer = ProcessAnswer::new(rid(), messages.clone());
        let wire = serde_json::to_value(&answer).expect("plain data");
        assert_eq!(wire["warnings"][0], wire["messages"][0]["text"]);
        let read: ProcessAnswer = serde_json::from_value(wire).expect("an answer");
        assert_eq!(read.told(), messages);
        let older = r#"{"rid":"0123456789abcdef","warnings":["unknown parameter: colour"]}"#;
        let read: ProcessAnswer = serde_json::from_str(older).expect("an answer");
        assert_eq!(read.told(), [Message::from("unknown parameter: colour")]);
        let silent = ProcessAnswer::new(rid(), Vec::new());
        let wire = serde_json::to_string(&silent).expect("plain data");
        assert_eq!(wire, r#"{"rid":"0123456789abcdef"}"#);
        let dry = DryRunAnswer::new(Some("walk".into()), messages, 0.0);
        assert_eq!((dry.skipped, dry.nearest), (vec!["juwmps".into()], vec!["jump".into()]));
    }

    #[test]
    fn an_unfinished_download_holds_only_the_rid() {
        let entry = DownloadEntry {
            rid: JobId::parse("0123456789abcdef").expect("an id"),
            parameters: None,
            render_job_list: None,
            variant_download_status: None,
            urls: None,
            required: None,
            available: None,
            purged: false,
        };
        assert_eq!(
            serde_json::to_string(&entry).expect("plain data"),
            r#"{"rid":"0123456789abcdef"}"#
        );
    }
}
