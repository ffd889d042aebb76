//! Client side of the service's server-sent events: job changes as they happen.

use std::time::Duration;

use eventsource_stream::{EventStreamError, Eventsource as _};
use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use limber_api::motion::{JobId, StatusEntry};

use super::{JobStatus, MotionError};

/// Longest silence; the service sends keep-alives more often.
const LONGEST_SILENCE: Duration = Duration::from_secs(45);
/// Maximum size of a stream; the service ends it earlier.
const LONGEST_STREAM_BYTES: usize = 64 << 20;

/// Position in an event stream, from which another stream can continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventId(String);

impl EventId {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A stream of the account's job changes.
pub struct JobEvents {
    entries: BoxStream<'static, Result<(EventId, StatusEntry), MotionError>>,
    last: Option<EventId>,
}

impl std::fmt::Debug for JobEvents {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("JobEvents").field("last", &self.last).finish_non_exhaustive()
    }
}

impl JobEvents {
    pub(super) fn of(response: reqwest::Response, last: Option<EventId>) -> Self {
        let bytes =
            futures_util::stream::try_unfold((response, 0), async |(mut response, read)| {
                let chunk = tokio::time::timeout(LONGEST_SILENCE, response.chunk()).await;
                let chunk = chunk.map_err(|_| MotionError::TimedOut)?;
                let Some(chunk) = chunk.map_err(MotionError::from_transport)? else {
                    return Ok(None);
                };
                let read = read + chunk.len();
                if read > LONGEST_STREAM_BYTES {
                    return Err(MotionError::UnexpectedAnswer);
                }
                Ok(Some((chunk, (response, read))))
            });
        let entries = bytes
            .eventsource()
            .map_err(|error| match error {
                EventStreamError::Transport(error) => error,
                EventStreamError::Utf8(_) | EventStreamError::Parser(_) => {
                    MotionError::UnexpectedAnswer
                }
            })
            .try_filter(|event| std::future::ready(event.event == "job"))
            .and_then(async |event| {
                let entry =
                    serde_json::from_str(&event.data).map_err(|_| MotionError::UnexpectedAnswer)?;
                Ok((EventId(event.id), entry))
            });
        Self { entries: entries.boxed(), last }
    }

    /// Returns the next change; `None` if the service ended the stream. Open another one that
    /// continues from [`Self::last`].
    ///
    /// # Errors
    /// See [`MotionError`]; the stream has then ended too.
    pub async fn next(&mut self) -> Result<Option<(JobId, JobStatus)>, MotionError> {
        let Some((id, entry)) = self.entries.try_next().await? else { return Ok(None) };
        if !id.0.is_empty() {
            self.last = Some(id);
        }
        Ok(Some((entry.rid.clone(), JobStatus::from(entry))))
    }

    /// Returns the id of the last event about the end of a job.
    #[must_use]
    pub fn last(&self) -> Option<&EventId> {
        self.last.as_ref()
    }
}
