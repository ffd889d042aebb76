//! Limits password guesses per email address or phone number: after ten wrong passwords by one
//! caller, each further one costs that caller a pause, which doubles each time.
//!
//! This locks nobody out. Each caller has a count of their own; during a pause, their attempts are
//! not even checked. Attempts of all callers together are counted as well, and once they exceed
//! what a few callers may do, everybody must pause. That shared count does not apply to a caller
//! from an IP address at which the account is signed in. Users elsewhere have a way that guessing
//! cannot close: a link or code from `/otp`, `/magiclink` or `/recover` signs them in, after which
//! the correct password works from there, too.
//!
//! Unknown addresses are counted like known ones. When there are too many of these counts, the
//! oldest are evicted, and callers can observe that, so it must happen to all alike or it would
//! reveal accounts. Each account therefore has a second, hidden pair of counts that strangers
//! cannot evict. Where the hidden counts demand a pause that the visible ones no longer do,
//! attempts are accepted but not checked: every password is wrong.

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

use super::guesses::CALLERS;
use crate::instance::{Instance, RequestContext};
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;
use crate::store::guesses::GuessesRow;

/// Wrong passwords by one caller before pauses begin.
const FREE_ATTEMPTS: i32 = 10;
/// Wrong passwords by all callers before pauses begin. Attempts by a caller who is already subject
/// to pauses do not count, however long they continue, so it takes several callers to make
/// everybody wait.
const FREE_ATTEMPTS_OF_ALL: i32 = FREE_ATTEMPTS * CALLERS;
/// Limits a pause to 2^10 s, about 17 minutes, which allows 85 guesses a day.
const MAX_DOUBLINGS: i32 = 10;
/// Lifetime of a count after the last wrong password.
const COUNT_LIFETIME: chrono::Duration = chrono::Duration::hours(24);
/// Number of locks. Greater than the number of passwords hashed concurrently, so that hashing never
/// waits for a lock.
const LOCKS: usize = 64;

/// Locks that let one password per account be tried at a time, so that concurrent attempts cannot
/// slip past the count. Accounts share locks by hash. Across instances, the count itself ensures
/// this once pauses begin.
pub(crate) struct AttemptLocks([Mutex<()>; LOCKS]);

impl Default for AttemptLocks {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl AttemptLocks {
    async fn enter(&self, subject: &Subject) -> MutexGuard<'_, ()> {
        self.0[usize::from(subject.hash[0]) % LOCKS].lock().await
    }
}

/// What a count refers to.
#[derive(Debug, Clone, Copy)]
struct Subject {
    hash: [u8; 32],
    of_account: bool,
    /// Wrong passwords allowed before pauses begin.
    free: i32,
}

/// The counts of one address: that of the caller and, unless the caller's address is one where the
/// account is signed in, that of all callers.
#[derive(Debug, Clone, Copy)]
struct Pair {
    by_one: Subject,
    by_all: Option<Subject>,
}

impl Pair {
    fn new(instance: &Instance, what: &str, context: &RequestContext, of_account: bool) -> Self {
        let subject = |what: &str, free| {
            let hash = instance.factor_key.of_guesses(what);
            Subject { hash, of_account, free }
        };
        let by_one = subject(&format!("{what} {}", context.network), FREE_ATTEMPTS);
        Self { by_one, by_all: Some(subject(what, FREE_ATTEMPTS_OF_ALL)) }
    }

    fn without_shared_count(self) -> Self {
        Self { by_all: None, ..self }
    }

    fn subjects(self) -> impl Iterator<Item = Subject> {
        std::iter::once(self.by_one).chain(self.by_all)
    }
}

/// Permission to try one password now.
pub(crate) struct Attempt<'a> {
    subjects: Vec<Subject>,
    /// Subjects against which this attempt has not been counted yet.
    uncounted: Vec<Subject>,
    /// Whether earlier wrong passwords were counted.
    counted_before: bool,
    /// False if a hidden count demands a pause, so that the password must not be checked.
    must_verify: bool,
    /// Held until the outcome has been counted.
    _lock: MutexGuard<'a, ()>,
}

/// Admits one attempt, or refuses with the time to wait. `address` is in the normalised form in
/// which accounts store it.
pub(crate) async fn begin<'a>(
    instance: &'a Instance,
    account: Option<Uuid>,
    address: &str,
    context: &RequestContext,
) -> Outcome<Attempt<'a>> {
    let aud = &context.aud;
    let visible = Pair::new(instance, &format!("password {address} {aud}"), context, false);
    let hidden = match account {
        Some(id) => Pair::new(instance, &format!("password of account {id}"), context, true),
        // For a missing account, an equal amount is written under another name.
        None => Pair::new(instance, &format!("password of nobody {address} {aud}"), context, false),
    };
    let mut outcome = enter(instance, visible, hidden).await?;
    if outcome.is_err()
        && let Some(ip) = &context.ip
        && has_session_from_ip(instance, account, ip).await?
    {
        outcome =
            enter(instance, visible.without_shared_count(), hidden.without_shared_count()).await?;
    }
    match outcome {
        Ok(free) => Ok(free),
        Err(wait_s) => refuse(Refusal::too_many_requests(wait_s)),
    }
}

/// Tells whether the account has a session from this IP address. The same query runs for a missing
/// account, so that it takes as long.
async fn has_session_from_ip(
    instance: &Instance,
    account: Option<Uuid>,
    ip: &str,
) -> Outcome<bool> {
    let mut conn = instance.pool.acquire().await?;
    let account = account.unwrap_or_default();
    Ok(store::sessions::is_signed_in_at(&mut conn, account, ip).await?)
}

/// Admits an attempt, or returns the remaining seconds of a pause.
async fn enter(
    instance: &Instance,
    visible: Pair,
    hidden: Pair,
) -> Outcome<Result<Attempt<'_>, u64>> {
    // One lock for all callers, because their attempts are counted together.
    let lock = instance.attempt_locks.enter(&visible.by_all.unwrap_or(visible.by_one)).await;
    let now = instance.now();
    let subjects: Vec<Subject> = visible.subjects().chain(hidden.subjects()).collect();
    let found = {
        let mut conn = instance.pool.acquire().await?;
        store::guesses::find_all(&mut conn, &hashes(&subjects), now).await?
    };
    let count_of = |subject: &Subject| found.iter().find(|row| row.subject == subject.hash);
    let wait_of = |s: &Subject| count_of(s).and_then(|row| seconds_left(row, s.free, now));
    if let Some(wait_s) = visible.subjects().filter_map(|subject| wait_of(&subject)).max() {
        return Ok(Err(wait_s));
    }
    let must_verify = subjects.iter().all(|subject| wait_of(subject).is_none());
    // Attempts that are not checked do not lengthen a pause.
    let (mut due, mut uncounted) = (Vec::new(), Vec::new());
    for pair in [visible, hidden] {
        let is_free = count_of(&pair.by_one).is_none_or(|row| row.count < FREE_ATTEMPTS);
        for subject in pair.subjects().filter(|subject| wait_of(subject).is_none()) {
            match count_of(&subject).filter(|row| row.count >= subject.free) {
                Some(row) => due.push((row, subject.free)),
                None if is_free || subject.free == FREE_ATTEMPTS => uncounted.push(subject),
                // A caller already subject to pauses does not use up the shared allowance.
                None => {}
            }
        }
    }
    if let Some(wait_s) = take_turn(instance, &due, now).await? {
        return Ok(Err(wait_s));
    }
    let counted_before = !found.is_empty();
    Ok(Ok(Attempt { subjects, uncounted, counted_before, must_verify, _lock: lock }))
}

/// Claims the single attempt allowed after a pause, across all instances: it is counted before it
/// is checked. Returns the seconds to wait if another attempt claimed it first.
async fn take_turn(
    instance: &Instance,
    due: &[(&GuessesRow, i32)],
    now: DateTime<Utc>,
) -> Outcome<Option<u64>> {
    let Some(most) = due.iter().map(|(row, free)| row.count - free).max() else { return Ok(None) };
    let subjects: Vec<Vec<u8>> = due.iter().map(|(row, _)| row.subject.clone()).collect();
    let counts: Vec<i32> = due.iter().map(|(row, _)| row.count).collect();
    let mut conn = instance.pool.acquire().await?;
    let counted =
        store::guesses::prolong_seen(&mut conn, &subjects, &counts, now + COUNT_LIFETIME).await?;
    let next_s = u64::try_from(pause(most + 1).num_seconds()).unwrap_or(1);
    Ok((counted < due.len() as u64).then_some(next_s))
}

/// Returns the pause after `beyond` wrong passwords past the free ones.
fn pause(beyond: i32) -> chrono::Duration {
    chrono::Duration::seconds(1_i64 << beyond.clamp(0, MAX_DOUBLINGS))
}

fn seconds_left(row: &GuessesRow, free: i32, now: DateTime<Utc>) -> Option<u64> {
    if row.count < free {
        return None;
    }
    let left_ms = (row.until - COUNT_LIFETIME + pause(row.count - free) - now).num_milliseconds();
    (left_ms > 0).then(|| u64::try_from(left_ms).unwrap_or(0).div_ceil(1000))
}

fn hashes(subjects: &[Subject]) -> Vec<Vec<u8>> {
    subjects.iter().map(|subject| subject.hash.to_vec()).collect()
}

impl Attempt<'_> {
    /// Returns false if even the correct password must be treated as wrong.
    pub(crate) fn must_verify(&self) -> bool {
        self.must_verify
    }

    pub(crate) async fn was_wrong(self, instance: &Instance) -> Outcome<()> {
        if self.uncounted.is_empty() {
            return Ok(());
        }
        let now = instance.now();
        let of_account: Vec<bool> = self.uncounted.iter().map(|s| s.of_account).collect();
        let subjects = hashes(&self.uncounted);
        let mut conn = instance.pool.acquire().await?;
        let done =
            store::guesses::prolong(&mut conn, &subjects, &of_account, now, now + COUNT_LIFETIME);
        Ok(done.await?)
    }

    /// Resets the counts after a correct password.
    pub(crate) async fn was_right(self, instance: &Instance) -> Outcome<()> {
        if self.counted_before {
            let mut conn = instance.pool.acquire().await?;
            store::guesses::forget(&mut conn, &hashes(&self.subjects)).await?;
        }
        Ok(())
    }
}
