//! Refresh tokens: 32 random bytes. The database stores a hash of each, and its successor in a form
//! that only the holder of the token can decrypt, so that a lost response can be repeated although
//! no token is stored in plain text.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use limber_domain::environment::SecureRandom;
use secrecy::zeroize::Zeroize;

use super::{keyed_hash, sha256};

/// A refresh token in plain text.
pub(crate) struct RefreshToken([u8; 32]);

impl Drop for RefreshToken {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl RefreshToken {
    pub(crate) fn new(random: &dyn SecureRandom) -> Self {
        let mut bytes = [0; 32];
        random.fill(&mut bytes);
        Self(bytes)
    }

    /// Parses a token. Returns `None` for anything this service cannot have issued.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// Returns the text form for clients: 43 URL-safe characters.
    pub(crate) fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Returns the hash by which the database finds the token.
    pub(crate) fn hash(&self) -> [u8; 32] {
        sha256(&self.0)
    }

    /// Encrypts the successor, so that only this token can decrypt it. The one-time pad is used
    /// once, because a token has one successor.
    pub(crate) fn seal(&self, child: &Self) -> Vec<u8> {
        self.pad().iter().zip(&child.0).map(|(a, b)| a ^ b).collect()
    }

    pub(crate) fn open(&self, sealed: &[u8]) -> Option<Self> {
        let bytes: Vec<u8> = self.pad().iter().zip(sealed).map(|(a, b)| a ^ b).collect();
        bytes.try_into().ok().map(Self)
    }

    fn pad(&self) -> [u8; 32] {
        keyed_hash(&self.0, &[b"limber refresh token child"])
    }
}

#[cfg(test)]
mod tests {
    use limber_domain::environment::SystemRandom;

    use super::*;

    #[test]
    fn the_parent_alone_opens_its_child() {
        let (parent, child, stranger) = (
            RefreshToken::new(&SystemRandom),
            RefreshToken::new(&SystemRandom),
            RefreshToken::new(&SystemRandom),
        );
        let sealed = parent.seal(&child);
        assert_eq!(parent.open(&sealed).expect("32 bytes").to_text(), child.to_text());
        assert_ne!(stranger.open(&sealed).expect("32 bytes").to_text(), child.to_text());
        assert_ne!(sealed, child.0);
    }

    #[test]
    fn what_was_not_issued_does_not_parse() {
        for bad in ["", "short", "not base64 !!", &"a".repeat(44)] {
            assert!(RefreshToken::parse(bad).is_none(), "{bad}");
        }
        let token = RefreshToken::new(&SystemRandom);
        let again = RefreshToken::parse(&token.to_text()).expect("its own text parses");
        assert_eq!(again.hash(), token.hash());
    }
}
