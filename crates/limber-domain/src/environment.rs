//! The clock and the random source, passed in as values so that tests can control both.

use std::fmt;

use chrono::{DateTime, Utc};
use rand::{TryRng, rngs::SysRng};
use uuid::{Builder, Uuid};

/// A source of the current time.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Returns the current time, truncated to microseconds: PostgreSQL stores nothing finer, so a
    /// finer value would not survive a round trip.
    fn now(&self) -> DateTime<Utc>;

    /// Returns milliseconds since the Unix epoch.
    fn now_ms(&self) -> i64 {
        self.now().timestamp_millis()
    }
}

/// The system clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the clock is passed in from here")]
    fn now(&self) -> DateTime<Utc> {
        let now = Utc::now();
        DateTime::from_timestamp_micros(now.timestamp_micros()).unwrap_or(now)
    }
}

/// A source of random ids, codes and tokens. Implementations must be cryptographically secure.
pub trait SecureRandom: Send + Sync + fmt::Debug {
    /// Fills the buffer with unpredictable bytes.
    fn fill(&self, bytes: &mut [u8]);

    /// Returns a random (version 4) UUID.
    fn uuid(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        Builder::from_random_bytes(bytes).into_uuid()
    }

    /// Returns `count` uniformly distributed decimal digits.
    fn digits(&self, count: usize) -> String {
        let mut code = String::with_capacity(count);
        while code.len() < count {
            let mut byte = [0];
            self.fill(&mut byte);
            // Bytes 250 to 255 are rejected: taken modulo 10 they would favour the digits 0 to 5.
            if byte[0] < 250 {
                code.push(char::from(b'0' + byte[0] % 10));
            }
        }
        code
    }
}

/// The operating system's random number generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl SecureRandom for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        SysRng
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
            let code = SystemRandom.digits(length);
            assert_eq!(code.len(), length);
            assert!(code.bytes().all(|b| b.is_ascii_digit()), "{code}");
        }
    }

    #[test]
    fn ids_are_random_version_4() {
        let (a, b) = (SystemRandom.uuid(), SystemRandom.uuid());
        assert_ne!(a, b);
        assert_eq!(a.get_version_num(), 4);
    }

    #[test]
    fn times_are_whole_microseconds() {
        let now = SystemClock.now();
        assert_eq!(now.timestamp_subsec_nanos() % 1000, 0);
        assert_eq!(DateTime::from_timestamp_micros(now.timestamp_micros()), Some(now));
    }
}
