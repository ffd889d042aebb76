//! Fetches characters from hosts that the operator allows.
//!
//! The client chooses a URL and the service requests it, which is the classic setting for
//! server-side request forgery (SSRF). Therefore hosts are listed one by one in the settings, none
//! by default; only HTTPS is used; names are resolved by [`addresses`], which returns public
//! addresses only, and the connection goes to the address it returned; redirects may only lead to
//! listed hosts; and both size and time are limited.

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
    importing::{ReadContext, Scratch},
    shares::Shares,
    uploads::percent_decoded,
};
use addresses::{PublicOnly, is_public};

/// Time limit for the whole exchange.
const PATIENCE: Duration = Duration::from_secs(30);
const MOST_REDIRECTS: usize = 3;
/// Files fetched concurrently; a single account may use one fewer.
const AT_ONCE: usize = 4;
const LONGEST_NAME: usize = 80;

/// Why a file was not fetched.
#[derive(Debug)]
pub(crate) enum FetchRefusal {
    /// The host is unreachable, has no public address, or redirects to a host that is not allowed.
    Unreachable,
    /// The host answered with this HTTP status.
    Status(u16),
    TooLarge {
        limit_bytes: u64,
    },
    TooSlow,
    /// The limit of concurrent fetches is reached.
    Busy,
    Disk(io::Error),
}

impl From<io::Error> for FetchRefusal {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// A fetched file.
#[derive(Debug)]
pub(crate) struct Fetched {
    /// Temporary file, removed when this is dropped.
    pub(crate) file: PathBuf,
    /// File name in the URL, without extension.
    pub(crate) name: String,
    _folder: Scratch,
}

/// Fetches files from the allowed hosts. Clones share all state.
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
    /// Allows these hosts, each `name` or `name:port`, and files of at most `limit_bytes`.
    /// Temporary files go below `folder`.
    pub(crate) fn new(
        hosts: &[String],
        folder: PathBuf,
        limit_bytes: u64,
    ) -> Result<Self, reqwest::Error> {
        // fails if another part of the program has installed a provider already, which is fine
        let _ = rustls::crypto::ring::default_provider().install_default();
        let hosts = hosts.iter().map(|host| host.to_lowercase()).collect();
        let allowed = Arc::new(Allowed { hosts, walls: true });
        let http = client(&allowed).dns_resolver(Arc::new(PublicOnly)).build()?;
        let slots = Shares::new(AT_ONCE);
        Ok(Self { http, allowed, folder, limit_bytes, patience: PATIENCE, slots })
    }

    /// Returns whether files may be fetched from this URL.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        self.allowed.allows(url)
    }

    /// Fetches the file at `url`.
    pub(crate) async fn fetch(
        &self,
        url: &Url,
        context: ReadContext<'_>,
    ) -> Result<Fetched, FetchRefusal> {
        let Some(_slot) = self.slots.try_take(context.account) else {
            return Err(FetchRefusal::Busy);
        };
        let folder = Scratch::make(self.folder.join(context.scratch))?;
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

/// Writes the body to the file. Returns false if it is longer than `most` bytes.
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
    // URLs may contain secrets, so they are not logged
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
    // a proxy would resolve names itself and bypass the check for public addresses
    Client::builder().redirect(redirects).referer(false).no_proxy()
}

/// The hosts that files may be fetched from.
#[derive(Debug)]
struct Allowed {
    /// `name` (port 443) or `name:port`, in lower case.
    hosts: Vec<String>,
    /// Whether HTTPS and public addresses are required. Off only in tests, whose servers run
    /// locally.
    walls: bool,
}

impl Allowed {
    fn allows(&self, url: &Url) -> bool {
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return false;
        };
        // an IP address in the URL is not resolved, so it has to be checked here
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

/// Returns the last segment of the path, without extension.
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
