//! Limits guesses at one-time codes. A six-digit code can be found in a million attempts, so
//! attempts are counted: not per code, since a new one can be requested at any time, but per
//! account and per address to which codes are sent.
//!
//! An attempt is counted before it is checked, so that concurrent attempts cannot slip past the
//! limit. An attacker must not be able to lock out the rightful recipient: each caller has a count
//! of their own, and a higher limit applies to all callers together. Codes that the caller has just
//! requested are exempt from the latter (see `verify`).
//!
//! Unknown addresses are counted like known ones, so that limits do not reveal accounts. Anyone can
//! create any number of such counts, so the oldest are evicted. Existing accounts therefore have a
//! second count that such entries cannot evict; once it is exceeded, no further attempt is checked.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::verify::MAX_WRONG_BY_ONE;
use crate::instance::{Instance, RequestContext};
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;
use crate::store::guesses::GuessesRow;

/// Lifetime of a count.
pub(super) const WINDOW: chrono::Duration = chrono::Duration::hours(1);
/// Maximum number of wrong second-factor codes in a window. Whoever submits them already knows the
/// password.
const MAX_FACTOR_GUESSES: i32 = 10;
/// Maximum number of wrong codes or passwords before a sensitive change in a window. Whoever
/// submits them already holds a session.
const MAX_REAUTHENTICATION_GUESSES: i32 = 10;
/// Maximum number of codes that one caller may submit for one address in a window.
const MAX_ADDRESS_GUESSES: i32 = 30;
/// Factor between the limit of one caller and that of all callers together, so that one or two
/// attackers cannot use up the shared limit.
pub(super) const CALLERS: i32 = 4;

/// What an attempt is counted against.
pub(crate) struct Target {
    subject: [u8; 32],
    most: i32,
    /// Whether only an existing account can cause this count, which protects it from eviction.
    of_account: bool,
}

impl Target {
    pub(crate) fn factors_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("factors {account}"));
        Self { subject, most: MAX_FACTOR_GUESSES, of_account: true }
    }

    /// Reauthentication codes of an account. Counted across codes, because a new one may be
    /// requested every minute.
    pub(crate) fn reauthentication_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("reauthentication {account}"));
        Self { subject, most: MAX_REAUTHENTICATION_GUESSES, of_account: true }
    }

    /// The current password, when a session must provide it to change the password.
    pub(crate) fn current_password_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("current password {account}"));
        Self { subject, most: MAX_REAUTHENTICATION_GUESSES, of_account: true }
    }

    /// Codes for an address, pending or not: one target for this caller and one for all callers.
    pub(crate) fn address(
        instance: &Instance,
        address: &str,
        context: &RequestContext,
    ) -> [Self; 2] {
        Self::by_one_and_all(
            instance,
            &format!("address {address} {}", context.aud),
            context,
            false,
        )
    }

    /// Codes for an address that has a pending one. Where none is pending, an equal amount is
    /// written under another name, so that timing does not reveal the difference.
    pub(crate) fn waiting_at(
        instance: &Instance,
        address: &str,
        context: &RequestContext,
        waits: bool,
    ) -> [Self; 2] {
        let word = if waits { "waiting" } else { "waited for" };
        let what = format!("{word} {address} {}", context.aud);
        Self::by_one_and_all(instance, &what, context, waits)
    }

    fn by_one_and_all(
        instance: &Instance,
        what: &str,
        context: &RequestContext,
        of_account: bool,
    ) -> [Self; 2] {
        let by_one = format!("{what} {}", context.network);
        [(by_one.as_str(), MAX_ADDRESS_GUESSES), (what, MAX_ADDRESS_GUESSES * CALLERS)].map(
            |(what, most)| Self { subject: instance.factor_key.of_guesses(what), most, of_account },
        )
    }

    /// Wrong guesses by one caller at one code.
    pub(crate) fn code(instance: &Instance, code: Uuid, context: &RequestContext) -> Self {
        let what = format!("code {code} {}", context.network);
        let subject = instance.factor_key.of_guesses(&what);
        Self { subject, most: MAX_WRONG_BY_ONE, of_account: true }
    }

    /// Stands in for [`code`](Self::code) where no code is pending, so that an equal amount is
    /// written.
    pub(crate) fn no_code(instance: &Instance, address: &str, context: &RequestContext) -> Self {
        let what = format!("no code {address} {}", context.network);
        let subject = instance.factor_key.of_guesses(&what);
        Self { subject, most: MAX_WRONG_BY_ONE, of_account: false }
    }

    /// Messages to one address by all callers, each of whom must wait `gap` between two.
    pub(crate) fn messages(
        instance: &Instance,
        purpose: &str,
        address: &str,
        gap: Duration,
    ) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("{purpose} to {address}"));
        let by_one =
            WINDOW.num_milliseconds() / i64::try_from(gap.as_millis()).unwrap_or(i64::MAX).max(1);
        let most = i32::try_from(by_one.max(1)).unwrap_or(i32::MAX).saturating_mul(CALLERS);
        Self { subject, most, of_account: false }
    }
}

/// Counts one attempt against each target and refuses if any limit is exceeded. The count must be
/// committed whatever the outcome of the attempt.
pub(crate) async fn count(
    instance: &Instance,
    conn: &mut PgConnection,
    targets: &[Target],
) -> Outcome<()> {
    match count_quietly(instance, conn, targets).await? {
        None => Ok(()),
        Some(left_s) => refuse(Refusal::too_many_requests(left_s)),
    }
}

/// Like [`count`], but returns the seconds until another attempt is allowed, or `None` if no limit
/// is exceeded, instead of refusing. Until the transaction ends, other attempts at these targets
/// wait.
pub(crate) async fn count_quietly(
    instance: &Instance,
    conn: &mut PgConnection,
    targets: &[Target],
) -> Outcome<Option<u64>> {
    let now = instance.now();
    let rows = add_one(conn, targets, now).await?;
    Ok(targets.iter().filter_map(|target| wait_s(target, &rows, now)).max())
}

/// Like [`count_quietly`], but tells the targets apart.
pub(crate) async fn count_each<const N: usize>(
    instance: &Instance,
    conn: &mut PgConnection,
    targets: &[Target; N],
) -> Outcome<[Option<u64>; N]> {
    let now = instance.now();
    let rows = add_one(conn, targets, now).await?;
    Ok(targets.each_ref().map(|target| wait_s(target, &rows, now)))
}

async fn add_one(
    conn: &mut PgConnection,
    targets: &[Target],
    now: DateTime<Utc>,
) -> Outcome<Vec<GuessesRow>> {
    let of_account: Vec<bool> = targets.iter().map(|target| target.of_account).collect();
    let subjects = subjects(targets);
    Ok(store::guesses::count(conn, &subjects, &of_account, now, now + WINDOW).await?)
}

/// Returns the seconds until another attempt at this target is allowed, or `None` if its limit is
/// not exceeded.
fn wait_s(target: &Target, rows: &[GuessesRow], now: DateTime<Utc>) -> Option<u64> {
    let is_over = |row: &&GuessesRow| row.subject == target.subject && row.count > target.most;
    let over = rows.iter().find(is_over)?;
    Some(u64::try_from((over.until - now).num_seconds()).unwrap_or(0).max(1))
}

/// Tells for each target whether its limit has been reached. Counts nothing.
pub(crate) async fn are_spent(
    instance: &Instance,
    conn: &mut PgConnection,
    targets: &[Target],
) -> Outcome<Vec<bool>> {
    let found = store::guesses::find_all(conn, &subjects(targets), instance.now()).await?;
    let is_spent = |target: &Target| {
        found.iter().any(|row| row.subject == target.subject && row.count >= target.most)
    };
    Ok(targets.iter().map(is_spent).collect())
}

fn subjects(targets: &[Target]) -> Vec<Vec<u8>> {
    targets.iter().map(|target| target.subject.to_vec()).collect()
}

/// Resets the counts after a correct code.
pub(crate) async fn forget(conn: &mut PgConnection, targets: &[Target]) -> Outcome<()> {
    Ok(store::guesses::forget(conn, &subjects(targets)).await?)
}
