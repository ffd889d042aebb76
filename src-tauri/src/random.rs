//! Randomness from the operating system.

use limber_app::SecureRandom;
use rand::{TryRng, rngs::SysRng};

/// Secure random numbers from the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl SecureRandom for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        SysRng.try_fill_bytes(bytes).expect("the operating system provides random bytes");
    }
}
