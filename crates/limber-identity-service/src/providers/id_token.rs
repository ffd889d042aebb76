//! Verification of ID tokens against the provider's published keys.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use limber_api::identity::ProviderName;
use serde_json::Value;
use sha2::{Digest, Sha256, Sha384, Sha512};
use subtle::ConstantTimeEq;

use super::answers::CLAIMS;
use super::recipe::OpenId;
use super::{Enabled, Profile, ProviderError, Providers, azure, recipe};

/// Maximum size of an ID token, in bytes.
const MAX_TOKEN_BYTES: usize = 64 * 1024;
/// Allowed clock difference, in seconds.
const LEEWAY_S: f64 = 60.0;

/// Why an ID token was rejected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum IdTokenProblem {
    /// The provider is not enabled.
    Disabled {
        issuer: String,
    },
    /// The provider's keys could not be fetched, so the token could not be checked.
    Away,
    /// The token is malformed, expired, or not signed by its issuer.
    Bad,
    /// The token was issued for another client.
    Audience(Vec<String>),
    NonceHalf,
    NonceDiffers,
}

/// What a native app presents.
pub(crate) struct Presented<'a> {
    pub(crate) provider: ProviderName,
    pub(crate) id_token: &'a str,
    pub(crate) access_token: Option<&'a str>,
    pub(crate) nonce: Option<&'a str>,
}

impl Providers {
    /// Finds the provider that issues tokens as `issuer`, among those with ID tokens.
    pub(crate) fn issued_by(&self, issuer: &str) -> Option<ProviderName> {
        let issuer = issuer.trim_end_matches('/');
        ProviderName::ALL.iter().copied().find(|name| {
            let recipe = recipe::of(*name);
            let Some(openid) = &recipe.openid else { return false };
            let base = self.config.providers.get(name).and_then(|c| c.base.as_deref());
            let own = base.unwrap_or(recipe.issuer);
            let tenant = openid.issuer_names_tenant && is_tenant_of(issuer, own);
            (!own.is_empty() && issuer == own) || tenant || openid.also_issued_as.contains(&issuer)
        })
    }

    /// Tells whether the provider issues ID tokens.
    pub(crate) fn issues_id_tokens(name: ProviderName) -> bool {
        recipe::of(name).openid.is_some()
    }

    /// Verifies a token that did not come through a redirect, and returns the user's profile.
    pub(crate) async fn redeem(
        &self,
        presented: &Presented<'_>,
        now: DateTime<Utc>,
    ) -> Result<Profile, IdTokenProblem> {
        let recipe = recipe::of(presented.provider);
        let Ok(provider) = self.enabled(presented.provider) else {
            return Err(IdTokenProblem::Disabled { issuer: recipe.issuer.to_owned() });
        };
        let checking = self.check(provider, presented.id_token, now);
        let (claims, algorithm) = match tokio::time::timeout(self.limit, checking).await {
            Ok(outcome) => outcome?,
            Err(_) => return Err(IdTokenProblem::Away),
        };
        if let Some(token) = presented.access_token.filter(|token| !token.is_empty()) {
            check_access_token(&claims, algorithm, token)?;
        }
        if !provider.config.skip_nonce_check {
            check_nonce(&claims, presented.nonce)?;
        }
        let answers = provider.answers(vec![(CLAIMS, claims)]);
        (recipe.read)(&answers).ok_or(IdTokenProblem::Bad)
    }

    /// Verifies the ID token from a token response and returns its claims.
    pub(super) async fn claims_of(
        &self,
        provider: Enabled<'_>,
        token: &str,
        now: DateTime<Utc>,
    ) -> Result<Value, ProviderError> {
        self.check(provider, token, now).await.map(|(claims, _)| claims).map_err(|problem| {
            tracing::warn!(provider = %provider.name, ?problem, "an ID token was rejected");
            match problem {
                IdTokenProblem::Away => ProviderError::Away,
                _ => ProviderError::Profile,
            }
        })
    }

    /// Verifies signature, issuer, audience and times.
    async fn check(
        &self,
        provider: Enabled<'_>,
        token: &str,
        now: DateTime<Utc>,
    ) -> Result<(Value, Algorithm), IdTokenProblem> {
        let Some(openid) = &provider.recipe.openid else { return Err(IdTokenProblem::Bad) };
        if token.len() > MAX_TOKEN_BYTES {
            return Err(IdTokenProblem::Bad);
        }
        let header = decode_header(token).map_err(|_| IdTokenProblem::Bad)?;
        if !is_asymmetric(header.alg) {
            return Err(IdTokenProblem::Bad);
        }
        let address = provider.configuration_address(openid);
        let note = |problem| {
            tracing::warn!(
                provider = %provider.name, %problem,
                "the provider's keys, which verify ID tokens, cannot be fetched"
            );
            IdTokenProblem::Away
        };
        let found =
            self.discovery_cache.key(&self.http, &address, header.kid.as_deref(), now).await;
        let jwk = found.map_err(note)?.ok_or(IdTokenProblem::Bad)?;
        let claims = verify_signature(token, &jwk, header.alg)?;
        let configuration =
            self.discovery_cache.configuration(&self.http, &address, now).await.map_err(note)?;
        check_issuer(&claims, openid, &configuration.issuer, provider.issuer())?;
        check_tenant(&claims, &provider.config.tenants)?;
        check_time(&claims, now)?;
        check_audience(&claims, &provider.config.client_ids)?;
        Ok((claims, header.alg))
    }
}

impl Enabled<'_> {
    pub(super) fn configuration_address(&self, openid: &OpenId) -> String {
        format!("{}{}", self.issuer(), openid.configuration)
    }
}

/// Tells whether `issuer` is a tenant of `base`: `https://host/<tenant>/v2.0` beside
/// `https://host/common`.
fn is_tenant_of(issuer: &str, base: &str) -> bool {
    let Some((host, _)) = base.rsplit_once('/') else { return false };
    let tenant = issuer
        .strip_prefix(host)
        .and_then(|rest| rest.strip_prefix('/'))
        .and_then(|rest| rest.strip_suffix("/v2.0"));
    tenant.is_some_and(|tenant| !tenant.is_empty() && !tenant.contains('/'))
}

fn is_asymmetric(algorithm: Algorithm) -> bool {
    !matches!(algorithm, Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512)
}

fn verify_signature(
    token: &str,
    jwk: &jsonwebtoken::jwk::Jwk,
    algorithm: Algorithm,
) -> Result<Value, IdTokenProblem> {
    let key = DecodingKey::from_jwk(jwk).map_err(|_| IdTokenProblem::Bad)?;
    // Times and audience are checked below, against the injected clock.
    let mut validation = Validation::new(algorithm);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    decode(token, &key, &validation).map(|token| token.claims).map_err(|_| IdTokenProblem::Bad)
}

fn check_issuer(
    claims: &Value,
    openid: &OpenId,
    published: &str,
    configured: &str,
) -> Result<(), IdTokenProblem> {
    let trimmed = |text: &str| text.trim_end_matches('/').to_owned();
    let said = trimmed(claims["iss"].as_str().ok_or(IdTokenProblem::Bad)?);
    let expected = if openid.issuer_names_tenant {
        // If the operator pinned a tenant, it is required regardless of what the token claims.
        let own = claims["tid"].as_str().unwrap_or_default();
        let tenant = azure::tenant_of(configured).unwrap_or(own);
        trimmed(&published.replace("{tenantid}", tenant))
    } else {
        // The configuration must name the issuer from whose URL it was fetched.
        if trimmed(published) != trimmed(configured) {
            return Err(IdTokenProblem::Bad);
        }
        trimmed(published)
    };
    let good = said == expected || openid.also_issued_as.contains(&said.as_str());
    if good { Ok(()) } else { Err(IdTokenProblem::Bad) }
}

/// Rejects users of other tenants if the operator restricted them.
fn check_tenant(claims: &Value, tenants: &[String]) -> Result<(), IdTokenProblem> {
    let own = claims["tid"].as_str().unwrap_or_default();
    let pinned = tenants.iter().any(|tenant| tenant.eq_ignore_ascii_case(own));
    if pinned || tenants.is_empty() { Ok(()) } else { Err(IdTokenProblem::Bad) }
}

fn check_time(claims: &Value, now: DateTime<Utc>) -> Result<(), IdTokenProblem> {
    let now = now.timestamp() as f64;
    let expires = claims["exp"].as_f64().ok_or(IdTokenProblem::Bad)?;
    let begins = ["nbf", "iat"].into_iter().filter_map(|name| claims[name].as_f64());
    let early = begins.into_iter().any(|begin| begin > now + LEEWAY_S);
    if early || expires <= now - LEEWAY_S { Err(IdTokenProblem::Bad) } else { Ok(()) }
}

fn check_audience(claims: &Value, client_ids: &[String]) -> Result<(), IdTokenProblem> {
    let audiences: Vec<String> = match &claims["aud"] {
        Value::String(one) => vec![one.clone()],
        Value::Array(many) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    if audiences.iter().any(|audience| client_ids.contains(audience)) {
        return Ok(());
    }
    Err(IdTokenProblem::Audience(audiences))
}

/// Checks `at_hash`, the left half of the access token's hash (OpenID Connect Core, 3.1.3.6). It is
/// optional in tokens issued for a code, and nothing here relies on the access token.
fn check_access_token(
    claims: &Value,
    algorithm: Algorithm,
    token: &str,
) -> Result<(), IdTokenProblem> {
    let Some(said) = claims["at_hash"].as_str() else { return Ok(()) };
    let hash = match algorithm {
        Algorithm::RS384 | Algorithm::PS384 | Algorithm::ES384 => {
            Sha384::digest(token.as_bytes()).to_vec()
        }
        Algorithm::RS512 | Algorithm::PS512 | Algorithm::EdDSA => {
            Sha512::digest(token.as_bytes()).to_vec()
        }
        _ => Sha256::digest(token.as_bytes()).to_vec(),
    };
    let expected = URL_SAFE_NO_PAD.encode(&hash[..hash.len() / 2]);
    if expected.as_bytes().ct_eq(said.as_bytes()).into() {
        Ok(())
    } else {
        Err(IdTokenProblem::Bad)
    }
}

fn check_nonce(claims: &Value, sent: Option<&str>) -> Result<(), IdTokenProblem> {
    let sent = sent.filter(|nonce| !nonce.is_empty());
    let said = claims["nonce"].as_str().filter(|nonce| !nonce.is_empty());
    match (sent, said) {
        (None, None) => Ok(()),
        (Some(sent), Some(said)) => {
            let expected = crate::tokens::sha256_hex(sent.as_bytes());
            if expected.as_bytes().ct_eq(said.as_bytes()).into() {
                Ok(())
            } else {
                Err(IdTokenProblem::NonceDiffers)
            }
        }
        _ => Err(IdTokenProblem::NonceHalf),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::providers::recipe::OPEN_ID;

    #[test]
    fn each_azure_tenant_has_its_own_issuer() {
        let openid = OpenId { issuer_names_tenant: true, ..OPEN_ID };
        let published = "https://login.example/{tenantid}/v2.0";
        let claims = |iss: &str| json!({"iss": iss, "tid": "t1"});
        let check = |iss: &str| check_issuer(&claims(iss), &openid, published, "https://x");
        assert!(check("https://login.example/t1/v2.0").is_ok());
        assert!(check("https://login.example/t2/v2.0").is_err());
        let t1 = claims("https://login.example/t1/v2.0");
        let pinned = |base: &str| check_issuer(&t1, &openid, published, base);
        assert!(pinned("https://login.example/t1").is_ok());
        assert!(pinned("https://login.example/common").is_ok());
        assert!(pinned("https://login.example/t2").is_err());
        let tenants = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let of = |names: &[&str]| check_tenant(&json!({"tid": "t1"}), &tenants(names));
        assert!(of(&[]).is_ok() && of(&["t2", "T1"]).is_ok() && of(&["t2"]).is_err());
        assert!(check_tenant(&json!({}), &tenants(&["t2"])).is_err());
        assert!(is_tenant_of("https://login.example/t1/v2.0", "https://login.example/common"));
        assert!(!is_tenant_of("https://evil.example/t1/v2.0", "https://login.example/common"));
    }

    #[test]
    fn discovery_cannot_claim_another_issuer() {
        let claims = json!({"iss": "https://other.example"});
        let check = |published| check_issuer(&claims, &OPEN_ID, published, "https://id.example");
        assert_eq!(check("https://other.example"), Err(IdTokenProblem::Bad));
    }

    #[test]
    fn at_hash_is_the_left_half_of_the_token_hash() {
        // The example from OpenID Connect Core, A.3.
        let claims = json!({"at_hash": "77QmUPtjPfzWtF2AnpK9RQ"});
        let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
        assert!(check_access_token(&claims, Algorithm::RS256, token).is_ok());
        assert!(check_access_token(&claims, Algorithm::RS256, "another").is_err());
        assert!(check_access_token(&json!({}), Algorithm::RS256, token).is_ok());
    }
}
