//! OpenID discovery: the published configuration and keys of providers, cached for ten minutes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use jsonwebtoken::jwk::{Jwk, JwkSet};
use serde::Deserialize;
use url::Url;

use super::calls::{CallProblem, HttpClient};

const CACHE_LIFETIME: Duration = Duration::from_secs(600);
/// Minimum interval between two fetches of the keys because of an unknown key id, so that forged
/// tokens do not cause a fetch each.
const MIN_REFETCH_INTERVAL: Duration = Duration::from_secs(30);

/// The relevant part of an OpenID configuration.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Configuration {
    pub(super) issuer: String,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    jwks_uri: String,
}

struct Entry {
    configuration: Arc<Configuration>,
    keys: Option<Arc<JwkSet>>,
    fetched: DateTime<Utc>,
    keys_fetched: DateTime<Utc>,
}

/// Cache of configurations and keys, by URL.
#[derive(Default)]
pub(super) struct DiscoveryCache(Mutex<HashMap<String, Entry>>);

impl DiscoveryCache {
    /// Returns the configuration at `address`, from the cache or freshly fetched.
    pub(super) async fn configuration(
        &self,
        http: &HttpClient,
        address: &str,
        now: DateTime<Utc>,
    ) -> Result<Arc<Configuration>, CallProblem> {
        let known = self.with(address, |entry| {
            is_younger(entry.fetched, CACHE_LIFETIME, now).then(|| Arc::clone(&entry.configuration))
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let value = http.json(http.get(address)).await?;
        let configuration: Configuration =
            serde_json::from_value(value).map_err(|_| CallProblem::Unreadable)?;
        refuse_lower_protection(address, &configuration)?;
        let configuration = Arc::new(configuration);
        let entry = Entry {
            configuration: Arc::clone(&configuration),
            keys: None,
            fetched: now,
            keys_fetched: now,
        };
        self.lock().insert(address.to_owned(), entry);
        Ok(configuration)
    }

    /// Returns the key with which a token was signed. For an unknown key id the keys are fetched
    /// again, because the provider may have rotated them.
    pub(super) async fn key(
        &self,
        http: &HttpClient,
        address: &str,
        id: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<Option<Jwk>, CallProblem> {
        let configuration = self.configuration(http, address, now).await?;
        let kept =
            self.with(address, |entry| entry.keys.clone().map(|keys| (keys, entry.keys_fetched)));
        if let Some((keys, fetched)) = kept {
            let found = pick(&keys, id);
            let young = is_younger(fetched, CACHE_LIFETIME, now);
            if young && (found.is_some() || is_younger(fetched, MIN_REFETCH_INTERVAL, now)) {
                return Ok(found);
            }
        }
        let value = http.json(http.get(&configuration.jwks_uri)).await?;
        let keys = Arc::new(readable_keys(&value));
        if let Some(entry) = self.lock().get_mut(address) {
            entry.keys = Some(Arc::clone(&keys));
            entry.keys_fetched = now;
        }
        Ok(pick(&keys, id))
    }

    fn with<T>(&self, address: &str, read: impl FnOnce(&Entry) -> Option<T>) -> Option<T> {
        self.lock().get(address).and_then(read)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Entry>> {
        self.0.lock().expect("no thread panicked while holding the lock")
    }
}

fn is_younger(since: DateTime<Utc>, than: Duration, now: DateTime<Utc>) -> bool {
    (now - since).to_std().is_ok_and(|age| age < than)
}

/// Parses the keys, skipping those of unknown types so that they do not hide the others.
fn readable_keys(value: &serde_json::Value) -> JwkSet {
    let keys = value["keys"].as_array().cloned().unwrap_or_default();
    JwkSet { keys: keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect() }
}

fn pick(keys: &JwkSet, id: Option<&str>) -> Option<Jwk> {
    match id {
        Some(id) => keys.find(id).cloned(),
        None => (keys.keys.len() == 1).then(|| keys.keys[0].clone()),
    }
}

/// Rejects a configuration that was fetched over HTTPS but refers to plain HTTP URLs.
fn refuse_lower_protection(
    address: &str,
    configuration: &Configuration,
) -> Result<(), CallProblem> {
    let named = [
        &configuration.authorization_endpoint,
        &configuration.token_endpoint,
        &configuration.jwks_uri,
    ];
    let plain_is_fine = address.starts_with("http://");
    let good = named.iter().all(|url| {
        Url::parse(url).is_ok_and(|url| {
            url.has_host() && (url.scheme() == "https" || (plain_is_fine && url.scheme() == "http"))
        })
    });
    if good { Ok(()) } else { Err(CallProblem::Unexpected("an address in it is not encrypted")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_discovery_leads_only_to_https_endpoints() {
        let configuration = |jwks: &str| Configuration {
            issuer: String::new(),
            authorization_endpoint: "https://a.example/x".into(),
            token_endpoint: "https://a.example/y".into(),
            jwks_uri: jwks.into(),
        };
        let check = |address, jwks| refuse_lower_protection(address, &configuration(jwks)).is_ok();
        assert!(check("https://a.example", "https://keys.example"));
        assert!(!check("https://a.example", "http://keys.example"));
        assert!(!check("https://a.example", "file:///etc/passwd"));
        assert!(check("http://localhost", "http://localhost/keys"));
    }
}
