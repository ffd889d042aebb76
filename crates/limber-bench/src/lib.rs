//! Reports benchmark results against their targets.
//!
//! A [`Report`] prints one row per measurement and, at the end, says whether all targets were met.
//! If `LIMBER_BENCH_SHORT` is set, a benchmark only proves that it still runs: it does little work
//! ([`rounds`], [`amount`], [`all_or`]), prints the same rows, and judges none of them, because an
//! unoptimised build on a busy computer measures nothing.
//!
//! **Input:** measured values. **Output:** a table on standard output. **Out of scope:** what is
//! measured.
#![warn(missing_docs)]

use std::{iter::Take, process::ExitCode, time::Instant};

/// Prints result rows and remembers the missed targets.
#[derive(Debug)]
#[must_use = "only `end` reports whether a target was missed"]
pub struct Report {
    missed: Vec<String>,
    is_judged: bool,
}

impl Report {
    /// Prints the header of the table.
    #[expect(clippy::new_without_default, reason = "a constructor that prints is not a default")]
    pub fn new() -> Self {
        println!("{}", row("what", "target", "median", "verdict"));
        Self { missed: Vec::new(), is_judged: !in_short() }
    }

    /// Prints a row whose target is a median of at most `target`.
    pub fn at_most(&mut self, what: &str, target: f64, unit: &str, values: Vec<f64>) {
        println!("{}", self.judge(what, Target::AtMost(target), unit, values));
    }

    /// Prints a row whose target is a median of at least `target`.
    pub fn at_least(&mut self, what: &str, target: f64, unit: &str, values: Vec<f64>) {
        println!("{}", self.judge(what, Target::AtLeast(target), unit, values));
    }

    /// Prints a row without a target.
    pub fn note(&self, what: &str, value: &str) {
        println!("{what:<44} | {:>14} | {value:>14}", "");
    }

    /// Prints the missed targets and returns the exit code of the program: failure if there are
    /// any.
    #[must_use = "it is the exit code of the program"]
    pub fn end(self) -> ExitCode {
        if self.missed.is_empty() {
            return ExitCode::SUCCESS;
        }
        println!("missed: {}", self.missed.join("; "));
        ExitCode::FAILURE
    }

    /// Formats a row and records whether its target was missed.
    fn judge(&mut self, what: &str, target: Target, unit: &str, values: Vec<f64>) -> String {
        let median = median(values);
        let met = target.is_met_by(median);
        if self.is_judged && !met {
            self.missed.push(what.to_owned());
        }
        let target = match target {
            Target::AtMost(most) => format!("≤ {}", quantity(most, unit)),
            Target::AtLeast(least) => format!("≥ {}", quantity(least, unit)),
        };
        row(what, &target, &quantity(median, unit), word(met, self.is_judged))
    }
}

#[derive(Debug, Clone, Copy)]
enum Target {
    AtMost(f64),
    AtLeast(f64),
}

impl Target {
    fn is_met_by(self, median: f64) -> bool {
        match self {
            Self::AtMost(most) => median <= most,
            Self::AtLeast(least) => median >= least,
        }
    }
}

fn row(what: &str, target: &str, median: &str, verdict: &str) -> String {
    format!("{what:<44} | {target:>14} | {median:>14} | {verdict}")
}

/// Formats a value with its unit, to about three significant digits.
fn quantity(value: f64, unit: &str) -> String {
    let decimals = if value.abs() >= 100.0 {
        0
    } else if value.abs() >= 10.0 {
        1
    } else if value.abs() >= 1.0 {
        2
    } else {
        3
    };
    let mut number = format!("{value:.decimals$}");
    if number.contains('.') {
        number.truncate(number.trim_end_matches('0').trim_end_matches('.').len());
    }
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// Returns the verdict on a target as printed in a row: "met", "MISSED" or "not judged".
#[must_use]
pub fn verdict(met: bool) -> &'static str {
    word(met, !in_short())
}

const fn word(met: bool, is_judged: bool) -> &'static str {
    match (is_judged, met) {
        (false, _) => "not judged",
        (true, true) => "met",
        (true, false) => "MISSED",
    }
}

/// Returns the median; the upper one of the two middle values if their number is even. For an empty
/// list it is NaN, which meets no target.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs `work` and returns how long it took, in seconds.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "benchmarks measure time")]
pub fn time_s(work: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}

/// Whether `LIMBER_BENCH_SHORT` is set, so that benchmarks only prove that they run.
#[must_use]
pub fn in_short() -> bool {
    std::env::var_os("LIMBER_BENCH_SHORT").is_some()
}

/// Returns how often to repeat a measurement: `full` times, or once in a short run.
#[must_use]
pub fn rounds(full: usize) -> usize {
    amount(full, 1)
}

/// Returns `full`, or `short` in a short run.
#[must_use]
pub fn amount<T>(full: T, short: T) -> T {
    if in_short() { short } else { full }
}

/// Returns all items, or only the first `few` in a short run.
pub fn all_or<I: IntoIterator>(all: I, few: usize) -> Take<I::IntoIter> {
    all.into_iter().take(amount(usize::MAX, few))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(is_judged: bool) -> Report {
        Report { missed: Vec::new(), is_judged }
    }

    #[test]
    fn the_median_does_not_depend_on_the_order() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), 3.0);
        assert_eq!(median(vec![7.0]), 7.0);
    }

    #[test]
    fn a_median_equal_to_the_target_meets_it() {
        let mut report = report(true);
        let most = report.judge("start", Target::AtMost(2.0), "s", vec![9.0, 2.0, 1.0]);
        let least = report.judge("polls", Target::AtLeast(0.5), "x", vec![0.5]);
        assert!(most.ends_with("|          ≤ 2 s |            2 s | met"), "{most}");
        assert!(least.ends_with("|        ≥ 0.5 x |          0.5 x | met"), "{least}");
        assert!(report.missed.is_empty());
    }

    #[test]
    fn missed_targets_are_listed_at_the_end() {
        let mut report = report(true);
        let most = report.judge("start", Target::AtMost(2.0), "s", vec![2.01]);
        let least = report.judge("polls", Target::AtLeast(0.5), "x", vec![0.49]);
        assert!(most.ends_with("MISSED") && least.ends_with("MISSED"), "{most}\n{least}");
        assert_eq!(report.missed, ["start", "polls"]);
    }

    #[test]
    fn missing_measurements_meet_no_target() {
        let mut report = report(true);
        report.judge("start", Target::AtMost(2.0), "s", Vec::new());
        report.judge("polls", Target::AtLeast(0.5), "x", Vec::new());
        assert_eq!(report.missed, ["start", "polls"]);
    }

    #[test]
    fn short_runs_judge_no_targets() {
        let mut report = report(false);
        let line = report.judge("start", Target::AtMost(2.0), "s", vec![3.0]);
        assert!(line.ends_with("|            3 s | not judged"), "{line}");
        assert!(report.missed.is_empty());
    }

    #[test]
    fn numbers_have_about_three_significant_digits() {
        let said = [1234.56, 12.34, 1.5, 0.15, 0.1234, 250.0, 0.0].map(|n| quantity(n, ""));
        assert_eq!(said, ["1235", "12.3", "1.5", "0.15", "0.123", "250", "0"]);
        assert_eq!(quantity(5.0, "%"), "5 %");
    }
}
