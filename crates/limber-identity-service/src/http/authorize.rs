//! `GET /authorize` and `GET /user/identities/authorize`: off to a provider (6.16, 6.18).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use limber_api::identity::{ErrorCode, ProviderAddress, ProviderName};

use super::answer::Answer;
use super::asker::RateKey;
use super::caller::Person;
use super::factors::member;
use super::openapi::RedirectTo;
use super::query::Query;
use crate::domain::external::departure::{Aim, begin};
use crate::domain::factors::Member;
use crate::instance::{Asker, Instance};
use crate::providers::Wish;
use crate::rate_limits::Gate;
use crate::refusal::{LINKING_DISABLED, Refusal};
use crate::tokens::pkce::Challenge;

/// Leads a browser to another service, to sign in there.
#[utoipa::path(get, path = "/authorize", tag = "Sessions", params(("provider" = String, Query, description = "Which service."), RedirectTo),
    responses((status = 302, description = "To the service.")))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    query: Query,
    asker: Asker,
    rate: RateKey,
) -> Answer<Response> {
    rate.pass(&instance, Gate::Authorize)?;
    depart(&instance, &query, &asker, None).await
}

/// The same, to link what comes back to the signed-in account.
#[utoipa::path(get, path = "/user/identities/authorize", tag = "Accounts", security(("person" = [])),
    params(("provider" = String, Query, description = "Which service."), RedirectTo),
    responses((status = 200, body = ProviderAddress), (status = 302, description = "To the service.")))]
pub(super) async fn link(
    State(instance): State<Arc<Instance>>,
    person: Person,
    query: Query,
    asker: Asker,
) -> Answer<Response> {
    if !instance.config.external.manual_linking {
        return Err(LINKING_DISABLED.into());
    }
    depart(&instance, &query, &asker, Some(member(&person))).await
}

async fn depart(
    instance: &Instance,
    query: &Query,
    asker: &Asker,
    link_to: Option<Member>,
) -> Answer<Response> {
    let word = query.get("provider").unwrap_or_default();
    let Some(provider) = ProviderName::parse(&word.to_ascii_lowercase()) else {
        let text = format!("Unsupported provider: Provider {word:.40} could not be found");
        return Err(Refusal::with_text(400, ErrorCode::ValidationFailed, text).into());
    };
    let aim = Aim {
        provider,
        wish: Wish { scopes: scopes(query), parameters: query.pairs().to_vec() },
        challenge: Challenge::read(
            query.get("code_challenge"),
            query.get("code_challenge_method"),
        )?,
        invite_token: query.get("invite_token").map(str::to_owned),
        link_to,
    };
    let address = begin(instance, aim, asker).await?;
    if query.get("skip_http_redirect") == Some("true") {
        return Ok(Json(ProviderAddress { url: address.into() }).into_response());
    }
    Ok((StatusCode::FOUND, [(header::LOCATION, String::from(address))]).into_response())
}

fn scopes(query: &Query) -> Vec<String> {
    let text = query.get("scopes").unwrap_or_default();
    text.split(',').map(str::trim).filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
}
