//! PKCE (RFC 7636): the verifier, which the client keeps secret, and the challenge derived from it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// The code verifier, known only to the client that started a sign-in.
#[derive(Debug, Clone)]
pub struct Verifier(SecretString);

impl Verifier {
    /// Creates a verifier from 32 random bytes: 43 characters, the minimum of the standard.
    #[must_use]
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(bytes).into())
    }

    /// Restores a stored verifier.
    #[must_use]
    pub fn from_stored(text: SecretString) -> Self {
        Self(text)
    }

    /// Returns the verifier, to store it or to send it with the code.
    #[must_use]
    pub fn secret(&self) -> &SecretString {
        &self.0
    }

    /// Returns the public challenge (`S256`).
    #[must_use]
    pub fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.0.expose_secret().as_bytes()))
    }
}

/// Where an emailed link or a provider redirects back to, and the PKCE challenge to use.
#[derive(Debug, Clone, Default)]
pub struct RedirectTarget {
    /// URL to return to; the service's own site if the operator does not allow it.
    pub redirect_to: String,
    /// With a challenge, the redirect carries a code that only the verifier's owner can use;
    /// without one, it carries the session itself.
    pub challenge: Option<String>,
}

/// Returns the request fields for the challenge.
pub(super) fn challenge_fields(
    redirect: Option<&RedirectTarget>,
) -> (Option<String>, Option<String>) {
    let challenge = redirect.and_then(|redirect| redirect.challenge.clone());
    let method = challenge.is_some().then(|| "s256".to_owned());
    (challenge, method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pkce_challenge_matches_the_example_of_the_rfc() {
        let verifier = Verifier::from_stored("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".into());
        assert_eq!(verifier.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn verifiers_have_the_length_of_the_rfc_and_are_not_printed() {
        let verifier = Verifier::from_random([7; 32]);
        let text = verifier.secret().expose_secret();
        assert_eq!(text.len(), 43);
        assert!(!format!("{verifier:?}").contains(text));
    }
}
