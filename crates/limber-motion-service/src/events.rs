//! Notifies event streams of job state changes, through PostgreSQL's `LISTEN`/`NOTIFY`.
//!
//! Nothing is stored here. A stream that may have missed an event ends; the client then reconnects
//! and says which event it received last.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use limber_domain::lock;
use sqlx::postgres::PgListener;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::{StoreError, accounts::AccountId, store::Store};

/// Number of events that a slow stream may lag behind.
const BACKLOG: usize = 1024;
/// Delay before reconnecting to a lost database.
const RECONNECT: Duration = Duration::from_secs(1);
/// Concurrent streams per account.
const MOST_STREAMS: usize = 32;

/// A message to the streams.
#[derive(Debug, Clone)]
pub(crate) enum JobNotice {
    /// The state of one of this account's jobs changed.
    Changed { account: String, rid: String },
    /// Events may have been lost.
    Gap,
}

/// Receives notifications from the database and passes them to the streams.
#[derive(Debug, Clone)]
pub(crate) struct Events {
    sender: broadcast::Sender<JobNotice>,
    /// Number of open streams per account.
    open: Arc<Mutex<HashMap<AccountId, usize>>>,
}

/// A slot for one stream, released on drop.
#[derive(Debug)]
pub(crate) struct StreamPermit {
    account: AccountId,
    open: Arc<Mutex<HashMap<AccountId, usize>>>,
}

impl Events {
    /// Listens until the service stops.
    pub(crate) async fn listen(
        store: Store,
        stopping: CancellationToken,
    ) -> Result<Self, StoreError> {
        let (sender, _) = broadcast::channel(BACKLOG);
        let events = Self { sender, open: Arc::default() };
        let listener = listener(&store).await?;
        tokio::spawn(events.clone().keep_listening(listener, store, stopping));
        Ok(events)
    }

    /// Subscribes to all events from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<JobNotice> {
        self.sender.subscribe()
    }

    /// Reserves a slot for another stream of this account; `None` if it has reached its limit.
    pub(crate) fn reserve(&self, account: &AccountId) -> Option<StreamPermit> {
        let mut open = lock(&self.open);
        let count = open.entry(account.clone()).or_default();
        if *count >= MOST_STREAMS {
            return None;
        }
        *count += 1;
        Some(StreamPermit { account: account.clone(), open: Arc::clone(&self.open) })
    }

    async fn keep_listening(
        self,
        mut listener: PgListener,
        store: Store,
        stopping: CancellationToken,
    ) {
        loop {
            tokio::select! {
                () = stopping.cancelled() => return,
                () = self.relay(&mut listener) => {}
            }
            listener = tokio::select! {
                () = stopping.cancelled() => return,
                listener = listen_again(&store) => listener,
            };
            // it is fine if nobody is subscribed, here and below
            let _ = self.sender.send(JobNotice::Gap);
        }
    }

    /// Forwards notifications to the streams until the connection breaks.
    async fn relay(&self, listener: &mut PgListener) {
        // `recv` would reconnect silently, and notifications would be lost
        while let Ok(Some(notification)) = listener.try_recv().await {
            if let Some((account, rid)) = notification.payload().rsplit_once('/') {
                let (account, rid) = (account.to_owned(), rid.to_owned());
                let _ = self.sender.send(JobNotice::Changed { account, rid });
            }
        }
        tracing::warn!("lost the notifications about job changes; subscribing again");
    }
}

async fn listener(store: &Store) -> Result<PgListener, StoreError> {
    let mut listener = PgListener::connect_with(&store.pool).await?;
    listener.listen("motion_state").await?;
    Ok(listener)
}

async fn listen_again(store: &Store) -> PgListener {
    loop {
        match listener(store).await {
            Ok(listener) => return listener,
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the database does not respond: {error}"
            ),
        }
        tokio::time::sleep(RECONNECT).await;
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        if let Some(count) = open.get_mut(&self.account) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.account);
            }
        }
    }
}
