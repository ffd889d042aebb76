//! GET routes with side effects. Existing clients require these routes, but a HEAD request, for
//! example from a link checker, must not trigger the side effect.

use axum::{
    extract::FromRequestParts,
    http::{HeaderValue, Method, header, request::Parts},
    response::{IntoResponse as _, Response},
};

use super::ApiError;

/// An extractor that rejects HEAD with 405, which the router would otherwise route to the GET
/// handler. It must be the handler's first argument.
#[derive(Debug)]
pub(super) struct Acting;

impl<S: Send + Sync> FromRequestParts<S> for Acting {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        if parts.method != Method::HEAD {
            return Ok(Self);
        }
        let mut response = ApiError::method_not_allowed().into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET"));
        Err(response)
    }
}
