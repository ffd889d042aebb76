//! `POST /signup` (identity behaviour, 6.1 and 6.2).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use limber_api::identity::SignUpRequest;

use super::answer::Answer;
use super::asker::RateKey;
use super::body::RawBody;
use super::captcha::CaptchaDuty;
use crate::domain::sign_up::{SignedUp, anonymously, by_address, is_anonymous};
use crate::instance::{Asker, Instance};
use crate::rate_limits::Gate;
use crate::refusal::SIGNUP_DISABLED;

pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    asker: Asker,
    rate: RateKey,
    captcha: CaptchaDuty,
    body: RawBody,
) -> Answer<Response> {
    captcha.fulfil(&instance, &asker, &body).await?;
    if instance.config.signup.disabled {
        return Err(SIGNUP_DISABLED.into());
    }
    let request: SignUpRequest = body.json()?;
    let signed_up = if is_anonymous(&request) {
        rate.pass(&instance, Gate::Anonymous)?;
        anonymously(&instance, request, &asker).await?
    } else {
        rate.pass(&instance, Gate::Otp)?;
        by_address(&instance, request, &asker).await?
    };
    Ok(match signed_up {
        SignedUp::Waiting(account) => Json(*account).into_response(),
        SignedUp::SignedIn(session) => Json(*session).into_response(),
    })
}
