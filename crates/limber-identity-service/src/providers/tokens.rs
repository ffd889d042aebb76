//! Exchange of an authorisation code for the provider's tokens.

use chrono::{DateTime, Utc};
use reqwest::RequestBuilder;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};

use super::calls::{CallProblem, error_word};
use super::recipe::{Endpoints, Exchange};
use super::{Enabled, ProviderError, Providers, apple};
use crate::config::ClientSecret;

/// The provider's tokens.
pub(super) struct Tokens {
    pub(super) access: SecretString,
    pub(super) refresh: Option<SecretString>,
    /// The whole response: some providers include more in it.
    pub(super) answer: Value,
}

impl Providers {
    pub(super) async fn exchange(
        &self,
        provider: Enabled<'_>,
        code: &str,
        verifier: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<Tokens, ProviderError> {
        let url = match &provider.recipe.endpoints {
            Endpoints::Fixed { token, .. } => provider.url(token),
            Endpoints::Discovered => self.discovered(provider, now).await?.token_endpoint.clone(),
            Endpoints::OAuth1 { access_token, .. } => provider.url(access_token),
        };
        let secret = provider.secret(now).ok_or(ProviderError::Exchange)?;
        let request = fill(self.http.post(&url), provider, &secret, code, verifier);
        let outcome = self.http.any(request.header("accept", "application/json")).await;
        outcome.and_then(|(status, body)| read(status, &body)).map_err(|problem| {
            tracing::warn!(
                provider = %provider.name, %problem,
                "the authorization code could not be exchanged"
            );
            ProviderError::Exchange
        })
    }
}

impl Enabled<'_> {
    pub(super) fn secret(&self, now: DateTime<Utc>) -> Option<SecretString> {
        match &self.config.secret {
            ClientSecret::Given(secret) => Some(secret.clone()),
            ClientSecret::Signed(key) => {
                apple::client_secret(key, self.client_id(), self.issuer(), now)
            }
        }
    }
}

fn fill(
    request: RequestBuilder,
    provider: Enabled<'_>,
    secret: &SecretString,
    code: &str,
    verifier: Option<&str>,
) -> RequestBuilder {
    let secret = secret.expose_secret();
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", provider.config.redirect_uri.as_str()),
    ];
    fields.extend(verifier.map(|verifier| ("code_verifier", verifier)));
    match provider.recipe.exchange {
        Exchange::Form => {
            fields.extend([("client_id", provider.client_id()), ("client_secret", secret)]);
            request.form(&fields)
        }
        Exchange::FormWithBasic => {
            request.basic_auth(provider.client_id(), Some(secret)).form(&fields)
        }
        Exchange::JsonWithBasic => {
            let body: Map<String, Value> =
                fields.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
            request.basic_auth(provider.client_id(), Some(secret)).json(&body)
        }
    }
}

/// Parses a token response: JSON, or form encoding, which some providers still use. An error may
/// come with any status.
fn read(status: u16, body: &[u8]) -> Result<Tokens, CallProblem> {
    let answer: Value = serde_json::from_slice(body).unwrap_or_else(|_| form(body));
    if !answer["error"].is_null() || answer["ok"] == json!(false) {
        return Err(CallProblem::Refused(error_word(&answer["error"])));
    }
    if !(200..300).contains(&status) {
        return Err(CallProblem::Status(status));
    }
    let text =
        |name: &str| answer[name].as_str().filter(|text| !text.is_empty()).map(SecretString::from);
    let access = text("access_token").ok_or(CallProblem::Unexpected("no access token"))?;
    Ok(Tokens { access, refresh: text("refresh_token"), answer })
}

fn form(body: &[u8]) -> Value {
    url::form_urlencoded::parse(body)
        .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
        .collect::<Map<_, _>>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(status: u16, body: &str) -> CallProblem {
        match read(status, body.as_bytes()) {
            Err(problem) => problem,
            Ok(_) => panic!("{body} was accepted"),
        }
    }

    #[test]
    fn token_responses_are_read_from_json_and_from_forms() {
        for body in [
            r#"{"access_token":"a","refresh_token":"r","scope":["x"]}"#,
            "access_token=a&refresh_token=r&scope=x",
        ] {
            let tokens = read(200, body.as_bytes()).unwrap_or_else(|e| panic!("{body}: {e}"));
            assert_eq!(tokens.access.expose_secret(), "a");
            assert_eq!(tokens.refresh.expect("the item exists").expose_secret(), "r");
        }
    }

    #[test]
    fn token_errors_are_detected_under_any_status_and_quoted_only_if_harmless() {
        let refused = |word: &str| CallProblem::Refused(word.to_owned());
        assert_eq!(
            problem(200, r#"{"error":"bad_verification_code"}"#),
            refused("bad_verification_code")
        );
        assert_eq!(problem(200, r#"{"ok":false,"error":"invalid_code"}"#), refused("invalid_code"));
        assert_eq!(
            problem(400, r#"{"error":{"type":"OAuthException"}}"#),
            refused("OAuthException")
        );
        assert_eq!(problem(400, r#"{"error":"secret is hunter2!"}"#), refused("unknown error"));
        assert_eq!(problem(502, "<html>"), CallProblem::Status(502));
        assert_eq!(problem(200, "{}"), CallProblem::Unexpected("no access token"));
    }
}
