//! Refresh tokens: 32 random bytes. The database keeps a hash, and of the child a form that only
//! whoever presents the parent again can read; so a lost answer can be repeated although the
//! token itself is stored nowhere.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::zeroize::Zeroize;

use super::{keyed_hash, sha256};
use crate::clock::Chance;

/// A refresh token in clear.
pub(crate) struct RefreshToken([u8; 32]);

impl Drop for RefreshToken {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl RefreshToken {
    pub(crate) fn new(chance: &dyn Chance) -> Self {
        let mut bytes = [0; 32];
        chance.fill(&mut bytes);
        Self(bytes)
    }

    /// `None` for anything this service cannot have issued.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// What the client gets: 43 characters that are safe in addresses.
    pub(crate) fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// What the database finds it by.
    pub(crate) fn hash(&self) -> [u8; 32] {
        sha256(&self.0)
    }

    /// The child, readable with this token alone. The pad is used once: a token has one child.
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
    use super::*;
    use crate::clock::SystemChance;

    #[test]
    fn the_parent_alone_opens_its_child() {
        let (parent, child, stranger) = (
            RefreshToken::new(&SystemChance),
            RefreshToken::new(&SystemChance),
            RefreshToken::new(&SystemChance),
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
        let token = RefreshToken::new(&SystemChance);
        let again = RefreshToken::parse(&token.to_text()).expect("its own text parses");
        assert_eq!(again.hash(), token.hash());
    }
}
