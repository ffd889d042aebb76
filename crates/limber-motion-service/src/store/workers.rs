//! The table `workers`, for monitoring.

use super::{Store, StoreError, queue::PRESENCE};

/// Silence in milliseconds after which a worker is checked.
const SILENT_MS: i64 = 30_000;

/// A row of `workers`.
#[derive(Debug, Clone)]
pub(crate) struct WorkerRow {
    pub(crate) name: String,
    pub(crate) version: String,
    /// `ready`, `working`, `draining`, or `astray` if it uses another file store than the servers.
    pub(crate) state: String,
    /// Marker of the file store that it uses; `None` for workers of earlier versions.
    pub(crate) store: Option<String>,
    pub(crate) started_ms: i64,
    pub(crate) seen_ms: i64,
}

impl Store {
    /// Registers a worker, or updates its state and heartbeat.
    pub(crate) async fn see_worker(
        &self,
        number: i32,
        (name, mark): (&str, &str),
        state: &str,
    ) -> Result<(), StoreError> {
        sqlx::query!(
            "insert into workers (number, name, version, state, store) values ($1, $2, $3, $4, $5)
             on conflict (number) do update set state = excluded.state, seen_ms = now_ms(),
                 store = excluded.store",
            i64::from(number),
            name,
            crate::VERSION,
            state,
            mark
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Removes a worker that shuts down in an orderly way. The preview it was rendering does not
    /// count as an attempt.
    pub(crate) async fn forget_worker(&self, number: i32) -> Result<(), StoreError> {
        let number = i64::from(number);
        let mut tx = self.pool.begin().await?;
        sqlx::query!(
            "update pictures_due set worker = null, tries = tries - 1
             where worker = $1 and tries > 0",
            number
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!("delete from workers where number = $1", number).execute(&mut *tx).await?;
        Ok(tx.commit().await?)
    }

    /// Removes workers that were killed: silent, and nobody holds their lock.
    pub(crate) async fn forget_dead_workers(&self) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await?;
        let silent = sqlx::query_scalar!(
            "select number from workers where seen_ms < now_ms() - $1 for update skip locked",
            SILENT_MS
        )
        .fetch_all(&mut *tx)
        .await?;
        for number in silent {
            sqlx::query!(
                "delete from workers where number = $1 and pg_try_advisory_xact_lock($2, $3)",
                number,
                PRESENCE,
                i32::try_from(number).unwrap_or_default()
            )
            .execute(&mut *tx)
            .await?;
        }
        Ok(tx.commit().await?)
    }

    /// Returns all workers, sorted by name.
    pub(crate) async fn workers(&self) -> Result<Vec<WorkerRow>, StoreError> {
        let rows = sqlx::query_as!(
            WorkerRow,
            "select name, version, state, store, started_ms, seen_ms from workers
             order by name, number"
        );
        Ok(rows.fetch_all(&self.pool).await?)
    }
}
