//! What is remembered about an upload from one start of the program to the next.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::file::{edges, stamp};

/// A session that is older than that is over at the service too.
const LIFE_MS: i64 = 7 * 24 * 3600 * 1000;
const VERSION: u32 = 1;

/// One file of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    pub(super) size: u64,
    changed_ns: u64,
    edges: String,
    /// Where a session is begun.
    pub(super) url: String,
    /// Where the file is sent, once a session was begun.
    pub(super) session: Option<String>,
    pub(super) done: bool,
}

impl Part {
    /// The file as it is now.
    pub(super) async fn of(path: &Path) -> io::Result<Self> {
        let (size, changed_ns) = stamp(path).await?;
        let edges = edges(path).await?;
        let path = std::path::absolute(path)?;
        Ok(Self { path, size, changed_ns, edges, url: String::new(), session: None, done: false })
    }

    /// Whether the file on the disk still looks the same.
    pub(super) async fn is_unchanged(&self) -> io::Result<bool> {
        Ok(stamp(&self.path).await? == (self.size, self.changed_ns))
    }

    fn is_about(&self, other: &Self) -> bool {
        (&self.path, self.size, self.changed_ns, &self.edges)
            == (&other.path, other.size, other.changed_ns, &other.edges)
    }
}

/// The notes of one upload: the model, and its picture if there is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Notes {
    version: u32,
    begun_ms: i64,
    pub(super) parts: Vec<Part>,
}

impl Notes {
    pub(super) fn new(mut parts: Vec<Part>, urls: [String; 2], now_ms: i64) -> Self {
        for (part, url) in parts.iter_mut().zip(urls) {
            part.url = url;
        }
        Self { version: VERSION, begun_ms: now_ms, parts }
    }

    /// `None` where there are none, or none that this version can read.
    pub(super) async fn load(path: &Path) -> Option<Self> {
        let text = tokio::fs::read(path).await.ok()?;
        let notes: Self = serde_json::from_slice(&text).ok()?;
        (notes.version == VERSION && !notes.parts.is_empty()).then_some(notes)
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

    /// Whole or not at all: a crash leaves the notes of before.
    pub(super) async fn save(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_vec(self).map_err(io::Error::other)?;
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || write_whole(&path, &text))
            .await
            .map_err(io::Error::other)?
    }

    pub(super) async fn remove(path: &Path) {
        let _ = tokio::fs::remove_file(path).await;
    }
}

fn write_whole(path: &Path, text: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let fresh = path.with_extension("new");
    let mut options = std::fs::File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&fresh)?;
    file.write_all(text)?;
    file.sync_all()?;
    std::fs::rename(&fresh, path)
}
