//! The page that keeps mail scanners from using links up: opening the link shows a button, and
//! only the button redeems it (identity behaviour, 6.8). Works without scripts.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use limber_api::identity::VerifyKind;

use crate::mail::escape_html;

/// The field of the form by which a press of the button is told from a program's request.
pub(super) const PRESSED: &str = "pressed";

const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        // no form-action: browsers would hold back the way on to the site as well
        HeaderValue::from_static(
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; \
             base-uri 'none'",
        ),
    ),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
];

/// The page for a link of this kind; the form is sent to the address the link itself has.
pub(super) fn page(kind: &str, site: &str) -> Response {
    let (title, button) = match VerifyKind::parse(kind) {
        Some(VerifyKind::Signup | VerifyKind::Email) => {
            ("Confirm your email address", "Confirm my address")
        }
        Some(VerifyKind::Invite) => ("You have been invited", "Accept the invitation"),
        Some(VerifyKind::Recovery) => ("Choose a new password", "Continue"),
        Some(VerifyKind::MagicLink) => ("Sign in", "Sign me in"),
        Some(VerifyKind::EmailChange) => ("Change your email address", "Confirm the change"),
        _ => ("Continue", "Continue"),
    };
    let html = include_str!("page.html")
        .replace("{title}", title)
        .replace("{button}", button)
        .replace("{pressed}", PRESSED)
        .replace("{site}", &escape_html(site));
    (HEADERS, Html(html)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_words_and_the_site_is_escaped() {
        for kind in VerifyKind::ALL {
            assert_eq!(page(kind.as_str(), "site.example").status(), 200);
        }
        let response = page("signup", "<script>");
        assert!(response.headers().contains_key(header::CONTENT_SECURITY_POLICY));
    }
}
