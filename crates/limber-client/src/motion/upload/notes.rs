//! State of an upload that survives restarts of the program.

use std::{
    io,
    path::{Path, PathBuf},
};

use limber_system::private;
use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::{
    Links,
    file::{edges, stamp},
};

/// Lifetime of a session; the service ends it after the same time.
const LIFE_MS: i64 = 7 * 24 * 3600 * 1000;
const VERSION: u32 = 1;

/// A file of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    pub(super) size: u64,
    changed_ns: u64,
    edges: String,
    /// URL that starts a session.
    pub(super) url: String,
    /// URL of the session, once it has been started.
    pub(super) session: Option<String>,
    pub(super) done: bool,
}

impl Part {
    /// Records the file as it is now.
    pub(super) async fn of(path: &Path) -> io::Result<Self> {
        let (size, changed_ns) = stamp(path).await?;
        let edges = edges(path).await?;
        let path = std::path::absolute(path)?;
        Ok(Self { path, size, changed_ns, edges, url: String::new(), session: None, done: false })
    }

    /// Returns whether size and modification time are unchanged.
    pub(super) async fn is_unchanged(&self) -> io::Result<bool> {
        Ok(stamp(&self.path).await? == (self.size, self.changed_ns))
    }

    fn is_about(&self, other: &Self) -> bool {
        (&self.path, self.size, self.changed_ns, &self.edges)
            == (&other.path, other.size, other.changed_ns, &other.edges)
    }
}

/// Notes of an upload: the model, and its thumbnail if there is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Notes {
    version: u32,
    begun_ms: i64,
    /// Base URL of the service when the URLs were created. Absent from notes of earlier versions.
    #[serde(default)]
    service: Option<Url>,
    pub(super) parts: Vec<Part>,
}

impl Notes {
    pub(super) fn new(mut parts: Vec<Part>, urls: [String; 2], service: Url, now_ms: i64) -> Self {
        for (part, url) in parts.iter_mut().zip(urls) {
            part.url = url;
        }
        Self { version: VERSION, begun_ms: now_ms, service: Some(service), parts }
    }

    /// Loads notes; `None` if there are none, or none that this version understands.
    pub(super) async fn load(path: &Path) -> Option<Self> {
        let text = tokio::fs::read(path).await.ok()?;
        let notes: Self = serde_json::from_slice(&text).ok()?;
        (notes.version == VERSION && !notes.parts.is_empty()).then_some(notes)
    }

    /// Adapts URLs to the service's current base URL, because a local service has another port
    /// after every start. URLs on other hosts stay.
    pub(super) fn follow(&mut self, service: &Url) {
        let Some(earlier) = self.service.replace(service.clone()) else { return };
        for part in &mut self.parts {
            for address in std::iter::once(&mut part.url).chain(part.session.as_mut()) {
                if let Some(rest) = address.strip_prefix(earlier.as_str()) {
                    *address = format!("{service}{rest}");
                }
            }
        }
    }

    /// Returns whether all URLs may be followed.
    pub(super) fn may_be_followed(&self, links: &Links) -> bool {
        let mut addresses =
            self.parts.iter().flat_map(|part| [Some(&part.url), part.session.as_ref()]);
        addresses.all(|address| address.is_none_or(|address| links.check(address).is_ok()))
    }

    pub(super) fn are_about(&self, parts: &[Part]) -> bool {
        self.parts.len() == parts.len()
            && self.parts.iter().zip(parts).all(|(own, other)| own.is_about(other))
    }

    pub(super) const fn are_fresh(&self, now_ms: i64) -> bool {
        now_ms < self.begun_ms + LIFE_MS && now_ms >= self.begun_ms
    }

    pub(super) fn ask_again(&mut self) {
        for part in &mut self.parts {
            part.done = false;
        }
    }

    /// Saves the notes atomically: after a crash, the previous ones are still there.
    pub(super) async fn save(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_vec(self).map_err(io::Error::other)?;
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || private::write(&path, &text))
            .await
            .map_err(io::Error::other)?
    }

    pub(super) async fn remove(path: &Path) {
        let _ = tokio::fs::remove_file(path).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str) -> Part {
        Part {
            path: name.into(),
            size: 4,
            changed_ns: 0,
            edges: String::new(),
            url: String::new(),
            session: None,
            done: false,
        }
    }

    #[test]
    fn stored_uploads_with_unencrypted_links_are_not_resumed() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let service = Url::parse("https://studio.example").expect("the address is valid");
        let links =
            Links::new(reqwest::Client::new(), crate::ConnectionPolicy::default(), service.clone());
        let urls = ["https://studio.example/u/a?sig=1", ""].map(str::to_owned);
        let mut notes = Notes::new(vec![part("hero.glb")], urls, service, 0);
        assert!(notes.may_be_followed(&links));
        for session in ["http://studio.example/s/a", "http://127.0.0.1:9000/s/a", "s/a"] {
            notes.parts[0].session = Some(session.to_owned());
            assert!(!notes.may_be_followed(&links), "{session}");
        }
    }

    #[test]
    fn links_of_a_service_that_moved_are_updated_and_others_stay() {
        let parts = vec![part("hero.glb"), part("hero.png")];
        let urls =
            ["http://127.0.0.1:1000/u/a?sig=1", "https://store.example/u/b"].map(str::to_owned);
        let at = |port: u16| {
            Url::parse(&format!("http://127.0.0.1:{port}")).expect("the address is valid")
        };
        let mut notes = Notes::new(parts, urls, at(1000), 0);
        notes.parts[0].session = Some("http://127.0.0.1:1000/s/a".to_owned());
        notes.follow(&at(2000));
        notes.follow(&at(3000));
        assert_eq!(notes.parts[0].url, "http://127.0.0.1:3000/u/a?sig=1");
        assert_eq!(notes.parts[0].session.as_deref(), Some("http://127.0.0.1:3000/s/a"));
        assert_eq!(notes.parts[1].url, "https://store.example/u/b");
    }
}
