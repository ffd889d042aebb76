//! Request bodies. They are limited in size and parsed only when the handler asks, because some
//! checks must come first.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, HeaderName, header};
use limber_api::identity::ErrorCode;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::{Answer, ApiError};
use crate::refusal::{ARRAY_FOR_OBJECT, BODY_TOO_LARGE, NUL_IN_BODY, Refusal};

const MAX_BYTES: usize = 1_048_576;

/// A request body, read but not parsed.
pub(super) struct RawBody {
    bytes: Bytes,
    is_form: bool,
}

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Answer<Self> {
        let headers = request.headers();
        let announced =
            text(headers, &header::CONTENT_LENGTH).and_then(|l| l.parse::<usize>().ok());
        if announced.is_some_and(|length| length > MAX_BYTES) {
            return Err(BODY_TOO_LARGE.into());
        }
        let is_form = text(headers, &header::CONTENT_TYPE)
            .is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
        let bytes = to_bytes(request.into_body(), MAX_BYTES).await.map_err(|_| BODY_TOO_LARGE)?;
        Ok(Self { bytes, is_form })
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

impl RawBody {
    pub(super) fn json<T: DeserializeOwned>(&self) -> Answer<T> {
        if self.holds_nul() {
            return Err(NUL_IN_BODY.into());
        }
        if self.is_form {
            let fields = url::form_urlencoded::parse(&self.bytes)
                .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
                .collect();
            return serde_json::from_value(Value::Object(fields)).map_err(|e| unreadable(&e));
        }
        // serde would accept an array for a struct, field by field.
        if self.bytes.trim_ascii_start().first().is_some_and(|first| *first == b'[') {
            return Err(ARRAY_FOR_OBJECT.into());
        }
        serde_json::from_slice(&self.bytes).map_err(|e| unreadable(&e))
    }

    /// Tells whether the body contains a NUL character, which PostgreSQL cannot store in text.
    fn holds_nul(&self) -> bool {
        fn inside(value: &Value) -> bool {
            match value {
                Value::String(text) => text.contains('\0'),
                Value::Array(items) => items.iter().any(inside),
                Value::Object(fields) => {
                    fields.iter().any(|(name, value)| name.contains('\0') || inside(value))
                }
                _ => false,
            }
        }
        let bytes: &[u8] = &self.bytes;
        if self.is_form {
            return url::form_urlencoded::parse(bytes).any(|(_, value)| value.contains('\0'));
        }
        // Parse only if the escape occurs at all.
        bytes.windows(6).any(|part| part == b"\\u0000")
            && serde_json::from_slice(bytes).is_ok_and(|value| inside(&value))
    }

    /// Parses the body, or returns the default if it is empty.
    pub(super) fn json_or_default<T: DeserializeOwned + Default>(&self) -> Answer<T> {
        if self.bytes.trim_ascii().is_empty() { Ok(T::default()) } else { self.json() }
    }

    /// Returns a field of a form body.
    pub(super) fn form_field(&self, name: &str) -> Option<String> {
        let mut fields = url::form_urlencoded::parse(&self.bytes).filter(|_| self.is_form);
        fields.find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
    }
}

/// Reports where parsing failed. serde's own message could quote a value, so for a wrong type only
/// the position is given.
fn unreadable(error: &serde_json::Error) -> ApiError {
    let what = match error.classify() {
        serde_json::error::Category::Data => "a field has the wrong type",
        serde_json::error::Category::Eof => "unexpected end of JSON input",
        _ => "invalid character",
    };
    let text = format!(
        "Could not parse request body as JSON: {what} at line {} column {}",
        error.line(),
        error.column()
    );
    Refusal::with_text(400, ErrorCode::BadJson, text).into()
}
