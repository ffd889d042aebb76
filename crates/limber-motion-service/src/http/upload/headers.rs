//! The headers of uploads. Vendors put their own name into some of them; any name is accepted.

use axum::http::{HeaderMap, header};

use super::ApiError;
use crate::uploads::Expected;

/// Returns whether this request starts a session: `x-storage-resumable: start`, or another vendor's
/// `x-…-resumable`.
pub(super) fn starts(headers: &HeaderMap) -> bool {
    vendor_header(headers, "-resumable").any(|value| value.trim().eq_ignore_ascii_case("start"))
}

fn vendor_header<'a>(headers: &'a HeaderMap, ending: &'a str) -> impl Iterator<Item = &'a str> {
    let own = headers.iter().filter(move |(name, _)| {
        name.as_str().strip_prefix("x-").is_some_and(|rest| rest.ends_with(ending))
    });
    own.filter_map(|(_, value)| value.to_str().ok())
}

/// Parses `x-upload-content-length`: the length of the complete file in bytes.
pub(super) fn declared_total(headers: &HeaderMap) -> Result<Option<u64>, ApiError> {
    let Some(value) = headers.get("x-upload-content-length") else { return Ok(None) };
    let length = value.to_str().ok().and_then(|text| text.trim().parse().ok());
    length
        .filter(|length| i64::try_from(*length).is_ok())
        .map(Some)
        .ok_or_else(|| ApiError::malformed("x-upload-content-length must be a number of bytes"))
}

/// Returns the length of the body in bytes; 411 if `Content-Length` is missing.
pub(super) fn length_of(headers: &HeaderMap) -> Result<u64, ApiError> {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|text| text.trim().parse().ok()).ok_or_else(|| {
        let message = "a file is only accepted with its Content-Length; send it with one";
        ApiError::new(axum::http::StatusCode::LENGTH_REQUIRED, "length_required", message)
    })
}

/// Like [`length_of`], but a status query without a body does not need `Content-Length`.
pub(super) fn announced_length(headers: &HeaderMap, range: Option<&str>) -> Result<u64, ApiError> {
    let asks = range.is_some_and(|range| range.contains("*/"));
    let unsaid = !headers.contains_key(header::CONTENT_LENGTH)
        && !headers.contains_key(header::TRANSFER_ENCODING);
    if asks && unsaid { Ok(0) } else { length_of(headers) }
}

/// Parses the checksums that the client expects of the complete file.
pub(super) fn expected_checksums(headers: &HeaderMap) -> Result<Expected, ApiError> {
    let unreadable = || {
        ApiError::malformed(
            "x-storage-hash must be `crc32c=<base64>,md5=<base64>`, Content-MD5 the base64 of 16 \
             bytes",
        )
    };
    let mut expected = Expected::default();
    for value in vendor_header(headers, "-hash") {
        expected = expected.read_hashes(value).ok_or_else(unreadable)?;
    }
    if let Some(value) = headers.get("content-md5") {
        let value = value.to_str().map_err(|_| unreadable())?;
        expected = expected.read_md5(value).ok_or_else(unreadable)?;
    }
    Ok(expected)
}

/// Returns the `Origin` header, which browsers send.
pub(super) fn origin_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::ORIGIN)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn with(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(
            axum::http::HeaderName::from_static(name),
            HeaderValue::from_static(value),
        )])
    }

    #[test]
    fn any_vendors_header_starts_an_upload() {
        assert!(starts(&with("x-storage-resumable", "start")));
        assert!(starts(&with("x-goog-resumable", "Start")));
        assert!(!starts(&with("x-goog-resumable", "stop")));
        assert!(!starts(&with("resumable", "start")));
    }

    #[test]
    fn checksums_are_accepted_in_either_header() {
        let abc = crate::uploads::Checksums::of(&b"abc"[..]).expect("in memory");
        for headers in [
            with("x-storage-hash", "crc32c=Nks/tw==,md5=kAFQmDzST7DWlj99KOF/cg=="),
            with("x-goog-hash", "crc32c=Nks/tw=="),
            with("content-md5", "kAFQmDzST7DWlj99KOF/cg=="),
        ] {
            assert!(expected_checksums(&headers).expect("readable").holds(&abc));
        }
        assert!(expected_checksums(&with("content-md5", "abc")).is_err());
    }
}
