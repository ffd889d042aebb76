//! Downloads signed links to disk.
//!
//! Bytes are written to `<file>.part`, with the file's content id in a file next to it, so that an
//! interrupted transfer resumes where it stopped (`Range`, `If-Range`). Only a complete file whose
//! SHA-256 matches the announced one gets its final name. A service whose files are in a bucket
//! redirects there (307).

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use limber_domain::hex;
use reqwest::{
    Method, StatusCode,
    header::{ACCEPT_ENCODING, ETAG, HeaderMap, IF_RANGE, LOCATION, RANGE},
};
use sha2::{Digest, Sha256};
use tokio::{
    fs,
    io::{AsyncReadExt, AsyncWriteExt},
};

use super::{MotionError, links::Links};

/// How often an interrupted transfer is resumed before giving up.
const ATTEMPTS: u32 = 4;

/// Limits of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// Maximum size of the file.
    pub bytes: u64,
    /// Longest time without receiving bytes.
    pub idle: Duration,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self { bytes: 512 << 20, idle: Duration::from_secs(60) }
    }
}

/// A completely downloaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

pub(super) async fn fetch(
    links: &Links,
    url: &str,
    to: &Path,
    limits: FetchLimits,
) -> Result<Fetched, MotionError> {
    let partial = Partial::beside(to)?;
    let mut attempt = 1;
    loop {
        match transfer(links, url, &partial, limits).await {
            Ok(announced) => return partial.finish(to, announced.as_deref()).await,
            Err(error) if error.is_transient() && attempt < ATTEMPTS => {
                tracing::debug!(%error, attempt, "the download was interrupted; resuming it");
                tokio::time::sleep(Duration::from_millis(200 << attempt)).await;
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Makes one attempt; returns the announced content id.
async fn transfer(
    links: &Links,
    url: &str,
    partial: &Partial,
    limits: FetchLimits,
) -> Result<Option<String>, MotionError> {
    let have = partial.resumable().await;
    let (response, announced) = ask(links, url, have.as_ref(), limits).await?;
    let from = match (response.status(), have) {
        (StatusCode::OK, _) => 0,
        (StatusCode::PARTIAL_CONTENT, Some((length, _))) => length,
        (StatusCode::RANGE_NOT_SATISFIABLE, Some((_, tag))) => return Ok(Some(tag)),
        _ => return Err(MotionError::from_refusal(response).await),
    };
    let too_large = || MotionError::TooLarge { limit_mib: limits.bytes >> 20 };
    let expected = response.content_length().map(|length| from + length);
    if expected.is_some_and(|length| length > limits.bytes) {
        return Err(too_large());
    }
    let tag = announced.or_else(|| strong_tag(response.headers()));
    let mut file = partial.open(from, tag.as_deref()).await?;
    let mut length = from;
    let mut response = response;
    loop {
        let chunk = tokio::time::timeout(limits.idle, response.chunk())
            .await
            .map_err(|_| MotionError::TimedOut)?
            .map_err(MotionError::from_transport)?;
        let Some(chunk) = chunk else { break };
        length += chunk.len() as u64;
        if length > limits.bytes {
            return Err(too_large());
        }
        file.write_all(&chunk).await.map_err(MotionError::Disk)?;
    }
    file.flush().await.map_err(MotionError::Disk)?;
    file.sync_all().await.map_err(MotionError::Disk)?;
    if expected.is_some_and(|expected| expected != length) {
        return Err(MotionError::Unreachable("the connection was interrupted".into()));
    }
    Ok(tag)
}

/// Sends the request, following one redirect to the file store. Also returns the content id that
/// the service announced, if it redirected.
async fn ask(
    links: &Links,
    url: &str,
    have: Option<&(u64, String)>,
    limits: FetchLimits,
) -> Result<(reqwest::Response, Option<String>), MotionError> {
    let mut request = links.request(Method::GET, url)?.header(ACCEPT_ENCODING, "identity");
    if let Some((length, tag)) = have {
        request = request.header(RANGE, format!("bytes={length}-")).header(IF_RANGE, tag);
    }
    let response = send(request, limits).await?;
    let Some(there) = elsewhere(&response) else { return Ok((response, None)) };
    let announced = strong_tag(response.headers());
    let mut request = links.request(Method::GET, &there)?.header(ACCEPT_ENCODING, "identity");
    if let Some((length, known)) = have
        && announced.as_ref() == Some(known)
    {
        // without `If-Range`, because the store has tags of its own; contents never change
        request = request.header(RANGE, format!("bytes={length}-"));
    }
    Ok((send(request, limits).await?, announced))
}

async fn send(
    request: reqwest::RequestBuilder,
    limits: FetchLimits,
) -> Result<reqwest::Response, MotionError> {
    let answer = tokio::time::timeout(limits.idle, request.send()).await;
    answer.map_err(|_| MotionError::TimedOut)?.map_err(MotionError::from_transport)
}

/// Returns the target of a redirect. It is followed only once.
fn elsewhere(response: &reqwest::Response) -> Option<String> {
    if response.status() != StatusCode::TEMPORARY_REDIRECT {
        return None;
    }
    let there = response.headers().get(LOCATION)?.to_str().ok()?;
    Some(response.url().join(there).ok()?.into())
}

fn strong_tag(headers: &HeaderMap) -> Option<String> {
    let tag = headers.get(ETAG)?.to_str().ok()?;
    (tag.starts_with('"') && tag.ends_with('"') && tag.len() > 2).then(|| tag.to_owned())
}

/// The partial file, and the file with its content id.
#[derive(Debug)]
struct Partial {
    data: PathBuf,
    tag: PathBuf,
}

impl Partial {
    fn beside(to: &Path) -> Result<Self, MotionError> {
        let name = to.file_name().ok_or_else(|| {
            MotionError::Disk(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the target has no file name",
            ))
        })?;
        let with = |ending: &str| {
            let mut name = name.to_os_string();
            name.push(ending);
            to.with_file_name(name)
        };
        Ok(Self { data: with(".part"), tag: with(".part-id") })
    }

    /// Returns the length of the partial file, and its content id.
    async fn resumable(&self) -> Option<(u64, String)> {
        let tag = fs::read_to_string(&self.tag).await.ok()?;
        let length = fs::metadata(&self.data).await.ok()?.len();
        (length > 0 && !tag.is_empty()).then_some((length, tag))
    }

    /// Opens the partial file for writing at `from`.
    async fn open(&self, from: u64, tag: Option<&str>) -> Result<fs::File, MotionError> {
        if let Some(folder) = self.data.parent() {
            fs::create_dir_all(folder).await.map_err(MotionError::Disk)?;
        }
        if from > 0 {
            let open = fs::OpenOptions::new().append(true).open(&self.data).await;
            return open.map_err(MotionError::Disk);
        }
        let file = fs::File::create(&self.data).await.map_err(MotionError::Disk)?;
        fs::write(&self.tag, tag.unwrap_or_default()).await.map_err(MotionError::Disk)?;
        Ok(file)
    }

    /// Verifies the bytes and gives the file its final name.
    async fn finish(&self, to: &Path, announced: Option<&str>) -> Result<Fetched, MotionError> {
        let (bytes, sha256) = digest(&self.data).await.map_err(MotionError::Disk)?;
        let announced = announced.map(|tag| tag.trim_matches('"'));
        // other servers may use other tags; our content ids are SHA-256 in hexadecimal
        let is_digest = |tag: &str| tag.len() == 64 && tag.bytes().all(|b| b.is_ascii_hexdigit());
        if announced.is_some_and(|tag| is_digest(tag) && tag != sha256) {
            let _ = fs::remove_file(&self.data).await;
            let _ = fs::remove_file(&self.tag).await;
            return Err(MotionError::Damaged);
        }
        fs::rename(&self.data, to).await.map_err(MotionError::Disk)?;
        let _ = fs::remove_file(&self.tag).await;
        Ok(Fetched { bytes, sha256 })
    }
}

async fn digest(path: &Path) -> io::Result<(u64, String)> {
    let mut file = fs::File::open(path).await?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    let mut length = 0;
    loop {
        let count = file.read(&mut buffer).await?;
        if count == 0 {
            break;
        }
        hash.update(&buffer[..count]);
        length += count as u64;
    }
    Ok((length, hex(&hash.finalize())))
}
