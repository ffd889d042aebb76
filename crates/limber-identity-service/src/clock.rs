//! Time and chance, passed in, so that tests can hold them still.

use chrono::{DateTime, Utc};
use rand::TryRng;
use uuid::{Builder, Uuid};

/// Tells the time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The time now. PostgreSQL keeps microseconds, so nothing finer may leave here.
    fn now(&self) -> DateTime<Utc>;
}

/// The computer's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where time enters the service")]
    fn now(&self) -> DateTime<Utc> {
        let now = Utc::now();
        DateTime::from_timestamp_micros(now.timestamp_micros()).unwrap_or(now)
    }
}

/// Source of ids, codes and tokens. Must be fit for secrets.
pub trait Chance: Send + Sync + std::fmt::Debug {
    /// Fills the buffer with bytes nobody can guess.
    fn fill(&self, bytes: &mut [u8]);

    /// A random (version 4) id.
    fn uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        Builder::from_random_bytes(bytes).into_uuid()
    }

    /// Digits, each equally likely.
    fn digits(&self, count: usize) -> String {
        let mut code = String::with_capacity(count);
        while code.len() < count {
            let mut byte = [0];
            self.fill(&mut byte);
            // 250..=255 would make 0-5 likelier
            if byte[0] < 250 {
                code.push(char::from(b'0' + byte[0] % 10));
            }
        }
        code
    }
}

/// The operating system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemChance;

impl Chance for SystemChance {
    fn fill(&self, bytes: &mut [u8]) {
        rand::rngs::SysRng
            .try_fill_bytes(bytes)
            .expect("a computer whose random source fails cannot issue tokens");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_digits_of_the_asked_length() {
        for length in [6, 10] {
            let code = SystemChance.digits(length);
            assert_eq!(code.len(), length);
            assert!(code.bytes().all(|b| b.is_ascii_digit()), "{code}");
        }
    }

    #[test]
    fn ids_are_random_version_4() {
        let (a, b) = (SystemChance.uuid(), SystemChance.uuid());
        assert_ne!(a, b);
        assert_eq!(a.get_version_num(), 4);
    }
}
