//! Path parameters. One that is not valid UTF-8 is answered like any path that does not exist.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::answer::{Answer, ApiError};
use crate::refusal::NO_SUCH_PATH;

/// Parses an id. The nil UUID is rejected, because elsewhere it means "none".
pub(super) fn id(name: &str) -> Option<Uuid> {
    name.parse().ok().filter(|id: &Uuid| !id.is_nil())
}

/// The path parameters, in order.
pub(super) struct Path<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let names = axum::extract::Path::from_request_parts(parts, state).await;
        names.map(|axum::extract::Path(names)| Self(names)).map_err(|_| NO_SUCH_PATH.into())
    }
}
