//! The page that keeps mail scanners from consuming links: opening the link shows a button, and
//! only the button redeems it (identity behaviour, 6.8).

use axum::response::{IntoResponse, Response};
use limber_api::identity::VerifyKind;

use crate::http::button_page::ButtonPage;

/// Returns the page for a link of this kind. Its form is posted to the link's own URL.
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
    let words = format!("Press the button to continue to {site}.");
    ButtonPage { title, words: &words, button, value: "yes", site }.into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_link_has_page_texts() {
        for kind in VerifyKind::ALL {
            assert_eq!(page(kind.as_str(), "site.example").status(), 200);
        }
    }
}
