//! Phrases that are embedded in the sentences of notices.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::MessageView;

/// A disk operation that failed, as a verb phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the phrases are self-explanatory")]
pub enum Doing {
    #[error("restore the clip")]
    BringBackClip,
    #[error("copy the clip")]
    CopyClip,
    #[error("delete the clip")]
    DeleteClip,
    #[error("empty the trash")]
    EmptyBin,
    #[error("store the clip")]
    KeepClip,
    #[error("save the settings")]
    KeepSettings,
    #[error("save the corrections")]
    KeepCorrections,
    #[error("save your draft")]
    KeepDraft,
    #[error("save the name")]
    KeepName,
    #[error("save the tag")]
    KeepTag,
    #[error("record the job")]
    NoteJob,
    #[error("record the upload")]
    NoteUpload,
    #[error("pack the character")]
    PackCharacter,
    #[error("read the clip")]
    ReadClip,
    #[error("read the email")]
    ReadMail,
    #[error("save the clip")]
    SaveClip,
    #[error("save the diagnostics")]
    SaveDiagnostics,
    #[error("save the video there")]
    SaveVideo,
    #[error("write the file")]
    WriteFile,
}

/// One of the two services of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the phrases are self-explanatory")]
pub enum ServiceName {
    #[error("account service")]
    IdentityService,
    #[error("motion service")]
    MotionService,
}

impl From<Doing> for MessageView {
    fn from(doing: Doing) -> Self {
        Self::coded(&doing, doing.to_string())
    }
}

impl From<ServiceName> for MessageView {
    fn from(service: ServiceName) -> Self {
        Self::coded(&service, service.to_string())
    }
}

/// Serialises an embedded phrase as a message of its own, so that each language can translate it.
pub(super) fn as_told<S: Serializer>(
    words: &(impl Copy + Into<MessageView>),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let told: MessageView = (*words).into();
    told.serialize(serializer)
}
