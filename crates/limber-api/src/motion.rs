//! The API of the motion service.
//!
//! Field names are those of the wire, odd ones included (`In` beside `out`, `Id` beside `id`).
//! Times are milliseconds since the Unix epoch. Parsing is lenient where existing clients and
//! servers differ; output follows the specification exactly.
//!
//! **Out of scope:** HTTP, cookies, how a job is processed.

mod answer;
mod edit;
mod error;
mod health;
mod ids;
mod render;
mod request;

pub use answer::{
    AuthAnswer, BillingPeriod, CancelAnswer, CreditBalance, DeletedModels, DownloadAnswer,
    DownloadEntry, DryRunAnswer, EventWords, FailedVariants, FeatureLimits, FieldWords, FileGroup,
    JobList, JobSummary, LeftOut, ModelEntry, ProcessAnswer, ProcessingInfo, PromptWords,
    PurgeAnswer, StageTime, StatusAnswer, StatusDetails, StatusEntry, StoredModel, Subscription,
    UploadUrls, VariantEntry, VariantMetrics, WireStatus,
};
pub use limber_script::{ClipEnds, End, Message, Start, message};

pub use edit::{Change, Finish, LoopChange, MotionEdit, RootMode, Source, Span};
pub use error::{ErrorBody, ParameterProblem};
pub use health::{Health, Readiness};
pub use ids::{IdError, JobId, ModelId, VariantId};
pub use render::{BackdropEntry, BackdropList, Camera, Container, Render, RenderEntry};
pub use request::{FileKind, FootLocking, ProcessRequest, StoreModelRequest, TextToMotion};
