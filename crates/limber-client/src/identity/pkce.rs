//! PKCE (RFC 7636): what a client keeps to itself, and what it shows of it beforehand.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// What only the client that began a sign-in knows.
#[derive(Debug, Clone)]
pub struct Verifier(SecretString);

impl Verifier {
    /// From 32 random bytes: 43 characters, the least the standard allows.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(bytes).into())
    }

    /// One that was kept.
    #[must_use]
    pub fn kept(text: SecretString) -> Self {
        Self(text)
    }

    /// To be kept, or to be shown with the code.
    #[must_use]
    pub fn secret(&self) -> &SecretString {
        &self.0
    }

    /// What may be seen by anybody (`S256`).
    #[must_use]
    pub fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.0.expose_secret().as_bytes()))
    }
}

/// Where a mailed link or a provider leads back to, and the proof that is asked for there.
#[derive(Debug, Clone, Default)]
pub struct WayBack {
    /// The address; the service's own site when the operator does not allow it.
    pub redirect_to: String,
    /// With one the way back carries a code that only the verifier's owner can use; without, it
    /// carries the session itself.
    pub challenge: Option<String>,
}

/// The fields of a request that carry a challenge.
pub(super) fn challenge_fields(back: Option<&WayBack>) -> (Option<String>, Option<String>) {
    let challenge = back.and_then(|back| back.challenge.clone());
    let method = challenge.is_some().then(|| "s256".to_owned());
    (challenge, method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_the_one_of_the_standard() {
        let verifier = Verifier::kept("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".into());
        assert_eq!(verifier.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn a_verifier_has_the_length_the_standard_wants_and_is_not_printed() {
        let verifier = Verifier::from_random([7; 32]);
        let text = verifier.secret().expose_secret();
        assert_eq!(text.len(), 43);
        assert!(!format!("{verifier:?}").contains(text));
    }
}
