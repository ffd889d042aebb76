//! Signed links, which let the bearer read one content without a session until they expire.
//!
//! `<base>/files/v1/<content id>/<file name>?expires=<ms>&signature=<hmac>`; the signature covers
//! the content id, the file name and the expiry.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::ContentId;

/// Why a link is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkError {
    Altered,
    Expired,
}

/// Creates and verifies signed links.
#[derive(Clone)]
pub(crate) struct Links {
    base: String,
    life_ms: i64,
    /// The first key signs; all keys verify.
    keys: Vec<[u8; 32]>,
}

impl std::fmt::Debug for Links {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Links").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Links {
    pub(crate) const fn new(base: String, life_ms: i64, keys: Vec<[u8; 32]>) -> Self {
        Self { base, life_ms, keys }
    }

    /// Returns an absolute link. Its expiry is rounded up to the minute, so that the link stays the
    /// same, and images stay cached, when a list is requested repeatedly.
    pub(crate) fn sign(&self, content: &str, file_name: &str, now_ms: i64) -> String {
        let expires = (now_ms + self.life_ms).div_euclid(60_000) * 60_000 + 60_000;
        let signature =
            self.keys.first().map(|key| mac(key, content, file_name, expires).finalize());
        let signature =
            signature.map(|tag| URL_SAFE_NO_PAD.encode(tag.into_bytes())).unwrap_or_default();
        let base = &self.base;
        let file_name: String =
            url::form_urlencoded::byte_serialize(file_name.as_bytes()).collect();
        let file_name = file_name.replace('+', "%20");
        format!("{base}/files/v1/{content}/{file_name}?expires={expires}&signature={signature}")
    }

    /// Verifies the parts of a link.
    pub(crate) fn check(
        &self,
        content: &str,
        file_name: &str,
        expires: &str,
        signature: &str,
        now_ms: i64,
    ) -> Result<ContentId, LinkError> {
        let content_id = ContentId::parse(content).ok_or(LinkError::Altered)?;
        let expires: i64 = expires.parse().map_err(|_| LinkError::Altered)?;
        let tag = URL_SAFE_NO_PAD.decode(signature).map_err(|_| LinkError::Altered)?;
        let genuine = self
            .keys
            .iter()
            .any(|key| mac(key, content, file_name, expires).verify_slice(&tag).is_ok());
        match (genuine, expires > now_ms) {
            (false, _) => Err(LinkError::Altered),
            (true, false) => Err(LinkError::Expired),
            (true, true) => Ok(content_id),
        }
    }
}

fn mac(key: &[u8; 32], content: &str, file_name: &str, expires: i64) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC accepts keys of any length");
    mac.update(format!("file\n{content}\n{file_name}\n{expires}").as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(link: &str) -> (String, String, String, String) {
        let url = url::Url::parse(link).expect("an address");
        let path: Vec<String> = url.path().split('/').map(str::to_owned).collect();
        let query: Vec<String> = url.query_pairs().map(|(_, value)| value.into_owned()).collect();
        (path[3].clone(), path[4].clone(), query[0].clone(), query[1].clone())
    }

    #[test]
    fn a_link_opens_its_file_until_it_expires() {
        let links = Links::new("http://studio".into(), 3_600_000, vec![[7; 32]]);
        let content = "ab".repeat(32);
        let (id, name, expires, signature) = parts(&links.sign(&content, "walk_v1.glb", 1000));
        let check = |id: &str, name: &str, expires: &str, now| {
            links.check(id, name, expires, &signature, now)
        };
        assert!(check(&id, &name, &expires, 2000).is_ok());
        assert_eq!(check(&id, "other.glb", &expires, 2000), Err(LinkError::Altered));
        assert_eq!(check(&"cd".repeat(32), &name, &expires, 2000), Err(LinkError::Altered));
        assert_eq!(check(&id, &name, "99999999999999", 2000), Err(LinkError::Altered));
        assert_eq!(check(&id, &name, &expires, 4_000_000), Err(LinkError::Expired));
    }

    #[test]
    fn an_older_key_still_opens_its_links() {
        let old = Links::new("http://studio".into(), 1000, vec![[1; 32]]);
        let new = Links::new("http://studio".into(), 1000, vec![[2; 32], [1; 32]]);
        let (id, name, expires, signature) = parts(&old.sign(&"ab".repeat(32), "walk.glb", 0));
        assert!(new.check(&id, &name, &expires, &signature, 1).is_ok());
    }
}
