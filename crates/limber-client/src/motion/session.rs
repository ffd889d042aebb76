//! The session cookie: obtained once, shared by all requests, renewed after a 401.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderValue, SET_COOKIE};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;
use url::Url;

use super::{ANSWER_TIMEOUT, MotionError};

/// The service's session cookie as a `name=value` pair; not printed.
#[derive(Debug, Clone)]
pub(super) struct SessionCookie(SecretString);

impl SessionCookie {
    pub(super) fn attach(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        let Ok(mut value) = HeaderValue::from_str(self.0.expose_secret()) else { return request };
        value.set_sensitive(true);
        request.header(COOKIE, value)
    }

    fn is(&self, other: &Self) -> bool {
        self.0.expose_secret() == other.0.expose_secret()
    }
}

#[derive(Debug)]
pub(super) struct Session {
    client_id: String,
    secret: SecretString,
    current: Mutex<Option<SessionCookie>>,
}

impl Session {
    pub(super) fn new(client_id: String, secret: SecretString) -> Self {
        Self { client_id, secret, current: Mutex::new(None) }
    }

    /// Returns the current cookie, signing in if there is none.
    pub(super) async fn cookie(
        &self,
        http: &reqwest::Client,
        base_url: &Url,
    ) -> Result<SessionCookie, MotionError> {
        let mut current = self.current.lock().await;
        if let Some(cookie) = &*current {
            return Ok(cookie.clone());
        }
        let cookie = self.ask(http, base_url).await?;
        *current = Some(cookie.clone());
        Ok(cookie)
    }

    /// Returns a new cookie, or the current one if another request has already replaced the `stale`
    /// one.
    pub(super) async fn renew(
        &self,
        http: &reqwest::Client,
        base_url: &Url,
        stale: Option<&SessionCookie>,
    ) -> Result<SessionCookie, MotionError> {
        let mut current = self.current.lock().await;
        if let (Some(cookie), Some(stale)) = (&*current, stale)
            && !cookie.is(stale)
        {
            return Ok(cookie.clone());
        }
        *current = None;
        let cookie = self.ask(http, base_url).await?;
        *current = Some(cookie.clone());
        Ok(cookie)
    }

    async fn ask(
        &self,
        http: &reqwest::Client,
        base_url: &Url,
    ) -> Result<SessionCookie, MotionError> {
        let url = base_url.join("account/v1/auth").map_err(|_| MotionError::BadAddress)?;
        let pair = format!("{}:{}", self.client_id, self.secret.expose_secret());
        let mut basic = HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(pair)))
            .map_err(|_| MotionError::CredentialsRejected)?;
        basic.set_sensitive(true);
        let request = http.get(url).header(AUTHORIZATION, basic).timeout(ANSWER_TIMEOUT);
        let response = request.send().await.map_err(MotionError::from_transport)?;
        if response.status() == reqwest::StatusCode::UNAUTHORIZED {
            return Err(MotionError::CredentialsRejected);
        }
        if !response.status().is_success() {
            return Err(MotionError::from_refusal(response).await);
        }
        let pair = response
            .headers()
            .get(SET_COOKIE)
            .and_then(|value| value.to_str().ok()?.split(';').next())
            .map(str::trim)
            .filter(|pair| pair.contains('='))
            .ok_or(MotionError::UnexpectedAnswer)?;
        Ok(SessionCookie(SecretString::from(pair.to_owned())))
    }
}
