//! HTTP calls to providers, limited in time and size, without following redirects.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use serde_json::Value;

/// Maximum size of a response. No legitimate one is larger.
const MAX_ANSWER_BYTES: usize = 1_048_576;
/// Some providers reject requests without a user agent.
const USER_AGENT: &str = concat!("limber-identity/", env!("CARGO_PKG_VERSION"));

/// Why a response could not be used. For the log; contains nothing that was sent or received.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CallProblem {
    #[error("it cannot be reached")]
    Unreachable,
    #[error("it took too long")]
    TimedOut,
    #[error("it responded with status {0}")]
    Status(u16),
    #[error("its response is longer than 1 MB")]
    TooLarge,
    #[error("its response cannot be read")]
    Unreadable,
    #[error("it rejected the request: {0}")]
    Refused(String),
    #[error("its response is not as expected: {0}")]
    Unexpected(&'static str),
}

pub(super) struct HttpClient {
    limit: Duration,
    /// Created on first use: loading the system's certificates takes time and memory, and many
    /// deployments configure no provider.
    client: OnceLock<Client>,
}

impl HttpClient {
    pub(super) fn new(limit: Duration) -> Self {
        Self { limit, client: OnceLock::new() }
    }

    fn client(&self) -> &Client {
        self.client.get_or_init(|| {
            // An embedding program may have installed a crypto provider already.
            let _ = rustls::crypto::ring::default_provider().install_default();
            Client::builder()
                .redirect(Policy::none())
                .timeout(self.limit)
                .user_agent(USER_AGENT)
                .build()
                .expect("the settings are constant and valid")
        })
    }

    pub(super) fn get(&self, url: &str) -> RequestBuilder {
        self.client().get(url)
    }

    pub(super) fn post(&self, url: &str) -> RequestBuilder {
        self.client().post(url)
    }

    /// Returns the body of a successful response.
    pub(super) async fn bytes(&self, request: RequestBuilder) -> Result<Vec<u8>, CallProblem> {
        let (status, body) = self.any(request).await?;
        if (200..300).contains(&status) { Ok(body) } else { Err(CallProblem::Status(status)) }
    }

    pub(super) async fn json(&self, request: RequestBuilder) -> Result<Value, CallProblem> {
        let body = self.bytes(request.header("accept", "application/json")).await?;
        serde_json::from_slice(&body).map_err(|_| CallProblem::Unreadable)
    }

    /// Returns the status and body, whatever the status.
    pub(super) async fn any(&self, request: RequestBuilder) -> Result<(u16, Vec<u8>), CallProblem> {
        let mut response = request.send().await.map_err(problem)?;
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(problem)? {
            if body.len() + part.len() > MAX_ANSWER_BYTES {
                return Err(CallProblem::TooLarge);
            }
            body.extend_from_slice(&part);
        }
        Ok((status, body))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "map_err passes the error by value")]
fn problem(error: reqwest::Error) -> CallProblem {
    if error.is_timeout() { CallProblem::TimedOut } else { CallProblem::Unreachable }
}

/// Returns the provider's error code if it is a plain word; anything else could forge log entries.
pub(super) fn error_word(value: &Value) -> String {
    let word = value.as_str().or_else(|| value["type"].as_str()).unwrap_or("unknown error");
    let plain = word.len() <= 64 && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain { word.to_owned() } else { "unknown error".to_owned() }
}
