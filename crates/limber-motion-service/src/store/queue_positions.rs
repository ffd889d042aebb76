//! Computes positions in the queue efficiently for many clients.
//!
//! A job's rank among its own account's jobs is loaded with the job. Counting the waiting jobs of
//! all other accounts takes time in proportion to the queue. The result is therefore shared by all
//! requests and reused for [`REST`] times as long as the counting took. However many clients poll
//! and however long the queue is, a server spends only a small share of its time on counting.

use std::sync::Arc;

use limber_domain::environment::Clock;
use tokio::sync::Mutex;

use super::{Store, StoreError, queue::Waiting};

/// A count that took 3 ms is reused for 30 ms.
const REST: i64 = 10;
/// Upper bound on the reuse of a count, however slow the database is.
const LONGEST_REST_MS: i64 = 2_000;

/// Computes positions in the queue.
#[derive(Debug)]
pub(crate) struct QueuePositions {
    store: Store,
    clock: Arc<dyn Clock>,
    counted: Mutex<Counted>,
}

/// Cached counts: all accounts with waiting jobs.
#[derive(Debug, Default)]
struct Counted {
    accounts: Arc<[Waiting]>,
    until_ms: i64,
}

impl QueuePositions {
    pub(crate) fn new(store: Store, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, counted: Mutex::default() }
    }

    /// Returns the position of an account's `rank`-th waiting job, both from 1.
    pub(crate) async fn of(&self, account: &str, rank: i64) -> Result<u32, StoreError> {
        Ok(position(account, rank, &self.accounts(account).await?))
    }

    /// Returns the cached counts, or counts again. Concurrent callers wait for one count and share
    /// it. A count that lacks `account` is too old for the caller, whose job is waiting.
    async fn accounts(&self, account: &str) -> Result<Arc<[Waiting]>, StoreError> {
        let mut counted = self.counted.lock().await;
        let began_ms = self.clock.now_ms();
        // a clock that was set back must not keep an old count alive
        let left_ms = counted.until_ms.saturating_sub(began_ms);
        let is_counted = counted.accounts.iter().any(|waiting| waiting.account_id == account);
        if left_ms <= 0 || left_ms > LONGEST_REST_MS || !is_counted {
            let accounts = self.store.queue_accounts().await?.into();
            let now_ms = self.clock.now_ms();
            let rest_ms = now_ms.saturating_sub(began_ms).saturating_mul(REST);
            let until_ms = now_ms.saturating_add(rest_ms.clamp(0, LONGEST_REST_MS));
            *counted = Counted { accounts, until_ms };
        }
        Ok(Arc::clone(&counted.accounts))
    }
}

/// With round-robin between accounts, an account's r-th job is preceded by r jobs of every account
/// whose turn is earlier, and by r − 1 of every other.
fn position(account: &str, rank: i64, accounts: &[Waiting]) -> u32 {
    let own = accounts.iter().find(|waiting| waiting.account_id == account);
    // if the account no longer waits, its job was just taken, so its turn was next
    let turn = own.map_or((i64::MIN, account), |own| (own.last_turn, account));
    let others = accounts.iter().filter(|other| other.account_id != account);
    let before: i64 = others
        .map(|other| {
            let is_earlier = (other.last_turn, other.account_id.as_str()) < turn;
            other.jobs.min(if is_earlier { rank } else { rank - 1 })
        })
        .sum();
    u32::try_from(rank + before).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Takes one job of each account in turn, as the queue does, and returns the position of each
    /// job.
    fn taken_in_turns(accounts: &[Waiting]) -> HashMap<(String, i64), u32> {
        let mut by_turn: Vec<_> = accounts.iter().collect();
        by_turn.sort_by_key(|account| (account.last_turn, &account.account_id));
        let mut taken = HashMap::new();
        for rank in 1..=by_turn.iter().map(|account| account.jobs).max().unwrap_or(0) {
            for account in by_turn.iter().filter(|account| account.jobs >= rank) {
                let position = taken.len() as u32 + 1;
                taken.insert((account.account_id.clone(), rank), position);
            }
        }
        taken
    }

    #[test]
    fn queue_positions_follow_the_round_robin() {
        let account =
            |name: &str, jobs, last_turn| Waiting { account_id: name.to_owned(), jobs, last_turn };
        let accounts =
            [account("a", 4, 7), account("b", 1, 2), account("c", 9, 7), account("d", 2, 0)];
        for ((account_id, rank), expected) in taken_in_turns(&accounts) {
            assert_eq!(position(&account_id, rank, &accounts), expected, "{account_id} {rank}");
        }
    }
}
