//! What the programs of a home take up, and whether it grows.

use std::{fs, time::Duration};

use crate::home::Home;

/// Between two samples.
const EVERY: Duration = Duration::from_secs(5);
/// More than this is growth: of the last quarter over the second. The first is for warming up.
const MOST_GROWTH: f64 = 1.10;
/// A run that is shorter than this tells nothing about growth.
const WORTH_JUDGING: Duration = Duration::from_secs(600);

/// Megabytes by quarter of the run.
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
        self.quarters[quarter.min(3)].push(megabytes(home));
    }

    pub(super) fn judge(mut self) {
        let medians = self.quarters.each_mut().map(|values| {
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or_default()
        });
        let growth = medians[3] / medians[1];
        println!("memory by quarters, MB: {medians:.0?}; last to second {growth:.2}");
        if self.lasts >= WORTH_JUDGING {
            assert!(growth <= MOST_GROWTH, "it grows: {medians:?}");
        }
    }
}

/// The program with its services, and the web view. Shared pages count once.
fn megabytes(home: &Home) -> f64 {
    let of = |id: u32| {
        let name = fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
        // viewers come and go as the monkey likes
        let is_counted = matches!(name.trim(), "limber" | "WebKitWebProces")
            && !fs::read_to_string(format!("/proc/{id}/cmdline")).ok()?.contains("\0view\0");
        let text = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
        let line = text.lines().find(|line| line.starts_with("Pss:"))?;
        let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        is_counted.then_some(kilobytes / 1024.0)
    };
    home.processes("").into_iter().filter_map(of).sum()
}
