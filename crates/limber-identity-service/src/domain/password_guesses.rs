//! Guesses at passwords, counted by the address or number of an account: after ten wrong ones each
//! costs a pause that doubles.
//!
//! Nobody is locked out by that. Strangers share one count for each account, and while it makes
//! them wait nothing they send is even looked at. Where the account is signed in already, a count
//! of its own applies. And whoever comes from elsewhere takes the way that no guessing closes: a
//! fresh link (or code) by `/otp`, `/magiclink` or `/recover` signs in by itself, which makes the
//! place one where the account is signed in, so that the right password counts there, too.
//!
//! Addresses nobody has are counted like those somebody has. Of these counts the oldest give way
//! when there are too many, and whoever asks sees it: alike for all, or it would tell who is here.
//! So there is a second count for each account, which no stranger pushes out and nobody sees. Where
//! it makes guesses wait that the first one lets through again, they are not looked at: every one
//! is wrong.

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use crate::instance::{Asker, Instance};
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;
use crate::store::guesses::GuessesRow;

/// Wrong passwords that cost no pause.
const FREE: i32 = 10;
/// The longest pause is 2^10 s, 17 minutes: 85 guesses a day.
const MOST_DOUBLINGS: i32 = 10;
/// How long a count lasts after the last wrong password.
const KEPT: chrono::Duration = chrono::Duration::hours(24);
/// More lines than passwords are hashed at once, so that none of these waits for a line.
const LINES: usize = 64;

/// Of the passwords for one account one is tried at a time, so that many at once do not slip past
/// the count. Accounts share lines. Between instances the count itself sees to that, once it makes
/// anybody wait.
pub(crate) struct Lines([Mutex<()>; LINES]);

impl Default for Lines {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl Lines {
    async fn enter(&self, subject: &Subject) -> MutexGuard<'_, ()> {
        self.0[usize::from(subject.hash[0]) % LINES].lock().await
    }
}

/// What a count stands for.
#[derive(Debug, Clone, Copy)]
struct Subject {
    hash: [u8; 32],
    of_account: bool,
}

/// A password that may be tried now.
pub(crate) struct Try<'a> {
    subjects: Vec<Subject>,
    /// Those that this try is not counted for yet.
    uncounted: Vec<Subject>,
    /// There were wrong ones before.
    counted_before: bool,
    /// False where the count that nobody sees makes it wait.
    is_looked_at: bool,
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
    let subject = |what: String, of_account| {
        let hash = instance.factor_key.of_guesses(&what);
        Subject { hash, of_account }
    };
    let aud = &asker.aud;
    let seen = subject(format!("password {address} {aud} "), false);
    let unseen = match account {
        Some(id) => subject(format!("password of account {id}"), true),
        // as much is written for an account that is not there
        None => subject(format!("password of nobody {address} {aud}"), false),
    };
    let mut outcome = enter(instance, seen, Some(unseen)).await?;
    if outcome.is_err()
        && let Some(ip) = &asker.ip
        && is_at_home(instance, account, ip).await?
    {
        let home = subject(format!("password {address} {aud} {ip}"), true);
        outcome = enter(instance, home, None).await?;
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
async fn enter(
    instance: &Instance,
    seen: Subject,
    unseen: Option<Subject>,
) -> Outcome<Result<Try<'_>, u64>> {
    let line = instance.password_lines.enter(&seen).await;
    let now = instance.now();
    let subjects: Vec<Subject> = [Some(seen), unseen].into_iter().flatten().collect();
    let found = {
        let mut conn = instance.pool.acquire().await?;
        store::guesses::find_all(&mut conn, &hashes(&subjects), now).await?
    };
    let count_of = |subject: &Subject| found.iter().find(|row| row.subject == subject.hash);
    if let Some(wait_s) = count_of(&seen).and_then(|row| seconds_left(row, now)) {
        return Ok(Err(wait_s));
    }
    let waits = |subject: &Subject| count_of(subject).and_then(|row| seconds_left(row, now));
    let is_looked_at = subjects.iter().all(|subject| waits(subject).is_none());
    // what is not looked at makes nobody wait longer
    let (mut due, mut uncounted) = (Vec::new(), Vec::new());
    for subject in subjects.iter().filter(|subject| waits(subject).is_none()) {
        match count_of(subject).filter(|row| row.count >= FREE) {
            Some(row) => due.push(row),
            None => uncounted.push(*subject),
        }
    }
    if let Some(wait_s) = take_turn(instance, &due, now).await? {
        return Ok(Err(wait_s));
    }
    let counted_before = !found.is_empty();
    Ok(Ok(Try { subjects, uncounted, counted_before, is_looked_at, _line: line }))
}

/// After a pause one password is tried, on whatever instance: it is counted before it is looked at.
/// The seconds to wait for whoever came too late for that.
async fn take_turn(
    instance: &Instance,
    due: &[&GuessesRow],
    now: DateTime<Utc>,
) -> Outcome<Option<u64>> {
    let Some(most) = due.iter().map(|row| row.count).max() else { return Ok(None) };
    let subjects: Vec<Vec<u8>> = due.iter().map(|row| row.subject.clone()).collect();
    let counts: Vec<i32> = due.iter().map(|row| row.count).collect();
    let mut conn = instance.pool.acquire().await?;
    let counted = store::guesses::prolong_seen(&mut conn, &subjects, &counts, now + KEPT).await?;
    let next_s = u64::try_from(pause(most + 1).num_seconds()).unwrap_or(1);
    Ok((counted < due.len() as u64).then_some(next_s))
}

/// How long the next one waits after so many wrong ones.
fn pause(count: i32) -> chrono::Duration {
    chrono::Duration::seconds(1_i64 << (count - FREE).clamp(0, MOST_DOUBLINGS))
}

fn seconds_left(row: &GuessesRow, now: DateTime<Utc>) -> Option<u64> {
    if row.count < FREE {
        return None;
    }
    let left_ms = (row.until - KEPT + pause(row.count) - now).num_milliseconds();
    (left_ms > 0).then(|| u64::try_from(left_ms).unwrap_or(0).div_ceil(1000))
}

fn hashes(subjects: &[Subject]) -> Vec<Vec<u8>> {
    subjects.iter().map(|subject| subject.hash.to_vec()).collect()
}

impl Try<'_> {
    /// False where the right password is as wrong as any other.
    pub(crate) fn is_looked_at(&self) -> bool {
        self.is_looked_at
    }

    pub(crate) async fn was_wrong(self, instance: &Instance) -> Outcome<()> {
        if self.uncounted.is_empty() {
            return Ok(());
        }
        let now = instance.now();
        let of_account: Vec<bool> = self.uncounted.iter().map(|s| s.of_account).collect();
        let subjects = hashes(&self.uncounted);
        let mut conn = instance.pool.acquire().await?;
        let done = store::guesses::prolong(&mut conn, &subjects, &of_account, now, now + KEPT);
        Ok(done.await?)
    }

    /// The next wrong one is the first again.
    pub(crate) async fn was_right(self, instance: &Instance) -> Outcome<()> {
        if self.counted_before {
            let mut conn = instance.pool.acquire().await?;
            store::guesses::forget(&mut conn, &hashes(&self.subjects)).await?;
        }
        Ok(())
    }
}
