//! `POST /magiclink` (6.10): `{}` for every address, known or not.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::MagicLinkRequest;
use serde_json::{Value, json};

use super::answer::Answer;
use super::body::RawBody;
use super::captcha::CaptchaDuty;
use super::openapi::RedirectTo;
use super::request_context::RateKey;
use super::response_time::pad_response_time;
use crate::domain::magic_link::{Unknown, send};
use crate::instance::{Instance, RequestContext};
use crate::rate_limits::Endpoint;

/// Emails a sign-in link and code; an unknown address signs up.
#[utoipa::path(post, path = "/magiclink", tag = "Sessions", params(RedirectTo), request_body = MagicLinkRequest,
    responses((status = 200, description = "Always an empty object.", body = Value)))]
pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    context: RequestContext,
    rate: RateKey,
    captcha: CaptchaDuty,
    body: RawBody,
) -> Answer<Json<Value>> {
    rate.check(&instance, Endpoint::MagicLink)?;
    captcha.fulfil(&instance, &context, &body).await?;
    let request: MagicLinkRequest = body.json()?;
    pad_response_time(send(&instance, request, Unknown::SignUp, &context)).await?;
    Ok(Json(json!({})))
}
