//! `GET /job/v1/script-schema` and `GET /job/v1/corrections-schema`: JSON Schemas of motion scripts
//! and of manual corrections, for editors and for programs that write them.

use std::sync::LazyLock;

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use limber_domain::hex;
use sha2::{Digest, Sha256};

use super::file::matches_tag;

/// Caching policy: the schema changes only with the version, and clients can revalidate by `ETag`.
const CACHING: &str = "public, max-age=3600";

/// A schema, serialised.
struct Served {
    text: String,
    /// The strong `ETag`. It is sent as a weak one, because the response may be compressed.
    tag: String,
}

static SCRIPTS: LazyLock<Served> =
    LazyLock::new(|| Served::of(limber_pipeline::script_schema().as_value()));
static CORRECTIONS: LazyLock<Served> =
    LazyLock::new(|| Served::of(limber_pipeline::corrections::schema().as_value()));

impl Served {
    fn of(schema: &serde_json::Value) -> Self {
        let text = format!("{schema:#}");
        let tag = format!("\"{}\"", hex(&Sha256::digest(text.as_bytes())));
        Self { text, tag }
    }

    /// Returns the schema, or 304 if the client has this version.
    fn answer(&'static self, headers: &HeaderMap) -> Response {
        let Self { text, tag } = self;
        let known =
            [(header::ETAG, format!("W/{tag}")), (header::CACHE_CONTROL, CACHING.to_owned())];
        if matches_tag(headers.get(header::IF_NONE_MATCH), tag) {
            return (StatusCode::NOT_MODIFIED, known).into_response();
        }
        let kind = [(header::CONTENT_TYPE, "application/schema+json")];
        (known, kind, text.as_str()).into_response()
    }
}

/// Returns the JSON Schema of motion scripts.
#[utoipa::path(get, path = "/job/v1/script-schema", tag = "Jobs",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag`s the client has.")),
    responses((status = 200, description = "JSON Schema, draft 2020-12.", body = serde_json::Value, content_type = "application/schema+json",
            headers(("ETag" = String, description = "Of this version of the schema."))),
        (status = 304, description = "The client has the current version.")))]
pub(super) async fn script_schema(headers: HeaderMap) -> Response {
    SCRIPTS.answer(&headers)
}

/// Returns the JSON Schema of manual corrections.
#[utoipa::path(get, path = "/job/v1/corrections-schema", tag = "Jobs",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag`s the client has.")),
    responses((status = 200, description = "JSON Schema, draft 2020-12.", body = serde_json::Value, content_type = "application/schema+json",
            headers(("ETag" = String, description = "Of this version of the schema."))),
        (status = 304, description = "The client has the current version.")))]
pub(super) async fn corrections_schema(headers: HeaderMap) -> Response {
    CORRECTIONS.answer(&headers)
}
