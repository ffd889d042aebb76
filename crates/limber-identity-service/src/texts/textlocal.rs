//! Textlocal: <https://api.textlocal.in/docs/sendsms>. It answers with status 200 even on errors.

use reqwest::{Client, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{CarrierAnswer, TextError};
use crate::config::join;

pub(super) fn request(
    client: &Client,
    (base, key, sender): (&Url, &SecretString, &str),
    number: &str,
    text: &str,
) -> RequestBuilder {
    client.post(join(base, &["send"])).form(&[
        ("sender", sender),
        ("apikey", key.expose_secret()),
        ("message", text),
        ("numbers", number),
    ])
}

pub(super) fn interpret(answer: &CarrierAnswer) -> Result<Option<String>, TextError> {
    if !answer.good || answer.text("/status").as_deref() != Some("success") {
        return Err(answer.refusal(&["/errors/0/message", "/errors/0/code", "/status"]));
    }
    Ok(answer.text("/messages/0/id"))
}
