//! Prices, account balances and limits of plans.
//!
//! Generating is cheap; downloading a result is what costs. A job reserves its maximum price when
//! it is submitted and is charged when it succeeds ([`Terms`]). A variant is paid for when its
//! links are first requested. If billing is off, all accounts see a constant balance and nothing is
//! charged.

mod wallet;

use chrono::{DateTime, Datelike, Months, NaiveTime, Utc};
use limber_api::motion::{BillingPeriod, CreditBalance, FeatureLimits, Subscription};

pub(crate) use wallet::{Entry, Held, Short, Tenths, Wallet};

use crate::{Billing, StoreError, accounts::AccountId, jobs::Work, store::Store};

/// Length in seconds that is assumed for pricing when the clip's length is automatic.
const AUTOMATIC_S: f64 = 10.0;

/// Prices in tenths of a credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prices {
    /// Per second of new motion, for each variant.
    pub(crate) generate: Tenths,
    /// Per started second of a variant that is downloaded for the first time.
    pub(crate) unlock: Tenths,
    /// Per started second of video.
    pub(crate) video: Tenths,
}

/// Pricing of one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terms {
    /// Maximum price; reserved when the job is submitted.
    pub(crate) most: Tenths,
    /// Fixed price of each variant; `None` charges by the actual length of the clip.
    pub(crate) per_variant: Option<Tenths>,
    /// Price per second of a clip.
    pub(crate) per_second: Tenths,
}

impl Prices {
    pub(crate) const fn of(billing: Billing) -> Self {
        Self {
            generate: billing.tenths_per_second as Tenths,
            unlock: billing.unlock_tenths_per_second as Tenths,
            video: billing.video_tenths_per_second as Tenths,
        }
    }

    /// Returns the pricing of a job. Reruns are free; other edits are charged for new frames, and
    /// videos by length.
    pub(crate) fn terms(self, work: &Work) -> Terms {
        let spec = match work {
            Work::Motion(spec) => spec,
            Work::Render(spec) => {
                let pictures = i64::try_from(spec.video.pictures()).unwrap_or(i64::MAX);
                let price = begun_seconds(pictures, spec.video.fps.into()) * self.video;
                return Terms { most: price, per_variant: Some(price), per_second: 0 };
            }
        };
        let fixed = spec.edit.as_ref().map(|edit| tenths_of(edit.generated_s(), self.generate));
        let each = fixed.unwrap_or_else(|| {
            tenths_of(spec.duration_s.map_or(AUTOMATIC_S, f64::from), self.generate)
        });
        let most = each * Tenths::from(spec.variants);
        Terms { most, per_variant: fixed, per_second: self.generate }
    }

    /// Returns the price of downloading a variant of this length for the first time.
    pub(crate) fn unlock(self, frames: i32, fps: i32) -> Tenths {
        begun_seconds(frames.into(), fps.into()) * self.unlock
    }
}

fn begun_seconds(frames: i64, fps: i64) -> i64 {
    let (frames, fps) = (frames.max(0), fps.max(1));
    frames.saturating_add(fps - 1) / fps
}

/// Returns the price of `seconds`, rounded up to a whole tenth.
pub(crate) fn tenths_of(seconds: f64, per_second: Tenths) -> Tenths {
    // floating-point error must not be rounded up to another tenth
    (seconds * per_second as f64 - 1e-6).ceil().max(0.0) as Tenths
}

/// An account's plan and wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) plan_name: String,
    /// Limit of variants per job; `None` is the limit of the service.
    pub(crate) max_variants: Option<u32>,
    pub(crate) wallet: Wallet,
}

/// Outcome of a request to unlock a variant for download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unlock {
    /// Paid for, now or earlier.
    Open,
    /// Not paid for: the balance is too low, or the request was only a query.
    Locked(Short),
}

/// The variants that can be downloaded without paying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Open {
    All,
    /// The paid variants, as job id and variant number.
    These(Vec<(String, i32)>),
}

impl Open {
    pub(crate) fn holds(&self, rid: &str, variant: i32) -> bool {
        match self {
            Self::All => true,
            Self::These(paid) => paid.iter().any(|(r, v)| r == rid && *v == variant),
        }
    }
}

/// Charges accounts and reports their balance.
#[derive(Debug)]
pub(crate) struct Credits {
    store: Store,
    /// `None` if billing is off.
    prices: Option<Prices>,
    /// Balance shown to all accounts while billing is off, in credits.
    shown: u32,
    max_variants: u32,
}

impl Credits {
    pub(crate) const fn new(
        store: Store,
        prices: Option<Prices>,
        shown: u32,
        max_variants: u32,
    ) -> Self {
        Self { store, prices, shown, max_variants }
    }

    /// Returns the pricing of a job; `None` if billing is off.
    pub(crate) fn terms(&self, work: &Work) -> Option<Terms> {
        self.prices.map(|prices| prices.terms(work))
    }

    /// Returns the limit of variants per job for this account.
    pub(crate) async fn max_variants(
        &self,
        account: &AccountId,
        now_ms: i64,
    ) -> Result<u32, StoreError> {
        if self.prices.is_none() {
            return Ok(self.max_variants);
        }
        let account = self.store.account(account.as_str(), period_of(now_ms), now_ms).await?;
        Ok(account.max_variants.unwrap_or(self.max_variants).min(self.max_variants))
    }

    /// Returns the balance that the account is shown.
    pub(crate) async fn balance(
        &self,
        account: &AccountId,
        now_ms: i64,
    ) -> Result<CreditBalance, StoreError> {
        let period = period_of(now_ms);
        let account = match self.prices {
            Some(_) => self.store.account(account.as_str(), period, now_ms).await?,
            None => Account {
                plan_name: "Local".to_owned(),
                max_variants: None,
                wallet: Wallet {
                    allotment: 10 * Tenths::from(self.shown),
                    plan: 10 * Tenths::from(self.shown),
                    ..Wallet::empty(period)
                },
            },
        };
        let wallet = account.wallet;
        let limit = account.max_variants.unwrap_or(self.max_variants).min(self.max_variants);
        Ok(CreditBalance {
            credits: credits(wallet.spendable()),
            subscription: Subscription {
                name: account.plan_name,
                credits: credits(wallet.allotment),
                feature_limits: FeatureLimits { max_variants_generation: limit },
                current_period: wallet.period,
            },
            reserved: credits(wallet.held()),
        })
    }

    /// Returns which variants of these jobs can be downloaded without paying.
    pub(crate) async fn open(&self, rids: &[String]) -> Result<Open, StoreError> {
        match self.prices {
            Some(_) => self.store.unlocked(rids).await.map(Open::These),
            None => Ok(Open::All),
        }
    }

    /// Pays for a variant if it is not paid for yet. With `peek`, only reports what it would cost.
    pub(crate) async fn unlock(
        &self,
        account: &AccountId,
        variant: (&str, i32),
        length: (i32, i32),
        peek: bool,
        now_ms: i64,
    ) -> Result<Unlock, StoreError> {
        let Some(prices) = self.prices else { return Ok(Unlock::Open) };
        let price = prices.unlock(length.0, length.1);
        let (account, period) = (account.as_str(), period_of(now_ms));
        self.store.unlock(account, variant, price, peek, (period, now_ms)).await
    }
}

/// Converts tenths to the credits that clients see.
pub(crate) fn credits(tenths: Tenths) -> f64 {
    tenths as f64 / 10.0
}

/// Returns the calendar month (UTC) that contains `now_ms`.
pub(crate) fn period_of(now_ms: i64) -> BillingPeriod {
    month_of(now_ms).unwrap_or(BillingPeriod { start: 0, end: now_ms.max(1) })
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
    fn the_billing_period_is_the_current_month() {
        // 2026-01-15
        let period = period_of(1_768_435_200_000);
        assert_eq!((period.start, period.end), (1_767_225_600_000, 1_769_904_000_000));
    }

    #[test]
    fn started_tenths_and_seconds_are_charged() {
        assert_eq!(tenths_of(2.5, 1), 3);
        assert_eq!(tenths_of(60.0 / 30.0, 1), 2);
        assert_eq!(tenths_of(0.0, 1), 0);
        let prices = Prices { generate: 1, unlock: 10, video: 5 };
        assert_eq!(
            (prices.unlock(60, 30), prices.unlock(61, 30), prices.unlock(1, 24)),
            (20, 30, 10)
        );
    }
}
