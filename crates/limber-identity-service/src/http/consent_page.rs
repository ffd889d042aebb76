//! `GET` and `POST /authorize/continue`: a consent page, shown before a browser goes to a provider
//! for a sign-in that a client began elsewhere. A victim who is sent its URL by an attacker is told
//! what they would agree to.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use limber_api::identity::ProviderName;
use secrecy::ExposeSecret;
use subtle::ConstantTimeEq;

use super::answer::Answer;
use super::authorize::same_site_of;
use super::body::RawBody;
use super::browser_cookie::{BrowserCookie, SameSite};
use super::button_page::{ButtonPage, PRESSED};
use super::callback::redirect_to_site;
use super::query::Query;
use super::request_context::RateKey;
use crate::domain::external::authorize::{
    ConsentDetails, consent_details, give_consent, new_cookie,
};
use crate::instance::Instance;
use crate::rate_limits::Endpoint;
use crate::refusal::{STATE_MISSING, STATE_OF_ANOTHER_BROWSER};

/// Shows the consent page for going on to a provider.
#[utoipa::path(get, path = "/authorize/continue", tag = "Sessions",
    params(("state" = String, Query, description = "The `state` of the sign-in in progress.")),
    responses((status = 200, description = "A page with a button.", body = String, content_type = "text/html"),
        (status = 303, description = "Redirect to the site: no sign-in with this state is waiting \
                                      for consent.")))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    query: Query,
    rate: RateKey,
) -> Answer<Response> {
    rate.check(&instance, Endpoint::Authorize)?;
    let Some(state) = query.get("state") else {
        return Ok(redirect_to_site(&instance, &STATE_MISSING.into()));
    };
    let details = match consent_details(&instance, state).await {
        Ok(details) => details,
        Err(error) => return Ok(redirect_to_site(&instance, &error.into())),
    };
    // Proves that the button was pressed on this page and not on a forged one (CSRF protection).
    let proof = new_cookie(&instance);
    let cookie = BrowserCookie::of(&instance, state).set(proof.expose_secret(), SameSite::Strict);
    let site = instance.config.site_url.host_str().unwrap_or_default();
    let page = render(&details, site, proof.expose_secret());
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), page).into_response())
}

fn render(details: &ConsentDetails, site: &str, proof: &str) -> Response {
    let provider = ProviderName::parse(&details.provider).map_or("", display_name);
    let (title, words) = match &details.link_to {
        Some(account) => (
            format!("Add your {provider} account?"),
            format!(
                "From now on, anyone who signs in with your {provider} account will be signed in \
                 to {account} at {site}. Continue only if {account} is you and you started this \
                 yourself."
            ),
        ),
        None => (
            format!("Sign in with {provider}?"),
            format!("You will continue to {provider} and return signed in to {site}."),
        ),
    };
    let button = format!("Continue to {provider}");
    let page = ButtonPage { title: &title, words: &words, button: &button, value: proof, site };
    page.into_response()
}

/// Redirects the browser to the provider and sets the cookie that it must bring back.
#[utoipa::path(post, path = "/authorize/continue", tag = "Sessions",
    params(("state" = String, Query, description = "The `state` of the sign-in in progress.")),
    responses((status = 303, description = "Redirect to the provider; or to the site, if no \
                                            sign-in with this state is waiting for consent, or the \
                                            button was not pressed in this browser.")))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    query: Query,
    rate: RateKey,
    headers: HeaderMap,
    body: RawBody,
) -> Answer<Response> {
    rate.check(&instance, Endpoint::Authorize)?;
    let Some(state) = query.get("state") else {
        return Ok(redirect_to_site(&instance, &STATE_MISSING.into()));
    };
    let cookie = BrowserCookie::of(&instance, state);
    let pressed = body.form_field(PRESSED).unwrap_or_default();
    if !was_pressed_here(&headers, cookie.read(&headers), &pressed) {
        return Ok(redirect_to_site(&instance, &STATE_OF_ANOTHER_BROWSER.into()));
    }
    Ok(match give_consent(&instance, state).await {
        Ok((provider, to, kept)) => {
            let kept = cookie.set(kept.expose_secret(), same_site_of(provider));
            let to = [(header::LOCATION, String::from(to))];
            (StatusCode::SEE_OTHER, AppendHeaders([(header::SET_COOKIE, kept)]), to).into_response()
        }
        Err(error) => redirect_to_site(&instance, &error.into()),
    })
}

/// Tells whether the button was pressed on our own page: the cookie must match the form field, and
/// `Sec-Fetch-Site`, if the browser sends it, must be `same-origin`.
fn was_pressed_here(headers: &HeaderMap, cookie: Option<&str>, pressed: &str) -> bool {
    let from = headers.get("sec-fetch-site").and_then(|from| from.to_str().ok());
    let cookie_matches = cookie.is_some_and(|cookie| {
        !cookie.is_empty() && bool::from(cookie.as_bytes().ct_eq(pressed.as_bytes()))
    });
    cookie_matches && from.is_none_or(|from| from == "same-origin")
}

/// Returns the provider's display name.
fn display_name(provider: ProviderName) -> &'static str {
    match provider {
        ProviderName::Apple => "Apple",
        ProviderName::Azure => "Microsoft",
        ProviderName::Bitbucket => "Bitbucket",
        ProviderName::Discord => "Discord",
        ProviderName::Facebook => "Facebook",
        ProviderName::Figma => "Figma",
        ProviderName::Github => "GitHub",
        ProviderName::Gitlab => "GitLab",
        ProviderName::Google => "Google",
        ProviderName::Keycloak => "Keycloak",
        ProviderName::Linkedin => "LinkedIn",
        ProviderName::Notion => "Notion",
        ProviderName::Snapchat => "Snapchat",
        ProviderName::Spotify => "Spotify",
        ProviderName::Slack => "Slack",
        ProviderName::Twitch => "Twitch",
        ProviderName::Twitter => "Twitter",
        ProviderName::Workos => "WorkOS",
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_button_only_counts_on_our_own_page() {
        let none = HeaderMap::new();
        assert!(was_pressed_here(&none, Some("a"), "a"));
        for (cookie, pressed) in [(None, "a"), (Some("b"), "a"), (Some(""), ""), (None, "")] {
            assert!(!was_pressed_here(&none, cookie, pressed), "{cookie:?} {pressed}");
        }
        for (from, counts) in [("same-origin", true), ("same-site", false), ("cross-site", false)] {
            let mut headers = HeaderMap::new();
            headers.insert("sec-fetch-site", HeaderValue::from_static(from));
            assert_eq!(was_pressed_here(&headers, Some("a"), "a"), counts, "{from}");
        }
    }
}
