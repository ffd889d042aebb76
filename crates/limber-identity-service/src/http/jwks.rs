//! `GET /.well-known/jwks.json`: the public keys for verifying access tokens.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use limber_api::identity::JwkSet;

use crate::instance::Instance;

/// Returns the public keys for verifying access tokens.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "Service", responses((status = 200, body = JwkSet)))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
) -> ([(HeaderName, &'static str); 1], Json<JwkSet>) {
    let keys = JwkSet { keys: instance.keys.public.clone() };
    ([(header::CACHE_CONTROL, "public, max-age=600")], Json(keys))
}
