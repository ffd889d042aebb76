//! The clock and the random source, passed in as values so that tests can control them.

use std::{fmt, sync::Arc};

use rand::{TryRng, rngs::SysRng};

/// A source of the current time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Returns milliseconds since the Unix epoch.
    fn now_ms(&self) -> i64;
}

/// A cryptographically secure random source.
pub trait SecureRandom: Send + Sync + fmt::Debug {
    /// Fills the whole slice with random bytes.
    fn fill(&self, bytes: &mut [u8]);
}

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

#[derive(Debug)]
struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the clock is passed in from here")]
    fn now_ms(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

#[derive(Debug)]
struct SystemRandom;

impl SecureRandom for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        SysRng.try_fill_bytes(bytes).expect("the operating system provides random bytes");
    }
}
