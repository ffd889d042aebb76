//! Removes what nobody comes back for.

use std::{collections::HashSet, time::Duration};

use super::{OBJECT_LIFE_MS, SESSION_LIFE_MS, Uploads};
use crate::ServiceError;

/// After that an ended session is forgotten, and its address answers as if it had never been.
const REMEMBERED_MS: i64 = 30 * 24 * 3600 * 1000;
/// An address that nobody used is forgotten with everything that it could still be named for.
const UNUSED_MS: i64 = 2 * 24 * 3600 * 1000;
/// A file that belongs to no session is not looked at earlier.
const ORPHAN_AGE: Duration = Duration::from_secs(3600);

impl Uploads {
    /// Removes again and again, until dropped.
    pub(crate) async fn keep_tidy(&self) {
        loop {
            if let Err(error) = self.tidy().await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "old uploads cannot be removed and are tried again later: {error}"
                );
            }
            tokio::time::sleep(self.limits.upkeep).await;
        }
    }

    /// Removes once: sessions past their time, files never stored, files of no session.
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
