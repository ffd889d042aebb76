//! Fair sharing of scarce resources, such as reader processes and outgoing connections.
//!
//! However many requests an account sends, it holds at most all slots but one. The next free slot
//! goes to the account that holds the fewest, and among equals to the one served least recently. No
//! account has to wait for the whole backlog of another.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use limber_domain::lock;
use tokio::sync::oneshot;

/// Slots shared by all accounts. Clones share the same slots.
#[derive(Debug, Clone)]
pub(crate) struct Shares(Arc<Mutex<Slots>>);

#[derive(Debug)]
struct Slots {
    free: usize,
    /// Maximum number of slots per account.
    most: usize,
    /// Accounts that hold or have held slots.
    accounts: HashMap<String, Usage>,
    waiting: VecDeque<Waiting>,
    /// Incremented with every slot that is handed out.
    turn: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    held: usize,
    last_turn: u64,
}

#[derive(Debug)]
struct Waiting {
    account: String,
    sender: oneshot::Sender<Share>,
}

/// A slot, released on drop.
#[derive(Debug)]
#[must_use = "the place is given back when this is dropped"]
pub(crate) struct Share {
    shares: Shares,
    account: String,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shares.lock().release(&self.account);
        self.shares.grant_free();
    }
}

impl Shares {
    /// Creates this many slots. If there are several, one account cannot hold all of them.
    pub(crate) fn new(slots: usize) -> Self {
        let most = slots.saturating_sub(1).max(1);
        let (accounts, waiting) = (HashMap::new(), VecDeque::new());
        Self(Arc::new(Mutex::new(Slots { free: slots, most, accounts, waiting, turn: 0 })))
    }

    /// Waits for a slot; `None` if there is none in time.
    pub(crate) async fn take(&self, account: &str, patience: Duration) -> Option<Share> {
        let (sender, receiver) = oneshot::channel();
        self.lock().waiting.push_back(Waiting { account: account.to_owned(), sender });
        self.grant_free();
        tokio::time::timeout(patience, receiver).await.ok()?.ok()
    }

    /// Returns a slot if one is free and nobody waits for it.
    pub(crate) fn try_take(&self, account: &str) -> Option<Share> {
        let mut slots = self.lock();
        slots.forget_who_left();
        let is_free = slots.waiting.is_empty() && slots.may_have(account);
        is_free.then(|| {
            slots.note(account);
            Share { shares: self.clone(), account: account.to_owned() }
        })
    }

    /// Hands free slots to the waiting accounts whose turn it is.
    fn grant_free(&self) {
        while let Some(Waiting { account, sender }) = self.next_waiting() {
            // a receiver that has just stopped waiting drops the slot and thereby releases it
            drop(sender.send(Share { shares: self.clone(), account }));
        }
    }

    fn next_waiting(&self) -> Option<Waiting> {
        self.lock().next_waiting()
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        lock(&self.0)
    }
}

impl Slots {
    fn usage(&self, account: &str) -> Usage {
        self.accounts.get(account).copied().unwrap_or_default()
    }

    fn may_have(&self, account: &str) -> bool {
        self.free > 0 && self.usage(account).held < self.most
    }

    /// Removes the next account from the queue and reserves a slot for it.
    fn next_waiting(&mut self) -> Option<Waiting> {
        self.forget_who_left();
        let open = self.waiting.iter().enumerate().filter(|(_, one)| self.may_have(&one.account));
        let (at, _) = open.min_by_key(|(at, one)| {
            let Usage { held, last_turn } = self.usage(&one.account);
            (held, last_turn, *at)
        })?;
        let next = self.waiting.remove(at)?;
        self.note(&next.account);
        Some(next)
    }

    fn forget_who_left(&mut self) {
        self.waiting.retain(|one| !one.sender.is_closed());
        let Self { accounts, waiting, .. } = self;
        accounts.retain(|account, usage| {
            usage.held > 0 || waiting.iter().any(|one| one.account == *account)
        });
    }

    fn note(&mut self, account: &str) {
        self.free -= 1;
        self.turn += 1;
        let usage = self.accounts.entry(account.to_owned()).or_default();
        usage.held += 1;
        usage.last_turn = self.turn;
    }

    fn release(&mut self, account: &str) {
        self.free += 1;
        if let Some(usage) = self.accounts.get_mut(account) {
            usage.held -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    type PendingShare = Pin<Box<dyn Future<Output = Option<Share>>>>;

    /// Starts waiting for a slot.
    fn request_share(shares: &Shares, account: &'static str) -> PendingShare {
        let shares = shares.clone();
        let mut pending: PendingShare =
            Box::pin(async move { shares.take(account, Duration::from_secs(3600)).await });
        assert!(poll(&mut pending).is_none(), "no slot is free yet");
        pending
    }

    fn poll(pending: &mut PendingShare) -> Option<Share> {
        match pending.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(share) => Some(share.expect("nobody has timed out")),
            Poll::Pending => None,
        }
    }

    #[tokio::test]
    async fn one_account_cannot_take_all_slots() {
        let shares = Shares::new(3);
        let held = [shares.try_take("greedy"), shares.try_take("greedy")];
        assert!(held.iter().all(Option::is_some), "alone, it gets two of three");
        assert!(shares.try_take("greedy").is_none());
        let _lined_up: Vec<PendingShare> =
            (0..50).map(|_| request_share(&shares, "greedy")).collect();
        let patience = Duration::from_secs(3600);
        assert!(shares.take("modest", patience).await.is_some(), "it need not wait");
    }

    #[tokio::test]
    async fn a_free_slot_goes_to_the_account_served_least_recently() {
        let shares = Shares::new(1);
        let first = shares.try_take("greedy");
        assert!(first.is_some(), "a single place can be had");
        let mut greedy: Vec<PendingShare> =
            (0..3).map(|_| request_share(&shares, "greedy")).collect();
        let mut modest = request_share(&shares, "modest");
        drop(first);
        let second = poll(&mut modest);
        assert!(second.is_some() && greedy.iter_mut().all(|pending| poll(pending).is_none()));
        drop(second);
        assert!(poll(&mut greedy[0]).is_some(), "then it is the other's turn again");
    }

    #[tokio::test]
    async fn abandoned_waits_do_not_take_a_slot() {
        let shares = Shares::new(1);
        let first = shares.try_take("one");
        drop(request_share(&shares, "two"));
        let mut told_and_gone = request_share(&shares, "three");
        drop(first);
        let third = poll(&mut told_and_gone).expect("two has stopped waiting");
        drop(told_and_gone);
        drop(third);
        let unheard = abandoned_request(&shares);
        drop(unheard);
        assert!(shares.try_take("four").is_some(), "abandoned slots are free");
        assert!(shares.take("five", Duration::from_secs(3600)).await.is_some());
    }

    /// Is given a slot, but stops waiting before receiving it.
    fn abandoned_request(shares: &Shares) -> oneshot::Receiver<Share> {
        let (sender, receiver) = oneshot::channel();
        shares.lock().waiting.push_back(Waiting { account: "gone".to_owned(), sender });
        shares.grant_free();
        receiver
    }
}
