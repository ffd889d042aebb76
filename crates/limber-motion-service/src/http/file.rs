//! `GET /files/v1/{content}/{name}`: serves files by signed link. The signature is sufficient; no
//! session is required. If the file is in a bucket, the response is 307 to a URL presigned by the
//! store, which serves the file with the same name and media type.

use std::{ops::Range, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{
        Path, Query, State,
        rejection::{PathRejection, QueryRejection},
    },
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use object_store::{GetOptions, GetRange};
use serde::Deserialize;
use url::Url;
use utoipa::IntoParams;

use super::{ApiError, openapi::RawBytes};
use crate::{
    files::{ContentId, LinkError, media_type},
    service::Service,
};
use limber_api::motion::ErrorBody;

/// Caching policy: the content behind a link never changes.
const CACHING: &str = "private, immutable, max-age=3600";
/// Validity of presigned URLs. It only has to last until the transfer starts.
const REDIRECTED: Duration = Duration::from_secs(600);
/// How long a request waits for the file to be verified; clients time out after about half a
/// minute.
const LONGEST_VERIFICATION: Duration = Duration::from_secs(20);

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Signed {
    /// Expiry time as in the signed link.
    expires: String,
    /// Signature as in the signed link.
    signature: String,
}

/// Returns the file of a signed link.
#[utoipa::path(get, path = "/files/v1/{content}/{name}", tag = "Files",
    params(("content" = String, Path, description = "The content id, as in the signed link."), ("name" = String, Path, description = "The file."), Signed,
        ("Range" = Option<String>, Header, description = "`bytes=a-b`: a part of the file."),
        ("If-None-Match" = Option<String>, Header, description = "`ETag`s the client has."),
        ("If-Range" = Option<String>, Header, description = "The `ETag` the range refers to.")),
    responses((status = 200, description = "The file.", body = RawBytes, content_type = "application/octet-stream",
            headers(("ETag" = String, description = "Its content id."), ("Content-Disposition" = String, description = "Its name."))),
        (status = 206, description = "The part.", body = RawBytes, content_type = "application/octet-stream"),
        (status = 304, description = "The client has the current version."),
        (status = 410, body = ErrorBody), (status = 416, body = ErrorBody)))]
pub(super) async fn file(
    State(service): State<Arc<Service>>,
    method: Method,
    path: Result<Path<(String, String)>, PathRejection>,
    query: Result<Query<Signed>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (Ok(Path((content, name))), Ok(Query(signed))) = (path, query) else {
        return Err(altered());
    };
    let now_ms = service.environment.clock.now_ms();
    let id = service.links.check(&content, &name, &signed.expires, &signed.signature, now_ms);
    let id = id.map_err(|error| match error {
        LinkError::Altered => altered(),
        LinkError::Expired => {
            let message = "the link has expired; request a new one at /job/v1/download";
            ApiError::new(StatusCode::GONE, "gone", message)
        }
    })?;
    let meta = service.files.open(&id, GetOptions::new().with_head(true)).await?.meta;
    let tag = format!("\"{}\"", id.as_str());
    if matches_tag(headers.get(header::IF_NONE_MATCH), &tag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    // also before redirecting, because the store does not know the expected hash
    let checked = tokio::time::timeout(LONGEST_VERIFICATION, service.files.check(&id, &meta)).await;
    checked.map_err(|_| still_looked_through())??;
    if let Some(there) = elsewhere(&service, &id, &method, &name).await? {
        return Ok(redirect(&there, &tag));
    }
    let wanted = match wanted_range(&headers, &tag, meta.size) {
        Wanted::Whole => None,
        Wanted::Part(range) => Some(range),
        Wanted::Nothing => return Ok(unsatisfiable(meta.size)),
    };
    let length = wanted.as_ref().map_or(meta.size, |range| range.end - range.start);
    let body = if method == Method::HEAD {
        Body::empty()
    } else {
        let range = wanted.clone().map(GetRange::Bounded);
        let found = service.files.open(&id, GetOptions::new().with_range(range)).await?;
        Body::from_stream(service.files.pieces(found).await?)
    };
    let mut response = Response::new(body);
    let out = response.headers_mut();
    if let Some(range) = wanted {
        let part = format!("bytes {}-{}/{}", range.start, range.end - 1, meta.size);
        insert(out, header::CONTENT_RANGE, &part);
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    let out = response.headers_mut();
    out.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    insert(out, header::CONTENT_TYPE, media_type(&name));
    insert(out, header::ETAG, &tag);
    insert(
        out,
        header::LAST_MODIFIED,
        &meta.last_modified.format("%a, %d %b %Y %H:%M:%S GMT").to_string(),
    );
    insert(out, header::ACCEPT_RANGES, "bytes");
    insert(out, header::CONTENT_DISPOSITION, &disposition(&name));
    insert(out, header::CACHE_CONTROL, CACHING);
    insert(out, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    Ok(response)
}

/// Returns the presigned URL if the store serves the file itself.
async fn elsewhere(
    service: &Service,
    id: &ContentId,
    method: &Method,
    name: &str,
) -> Result<Option<Url>, ApiError> {
    let disposition = disposition(name);
    let headers = [
        ("content-type", media_type(name)),
        ("content-disposition", disposition.as_str()),
        ("cache-control", CACHING),
    ];
    Ok(service.files.own_address(id, method.clone(), REDIRECTED, &headers).await?)
}

/// Redirects to the store. The `ETag` stays our content id, since the store's is not a content
/// hash.
fn redirect(there: &Url, tag: &str) -> Response {
    let mut response = StatusCode::TEMPORARY_REDIRECT.into_response();
    let out = response.headers_mut();
    insert(out, header::LOCATION, there.as_str());
    insert(out, header::ETAG, tag);
    insert(out, header::CACHE_CONTROL, &format!("private, max-age={}", REDIRECTED.as_secs() / 2));
    response
}

fn altered() -> ApiError {
    let message =
        "the link was altered or is not from this service; request a new one at /job/v1/download";
    ApiError::new(StatusCode::FORBIDDEN, "bad_signature", message)
}

/// 503: verification takes longer than the request may wait; it continues in the background.
fn still_looked_through() -> ApiError {
    let message =
        "the file is large and is still being verified; nothing is lost, try again in a moment";
    ApiError::unavailable(message, 5)
}

fn unsatisfiable(size: u64) -> Response {
    let message = "the file has no bytes in the requested range; request a range within it";
    let error = ApiError::new(StatusCode::RANGE_NOT_SATISFIABLE, "range_not_satisfiable", message);
    let mut response = error.into_response();
    insert(response.headers_mut(), header::CONTENT_RANGE, &format!("bytes */{size}"));
    response
}

fn insert(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// Returns whether `If-None-Match` lists this tag, strong or weak.
pub(super) fn matches_tag(header: Option<&HeaderValue>, tag: &str) -> bool {
    let list = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
    list.split(',')
        .map(|one| one.trim().trim_start_matches("W/"))
        .any(|one| one == tag || one == "*")
}

#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Whole,
    Part(Range<u64>),
    Nothing,
}

/// Parses `Range`. Several ranges or an invalid header select the whole file (RFC 9110 §14.2).
fn wanted_range(headers: &HeaderMap, tag: &str, size: u64) -> Wanted {
    let Some(range) = headers.get(header::RANGE).and_then(|value| value.to_str().ok()) else {
        return Wanted::Whole;
    };
    if headers.get(header::IF_RANGE).is_some_and(|condition| condition.as_bytes() != tag.as_bytes())
    {
        return Wanted::Whole;
    }
    let Some((from, to)) = range.strip_prefix("bytes=").and_then(|range| range.split_once('-'))
    else {
        return Wanted::Whole;
    };
    let range = match (from.trim().parse::<u64>(), to.trim().parse::<u64>()) {
        (Ok(from), Ok(to)) if from <= to => from..to.saturating_add(1).min(size),
        (Ok(from), Err(_)) if to.trim().is_empty() => from..size,
        (Err(_), Ok(last)) if from.trim().is_empty() => size.saturating_sub(last)..size,
        _ => return Wanted::Whole,
    };
    if range.start < range.end { Wanted::Part(range) } else { Wanted::Nothing }
}

/// Builds `Content-Disposition` (RFC 6266): an ASCII name for old clients, and the full name in
/// UTF-8.
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "._- ".contains(c) { c } else { '_' })
        .collect();
    let full: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}", full.replace('+', "%20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Wanted {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_str(text).expect("a header"));
        wanted_range(&headers, "\"tag\"", 100)
    }

    #[test]
    fn ranges_are_parsed_as_the_standard_says() {
        assert_eq!(range("bytes=0-9"), Wanted::Part(0..10));
        assert_eq!(range("bytes=90-200"), Wanted::Part(90..100));
        assert_eq!(range("bytes=90-"), Wanted::Part(90..100));
        assert_eq!(range("bytes=-10"), Wanted::Part(90..100));
        assert_eq!(range("bytes=100-"), Wanted::Nothing);
        assert_eq!(range("bytes=-0"), Wanted::Nothing);
        for whole in ["bytes=9-0", "bytes=0-1,5-6", "lines=1-2", "bytes=x-y", "bytes=-"] {
            assert_eq!(range(whole), Wanted::Whole, "{whole}");
        }
    }

    #[test]
    fn non_ascii_names_survive() {
        assert_eq!(
            disposition("走_v1.glb"),
            "attachment; filename=\"__v1.glb\"; filename*=UTF-8''%E8%B5%B0_v1.glb"
        );
    }
}
