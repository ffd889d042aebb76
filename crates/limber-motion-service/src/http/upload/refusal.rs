//! Converts errors of upload sessions to responses.

use axum::http::StatusCode;

use super::ApiError;
use crate::uploads::Refusal;

/// 404: there is no such session.
pub(super) fn unknown() -> ApiError {
    let message = "there is no such upload; start a new one at /character/v1/getModelUploadUrl";
    ApiError::new(StatusCode::NOT_FOUND, "upload_session_not_found", message)
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unknown => unknown(),
            Refusal::Ended => Self::new(
                StatusCode::GONE,
                "gone",
                "the upload has ended; start a new one at /character/v1/getModelUploadUrl",
            ),
            Refusal::OtherOrigin => Self::new(
                StatusCode::FORBIDDEN,
                "origin_not_allowed",
                "the upload was started by another web page; start a new one",
            ),
            Refusal::Busy => Self::new(
                StatusCode::CONFLICT,
                "invalid_state",
                "another request is writing to the upload; wait until it has ended, then query the \
                 progress",
            )
            .retry_after(2),
            Refusal::OtherTotal => Self::malformed(
                "the file's length differs from the one given before, or is less than what has \
                 arrived; send the same file, or start a new upload",
            ),
            Refusal::TooLarge { limit_bytes } => too_large(limit_bytes),
            Refusal::ChecksumMismatch => Self::new(
                StatusCode::BAD_REQUEST,
                "checksum_mismatch",
                "what arrived does not match its checksum and was discarded; start a new upload",
            ),
            Refusal::TooMany => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "rate_limited",
                "the account has too many unfinished uploads; store, finish or cancel some",
            )
            .retry_after(60),
            Refusal::Interrupted => Self::new(
                StatusCode::REQUEST_TIMEOUT,
                "interrupted",
                "the upload stalled; query its progress and resume from there",
            ),
            Refusal::Stopping => Self::unavailable(
                "the service is restarting; query the progress of the upload in a moment and \
                 resume from there",
                2,
            ),
            Refusal::DiskFull => Self::unavailable(
                "the service has no space for the file; try again later, or tell the operator",
                60,
            ),
            Refusal::Disk(error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "an upload failed: {error}"
                );
                Self::internal()
            }
            Refusal::Files(error) => error.into(),
            Refusal::Store(error) => error.into(),
        }
    }
}

pub(in crate::http) fn too_large(limit_bytes: u64) -> ApiError {
    let mib = limit_bytes >> 20;
    let message =
        format!("the file is larger than the {mib} MiB that are allowed; send a smaller one");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
        .details(serde_json::json!({ "limit": limit_bytes }))
}
