//! Error responses. A handler only returns what went wrong; middleware writes the body, because its
//! shape depends on the request's headers (identity behaviour, 2.2).

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use limber_api::identity::{ErrorBody, ErrorCode, WeakPassword};
use serde_json::json;

use crate::refusal::{Refusal, RequestError};

const VERSION_HEADER: &str = "x-supabase-api-version";
pub(super) const CODE_HEADER: &str = "x-sb-error-code";
/// The first API version whose errors carry the machine-readable code in `code`.
const NEW_SHAPE: &str = "2024-01-01";
/// `Retry-After` of temporary failures for which nothing better is known, in seconds.
const RETRY_AFTER_S: u64 = 2;
const UNEXPECTED: &str = "Unexpected failure, please check server logs for more information";

/// The return type of handlers.
pub(super) type Answer<T> = Result<T, ApiError>;

/// A request error whose response body has not been written yet.
#[derive(Debug)]
pub(crate) struct ApiError(RequestError);

impl ApiError {
    /// Tells whether the caller, not the service, is at fault.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(&self.0, RequestError::Refused(refusal) if refusal.status < 500)
    }

    /// Whether another request stood in the way, or too many came.
    pub(super) fn is_contention(&self) -> bool {
        let is_conflict = |refusal: &Refusal| matches!(refusal.code, ErrorCode::Conflict);
        matches!(&self.0, RequestError::Refused(refusal) if refusal.status == 503 && is_conflict(refusal))
    }

    /// Turns an internal failure into a temporary one, for clients that would end their session at
    /// a 500. The log has the cause.
    pub(super) fn for_later(self) -> Self {
        match self.0 {
            RequestError::Failed(cause) => {
                tracing::error!(error = %chain(&*cause), "request failed");
                Refusal::new(503, ErrorCode::UnexpectedFailure, UNEXPECTED).into()
            }
            passing => Self(passing),
        }
    }
}

impl<E: Into<RequestError>> From<E> for ApiError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

#[derive(Clone)]
struct Unshaped(Arc<RequestError>);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
        response.extensions_mut().insert(Unshaped(Arc::new(self.0)));
        response
    }
}

/// Writes the body of an error response; passes every other response through.
pub(super) fn shape(response: Response, asked: &HeaderMap, request_id: &str) -> Response {
    let Some(Unshaped(error)) = response.extensions().get::<Unshaped>().cloned() else {
        return response;
    };
    let refusal = match &*error {
        RequestError::Refused(refusal) => (**refusal).clone(),
        RequestError::Away(cause) => {
            tracing::error!(
                request.id = request_id, error = %chain(cause),
                "the database is unavailable"
            );
            Refusal::database_away()
        }
        RequestError::Failed(cause) => {
            tracing::error!(request.id = request_id, error = %chain(&**cause), "request failed");
            Refusal::new(500, ErrorCode::UnexpectedFailure, UNEXPECTED)
        }
    };
    let mut shaped = body(&refusal, wants_new_shape(asked), request_id);
    let headers = shaped.headers_mut();
    // Keep the allowed methods of a 405 response.
    if let Some(allowed) = response.headers().get(header::ALLOW) {
        headers.insert(header::ALLOW, allowed.clone());
    }
    headers.insert(CODE_HEADER, HeaderValue::from_static(refusal.code.as_str()));
    if wants_new_shape(asked) {
        headers.insert(VERSION_HEADER, HeaderValue::from_static(NEW_SHAPE));
    }
    let passes = matches!(refusal.status, 503 | 504).then_some(RETRY_AFTER_S);
    if let Some(seconds) = refusal.retry_after_s.or(passes) {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    shaped
}

fn body(refusal: &Refusal, new_shape: bool, request_id: &str) -> Response {
    let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let weak_password = (!refusal.weak_password.is_empty())
        .then(|| WeakPassword { message: String::new(), reasons: refusal.weak_password.clone() });
    let error_id = (refusal.status >= 500).then(|| request_id.to_owned());
    if new_shape {
        let mut body = json!({"code": refusal.code, "message": refusal.message});
        if let Some(weak) = weak_password {
            body["weak_password"] = json!(weak);
        }
        if let Some(id) = error_id {
            body["error_id"] = json!(id);
        }
        return (status, axum::Json(body)).into_response();
    }
    let body = ErrorBody {
        code: refusal.status,
        error_code: refusal.code,
        msg: refusal.message.clone().into_owned(),
        error_id,
        weak_password,
    };
    (status, axum::Json(body)).into_response()
}

/// Tells whether the client asked for the newer error shape. An unparsable version date counts as
/// none.
fn wants_new_shape(asked: &HeaderMap) -> bool {
    asked
        .get(VERSION_HEADER)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<chrono::NaiveDate>().ok())
        .is_some_and(|date| date >= NEW_SHAPE.parse().expect("a constant date parses"))
}

/// Returns the error as OAuth redirect parameters (6.8).
pub(super) fn as_redirect_error(error: &ApiError) -> Vec<(&'static str, String)> {
    let (status, code, message) = match &error.0 {
        RequestError::Refused(refusal) => {
            (refusal.status, refusal.code, refusal.message.clone().into_owned())
        }
        RequestError::Away(cause) => {
            tracing::error!(error = %chain(cause), "the database is unavailable");
            let refusal = Refusal::database_away();
            (refusal.status, refusal.code, refusal.message.into_owned())
        }
        RequestError::Failed(cause) => {
            tracing::error!(error = %chain(&**cause), "request failed");
            (500, ErrorCode::UnexpectedFailure, UNEXPECTED.to_owned())
        }
    };
    let word = match status {
        400 => Some("invalid_request"),
        401 => Some("unauthorized_client"),
        403 => Some("access_denied"),
        500 => Some("server_error"),
        503 => Some("temporarily_unavailable"),
        _ => None,
    };
    let mut pairs: Vec<(&'static str, String)> = Vec::new();
    pairs.extend(word.map(|word| ("error", word.to_owned())));
    pairs.push(("error_code", code.as_str().to_owned()));
    pairs.push(("error_description", message));
    pairs
}

/// Formats an error with all its causes, for the log.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}
