//! Handles a browser's return: exchanges its code for tokens and fetches the user's profile.

use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use limber_api::identity::ProviderName;
use limber_domain::environment::SecureRandom;
use limber_domain::hex;
use reqwest::RequestBuilder;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use sha2::Sha256;

use super::answers::{Answers, CLAIMS, FORM, TOKEN};
use super::recipe::{Call, Endpoints, Extra, Source};
use super::tokens::Tokens;
use super::{Enabled, Profile, ProviderError, Providers};

/// What the browser brought back, and what was stored for it.
pub(crate) struct CallbackData<'a> {
    /// The `code`; for OAuth 1.0a, the `oauth_verifier`.
    pub(crate) code: &'a str,
    pub(crate) verifier: Option<&'a SecretString>,
    /// OAuth 1.0a: the request token and its secret.
    pub(crate) request_token: Option<(&'a str, &'a SecretString)>,
    /// The user's name, which Apple sends beside the code on the first sign-in only.
    pub(crate) user_form: Option<&'a str>,
}

/// The user, with the provider's tokens.
pub(crate) struct ProviderUser {
    pub(crate) profile: Profile,
    pub(crate) access_token: SecretString,
    pub(crate) refresh_token: Option<SecretString>,
}

impl Providers {
    /// Exchanges the code and returns the user's profile.
    pub(crate) async fn fetch_user(
        &self,
        name: ProviderName,
        callback: &CallbackData<'_>,
        random: &dyn SecureRandom,
        now: DateTime<Utc>,
    ) -> Result<ProviderUser, ProviderError> {
        let provider = self.enabled(name)?;
        let fetching = self.exchange_and_fetch(provider, callback, random, now);
        tokio::time::timeout(self.limit, fetching).await.unwrap_or_else(|_| {
            tracing::warn!(provider = %name, "the provider did not answer in time");
            Err(ProviderError::Exchange)
        })
    }

    async fn exchange_and_fetch(
        &self,
        provider: Enabled<'_>,
        callback: &CallbackData<'_>,
        random: &dyn SecureRandom,
        now: DateTime<Utc>,
    ) -> Result<ProviderUser, ProviderError> {
        if let Endpoints::OAuth1 { access_token, .. } = &provider.recipe.endpoints {
            return self.fetch_oauth1_user(provider, *access_token, callback, random, now).await;
        }
        let verifier = callback.verifier.map(ExposeSecret::expose_secret);
        let tokens = self.exchange(provider, callback.code, verifier, now).await?;
        let mut values = vec![
            (TOKEN, tokens.answer.clone()),
            (
                FORM,
                callback.user_form.and_then(|f| serde_json::from_str(f).ok()).unwrap_or_default(),
            ),
        ];
        let id_token = tokens.answer["id_token"].as_str();
        match (&provider.recipe.source, id_token) {
            (Source::IdToken | Source::IdTokenOr(_), Some(token)) => {
                values.push((CLAIMS, self.claims_of(provider, token, now).await?));
            }
            (Source::IdToken, None) => return Err(ProviderError::Profile),
            (Source::IdTokenOr(calls) | Source::Calls(calls), _) => {
                for call in *calls {
                    values.push((call.name, self.ask(provider, call, &tokens, now).await?));
                }
            }
            (Source::TokenAnswer, _) => {}
        }
        let profile = self.read(provider, &provider.answers(values))?;
        Ok(ProviderUser { profile, access_token: tokens.access, refresh_token: tokens.refresh })
    }

    pub(super) fn read(
        &self,
        provider: Enabled<'_>,
        answers: &Answers<'_>,
    ) -> Result<Profile, ProviderError> {
        (provider.recipe.read)(answers).ok_or_else(|| {
            tracing::warn!(
                provider = %provider.name,
                "the provider's profile of the user is incomplete"
            );
            ProviderError::Profile
        })
    }

    async fn ask(
        &self,
        provider: Enabled<'_>,
        call: &Call,
        tokens: &Tokens,
        now: DateTime<Utc>,
    ) -> Result<Value, ProviderError> {
        let url = provider.url(&call.address);
        let token = tokens.access.expose_secret();
        let mut request = match call.body {
            Some(body) => {
                self.http.post(&url).header("content-type", "application/json").body(body)
            }
            None => self.http.get(&url),
        };
        request = request.bearer_auth(token).query(call.query);
        for (name, value) in call.headers {
            request = request.header(*name, *value);
        }
        request = add_extra(request, provider, call.extra, token, now);
        self.http.json(request).await.map_err(|problem| {
            let question = call.name;
            tracing::warn!(
                provider = %provider.name, question, %problem,
                "the provider's profile of the user cannot be fetched"
            );
            ProviderError::Profile
        })
    }
}

fn add_extra(
    request: RequestBuilder,
    provider: Enabled<'_>,
    extra: Extra,
    token: &str,
    now: DateTime<Utc>,
) -> RequestBuilder {
    match extra {
        Extra::Nothing => request,
        Extra::ClientIdHeader => request.header("Client-Id", provider.client_id()),
        Extra::SecretProof => match provider.secret(now) {
            Some(secret) => request.query(&[("appsecret_proof", proof(&secret, token))]),
            None => request,
        },
    }
}

fn proof(secret: &SecretString, token: &str) -> String {
    let key = secret.expose_secret().as_bytes();
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(token.as_bytes());
    hex(&mac.finalize().into_bytes())
}
