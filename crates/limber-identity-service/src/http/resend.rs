//! `POST /resend` (6.12): the answer is the same whether or not anything was sent.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{ResendRequest, ResendResult};

use super::answer::Answer;
use super::body::RawBody;
use super::captcha::CaptchaDuty;
use super::openapi::RedirectTo;
use super::request_context::RateKey;
use super::response_time::pad_response_time;
use crate::domain::resend::resend;
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;

/// Resends a pending confirmation.
#[utoipa::path(post, path = "/resend", tag = "Accounts", params(RedirectTo), request_body = ResendRequest,
    responses((status = 200, body = ResendResult)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    context: RequestContext,
    rate: RateKey,
    captcha: CaptchaDuty,
    body: RawBody,
) -> Answer<Json<ResendResult>> {
    rate.check(&instance, Endpoint::Resend)?;
    captcha.fulfil(&instance, &context, &body).await?;
    let request: ResendRequest = body.json()?;
    pad_response_time(resend(&instance, request, &context)).await?;
    Ok(Json(ResendResult { message_id: instance.random.uuid().to_string() }))
}
