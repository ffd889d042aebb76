//! The error response that all routes share.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use limber_api::motion::{ErrorBody, ParameterProblem};
use serde_json::{Value, json};

use crate::{FilesError, StoreError};

/// An error response. The request id is added when the response is sent.
#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    status: StatusCode,
    kind: &'static str,
    code: Option<u16>,
    message: String,
    param: Option<String>,
    details: Option<Value>,
    pub(super) retry_after_s: Option<u64>,
    pub(super) ask_for_basic: bool,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            code: None,
            message: message.into(),
            param: None,
            details: None,
            retry_after_s: None,
            ask_for_basic: false,
        }
    }

    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed_request", message)
    }

    pub(super) fn not_authenticated() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "not_authenticated",
            "there is no valid session; authenticate with client id and secret at /account/v1/auth",
        )
    }

    pub(super) fn job_not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "job_not_found", "there is no such job; check the rid")
    }

    pub(super) fn route_not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "route_not_found",
            "there is nothing at this address; check the path",
        )
    }

    pub(super) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "this address does not support this method; the Allow header lists those it supports",
        )
    }

    pub(super) fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the service had an internal error; try again, and quote the requestId to the operator",
        )
        .code(498)
    }

    pub(super) fn unavailable(message: impl Into<String>, retry_after_s: u64) -> Self {
        let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message);
        error.retry_after_s = Some(retry_after_s);
        error
    }

    /// 503: the database does not respond.
    pub(super) fn database_away() -> Self {
        Self::unavailable("the service's database does not respond; try again in a moment", 2)
    }

    pub(super) fn rate_limited(retry_after_s: u64) -> Self {
        let message = format!("too many requests; wait {retry_after_s} s");
        let mut error = Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message);
        error.retry_after_s = Some(retry_after_s);
        error
    }

    /// 422 with one problem.
    pub(super) fn invalid(param: &str, code: u16, message: impl Into<String>) -> Self {
        let problem = ParameterProblem { param: param.to_owned(), message: message.into(), code };
        Self::invalid_parameters(&[problem])
    }

    /// 422 with all problems; the first one also fills the top-level fields.
    pub(super) fn invalid_parameters(problems: &[ParameterProblem]) -> Self {
        let mut error = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_parameter", "");
        if let Some(first) = problems.first() {
            error.message.clone_from(&first.message);
            error.param = Some(first.param.clone());
            error.code = Some(first.code);
        }
        error.details = Some(json!({ "errors": problems }));
        error
    }

    /// Returns the stable machine-readable error type.
    pub(super) const fn kind(&self) -> &'static str {
        self.kind
    }

    pub(super) const fn code(mut self, code: u16) -> Self {
        self.code = Some(code);
        self
    }

    pub(super) fn param(mut self, param: &str) -> Self {
        self.param = Some(param.to_owned());
        self
    }

    pub(super) const fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    pub(super) fn details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// Adds a member to `details`.
    pub(super) fn also(mut self, name: &str, value: Value) -> Self {
        let details = self.details.get_or_insert_with(|| json!({}));
        if let Value::Object(details) = details {
            details.insert(name.to_owned(), value);
        }
        self
    }

    pub(super) fn body(&self, request_id: &str) -> ErrorBody {
        ErrorBody {
            message: self.message.clone(),
            code: self.code,
            kind: self.kind.to_owned(),
            param: self.param.clone(),
            details: self.details.clone(),
            request_id: request_id.to_owned(),
        }
    }
}

impl IntoResponse for ApiError {
    /// Returns a response without body that carries the error as an extension; `request_id` writes
    /// the body.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        tracing::error!(error = &error as &dyn std::error::Error, "a request failed: {error}");
        if error.is_away() {
            return Self::database_away();
        }
        Self::internal()
    }
}

impl From<FilesError> for ApiError {
    fn from(error: FilesError) -> Self {
        match error {
            FilesError::Gone => Self::new(
                StatusCode::GONE,
                "gone",
                "the file was removed after its retention period; submit the job again",
            ),
            // a damaged file is as useless as a missing one
            FilesError::Damaged => {
                tracing::error!("a stored file is damaged and is not served");
                Self::new(
                    StatusCode::GONE,
                    "gone",
                    "the stored file is damaged, so it is not served; submit the job again",
                )
            }
            FilesError::Away(error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "the file store does not respond: {error}"
                );
                Self::unavailable(
                    "the file store does not respond; nothing is lost, try again in a moment",
                    5,
                )
            }
            other => {
                tracing::error!(error = &other as &dyn std::error::Error, "a file failed: {other}");
                Self::internal()
            }
        }
    }
}
