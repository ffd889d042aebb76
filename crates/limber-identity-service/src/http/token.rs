//! `POST /token`: passwords, refresh tokens and PKCE codes for sessions (6.3-6.6).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{PasswordGrant, RefreshGrant, SessionResponse};
use serde::Deserialize;

use super::answer::Answer;
use super::asker::RateKey;
use super::body::RawBody;
use super::captcha::CaptchaDuty;
use super::query::Query;
use crate::domain::{exchange_code, refresh, sign_in};
use crate::instance::{Asker, Instance};
use crate::rate_limits::Gate;
use crate::refusal::{UNKNOWN_GRANT, WEB3_DISABLED};

#[derive(Deserialize)]
struct PkceGrant {
    auth_code: Option<String>,
    code_verifier: Option<String>,
}

pub(super) async fn post(
    State(instance): State<Arc<Instance>>,
    query: Query,
    asker: Asker,
    rate: RateKey,
    captcha: CaptchaDuty,
    body: RawBody,
) -> Answer<Json<SessionResponse>> {
    rate.pass(&instance, Gate::Token)?;
    let form_grant = body.form_field("grant_type");
    let session = match query.get("grant_type").or(form_grant.as_deref()) {
        Some("password") => {
            captcha.fulfil(&instance, &asker, &body).await?;
            let grant: PasswordGrant = body.json()?;
            sign_in::by_password(&instance, grant, &asker).await?
        }
        Some("refresh_token") => {
            let grant: RefreshGrant = body.json()?;
            let token = grant.refresh_token.unwrap_or_default();
            refresh::refresh(&instance, &token, &asker).await?
        }
        Some("pkce") => {
            let grant: PkceGrant = body.json()?;
            let (code, verifier) =
                (grant.auth_code.unwrap_or_default(), grant.code_verifier.unwrap_or_default());
            exchange_code::exchange(&instance, &code, &verifier, &asker).await?
        }
        Some("web3") => return Err(WEB3_DISABLED.into()),
        _ => return Err(UNKNOWN_GRANT.into()),
    };
    Ok(Json(session))
}
