//! Twilio: <https://www.twilio.com/docs/messaging/api/message-resource>.

use reqwest::{Client, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{CarrierAnswer, Channel, TextError};
use crate::config::join;

/// Builds the request. `sender` is a messaging service or a phone number.
pub(super) fn request(
    client: &Client,
    (base, account, token, sender): (&Url, &str, &SecretString, &str),
    number: &str,
    text: &str,
    channel: Channel,
) -> RequestBuilder {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut from = match sender.strip_prefix('+') {
        Some(digits) if is_number(digits) => sender.to_owned(),
        None if is_number(sender) => format!("+{sender}"),
        _ => sender.to_owned(),
    };
    let mut to = format!("+{number}");
    let word = match channel {
        Channel::Sms => "sms",
        Channel::Whatsapp => {
            to = format!("whatsapp:{to}");
            if from.starts_with('+') {
                from = format!("whatsapp:{from}");
            }
            "whatsapp"
        }
    };
    let path = ["2010-04-01", "Accounts", account, "Messages.json"];
    client.post(join(base, &path)).basic_auth(account, Some(token.expose_secret())).form(&[
        ("To", to.as_str()),
        ("Channel", word),
        ("From", &from),
        ("Body", text),
    ])
}

pub(super) fn interpret(answer: &CarrierAnswer) -> Result<Option<String>, TextError> {
    let status = answer.text("/status");
    let lost = matches!(status.as_deref(), Some("failed" | "undelivered"));
    if !answer.good || lost {
        return Err(answer.refusal(&["/message", "/error_message", "/code", "/status"]));
    }
    Ok(answer.text("/sid"))
}
