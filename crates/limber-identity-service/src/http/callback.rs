//! `GET` and `POST /callback`: return from a provider (6.17). Apple posts a form.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;

use super::answer::{Answer, ApiError, as_redirect_error};
use super::body::RawBody;
use super::browser_cookie::BrowserCookie;
use super::query::Query;
use super::redirect::{Pairs, redirect, session_pairs, with_marker};
use crate::domain::external::callback::{CallbackOutcome, CallbackParams, finish, take};
use crate::instance::{Instance, RequestContext};
use crate::store::provider_flows::ProviderFlowRow;

/// Maximum length of an error text from the provider. Longer ones are truncated, because they
/// become part of a URL.
const MAX_DESCRIPTION_CHARS: usize = 300;

/// The callback's parameters, wherever they were sent.
struct Parameters {
    query: Query,
    headers: HeaderMap,
    body: RawBody,
}

impl Parameters {
    fn get(&self, name: &str) -> Option<String> {
        let from_form = || self.body.form_field(name).filter(|text| !text.is_empty());
        self.query.get(name).map(str::to_owned).or_else(from_form)
    }
}

/// Handles the return from a provider and redirects to the site.
#[utoipa::path(get, path = "/callback", tag = "Sessions",
    params(("state" = String, Query, description = "The `state` from the redirect to the \
                                                    provider.")),
    responses((status = 302, description = "Redirect to the site; the result is in the fragment or \
                                            query."),
        (status = 303, description = "Redirect to the site: this browser did not start the sign-in \
                                      with this state.")))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    query: Query,
    context: RequestContext,
    headers: HeaderMap,
    body: RawBody,
) -> Response {
    handle(&instance, Parameters { query, headers, body }, &context).await
}

/// Handles the return from a provider that posts a form.
#[utoipa::path(post, path = "/callback", tag = "Sessions",
    responses((status = 302, description = "Redirect to the site; the result is in the fragment or \
                                            query."),
        (status = 303, description = "Redirect to the site: this browser did not start the sign-in \
                                      with this state.")))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    query: Query,
    context: RequestContext,
    headers: HeaderMap,
    body: RawBody,
) -> Response {
    handle(&instance, Parameters { query, headers, body }, &context).await
}

/// Checks a callback URL without consuming it.
#[utoipa::path(head, path = "/callback", tag = "Sessions", responses((status = 200, description = "Nothing happened.")))]
pub(super) async fn head() -> StatusCode {
    StatusCode::OK
}

async fn handle(instance: &Instance, parameters: Parameters, context: &RequestContext) -> Response {
    let state = parameters.get("state");
    let cookie = state.as_deref().map(|state| BrowserCookie::of(instance, state));
    let cookie_value = cookie.as_ref().and_then(|cookie| cookie.read(&parameters.headers));
    let mut response = match take(instance, state.as_deref(), cookie_value).await {
        Ok(flow) => complete(instance, flow, &parameters, context).await,
        Err(error) => redirect_to_site(instance, &error.into()),
    };
    if cookie_value.is_some()
        && let Some(cookie) = &cookie
    {
        // The cookie has served its purpose.
        response.headers_mut().append(header::SET_COOKIE, cookie.clear());
    }
    response
}

/// Redirects to the site, for errors where the intended redirect target is unknown.
pub(super) fn redirect_to_site(instance: &Instance, error: &ApiError) -> Response {
    redirect(StatusCode::SEE_OTHER, instance.config.site_url.as_str(), &error_pairs(error), &[])
}

async fn complete(
    instance: &Instance,
    flow: ProviderFlowRow,
    parameters: &Parameters,
    context: &RequestContext,
) -> Response {
    let (target, provider) = (flow.redirect_to.clone(), flow.provider.clone());
    if let Some(pairs) = provider_error(parameters) {
        return redirect(StatusCode::FOUND, &target, &pairs, &with_marker(pairs.clone()));
    }
    let params = CallbackParams {
        code: parameters.get("code"),
        oauth_token: parameters.get("oauth_token"),
        oauth_verifier: parameters.get("oauth_verifier"),
        user: parameters.get("user"),
    };
    let outcome: Answer<CallbackOutcome> =
        finish(instance, flow, &params, context).await.map_err(ApiError::from);
    match outcome {
        Ok(CallbackOutcome::AuthCode(code)) => {
            redirect(StatusCode::FOUND, &target, &[("code", code)], &[])
        }
        Ok(CallbackOutcome::SignedIn(session)) => {
            let mut pairs = session_pairs(&session);
            pairs.push(("provider", provider));
            pairs.extend(session.provider_token.map(|token| ("provider_token", token)));
            let refresh = session.provider_refresh_token;
            pairs.extend(refresh.map(|token| ("provider_refresh_token", token)));
            redirect(StatusCode::FOUND, &target, &[], &pairs)
        }
        Err(error) => {
            let pairs = error_pairs(&error);
            redirect(StatusCode::FOUND, &target, &pairs, &with_marker(pairs.clone()))
        }
    }
}

/// Returns the provider's own error, to be passed on. OAuth 1.0a signals it by `denied`.
fn provider_error(parameters: &Parameters) -> Option<Pairs> {
    let denied = || parameters.get("denied").map(|_| "access_denied".to_owned());
    let error = parameters.get("error").or_else(denied)?;
    let description = parameters
        .get("error_description")
        .unwrap_or_else(|| "The sign-in was not completed at the provider".to_owned());
    let short = |text: &str| text.chars().take(MAX_DESCRIPTION_CHARS).collect::<String>();
    Some(vec![
        ("error", short(&error)),
        ("error_code", "bad_oauth_callback".to_owned()),
        ("error_description", short(&description)),
    ])
}

/// Returns the error parameters as for links, except that obstacles on the user's side become
/// `access_denied` and errors without an OAuth code become `server_error`.
fn error_pairs(error: &ApiError) -> Pairs {
    let mut pairs = as_redirect_error(error);
    let code = pairs.iter().find(|(name, _)| *name == "error_code").map(|(_, code)| code.as_str());
    let word = match code {
        Some("signup_disabled" | "user_banned" | "provider_email_needs_verification") => {
            Some("access_denied")
        }
        _ if pairs.iter().any(|(name, _)| *name == "error") => None,
        _ => Some("server_error"),
    };
    if let Some(word) = word {
        pairs.retain(|(name, _)| *name != "error");
        pairs.insert(0, ("error", word.to_owned()));
    }
    pairs
}
