//! The clock and the random source, passed in as values so that tests can control them.

use std::sync::Arc;

use limber_domain::environment::{Clock, SecureRandom, SystemClock, SystemRandom};

/// The clock and the random source that a service uses.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Source of the current time.
    pub clock: Arc<dyn Clock>,
    /// Cryptographically secure random source.
    pub random: Arc<dyn SecureRandom>,
}

impl Environment {
    /// Returns the system's clock and random source.
    #[must_use]
    pub fn system() -> Self {
        Self { clock: Arc::new(SystemClock), random: Arc::new(SystemRandom) }
    }

    /// Returns `length` random bytes as unpadded base64url.
    #[must_use]
    pub fn token(&self, length: usize) -> String {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        let mut bytes = vec![0; length];
        self.random.fill(&mut bytes);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns a random number from the secure source.
    #[must_use]
    pub fn number(&self) -> u64 {
        let mut bytes = [0; 8];
        self.random.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}
