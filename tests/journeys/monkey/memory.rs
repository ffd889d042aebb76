//! Memory use of a home's processes over a long run, and whether it grows.

use std::time::Duration;

use crate::home::Home;

/// What is measured: name in the output, and the names of its processes.
const PARTS: [(&str, &[&str]); 2] =
    [("the program and its services", &["limber"]), ("the web view", &["WebKitWebProces"])];
/// Interval between samples.
const EVERY: Duration = Duration::from_secs(5);
/// The run is compared by tenths; the first is the warm-up.
const TENTHS: usize = 10;
/// Maximum ratio of the last tenth to the second one.
const MOST_GROWTH: f64 = 1.10;

/// Samples in megabytes, by part and by tenth of the run.
pub(super) struct Memory {
    lasts: Duration,
    next: Duration,
    samples: [[Vec<f64>; TENTHS]; PARTS.len()],
}

impl Memory {
    pub(super) fn new(lasts: Duration) -> Self {
        Self { lasts, next: EVERY, samples: Default::default() }
    }

    /// Takes a sample if it is time for one.
    pub(super) fn sample(&mut self, home: &Home, elapsed: Duration) {
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + EVERY;
        let tenth = (elapsed.as_secs_f64() / self.lasts.as_secs_f64() * TENTHS as f64) as usize;
        for ((_, programs), samples) in PARTS.iter().zip(&mut self.samples) {
            samples[tenth.min(TENTHS - 1)].push(home.megabytes(programs));
        }
    }

    /// Fails if a part uses more memory in the last tenth than in the second.
    pub(super) fn judge(mut self) {
        let mut growing = Vec::new();
        for ((name, _), samples) in PARTS.iter().zip(&mut self.samples) {
            let medians = samples.each_mut().map(|values| {
                values.sort_by(f64::total_cmp);
                values.get(values.len() / 2).copied().unwrap_or_default()
            });
            let growth = medians[TENTHS - 1] / medians[1];
            println!("{name}, MB by tenth: {medians:.0?}; last to second {growth:.2}");
            assert!(growth.is_finite(), "{name}: a tenth is too short for a sample");
            if growth > MOST_GROWTH {
                growing.push(name);
            }
        }
        assert!(growing.is_empty(), "memory use grows: {growing:?}");
    }
}
