//! `GET /job/v1/script-schema` and `GET /job/v1/corrections-schema`: what motion scripts and corrections by
//! hand may hold, for editors and programs that write them.

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

    /// To somebody who may know it already.
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

/// The JSON Schema of motion scripts.
#[utoipa::path(get, path = "/job/v1/script-schema", tag = "Jobs",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag`s that are known.")),
    responses((status = 200, description = "JSON Schema, draft 2020-12.", body = serde_json::Value, content_type = "application/schema+json",
            headers(("ETag" = String, description = "Of this version of the schema."))),
        (status = 304, description = "As it is known.")))]
pub(super) async fn script_schema(headers: HeaderMap) -> Response {
    SCRIPTS.answer(&headers)
}

/// The JSON Schema of corrections by hand.
#[utoipa::path(get, path = "/job/v1/corrections-schema", tag = "Jobs",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag`s that are known.")),
    responses((status = 200, description = "JSON Schema, draft 2020-12.", body = serde_json::Value, content_type = "application/schema+json",
            headers(("ETag" = String, description = "Of this version of the schema."))),
        (status = 304, description = "As it is known.")))]
pub(super) async fn corrections_schema(headers: HeaderMap) -> Response {
    CORRECTIONS.answer(&headers)
}
