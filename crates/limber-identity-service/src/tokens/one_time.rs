//! Codes and links (identity behaviour, 6.7). A code consists of digits; a link carries the SHA-224
//! of the address, the code and a key of the instance. Without the key, whoever knows the address
//! could try every code as a link, where wrong attempts cannot be counted against an account. The
//! database stores a keyed hash of the link's value, so that a copy of it reveals neither codes nor
//! links.

use limber_domain::hex;
use secrecy::SecretString;
use sha2::{Digest, Sha224};

use super::keyed_hash;

/// Prefix of a link whose request carried a PKCE challenge.
const PKCE_PREFIX: &str = "pkce_";

/// A newly created code, in plain text.
pub(crate) struct Issued {
    /// For the user to type in.
    pub(crate) code: SecretString,
    /// For the link.
    pub(crate) link_token: SecretString,
    /// For the database.
    pub(crate) hash: [u8; 32],
}

/// Computes the stored hashes of codes and links.
pub(crate) struct CodeKey([u8; 32]);

impl CodeKey {
    /// Derives the key from the instance's secret.
    pub(crate) fn new(secret: &[u8]) -> Self {
        Self(keyed_hash(secret, &[b"limber one-time tokens"]))
    }

    pub(crate) fn issue(&self, address: &str, code: String, with_challenge: bool) -> Issued {
        let digest = self.digest(address, &code);
        let prefix = if with_challenge { PKCE_PREFIX } else { "" };
        Issued {
            hash: self.hash(&digest),
            link_token: format!("{prefix}{digest}").into(),
            code: code.into(),
        }
    }

    /// Returns the stored hash of a code that was typed in.
    pub(crate) fn of_code(&self, address: &str, code: &str) -> [u8; 32] {
        self.hash(&self.digest(address, code))
    }

    /// Returns the stored hash of a link's value.
    pub(crate) fn of_link(&self, token: &str) -> [u8; 32] {
        self.hash(token.strip_prefix(PKCE_PREFIX).unwrap_or(token))
    }

    /// Returns the key of a timer, derived from an address that may belong to nobody here and from
    /// the caller who requested mail to it.
    pub(crate) fn of_timer(&self, address: &str, caller: &str) -> [u8; 32] {
        keyed_hash(&self.0, &[b"timer ", address.as_bytes(), b" ", caller.as_bytes()])
    }

    /// Returns the key that identifies the caller who requested a code.
    pub(crate) fn of_caller(&self, caller: &str) -> [u8; 32] {
        keyed_hash(&self.0, &[b"caller ", caller.as_bytes()])
    }

    fn digest(&self, address: &str, code: &str) -> String {
        let key = keyed_hash(&self.0, &[b"limber links"]);
        let mut sha = Sha224::new();
        for part in [address.as_bytes(), code.as_bytes(), &key] {
            sha.update(part);
        }
        hex(&sha.finalize())
    }

    fn hash(&self, digest: &str) -> [u8; 32] {
        keyed_hash(&self.0, &[digest.as_bytes()])
    }
}

/// Tells whether the link was requested with a PKCE challenge.
pub(crate) fn is_pkce_link(token: &str) -> bool {
    token.starts_with(PKCE_PREFIX)
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn code_and_link_lead_to_the_same_row_with_and_without_pkce() {
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
    fn link_tokens_cannot_be_derived_from_the_code_without_the_key() {
        let link = |secret: &[u8]| {
            let issued = CodeKey::new(secret).issue("a@b.co", "123456".into(), false);
            issued.link_token.expose_secret().to_owned()
        };
        let (ours, theirs) = (link(b"ours"), link(b"theirs"));
        assert_eq!(ours.len(), 56, "28 bytes in hex");
        assert_ne!(ours, theirs);
        assert_ne!(ours, hex(&Sha224::digest(b"a@b.co123456")));
    }
}
