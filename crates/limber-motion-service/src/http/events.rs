//! `GET /job/v1/events`: streams the account's job changes as server-sent events.
//!
//! Each `job` event holds a status entry. Events of ended jobs have an id, which is the time the
//! job ended. A client that reconnects with that id as `Last-Event-ID` first receives the jobs that
//! have ended since then; some may be repeated, none are skipped. Clients may also poll instead.

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
    events::{JobNotice, StreamPermit},
    service::Service,
};
use limber_api::motion::ErrorBody;

/// Maximum duration of a stream. Reconnecting makes the client authenticate again.
const LONGEST_STREAM: Duration = Duration::from_secs(600);
/// Interval of keep-alive comments, which keep proxies from closing the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Reconnection delay suggested to clients.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Number of events buffered for a slow client.
const BACKLOG: usize = 16;
/// How far before the last event id to look, in milliseconds: transactions may commit in another
/// order than their timestamps.
const MARGIN_MS: i64 = 10_000;
/// Maximum number of missed jobs that are replayed.
const MOST_MISSED: i64 = status::MOST_IDS as i64;

type Sender = mpsc::Sender<Result<Event, Infallible>>;

/// Streams the account's job changes: `job` events that hold a status entry.
#[utoipa::path(get, path = "/job/v1/events", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("Last-Event-ID" = Option<String>, Header, description = "The last id that was \
        received; jobs that have ended since then are sent first.")),
    responses((status = 200, description = "A long-lived stream.", content_type = "text/event-stream", body = String),
        (status = 400, body = ErrorBody)))]
pub(super) async fn events(
    State(service): State<Arc<Service>>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    let last = last_event(&headers)?;
    let permit = service.events.reserve(&caller.account).ok_or_else(|| {
        ApiError::unavailable("the account has too many open event streams; close some", 10)
    })?;
    // subscribe before looking up missed jobs, so that no change is lost in between
    let notices = service.events.subscribe();
    let missed = match last {
        Some(ms) => {
            let since = ms.saturating_sub(MARGIN_MS);
            service.store.ended_since(caller.account.as_str(), since, MOST_MISSED).await?
        }
        None => Vec::new(),
    };
    let (sender, receiver) = mpsc::channel(BACKLOG);
    let stream = Stream { service, account: caller.account, sender, _permit: permit };
    tokio::spawn(stream.run(missed, notices));
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(keep_alive))
}

/// Parses `Last-Event-ID`: the end time, in milliseconds, of the last job the client heard of.
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
    _permit: StreamPermit,
}

impl Stream {
    /// Sends events until the client disconnects, the service stops, events may have been lost, or
    /// the time limit is reached.
    async fn run(self, missed: Vec<String>, mut notices: broadcast::Receiver<JobNotice>) {
        let begin = Event::default().retry(RETRY_DELAY).comment("job changes");
        if self.sender.send(Ok(begin)).await.is_err() || !self.send_status(&missed).await {
            return;
        }
        let mut over = std::pin::pin!(tokio::time::sleep(LONGEST_STREAM));
        loop {
            let notice = tokio::select! {
                notice = notices.recv() => notice,
                () = &mut over => return,
                () = self.sender.closed() => return,
                () = self.service.stopping.cancelled() => return,
            };
            match notice {
                Ok(JobNotice::Changed { account, rid }) if account == self.account.as_str() => {
                    if !self.send_status(&[rid]).await {
                        return;
                    }
                }
                Ok(JobNotice::Changed { .. }) => {}
                Ok(JobNotice::Gap) | Err(_) => return,
            }
        }
    }

    /// Sends the status of these jobs. Returns false if the client is gone or the status is
    /// unavailable.
    async fn send_status(&self, rids: &[String]) -> bool {
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
