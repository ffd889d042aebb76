//! Bodies that are JSON: what they may be called and how long they may be.

use axum::{
    body::Bytes,
    extract::rejection::BytesRejection,
    http::{HeaderMap, StatusCode, header},
};

use super::ApiError;

/// The bytes of a body that says it is JSON, or says nothing.
pub(super) fn read_body(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Bytes, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or_default());
    if kind.is_some_and(|kind| !is_json(kind)) {
        let message = "the body must be JSON: send Content-Type: application/json";
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            message,
        ));
    }
    body.map_err(|rejection| {
        if axum::response::IntoResponse::into_response(rejection).status()
            == StatusCode::PAYLOAD_TOO_LARGE
        {
            let message = "the body is longer than 1 MiB; send less";
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large", message)
        } else {
            ApiError::malformed("the body did not arrive whole; send it again")
        }
    })
}

fn is_json(kind: &str) -> bool {
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}
