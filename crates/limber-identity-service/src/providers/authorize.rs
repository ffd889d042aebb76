//! Builds the authorisation URL that a browser is sent to.

use chrono::{DateTime, Utc};
use limber_api::identity::ProviderName;
use limber_domain::environment::SecureRandom;
use limber_domain::hex;
use secrecy::SecretString;
use url::Url;

use super::recipe::{Address, Endpoints};
use super::{Enabled, ProviderError, Providers, recipe, workos};
use crate::tokens::pkce::Challenge;

/// What the client asked for.
pub(crate) struct AuthorizeParams {
    /// Scopes beyond the provider's defaults, as the client wrote them.
    pub(crate) scopes: Vec<String>,
    /// Query parameters to pass on to the provider.
    pub(crate) parameters: Vec<(String, String)>,
}

/// The URL to send the browser to, and what to store until it returns.
pub(crate) struct AuthorizationRequest {
    pub(crate) address: Url,
    /// The PKCE verifier for the challenge in the URL.
    pub(crate) verifier: Option<SecretString>,
    /// OAuth 1.0a: the request token and its secret.
    pub(crate) request_token: Option<(String, SecretString)>,
}

/// Parameters that clients cannot pass on: some are addressed to this service, the others are set
/// by it.
const RESERVED: [&str; 21] = [
    "provider",
    "scopes",
    "redirect_to",
    "invite_token",
    "skip_http_redirect",
    "workos_provider",
    "client_id",
    "client_secret",
    "redirect_uri",
    "response_type",
    "response_mode",
    "scope",
    "state",
    "code",
    "code_challenge",
    "code_challenge_method",
    "code_verifier",
    "request",
    "request_uri",
    "registration",
    "apikey",
];

impl Providers {
    /// Returns the authorisation URL. `state` identifies the sign-in when the browser returns.
    pub(crate) async fn authorization_request(
        &self,
        name: ProviderName,
        params: &AuthorizeParams,
        state: &str,
        random: &dyn SecureRandom,
        now: DateTime<Utc>,
    ) -> Result<AuthorizationRequest, ProviderError> {
        let provider = self.enabled(name)?;
        let building = self.build_authorization_request(provider, params, state, random, now);
        tokio::time::timeout(self.limit, building).await.unwrap_or(Err(ProviderError::Away))
    }

    async fn build_authorization_request(
        &self,
        provider: Enabled<'_>,
        params: &AuthorizeParams,
        state: &str,
        random: &dyn SecureRandom,
        now: DateTime<Utc>,
    ) -> Result<AuthorizationRequest, ProviderError> {
        let authorize = match &provider.recipe.endpoints {
            Endpoints::Fixed { authorize, .. } => provider.url(authorize),
            Endpoints::Discovered => {
                self.discovered(provider, now).await?.authorization_endpoint.clone()
            }
            Endpoints::OAuth1 { request_token, authorize, .. } => {
                let addresses = (*request_token, *authorize);
                return self
                    .oauth1_authorization_request(provider, addresses, state, random, now)
                    .await;
            }
        };
        let mut address = Url::parse(&authorize).map_err(|_| ProviderError::Away)?;
        let verifier = provider.recipe.pkce.then(|| verifier(random));
        {
            let mut query = address.query_pairs_mut();
            query.extend_pairs(passed_on(&params.parameters, provider.recipe.parameters));
            query.extend_pairs(provider.recipe.parameters);
            query.append_pair("client_id", provider.client_id());
            query.append_pair("redirect_uri", &provider.config.redirect_uri);
            query.append_pair("response_type", "code");
            query.append_pair("state", state);
            let scope = provider.scope(&params.scopes);
            if !scope.is_empty() {
                query.append_pair("scope", &scope);
            }
            if let Some(verifier) = &verifier {
                query.append_pair("code_challenge", &Challenge::of(verifier).challenge);
                query.append_pair("code_challenge_method", "S256");
            }
            if provider.name == ProviderName::Workos {
                query.extend_pairs(workos::selector(&params.parameters)?);
            }
        }
        let verifier = verifier.map(Into::into);
        Ok(AuthorizationRequest { address, verifier, request_token: None })
    }

    pub(super) async fn discovered(
        &self,
        provider: Enabled<'_>,
        now: DateTime<Utc>,
    ) -> Result<std::sync::Arc<super::discovery::Configuration>, ProviderError> {
        let openid = provider.recipe.openid.as_ref();
        let openid = openid.expect("only OpenID providers have discovered endpoints");
        let address = provider.configuration_address(openid);
        self.discovery_cache.configuration(&self.http, &address, now).await.map_err(|problem| {
            tracing::warn!(
                provider = %provider.name, %problem,
                "the provider's OpenID configuration cannot be fetched"
            );
            ProviderError::Away
        })
    }

    async fn oauth1_authorization_request(
        &self,
        provider: Enabled<'_>,
        (request_token, authorize): (Address, Address),
        state: &str,
        random: &dyn SecureRandom,
        now: DateTime<Utc>,
    ) -> Result<AuthorizationRequest, ProviderError> {
        let mut callback =
            Url::parse(&provider.config.redirect_uri).map_err(|_| ProviderError::Away)?;
        callback.query_pairs_mut().append_pair("state", state);
        let url = provider.url(&request_token);
        let token = self.request_token(provider, &url, callback.as_str(), random, now).await?;
        let mut address = Url::parse(&provider.url(&authorize)).map_err(|_| ProviderError::Away)?;
        address.query_pairs_mut().append_pair("oauth_token", &token.0);
        Ok(AuthorizationRequest { address, verifier: None, request_token: Some(token) })
    }

    /// Fails in the same cases as [`Self::authorization_request`], as far as they can be determined
    /// without a network call.
    pub(crate) fn require(&self, name: ProviderName) -> Result<(), ProviderError> {
        self.enabled(name)?;
        Ok(())
    }

    /// Tells whether the provider returns the browser by a form post.
    pub(crate) fn comes_back_by_form(name: ProviderName) -> bool {
        recipe::of(name).parameters.contains(&("response_mode", "form_post"))
    }

    /// Tells whether the client requests more than the default scopes, in which case the provider's
    /// tokens are passed on to it.
    pub(crate) fn asks_for_more(name: ProviderName, scopes: &[String]) -> bool {
        let defaults = recipe::of(name).scopes;
        scopes.iter().flat_map(|scope| scope.split_whitespace()).any(|s| !defaults.contains(&s))
    }
}

impl Enabled<'_> {
    fn scope(&self, more: &[String]) -> String {
        let defaults = self.recipe.scopes.iter().copied();
        let all: Vec<&str> = defaults.chain(more.iter().map(String::as_str)).collect();
        all.join(" ")
    }
}

/// Returns the client's parameters that may be passed on.
fn passed_on<'a>(
    parameters: &'a [(String, String)],
    ours: &'a [(&str, &str)],
) -> impl Iterator<Item = &'a (String, String)> {
    parameters.iter().filter(|(name, _)| {
        let name = name.to_ascii_lowercase();
        !RESERVED.contains(&name.as_str()) && !ours.iter().any(|(own, _)| *own == name)
    })
}

/// Returns a PKCE verifier of 64 hexadecimal digits, within the limits of RFC 7636.
fn verifier(random: &dyn SecureRandom) -> String {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    hex(&bytes)
}
