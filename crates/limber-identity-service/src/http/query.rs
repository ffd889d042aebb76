//! Query parameters by name. The first of several wins; unknown ones are ignored.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// The query parameters of a request.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn of(parts: &Parts) -> Self {
        let text = parts.uri.query().unwrap_or_default();
        let pairs = url::form_urlencoded::parse(text.as_bytes()).into_owned();
        // PostgreSQL cannot store NUL characters, and no legitimate value contains one.
        Self(pairs.filter(|(_, value)| !value.contains('\0')).collect())
    }

    /// Returns all parameters, in order.
    pub(super) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// Returns a parameter's value. An empty value counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, v)| n == name && !v.is_empty()).map(|(_, v)| v.as_str())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}
