//! Places in the queue, for many who ask at once.
//!
//! A place is told by everybody who waits, so each answer costs as much as the queue is long. Whoever
//! asks while an answer is on its way is answered with all others by the next one: it is as fresh as
//! one of their own, and a server works on one at a time however many poll.

use std::{
    collections::{BTreeSet, HashMap},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Mutex as Turn, oneshot};

use super::{Store, StoreError};

/// By job; those that do not wait are not in it, and those of others who asked may be.
pub(crate) type Places = Arc<HashMap<String, u32>>;

/// Somebody who asked.
#[derive(Debug)]
struct Ask {
    rids: Vec<String>,
    answer: oneshot::Sender<Places>,
}

/// Answers together.
#[derive(Debug)]
pub(crate) struct PlacesTogether {
    store: Store,
    waiting: Mutex<Vec<Ask>>,
    turn: Turn<()>,
}

impl PlacesTogether {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, waiting: Mutex::default(), turn: Turn::default() }
    }

    /// Where these jobs are in the queue, as it is after the call.
    pub(crate) async fn of(&self, rids: &[String]) -> Result<Places, StoreError> {
        let (answer, mut answered) = oneshot::channel();
        self.waiting().push(Ask { rids: rids.to_vec(), answer });
        let _turn = self.turn.lock().await;
        if let Ok(places) = answered.try_recv() {
            return Ok(places);
        }
        // one's own are asked for even where whoever had them along gave up
        let asks = mem::take(&mut *self.waiting());
        let all = asks.iter().flat_map(|ask| &ask.rids).chain(rids);
        let all: Vec<String> = all.collect::<BTreeSet<_>>().into_iter().cloned().collect();
        let places = Arc::new(self.store.queue_places(&all).await?);
        for ask in asks {
            // who has gone needs no answer
            let _ = ask.answer.send(Arc::clone(&places));
        }
        Ok(places)
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Ask>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
