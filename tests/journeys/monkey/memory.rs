//! Memory use of a home's processes, and whether it grows.

use std::time::Duration;

use crate::home::Home;

/// Process names of the program with its services, and of the web view.
const PROGRAMS: [&str; 2] = ["limber", "WebKitWebProces"];
/// Interval between samples.
const EVERY: Duration = Duration::from_secs(5);
/// Maximum ratio of the last quarter to the second one; the first quarter is the warm-up.
const MOST_GROWTH: f64 = 1.10;
/// Minimum duration of a run from which growth can be judged.
const WORTH_JUDGING: Duration = Duration::from_secs(600);

/// Samples in megabytes, by quarter of the run.
pub(super) struct Memory {
    lasts: Duration,
    next: Duration,
    quarters: [Vec<f64>; 4],
}

impl Memory {
    pub(super) fn new(lasts: Duration) -> Self {
        Self { lasts, next: EVERY, quarters: Default::default() }
    }

    pub(super) fn sample(&mut self, home: &Home, elapsed: Duration) {
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + EVERY;
        let quarter = (elapsed.as_secs_f64() / self.lasts.as_secs_f64() * 4.0) as usize;
        self.quarters[quarter.min(3)].push(home.megabytes(&PROGRAMS));
    }

    pub(super) fn judge(mut self) {
        let medians = self.quarters.each_mut().map(|values| {
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or_default()
        });
        let growth = medians[3] / medians[1];
        println!("memory by quarter, MB: {medians:.0?}; last to second {growth:.2}");
        if self.lasts >= WORTH_JUDGING {
            assert!(growth <= MOST_GROWTH, "memory use grows: {medians:?}");
        }
    }
}
