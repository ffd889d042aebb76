//! `POST /magiclink` (6.10): `{}` for every address, known or not.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::MagicLinkRequest;
use serde_json::{Value, json};

use super::answer::Answer;
use super::asker::RateKey;
use super::body::RawBody;
use super::captcha::CaptchaDuty;
use crate::domain::magic_link::{Unknown, send};
use crate::instance::{Asker, Instance};
use crate::rate_limits::Gate;

pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    asker: Asker,
    rate: RateKey,
    captcha: CaptchaDuty,
    body: RawBody,
) -> Answer<Json<Value>> {
    rate.pass(&instance, Gate::Otp)?;
    captcha.fulfil(&instance, &asker, &body).await?;
    let request: MagicLinkRequest = body.json()?;
    send(&instance, request, Unknown::SignUp, &asker).await?;
    Ok(Json(json!({})))
}
