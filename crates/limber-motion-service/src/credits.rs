//! What an account can spend. Billing is off: everybody has a constant and nothing is charged.

use chrono::{DateTime, Datelike, Months, NaiveTime, Utc};
use limber_api::motion::{BillingPeriod, CreditBalance, FeatureLimits, Subscription};

use crate::jobs::JobSpec;

/// What a clip of automatic length is taken for, seconds.
const AUTOMATIC_S: f64 = 10.0;
/// Tenths of a credit for a second of new movement.
const TENTHS_PER_SECOND: f64 = 1.0;

/// What making this job's clips costs at most, in tenths of a credit: every begun tenth of every
/// variant. A rerun is free, any other edit costs its new frames and at least a tenth.
pub(crate) fn price_of(spec: &JobSpec) -> u64 {
    let seconds = match &spec.edit {
        Some(edit) => edit.generated_s(),
        None => spec.duration_s.map_or(AUTOMATIC_S, f64::from),
    };
    // rounding errors of frames are no begun tenth
    let each = (seconds * TENTHS_PER_SECOND - 1e-6).ceil().max(0.0) as u64;
    each * u64::from(spec.variants)
}

/// The balance that everybody is shown; the period is the calendar month in UTC.
pub(crate) fn balance(credits: u32, max_variants: u32, now_ms: i64) -> CreditBalance {
    let period = month_of(now_ms).unwrap_or(BillingPeriod { start: 0, end: now_ms });
    CreditBalance {
        credits: f64::from(credits),
        subscription: Subscription {
            name: "Local".to_owned(),
            credits: f64::from(credits),
            feature_limits: FeatureLimits { max_variants_generation: max_variants },
            current_period: period,
        },
        reserved: 0.0,
    }
}

fn month_of(now_ms: i64) -> Option<BillingPeriod> {
    let now: DateTime<Utc> = DateTime::from_timestamp_millis(now_ms)?;
    let start = now.date_naive().with_day(1)?;
    let end = start.checked_add_months(Months::new(1))?;
    let ms = |date: chrono::NaiveDate| date.and_time(NaiveTime::MIN).and_utc().timestamp_millis();
    Some(BillingPeriod { start: ms(start), end: ms(end) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_period_is_the_month_around_now() {
        // 2026-01-15
        let balance = balance(1000, 4, 1_768_435_200_000);
        let period = balance.subscription.current_period;
        assert_eq!((period.start, period.end), (1_767_225_600_000, 1_769_904_000_000));
    }
}
