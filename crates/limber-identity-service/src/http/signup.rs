//! `POST /signup` (identity behaviour, 6.1 and 6.2).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{SignUpAnswer, SignUpRequest};

use super::answer::Answer;
use super::body::RawBody;
use super::captcha::CaptchaDuty;
use super::openapi::RedirectTo;
use super::request_context::RateKey;
use crate::domain::sign_up::{SignedUp, anonymously, by_address, is_anonymous};
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::SIGNUP_DISABLED;

/// Creates an account by email or phone or, with neither, an anonymous one.
#[utoipa::path(post, path = "/signup", tag = "Accounts", params(RedirectTo), request_body = SignUpRequest,
    responses((status = 200, body = SignUpAnswer)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    context: RequestContext,
    rate: RateKey,
    captcha: CaptchaDuty,
    body: RawBody,
) -> Answer<Json<SignUpAnswer>> {
    captcha.fulfil(&instance, &context, &body).await?;
    if instance.config.signup.disabled {
        return Err(SIGNUP_DISABLED.into());
    }
    let request: SignUpRequest = body.json()?;
    let signed_up = if is_anonymous(&request) {
        rate.check(&instance, Endpoint::Anonymous)?;
        anonymously(&instance, request, &context).await?
    } else {
        rate.check(&instance, Endpoint::SignUp)?;
        by_address(&instance, request, &context).await?
    };
    Ok(Json(match signed_up {
        SignedUp::Waiting(account) => SignUpAnswer::Waiting(account),
        SignedUp::SignedIn(session) => SignUpAnswer::SignedIn(session),
    }))
}
