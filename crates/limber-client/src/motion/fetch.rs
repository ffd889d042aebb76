//! A signed link to a file on disk.
//!
//! Bytes go to `<file>.part`, with the file's content id beside it, so that a broken transfer goes
//! on where it stopped (`Range`, `If-Range`). Only a complete file whose SHA-256 is the one the
//! service announced takes the final name. A service that keeps its files elsewhere says where (307).

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

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

/// How often a broken transfer is taken up again before giving up.
const ATTEMPTS: u32 = 4;

/// What a transfer may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// Largest file.
    pub bytes: u64,
    /// Longest silence between two pieces.
    pub idle: Duration,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self { bytes: 512 << 20, idle: Duration::from_secs(60) }
    }
}

/// A file that arrived whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its bytes, in hex.
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
                tracing::debug!(%error, attempt, "the transfer broke; it goes on where it stopped");
                tokio::time::sleep(Duration::from_millis(200 << attempt)).await;
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// One request; answers the announced content id.
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
        return Err(MotionError::Unreachable("the connection broke".into()));
    }
    Ok(tag)
}

/// The answer of whoever has the bytes, and what the service says they are when that is somebody
/// else.
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
        // the store has a tag of its own, but contents never change
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

/// Where the answer sends us, if it does; there, nobody is sent on once more.
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

/// The unfinished file and the note of what it will be.
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

    /// How much there is, and of which content.
    async fn resumable(&self) -> Option<(u64, String)> {
        let tag = fs::read_to_string(&self.tag).await.ok()?;
        let length = fs::metadata(&self.data).await.ok()?.len();
        (length > 0 && !tag.is_empty()).then_some((length, tag))
    }

    /// Ready to write at `from`.
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

    /// Checks the bytes and gives the file its name.
    async fn finish(&self, to: &Path, announced: Option<&str>) -> Result<Fetched, MotionError> {
        let (bytes, sha256) = digest(&self.data).await.map_err(MotionError::Disk)?;
        let announced = announced.map(|tag| tag.trim_matches('"'));
        // a server may use other content ids; ours are SHA-256 in hex
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
    let hex = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((length, hex))
}
