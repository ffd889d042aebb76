//! The error type shown by the interface: what happened, to what, and what to do.

use limber_client::motion::MotionError;
use serde::Serialize;

use crate::messages::{Doing, MessageView, Notice, of_service};

mod identity;

/// Error codes that the interface branches on; it has the same list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The studio is still starting.
    StudioNotReady,
    /// The studio failed to start.
    StudioFailed,
    /// The data folder cannot be written to.
    FolderNotWritable,
    /// Another instance of Limber uses the data folder.
    AlreadyOpen,
    /// The database folder was created by an incompatible PostgreSQL version.
    DatabaseVersion,
    /// PostgreSQL is not installed.
    DatabaseMissing,
    /// Sign-in was refused: wrong address or password, or the account is not confirmed.
    SignInRefused,
    /// The session has ended.
    SignedOut,
    /// A value is missing or invalid.
    BadInput,
    /// The engine does not know the action.
    UnknownAction,
    /// A service cannot be reached.
    ServiceUnreachable,
    /// The price exceeds what the user accepted.
    DearerThanAgreed,
    /// A service refused the request.
    ServiceRefused,
    /// The item does not exist, or no longer does.
    NotFound,
    /// The job ended without a result.
    JobFailed,
    /// A file does not match its checksum or cannot be read.
    FileDamaged,
    /// The disk is full.
    DiskFull,
    /// A disk operation failed.
    DiskRefused,
    /// The viewer failed to start.
    ViewerFailed,
    /// An internal error of Limber.
    Internal,
}

/// An error with a message for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[error("{message}")]
pub struct AppError {
    /// The code to branch on.
    pub code: ErrorCode,
    /// What happened, to what, and what to do.
    pub message: MessageView,
    /// Technical details. Never contains a path, a token or an address.
    pub detail: Option<String>,
}

impl AppError {
    /// Makes an error without details.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<MessageView>) -> Self {
        Self { code, message: message.into(), detail: None }
    }

    /// Adds details to the error.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    pub(crate) fn not_ready() -> Self {
        Self::new(ErrorCode::StudioNotReady, Notice::StudioStarting)
    }

    pub(crate) fn signed_out() -> Self {
        Self::new(ErrorCode::SignedOut, Notice::SignedOut)
    }

    pub(crate) fn session_ended() -> Self {
        Self::new(ErrorCode::SignedOut, Notice::SessionEnded)
    }

    /// Makes the error for a locked keychain, in which case the previous user is unknown.
    pub(crate) fn keychain_locked() -> Self {
        Self::new(ErrorCode::SignedOut, Notice::KeychainLocked)
    }

    /// Converts an I/O error that occurred during the given operation.
    pub(crate) fn disk(doing: Doing, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                Self::new(ErrorCode::DiskFull, Notice::DiskFull { doing })
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                Self::new(ErrorCode::DiskRefused, Notice::NoRightToWrite { doing })
            }
            kind => Self::new(ErrorCode::DiskRefused, Notice::DiskRefuses { doing })
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
            | MotionError::Unencrypted
            | MotionError::UnencryptedLink => ErrorCode::BadInput,
            MotionError::Unreachable(_) | MotionError::TimedOut => ErrorCode::ServiceUnreachable,
            MotionError::Damaged | MotionError::TooLarge { .. } => ErrorCode::FileDamaged,
            MotionError::Disk(cause) => return Self::disk(Doing::KeepClip, cause),
            _ => ErrorCode::ServiceRefused,
        };
        Self::new(code, told_by_motion(&error))
    }
}

/// Converts an error of the motion service, or a failure to reach it.
pub(crate) fn told_by_motion(error: &MotionError) -> MessageView {
    let notice = match error {
        MotionError::Refused { kind, status, .. } if kind == MotionError::NO_SERVICE => {
            match *status {
                429 => Notice::MotionServiceBusy,
                status @ 500.. => Notice::MotionServiceFails { status },
                status => Notice::NoMotionService { status },
            }
        }
        MotionError::Refused { message, .. } => return of_service(&error.messages(), message),
        MotionError::CredentialsRejected => Notice::MotionServiceRejectsClient,
        MotionError::Unreachable(_) => Notice::MotionServiceUnreachable,
        MotionError::TimedOut => Notice::MotionServiceSilent,
        MotionError::BadAddress => Notice::MotionServiceAddress,
        MotionError::Unencrypted => Notice::MotionServiceUnencrypted,
        MotionError::UnencryptedLink => Notice::UnencryptedLink,
        MotionError::UnexpectedAnswer => Notice::NoMotionServiceVersion,
        MotionError::TooLarge { limit_mib } => Notice::FileTooLarge { most_mib: *limit_mib },
        MotionError::Damaged => Notice::FileArrivedDamaged,
        MotionError::Disk(cause) => return AppError::disk(Doing::KeepClip, cause).message,
    };
    notice.into()
}

/// Capitalises the first letter and adds a full stop.
pub(crate) fn sentence(words: &str) -> String {
    let words = words.trim();
    let mut letters = words.chars();
    let Some(first) = letters.next() else {
        return Notice::NothingSaid.to_string();
    };
    let end = if words.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), letters.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::messages::Argument;

    #[test]
    fn service_messages_become_sentences() {
        assert_eq!(sentence("no such job"), "No such job.");
        assert_eq!(sentence("Élan is fine."), "Élan is fine.");
        assert!(!sentence("").is_empty());
    }

    #[test]
    fn a_full_disk_error_says_what_to_do() {
        let error = AppError::disk(Doing::SaveClip, &std::io::ErrorKind::StorageFull.into());
        assert_eq!(error.code, ErrorCode::DiskFull);
        let text = &error.message.text;
        assert!(text.contains("save the clip") && text.contains("Free"), "{text}");
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
        assert!(error.message.text.contains("try walk or wave"));
    }

    #[test]
    fn a_refused_prompt_is_reported_by_its_words() {
        let message = "Limber does not know \"asdf\" yet. Nearest: walk.";
        let told = json!({ "code": "nothing-known", "words": ["asdf"], "nearest": ["walk"], "text": message });
        let error = AppError::from(MotionError::Refused {
            status: 422,
            code: Some(502),
            kind: "invalid_parameter".into(),
            message: message.into(),
            param: Some("prompt".into()),
            details: Some(json!({ "messages": [told] })),
            request_id: "".into(),
        });
        assert_eq!(error.message.code, "nothing-known");
        assert_eq!(error.message.arguments["words"], Argument::Words(vec!["asdf".to_owned()]));
        assert_eq!(error.message.text, message);
    }

    #[test]
    fn other_servers_are_recognised_by_their_status() {
        let refused = |status| MotionError::Refused {
            status,
            code: None,
            kind: MotionError::NO_SERVICE.to_owned(),
            message: "whatever".to_owned(),
            param: None,
            details: None,
            request_id: "".into(),
        };
        let codes = [429, 503, 404].map(|status| AppError::from(refused(status)).message.code);
        assert_eq!(codes, ["motion-service-busy", "motion-service-fails", "no-motion-service"]);
    }
}
