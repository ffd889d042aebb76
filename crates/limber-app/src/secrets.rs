//! Secrets: in the keychain, or in memory when there is none.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use secrecy::SecretString;

use crate::SecretStore;

/// The keychain with a memory behind it, so that the app also works where there is no keychain.
pub(crate) struct Secrets {
    store: Arc<dyn SecretStore>,
    memory: Arc<Mutex<HashMap<String, SecretString>>>,
    kept: Arc<AtomicBool>,
}

impl Secrets {
    pub(crate) fn new(store: Arc<dyn SecretStore>) -> Self {
        Self { store, memory: Arc::default(), kept: Arc::new(AtomicBool::new(true)) }
    }

    /// Whether what was set last will be there after a restart.
    pub(crate) fn are_kept(&self) -> bool {
        self.kept.load(Ordering::Relaxed)
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

    /// The keychain's calls block, and its first one talks to the session bus.
    async fn in_keychain<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn SecretStore) -> Result<T, crate::SecretStoreError> + Send + 'static,
    ) -> Option<T> {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&*store)).await.ok()?;
        self.kept.store(done.is_ok(), Ordering::Relaxed);
        done.inspect_err(|error| tracing::warn!(%error, "secrets stay in memory")).ok()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;
    use crate::testing::{BrokenKeychain, MemoryKeychain};

    #[tokio::test]
    async fn without_a_keychain_secrets_live_in_memory_and_that_is_told() {
        let secrets = Secrets::new(Arc::new(BrokenKeychain));
        secrets.set("name", "value".into()).await;
        assert!(!secrets.are_kept());
        assert_eq!(secrets.get("name").await.expect("in memory").expose_secret(), "value");
        secrets.remove("name").await;
        assert!(secrets.get("name").await.is_none());
    }

    #[tokio::test]
    async fn what_was_set_outlives_the_app_in_the_keychain() {
        let keychain = Arc::new(MemoryKeychain::default());
        Secrets::new(keychain.clone()).set("name", "value".into()).await;
        let later = Secrets::new(keychain);
        assert_eq!(later.get("name").await.expect("kept").expose_secret(), "value");
        assert!(later.are_kept());
    }
}
