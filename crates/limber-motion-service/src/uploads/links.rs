//! Signed upload URLs, which let the bearer upload one file without a session.
//!
//! `<base>/upload/v1/object/<key>/<name>?methods=POST&resumable=1&limit=…&expires=…&signature=…`.
//! The signature covers all of it.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Validity of a URL for uploading, in milliseconds.
const LIFE_MS: i64 = 3600 * 1000;
/// How much longer the URL can be used to refer to the uploaded file, in milliseconds.
const STORABLE_MS: i64 = 24 * 3600 * 1000;
const OBJECTS: &str = "/upload/v1/object/";

/// Why a URL is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UploadLinkError {
    Altered,
    Expired,
}

/// What a URL permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Permit {
    pub(crate) key: String,
    /// Last segment of the path; only informative.
    pub(crate) name: String,
    /// Whether the URL starts a resumable session or takes the file in a single request.
    pub(crate) resumable: bool,
    pub(crate) limit_bytes: u64,
    expires_ms: i64,
}

impl Permit {
    pub(crate) const fn methods(&self) -> &'static str {
        if self.resumable { "POST" } else { "PUT" }
    }
}

/// Creates and verifies upload URLs.
#[derive(Clone)]
pub(crate) struct UploadLinks {
    base: String,
    /// The first key signs; all keys verify.
    keys: Vec<[u8; 32]>,
}

impl std::fmt::Debug for UploadLinks {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("UploadLinks").field("base", &self.base).finish_non_exhaustive()
    }
}

impl UploadLinks {
    pub(crate) const fn new(base: String, keys: Vec<[u8; 32]>) -> Self {
        Self { base, keys }
    }

    /// Returns an absolute URL.
    pub(crate) fn sign(
        &self,
        key: &str,
        name: &str,
        resumable: bool,
        limit_bytes: u64,
        now_ms: i64,
    ) -> String {
        let permit = Permit {
            key: key.to_owned(),
            name: name.to_owned(),
            resumable,
            limit_bytes,
            expires_ms: now_ms + LIFE_MS,
        };
        let tag = self.keys.first().map(|key| mac(key, &permit).finalize().into_bytes());
        let signature = tag.map(|tag| URL_SAFE_NO_PAD.encode(tag)).unwrap_or_default();
        let base = &self.base;
        let shown: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
        let (shown, methods) = (shown.replace('+', "%20"), permit.methods());
        let (resumable, expires) = (u8::from(resumable), permit.expires_ms);
        format!(
            "{base}{OBJECTS}{key}/{shown}?methods={methods}&resumable={resumable}\
             &limit={limit_bytes}&expires={expires}&signature={signature}"
        )
    }

    /// Returns the URL of a session.
    pub(crate) fn session(&self, token: &str) -> String {
        format!("{}/upload/v1/session/{token}", self.base)
    }

    /// Verifies the parts of a request, and that the URL has not expired.
    pub(crate) fn check(
        &self,
        key: &str,
        name: &str,
        query: &str,
        now_ms: i64,
    ) -> Result<Permit, UploadLinkError> {
        let permit = self.genuine(key, name, query).ok_or(UploadLinkError::Altered)?;
        if permit.expires_ms > now_ms { Ok(permit) } else { Err(UploadLinkError::Expired) }
    }

    /// Returns the upload key in a URL that a client hands back to refer to its upload. Only our
    /// signature counts, not the host in the URL; nothing is ever fetched from it.
    pub(crate) fn key_in(&self, address: &str, now_ms: i64) -> Option<String> {
        let url = url::Url::parse(address.trim()).ok()?;
        let (_, rest) = url.path().split_once(OBJECTS)?;
        let (key, name) = rest.split_once('/')?;
        let name = percent_decoded(name);
        let permit = self.genuine(key, &name, url.query().unwrap_or_default())?;
        (permit.expires_ms + STORABLE_MS > now_ms).then_some(permit.key)
    }

    fn genuine(&self, key: &str, name: &str, query: &str) -> Option<Permit> {
        let word = |wanted: &str| {
            url::form_urlencoded::parse(query.as_bytes())
                .find_map(|(name, value)| (name == wanted).then(|| value.into_owned()))
        };
        let resumable = match word("resumable")?.as_str() {
            "1" => true,
            "0" => false,
            _ => return None,
        };
        let permit = Permit {
            key: key.to_owned(),
            name: name.to_owned(),
            resumable,
            limit_bytes: word("limit")?.parse().ok()?,
            expires_ms: word("expires")?.parse().ok()?,
        };
        let tag = URL_SAFE_NO_PAD.decode(word("signature")?).ok()?;
        let signed = self.keys.iter().any(|key| mac(key, &permit).verify_slice(&tag).is_ok());
        (signed && word("methods")? == permit.methods()).then_some(permit)
    }
}

/// Decodes a path segment.
pub(crate) fn percent_decoded(text: &str) -> String {
    // the query decoder turns `+` into a space, which is wrong in a path
    let text = format!("n={}", text.replace('+', "%2B").replace('&', "%26"));
    url::form_urlencoded::parse(text.as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

fn mac(key: &[u8; 32], permit: &Permit) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC accepts keys of any length");
    let Permit { key, name, limit_bytes, expires_ms, .. } = permit;
    let text = format!("upload\n{key}\n{name}\n{}\n{limit_bytes}\n{expires_ms}", permit.methods());
    mac.update(text.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links() -> UploadLinks {
        UploadLinks::new("http://studio".into(), vec![[7; 32]])
    }

    #[test]
    fn an_upload_url_permits_what_it_was_signed_for_until_it_expires() {
        let address = links().sign("k1", "my hero + co.fbx", true, 1000, 0);
        assert_eq!(links().key_in(&address, 5).as_deref(), Some("k1"));
        let query = address.split_once('?').expect("a query").1.to_owned();
        let check = |name: &str, query: &str, now| links().check("k1", name, query, now);
        let permit = check("my hero + co.fbx", &query, 5).expect("genuine");
        assert!(permit.resumable && permit.limit_bytes == 1000);
        assert_eq!(check("other.fbx", &query, 5), Err(UploadLinkError::Altered));
        assert_eq!(check("my hero + co.fbx", &query, LIFE_MS), Err(UploadLinkError::Expired));
        for (old, new) in
            [("limit=1000", "limit=9000"), ("resumable=1", "resumable=0"), ("POST", "PUT")]
        {
            let altered = query.replace(old, new);
            assert_eq!(check("my hero + co.fbx", &altered, 5), Err(UploadLinkError::Altered));
        }
    }

    #[test]
    fn an_expired_upload_url_refers_to_its_file_for_another_day() {
        let address = links().sign("k1", "hero.fbx", false, 1000, 0);
        assert!(links().key_in(&address, LIFE_MS + STORABLE_MS - 1).is_some());
        assert!(links().key_in(&address, LIFE_MS + STORABLE_MS).is_none());
        assert!(links().key_in("https://elsewhere.example/hero.fbx", 5).is_none());
        assert!(links().key_in("not an address", 5).is_none());
        let stranger = UploadLinks::new("http://studio".into(), vec![[8; 32]]);
        assert!(stranger.key_in(&address, 5).is_none());
    }
}
