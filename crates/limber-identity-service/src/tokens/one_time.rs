//! Codes and links (identity behaviour, 6.7): the code is digits, the link carries the SHA-224 of
//! address and code. The database keeps a keyed hash of the link's value, so that neither code
//! nor link can be found out from a copy of it.

use secrecy::SecretString;
use sha2::{Digest, Sha224};

use super::{hex, keyed_hash};

/// Marks a link whose request carried a PKCE challenge.
const PKCE_PREFIX: &str = "pkce_";

/// A code that was just made, in clear.
pub(crate) struct Issued {
    /// For typing in.
    pub(crate) code: SecretString,
    /// For the link.
    pub(crate) link_token: SecretString,
    /// For the database.
    pub(crate) hash: [u8; 32],
}

/// Turns link values into what the database keeps.
pub(crate) struct CodeKey([u8; 32]);

impl CodeKey {
    /// `secret` is the instance's own secret.
    pub(crate) fn new(secret: &[u8]) -> Self {
        Self(keyed_hash(secret, &[b"limber one-time tokens"]))
    }

    pub(crate) fn issue(&self, address: &str, code: String, with_challenge: bool) -> Issued {
        let digest = digest(address, &code);
        let prefix = if with_challenge { PKCE_PREFIX } else { "" };
        Issued {
            hash: self.hash(&digest),
            link_token: format!("{prefix}{digest}").into(),
            code: code.into(),
        }
    }

    /// The stored form of a code that was typed in.
    pub(crate) fn of_code(&self, address: &str, code: &str) -> [u8; 32] {
        self.hash(&digest(address, code))
    }

    /// The stored form of a link's value.
    pub(crate) fn of_link(&self, token: &str) -> [u8; 32] {
        self.hash(token.strip_prefix(PKCE_PREFIX).unwrap_or(token))
    }

    /// Under which an address is remembered that may belong to nobody here.
    pub(crate) fn of_timer(&self, address: &str) -> [u8; 32] {
        keyed_hash(&self.0, &[b"timer ", address.as_bytes()])
    }

    fn hash(&self, digest: &str) -> [u8; 32] {
        keyed_hash(&self.0, &[digest.as_bytes()])
    }
}

/// True when the link was asked for with a challenge.
pub(crate) fn is_pkce_link(token: &str) -> bool {
    token.starts_with(PKCE_PREFIX)
}

fn digest(address: &str, code: &str) -> String {
    let mut sha = Sha224::new();
    sha.update(address.as_bytes());
    sha.update(code.as_bytes());
    hex(&sha.finalize())
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn code_and_link_lead_to_the_same_row_with_and_without_challenge() {
        let key = CodeKey::new(b"secret");
        for challenge in [false, true] {
            let issued = key.issue("a@b.co", "123456".into(), challenge);
            let link = issued.link_token.expose_secret();
            assert_eq!(is_pkce_link(link), challenge);
            assert_eq!(key.of_link(link), issued.hash);
            assert_eq!(key.of_code("a@b.co", "123456"), issued.hash);
        }
    }

    #[test]
    fn the_link_carries_the_sha_224_of_address_and_code() {
        let issued = CodeKey::new(b"k").issue("", String::new(), false);
        // SHA-224 of nothing, FIPS 180-4
        assert_eq!(
            issued.link_token.expose_secret(),
            "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"
        );
    }
}
