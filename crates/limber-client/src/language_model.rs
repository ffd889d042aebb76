//! A client of a language model of the user's choice, on any server with the common
//! chat-completions API.
//!
//! It sends a conversation and returns the model's text, which the caller has to validate.
//! Only the part of the API that all such servers support is used: a model name and messages go
//! out, the text of the first choice comes in. Redirects are never followed, and both time and size
//! are limited.

mod error;
#[cfg(test)]
mod tests;

use std::time::Duration;

use reqwest::{Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use crate::ConnectionPolicy;
pub use error::LanguageModelError;

/// Time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response; a script takes an eighth of it.
const LONGEST_ANSWER_BYTES: usize = 1 << 20;
/// How much of an error response is read, in bytes.
const LONGEST_REFUSAL_BYTES: usize = 16 << 10;
/// How much of the reason is kept, in characters.
const LONGEST_REASON: usize = 300;
/// Path of the endpoint below the server's base URL.
const ENDPOINT: &str = "/chat/completions";

/// Author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions that explain the task.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Author of the message.
    pub role: Role,
    /// Text of the message.
    pub content: String,
}

/// Where the model is, and how to call it.
#[derive(Debug, Clone)]
pub struct LanguageModelOptions {
    /// Base URL of the server, such as `http://localhost:11434/v1`; the full endpoint URL works
    /// too.
    pub address: Url,
    /// Name of the model on its server.
    pub name: String,
    /// API key, if the server requires one.
    pub key: Option<SecretString>,
    /// How the server may be reached.
    pub connection: ConnectionPolicy,
    /// Time limit for a response.
    pub timeout: Duration,
}

/// A model on a server.
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
    /// Creates a client. Sends nothing yet.
    ///
    /// # Errors
    /// [`LanguageModelError::BadAddress`] if the address is not an http(s) URL,
    /// [`LanguageModelError::Unencrypted`] if others could eavesdrop.
    pub fn new(options: LanguageModelOptions) -> Result<Self, LanguageModelError> {
        let LanguageModelOptions { address, name, key, connection, timeout } = options;
        let endpoint = endpoint(&address)?;
        if !connection.unencrypted.allows(&endpoint) {
            return Err(LanguageModelError::Unencrypted);
        }
        let http = connection.http(&endpoint).timeout(timeout).connect_timeout(CONNECT_TIMEOUT);
        let http = http.build().map_err(|_| LanguageModelError::NoTls)?;
        Ok(Self { http, endpoint, name, key })
    }

    /// Returns the model's next message in the conversation. The request is never repeated
    /// automatically, because a response may cost money.
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

    /// Parses an error response. The reason is dropped if it contains the key.
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
    // keep the query, in which some servers expect their version
    endpoint.set_fragment(None);
    let path = address.path().trim_end_matches('/');
    if !path.ends_with(ENDPOINT) {
        endpoint.set_path(&format!("{path}{ENDPOINT}"));
    }
    Ok(endpoint)
}

/// Returns the reason of an error response; some servers send an object, others a string.
fn reason(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let error = body.get("error").unwrap_or(&body);
    let words = error.get("message").unwrap_or(error).as_str()?.trim();
    let words: String = words.chars().take(LONGEST_REASON).collect();
    (!words.is_empty()).then_some(words)
}

/// Keeps only the kind of error, because reqwest's message contains the server's URL.
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
