//! Removes unreferenced content: files that a worker or server wrote but did not record in the
//! database before it was killed.

use std::time::Duration;

use futures_util::TryStreamExt;

use crate::{
    ServiceError, StoreError,
    files::{ContentId, FileStore},
    store::Store,
};

/// Number of contents checked in one batch. Nothing can be stored while a batch is being checked.
const TOGETHER: usize = 200;

/// Removes unreferenced content that is older than `age`. Returns how many files were removed.
pub(crate) async fn sweep(
    store: &Store,
    files: &FileStore,
    age: Duration,
) -> Result<usize, ServiceError> {
    let mut removed = files.remove_unfinished(age).await?;
    let mut chunks = files.old_contents(age).try_chunks(TOGETHER);
    while let Some(chunk) = chunks.try_next().await.map_err(|error| error.1)? {
        let ids: Vec<String> = chunk.iter().map(|id| id.as_str().to_owned()).collect();
        removed += remove_unused(store, files, &ids).await?;
    }
    if removed > 0 {
        tracing::info!(removed, "removed {removed} unreferenced file(s)");
    }
    Ok(removed)
}

/// Removes those of these contents that nothing refers to. If the file store does not respond, this
/// only logs a warning; a later sweep removes the files.
pub(crate) async fn remove_now_or_later(
    store: &Store,
    files: &FileStore,
    contents: &[String],
) -> Result<(), StoreError> {
    match remove_unused(store, files, contents).await {
        Ok(_) => Ok(()),
        Err(ServiceError::Store(error)) => Err(error),
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "files could not be removed: {error}"
            );
            Ok(())
        }
    }
}

/// Removes those of these contents that nothing refers to, and returns how many that were.
async fn remove_unused(
    store: &Store,
    files: &FileStore,
    contents: &[String],
) -> Result<usize, ServiceError> {
    if contents.is_empty() {
        return Ok(0);
    }
    let removing = store.begin_removing_of(contents).await?;
    for id in removing.unused.iter().filter_map(|id| ContentId::parse(id)) {
        files.remove(&id).await?;
    }
    let count = removing.unused.len();
    removing.finish().await?;
    Ok(count)
}
