//! Checks the media type and length of JSON bodies.

use axum::{
    body::Bytes,
    extract::rejection::BytesRejection,
    http::{HeaderMap, StatusCode, header},
};

use super::ApiError;

/// Returns the body if `Content-Type` is JSON or missing.
pub(super) fn read_body(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Bytes, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or_default());
    if kind.is_some_and(|kind| !is_json(kind)) {
        let message = "the body must be JSON in UTF-8: send Content-Type: application/json";
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
            ApiError::malformed("the body did not arrive completely; send it again")
        }
    })
}

/// Returns whether the media type is JSON, and in UTF-8 if it names a charset.
fn is_json(kind: &str) -> bool {
    let mut parts = kind.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    is_json
        && parts.filter_map(|parameter| parameter.split_once('=')).all(|(name, value)| {
            let value = value.trim().trim_matches('"');
            !name.trim().eq_ignore_ascii_case("charset")
                || ["utf-8", "utf8"].iter().any(|known| value.eq_ignore_ascii_case(known))
        })
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn only_utf_8_json_is_accepted() {
        for kind in [
            "application/json",
            "Application/JSON ; Charset = \"UTF-8\"",
            "application/json;charset=utf8",
            "application/json; profile=x; charset=utf-8;",
        ] {
            assert!(is_json(kind), "{kind}");
        }
        for kind in [
            "",
            "text/json",
            "application/json; charset=iso-8859-1",
            "application/json;charset=utf-16",
            "application/json; charset=",
            "application/json; charset=utf-8; charset=latin1",
        ] {
            assert!(!is_json(kind), "{kind}");
        }
    }
}
