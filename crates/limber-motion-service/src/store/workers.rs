//! Rows of `workers`: who works, for whoever looks after them.

use super::{Store, StoreError, queue::PRESENCE};

/// A worker that was not heard of for so long is looked at.
const SILENT_MS: i64 = 30_000;

/// One row of `workers`.
#[derive(Debug, Clone)]
pub(crate) struct WorkerRow {
    pub(crate) name: String,
    pub(crate) version: String,
    /// `ready`, `working`, `draining`, or `astray` where it sees other files than the servers.
    pub(crate) state: String,
    /// The mark of the store that it sees; workers of earlier versions do not tell.
    pub(crate) store: Option<String>,
    pub(crate) started_ms: i64,
    pub(crate) seen_ms: i64,
}

impl Store {
    /// Says that a worker lives and what it does. The first time, that it is there.
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

    /// A worker leaves in an orderly way. It has not died of the picture that it was drawing.
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

    /// Forgets those that were killed: silent, and nobody holds their lock.
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

    /// All workers, by name.
    pub(crate) async fn workers(&self) -> Result<Vec<WorkerRow>, StoreError> {
        let rows = sqlx::query_as!(
            WorkerRow,
            "select name, version, state, store, started_ms, seen_ms from workers
             order by name, number"
        );
        Ok(rows.fetch_all(&self.pool).await?)
    }
}
