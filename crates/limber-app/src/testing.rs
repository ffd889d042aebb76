//! Stand-ins for the surroundings, for tests of this crate.

use std::{collections::HashMap, sync::Mutex};

use limber_api::identity::SessionResponse;
use limber_client::identity::Session;
use secrecy::SecretString;
use serde_json::json;

use crate::{SecretStore, SecretStoreError};

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
