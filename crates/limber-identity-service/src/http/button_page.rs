//! A page with a single button, for actions that opening a URL must not trigger. Works without
//! scripts.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};

use crate::mail::escape_html;

/// Name of the form field that distinguishes a press of the button from an API request.
pub(super) const PRESSED: &str = "pressed";

const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        // There is no `form-action`, because browsers would also apply it to the redirect that
        // follows.
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

/// Contents of the page. The form is posted to the page's own URL.
pub(super) struct ButtonPage<'a> {
    pub(super) title: &'a str,
    pub(super) words: &'a str,
    pub(super) button: &'a str,
    /// Value of the [`PRESSED`] field.
    pub(super) value: &'a str,
    pub(super) site: &'a str,
}

impl IntoResponse for ButtonPage<'_> {
    fn into_response(self) -> Response {
        // User and operator text is inserted last, so that placeholders in it are not expanded.
        let html = include_str!("button_page.html")
            .replace("{pressed}", PRESSED)
            .replace("{value}", &escape_html(self.value))
            .replace("{button}", &escape_html(self.button))
            .replace("{title}", &escape_html(self.title))
            .replace("{site}", &escape_html(self.site))
            .replace("{words}", &escape_html(self.words));
        (HEADERS, Html(html)).into_response()
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test]
    async fn the_button_page_is_escaped_and_cannot_be_framed() {
        let evil = "<script>\"'";
        let page = ButtonPage { title: evil, words: evil, button: evil, value: evil, site: evil };
        let response = page.into_response();
        let policy = &response.headers()[header::CONTENT_SECURITY_POLICY];
        assert!(policy.to_str().expect("text").contains("frame-ancestors 'none'"));
        let body = to_bytes(response.into_body(), 1 << 20).await.expect("a page");
        let text = String::from_utf8(body.to_vec()).expect("text");
        assert!(!text.contains(evil) && text.contains("&lt;script&gt;"), "{text}");
        assert!(!text.contains("{title}") && !text.contains("{value}"), "{text}");
    }
}
