//! Makes sure that servers and workers use the same file store. Each store contains an id, and
//! the database records the id of the store that the servers use. A worker configured with
//! another store would write its results where the servers do not find them.

use std::time::Duration;

use crate::{Environment, ServiceError, StoreError, files::FileStore, store::Store};

/// Longest interval at which a server checks the id of its store.
const LOOKED_AT: Duration = Duration::from_secs(60);

/// A random identifier that distinguishes one file store from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoreId(String);

impl StoreId {
    /// Maximum length of a valid id.
    const LONGEST_BYTES: usize = 64;

    /// Parses an id; `None` if the text is not a valid one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        let fits = (1..=Self::LONGEST_BYTES).contains(&text.len()) && text.bytes().all(plain);
        fits.then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the id of the store, creating one if the store has none.
pub(crate) async fn store_id_of(
    store: &Store,
    files: &FileStore,
    environment: &Environment,
) -> Result<StoreId, ServiceError> {
    // a server and a worker that start together must not both create one
    let marking = store.begin_marking().await?;
    let id = match files.store_id().await? {
        Some(id) => id,
        None => {
            let id = StoreId(environment.token(16));
            files.set_store_id(&id).await?;
            id
        }
    };
    marking.end().await?;
    Ok(id)
}

/// Checks the store's id periodically and records it in the database when it has changed; runs
/// until dropped. The id can be lost or be replaced by a restored backup; workers started
/// afterwards would then find an id that differs from the one recorded when the server started.
pub(crate) async fn watch_store_id(
    store: &Store,
    files: &FileStore,
    environment: &Environment,
    upkeep: Duration,
) {
    let mut noted = files.store_id().await.unwrap_or_default();
    loop {
        tokio::time::sleep(upkeep.min(LOOKED_AT)).await;
        match record_if_changed(store, files, environment, noted.as_ref()).await {
            Ok(id) => noted = Some(id),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the id of the file store could not be recorded; trying again later: {error}"
            ),
        }
    }
}

/// Returns the store's id, recording it in the database if it differs from `noted`.
async fn record_if_changed(
    store: &Store,
    files: &FileStore,
    environment: &Environment,
    noted: Option<&StoreId>,
) -> Result<StoreId, ServiceError> {
    let id = store_id_of(store, files, environment).await?;
    if noted != Some(&id) {
        tracing::warn!("the id of the file store has changed; workers use the new one from now on");
        store.note_file_store(id.as_str()).await?;
    }
    Ok(id)
}

/// Returns whether the servers use another store than this one; false while no server has recorded
/// which store it uses.
pub(crate) async fn is_other_store(store: &Store, id: &StoreId) -> Result<bool, StoreError> {
    Ok(store.file_store().await?.is_some_and(|servers| servers != id.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_id_is_one_short_word() {
        assert_eq!(StoreId::parse("aB3-_\n").expect("a word").as_str(), "aB3-_");
        for bad in ["", "  ", "two words", "../x", &"x".repeat(65)] {
            assert_eq!(StoreId::parse(bad), None, "{bad}");
        }
    }

    #[tokio::test]
    async fn each_store_keeps_its_own_id() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FileStore::in_folder(&folder.path().join("one")).expect("a store");
        assert_eq!(files.store_id().await.expect("it is readable"), None);
        let id = StoreId("first".to_owned());
        files.set_store_id(&id).await.expect("written");
        let again = FileStore::in_folder(&folder.path().join("one")).expect("a store");
        assert_eq!(again.store_id().await.expect("it is readable"), Some(id));
        let other = FileStore::in_folder(&folder.path().join("other")).expect("a store");
        assert_eq!(other.store_id().await.expect("it is readable"), None);
    }
}
