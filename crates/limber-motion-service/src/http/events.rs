//! `GET /job/v1/events`: the jobs of the account as they change, as server-sent events.
//!
//! An event `job` holds a status entry. That of a job that has ended has an id, the time of its end;
//! who comes again with it as `Last-Event-ID` is told what ended since then, a little more rather than
//! less. Polling stays sufficient.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::State,
    http::HeaderMap,
    response::{
        IntoResponse,
        sse::{Event, KeepAlive, Sse},
    },
};
use tokio::sync::{broadcast, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use super::{ApiError, caller::Caller, status};
use crate::{
    accounts::AccountId,
    events::{Place, Told},
    service::Service,
};
use limber_api::motion::ErrorBody;

/// A stream lives no longer; its client comes again, with a session that is still good.
const LONGEST_STREAM: Duration = Duration::from_secs(600);
/// A sign of life for whatever stands between.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long a client waits before it comes again.
const COME_AGAIN: Duration = Duration::from_secs(1);
/// Events that may wait for a slow client.
const BACKLOG: usize = 16;
/// Transactions end in another order than their times say.
const MARGIN_MS: i64 = 10_000;
/// The most that is told again.
const MOST_MISSED: i64 = status::MOST_IDS as i64;

type Sender = mpsc::Sender<Result<Event, Infallible>>;

/// The jobs of the account as they change: events `job` that hold a status entry.
#[utoipa::path(get, path = "/job/v1/events", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("Last-Event-ID" = Option<String>, Header, description = "The last id that was received: \
        what ended since then is told first.")),
    responses((status = 200, description = "A stream that lasts.", content_type = "text/event-stream", body = String),
        (status = 400, body = ErrorBody)))]
pub(super) async fn events(
    State(service): State<Arc<Service>>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    let last = last_event(&headers)?;
    let place = service.events.enter(&caller.account).ok_or_else(|| {
        ApiError::unavailable("the account has too many open event streams; close some", 10)
    })?;
    // before what was missed is looked up, so that nothing falls in between
    let told = service.events.subscribe();
    let missed = match last {
        Some(ms) => {
            let since = ms.saturating_sub(MARGIN_MS);
            service.store.ended_since(caller.account.as_str(), since, MOST_MISSED).await?
        }
        None => Vec::new(),
    };
    let (sender, receiver) = mpsc::channel(BACKLOG);
    let stream = Stream { service, account: caller.account, sender, _place: place };
    tokio::spawn(stream.run(missed, told));
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(keep_alive))
}

/// The end of the last job that the client heard of.
fn last_event(headers: &HeaderMap) -> Result<Option<i64>, ApiError> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let number = value.to_str().ok().and_then(|text| text.trim().parse().ok());
    let wrong = || ApiError::malformed("Last-Event-ID must be the id of an event of this stream");
    number.filter(|ms| *ms >= 0).map(Some).ok_or_else(wrong)
}

struct Stream {
    service: Arc<Service>,
    account: AccountId,
    sender: Sender,
    _place: Place,
}

impl Stream {
    /// Tells until the client goes, the service stops, something may have been missed, or the time
    /// is over.
    async fn run(self, missed: Vec<String>, mut told: broadcast::Receiver<Told>) {
        let begin = Event::default().retry(COME_AGAIN).comment("changes of jobs");
        if self.sender.send(Ok(begin)).await.is_err() || !self.tell(&missed).await {
            return;
        }
        let mut over = std::pin::pin!(tokio::time::sleep(LONGEST_STREAM));
        loop {
            let heard = tokio::select! {
                heard = told.recv() => heard,
                () = &mut over => return,
                () = self.sender.closed() => return,
                () = self.service.stopping.cancelled() => return,
            };
            match heard {
                Ok(Told::Changed { account, rid }) if account == self.account.as_str() => {
                    if !self.tell(&[rid]).await {
                        return;
                    }
                }
                Ok(Told::Changed { .. }) => {}
                Ok(Told::Gap) | Err(_) => return,
            }
        }
    }

    /// Sends where these jobs are; whether anybody listens.
    async fn tell(&self, rids: &[String]) -> bool {
        let Ok(entries) = status::entries(&self.service, &self.account, rids).await else {
            return false;
        };
        for (entry, ended_ms) in entries {
            let event = Event::default().event("job");
            let event = match ended_ms {
                Some(ms) => event.id(ms.to_string()),
                None => event,
            };
            let Ok(event) = event.json_data(&entry) else { return false };
            if self.sender.send(Ok(event)).await.is_err() {
                return false;
            }
        }
        true
    }
}
