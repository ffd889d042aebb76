//! `GET /authorize` and `GET /user/identities/authorize`: start of a sign-in through a provider
//! (6.16, 6.18).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use limber_api::identity::{ErrorCode, ProviderAddress, ProviderName};
use secrecy::ExposeSecret;
use url::Url;
use url::form_urlencoded::Serializer;

use super::answer::Answer;
use super::browser_cookie::{BrowserCookie, SameSite};
use super::caller::AuthenticatedUser;
use super::factors::member;
use super::openapi::RedirectTo;
use super::query::Query;
use super::request_context::RateKey;
use crate::domain::external::authorize::{NextStep, SignInRequest, begin};
use crate::domain::factors::Member;
use crate::instance::{Instance, RequestContext};
use crate::providers::{AuthorizeParams, Providers};
use crate::rate_limits::Endpoint;
use crate::refusal::{LINKING_DISABLED, Refusal};
use crate::tokens::pkce::Challenge;

/// Query parameter that asks for the provider's URL in the body instead of a redirect.
const SKIP_HTTP_REDIRECT: &str = "skip_http_redirect";

/// Redirects a browser to a provider to sign in.
#[utoipa::path(get, path = "/authorize", tag = "Sessions", params(("provider" = String, Query, description = "Name of the provider."), RedirectTo),
    responses((status = 302, description = "Redirect to the provider.")))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    query: Query,
    context: RequestContext,
    rate: RateKey,
) -> Answer<Response> {
    rate.check(&instance, Endpoint::Authorize)?;
    start_sign_in(&instance, &query, &context, None).await
}

/// Redirects a browser to a provider to link an identity to the signed-in account.
#[utoipa::path(get, path = "/user/identities/authorize", tag = "Accounts", security(("person" = [])),
    params(("provider" = String, Query, description = "Name of the provider."), RedirectTo),
    responses((status = 200, body = ProviderAddress), (status = 302, description = "Redirect to the provider.")))]
pub(super) async fn link(
    State(instance): State<Arc<Instance>>,
    user: AuthenticatedUser,
    query: Query,
    context: RequestContext,
) -> Answer<Response> {
    if !instance.config.external.manual_linking {
        return Err(LINKING_DISABLED.into());
    }
    start_sign_in(&instance, &query, &context, Some(member(&user))).await
}

async fn start_sign_in(
    instance: &Instance,
    query: &Query,
    context: &RequestContext,
    link_to: Option<Member>,
) -> Answer<Response> {
    let word = query.get("provider").unwrap_or_default();
    let Some(provider) = ProviderName::parse(&word.to_ascii_lowercase()) else {
        let text = format!("Unsupported provider: Provider {word:.40} could not be found");
        return Err(Refusal::with_text(400, ErrorCode::ValidationFailed, text).into());
    };
    let challenge =
        Challenge::read(query.get("code_challenge"), query.get("code_challenge_method"))?;
    let is_from_browser = query.get(SKIP_HTTP_REDIRECT) != Some("true");
    let has_usual_audience = context.aud == instance.config.jwt.audience;
    if !is_from_browser && challenge.is_none() && link_to.is_none() && has_usual_audience {
        instance.providers.require(provider)?;
        return Ok(url_response(again(instance, query, context)));
    }
    let request = SignInRequest {
        provider,
        params: AuthorizeParams { scopes: scopes(query), parameters: query.pairs().to_vec() },
        challenge,
        invite_token: query.get("invite_token").map(str::to_owned),
        link_to,
        is_from_browser,
    };
    Ok(match begin(instance, request, context).await? {
        NextStep::PkceRedirect(to) if is_from_browser => redirect(to),
        NextStep::PkceRedirect(to) => url_response(to.into()),
        NextStep::Redirect { to, state, cookie } => {
            let kept = BrowserCookie::of(instance, &state);
            let kept = kept.set(cookie.expose_secret(), same_site_of(provider));
            (AppendHeaders([(header::SET_COOKIE, kept)]), redirect(to)).into_response()
        }
        NextStep::Consent { state } => {
            url_response(address(instance, "authorize/continue", [("state", state.as_str())]))
        }
    })
}

fn redirect(to: Url) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, String::from(to))]).into_response()
}

fn url_response(url: String) -> Response {
    Json(ProviderAddress { url }).into_response()
}

/// Returns how the browser will come back from this provider, which determines the cookie's
/// `SameSite`.
pub(super) fn same_site_of(provider: ProviderName) -> SameSite {
    if Providers::comes_back_by_form(provider) { SameSite::NoneIfSecure } else { SameSite::Lax }
}

/// Returns the client's request as a URL for the browser to open. Only when the browser itself
/// makes the request can it be given a cookie that identifies it.
fn again(instance: &Instance, query: &Query, context: &RequestContext) -> String {
    let ours = [SKIP_HTTP_REDIRECT, "redirect_to"];
    let theirs = query.pairs().iter().filter(|(name, _)| !ours.contains(&name.as_str()));
    let theirs = theirs.map(|(name, value)| (name.as_str(), value.as_str()));
    // The redirect target may have come from a header.
    address(instance, "authorize", theirs.chain([("redirect_to", context.redirect_to.as_str())]))
}

fn address<'a>(
    instance: &Instance,
    path: &str,
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    let base = instance.config.external_url.as_str().trim_end_matches('/');
    let query = Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("{base}/{path}?{query}")
}

fn scopes(query: &Query) -> Vec<String> {
    let text = query.get("scopes").unwrap_or_default();
    text.split(',').map(str::trim).filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
}
