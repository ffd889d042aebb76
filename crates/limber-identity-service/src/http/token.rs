//! `POST /token`: exchanges passwords, refresh tokens, PKCE codes and ID tokens for sessions
//! (6.3-6.6).

use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use limber_api::identity::{
    Grant, IdTokenGrant, PasswordGrant, PkceGrant, RefreshGrant, SessionResponse,
};
use serde_json::json;

use super::answer::Answer;
use super::body::RawBody;
use super::caller::AuthenticatedUser;
use super::captcha::CaptchaDuty;
use super::factors::member;
use super::openapi::{GrantProblem, GrantType};
use super::query::Query;
use super::request_context::RateKey;
use crate::domain::external::id_tokens::{self, IdTokenError};
use crate::domain::refresh::Refreshed;
use crate::domain::{exchange_code, refresh, sign_in};
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::{LINKING_DISABLED, UNKNOWN_GRANT, WEB3_DISABLED};

/// Signs in by password, code or ID token, or exchanges a refresh token for the next pair.
#[utoipa::path(post, path = "/token", tag = "Sessions", request_body = Grant,
    params(("grant_type" = GrantType, Query, description = "Which body it is.")),
    responses((status = 200, body = SessionResponse), (status = 400, body = GrantProblem)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    query: Query,
    context: RequestContext,
    rate: RateKey,
    captcha: CaptchaDuty,
    mut parts: Parts,
    body: RawBody,
) -> Answer<Response> {
    let form_grant = body.form_field("grant_type");
    let named = query.get("grant_type").or(form_grant.as_deref());
    if named == Some("refresh_token") {
        return by_refresh_token(&instance, &rate, &context, &body).await;
    }
    rate.check(&instance, Endpoint::Token)?;
    let session = match named {
        Some("password") => {
            captcha.fulfil(&instance, &context, &body).await?;
            let grant: PasswordGrant = body.json()?;
            sign_in::by_password(&instance, grant, &context).await?
        }
        Some("pkce") => {
            let grant: PkceGrant = body.json()?;
            let (code, verifier) =
                (grant.auth_code.unwrap_or_default(), grant.code_verifier.unwrap_or_default());
            exchange_code::exchange(&instance, &code, &verifier, &context).await?
        }
        Some("id_token") => {
            return by_id_token(&instance, &mut parts, body.json()?, &context).await;
        }
        Some("web3") => return Err(WEB3_DISABLED.into()),
        _ => return Err(UNKNOWN_GRANT.into()),
    };
    Ok(Json(session).into_response())
}

/// Exchanges a refresh token. Clients end their session at a 429 and at a 500. Neither others at
/// the caller's address nor a failure of the service may cause that, so only tokens that are
/// refused or waited for in vain count against the caller, and every failure is temporary. Callers
/// over their limit wait for nobody, because each that waits keeps asking the database.
async fn by_refresh_token(
    instance: &Instance,
    rate: &RateKey,
    context: &RequestContext,
    body: &RawBody,
) -> Answer<Response> {
    let is_hurried = rate.is_used_up(instance, Endpoint::Token);
    match exchange(instance, context, body, is_hurried).await {
        Ok(exchanged) => Ok(refreshed(exchanged)),
        Err(error) if error.is_refusal() => {
            rate.check(instance, Endpoint::Token)?;
            Err(error)
        }
        Err(error) => {
            if error.is_contention() {
                // the answer stays the same: a 429 would end the session
                rate.check(instance, Endpoint::Token).ok();
            }
            Err(error.for_later())
        }
    }
}

async fn exchange(
    instance: &Instance,
    context: &RequestContext,
    body: &RawBody,
    is_hurried: bool,
) -> Answer<Refreshed> {
    let grant: RefreshGrant = body.json()?;
    let token = grant.refresh_token.unwrap_or_default();
    Ok(refresh::refresh(instance, &token, context, is_hurried).await?)
}

/// Lets the exchange travel with the response, to be marked as answered when that is final.
fn refreshed(refreshed: Refreshed) -> Response {
    let mut response = Json(refreshed.session).into_response();
    if let Some(exchange) = refreshed.exchange {
        response.extensions_mut().insert(exchange);
    }
    response
}

async fn by_id_token(
    instance: &Arc<Instance>,
    parts: &mut Parts,
    grant: IdTokenGrant,
    context: &RequestContext,
) -> Answer<Response> {
    let link_to = match grant.link_identity {
        Some(true) => Some(member(&AuthenticatedUser::from_request_parts(parts, instance).await?)),
        _ => None,
    };
    if link_to.is_some() && !instance.config.external.manual_linking {
        return Err(LINKING_DISABLED.into());
    }
    match id_tokens::redeem(instance, &grant, link_to, context).await {
        Ok(session) => Ok(Json(session).into_response()),
        Err(IdTokenError::Request(error)) => Err(error.into()),
        Err(IdTokenError::OAuth { error, description }) => {
            let body = json!({"error": error, "error_description": description});
            Ok((StatusCode::BAD_REQUEST, Json(body)).into_response())
        }
    }
}
