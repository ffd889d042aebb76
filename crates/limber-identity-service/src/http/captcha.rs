//! Reads the captcha token of a request from `gotrue_meta_security.captcha_token` or
//! `captcha_token` (identity behaviour, 2.6; resolution C10).

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;

use super::answer::{Answer, ApiError};
use super::body::RawBody;
use super::caller::is_administrator;
use crate::instance::{Instance, RequestContext};

/// Whether this caller must solve a captcha. Not required if captchas are disabled, nor of
/// administrators.
pub(super) struct CaptchaDuty(bool);

impl FromRequestParts<Arc<Instance>> for CaptchaDuty {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, instance: &Arc<Instance>) -> Answer<Self> {
        let on = instance.captcha.is_some();
        Ok(Self(on && !is_administrator(&parts.headers, instance).await?))
    }
}

#[derive(Deserialize)]
struct Body {
    gotrue_meta_security: Option<Meta>,
    captcha_token: Option<String>,
}

#[derive(Deserialize)]
struct Meta {
    captcha_token: Option<String>,
}

impl CaptchaDuty {
    /// Verifies the request's captcha, if one is required.
    pub(super) async fn fulfil(
        &self,
        instance: &Instance,
        context: &RequestContext,
        body: &RawBody,
    ) -> Answer<()> {
        let Some(captcha) = instance.captcha.as_ref().filter(|_| self.0) else { return Ok(()) };
        let Body { gotrue_meta_security, captcha_token } = body.json()?;
        let nested = gotrue_meta_security.and_then(|meta| meta.captcha_token);
        let token = nested.filter(|token| !token.is_empty()).or(captcha_token);
        Ok(captcha.check(token.as_deref(), context.ip.as_deref()).await?)
    }
}
