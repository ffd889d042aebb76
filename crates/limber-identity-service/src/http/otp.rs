//! `POST /otp` (6.9): a magic link by email, or a code by text message.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{MagicLinkRequest, OtpRequest};
use serde_json::{Value, json};

use super::answer::Answer;
use super::body::RawBody;
use super::captcha::CaptchaDuty;
use super::openapi::RedirectTo;
use super::request_context::RateKey;
use super::response_time::pad_response_time;
use crate::domain::magic_link::{self, Unknown};
use crate::domain::phone_code;
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;
use crate::refusal::{OTP_BOTH_ADDRESSES, OTP_CHANNEL_WITH_EMAIL, OTP_NEITHER_ADDRESS};

/// Sends a sign-in link or code.
#[utoipa::path(post, path = "/otp", tag = "Sessions", params(RedirectTo), request_body = OtpRequest,
    responses((status = 200, body = Value)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    context: RequestContext,
    rate: RateKey,
    captcha: CaptchaDuty,
    body: RawBody,
) -> Answer<Json<Value>> {
    rate.check(&instance, Endpoint::Otp)?;
    captcha.fulfil(&instance, &context, &body).await?;
    let request: OtpRequest = body.json()?;
    let set = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
    match (set(&request.email), set(&request.phone)) {
        (true, true) => Err(OTP_BOTH_ADDRESSES.into()),
        (false, false) => Err(OTP_NEITHER_ADDRESS.into()),
        (true, false) if set(&request.channel) => Err(OTP_CHANNEL_WITH_EMAIL.into()),
        (true, false) => pad_response_time(by_email(&instance, request, &context)).await,
        (false, true) => pad_response_time(by_phone(&instance, request, &context)).await,
    }
}

/// Returns what to do with an unknown address: create an account unless the request forbids it.
fn unknown(request: &OtpRequest) -> Unknown {
    if request.create_user == Some(false) { Unknown::Refuse } else { Unknown::SignUp }
}

async fn by_email(
    instance: &Instance,
    request: OtpRequest,
    context: &RequestContext,
) -> Answer<Json<Value>> {
    let unknown = unknown(&request);
    let request = MagicLinkRequest {
        email: request.email,
        data: request.data,
        code_challenge: request.code_challenge,
        code_challenge_method: request.code_challenge_method,
    };
    magic_link::send(instance, request, unknown, context).await?;
    Ok(Json(json!({})))
}

async fn by_phone(
    instance: &Instance,
    request: OtpRequest,
    context: &RequestContext,
) -> Answer<Json<Value>> {
    let id = phone_code::send(instance, request, context).await?;
    Ok(Json(id.map_or_else(|| json!({}), |id| json!({"message_id": id}))))
}
