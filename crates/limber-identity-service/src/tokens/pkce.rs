//! PKCE (RFC 7636): the client keeps a verifier and presents its challenge first.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;

use super::sha256;
use crate::refusal::{Outcome, PKCE_CHARACTERS, PKCE_INCOMPLETE, PKCE_LENGTH, PKCE_METHOD, refuse};

/// The challenge that a client presented at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Challenge {
    pub(crate) challenge: String,
    /// `s256` or `plain`.
    pub(crate) method: String,
}

impl Challenge {
    /// Reads the pair of request fields. An empty field counts as absent.
    pub(crate) fn read(challenge: Option<&str>, method: Option<&str>) -> Outcome<Option<Self>> {
        let set = |text: Option<&str>| text.filter(|t| !t.is_empty()).map(str::to_owned);
        let (challenge, method) = match (set(challenge), set(method)) {
            (None, None) => return Ok(None),
            (Some(challenge), Some(method)) => (challenge, method.to_ascii_lowercase()),
            _ => return refuse(PKCE_INCOMPLETE),
        };
        if !(43..=128).contains(&challenge.len()) {
            return refuse(PKCE_LENGTH);
        }
        if !challenge.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b)) {
            return refuse(PKCE_CHARACTERS);
        }
        if !matches!(method.as_str(), "s256" | "plain") {
            return refuse(PKCE_METHOD);
        }
        Ok(Some(Self { challenge, method }))
    }

    /// Returns the challenge for one of our own verifiers.
    pub(crate) fn of(verifier: &str) -> Self {
        let challenge = URL_SAFE_NO_PAD.encode(sha256(verifier.as_bytes()));
        Self { challenge, method: "s256".to_owned() }
    }

    pub(crate) fn fits(&self, verifier: &str) -> bool {
        let shown = match self.method.as_str() {
            "plain" => verifier.to_owned(),
            _ => Self::of(verifier).challenge,
        };
        shown.as_bytes().ct_eq(self.challenge.as_bytes()).into()
    }
}

/// Returns the stored hash of an auth code.
pub(crate) fn auth_code_hash(code: &str) -> [u8; 32] {
    sha256(code.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    // The example from RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_pkce_example_of_the_rfc_verifies() {
        let challenge = Challenge::read(Some(CHALLENGE), Some("S256"))
            .expect("a good pair")
            .expect("both are there");
        assert!(challenge.fits(VERIFIER) && !challenge.fits("another"));
    }

    #[test]
    fn incomplete_or_malformed_pkce_challenges_are_rejected() {
        assert!(Challenge::read(Some(CHALLENGE), None).is_err());
        assert!(Challenge::read(None, Some("s256")).is_err());
        assert!(Challenge::read(Some("short"), Some("s256")).is_err());
        assert!(Challenge::read(Some(&"!".repeat(50)), Some("plain")).is_err());
        assert_eq!(Challenge::read(Some(""), None).expect("empty is absent"), None);
    }
}
