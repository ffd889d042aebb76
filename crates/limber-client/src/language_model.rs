//! A language model of a person's own, on any server that speaks the common chat-completions protocol.
//!
//! It is handed what was said so far and answers with words; what they are good for is for the caller to
//! judge. Of the protocol only what every such server knows is used: a model's name and turns go out, the
//! words of the first choice come in. A redirect is never followed, and neither the wait nor the answer
//! is longer than it may be.

mod error;
#[cfg(test)]
mod tests;

use std::time::Duration;

use reqwest::{Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use crate::Way;
pub use error::LanguageModelError;

/// How long the server may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// No answer that is longer is read to its end; a script takes an eighth of it.
const LONGEST_ANSWER_BYTES: usize = 1 << 20;
/// So much is read of why a server refuses.
const LONGEST_REFUSAL_BYTES: usize = 16 << 10;
/// So much of it is told, in characters.
const LONGEST_REASON: usize = 300;
/// What the protocol has behind a server's own address.
const ENDPOINT: &str = "/chat/completions";

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Whoever explains the task.
    System,
    /// Whoever asks.
    User,
    /// The model.
    Assistant,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// By whom.
    pub role: Role,
    /// The words.
    pub content: String,
}

/// Where a model is, and how it is asked.
#[derive(Debug, Clone)]
pub struct LanguageModelOptions {
    /// Of the server, such as `http://localhost:11434/v1`; that of the endpoint itself does as well.
    pub address: Url,
    /// The model, as its server calls it.
    pub name: String,
    /// What the server wants to be shown, if anything.
    pub key: Option<SecretString>,
    /// How the server is reached.
    pub way: Way,
    /// How long one answer may take.
    pub timeout: Duration,
}

/// One model on one server.
#[derive(Debug)]
pub struct LanguageModel {
    http: reqwest::Client,
    endpoint: Url,
    name: String,
    key: Option<SecretString>,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: &'a [Turn],
    stream: bool,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

impl LanguageModel {
    /// Nothing is sent yet.
    ///
    /// # Errors
    /// [`LanguageModelError::BadAddress`] when the address is no http(s) address,
    /// [`LanguageModelError::Unencrypted`] when others could read what is sent there.
    pub fn new(options: LanguageModelOptions) -> Result<Self, LanguageModelError> {
        let LanguageModelOptions { address, name, key, way, timeout } = options;
        let endpoint = endpoint(&address)?;
        if !way.unencrypted.allows(&endpoint) {
            return Err(LanguageModelError::Unencrypted);
        }
        let http = way.http(&endpoint).timeout(timeout).connect_timeout(CONNECT_TIMEOUT);
        let http = http.build().map_err(|_| LanguageModelError::NoTls)?;
        Ok(Self { http, endpoint, name, key })
    }

    /// The model's next words after all that was said. Asked once: an answer may cost money, so nothing is
    /// sent a second time by itself.
    ///
    /// # Errors
    /// See [`LanguageModelError`].
    pub async fn answer(&self, said: &[Turn]) -> Result<String, LanguageModelError> {
        let body = Request { model: &self.name, messages: said, stream: false };
        let mut request = self.http.post(self.endpoint.clone()).json(&body);
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.expose_secret());
        }
        let response = request.send().await.map_err(|error| of_transport(&error))?;
        let status = response.status();
        if status.is_redirection() {
            return Err(LanguageModelError::Redirected);
        }
        if !status.is_success() {
            return Err(self.refusal(status, response).await);
        }
        let bytes = read_limited(response, LONGEST_ANSWER_BYTES).await?;
        let completion: Completion =
            serde_json::from_slice(&bytes).map_err(|_| LanguageModelError::NotUnderstood)?;
        let first = completion.choices.into_iter().next();
        let words = first.and_then(|choice| choice.message.content).unwrap_or_default();
        if words.trim().is_empty() { Err(LanguageModelError::NoWords) } else { Ok(words) }
    }

    /// What a server says that does not do what it is asked to, which must not hold the key.
    async fn refusal(&self, status: StatusCode, response: Response) -> LanguageModelError {
        let body = read_limited(response, LONGEST_REFUSAL_BYTES).await.unwrap_or_default();
        let reason = reason(&body).filter(|reason| {
            self.key.as_ref().is_none_or(|key| !reason.contains(key.expose_secret()))
        });
        LanguageModelError::Refused { status: status.as_u16(), reason }
    }
}

fn endpoint(address: &Url) -> Result<Url, LanguageModelError> {
    let fits = matches!(address.scheme(), "http" | "https")
        && address.has_host()
        && address.username().is_empty()
        && address.password().is_none();
    if !fits {
        return Err(LanguageModelError::BadAddress);
    }
    let mut endpoint = address.clone();
    // the query stays: some servers are told their version in it
    endpoint.set_fragment(None);
    let path = address.path().trim_end_matches('/');
    if !path.ends_with(ENDPOINT) {
        endpoint.set_path(&format!("{path}{ENDPOINT}"));
    }
    Ok(endpoint)
}

/// Servers write their reason as an object, and some as a text.
fn reason(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let error = body.get("error").unwrap_or(&body);
    let words = error.get("message").unwrap_or(error).as_str()?.trim();
    let words: String = words.chars().take(LONGEST_REASON).collect();
    (!words.is_empty()).then_some(words)
}

/// reqwest's own text names the server's address, so only its kind is kept.
fn of_transport(error: &reqwest::Error) -> LanguageModelError {
    if error.is_timeout() {
        LanguageModelError::TimedOut
    } else if error.is_builder() {
        LanguageModelError::BadKey
    } else {
        LanguageModelError::Unreachable
    }
}

async fn read_limited(mut response: Response, most: usize) -> Result<Vec<u8>, LanguageModelError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| of_transport(&error))? {
        if bytes.len() + chunk.len() > most {
            return Err(LanguageModelError::TooLong { most_kib: LONGEST_ANSWER_BYTES >> 10 });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
