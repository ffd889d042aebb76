//! `/verify`: codes and links. POST answers with a session (6.7), GET redirects the browser (6.8).

mod page;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use limber_api::identity::{EmailChangeHalfDone, VerifyAnswer, VerifyKind, VerifyRequest};

use super::answer::{Answer, as_redirect_error};
use super::body::RawBody;
use super::button_page::PRESSED;
use super::openapi::RedirectTo;
use super::query::Query;
use super::redirect::{redirect, session_pairs, with_marker};
use super::request_context::RateKey;
use crate::domain::address::{EmailAddress, PhoneNumber};
use crate::domain::verify::{Proof, Verified, redeem};
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::{
    VERIFY_BAD_EMAIL, VERIFY_BOTH_ADDRESSES, VERIFY_HASH_ALONE, VERIFY_LINK_WITHOUT_TOKEN,
    VERIFY_ONE_TOKEN, VERIFY_UNKNOWN_LINK_TYPE, VERIFY_UNKNOWN_TYPE, VERIFY_WITHOUT_TYPE,
};
use crate::tokens::one_time::is_pkce_link;

const HALF_DONE: &str =
    "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/// Verifies a code or the token of a link.
#[utoipa::path(post, path = "/verify", tag = "Accounts", request_body = VerifyRequest,
    responses((status = 200, body = VerifyAnswer),
        (status = 303, description = "Redirect to the site, if the button on the page of `GET` was \
                                      pressed.")))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    query: Query,
    context: RequestContext,
    rate: RateKey,
    body: RawBody,
) -> Answer<Response> {
    rate.check(&instance, Endpoint::Verify)?;
    if body.form_field(PRESSED).is_some() {
        return redeem_link(&instance, &query, &context).await;
    }
    let (kind, proof) = read(body.json()?)?;
    match redeem(&instance, kind, proof, false, &context).await? {
        Verified::SignedIn(mut session) => {
            let by_phone = matches!(kind, VerifyKind::Sms | VerifyKind::PhoneChange);
            session.kind = (!by_phone).then(|| kind.as_str().to_owned());
            Ok(Json(VerifyAnswer::SignedIn(session)).into_response())
        }
        Verified::HalfDone => {
            let half = EmailChangeHalfDone { code: "200".to_owned(), msg: HALF_DONE.to_owned() };
            Ok(Json(VerifyAnswer::HalfDone(half)).into_response())
        }
        Verified::AuthCode(_) => unreachable!("codes are issued only to browsers"),
    }
}

/// Parses the request and validates it in the order of 6.7.
fn read(request: VerifyRequest) -> Answer<(VerifyKind, Proof)> {
    let set = |text: Option<String>| text.filter(|text| !text.is_empty());
    let Some(word) = set(request.kind) else { return Err(VERIFY_WITHOUT_TYPE.into()) };
    let kind = VerifyKind::parse(&word);
    let (email, phone) = (set(request.email), set(request.phone));
    let proof = match (set(request.token), set(request.token_hash)) {
        (Some(_), Some(_)) | (None, None) => return Err(VERIFY_ONE_TOKEN.into()),
        (None, Some(link)) => {
            if email.is_some() || phone.is_some() || set(request.redirect_to).is_some() {
                return Err(VERIFY_HASH_ALONE.into());
            }
            if matches!(kind, None | Some(VerifyKind::Sms | VerifyKind::PhoneChange)) {
                return Err(VERIFY_UNKNOWN_LINK_TYPE.into());
            }
            Proof::Link(link)
        }
        (Some(token), None) => match (email, phone) {
            (Some(_), Some(_)) => return Err(VERIFY_BOTH_ADDRESSES.into()),
            (None, None) => Proof::LinkWithPassword(token, request.password.map(Into::into)),
            (Some(email), None) => {
                let email = EmailAddress::parse(&email).map_err(|_| VERIFY_BAD_EMAIL)?;
                Proof::Code { address: email.as_str().to_owned(), code: token }
            }
            (None, Some(phone)) => {
                let phone = PhoneNumber::parse(&phone)?;
                Proof::Code { address: phone.as_str().to_owned(), code: token }
            }
        },
    };
    match kind {
        Some(kind) => Ok((kind, proof)),
        None => Err(VERIFY_UNKNOWN_TYPE.into()),
    }
}

/// Checks a link without consuming it, as mail scanners do.
#[utoipa::path(head, path = "/verify", tag = "Accounts", responses((status = 200, description = "Nothing happened.")))]
pub(super) async fn head() -> StatusCode {
    StatusCode::OK
}

/// Verifies a link in a browser and redirects to the site.
#[utoipa::path(get, path = "/verify", tag = "Accounts",
    params(("type" = String, Query, description = "Purpose of the link."),
        ("token" = String, Query, description = "Token of the link."), RedirectTo),
    responses((status = 200, description = "A page with a button, if links are redeemed by \
                                            pressing a button.",
            body = String, content_type = "text/html"),
        (status = 303, description = "Redirect to the site; the result is in the fragment or \
                                      query.")))]
pub(super) async fn get(
    State(instance): State<Arc<Instance>>,
    query: Query,
    context: RequestContext,
    rate: RateKey,
) -> Answer<Response> {
    rate.check(&instance, Endpoint::Verify)?;
    if instance.config.mailer.link_page {
        let (kind, _) = link_parts(&query)?;
        let site = instance.config.site_url.host_str().unwrap_or_default();
        return Ok(page::page(kind, site));
    }
    redeem_link(&instance, &query, &context).await
}

/// Returns the type and the token of a link.
fn link_parts(query: &Query) -> Answer<(&str, &str)> {
    let Some(word) = query.get("type") else { return Err(VERIFY_WITHOUT_TYPE.into()) };
    let Some(token) = query.get("token") else { return Err(VERIFY_LINK_WITHOUT_TOKEN.into()) };
    Ok((word, token))
}

async fn redeem_link(
    instance: &Instance,
    query: &Query,
    context: &RequestContext,
) -> Answer<Response> {
    let (word, token) = link_parts(query)?;
    let outcome = follow(instance, word, token, context).await;
    Ok(redirect_outcome(&context.redirect_to, word, is_pkce_link(token), outcome))
}

async fn follow(
    instance: &Instance,
    word: &str,
    token: &str,
    context: &RequestContext,
) -> Answer<Verified> {
    let kind = VerifyKind::parse(word)
        .filter(|kind| !matches!(kind, VerifyKind::Sms | VerifyKind::PhoneChange));
    let Some(kind) = kind else { return Err(VERIFY_UNKNOWN_LINK_TYPE.into()) };
    Ok(redeem(instance, kind, Proof::Link(token.to_owned()), true, context).await?)
}

fn redirect_outcome(target: &str, word: &str, pkce: bool, outcome: Answer<Verified>) -> Response {
    match outcome {
        Ok(Verified::SignedIn(session)) => {
            let mut pairs = session_pairs(&session);
            pairs.push(("type", word.to_owned()));
            redirect(StatusCode::SEE_OTHER, target, &[], &pairs)
        }
        Ok(Verified::AuthCode(code)) => {
            redirect(StatusCode::SEE_OTHER, target, &[("code", code)], &[])
        }
        Ok(Verified::HalfDone) => {
            let message = [("message", HALF_DONE.to_owned())];
            let query: &[_] = if pkce { &message } else { &[] };
            redirect(StatusCode::SEE_OTHER, target, query, &with_marker(message.to_vec()))
        }
        Err(error) => {
            let pairs = as_redirect_error(&error);
            let query: &[_] = if pkce { &pairs } else { &[] };
            redirect(StatusCode::SEE_OTHER, target, query, &with_marker(pairs.clone()))
        }
    }
}
