//! `GET /job/v1/script-schema`: what a motion script may hold, for editors and programs that write one.

use std::sync::LazyLock;

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use super::file::matches_tag;
use crate::files::hex;

/// It changes with the program alone, and who has it asks only whether it still is the same.
const CACHING: &str = "public, max-age=3600";

/// The schema as it is served.
struct Served {
    text: String,
    /// A strong one; what is sent is weak, because the bytes may be compressed.
    tag: String,
}

static SCHEMA: LazyLock<Served> = LazyLock::new(|| {
    let schema = limber_pipeline::script_schema();
    let text = format!("{:#}", schema.as_value());
    let tag = format!("\"{}\"", hex(&Sha256::digest(text.as_bytes())));
    Served { text, tag }
});

/// The JSON Schema of motion scripts.
#[utoipa::path(get, path = "/job/v1/script-schema", tag = "Jobs",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag`s that are known.")),
    responses((status = 200, description = "JSON Schema, draft 2020-12.", body = serde_json::Value, content_type = "application/schema+json",
            headers(("ETag" = String, description = "Of this version of the schema."))),
        (status = 304, description = "As it is known.")))]
pub(super) async fn script_schema(headers: HeaderMap) -> Response {
    let Served { text, tag } = &*SCHEMA;
    let known = [(header::ETAG, format!("W/{tag}")), (header::CACHE_CONTROL, CACHING.to_owned())];
    if matches_tag(headers.get(header::IF_NONE_MATCH), tag) {
        return (StatusCode::NOT_MODIFIED, known).into_response();
    }
    let kind = [(header::CONTENT_TYPE, "application/schema+json")];
    (known, kind, text.as_str()).into_response()
}
