//! What crosses to the interface. Types that go out only write themselves, types that come in only
//! read themselves; ids, names and pictures cross, tokens and paths never do. Times are RFC 3339.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{AppError, Told};

macro_rules! shown {
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
mod films;
mod language_model;
mod prompting;
mod upkeep;
mod viewing;

pub use account::{
    AccountShown, FactorKindShown, FactorOffer, FactorShown, IdentityShown, LinkOutcome,
    OwnSessionShown, PasswordOutcome, PhoneOffer, ProviderShown, SessionState, SignInOptions,
    SignOutScope, Who,
};
pub use characters::{
    BodyPart, BoneShown, CharacterShown, FoundBy, JointShown, RigShown, UploadShown, UploadState,
};
pub use editing::{
    Change, ChangeKind, ClipDetails, ClipPart, ContactTrack, Correction, CorrectionEase,
    CorrectionKey, CorrectionLayer, CorrectionOffset, CorrectionRotation, Draft, EditRequest,
    ExportFailure, ExportOutcome, ExportPreset, ExportProgress, ExportRequest, FootPoint, LoopGap,
    Painted, PulledLimb, Quality, Span,
};
pub use films::{Backdrop, FilmCamera, FilmFormat, FilmRequest};
pub use language_model::{
    LanguageModelEntry, LanguageModelOutcome, LanguageModelReading, LanguageModelShown,
    LanguageModelSpeaker, LanguageModelTurn,
};
pub use prompting::{
    ActionFamily, ClipEnd, ClipStart, Credits, Desk, EventRead, EventTiming, FieldRead,
    PromptCheck, PromptReading, PromptRequest, Vocabulary,
};
pub use upkeep::{Probe, ServerCheck, StorageShown};
pub use viewing::{KeyPressed, ViewerLayer, ViewerShown};

shown! {
    /// How far one step of the start-up is.
    #[derive(Copy, Eq)]
    enum StepState {
        /// Comes later.
        Waiting,
        /// Under way.
        Working,
        /// Over.
        Done,
        /// Where the start-up ended.
        Failed,
    }

    /// One step of the studio's start-up.
    struct StartStep {
        /// Stable within one start-up.
        pub id: String,
        /// What happens, in a few words.
        pub words: String,
        /// How far it is.
        pub state: StepState,
        /// What it downloads, if it does.
        pub download: Option<DownloadShown>,
    }

    /// How far something has come that is downloaded.
    #[derive(Copy, Eq)]
    struct DownloadShown {
        /// That have arrived.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub bytes: u64,
        /// That there are, as far as the server says.
        #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
        pub of_bytes: Option<u64>,
    }

    /// How the studio stands.
    #[serde(tag = "state")]
    enum StudioState {
        /// On its way.
        Starting {
            /// In order.
            steps: Vec<StartStep>,
        },
        /// Prompts are welcome.
        Ready,
        /// It did not start.
        Failed {
            /// In order; one of them failed.
            steps: Vec<StartStep>,
            /// Why.
            error: AppError,
        },
    }

    /// How a sign-up ended.
    #[derive(Copy, Eq)]
    enum SignUpOutcome {
        /// Nothing needed confirming.
        SignedIn,
        /// A mail is on its way.
        ConfirmByMail,
    }

    /// What a worker does with a job.
    #[derive(Copy, Eq)]
    enum WorkStage {
        /// It looks at what is asked for.
        Preparing,
        /// It makes the motion.
        Moving,
        /// It finds out where feet stand, and holds them there.
        Grounding,
        /// It puts the motion on the character and writes files.
        Writing,
        /// It draws the pictures of a film.
        Drawing,
        /// It puts everything away.
        Finishing,
    }

    /// How a job stands.
    #[serde(tag = "state")]
    enum JobState {
        /// In the queue.
        Waiting {
            /// 1 is next.
            place: u32,
        },
        /// A worker has it.
        Working {
            /// 0 to 100.
            percent: u32,
            /// What it does.
            stage: WorkStage,
            /// With which variant, from 1.
            variant: u32,
        },
        /// Failed, and is being tried again by itself.
        Retrying {
            /// Why.
            reason: Told,
        },
        /// Done; its files are on their way into the library.
        Fetching,
        /// Its clips are in the library.
        Done,
        /// Succeeded; its clips cost credits that nobody has agreed to yet.
        Unpaid {
            /// What they cost.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            credits: f64,
            /// What there is.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            available: f64,
        },
        /// Ended without a result.
        Failed {
            /// Why, and what now.
            error: AppError,
        },
        /// Stopped by the person.
        Cancelled,
    }

    /// One job.
    struct JobShown {
        /// The job's id.
        pub id: String,
        /// As handed in.
        pub prompt: String,
        /// Who moves.
        pub character_id: String,
        /// Their name.
        pub character_name: String,
        /// How many results were asked for.
        pub variants: u32,
        /// What is done to an earlier clip, in a few words; `None` where words alone are made a clip.
        pub change: Option<ChangeKind>,
        /// Ids of those clips.
        pub made_from: Vec<String>,
        /// When it was handed in.
        pub made_at: String,
        /// What the service passed over.
        pub warnings: Vec<Told>,
        /// The words and their options, to be used again; absent of other jobs, and of old ones.
        pub asked: Option<PromptRequest>,
        /// It made nothing, and can be handed in once more as it was.
        pub can_retry: bool,
        /// How it stands.
        pub state: JobState,
    }

    /// One finished clip of the library.
    struct ClipShown {
        /// Job and variant in one.
        pub id: String,
        /// Which job made it.
        pub job_id: String,
        /// From 1.
        pub variant: u32,
        /// How many the job made.
        pub variants: u32,
        /// As handed in.
        pub prompt: String,
        /// What somebody called it, to be shown in the place of the prompt.
        pub name: Option<String>,
        /// Who moves.
        pub character_id: String,
        /// Their name.
        pub character_name: String,
        /// Length.
        pub frames: u32,
        /// Frames per second, at least 1.
        pub fps: u32,
        /// Where its chance came from.
        pub seed: Option<String>,
        /// How the prompt was understood, in the text form of scripts; unknown of older clips.
        pub script: Option<String>,
        /// When it arrived.
        pub made_at: String,
        /// What it can be saved as.
        pub formats: Vec<SaveFormat>,
        /// Its moving picture.
        pub picture: Option<Picture>,
        /// Ids of the clips it was made from, which may have been deleted.
        pub made_from: Vec<String>,
        /// What was done to them, in a few words.
        pub change: Option<ChangeKind>,
        /// How good it is; unknown of clips that came with earlier versions.
        pub quality: Option<Quality>,
        /// What somebody filed it under.
        pub tags: Vec<String>,
        /// What the service passed over, or had to say otherwise; nothing of clips of earlier versions.
        pub told: Vec<Told>,
        /// Whether it is seen with corrections by hand.
        pub corrected: bool,
    }

    /// A moving picture: frames in rows, each frame a square.
    struct Picture {
        /// Where the page gets the image, which never changes.
        pub url: String,
        /// Frames in a row.
        pub columns: u32,
        /// Rows.
        pub rows: u32,
        /// Frames in all.
        pub frames: u32,
        /// How long all of them last, milliseconds.
        pub duration_ms: u32,
    }

    /// A file that was put somewhere.
    #[derive(Eq)]
    struct Saved {
        /// What it is called.
        pub name: String,
        /// Which folder it lies in, as long as Limber runs; where that is stays in the app.
        pub place: u32,
    }

    /// One mail of the studio on this computer.
    struct MailShown {
        /// Its id.
        pub id: String,
        /// Who sent it.
        pub from: String,
        /// To whom.
        pub to: String,
        /// What about.
        pub subject: String,
        /// When it came.
        pub received_at: String,
        /// Not opened yet.
        pub unread: bool,
    }

    /// One link of a mail; where it leads stays in the app, for it may carry a token.
    struct MailLink {
        /// Its place in the mail, from 0.
        pub index: u32,
        /// What it does.
        pub words: String,
    }

    /// One mail, opened.
    struct MailText {
        /// Its head.
        pub mail: MailShown,
        /// Its words, without addresses of links.
        pub text: String,
        /// Its links.
        pub links: Vec<MailLink>,
    }

    /// The server, as the settings show it.
    struct ServerShown {
        /// Where accounts live.
        pub identity_url: String,
        /// Where jobs run.
        pub motion_url: String,
        /// Given by the operator.
        pub client_id: String,
        /// Whether the secret is known.
        pub has_secret: bool,
        /// Whether somebody has said that others may read along on the way there.
        pub allow_unencrypted: bool,
    }

    /// The settings.
    struct SettingsShown {
        /// Dark or light.
        pub theme: Theme,
        /// Which language somebody wants.
        pub language: LanguageChoice,
        /// The one that the interface speaks for that, as it last said.
        pub spoken: Language,
        /// What timelines count in.
        pub timeline_rate: TimelineRate,
        /// The keys that somebody chose, such as `Ctrl+E`, by what the interface does at them; empty where
        /// somebody wants none. What is not in here has the keys that Limber comes with.
        pub shortcuts: BTreeMap<String, String>,
        /// Here or on a server.
        pub place: Place,
        /// Which server, if one was ever entered.
        pub server: Option<ServerShown>,
        /// The language model that is connected, if any is.
        pub language_model: Option<LanguageModelShown>,
        /// Whether secrets survive a restart.
        pub secrets_kept: bool,
    }

    /// Everything the interface needs to draw its first picture.
    struct Snapshot {
        /// The studio.
        pub studio: StudioState,
        /// The session.
        pub session: SessionState,
        /// The settings.
        pub settings: SettingsShown,
        /// What stands in the prompt box.
        pub desk: Desk,
        /// Limber's version.
        pub version: String,
        /// What went wrong before anybody asked; told once.
        pub problems: Vec<AppError>,
    }
}

/// What a clip can be saved as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "lowercase")]
pub enum SaveFormat {
    /// Mesh, skin and animation.
    Glb,
    /// The same for Unity, Unreal, Maya and Blender.
    Fbx,
    /// Skeleton animation.
    Bvh,
}

impl SaveFormat {
    /// The file ending, without a dot.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Fbx => "fbx",
            Self::Bvh => "bvh",
        }
    }
}

/// A language that the interface speaks.
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

/// Which language somebody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum LanguageChoice {
    /// What the desktop prefers.
    #[default]
    System,
    /// English.
    En,
    /// German.
    De,
}

/// How the interface looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// As the desktop says.
    System,
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
    /// White on black with strong edges.
    Contrast,
}

/// In how many frames a second timelines count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub enum TimelineRate {
    /// As many as the clip has.
    #[default]
    #[serde(rename = "own")]
    Own,
    /// As films.
    #[serde(rename = "24")]
    Fps24,
    /// As television where the mains have 50 Hz.
    #[serde(rename = "25")]
    Fps25,
    /// As television where they have 60 Hz.
    #[serde(rename = "30")]
    Fps30,
    /// As games.
    #[serde(rename = "60")]
    Fps60,
}

/// Where jobs run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// In the studio that the app starts.
    #[default]
    ThisComputer,
    /// Where an operator runs the services.
    Server,
}

/// A server as the operator described it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ServerEntry {
    /// Where accounts live.
    pub identity_url: String,
    /// Where jobs run.
    pub motion_url: String,
    /// Given by the operator.
    pub client_id: String,
    /// Given by the operator; `None` keeps the one that is known.
    pub client_secret: Option<String>,
    /// Somebody says that others may read along on the way there.
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
