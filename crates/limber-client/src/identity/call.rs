//! A single HTTP exchange: limits, retries, and error parsing.

use std::{borrow::Cow, time::Duration};

use limber_api::identity::{ErrorCode, WeakPassword};
use reqwest::{Method, Response, StatusCode, header};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use url::Url;

use super::{IdentityError, IdentityOptions, RedirectTarget};
use crate::Unencrypted;

/// Maximum size of a response; real ones are much smaller.
const MAX_ANSWER_BYTES: usize = 1 << 20;
/// Delays before the second and third attempt. Together they stay below the ten seconds in which
/// the service accepts a used refresh token again.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];

/// A request that has not been sent yet.
pub(super) struct Call {
    method: Method,
    path: Cow<'static, str>,
    query: Vec<(&'static str, String)>,
    bearer: Option<SecretString>,
    body: Option<Vec<u8>>,
    repeatable: bool,
}

impl Call {
    pub(super) fn new(method: Method, path: impl Into<Cow<'static, str>>) -> Self {
        let path = path.into();
        Self { method, path, query: Vec::new(), bearer: None, body: None, repeatable: false }
    }

    pub(super) fn query(mut self, name: &'static str, value: &str) -> Self {
        self.query.push((name, value.to_owned()));
        self
    }

    pub(super) fn redirect(self, redirect: Option<&RedirectTarget>) -> Self {
        match redirect {
            Some(redirect) => self.query("redirect_to", &redirect.redirect_to),
            None => self,
        }
    }

    pub(super) fn bearer(mut self, token: &SecretString) -> Self {
        self.bearer = Some(token.clone());
        self
    }

    pub(super) fn body(mut self, body: &impl Serialize) -> Result<Self, IdentityError> {
        let bytes = serde_json::to_vec(body).map_err(|_| IdentityError::NotUnderstood {
            what: "the request could not be encoded",
        })?;
        self.body = Some(bytes);
        Ok(self)
    }

    /// Marks the request as idempotent, so that it is repeated if the response is lost.
    pub(super) fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self
    }
}

#[derive(Debug)]
pub(super) struct Transport {
    http: reqwest::Client,
    base: Url,
    api_key: Option<SecretString>,
    unencrypted: Unencrypted,
}

impl Transport {
    pub(super) fn new(base_url: &Url, options: &IdentityOptions) -> Result<Self, IdentityError> {
        if !matches!(base_url.scheme(), "http" | "https") || base_url.host_str().is_none() {
            return Err(IdentityError::BadAddress);
        }
        if !options.connection.unencrypted.allows(base_url) {
            return Err(IdentityError::Unencrypted);
        }
        let mut base = base_url.clone();
        base.set_query(None);
        base.set_fragment(None);
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base_url.path()));
        }
        let http = options.connection.http(base_url);
        let http = http.timeout(options.timeout).connect_timeout(options.connect_timeout);
        let http = http.build().map_err(|_| IdentityError::NoTls)?;
        let unencrypted = options.connection.unencrypted;
        Ok(Self { http, base, api_key: options.api_key.clone(), unencrypted })
    }

    /// Returns the URL of a path of the service.
    pub(super) fn address(&self, path: &str) -> Result<Url, IdentityError> {
        self.base.join(path).map_err(|_| IdentityError::BadAddress)
    }

    /// Returns a URL from a response if it may be opened in a browser.
    pub(super) fn page(&self, address: &str) -> Result<Url, IdentityError> {
        let page = Url::parse(address).ok();
        let page = page.filter(|page| matches!(page.scheme(), "http" | "https"));
        let what = "it contains a link that is not a web address";
        let page = page.ok_or(IdentityError::NotUnderstood { what })?;
        if self.unencrypted.allows(&page) { Ok(page) } else { Err(IdentityError::UnencryptedLink) }
    }

    pub(super) async fn json<T: DeserializeOwned>(&self, call: Call) -> Result<T, IdentityError> {
        let body = self.exchange(&call).await?;
        serde_json::from_slice(&body)
            .map_err(|_| IdentityError::NotUnderstood { what: "it is not the expected JSON" })
    }

    pub(super) async fn empty(&self, call: Call) -> Result<(), IdentityError> {
        self.exchange(&call).await.map(drop)
    }

    async fn exchange(&self, call: &Call) -> Result<Vec<u8>, IdentityError> {
        let mut pauses = RETRY_PAUSES.iter();
        loop {
            let outcome = self.attempt(call).await;
            let worth_retrying = matches!(
                outcome,
                Err(IdentityError::Unreachable
                    | IdentityError::TimedOut
                    | IdentityError::ServiceFailed { .. })
            );
            match pauses.next() {
                Some(pause) if call.repeatable && worth_retrying => {
                    tracing::debug!(path = %call.path, "identity request failed; retrying");
                    tokio::time::sleep(*pause).await;
                }
                _ => return outcome,
            }
        }
    }

    async fn attempt(&self, call: &Call) -> Result<Vec<u8>, IdentityError> {
        let url = self.address(&call.path)?;
        let mut request = self.http.request(call.method.clone(), url).query(&call.query);
        if let Some(token) = &call.bearer {
            request = request.bearer_auth(token.expose_secret());
        }
        if let Some(key) = &self.api_key {
            request = request.header("apikey", key.expose_secret());
        }
        if let Some(body) = &call.body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(body.clone());
        }
        let response = request.send().await.map_err(|error| from_reqwest(&error))?;
        let status = response.status();
        if status.is_success() {
            return read_limited(response).await;
        }
        Err(read_refusal(response).await)
    }
}

/// Keeps only the kind of error, because reqwest's message contains the server's URL.
fn from_reqwest(error: &reqwest::Error) -> IdentityError {
    if error.is_timeout() { IdentityError::TimedOut } else { IdentityError::Unreachable }
}

async fn read_limited(mut response: Response) -> Result<Vec<u8>, IdentityError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| from_reqwest(&error))? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(IdentityError::NotUnderstood { what: "it is too large" });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

async fn read_refusal(response: Response) -> IdentityError {
    let status = response.status();
    if status.is_server_error() {
        return IdentityError::ServiceFailed { status: status.as_u16() };
    }
    if !status.is_client_error() {
        return IdentityError::NotUnderstood { what: "it is a redirect" };
    }
    let retry_after = response
        .headers()
        .get(header::RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.parse().ok())
        .map(Duration::from_secs);
    let body = match read_limited(response).await {
        Ok(body) => body,
        Err(error) => return error,
    };
    let fields = match serde_json::from_slice(&body) {
        Ok(Value::Object(fields)) => fields,
        // a proxy in front of the service may limit rates without our error body
        _ if status == StatusCode::TOO_MANY_REQUESTS => Map::new(),
        _ => return IdentityError::NotUnderstood { what: "the error is not JSON" },
    };
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    // newer servers put the error code in `code`, by default it is in `error_code`
    let code = text("error_code").or_else(|| text("code")).and_then(ErrorCode::parse);
    let message = ["msg", "message", "error_description", "error"].into_iter().find_map(text);
    let weak: Option<WeakPassword> =
        fields.get("weak_password").and_then(|value| serde_json::from_value(value.clone()).ok());
    let default_code = match status {
        StatusCode::TOO_MANY_REQUESTS => ErrorCode::OverRequestRateLimit,
        _ => ErrorCode::default(),
    };
    IdentityError::Refused {
        status: status.as_u16(),
        code: code.unwrap_or(default_code),
        message: message.unwrap_or_default().to_owned(),
        weak_password: weak.map(|weak| weak.reasons).unwrap_or_default(),
        retry_after,
    }
}
