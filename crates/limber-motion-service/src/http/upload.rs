//! Uploads: `getModelUploadUrl`, which creates signed URLs, and the `/upload/v1/…` routes behind
//! them.
//!
//! The protocol of resumable sessions is that of Google Cloud Storage: 201 and 308 next to 200,
//! where 308 is not a redirect, and headers that may have the vendor's name. The upload
//! routes require no session; whoever has the URL may use it.

mod headers;
mod refusal;

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::{
        Path, Query, RawQuery, State,
        rejection::{PathRejection, QueryRejection},
    },
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use hyper::ext::ReasonPhrase;
use limber_api::motion::{ErrorBody, UploadUrls};
use limber_domain::limits::CHARACTER_EXTENSIONS;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    ApiError,
    acting::Acting,
    caller::{self, Caller},
    openapi::RawBytes,
    rate::Counted,
};
use crate::{
    service::Service,
    store::uploads::NewUpload,
    uploads::{Checksums, Permit, Piece, Standing, UploadKind, UploadLinkError},
};
pub(super) use refusal::too_large;

use headers::{announced_length, declared_total, expected_checksums, length_of, origin_of, starts};

/// File extensions accepted for thumbnails.
const PICTURES: [&str; 4] = ["png", "jpg", "jpeg", "webp"];
const LONGEST_NAME: usize = 80;
const STORAGE_HASH: &str = "x-storage-hash";

#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct UploadQuery {
    /// File name without extension.
    name: Option<String>,
    /// `fbx` (default), `glb`, `gltf` or `vrm`.
    model_ext: Option<String>,
    /// `png` (default), `jpg`, `jpeg` or `webp`.
    thumb_ext: Option<String>,
    /// 1 (default): resumable upload in parts. 0: a single request.
    resumable: Option<String>,
}

/// Returns signed upload URLs for a character and its thumbnail.
#[utoipa::path(get, path = "/character/v1/getModelUploadUrl", tag = "Characters", security(("session" = []), ("bearer" = [])), params(UploadQuery),
    responses((status = 200, body = UploadUrls), (status = 400, body = ErrorBody), (status = 415, body = ErrorBody), (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(super) async fn model_upload_url(
    _: Acting,
    State(service): State<Arc<Service>>,
    caller: Caller,
    query: Result<Query<UploadQuery>, QueryRejection>,
) -> Result<Json<UploadUrls>, ApiError> {
    let Query(query) = query.map_err(|_| ApiError::malformed("the query cannot be parsed"))?;
    let name = file_name(query.name.as_deref().unwrap_or_default());
    let model = extension(query.model_ext.as_deref(), "modelExt", &CHARACTER_EXTENSIONS)?;
    let thumb = extension(query.thumb_ext.as_deref(), "thumbExt", &PICTURES)?;
    let resumable = match query.resumable.as_deref().map(str::trim) {
        None | Some("" | "1" | "true") => true,
        Some("0" | "false") => false,
        Some(_) => return Err(ApiError::invalid("resumable", 1102, "resumable must be 0 or 1")),
    };
    let keys = [service.environment.token(18), service.environment.token(18)];
    let files = [(UploadKind::Model, model), (UploadKind::Thumb, thumb)];
    let uploads: Vec<NewUpload<'_>> = keys
        .iter()
        .zip(files)
        .map(|(key, (kind, extension))| NewUpload { key, kind, name: &name, extension })
        .collect();
    let now_ms = service.environment.clock.now_ms();
    service.store.insert_uploads(caller.account.as_str(), &uploads, now_ms).await?;
    let sign = |upload: &NewUpload<'_>| {
        let shown = format!("{name}.{}", upload.extension);
        let limit = service.limits.upload_bytes(upload.kind);
        service.upload_links.sign(upload.key, &shown, resumable, limit, now_ms)
    };
    Ok(Json(UploadUrls { model_url: sign(&uploads[0]), thumb_url: sign(&uploads[1]) }))
}

/// Keeps ASCII letters, digits, space, `_`, `.` and `-`; returns `model` if nothing is left.
fn file_name(wanted: &str) -> String {
    let kept = wanted.chars().filter(|c| c.is_ascii_alphanumeric() || " _.-".contains(*c));
    let name: String = kept.take(LONGEST_NAME).collect();
    let name = name.trim_matches([' ', '.']);
    if name.is_empty() { "model".to_owned() } else { name.to_owned() }
}

/// Returns the requested one of `known`; the first if none is requested.
fn extension(
    wanted: Option<&str>,
    param: &str,
    known: &[&'static str],
) -> Result<&'static str, ApiError> {
    let wanted = wanted.unwrap_or_default().trim().trim_start_matches('.').to_ascii_lowercase();
    if wanted.is_empty() {
        return known.first().copied().ok_or_else(ApiError::internal);
    }
    known.iter().find(|known| **known == wanted).copied().ok_or_else(|| {
        let message = format!("{param} must be one of {}", known.join(", "));
        ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
            .param(param)
    })
}

type ObjectPath = Result<Path<(String, String)>, PathRejection>;

fn permit(service: &Service, path: ObjectPath, query: Option<&str>) -> Result<Permit, ApiError> {
    let altered = || {
        let message = "the address was altered or is not from this service; request a new one at \
            /character/v1/getModelUploadUrl";
        ApiError::new(StatusCode::FORBIDDEN, "bad_signature", message)
    };
    let Ok(Path((key, name))) = path else { return Err(altered()) };
    let now_ms = service.environment.clock.now_ms();
    let checked = service.upload_links.check(&key, &name, query.unwrap_or_default(), now_ms);
    checked.map_err(|error| match error {
        UploadLinkError::Altered => altered(),
        UploadLinkError::Expired => {
            let message =
                "the address has expired; request a new one at /character/v1/getModelUploadUrl";
            ApiError::new(StatusCode::GONE, "gone", message)
        }
    })
}

/// 405; `Allow` names the method that the URL was signed for.
fn other_method(permit: &Permit) -> Response {
    let mut response = ApiError::method_not_allowed().into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(permit.methods()));
    response
}

/// Starts a resumable upload at a signed URL.
#[utoipa::path(post, path = "/upload/v1/object/{key}/{name}", tag = "Uploads",
    params(("key" = String, Path, description = "As signed, with the query."), ("name" = String, Path, description = "The file."),
        ("x-storage-resumable" = String, Header, description = "`start`; other vendors' `x-…-resumable` is accepted too."),
        ("x-upload-content-length" = Option<u64>, Header, description = "Length of the complete file.")),
    responses((status = 201, headers(("Location" = String, description = "URL for the parts."))),
        (status = 400, body = ErrorBody), (status = 405, body = ErrorBody), (status = 410, body = ErrorBody), (status = 413, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(super) async fn start(
    State(service): State<Arc<Service>>,
    path: ObjectPath,
    RawQuery(query): RawQuery,
    parts: Parts,
    body: Body,
) -> Result<Response, ApiError> {
    service.limiter.count(Counted::Any, &caller::address_of(&parts, &service))?;
    let permit = permit(&service, path, query.as_deref())?;
    if !permit.resumable {
        return Ok(other_method(&permit));
    }
    let headers = &parts.headers;
    if !starts(headers) {
        return Err(ApiError::malformed(
            "start an upload with the header x-storage-resumable: start",
        ));
    }
    if axum::body::to_bytes(body, 0).await.is_err() {
        return Err(ApiError::malformed(
            "the request that starts an upload must not have a body; send the file to the Location",
        ));
    }
    let total = declared_total(headers)?;
    let started = service.uploads.start(&permit, origin_of(headers), total).await?;
    let mut response = StatusCode::CREATED.into_response();
    let address = service.upload_links.session(&started.token);
    let address = HeaderValue::from_str(&address).map_err(|_| ApiError::internal())?;
    response.headers_mut().insert(header::LOCATION, address);
    Ok(response)
}

/// Uploads a whole file in one request to a signed URL.
#[utoipa::path(put, path = "/upload/v1/object/{key}/{name}", tag = "Uploads",
    params(("key" = String, Path, description = "As signed, with the query."), ("name" = String, Path, description = "The file."),
        ("x-storage-hash" = Option<String>, Header, description = "`crc32c=…,md5=…`, base64: either or both.")),
    request_body(content = RawBytes, content_type = "application/octet-stream"),
    responses((status = 200, headers(("x-storage-hash" = String, description = "Checksums of the file."), ("ETag" = String, description = "Identifies the content."))),
        (status = 400, body = ErrorBody), (status = 405, body = ErrorBody), (status = 408, body = ErrorBody), (status = 409, body = ErrorBody), (status = 410, body = ErrorBody), (status = 411, body = ErrorBody), (status = 413, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub(super) async fn put_whole(
    State(service): State<Arc<Service>>,
    path: ObjectPath,
    RawQuery(query): RawQuery,
    parts: Parts,
    body: Body,
) -> Result<Response, ApiError> {
    service.limiter.count(Counted::Any, &caller::address_of(&parts, &service))?;
    let permit = permit(&service, path, query.as_deref())?;
    if permit.resumable {
        return Ok(other_method(&permit));
    }
    let total = length_of(&parts.headers)?;
    let expected = expected_checksums(&parts.headers)?;
    let body = body.into_data_stream();
    let found = service.uploads.put_whole(&permit, total, expected, body).await?;
    Ok(complete(&found))
}

/// Uploads the whole file or a part of it, or asks how much has arrived.
#[utoipa::path(put, path = "/upload/v1/session/{token}", tag = "Uploads",
    params(("token" = String, Path, description = "The session's secret token."),
        ("Content-Range" = Option<String>, Header, description = "`bytes a-b/T`, `bytes a-b/*`, `bytes */T` or `bytes */*`; without it the body is the whole file."),
        ("x-storage-hash" = Option<String>, Header, description = "`crc32c=…,md5=…`, base64: either or both.")),
    request_body(content = RawBytes, content_type = "application/octet-stream"),
    responses((status = 200, description = "The file is complete.", headers(("x-storage-hash" = String, description = "Checksums of the file."), ("ETag" = String, description = "Identifies the content."))),
        (status = 308, description = "More bytes are expected; not a redirect.", headers(("Range" = String, description = "`bytes=0-k`: what is stored; absent if nothing is."))),
        (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 408, body = ErrorBody), (status = 409, body = ErrorBody), (status = 410, body = ErrorBody), (status = 411, body = ErrorBody), (status = 413, body = ErrorBody)))]
pub(super) async fn put(
    State(service): State<Arc<Service>>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let Path(token) = path.map_err(|_| refusal::unknown())?;
    let range = headers.get(header::CONTENT_RANGE);
    let range = range.map(|range| range.to_str().unwrap_or_default());
    let length = announced_length(&headers, range)?;
    let piece = Piece::read(range, length)
        .map_err(|error| ApiError::malformed(error.to_string()).param("Content-Range"))?;
    let expected = expected_checksums(&headers)?;
    let origin = origin_of(&headers).map(str::to_owned);
    let body = body.into_data_stream();
    match service.uploads.put(&token, origin, piece, expected, body).await? {
        Standing::Open { stored } => Ok(incomplete(stored)),
        Standing::Complete(found) => Ok(complete(&found)),
    }
}

/// Cancels an upload.
#[utoipa::path(delete, path = "/upload/v1/session/{token}", tag = "Uploads",
    params(("token" = String, Path, description = "The session's secret token.")),
    responses((status = 204, description = "The upload is cancelled."), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 410, body = ErrorBody)))]
pub(super) async fn cancel(
    State(service): State<Arc<Service>>,
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let Path(token) = path.map_err(|_| refusal::unknown())?;
    service.uploads.cancel(&token, origin_of(&headers)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// 200: the file is complete.
fn complete(found: &Checksums) -> Response {
    let mut response = StatusCode::OK.into_response();
    let headers = response.headers_mut();
    for (name, value) in [(STORAGE_HASH, found.header()), (header::ETAG.as_str(), found.tag())] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    response
}

/// 308, which in this protocol means "continue" rather than "redirect".
fn incomplete(stored: u64) -> Response {
    let mut response = StatusCode::PERMANENT_REDIRECT.into_response();
    response.extensions_mut().insert(ReasonPhrase::from_static(b"Resume Incomplete"));
    if let Some(last) = stored.checked_sub(1)
        && let Ok(value) = HeaderValue::from_str(&format!("bytes=0-{last}"))
    {
        response.headers_mut().insert(header::RANGE, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_only_safe_characters() {
        assert_eq!(file_name("My Hero-2_final.v3"), "My Hero-2_final.v3");
        assert_eq!(file_name("../../etc/passwd\0"), "etcpasswd");
        assert_eq!(file_name("走る"), "model");
        assert_eq!(file_name(&"x".repeat(100)).len(), 80);
    }

    #[test]
    fn extensions_ignore_case_and_the_leading_dot() {
        let read = |text| extension(text, "modelExt", &CHARACTER_EXTENSIONS).ok();
        assert_eq!(read(None), Some("fbx"));
        assert_eq!(read(Some(".GLB")), Some("glb"));
        assert_eq!(read(Some("obj")), None);
    }
}
