//! View models: the data that crosses between the app and the interface. Types that only go out
//! implement `Serialize` alone, and types that only come in implement `Deserialize` alone. IDs,
//! names and pictures cross; tokens and file paths never do. Times are RFC 3339 strings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AppError, MessageView};

macro_rules! view {
    ($($(#[$meta:meta])* $kind:ident $name:ident $body:tt)+) => {
        $(
            #[derive(Debug, Clone, PartialEq, Serialize)]
            #[cfg_attr(feature = "specta", derive(specta::Type))]
            #[serde(rename_all = "camelCase")]
            $(#[$meta])*
            pub $kind $name $body
        )+
    };
}

mod account;
mod characters;
mod editing;
mod language_model;
mod prompting;
mod upkeep;
mod videos;
mod viewing;

pub use account::{
    AccountView, FactorKindView, FactorOffer, FactorView, IdentityView, LinkOutcome,
    OwnSessionView, PasswordOutcome, PhoneOffer, ProviderView, SessionState, SignInOptions,
    SignOutScope, Who,
};
pub use characters::{
    BodyPart, BoneView, CharacterView, FoundBy, JointView, RigView, UploadState, UploadView,
};
pub use editing::{
    Change, ChangeKind, ClipDetails, ClipPart, ContactTrack, Correction, CorrectionEase,
    CorrectionKey, CorrectionLayer, CorrectionOffset, CorrectionRotation, Draft, EditRequest,
    ExportFailure, ExportOutcome, ExportPreset, ExportProgress, ExportRequest, FootPoint, LoopGap,
    Painted, PulledLimb, Quality, Span,
};
pub use language_model::{
    LanguageModelEntry, LanguageModelOutcome, LanguageModelReading, LanguageModelSpeaker,
    LanguageModelTurn, LanguageModelView,
};
pub use prompting::{
    ActionFamily, ClipEnd, ClipStart, Credits, EventRead, EventTiming, FieldRead, PromptCheck,
    PromptDraft, PromptReading, PromptRequest, Vocabulary,
};
pub use upkeep::{Probe, ServerCheck, StorageView};
pub use videos::{Backdrop, RenderRequest, VideoCamera, VideoFormat};
pub use viewing::{KeyPressed, ViewerLayer, ViewerView};

view! {
    /// The state of one start-up step.
    #[derive(Copy, Eq)]
    enum StepState {
        /// Not begun yet.
        Waiting,
        /// In progress.
        Working,
        /// Completed.
        Done,
        /// Failed; the start-up ended at this step.
        Failed,
    }

    /// One step of the local studio's start-up.
    struct StartStep {
        /// Stable within one start-up.
        pub id: String,
        /// A short description of the step for the interface.
        pub words: String,
        /// The state of this step.
        pub state: StepState,
        /// Download progress, if this step downloads anything.
        pub download: Option<DownloadView>,
    }

    /// Progress of a download.
    #[derive(Copy, Eq)]
    struct DownloadView {
        /// Bytes received so far.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub bytes: u64,
        /// Total size in bytes, if the server stated it.
        #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
        pub of_bytes: Option<u64>,
    }

    /// The state of the studio.
    #[serde(tag = "state")]
    enum StudioState {
        /// Starting up.
        Starting {
            /// All steps, in the order they run.
            steps: Vec<StartStep>,
        },
        /// Ready to accept prompts.
        Ready,
        /// Start-up failed.
        Failed {
            /// All steps in the order they run; one of them failed.
            steps: Vec<StartStep>,
            /// The reason it failed.
            error: AppError,
        },
    }

    /// The result of a sign-up.
    #[derive(Copy, Eq)]
    enum SignUpOutcome {
        /// Signed in right away; no confirmation was required.
        SignedIn,
        /// A confirmation email was sent.
        ConfirmByMail,
    }

    /// The stage of the pipeline that a worker is running for a job.
    #[derive(Copy, Eq)]
    enum WorkStage {
        /// Validating and reading the request.
        Preparing,
        /// Generating the motion.
        Moving,
        /// Detecting foot contacts and pinning the feet to the floor.
        Grounding,
        /// Retargeting the motion to the character and writing files.
        Writing,
        /// Rendering the frames of a video.
        Drawing,
        /// Storing the results.
        Finishing,
    }

    /// The state of a job.
    #[serde(tag = "state")]
    enum JobState {
        /// Queued.
        Waiting {
            /// Position in the queue; 1 is next.
            place: u32,
        },
        /// Being processed by a worker.
        Working {
            /// Progress, 0 to 100.
            percent: u32,
            /// The current pipeline stage.
            stage: WorkStage,
            /// The variant being processed, counted from 1.
            variant: u32,
        },
        /// Failed and waiting for an automatic retry.
        Retrying {
            /// The reason it failed.
            reason: MessageView,
        },
        /// Finished; its files are being downloaded into the library.
        Fetching,
        /// Finished; its clips are in the library.
        Done,
        /// Finished, but its clips cost credits that the user has not approved yet.
        Unpaid {
            /// The price in credits.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            credits: f64,
            /// The credits available.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            available: f64,
        },
        /// Failed permanently.
        Failed {
            /// The reason and the suggested next step.
            error: AppError,
        },
        /// Cancelled by the user.
        Cancelled,
    }

    /// A job.
    struct JobView {
        /// The job's id.
        pub id: String,
        /// The prompt as submitted.
        pub prompt: String,
        /// ID of the character that performs the motion.
        pub character_id: String,
        /// Name of that character.
        pub character_name: String,
        /// Number of variants requested.
        pub variants: u32,
        /// The kind of edit, for jobs that edit an existing clip; `None` for jobs that start from a
        /// prompt alone.
        pub change: Option<ChangeKind>,
        /// IDs of the clips that the edit started from.
        pub made_from: Vec<String>,
        /// When the job was submitted.
        pub made_at: String,
        /// Warnings from the service, for example about words it ignored.
        pub warnings: Vec<MessageView>,
        /// The prompt and its options, for reuse in the prompt box; `None` for other kinds of jobs
        /// and for old ones.
        pub asked: Option<PromptRequest>,
        /// Whether the job produced nothing and can be resubmitted unchanged.
        pub can_retry: bool,
        /// The current state.
        pub state: JobState,
    }

    /// A finished clip in the library.
    struct ClipView {
        /// Unique ID, made of the job ID and the variant.
        pub id: String,
        /// ID of the job that made it.
        pub job_id: String,
        /// Variant number, counted from 1.
        pub variant: u32,
        /// Number of variants that the job made.
        pub variants: u32,
        /// The prompt as submitted.
        pub prompt: String,
        /// A name given by the user, shown instead of the prompt.
        pub name: Option<String>,
        /// ID of the character that performs it.
        pub character_id: String,
        /// Name of that character.
        pub character_name: String,
        /// Length in frames.
        pub frames: u32,
        /// Frames per second, at least 1.
        pub fps: u32,
        /// Random seed that it was generated from.
        pub seed: Option<String>,
        /// How the prompt was understood, in the text form of motion scripts; `None` for clips made
        /// by earlier versions.
        pub script: Option<String>,
        /// When it was added to the library.
        pub made_at: String,
        /// Formats that it can be saved as.
        pub formats: Vec<SaveFormat>,
        /// Its animated thumbnail.
        pub picture: Option<Picture>,
        /// IDs of the clips that it was made from; some may have been deleted.
        pub made_from: Vec<String>,
        /// The kind of edit that made it from those clips.
        pub change: Option<ChangeKind>,
        /// Quality metrics; `None` for clips made by earlier versions.
        pub quality: Option<Quality>,
        /// Tags assigned by the user.
        pub tags: Vec<String>,
        /// Notices from the service, for example about words it ignored; empty for clips made by
        /// earlier versions.
        pub told: Vec<MessageView>,
        /// Whether manual corrections are applied when it is shown.
        pub corrected: bool,
    }

    /// An animated thumbnail: a sprite sheet of square frames, laid out in rows.
    struct Picture {
        /// URL of the image. The image at a URL never changes.
        pub url: String,
        /// Frames per row.
        pub columns: u32,
        /// Number of rows.
        pub rows: u32,
        /// Total number of frames.
        pub frames: u32,
        /// Duration of the whole animation, milliseconds.
        pub duration_ms: u32,
    }

    /// A file saved to disk.
    #[derive(Eq)]
    struct Saved {
        /// File name, without its folder.
        pub name: String,
        /// Handle of the folder it was saved in, valid while Limber runs. The path itself never
        /// leaves the app.
        pub place: u32,
    }

    /// An email sent by the local studio.
    struct MailView {
        /// Message ID.
        pub id: String,
        /// Sender.
        pub from: String,
        /// Recipient.
        pub to: String,
        /// Subject line.
        pub subject: String,
        /// When it was received.
        pub received_at: String,
        /// Whether it has not been opened yet.
        pub unread: bool,
    }

    /// A link in an email. Its URL stays in the app, because it may carry a token.
    struct MailLink {
        /// Index within the email, from 0.
        pub index: u32,
        /// Link text.
        pub words: String,
    }

    /// An opened email.
    struct MailText {
        /// Its headers.
        pub mail: MailView,
        /// Plain-text body, without link URLs.
        pub text: String,
        /// Links in the body.
        pub links: Vec<MailLink>,
    }

    /// The server connection, as shown in the settings.
    struct ServerView {
        /// Base URL of the identity service.
        pub identity_url: String,
        /// Base URL of the motion service.
        pub motion_url: String,
        /// Client ID issued by the operator.
        pub client_id: String,
        /// Whether a client secret is stored.
        pub has_secret: bool,
        /// Whether the user has accepted unencrypted connections, which others on the network can
        /// read.
        pub allow_unencrypted: bool,
    }

    /// The settings.
    struct SettingsView {
        /// Colour theme.
        pub theme: Theme,
        /// Language chosen by the user.
        pub language: LanguageChoice,
        /// Language that the interface resolved that choice to, as it last reported.
        pub spoken: Language,
        /// Frame rate that timelines count in.
        pub timeline_rate: TimelineRate,
        /// Custom keyboard shortcuts such as `Ctrl+E`, keyed by the action they trigger; an empty
        /// string disables the shortcut. Actions that are not listed keep their default shortcut.
        pub shortcuts: BTreeMap<String, String>,
        /// Where jobs run: on this computer or on a server.
        pub place: Place,
        /// The server connection, if one was ever entered.
        pub server: Option<ServerView>,
        /// The connected language model, if any.
        pub language_model: Option<LanguageModelView>,
        /// Whether secrets survive a restart, that is, whether a keychain is available.
        pub secrets_kept: bool,
    }

    /// Everything the interface needs for its first render.
    struct Snapshot {
        /// State of the studio.
        pub studio: StudioState,
        /// State of the session.
        pub session: SessionState,
        /// The settings.
        pub settings: SettingsView,
        /// Contents of the prompt box.
        pub desk: PromptDraft,
        /// Limber's version.
        pub version: String,
        /// Problems that occurred before the interface connected; reported once.
        pub problems: Vec<AppError>,
    }
}

/// File formats that a clip can be saved as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "lowercase")]
pub enum SaveFormat {
    /// glTF binary with mesh, skin and animation.
    Glb,
    /// FBX with mesh, skin and animation, for Unity, Unreal, Maya and Blender.
    Fbx,
    /// Biovision Hierarchy: skeleton and animation only.
    Bvh,
}

impl SaveFormat {
    /// Returns the file extension, without a dot.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Fbx => "fbx",
            Self::Bvh => "bvh",
        }
    }
}

/// A language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// German.
    De,
}

/// The user's choice of language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum LanguageChoice {
    /// Follow the desktop's setting.
    #[default]
    System,
    /// English.
    En,
    /// German.
    De,
}

/// Colour theme of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// Follow the desktop's setting.
    System,
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
    /// High contrast: white on black with strong borders.
    Contrast,
}

/// Frame rate that timelines count in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub enum TimelineRate {
    /// The clip's own frame rate.
    #[default]
    #[serde(rename = "own")]
    Own,
    /// 24 fps, as in film.
    #[serde(rename = "24")]
    Fps24,
    /// 25 fps, as in PAL television.
    #[serde(rename = "25")]
    Fps25,
    /// 30 fps, as in NTSC television.
    #[serde(rename = "30")]
    Fps30,
    /// 60 fps, as in games.
    #[serde(rename = "60")]
    Fps60,
}

/// Where jobs run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// In the local studio that the app starts.
    #[default]
    ThisComputer,
    /// On a server run by an operator.
    Server,
}

/// A server connection as entered by the user.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ServerEntry {
    /// Base URL of the identity service.
    pub identity_url: String,
    /// Base URL of the motion service.
    pub motion_url: String,
    /// Client ID issued by the operator.
    pub client_id: String,
    /// Client secret issued by the operator; `None` keeps the stored one.
    pub client_secret: Option<String>,
    /// Whether the user accepts unencrypted connections, which others on the network can read.
    pub allow_unencrypted: bool,
}

impl std::fmt::Debug for ServerEntry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ServerEntry")
            .field("identity_url", &self.identity_url)
            .field("motion_url", &self.motion_url)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}
