//! Characters from other hosts, where the operator allows some.
//!
//! A client names an address and the service goes there, which is just what somebody wants who
//! cannot reach the service's own network. So hosts are named one by one in the settings, none by
//! default; the way there is https; names are looked up by [`addresses`], which knows public places
//! only, and the connection goes to what it found; a redirect leads to a named host or nowhere; and
//! neither size nor time is the other side's choice.

mod addresses;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use futures_util::StreamExt;
use reqwest::{Client, Response, redirect::Policy};
use tokio::io::AsyncWriteExt;
use url::{Host, Url};

use crate::{
    importing::{Bench, Scratch},
    shares::Shares,
    uploads::percent_decoded,
};
use addresses::{PublicOnly, is_public};

/// From the first word to the last byte.
const PATIENCE: Duration = Duration::from_secs(30);
const MOST_REDIRECTS: usize = 3;
/// Files fetched at the same time; of one account one less.
const AT_ONCE: usize = 4;
const LONGEST_NAME: usize = 80;

/// Why nothing was fetched.
#[derive(Debug)]
pub(crate) enum FetchRefusal {
    /// The host cannot be reached, has no public address, or leads elsewhere.
    Unreachable,
    /// It answers with this status.
    Status(u16),
    TooLarge {
        limit_bytes: u64,
    },
    TooSlow,
    /// Too many files are being fetched.
    Busy,
    Disk(io::Error),
}

impl From<io::Error> for FetchRefusal {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// A file that was fetched.
#[derive(Debug)]
pub(crate) struct Fetched {
    /// Where it lies; goes when this is dropped.
    pub(crate) file: PathBuf,
    /// As its address calls it, without its ending.
    pub(crate) name: String,
    _folder: Scratch,
}

/// Fetches files from the hosts that are allowed. Clones share everything.
#[derive(Debug, Clone)]
pub(crate) struct Fetcher {
    http: Client,
    allowed: Arc<Allowed>,
    folder: PathBuf,
    limit_bytes: u64,
    patience: Duration,
    slots: Shares,
}

impl Fetcher {
    /// Files of at most `limit_bytes` from these hosts, `name` or `name:port`, to a place below
    /// `folder`.
    pub(crate) fn new(
        hosts: &[String],
        folder: PathBuf,
        limit_bytes: u64,
    ) -> Result<Self, reqwest::Error> {
        // fails when another part of the program was first, which is as good
        let _ = rustls::crypto::ring::default_provider().install_default();
        let hosts = hosts.iter().map(|host| host.to_lowercase()).collect();
        let allowed = Arc::new(Allowed { hosts, walls: true });
        let http = client(&allowed).dns_resolver(Arc::new(PublicOnly)).build()?;
        let slots = Shares::new(AT_ONCE);
        Ok(Self { http, allowed, folder, limit_bytes, patience: PATIENCE, slots })
    }

    /// Whether this is an address that files are fetched from.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        self.allowed.allows(url)
    }

    /// Fetches the file.
    pub(crate) async fn fetch(&self, url: &Url, bench: Bench<'_>) -> Result<Fetched, FetchRefusal> {
        let Some(_slot) = self.slots.try_take(bench.account) else {
            return Err(FetchRefusal::Busy);
        };
        let folder = Scratch::make(self.folder.join(bench.scratch))?;
        let file = folder.0.join("fetched");
        let work = self.fetch_to(url, &file);
        tokio::time::timeout(self.patience, work).await.map_err(|_| FetchRefusal::TooSlow)??;
        Ok(Fetched { file, name: name_of(url), _folder: folder })
    }

    async fn fetch_to(&self, url: &Url, file: &Path) -> Result<(), FetchRefusal> {
        let response = self.http.get(url.clone()).send().await.map_err(unreachable)?;
        if !response.status().is_success() {
            return Err(FetchRefusal::Status(response.status().as_u16()));
        }
        let too_large = FetchRefusal::TooLarge { limit_bytes: self.limit_bytes };
        if response.content_length().is_some_and(|length| length > self.limit_bytes) {
            return Err(too_large);
        }
        let whole = write_all(response, file, self.limit_bytes).await?;
        if whole { Ok(()) } else { Err(too_large) }
    }
}

/// Whether all of it was written: false when it is longer than `most`.
async fn write_all(response: Response, file: &Path, most: u64) -> Result<bool, FetchRefusal> {
    let mut file = tokio::fs::File::create(file).await?;
    let mut left = most;
    let mut stream = response.bytes_stream();
    while let Some(bytes) = stream.next().await {
        let bytes = bytes.map_err(unreachable)?;
        let Some(rest) = left.checked_sub(bytes.len() as u64) else { return Ok(false) };
        left = rest;
        file.write_all(&bytes).await?;
    }
    file.flush().await?;
    Ok(true)
}

fn unreachable(error: reqwest::Error) -> FetchRefusal {
    // addresses may carry secrets: they are not for the log
    let error = error.without_url();
    tracing::info!(error = &error as &dyn std::error::Error, "a file cannot be fetched: {error}");
    FetchRefusal::Unreachable
}

fn client(allowed: &Arc<Allowed>) -> reqwest::ClientBuilder {
    let allowed = Arc::clone(allowed);
    let redirects = Policy::custom(move |attempt| {
        let goes_on = attempt.previous().len() <= MOST_REDIRECTS && allowed.allows(attempt.url());
        if goes_on { attempt.follow() } else { attempt.error("it leads elsewhere") }
    });
    // a proxy would look names up by itself
    Client::builder().redirect(redirects).referer(false).no_proxy()
}

/// Where files are fetched from.
#[derive(Debug)]
struct Allowed {
    /// `name`, which means port 443, or `name:port`; in lower case.
    hosts: Vec<String>,
    /// Whether the way there is encrypted and the place public. Never off outside tests, whose
    /// servers are on this computer.
    walls: bool,
}

impl Allowed {
    fn allows(&self, url: &Url) -> bool {
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return false;
        };
        // a literal address is not looked up, so nobody else looks at it
        let is_public = match host {
            Host::Domain(_) => true,
            Host::Ipv4(ip) => is_public(ip.into()),
            Host::Ipv6(ip) => is_public(ip.into()),
        };
        let host = host.to_string().to_lowercase();
        let is_named = self
            .hosts
            .iter()
            .any(|named| (*named == host && port == 443) || *named == format!("{host}:{port}"));
        let is_walled = url.scheme() == "https" && is_public;
        let is_bare = url.username().is_empty() && url.password().is_none();
        is_named && is_bare && (is_walled || !self.walls)
    }
}

/// The last word of the path, without its ending.
fn name_of(url: &Url) -> String {
    let last = url.path_segments().and_then(Iterator::last).unwrap_or_default();
    let decoded = percent_decoded(last);
    let stem = decoded.rsplit_once('.').map_or(decoded.as_str(), |(stem, _)| stem);
    let kept = stem.chars().filter(|c| c.is_alphanumeric() || " _.-".contains(*c));
    let name: String = kept.take(LONGEST_NAME).collect();
    let name = name.trim_matches([' ', '.']);
    if name.is_empty() { "model".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests;
