//! GETs that do something. Such addresses are those of clients in the wild; but a HEAD comes from
//! whoever only looks, such as a check of links, and must do nothing.

use axum::{
    extract::FromRequestParts,
    http::{HeaderValue, Method, header, request::Parts},
    response::{IntoResponse as _, Response},
};

use super::ApiError;

/// The first thing that the handler of such a GET takes. The router would have it answer HEAD as well;
/// this answers 405.
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
