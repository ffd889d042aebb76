//! What several crates rely on, each in one place.
//!
//! [`limits`] holds the numbers that a request is checked against: by the app while the user types,
//! by the service when it arrives, and by the pipeline that performs it. [`hex`] writes checksums
//! and tokens as text, and [`lock`] locks a mutex. `environment` has the clock and the random
//! source that programs pass in; it is behind a feature of that name, which the pure crates leave
//! out.
//!
//! **Input and output:** plain values. **Out of scope:** how the violation of a limit is reported.
#![warn(missing_docs)]

use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "environment")]
pub mod environment;
pub mod limits;

/// Returns bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Locks a mutex, ignoring poisoning. For data that every statement leaves consistent: it still is
/// if a thread panics while holding the lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hex(&[0, 9, 0xab, 255]), "0009abff");
        assert_eq!(hex(&[]), "");
    }

    #[test]
    fn a_mutex_can_be_locked_after_a_panic() {
        let mutex = Mutex::new(1);
        let panicked = std::thread::scope(|scope| {
            let holder = scope.spawn(|| {
                let mut held = lock(&mutex);
                *held = 2;
                assert_eq!(*held, 1, "a panic on purpose");
            });
            holder.join().is_err()
        });
        assert!(panicked && mutex.is_poisoned());
        assert_eq!(*lock(&mutex), 2);
    }
}
