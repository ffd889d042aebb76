//! A page with one button, for what must not happen by opening an address alone. Works without
//! scripts.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};

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

/// What stands on the page. The form is sent to the address that the page itself has.
pub(super) struct ButtonPage<'a> {
    pub(super) title: &'a str,
    pub(super) words: &'a str,
    pub(super) button: &'a str,
    /// What [`PRESSED`] says.
    pub(super) value: &'a str,
    pub(super) site: &'a str,
}

impl IntoResponse for ButtonPage<'_> {
    fn into_response(self) -> Response {
        // what people or operators wrote comes last, so that no placeholder in it is filled
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
    async fn what_stands_on_it_is_escaped_and_no_frame_shows_it() {
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
