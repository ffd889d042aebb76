//! Places in the queue, for many who ask at once.
//!
//! How many jobs of its own account are before a job comes with the job. How many of every other account
//! wait costs as much as the queue is long: it is counted once for all who ask, and holds
//! for [`REST`] times as long as the counting took. However many poll a queue however long, a server
//! spends little of its time on places, and a place is never older than that.

use std::sync::Arc;

use tokio::sync::Mutex;

use super::{Store, StoreError, queue::Waiting};
use crate::surroundings::Clock;

/// A count of 3 ms holds for 30 ms.
const REST: i64 = 10;
/// However slow the database is.
const LONGEST_REST_MS: i64 = 2_000;

/// Tells places.
#[derive(Debug)]
pub(crate) struct Places {
    store: Store,
    clock: Arc<dyn Clock>,
    counted: Mutex<Counted>,
}

/// Every account with waiting jobs, as it was.
#[derive(Debug, Default)]
struct Counted {
    accounts: Arc<[Waiting]>,
    until_ms: i64,
}

impl Places {
    pub(crate) fn new(store: Store, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, counted: Mutex::default() }
    }

    /// When the turn of an account's `rank`-th waiting job comes, from 1.
    pub(crate) async fn of(&self, account: &str, rank: i64) -> Result<u32, StoreError> {
        Ok(place(account, rank, &self.accounts(account).await?))
    }

    /// Who comes while others count waits for them and takes what they counted. A count in which
    /// `account` does not wait is older than what it asks for.
    async fn accounts(&self, account: &str) -> Result<Arc<[Waiting]>, StoreError> {
        let mut counted = self.counted.lock().await;
        let began_ms = self.clock.now_ms();
        // a clock that was set back must not keep an old count
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

/// With turns between accounts, the r-th job of an account comes after r jobs of every account whose
/// turn is earlier and after r − 1 of every other.
fn place(account: &str, rank: i64, accounts: &[Waiting]) -> u32 {
    let own = accounts.iter().find(|waiting| waiting.account_id == account);
    // one that no longer waits was taken meanwhile: its turn was the next
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

    /// Takes one job of each account in turn, as the queue does, and says when each job's turn comes.
    fn taken_in_turns(accounts: &[Waiting]) -> HashMap<(String, i64), u32> {
        let mut by_turn: Vec<_> = accounts.iter().collect();
        by_turn.sort_by_key(|account| (account.last_turn, &account.account_id));
        let mut taken = HashMap::new();
        for rank in 1..=by_turn.iter().map(|account| account.jobs).max().unwrap_or(0) {
            for account in by_turn.iter().filter(|account| account.jobs >= rank) {
                let place = taken.len() as u32 + 1;
                taken.insert((account.account_id.clone(), rank), place);
            }
        }
        taken
    }

    #[test]
    fn a_place_is_when_a_jobs_turn_comes() {
        let account =
            |name: &str, jobs, last_turn| Waiting { account_id: name.to_owned(), jobs, last_turn };
        let accounts =
            [account("a", 4, 7), account("b", 1, 2), account("c", 9, 7), account("d", 2, 0)];
        for ((account_id, rank), expected) in taken_in_turns(&accounts) {
            assert_eq!(place(&account_id, rank, &accounts), expected, "{account_id} {rank}");
        }
    }
}
