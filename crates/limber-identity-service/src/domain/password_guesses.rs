//! Guesses at passwords, counted by the address or number of an account: after ten wrong ones of one
//! caller each costs them a pause that doubles.
//!
//! Nobody is locked out by that. Each caller has a count of their own; while it makes them wait
//! nothing they send is even looked at. What callers may do before they wait is counted for all of
//! them together as well, and once that is as much as a few of them may, everybody waits in turn.
//! But not where the account is signed in already: there the caller's own count alone applies. And
//! whoever comes from elsewhere takes the way that no guessing closes: a fresh link (or code) by
//! `/otp`, `/magiclink` or `/recover` signs in by itself, which makes the place one where the
//! account is signed in, so that the right password counts there, too.
//!
//! Addresses nobody has are counted like those somebody has. Of these counts the oldest give way
//! when there are too many, and whoever asks sees it: alike for all, or it would tell who is here.
//! So there is a second pair of counts for each account, which no stranger pushes out and nobody
//! sees. Where it makes guesses wait that the first one lets through again, they are not looked at:
//! every one is wrong.

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use super::guesses::CALLERS;
use crate::instance::{Asker, Instance};
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;
use crate::store::guesses::GuessesRow;

/// Wrong passwords of one caller that cost no pause.
const FREE: i32 = 10;
/// The same of all callers. What one does who waits already is none of these, however long it goes
/// on: it takes several callers to make everybody wait.
const FREE_OF_ALL: i32 = FREE * CALLERS;
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
    /// Wrong passwords that cost no pause.
    free: i32,
}

/// Counts of one address: that of the caller and, but where the account is signed in, that of all.
#[derive(Debug, Clone, Copy)]
struct Pair {
    by_one: Subject,
    by_all: Option<Subject>,
}

impl Pair {
    fn new(instance: &Instance, what: &str, asker: &Asker, of_account: bool) -> Self {
        let subject = |what: &str, free| {
            let hash = instance.factor_key.of_guesses(what);
            Subject { hash, of_account, free }
        };
        let by_one = subject(&format!("{what} {}", asker.network), FREE);
        Self { by_one, by_all: Some(subject(what, FREE_OF_ALL)) }
    }

    fn at_home(self) -> Self {
        Self { by_all: None, ..self }
    }

    fn subjects(self) -> impl Iterator<Item = Subject> {
        std::iter::once(self.by_one).chain(self.by_all)
    }
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
    let aud = &asker.aud;
    let seen = Pair::new(instance, &format!("password {address} {aud}"), asker, false);
    let unseen = match account {
        Some(id) => Pair::new(instance, &format!("password of account {id}"), asker, true),
        // as much is written for an account that is not there
        None => Pair::new(instance, &format!("password of nobody {address} {aud}"), asker, false),
    };
    let mut outcome = enter(instance, seen, unseen).await?;
    if outcome.is_err()
        && let Some(ip) = &asker.ip
        && is_at_home(instance, account, ip).await?
    {
        outcome = enter(instance, seen.at_home(), unseen.at_home()).await?;
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
async fn enter(instance: &Instance, seen: Pair, unseen: Pair) -> Outcome<Result<Try<'_>, u64>> {
    // one line for all callers, whose guesses are counted together
    let line = instance.password_lines.enter(&seen.by_all.unwrap_or(seen.by_one)).await;
    let now = instance.now();
    let subjects: Vec<Subject> = seen.subjects().chain(unseen.subjects()).collect();
    let found = {
        let mut conn = instance.pool.acquire().await?;
        store::guesses::find_all(&mut conn, &hashes(&subjects), now).await?
    };
    let count_of = |subject: &Subject| found.iter().find(|row| row.subject == subject.hash);
    let wait_of = |s: &Subject| count_of(s).and_then(|row| seconds_left(row, s.free, now));
    if let Some(wait_s) = seen.subjects().filter_map(|subject| wait_of(&subject)).max() {
        return Ok(Err(wait_s));
    }
    let is_looked_at = subjects.iter().all(|subject| wait_of(subject).is_none());
    // what is not looked at makes nobody wait longer
    let (mut due, mut uncounted) = (Vec::new(), Vec::new());
    for pair in [seen, unseen] {
        let is_free = count_of(&pair.by_one).is_none_or(|row| row.count < FREE);
        for subject in pair.subjects().filter(|subject| wait_of(subject).is_none()) {
            match count_of(&subject).filter(|row| row.count >= subject.free) {
                Some(row) => due.push((row, subject.free)),
                None if is_free || subject.free == FREE => uncounted.push(subject),
                // whoever waits for each of theirs does not use up what others may
                None => {}
            }
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
    due: &[(&GuessesRow, i32)],
    now: DateTime<Utc>,
) -> Outcome<Option<u64>> {
    let Some(most) = due.iter().map(|(row, free)| row.count - free).max() else { return Ok(None) };
    let subjects: Vec<Vec<u8>> = due.iter().map(|(row, _)| row.subject.clone()).collect();
    let counts: Vec<i32> = due.iter().map(|(row, _)| row.count).collect();
    let mut conn = instance.pool.acquire().await?;
    let counted = store::guesses::prolong_seen(&mut conn, &subjects, &counts, now + KEPT).await?;
    let next_s = u64::try_from(pause(most + 1).num_seconds()).unwrap_or(1);
    Ok((counted < due.len() as u64).then_some(next_s))
}

/// How long the next one waits after so many wrong ones beyond those that cost nothing.
fn pause(beyond: i32) -> chrono::Duration {
    chrono::Duration::seconds(1_i64 << beyond.clamp(0, MOST_DOUBLINGS))
}

fn seconds_left(row: &GuessesRow, free: i32, now: DateTime<Utc>) -> Option<u64> {
    if row.count < free {
        return None;
    }
    let left_ms = (row.until - KEPT + pause(row.count - free) - now).num_milliseconds();
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
