//! The operator's own email templates (identity behaviour, section 11).
//!
//! A template setting is a URL (`http…`), a path on the site, or `file:`; a value that contains
//! markup is the template itself. If a template cannot be fetched in time, the built-in text is
//! used instead.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use limber_domain::lock;

use crate::config::{Config, MailKind};

/// Maximum size of a template. A larger one is a mistake.
const MAX_BYTES: usize = 1 << 20;
/// Time limit for the operator's server to deliver a template.
const TIMEOUT: Duration = Duration::from_secs(5);
const KEEP: chrono::Duration = chrono::Duration::minutes(10);
const PAUSE_AFTER_FAILURE: chrono::Duration = chrono::Duration::seconds(10);

enum Source {
    Inline(Arc<str>),
    File(PathBuf),
    Web(String),
}

/// The last attempt to fetch a template. `text` is `None` if it failed.
struct Fetched {
    text: Option<Arc<str>>,
    at: DateTime<Utc>,
}

pub(crate) struct CustomTemplates {
    sources: BTreeMap<MailKind, Source>,
    /// `None` if no template is fetched over HTTP, or the client could not be created.
    http: Option<reqwest::Client>,
    fetched: Mutex<HashMap<MailKind, Fetched>>,
}

impl CustomTemplates {
    pub(crate) fn new(config: &Config) -> Self {
        let site = config.site_url.as_str().trim_end_matches('/');
        let sources: BTreeMap<MailKind, Source> = config
            .mailer
            .templates
            .iter()
            .map(|(kind, address)| (*kind, source(address, site)))
            .collect();
        let fetches = sources.values().any(|source| matches!(source, Source::Web(_)));
        let http = fetches.then(client).flatten();
        Self { sources, http, fetched: Mutex::default() }
    }

    /// Returns the operator's template of a kind, if there is one and it can be read.
    pub(crate) async fn get(&self, kind: MailKind, now: DateTime<Utc>) -> Option<Arc<str>> {
        match self.sources.get(&kind)? {
            Source::Inline(text) => Some(Arc::clone(text)),
            Source::File(path) => {
                let text = read(path).await;
                if text.is_none() {
                    warn(kind);
                }
                text
            }
            Source::Web(address) => self.fetch(kind, address, now).await,
        }
    }

    async fn fetch(&self, kind: MailKind, address: &str, now: DateTime<Utc>) -> Option<Arc<str>> {
        if let Some(last) = self.fetched().get(&kind) {
            let keep = if last.text.is_some() { KEEP } else { PAUSE_AFTER_FAILURE };
            if now - last.at < keep {
                return last.text.clone();
            }
        }
        let text = match &self.http {
            Some(http) => download(http, address).await,
            None => None,
        };
        if text.is_none() {
            warn(kind);
        }
        self.fetched().insert(kind, Fetched { text: text.clone(), at: now });
        text
    }

    /// Locks the cache, even after another thread panicked while holding it.
    fn fetched(&self) -> std::sync::MutexGuard<'_, HashMap<MailKind, Fetched>> {
        lock(&self.fetched)
    }
}

fn warn(kind: MailKind) {
    tracing::warn!(
        kind = kind.as_str(),
        "the custom mail template cannot be loaded; using the built-in template"
    );
}

fn source(address: &str, site: &str) -> Source {
    if address.contains('<') {
        return Source::Inline(address.into());
    }
    if let Some(path) = address.strip_prefix("file:") {
        return Source::File(path.strip_prefix("//").unwrap_or(path).into());
    }
    if address.starts_with("http") {
        return Source::Web(address.to_owned());
    }
    Source::Web(format!("{site}/{}", address.trim_start_matches('/')))
}

fn client() -> Option<reqwest::Client> {
    let built = reqwest::Client::builder()
        .timeout(TIMEOUT)
        .redirect(reqwest::redirect::Policy::limited(3))
        .build();
    built.inspect_err(|error| tracing::error!(%error, "mail templates cannot be fetched")).ok()
}

async fn read(path: &PathBuf) -> Option<Arc<str>> {
    use tokio::io::AsyncReadExt;
    let file = tokio::fs::File::open(path).await.ok()?;
    let mut text = String::new();
    let limit = MAX_BYTES as u64 + 1;
    file.take(limit).read_to_string(&mut text).await.ok()?;
    (text.len() <= MAX_BYTES).then(|| text.into())
}

async fn download(http: &reqwest::Client, address: &str) -> Option<Arc<str>> {
    let mut response = http.get(address).send().await.ok()?.error_for_status().ok()?;
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if bytes.len() + chunk.len() > MAX_BYTES {
            return None;
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn templates(address: &str) -> CustomTemplates {
        let url = url::Url::parse("http://site.example").expect("a valid address");
        let mut config = Config::new(url.clone(), url, "".into(), "".into());
        config.mailer.templates.insert(MailKind::Recovery, address.into());
        CustomTemplates::new(&config)
    }

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).expect("a valid time")
    }

    #[test]
    fn template_paths_without_a_host_are_on_the_site() {
        for (address, whole) in [
            ("/mails/own.html", "http://site.example/mails/own.html"),
            ("mails/own.html", "http://site.example/mails/own.html"),
            ("https://cdn.example/a", "https://cdn.example/a"),
        ] {
            let Source::Web(found) = source(address, "http://site.example") else {
                panic!("{address} is fetched")
            };
            assert_eq!(found, whole);
        }
    }

    #[tokio::test]
    async fn template_files_are_reread_and_missing_or_huge_ones_are_ignored() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("own.html");
        let templates = templates(&format!("file:{}", path.display()));
        assert_eq!(templates.get(MailKind::Recovery, now()).await, None);
        for text in ["<p>one</p>", "<p>two</p>"] {
            std::fs::write(&path, text).expect("it can be written");
            assert_eq!(templates.get(MailKind::Recovery, now()).await.as_deref(), Some(text));
        }
        std::fs::write(&path, "x".repeat(MAX_BYTES + 1)).expect("it can be written");
        assert_eq!(templates.get(MailKind::Recovery, now()).await, None);
        assert_eq!(templates.get(MailKind::Invite, now()).await, None);
    }

    #[tokio::test]
    async fn markup_is_used_as_the_template() {
        let text = "<p>{{ .Token }}</p>";
        assert_eq!(templates(text).get(MailKind::Recovery, now()).await.as_deref(), Some(text));
    }
}
