//! A code of six digits is a million tries away from anybody. So guesses are counted: not per
//! code, which is asked for anew at will, but per account and per number a code is sent to.
//!
//! A guess is counted before it is looked at, so that many at once do not slip past the count.
//! Numbers nobody has are counted like those somebody has. Of such counts, which anybody can cause
//! any number of, the oldest give way; so what somebody has is counted a second time, where only
//! its own guesses are, and over that count no guess is looked at any more.

use uuid::Uuid;

use sqlx::PgConnection;

use crate::instance::Instance;
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;

/// How long a count lasts.
const WINDOW: chrono::Duration = chrono::Duration::hours(1);
/// Wrong codes of second factors in that time: whoever gives them knows the password already.
const MOST_OF_FACTORS: i32 = 10;
/// The same of codes and passwords before a sensitive change: whoever gives them holds a session
/// already.
const MOST_OF_REAUTHENTICATION: i32 = 10;
/// Wrong codes to one address: enough for the person whose number a stranger guesses at.
const MOST_OF_ADDRESS: i32 = 30;

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

    /// Codes to an address, whether any waits there or not.
    pub(crate) fn address(instance: &Instance, address: &str, aud: &str) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("address {address} {aud}"));
        Self { subject, most: MOST_OF_ADDRESS, of_account: false }
    }

    /// Codes to an address where one waits. Where none does, as much is written, under another name.
    pub(crate) fn waiting_at(instance: &Instance, address: &str, aud: &str, waits: bool) -> Self {
        let word = if waits { "waiting" } else { "waited for" };
        let subject = instance.factor_key.of_guesses(&format!("{word} {address} {aud}"));
        Self { subject, most: MOST_OF_ADDRESS, of_account: waits }
    }
}

/// Counts one guess; refuses when there were too many. What was counted must be committed,
/// whatever comes of the guess.
pub(crate) async fn count(
    instance: &Instance,
    conn: &mut PgConnection,
    target: &Target,
) -> Outcome<()> {
    match count_quietly(instance, conn, target).await? {
        None => Ok(()),
        Some(left_s) => refuse(Refusal::too_many_requests(left_s)),
    }
}

/// The same for a count that is told to nobody: the seconds for which there were too many. Until
/// the transaction ends, nobody else counts this.
pub(crate) async fn count_quietly(
    instance: &Instance,
    conn: &mut PgConnection,
    target: &Target,
) -> Outcome<Option<u64>> {
    let now = instance.now();
    let (subject, until) = (&target.subject, now + WINDOW);
    let row = store::guesses::count(conn, subject, target.of_account, now, until).await?;
    if row.count <= target.most {
        return Ok(None);
    }
    Ok(Some(u64::try_from((row.until - now).num_seconds()).unwrap_or(0).max(1)))
}

/// The code was right: the next wrong one is the first again.
pub(crate) async fn forget(conn: &mut PgConnection, targets: &[Target]) -> Outcome<()> {
    let subjects: Vec<Vec<u8>> = targets.iter().map(|target| target.subject.to_vec()).collect();
    Ok(store::guesses::forget(conn, &subjects).await?)
}
