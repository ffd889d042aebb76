//! A code of six digits is a million tries away from anybody. So guesses are counted: not per
//! code, which is asked for anew at will, but per account and per number a code is sent to.
//!
//! A guess is counted before it is looked at, so that many at once do not slip past the count.
//! Numbers nobody has are counted like those somebody has.

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
}

impl Target {
    pub(crate) fn factors_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("factors {account}"));
        Self { subject, most: MOST_OF_FACTORS }
    }

    /// Over all codes: a new one may be asked for every minute.
    pub(crate) fn reauthentication_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("reauthentication {account}"));
        Self { subject, most: MOST_OF_REAUTHENTICATION }
    }

    /// The password so far, where a session asks to change it.
    pub(crate) fn current_password_of(instance: &Instance, account: Uuid) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("current password {account}"));
        Self { subject, most: MOST_OF_REAUTHENTICATION }
    }

    pub(crate) fn address(instance: &Instance, address: &str, aud: &str) -> Self {
        let subject = instance.factor_key.of_guesses(&format!("address {address} {aud}"));
        Self { subject, most: MOST_OF_ADDRESS }
    }
}

/// Counts one guess; refuses when there were too many. What was counted must be committed,
/// whatever comes of the guess.
pub(crate) async fn count(
    instance: &Instance,
    conn: &mut PgConnection,
    target: &Target,
) -> Outcome<()> {
    let now = instance.now();
    let row = store::guesses::count(conn, &target.subject, now, now + WINDOW).await?;
    if row.count <= target.most {
        return Ok(());
    }
    let left_s = u64::try_from((row.until - now).num_seconds()).unwrap_or(0).max(1);
    refuse(Refusal::too_many_requests(left_s))
}

/// The code was right: the next wrong one is the first again.
pub(crate) async fn forget(conn: &mut PgConnection, target: &Target) -> Outcome<()> {
    Ok(store::guesses::forget(conn, &target.subject).await?)
}
