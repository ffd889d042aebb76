//! Secrets, stored in the keychain, or in memory if there is none.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use limber_domain::lock;
use secrecy::SecretString;

use crate::{SecretStore, SecretStoreError};

/// Timeout for the keychain, which may be waiting for the user to enter its password.
const PATIENCE: Duration = Duration::from_secs(60);

/// The keychain with an in-memory copy, so that the app also works without a keychain.
pub(crate) struct Secrets {
    store: Arc<dyn SecretStore>,
    memory: Arc<Mutex<HashMap<String, SecretString>>>,
    /// The last error of the keychain; `None` if its last call succeeded.
    trouble: Arc<Mutex<Option<SecretStoreError>>>,
}

impl Secrets {
    pub(crate) fn new(store: Arc<dyn SecretStore>) -> Self {
        Self { store, memory: Arc::default(), trouble: Arc::default() }
    }

    /// Returns whether secrets survive a restart, judging by the last call.
    pub(crate) fn are_kept(&self) -> bool {
        self.trouble().is_none()
    }

    /// Returns why the keychain's last call failed.
    pub(crate) fn trouble(&self) -> Option<SecretStoreError> {
        *lock(&self.trouble)
    }

    pub(crate) async fn get(&self, name: &str) -> Option<SecretString> {
        let in_memory = lock(&self.memory).get(name).cloned();
        if in_memory.is_some() {
            return in_memory;
        }
        let name = name.to_owned();
        self.in_keychain(move |store| store.get(&name)).await.flatten()
    }

    pub(crate) async fn set(&self, name: &str, secret: SecretString) {
        lock(&self.memory).insert(name.to_owned(), secret.clone());
        let name = name.to_owned();
        self.in_keychain(move |store| store.set(&name, &secret)).await;
    }

    pub(crate) async fn remove(&self, name: &str) {
        lock(&self.memory).remove(name);
        let name = name.to_owned();
        self.in_keychain(move |store| store.remove(&name)).await;
    }

    /// Runs a keychain call on a blocking thread; the first one also connects to the session bus.
    async fn in_keychain<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn SecretStore) -> Result<T, SecretStoreError> + Send + 'static,
    ) -> Option<T> {
        let store = Arc::clone(&self.store);
        let answer = tokio::task::spawn_blocking(move || work(&*store));
        let done = match tokio::time::timeout(PATIENCE, answer).await {
            Ok(answer) => answer.unwrap_or(Err(SecretStoreError::Missing)),
            Err(_) => Err(SecretStoreError::Locked),
        };
        *lock(&self.trouble) = done.as_ref().err().copied();
        done.inspect_err(|error| tracing::warn!(%error, "secrets stay in memory")).ok()
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;
    use crate::testing::{BrokenKeychain, MemoryKeychain};

    #[tokio::test]
    async fn without_a_keychain_secrets_stay_in_memory_with_a_warning() {
        let secrets = Secrets::new(Arc::new(BrokenKeychain));
        secrets.set("name", "value".into()).await;
        assert!(!secrets.are_kept());
        assert_eq!(secrets.get("name").await.expect("in memory").expose_secret(), "value");
        secrets.remove("name").await;
        assert!(secrets.get("name").await.is_none());
    }

    /// A keychain whose owner does not unlock it.
    struct LockedKeychain;

    impl SecretStore for LockedKeychain {
        fn get(&self, _: &str) -> Result<Option<SecretString>, SecretStoreError> {
            Err(SecretStoreError::Locked)
        }
        fn set(&self, _: &str, _: &SecretString) -> Result<(), SecretStoreError> {
            Err(SecretStoreError::Locked)
        }
        fn remove(&self, _: &str) -> Result<(), SecretStoreError> {
            Err(SecretStoreError::Locked)
        }
    }

    #[tokio::test]
    async fn a_locked_keychain_differs_from_an_empty_one() {
        let secrets = Secrets::new(Arc::new(LockedKeychain));
        assert!(secrets.get("name").await.is_none());
        assert_eq!(secrets.trouble(), Some(SecretStoreError::Locked));
        let secrets = Secrets::new(Arc::new(MemoryKeychain::default()));
        assert!(secrets.get("name").await.is_none());
        assert_eq!(secrets.trouble(), None);
    }

    #[tokio::test]
    async fn secrets_in_the_keychain_survive_the_app() {
        let keychain = Arc::new(MemoryKeychain::default());
        Secrets::new(keychain.clone()).set("name", "value".into()).await;
        let later = Secrets::new(keychain);
        assert_eq!(later.get("name").await.expect("saved").expose_secret(), "value");
        assert!(later.are_kept());
    }
}
