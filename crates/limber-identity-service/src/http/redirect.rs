//! Redirects that carry a result in their URL.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use limber_api::identity::SessionResponse;
use url::{Url, form_urlencoded};

use super::answer::ApiError;
use crate::refusal::VERIFY_UNKNOWN_LINK_TYPE;

/// Names and values for a query or fragment.
pub(super) type Pairs = Vec<(&'static str, String)>;

/// Returns the fragment that signs a client in.
pub(super) fn session_pairs(session: &SessionResponse) -> Pairs {
    vec![
        ("access_token", session.access_token.clone()),
        ("expires_at", session.expires_at.to_string()),
        ("expires_in", session.expires_in.to_string()),
        ("refresh_token", session.refresh_token.clone()),
        ("sb", String::new()),
        ("token_type", session.token_type.clone()),
    ]
}

/// Appends the empty `sb` marker by which clients recognise the fragment as ours.
pub(super) fn with_marker(mut pairs: Pairs) -> Pairs {
    pairs.push(("sb", String::new()));
    pairs
}

/// Redirects to `target`, adding `query` to its query and replacing its fragment by `fragment`.
pub(super) fn redirect(
    status: StatusCode,
    target: &str,
    query: &[(&'static str, String)],
    fragment: &[(&'static str, String)],
) -> Response {
    let Ok(mut url) = Url::parse(target) else {
        return ApiError::from(VERIFY_UNKNOWN_LINK_TYPE).into_response();
    };
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    if !fragment.is_empty() {
        let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(fragment).finish();
        url.set_fragment(Some(&text));
    }
    (status, [(header::LOCATION, String::from(url))]).into_response()
}
