//! OAuth 1.0a (RFC 5849), with requests signed by HMAC-SHA1.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use limber_domain::environment::SecureRandom;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use sha1::Sha1;
use subtle::ConstantTimeEq;

use super::callback::{CallbackData, ProviderUser};
use super::calls::CallProblem;
use super::recipe::{Address, Source};
use super::{Enabled, ProviderError, Providers};

/// The inputs of a signature.
struct Signer<'a> {
    consumer: &'a str,
    consumer_secret: SecretString,
    token: Option<(&'a str, &'a SecretString)>,
    nonce: String,
    timestamp: i64,
}

impl<'a> Signer<'a> {
    fn new(
        provider: Enabled<'a>,
        token: Option<(&'a str, &'a SecretString)>,
        random: &dyn SecureRandom,
        now: DateTime<Utc>,
    ) -> Result<Self, ProviderError> {
        Ok(Self {
            consumer: &provider.config.client_ids[0],
            consumer_secret: provider.secret(now).ok_or(ProviderError::Exchange)?,
            token,
            nonce: random.uuid().simple().to_string(),
            timestamp: now.timestamp(),
        })
    }

    /// Returns the `Authorization` header. `own` are additional `oauth_…` parameters, `sent` those
    /// of the query or form.
    fn header(
        &self,
        method: &str,
        url: &str,
        own: &[(&str, &str)],
        sent: &[(&str, &str)],
    ) -> String {
        let timestamp = self.timestamp.to_string();
        let mut parameters = vec![
            ("oauth_consumer_key", self.consumer),
            ("oauth_nonce", &self.nonce),
            ("oauth_signature_method", "HMAC-SHA1"),
            ("oauth_timestamp", &timestamp),
            ("oauth_version", "1.0"),
        ];
        parameters.extend(self.token.map(|(token, _)| ("oauth_token", token)));
        parameters.extend(own);
        let signature = self.sign(method, url, parameters.iter().chain(sent));
        parameters.push(("oauth_signature", &signature));
        let fields: Vec<String> = parameters
            .iter()
            .map(|(name, value)| format!("{name}=\"{}\"", encode(value)))
            .collect();
        format!("OAuth {}", fields.join(", "))
    }

    fn sign<'p>(
        &self,
        method: &str,
        url: &str,
        parameters: impl Iterator<Item = &'p (&'p str, &'p str)>,
    ) -> String {
        let mut pairs: Vec<String> =
            parameters.map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
        pairs.sort();
        let text = format!("{method}&{}&{}", encode(url), encode(&pairs.join("&")));
        let token_secret = self.token.map_or("", |(_, secret)| secret.expose_secret());
        let key =
            format!("{}&{}", encode(self.consumer_secret.expose_secret()), encode(token_secret));
        let mut mac =
            Hmac::<Sha1>::new_from_slice(key.as_bytes()).expect("HMAC takes keys of any length");
        mac.update(text.as_bytes());
        STANDARD.encode(mac.finalize().into_bytes())
    }
}

/// Percent-encodes everything except the unreserved characters of RFC 3986.
fn encode(text: &str) -> String {
    use std::fmt::Write;
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("writing to a string cannot fail");
        }
        out
    })
}

fn field(body: &[u8], name: &'static str) -> Result<String, CallProblem> {
    url::form_urlencoded::parse(body)
        .find(|(found, value)| found == name && !value.is_empty())
        .map(|(_, value)| value.into_owned())
        .ok_or(CallProblem::Unexpected("a token is missing"))
}

impl Providers {
    /// Obtains the temporary request token of this sign-in.
    pub(super) async fn request_token(
        &self,
        provider: Enabled<'_>,
        url: &str,
        callback: &str,
        random: &dyn SecureRandom,
        now: DateTime<Utc>,
    ) -> Result<(String, SecretString), ProviderError> {
        let signer = Signer::new(provider, None, random, now)?;
        let header = signer.header("POST", url, &[("oauth_callback", callback)], &[]);
        let outcome = self.http.bytes(self.http.post(url).header("authorization", header)).await;
        outcome
            .and_then(|body| {
                Ok((field(&body, "oauth_token")?, field(&body, "oauth_token_secret")?.into()))
            })
            .map_err(|problem| {
                tracing::warn!(
                    provider = %provider.name, %problem,
                    "no request token was issued by the provider"
                );
                ProviderError::Away
            })
    }

    pub(super) async fn fetch_oauth1_user(
        &self,
        provider: Enabled<'_>,
        access_token: Address,
        callback: &CallbackData<'_>,
        random: &dyn SecureRandom,
        now: DateTime<Utc>,
    ) -> Result<ProviderUser, ProviderError> {
        let signer = Signer::new(provider, callback.request_token, random, now)?;
        let url = provider.url(&access_token);
        let header = signer.header("POST", &url, &[("oauth_verifier", callback.code)], &[]);
        let request = self.http.post(&url).header("authorization", header);
        let outcome = self.http.bytes(request).await.and_then(|body| {
            Ok((field(&body, "oauth_token")?, field(&body, "oauth_token_secret")?))
        });
        let (token, secret) = outcome.map_err(|problem| {
            tracing::warn!(
                provider = %provider.name, %problem,
                "the authorization code could not be exchanged"
            );
            ProviderError::Exchange
        })?;
        let secret = SecretString::from(secret);
        let signer = Signer::new(provider, Some((&token, &secret)), random, now)?;
        let mut values = Vec::new();
        if let Source::Calls(calls) = &provider.recipe.source {
            for call in *calls {
                let value = self.ask_signed(provider, call, &signer).await?;
                values.push((call.name, value));
            }
        }
        let profile = self.read(provider, &provider.answers(values))?;
        Ok(ProviderUser { profile, access_token: token.into(), refresh_token: None })
    }

    async fn ask_signed(
        &self,
        provider: Enabled<'_>,
        call: &super::recipe::Call,
        signer: &Signer<'_>,
    ) -> Result<Value, ProviderError> {
        let url = provider.url(&call.address);
        let header = signer.header("GET", &url, &[], call.query);
        let request = self.http.get(&url).query(call.query).header("authorization", header);
        self.http.json(request).await.map_err(|problem| {
            tracing::warn!(
                provider = %provider.name, %problem,
                "the provider's profile of the user cannot be fetched"
            );
            ProviderError::Profile
        })
    }
}

/// Tells whether the browser brought back the request token it was sent with. Compares in constant
/// time.
pub(crate) fn same_token(sent: &str, received: &str) -> bool {
    sent.as_bytes().ct_eq(received.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_oauth1_example_has_the_expected_signature() {
        let secret = "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE".into();
        let signer = Signer {
            consumer: "xvz1evFS4wEEPTGEFPHBog",
            consumer_secret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw".into(),
            token: Some(("370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", &secret)),
            nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg".into(),
            timestamp: 1_318_622_958,
        };
        let sent = [
            ("status", "Hello Ladies + Gentlemen, a signed OAuth request!"),
            ("include_entities", "true"),
        ];
        let url = "https://api.twitter.com/1.1/statuses/update.json";
        let header = signer.header("POST", url, &[], &sent);
        assert!(
            header.contains("oauth_signature=\"hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D\""),
            "{header}"
        );
    }
}
