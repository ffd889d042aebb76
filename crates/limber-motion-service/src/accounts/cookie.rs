//! The value of the session cookie: `s:<id>.<mac>`, percent-encoded.
//!
//! The value contains no `=`, because one SDK truncates `set-cookie` at that character. Parsing
//! skips unknown pairs, because the same SDK sends cookie attributes back as if they were cookies.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Signs and verifies session ids.
#[derive(Clone)]
pub(crate) struct CookieSigner {
    name: String,
    /// The first key signs; all keys verify.
    keys: Vec<[u8; 32]>,
}

impl std::fmt::Debug for CookieSigner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CookieSigner").field("name", &self.name).finish_non_exhaustive()
    }
}

impl CookieSigner {
    pub(crate) const fn new(name: String, keys: Vec<[u8; 32]>) -> Self {
        Self { name, keys }
    }

    /// Returns the name-value pair for `set-cookie`.
    pub(crate) fn pair(&self, session: &str) -> String {
        let tag = self.keys.first().map(|key| mac(key, session).finalize());
        let tag = tag.map(|tag| URL_SAFE_NO_PAD.encode(tag.into_bytes())).unwrap_or_default();
        format!("{}=s%3A{session}.{tag}", self.name)
    }

    /// Returns the session id from the first pair of a `Cookie` header that has our name and a
    /// valid signature.
    pub(crate) fn session_in_header(&self, header: &str) -> Option<String> {
        let pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs
            .filter(|(name, _)| *name == self.name)
            .find_map(|(_, value)| self.session_in_value(value))
    }

    /// Returns the session id of a cookie value if its signature is valid.
    pub(crate) fn session_in_value(&self, value: &str) -> Option<String> {
        let value = value.trim().trim_matches('"');
        let signed = ["s%3A", "s%3a", "s:"].iter().find_map(|start| value.strip_prefix(start))?;
        let (session, tag) = signed.split_once('.')?;
        let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
        let genuine = self.keys.iter().any(|key| mac(key, session).verify_slice(&tag).is_ok());
        genuine.then(|| session.to_owned())
    }
}

fn mac(key: &[u8; 32], session: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC accepts keys of any length");
    mac.update(b"session\n");
    mac.update(session.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer() -> CookieSigner {
        CookieSigner::new("svcsess".into(), vec![[3; 32]])
    }

    #[test]
    fn the_cookie_survives_clients_that_split_at_equals_signs() {
        let pair = signer().pair("abc-DEF_123");
        let (name, value) = pair.split_once('=').expect("a pair");
        assert!(!value.contains('='), "{value}");
        assert!(
            value.bytes().all(|b| b.is_ascii_alphanumeric() || b"._%-".contains(&b)),
            "{value}"
        );
        let mangled = format!("{name}={value}; Path");
        assert_eq!(signer().session_in_header(&mangled).as_deref(), Some("abc-DEF_123"));
    }

    #[test]
    fn junk_and_forged_cookies_are_ignored() {
        let good = signer().pair("abc");
        let header =
            format!("theme=dark; svcsess=s%3Aabc.AAAA; Path=/; HttpOnly; {good}; svcsess=");
        assert_eq!(signer().session_in_header(&header).as_deref(), Some("abc"));
        for bad in
            ["", "=", "svcsess", "svcsess=s%3Aabc", "svcsess=s%3Aabc.", "svcsess=\u{e4}.\u{f6}"]
        {
            assert_eq!(signer().session_in_header(bad), None, "{bad}");
        }
    }
}
