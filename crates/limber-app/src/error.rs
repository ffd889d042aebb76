//! The one error the interface sees: what happened, to what, what now.

use limber_client::motion::MotionError;
use serde::Serialize;

mod identity;

/// What programs branch on; the interface has the same list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The studio is still starting.
    StudioNotReady,
    /// The studio did not start.
    StudioFailed,
    /// The data folder cannot be written.
    FolderNotWritable,
    /// Another Limber uses the data folder.
    AlreadyOpen,
    /// The database folder belongs to another PostgreSQL.
    DatabaseVersion,
    /// PostgreSQL is not installed.
    DatabaseMissing,
    /// Wrong address, password, or not confirmed yet.
    SignInRefused,
    /// The session is over.
    SignedOut,
    /// An input is missing or wrong.
    BadInput,
    /// The engine does not know the action.
    UnknownAction,
    /// A service does not answer.
    ServiceUnreachable,
    /// It costs more than somebody agreed to.
    DearerThanAgreed,
    /// A service said no.
    ServiceRefused,
    /// There is no such thing any more.
    NotFound,
    /// The job ended without a result.
    JobFailed,
    /// A file's bytes are not what they should be.
    FileDamaged,
    /// No room left.
    DiskFull,
    /// The disk said no.
    DiskRefused,
    /// The viewer did not start.
    ViewerFailed,
    /// A fault of Limber itself.
    Internal,
}

/// A failure as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[error("{message}")]
pub struct AppError {
    /// What to branch on.
    pub code: ErrorCode,
    /// What happened, to what, what now.
    pub message: String,
    /// More, for those who want it. Never a path, a token or an address.
    pub detail: Option<String>,
}

impl AppError {
    /// An error without a detail.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), detail: None }
    }

    /// The same with a detail.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) fn not_ready() -> Self {
        Self::new(
            ErrorCode::StudioNotReady,
            "The studio is still starting. Try again when it is ready.",
        )
    }

    pub(crate) fn signed_out() -> Self {
        Self::new(ErrorCode::SignedOut, "You are signed out. Sign in to go on.")
    }

    pub(crate) fn session_ended() -> Self {
        Self::new(
            ErrorCode::SignedOut,
            "Your session has ended: you were signed out from elsewhere, or it became too old. Sign in \
             to go on. What you made is still here.",
        )
    }

    /// Whoever was signed in cannot be told.
    pub(crate) fn keychain_locked() -> Self {
        Self::new(
            ErrorCode::SignedOut,
            "This computer's keychain is locked, so Limber cannot tell who was signed in. Unlock it and \
             start Limber again, or sign in. What you made is still here.",
        )
    }

    /// A failure of the disk while doing `what` (“save the clip”).
    pub(crate) fn disk(what: &str, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::new(
                ErrorCode::DiskFull,
                format!(
                    "The disk is full, so Limber could not {what}. Free some space and try again."
                ),
            ),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::new(
                ErrorCode::DiskRefused,
                format!(
                    "Limber may not write there, so it could not {what}. Choose another folder."
                ),
            ),
            kind => Self::new(
                ErrorCode::DiskRefused,
                format!("The disk did not let Limber {what}. Check it and try again."),
            )
            .with_detail(kind.to_string()),
        }
    }
}

impl From<MotionError> for AppError {
    fn from(error: MotionError) -> Self {
        let code = match &error {
            MotionError::Refused { param: Some(param), .. } if param == "prompt" => {
                ErrorCode::UnknownAction
            }
            MotionError::Refused { status: 404 | 410, .. } => ErrorCode::NotFound,
            MotionError::Refused { status: 422, .. }
            | MotionError::BadAddress
            | MotionError::Unencrypted => ErrorCode::BadInput,
            MotionError::Unreachable(_) | MotionError::TimedOut => ErrorCode::ServiceUnreachable,
            MotionError::Damaged | MotionError::TooLarge { .. } => ErrorCode::FileDamaged,
            MotionError::Disk(cause) => return Self::disk("keep the clip", cause),
            _ => ErrorCode::ServiceRefused,
        };
        Self::new(code, sentence(&error.to_string()))
    }
}

/// The same words with a capital letter and a full stop.
pub(crate) fn sentence(words: &str) -> String {
    let words = words.trim();
    let mut letters = words.chars();
    let Some(first) = letters.next() else {
        return "Something went wrong, and nobody said what.".to_owned();
    };
    let end = if words.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_become_sentences() {
        assert_eq!(sentence("no such job"), "No such job.");
        assert_eq!(sentence("Élan is fine."), "Élan is fine.");
        assert!(!sentence("").is_empty());
    }

    #[test]
    fn a_full_disk_says_what_to_do() {
        let error = AppError::disk("save the clip", &std::io::ErrorKind::StorageFull.into());
        assert_eq!(error.code, ErrorCode::DiskFull);
        assert!(error.message.contains("save the clip") && error.message.contains("Free"));
    }

    #[test]
    fn a_refused_prompt_keeps_the_service_s_suggestion() {
        let error = AppError::from(MotionError::Refused {
            status: 422,
            code: Some(502),
            kind: "invalid_parameter".into(),
            message: "“asdf” is not a motion I know; try walk or wave".into(),
            param: Some("prompt".into()),
            details: None,
            request_id: "".into(),
        });
        assert_eq!(error.code, ErrorCode::UnknownAction);
        assert!(error.message.contains("try walk or wave"));
    }
}
