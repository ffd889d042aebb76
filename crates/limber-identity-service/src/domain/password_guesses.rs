//! Guesses at passwords, counted by the address or number of an account: after ten wrong ones each
//! costs a pause that doubles.
//!
//! Nobody is locked out by that. Strangers share one count for each account, and while it makes
//! them wait nothing they send is even looked at. Where the account is signed in already, a count
//! of its own applies. And whoever comes from elsewhere takes the way that no guessing closes: a
//! fresh link (or code) by `/otp`, `/magiclink` or `/recover` signs in by itself, which makes the
//! place one where the account is signed in, so that the right password counts there, too.
//!
//! Addresses nobody has are counted like those somebody has.

use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use crate::instance::{Asker, Instance};
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;

/// Wrong passwords that cost no pause.
const FREE: i32 = 10;
/// The longest pause is 2^10 s, 17 minutes: 85 guesses a day.
const MOST_DOUBLINGS: i32 = 10;
/// How long a count lasts after the last wrong password.
const KEPT: chrono::Duration = chrono::Duration::hours(24);
/// More lines than passwords are hashed at once, so that none of these waits for a line.
const LINES: usize = 64;

/// Of the passwords for one account one is tried at a time, so that many at once do not slip past
/// the count. Accounts share lines.
pub(crate) struct Lines([Mutex<()>; LINES]);

impl Default for Lines {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl Lines {
    async fn enter(&self, subject: &[u8; 32]) -> MutexGuard<'_, ()> {
        self.0[usize::from(subject[0]) % LINES].lock().await
    }
}

/// A password that may be tried now.
pub(crate) struct Try<'a> {
    subject: [u8; 32],
    /// There were wrong ones before.
    counted: bool,
    /// Held until the outcome is counted.
    _line: MutexGuard<'a, ()>,
}

/// Lets a password be tried, or says how long to wait. `address` is as accounts have theirs.
pub(crate) async fn begin<'a>(
    instance: &'a Instance,
    account: Option<Uuid>,
    address: &str,
    asker: &Asker,
) -> Outcome<Try<'a>> {
    let subject = |place: &str| {
        let what = format!("password {address} {} {place}", asker.aud);
        instance.factor_key.of_guesses(&what)
    };
    let mut outcome = enter(instance, subject("")).await?;
    if outcome.is_err()
        && let Some(ip) = &asker.ip
        && is_at_home(instance, account, ip).await?
    {
        outcome = enter(instance, subject(ip)).await?;
    }
    match outcome {
        Ok(free) => Ok(free),
        Err(wait_s) => refuse(Refusal::too_many_requests(wait_s)),
    }
}

/// The same question for an account that is not there, so that it takes no less time.
async fn is_at_home(instance: &Instance, account: Option<Uuid>, ip: &str) -> Outcome<bool> {
    let mut conn = instance.pool.acquire().await?;
    let account = account.unwrap_or_default();
    Ok(store::sessions::is_signed_in_at(&mut conn, account, ip).await?)
}

/// The seconds that are left of a pause, where there is one.
async fn enter(instance: &Instance, subject: [u8; 32]) -> Outcome<Result<Try<'_>, u64>> {
    let line = instance.password_lines.enter(&subject).await;
    let now = instance.now();
    let found = {
        let mut conn = instance.pool.acquire().await?;
        store::guesses::find(&mut conn, &subject).await?
    };
    let counted = found.is_some();
    if let Some(row) = found.filter(|row| row.until > now && row.count >= FREE) {
        let doublings = (row.count - FREE).min(MOST_DOUBLINGS);
        let over_at = row.until - KEPT + chrono::Duration::seconds(1_i64 << doublings);
        let left_ms = (over_at - now).num_milliseconds();
        if left_ms > 0 {
            return Ok(Err(u64::try_from(left_ms).unwrap_or(0).div_ceil(1000)));
        }
    }
    Ok(Ok(Try { subject, counted, _line: line }))
}

impl Try<'_> {
    pub(crate) async fn was_wrong(self, instance: &Instance) -> Outcome<()> {
        let now = instance.now();
        let mut conn = instance.pool.acquire().await?;
        Ok(store::guesses::prolong(&mut conn, &self.subject, now, now + KEPT).await?)
    }

    /// The next wrong one is the first again.
    pub(crate) async fn was_right(self, instance: &Instance) -> Outcome<()> {
        if self.counted {
            let mut conn = instance.pool.acquire().await?;
            store::guesses::forget(&mut conn, &self.subject).await?;
        }
        Ok(())
    }
}
