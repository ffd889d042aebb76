//! Query parameters by name; the first wins, unknown ones are ignored.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// The parameters of one request.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn of(parts: &Parts) -> Self {
        let text = parts.uri.query().unwrap_or_default();
        let pairs = url::form_urlencoded::parse(text.as_bytes()).into_owned();
        // the database cannot keep this character, and nobody means it
        Self(pairs.filter(|(_, value)| !value.contains('\0')).collect())
    }

    /// All of them, in their order.
    pub(super) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// Empty counts as absent.
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
