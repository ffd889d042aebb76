//! `POST /recover` (6.11): `{}` for every address, known or not.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::RecoverRequest;
use serde_json::{Value, json};

use super::answer::Answer;
use super::body::RawBody;
use super::captcha::CaptchaDuty;
use super::openapi::RedirectTo;
use super::request_context::RateKey;
use super::response_time::pad_response_time;
use crate::domain::recover::recover;
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;

/// Emails a link that signs the user in. The answer is the same for unknown addresses.
#[utoipa::path(post, path = "/recover", tag = "Accounts", params(RedirectTo), request_body = RecoverRequest,
    responses((status = 200, description = "Always an empty object.", body = Value)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    context: RequestContext,
    rate: RateKey,
    captcha: CaptchaDuty,
    body: RawBody,
) -> Answer<Json<Value>> {
    rate.check(&instance, Endpoint::Recover)?;
    captcha.fulfil(&instance, &context, &body).await?;
    let request: RecoverRequest = body.json()?;
    pad_response_time(recover(&instance, request, &context)).await?;
    Ok(Json(json!({})))
}
