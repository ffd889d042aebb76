//! Converts errors of upload sessions to responses.

use axum::http::StatusCode;

use super::ApiError;
use crate::uploads::Refusal;

/// 404: there is no such session.
pub(super) fn unknown() -> ApiError {
    let message = "there is no such upload; begin a new one at /character/v1/getModelUploadUrl";
    ApiError::new(StatusCode::NOT_FOUND, "upload_session_not_found", message)
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unknown => unknown(),
            Refusal::Ended => Self::new(
                StatusCode::GONE,
                "gone",
                "the upload is over; begin a new one at /character/v1/getModelUploadUrl",
            ),
            Refusal::OtherOrigin => Self::new(
                StatusCode::FORBIDDEN,
                "origin_not_allowed",
                "the upload was begun by another web page; begin one of your own",
            ),
            Refusal::Busy => Self::new(
                StatusCode::CONFLICT,
                "invalid_state",
                "the upload is being written to; wait until that request has ended, then ask how \
                 far it is",
            )
            .retry_after(2),
            Refusal::OtherTotal => Self::malformed(
                "the file's length is not the one that was said before, or less than has arrived; \
                 send the same file, or begin a new upload",
            ),
            Refusal::TooLarge { limit_bytes } => too_large(limit_bytes),
            Refusal::ChecksumMismatch => Self::new(
                StatusCode::BAD_REQUEST,
                "checksum_mismatch",
                "what arrived is not what was announced, and was dropped; begin a new upload",
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
                "the bytes stopped coming; ask how far the upload is and go on from there",
            ),
            Refusal::Stopping => Self::unavailable(
                "the service restarts; ask in a moment how far the upload is and go on from there",
                2,
            ),
            Refusal::DiskFull => Self::unavailable(
                "the service has no room for the file; try again later, or tell the operator",
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
        format!("the file is larger than the {mib} MiB that are taken; send a smaller one");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
        .details(serde_json::json!({ "limit": limit_bytes }))
}
