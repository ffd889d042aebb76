//! All secrets that are handed out: access tokens, refresh tokens, codes and links, and PKCE. Knows
//! neither the database nor HTTP; each file says what is stored of its secrets.

pub(crate) mod access;
pub(crate) mod factor_secrets;
pub(crate) mod keys;
pub(crate) mod one_time;
pub(crate) mod pkce;
pub(crate) mod refresh;
pub(crate) mod sealed;

use hmac::{Hmac, KeyInit, Mac};
use limber_domain::hex;
use sha2::{Digest, Sha256};

/// Computes an HMAC-SHA256 over the concatenated parts.
fn keyed_hash(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Returns the stored hash of an OAuth state.
pub(crate) fn state_hash(state: &str) -> [u8; 32] {
    sha256(state.as_bytes())
}

/// Returns the stored hash of the cookie of a browser that was sent to a provider.
pub(crate) fn browser_hash(cookie: &str) -> [u8; 32] {
    sha256(cookie.as_bytes())
}

/// Returns the SHA-256 digest in lower-case hexadecimal.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex(&sha256(bytes))
}
