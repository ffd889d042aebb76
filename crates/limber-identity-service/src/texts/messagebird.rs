//! MessageBird: <https://developers.messagebird.com/api/sms-messaging/>.

use reqwest::{Client, RequestBuilder, header};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{CarrierAnswer, TextError};
use crate::config::join;

pub(super) fn request(
    client: &Client,
    (base, key, originator): (&Url, &SecretString, &str),
    number: &str,
    text: &str,
) -> RequestBuilder {
    client
        .post(join(base, &["messages"]))
        .header(header::AUTHORIZATION, format!("AccessKey {}", key.expose_secret()))
        .form(&[
            ("originator", originator),
            ("body", text),
            ("recipients", number),
            ("type", "sms"),
            ("datacoding", "unicode"),
        ])
}

pub(super) fn interpret(answer: &CarrierAnswer) -> Result<Option<String>, TextError> {
    let lost = answer.text("/recipients/totalDeliveryFailedCount");
    if !answer.good || lost.is_some_and(|count| count != "0") {
        return Err(answer.refusal(&[
            "/errors/0/description",
            "/errors/0/code",
            "/recipients/items/0/statusReason",
            "/recipients/items/0/status",
        ]));
    }
    Ok(answer.text("/id"))
}
