//! Stand-ins for the surroundings, for tests of this crate.

use std::{collections::HashMap, sync::Mutex};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use limber_api::identity::{Factor, SessionResponse};
use limber_client::identity::Session;
use secrecy::SecretString;
use serde_json::json;

use crate::{Chance, SecretStore, SecretStoreError};

/// Chance that only counts: what is drawn differs from draw to draw.
#[derive(Debug, Default)]
pub(crate) struct CountingChance(std::sync::atomic::AtomicU64);

impl Chance for CountingChance {
    fn fill(&self, bytes: &mut [u8]) {
        let count = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = count.to_le_bytes()[place % 8].wrapping_mul(0x9d) ^ place.to_le_bytes()[0];
        }
    }
}

/// A moment.
pub(crate) fn noon() -> DateTime<Utc> {
    "2026-06-01T12:00:00Z".parse().expect("a moment")
}

/// A keychain that keeps what it is given.
#[derive(Debug, Default)]
pub(crate) struct MemoryKeychain(Mutex<HashMap<String, SecretString>>);

impl SecretStore for MemoryKeychain {
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretStoreError> {
        Ok(self.0.lock().expect("whole").get(name).cloned())
    }
    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretStoreError> {
        self.0.lock().expect("whole").insert(name.to_owned(), secret.clone());
        Ok(())
    }
    fn remove(&self, name: &str) -> Result<(), SecretStoreError> {
        self.0.lock().expect("whole").remove(name);
        Ok(())
    }
}

/// A computer without a keychain.
#[derive(Debug)]
pub(crate) struct BrokenKeychain;

impl SecretStore for BrokenKeychain {
    fn get(&self, _: &str) -> Result<Option<SecretString>, SecretStoreError> {
        Err(SecretStoreError("there is none".into()))
    }
    fn set(&self, _: &str, _: &SecretString) -> Result<(), SecretStoreError> {
        Err(SecretStoreError("there is none".into()))
    }
    fn remove(&self, _: &str) -> Result<(), SecretStoreError> {
        Err(SecretStoreError("there is none".into()))
    }
}

/// A second factor in this state.
pub(crate) fn factor(status: &str) -> Factor {
    serde_json::from_value(json!({
        "id": "4b1ad32b-8a0c-4c5a-9d5e-000000000002", "factor_type": "totp", "status": status,
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    }))
    .expect("a factor")
}

/// An access token that says how well its session is proven.
pub(crate) fn token(aal: &str) -> SecretString {
    let claims = URL_SAFE_NO_PAD.encode(json!({ "aal": aal }).to_string());
    format!("header.{claims}.signature").into()
}

/// A session as the identity service would give it.
pub(crate) fn session(email: &str, expires_in: i64) -> Session {
    let response: SessionResponse = serde_json::from_value(json!({
        "access_token": "access", "token_type": "bearer", "expires_in": expires_in,
        "refresh_token": "refresh",
        "user": {
            "id": "4b1ad32b-8a0c-4c5a-9d5e-000000000001", "email": email,
            "app_metadata": {}, "user_metadata": {}, "is_anonymous": email.is_empty(),
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
        },
    }))
    .expect("a session");
    response.into()
}
