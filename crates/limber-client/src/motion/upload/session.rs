//! Single requests to an upload session, and the meaning of their responses.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::StreamExt;
use reqwest::{
    Body, Method, Response, StatusCode,
    header::{CONTENT_LENGTH, CONTENT_RANGE, HeaderMap, LOCATION, RANGE, RETRY_AFTER},
};
use tokio_util::io::ReaderStream;

use super::{Links, MotionError, UploadPace, file};

/// Chunk size for reading a part from disk, in bytes.
const BIT: usize = 64 << 10;

/// Outcome of a request.
#[derive(Debug)]
pub(super) enum PutOutcome {
    /// The service has stored this many bytes.
    Stored(u64),
    /// The file is complete; holds the checksum that the service computed.
    Complete(Option<u32>),
    /// The session no longer exists.
    Expired,
    /// A temporary failure; holds the delay if the service gave one.
    Transient(Option<Duration>, MotionError),
    /// A permanent failure.
    Refused(MotionError),
}

/// Outcome of [`start`].
#[derive(Debug)]
pub(super) enum StartOutcome {
    Session(String),
    /// The URL has expired.
    Expired,
    Transient(Option<Duration>, MotionError),
    Refused(MotionError),
}

/// Starts a session for a file of `total` bytes.
pub(super) async fn start(links: &Links, url: &str, total: u64, pace: &UploadPace) -> StartOutcome {
    let request = match links.request(Method::POST, url) {
        Ok(request) => request,
        Err(error) => return StartOutcome::Refused(error),
    };
    let request = request
        .header("x-storage-resumable", "start")
        .header("x-upload-content-length", total.to_string())
        .header(CONTENT_LENGTH, "0")
        .timeout(pace.idle);
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) => return StartOutcome::Transient(None, MotionError::from_transport(error)),
    };
    let wait = retry_after(response.headers());
    match response.status() {
        StatusCode::CREATED | StatusCode::OK => {
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            match location.ok_or(MotionError::UnexpectedAnswer).and_then(|to| links.check(to)) {
                Ok(session) => StartOutcome::Session(session.into()),
                Err(error) => StartOutcome::Refused(error),
            }
        }
        StatusCode::UNAUTHORIZED
        | StatusCode::FORBIDDEN
        | StatusCode::NOT_FOUND
        | StatusCode::GONE => StartOutcome::Expired,
        status => {
            let error = MotionError::from_refusal(response).await;
            if passes(status) {
                StartOutcome::Transient(wait, error)
            } else {
                StartOutcome::Refused(error)
            }
        }
    }
}

/// Asks how much of the file of `total` bytes is stored.
pub(super) async fn ask(links: &Links, session: &str, total: u64, pace: &UploadPace) -> PutOutcome {
    let request = match links.request(Method::PUT, session) {
        Ok(request) => request,
        Err(error) => return PutOutcome::Refused(error),
    };
    let request = request
        .header(CONTENT_RANGE, format!("bytes */{total}"))
        .header(CONTENT_LENGTH, "0")
        .timeout(pace.idle);
    match request.send().await {
        Ok(response) => parse_response(response).await,
        Err(error) => PutOutcome::Transient(None, MotionError::from_transport(error)),
    }
}

/// A part to send.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) path: &'a Path,
    pub(super) from: u64,
    pub(super) end: u64,
    pub(super) total: u64,
    /// Checksum of the whole file; only with the last part.
    pub(super) crc32c: Option<u32>,
}

/// Sends a part. The error means that reading the file failed.
pub(super) async fn send(
    links: &Links,
    session: &str,
    piece: &Piece<'_>,
    pace: &UploadPace,
) -> std::io::Result<PutOutcome> {
    let Piece { path, from, end, total, crc32c } = *piece;
    let request = match links.request(Method::PUT, session) {
        Ok(request) => request,
        Err(error) => return Ok(PutOutcome::Refused(error)),
    };
    let bytes = file::piece(path, from, end - from).await?;
    let sent = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&sent);
    let stream = ReaderStream::with_capacity(bytes, BIT).inspect(move |bit| {
        let count = bit.as_ref().map_or(0, |bit| bit.len() as u64);
        counter.fetch_add(count, Ordering::Relaxed);
    });
    let mut request =
        request.header(CONTENT_LENGTH, (end - from).to_string()).body(Body::wrap_stream(stream));
    if end > from {
        request = request.header(CONTENT_RANGE, format!("bytes {from}-{}/{total}", end - 1));
    } else {
        request = request.header(CONTENT_RANGE, format!("bytes */{total}"));
    }
    if let Some(crc32c) = crc32c {
        let value = format!("crc32c={}", STANDARD.encode(crc32c.to_be_bytes()));
        request = request.header("x-storage-hash", value);
    }
    let answered = tokio::select! {
        answered = request.send() => answered.map_err(MotionError::from_transport),
        () = silence(&sent, pace.idle) => Err(MotionError::TimedOut),
    };
    Ok(match answered {
        Ok(response) => parse_response(response).await,
        Err(error) => PutOutcome::Transient(None, error),
    })
}

/// Resolves when nothing has been read from the part for `idle`.
async fn silence(sent: &AtomicU64, idle: Duration) {
    loop {
        let before = sent.load(Ordering::Relaxed);
        tokio::time::sleep(idle).await;
        if sent.load(Ordering::Relaxed) == before {
            return;
        }
    }
}

/// Tells the service to discard a session; the result may be ignored.
pub(super) async fn cancel(
    links: &Links,
    session: &str,
    pace: &UploadPace,
) -> Result<(), MotionError> {
    let request = links.request(Method::DELETE, session)?;
    let request = request.header(CONTENT_LENGTH, "0").timeout(pace.idle);
    request.send().await.map(drop).map_err(MotionError::from_transport)
}

async fn parse_response(response: Response) -> PutOutcome {
    let wait = retry_after(response.headers());
    match response.status() {
        // here, this status is not a redirect but means "continue"
        StatusCode::PERMANENT_REDIRECT => match stored(response.headers()) {
            Some(stored) => PutOutcome::Stored(stored),
            None => PutOutcome::Refused(MotionError::UnexpectedAnswer),
        },
        StatusCode::OK | StatusCode::CREATED => PutOutcome::Complete(crc32c(response.headers())),
        StatusCode::NOT_FOUND | StatusCode::GONE => PutOutcome::Expired,
        // another writer is active, most likely our own previous connection
        status if passes(status) || status == StatusCode::CONFLICT => {
            PutOutcome::Transient(wait, MotionError::from_refusal(response).await)
        }
        _ => PutOutcome::Refused(MotionError::from_refusal(response).await),
    }
}

fn passes(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
}

/// Parses `Range: bytes=0-k`, which means k + 1 bytes; without the header, nothing is stored.
fn stored(headers: &HeaderMap) -> Option<u64> {
    let Some(range) = headers.get(RANGE) else { return Some(0) };
    let last: u64 = range.to_str().ok()?.trim().strip_prefix("bytes=0-")?.parse().ok()?;
    last.checked_add(1)
}

fn crc32c(headers: &HeaderMap) -> Option<u32> {
    let hashes = headers.get("x-storage-hash")?.to_str().ok()?;
    let value = hashes.split(',').find_map(|hash| hash.trim().strip_prefix("crc32c="))?;
    Some(u32::from_be_bytes(STANDARD.decode(value).ok()?.try_into().ok()?))
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn the_offset_is_read_from_the_response_header() {
        let read = |value: Option<&'static str>| {
            let value = value.map(|value| (RANGE, HeaderValue::from_static(value)));
            stored(&value.into_iter().collect())
        };
        assert_eq!(read(None), Some(0));
        assert_eq!(read(Some("bytes=0-262143")), Some(262_144));
        for wrong in ["bytes=5-9", "0-9", "bytes=0-", "bytes=0-18446744073709551615"] {
            assert_eq!(read(Some(wrong)), None, "{wrong}");
        }
    }
}
