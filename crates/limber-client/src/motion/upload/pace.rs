//! Part sizes, retry delays and progress estimates.

use std::time::Duration;

use super::UploadEnvironment;

/// All parts except the last must be a multiple of this many bytes.
pub(super) const STEP: u64 = 256 << 10;

/// Part sizes, delays and time limits of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UploadPace {
    /// Size of the first part in bytes; halved after a failure, doubled after a success.
    pub first_piece: u64,
    /// Minimum size of a part in bytes.
    pub smallest_piece: u64,
    /// Maximum size of a part in bytes.
    pub largest_piece: u64,
    /// Longest time without sending bytes within a part.
    pub idle: Duration,
    /// Delay after the first failure; doubled after each further one.
    pub first_wait: Duration,
    /// Maximum delay.
    pub longest_wait: Duration,
    /// How long an upload may make no progress before it is paused.
    pub give_up_after: Duration,
}

impl Default for UploadPace {
    fn default() -> Self {
        Self {
            first_piece: 8 << 20,
            smallest_piece: STEP,
            largest_piece: 32 << 20,
            idle: Duration::from_secs(60),
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(64),
            give_up_after: Duration::from_secs(600),
        }
    }
}

/// Progress of an upload, as stored by the service.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UploadProgress {
    /// Bytes stored.
    pub stored: u64,
    /// Total bytes of all files.
    pub total: u64,
    /// Recent speed; `None` until there has been progress.
    pub bytes_per_second: Option<f64>,
    /// Estimated remaining time at that speed.
    pub remaining: Option<Duration>,
    /// Whether a failure is being retried.
    pub is_interrupted: bool,
}

impl UploadProgress {
    /// Returns progress without a speed, at the start or the end.
    pub(super) const fn standing(stored: u64, total: u64) -> Self {
        Self { stored, total, bytes_per_second: None, remaining: None, is_interrupted: false }
    }
}

/// Size of the next part, adapted to failures and successes.
#[derive(Debug)]
pub(super) struct PieceSize {
    now: u64,
    pace: UploadPace,
}

impl PieceSize {
    pub(super) const fn new(pace: UploadPace) -> Self {
        Self { now: pace.first_piece, pace }
    }

    /// Returns the end of the part that starts at `from`, for a file of `total` bytes.
    pub(super) fn end(&self, from: u64, total: u64) -> u64 {
        let length = (self.now - self.now % STEP).max(STEP);
        from.saturating_add(length).min(total)
    }

    pub(super) fn grow(&mut self) {
        self.now = self.now.saturating_mul(2).min(self.pace.largest_piece);
    }

    pub(super) fn shrink(&mut self) {
        self.now = (self.now / 2).max(self.pace.smallest_piece);
    }
}

/// Retry delays, and when to give up.
#[derive(Debug)]
pub(super) struct Patience {
    pace: UploadPace,
    troubles: u32,
    moved_ms: i64,
}

impl Patience {
    pub(super) const fn new(pace: UploadPace, now_ms: i64) -> Self {
        Self { pace, troubles: 0, moved_ms: now_ms }
    }

    pub(super) const fn moved(&mut self, now_ms: i64) {
        self.troubles = 0;
        self.moved_ms = now_ms;
    }

    /// Returns the next delay; `None` if there has been no progress for too long. `retry_after`
    /// is the delay that the service asked for.
    pub(super) fn next_wait(
        &mut self,
        retry_after: Option<Duration>,
        environment: &dyn UploadEnvironment,
    ) -> Option<Duration> {
        let still_ms = environment.now_ms().saturating_sub(self.moved_ms);
        if u128::try_from(still_ms).unwrap_or(0) >= self.pace.give_up_after.as_millis() {
            return None;
        }
        let doubled = self.pace.first_wait.saturating_mul(1 << self.troubles.min(16));
        self.troubles += 1;
        let own = doubled.min(self.pace.longest_wait);
        let own = own.mul_f64(0.5 + environment.random().clamp(0.0, 1.0));
        Some(
            retry_after
                .map_or(own, |retry_after| retry_after.min(self.pace.give_up_after).max(own)),
        )
    }
}

/// Recent speed, as an exponentially weighted average.
#[derive(Debug)]
pub(super) struct Speed {
    stored: u64,
    at_ms: i64,
    bytes_per_second: Option<f64>,
}

impl Speed {
    pub(super) const fn new(stored: u64, now_ms: i64) -> Self {
        Self { stored, at_ms: now_ms, bytes_per_second: None }
    }

    pub(super) fn note(&mut self, stored: u64, now_ms: i64) {
        let seconds = (now_ms - self.at_ms) as f64 / 1000.0;
        if stored > self.stored && seconds > 0.0 {
            let now = (stored - self.stored) as f64 / seconds;
            self.bytes_per_second =
                Some(self.bytes_per_second.map_or(now, |before| 0.6 * before + 0.4 * now));
        }
        (self.stored, self.at_ms) = (stored, now_ms);
    }

    pub(super) fn progress(&self, stored: u64, total: u64) -> UploadProgress {
        let left = total.saturating_sub(stored) as f64;
        let remaining = self.bytes_per_second.map(|speed| left / speed.max(1.0));
        UploadProgress {
            bytes_per_second: self.bytes_per_second,
            remaining: remaining.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            ..UploadProgress::standing(stored, total)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[derive(Debug)]
    struct Hand(AtomicI64);

    impl UploadEnvironment for Hand {
        fn now_ms(&self) -> i64 {
            self.0.load(Ordering::Relaxed)
        }

        fn random(&self) -> f64 {
            0.5
        }
    }

    #[test]
    fn chunk_sizes_halve_and_double_within_bounds_in_whole_steps() {
        let mut size = PieceSize::new(UploadPace::default());
        assert_eq!(size.end(0, 1 << 40), 8 << 20);
        for _ in 0..9 {
            size.grow();
        }
        assert_eq!(size.end(0, 1 << 40), 32 << 20);
        for _ in 0..20 {
            size.shrink();
        }
        assert_eq!(size.end(STEP, 1 << 40), 2 * STEP);
        assert_eq!(size.end(STEP, STEP + 5), STEP + 5, "the last chunk is the remainder");
    }

    #[test]
    fn retry_waits_double_up_to_a_minute_and_end_after_ten_minutes() {
        let clock = Hand(AtomicI64::new(0));
        let mut patience = Patience::new(UploadPace::default(), 0);
        let waits: Vec<u64> =
            (0..9).map(|_| patience.next_wait(None, &clock).expect("not yet").as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 64, 64]);
        let said = patience.next_wait(Some(Duration::from_secs(120)), &clock);
        assert_eq!(said, Some(Duration::from_secs(120)), "the service's own value is used");
        clock.0.store(600_000, Ordering::Relaxed);
        assert_eq!(patience.next_wait(None, &clock), None);
        patience.moved(600_000);
        assert_eq!(patience.next_wait(None, &clock), Some(Duration::from_secs(1)));
    }

    #[test]
    fn upload_speed_is_measured_from_stored_bytes() {
        let mut speed = Speed::new(0, 0);
        assert_eq!(speed.progress(0, 100).remaining, None);
        speed.note(1000, 1000);
        let progress = speed.progress(1000, 3000);
        assert_eq!(progress.bytes_per_second, Some(1000.0));
        assert_eq!(progress.remaining, Some(Duration::from_secs(2)));
        speed.note(500, 2000);
        assert_eq!(
            speed.progress(500, 3000).bytes_per_second,
            Some(1000.0),
            "going back does not change the speed"
        );
    }
}
