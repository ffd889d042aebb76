//! Removes abandoned uploads.

use std::{collections::HashSet, time::Duration};

use super::{OBJECT_LIFE_MS, SESSION_LIFE_MS, Uploads};
use crate::ServiceError;

/// How long an ended session is remembered, in milliseconds; after that, its URL is unknown.
const REMEMBERED_MS: i64 = 30 * 24 * 3600 * 1000;
/// How long an unused URL is remembered, in milliseconds. By then it cannot be used for anything.
const UNUSED_MS: i64 = 2 * 24 * 3600 * 1000;
/// Minimum age of a file without session before it is removed.
const ORPHAN_AGE: Duration = Duration::from_secs(3600);

impl Uploads {
    /// Cleans up periodically, until dropped.
    pub(crate) async fn keep_tidy(&self) {
        loop {
            if let Err(error) = self.tidy().await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "old uploads could not be removed; trying again later: {error}"
                );
            }
            tokio::time::sleep(self.limits.upkeep).await;
        }
    }

    /// Cleans up once: expired sessions, files that were never stored, and files without a session.
    pub(crate) async fn tidy(&self) -> Result<(), ServiceError> {
        let now_ms = self.now_ms();
        let ended = self
            .store
            .retire_sessions(now_ms, now_ms - SESSION_LIFE_MS, now_ms - OBJECT_LIFE_MS)
            .await?;
        for id in &ended {
            self.remove(id).await?;
        }
        self.store.forget_uploads(now_ms - REMEMBERED_MS, now_ms - UNUSED_MS).await?;
        let files = self.spool.list().await?;
        let old: Vec<String> =
            files.into_iter().filter(|(_, age)| *age >= ORPHAN_AGE).map(|(name, _)| name).collect();
        let live: HashSet<String> = self.store.live_sessions(&old).await?.into_iter().collect();
        for name in old.iter().filter(|name| !live.contains(*name)) {
            self.remove(name).await?;
        }
        Ok(())
    }

    async fn remove(&self, id: &str) -> Result<(), ServiceError> {
        Ok(self.spool.remove(id).await?)
    }
}
