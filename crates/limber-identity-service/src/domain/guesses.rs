//! A code of six digits is a million tries away from anybody. So guesses are counted: not per
//! code, which is asked for anew at will, but per account and per number a code is sent to.
//!
//! A guess is counted before it is looked at, so that many at once do not slip past the count.
//! Whoever guesses at a code that was sent to somebody else must not keep them from using it: each
//! caller has a count of their own, and all together one that is higher.
//!
//! Numbers nobody has are counted like those somebody has. Of such counts, which anybody can cause
//! any number of, the oldest give way; so what somebody has is counted a second time, where only
//! its own guesses are, and over that count no guess is looked at any more.

use std::time::Duration;

use uuid::Uuid;

use sqlx::PgConnection;

use super::verify::MOST_WRONG_BY_ONE;
use crate::instance::{Asker, Instance};
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;
use crate::store::guesses::GuessesRow;

/// How long a count lasts.
const WINDOW: chrono::Duration = chrono::Duration::hours(1);
/// Wrong codes of second factors in that time: whoever gives them knows the password already.
const MOST_OF_FACTORS: i32 = 10;
/// The same of codes and passwords before a sensitive change: whoever gives them holds a session
/// already.
const MOST_OF_REAUTHENTICATION: i32 = 10;
/// Codes to one address by one caller.
const MOST_OF_ADDRESS: i32 = 30;
/// What all callers may do together is as much as so many of them may: one or two who mean harm do
/// not use it up.
pub(super) const CALLERS: i32 = 4;

/// What is guessed at.
pub(crate) struct Target {
    subject: [u8; 32],
    most: i32,
    /// Nobody can make counts of it who has no account.
    of_account: bool,
}

impl Target {
    pub(crate) fn factors_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("factors {account}"));
        Self { subject, most: MOST_OF_FACTORS, of_account: true }
    }

    /// Over all codes: a new one may be asked for every minute.
    pub(crate) fn reauthentication_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("reauthentication {account}"));
        Self { subject, most: MOST_OF_REAUTHENTICATION, of_account: true }
    }

    /// The password so far, where a session asks to change it.
    pub(crate) fn current_password_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("current password {account}"));
        Self { subject, most: MOST_OF_REAUTHENTICATION, of_account: true }
    }

    /// Codes to an address, whether any waits there or not: by this caller, and by all.
    pub(crate) fn address(instance: &Instance, address: &str, asker: &Asker) -> [Self; 2] {
        Self::by_one_and_all(instance, &format!("address {address} {}", asker.aud), asker, false)
    }

    /// Codes to an address where one waits. Where none does, as much is written, under another name.
    pub(crate) fn waiting_at(
        instance: &Instance,
        address: &str,
        asker: &Asker,
        waits: bool,
    ) -> [Self; 2] {
        let word = if waits { "waiting" } else { "waited for" };
        let what = format!("{word} {address} {}", asker.aud);
        Self::by_one_and_all(instance, &what, asker, waits)
    }

    fn by_one_and_all(
        instance: &Instance,
        what: &str,
        asker: &Asker,
        of_account: bool,
    ) -> [Self; 2] {
        let by_one = format!("{what} {}", asker.network);
        [(by_one.as_str(), MOST_OF_ADDRESS), (what, MOST_OF_ADDRESS * CALLERS)].map(
            |(what, most)| Self { subject: instance.factor_key.of_guesses(what), most, of_account },
        )
    }

    /// Wrong guesses of one caller at one code.
    pub(crate) fn code(instance: &Instance, code: Uuid, asker: &Asker) -> Self {
        let what = format!("code {code} {}", asker.network);
        let subject = instance.factor_key.of_guesses(&what);
        Self { subject, most: MOST_WRONG_BY_ONE, of_account: true }
    }

    /// The same where no code waits, so that as much is written.
    pub(crate) fn no_code(instance: &Instance, address: &str, asker: &Asker) -> Self {
        let what = format!("no code {address} {}", asker.network);
        let subject = instance.factor_key.of_guesses(&what);
        Self { subject, most: MOST_WRONG_BY_ONE, of_account: false }
    }

    /// Messages to an address by all callers, of whom each waits for `gap` between two.
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

/// Counts one guess at each target; refuses when there were too many at any. What was counted must be
/// committed, whatever comes of the guess.
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

/// The same for a count that is told to nobody: the seconds for which there were too many. Until
/// the transaction ends, nobody else counts this.
pub(crate) async fn count_quietly(
    instance: &Instance,
    conn: &mut PgConnection,
    targets: &[Target],
) -> Outcome<Option<u64>> {
    let now = instance.now();
    let of_account: Vec<bool> = targets.iter().map(|target| target.of_account).collect();
    let subjects = subjects(targets);
    let rows = store::guesses::count(conn, &subjects, &of_account, now, now + WINDOW).await?;
    let over = rows.iter().filter(|row| {
        targets.iter().any(|t| t.subject.as_slice() == row.subject && row.count > t.most)
    });
    let left_s = |row: &GuessesRow| u64::try_from((row.until - now).num_seconds()).unwrap_or(0);
    Ok(over.map(|row| left_s(row).max(1)).max())
}

/// At which of the targets there were as many guesses as there may be. Counts nothing.
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

/// The code was right: the next wrong one is the first again.
pub(crate) async fn forget(conn: &mut PgConnection, targets: &[Target]) -> Outcome<()> {
    Ok(store::guesses::forget(conn, &subjects(targets)).await?)
}
