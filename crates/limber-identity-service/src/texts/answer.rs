//! Reads a carrier's response.

use reqwest::{RequestBuilder, StatusCode};
use serde_json::Value;

use super::TextError;

/// Maximum size of a response. Carriers answer with a few hundred bytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// Maximum length of a reason taken from a response.
const MAX_REASON_CHARS: usize = 200;

/// A carrier's response.
pub(super) struct CarrierAnswer {
    /// Whether the HTTP status was 2xx.
    pub(super) good: bool,
    pub(super) body: Value,
}

/// Sends the request and reads the JSON response, with limits on time and size.
pub(super) async fn read_answer(request: RequestBuilder) -> Result<CarrierAnswer, TextError> {
    let mut response = request.send().await.map_err(|error| unreached(&error))?;
    let status = response.status();
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        return Err(TextError::Failing(status.as_u16()));
    }
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|error| unreached(&error))? {
        if bytes.len() + part.len() > MAX_ANSWER_BYTES {
            return Err(TextError::Unreadable);
        }
        bytes.extend_from_slice(&part);
    }
    match serde_json::from_slice(&bytes) {
        Ok(body) => Ok(CarrierAnswer { good: status.is_success(), body }),
        Err(_) => Err(TextError::Unreadable),
    }
}

fn unreached(error: &reqwest::Error) -> TextError {
    if error.is_timeout() { TextError::TimedOut } else { TextError::Unreachable }
}

impl CarrierAnswer {
    /// Returns a string or number in the response as text.
    pub(super) fn text(&self, pointer: &str) -> Option<String> {
        match self.body.pointer(pointer)? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Returns the carrier's reason, from the first of these JSON pointers that leads to one.
    pub(super) fn refusal(&self, pointers: &[&str]) -> TextError {
        let reason = pointers.iter().find_map(|pointer| self.text(pointer));
        let Some(reason) = reason else { return TextError::Unreadable };
        let plain = reason.chars().map(|c| if c.is_control() { ' ' } else { c });
        TextError::Refused(plain.take(MAX_REASON_CHARS).collect())
    }
}
