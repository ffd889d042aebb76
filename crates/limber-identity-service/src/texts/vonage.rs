//! Vonage: <https://developer.vonage.com/en/api/sms>. It answers with status 200 even on errors.

use reqwest::{Client, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{CarrierAnswer, TextError};
use crate::config::join;

pub(super) fn request(
    client: &Client,
    (base, key, secret, sender): (&Url, &str, &SecretString, &str),
    number: &str,
    text: &str,
) -> RequestBuilder {
    let mut form = vec![
        ("from", sender),
        ("to", number),
        ("text", text),
        ("api_key", key),
        ("api_secret", secret.expose_secret()),
    ];
    if !text.is_ascii() {
        form.push(("type", "unicode"));
    }
    client.post(join(base, &["sms", "json"])).form(&form)
}

pub(super) fn interpret(answer: &CarrierAnswer) -> Result<Option<String>, TextError> {
    if !answer.good || answer.text("/messages/0/status").as_deref() != Some("0") {
        return Err(answer.refusal(&["/messages/0/error-text", "/messages/0/status"]));
    }
    Ok(answer.text("/messages/0/message-id"))
}
