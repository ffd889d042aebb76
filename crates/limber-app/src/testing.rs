//! Fakes of the environment, for tests of this crate.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use limber_api::{
    identity::{Factor, SessionResponse},
    viewer::ViewerCommand,
};
use limber_client::identity::Session;
use limber_domain::environment::{Clock, SecureRandom};
use secrecy::SecretString;
use serde_json::json;
use url::Url;

use crate::{
    App, AppError, Desktop, Environment, Events, Folders, Mail, MailStore, SaveAs, SecretStore,
    SecretStoreError, Showing, Studio, StudioAddresses, StudioFailure, ViewerListener,
    views::{
        ExportProgress, JobView, KeyPressed, LinkOutcome, Saved, SessionState, StartStep,
        StudioState, UploadView, ViewerView,
    },
};

/// A deterministic source of bytes that differ from draw to draw.
#[derive(Debug, Default)]
pub(crate) struct CountingRandom(std::sync::atomic::AtomicU64);

impl SecureRandom for CountingRandom {
    fn fill(&self, bytes: &mut [u8]) {
        let count = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = count.to_le_bytes()[place % 8].wrapping_mul(0x9d) ^ place.to_le_bytes()[0];
        }
    }
}

/// A fixed point in time.
pub(crate) fn noon() -> DateTime<Utc> {
    "2026-06-01T12:00:00Z".parse().expect("a moment")
}

/// An in-memory keychain.
#[derive(Debug, Default)]
pub(crate) struct MemoryKeychain(Mutex<HashMap<String, SecretString>>);

impl SecretStore for MemoryKeychain {
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretStoreError> {
        Ok(self.0.lock().expect("not poisoned").get(name).cloned())
    }
    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretStoreError> {
        self.0.lock().expect("not poisoned").insert(name.to_owned(), secret.clone());
        Ok(())
    }
    fn remove(&self, name: &str) -> Result<(), SecretStoreError> {
        self.0.lock().expect("not poisoned").remove(name);
        Ok(())
    }
}

/// A computer without a keychain.
#[derive(Debug)]
pub(crate) struct BrokenKeychain;

impl SecretStore for BrokenKeychain {
    fn get(&self, _: &str) -> Result<Option<SecretString>, SecretStoreError> {
        Err(SecretStoreError::Missing)
    }
    fn set(&self, _: &str, _: &SecretString) -> Result<(), SecretStoreError> {
        Err(SecretStoreError::Missing)
    }
    fn remove(&self, _: &str) -> Result<(), SecretStoreError> {
        Err(SecretStoreError::Missing)
    }
}

/// An app whose environment does nothing.
pub(crate) fn app(data_folder: &std::path::Path) -> App {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let nothing = Arc::new(Nothing);
    App::open(
        Folders::new(data_folder),
        Environment {
            studio: nothing.clone(),
            secrets: Arc::new(MemoryKeychain::default()),
            desktop: nothing.clone(),
            events: nothing.clone(),
            clock: nothing,
            random: Arc::new(CountingRandom::default()),
        },
    )
}

/// Size of the local studio's data for [`app`].
pub(crate) const STORED_BYTES: u64 = 5000;

/// A studio, desktop and window that do nothing, with a fixed clock.
#[derive(Debug)]
struct Nothing;

impl Clock for Nothing {
    fn now(&self) -> DateTime<Utc> {
        noon()
    }
}

#[async_trait]
impl Studio for Nothing {
    async fn start(
        &self,
        _: Box<dyn Fn(Vec<StartStep>) + Send + Sync>,
    ) -> Result<StudioAddresses, StudioFailure> {
        std::future::pending().await
    }
    async fn stop(&self) {}
    fn stored_bytes(&self) -> u64 {
        STORED_BYTES
    }
    fn mail(&self) -> Arc<dyn MailStore> {
        Arc::new(Self)
    }
}

impl MailStore for Nothing {
    fn list(&self) -> std::io::Result<Vec<Mail>> {
        Ok(vec![])
    }
    fn open(&self, _: &str) -> std::io::Result<Option<Mail>> {
        Ok(None)
    }
}

#[async_trait]
impl Desktop for Nothing {
    async fn ask_where_to_save(&self, _: SaveAs) -> Option<PathBuf> {
        None
    }
    async fn ask_for_folder(&self) -> Option<PathBuf> {
        None
    }
    async fn ask_for_characters(&self) -> Vec<PathBuf> {
        vec![]
    }
    async fn play(&self, _: Showing, _: ViewerListener) -> Result<(), AppError> {
        Ok(())
    }
    async fn steer(&self, _: ViewerCommand) -> bool {
        false
    }
    async fn drag(&self, _: Vec<PathBuf>) -> Result<(), AppError> {
        Ok(())
    }
    async fn open_page(&self, _: Url) -> Result<(), AppError> {
        Ok(())
    }
    async fn show_folder(&self, _: PathBuf) -> Result<(), AppError> {
        Ok(())
    }
}

impl Events for Nothing {
    fn studio(&self, _: &StudioState) {}
    fn session(&self, _: &SessionState) {}
    fn job(&self, _: &JobView) {}
    fn library(&self, _: &[String]) {}
    fn upload(&self, _: &UploadView) {}
    fn exporting(&self, _: &ExportProgress) {}
    fn saved(&self, _: &Saved) {}
    fn stranded(&self, _: &AppError, _: u32) {}
    fn mail(&self) {}
    fn viewer(&self, _: Option<&ViewerView>) {}
    fn pressed(&self, _: &KeyPressed) {}
    fn link(&self, _: LinkOutcome) {}
    fn problem(&self, _: &AppError) {}
}

/// A TOTP factor with this status.
pub(crate) fn factor(status: &str) -> Factor {
    serde_json::from_value(json!({
        "id": "4b1ad32b-8a0c-4c5a-9d5e-000000000002", "factor_type": "totp", "status": status,
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    }))
    .expect("a factor")
}

/// A verified phone factor; the number without its `+`.
pub(crate) fn phone_factor(number: &str) -> Factor {
    serde_json::from_value(json!({
        "id": "4b1ad32b-8a0c-4c5a-9d5e-000000000003", "factor_type": "phone", "phone": number,
        "status": "verified",
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    }))
    .expect("a factor")
}

/// An access token with this assurance level.
pub(crate) fn token(aal: &str) -> SecretString {
    let claims = URL_SAFE_NO_PAD.encode(json!({ "aal": aal }).to_string());
    format!("header.{claims}.signature").into()
}

/// A session as the identity service returns it.
pub(crate) fn session(email: &str, expires_in: i64) -> Session {
    let response: SessionResponse =
        serde_json::from_value(session_json(email, expires_in)).expect("a session");
    response.into()
}

/// The JSON of such a session.
pub(crate) fn session_json(email: &str, expires_in: i64) -> serde_json::Value {
    json!({
        "access_token": "access", "token_type": "bearer", "expires_in": expires_in,
        "refresh_token": "refresh",
        "user": {
            "id": "4b1ad32b-8a0c-4c5a-9d5e-000000000001", "email": email,
            "app_metadata": {}, "user_metadata": {}, "is_anonymous": email.is_empty(),
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
        },
    })
}
