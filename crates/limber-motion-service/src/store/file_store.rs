//! The single row of `file_store`: which file store the servers use.

use sqlx::{Postgres, Transaction};

use super::{Store, StoreError};

/// Advisory lock held while the store's marker is read and, if missing, created.
const MARK_LOCK: i64 = 0x6c69_6d62_6d6b; // "limbmk"

/// Guard for creating a marker; nobody else on this database creates one in the meantime.
pub(crate) struct Marking<'a>(Transaction<'a, Postgres>);

impl Marking<'_> {
    pub(crate) async fn end(self) -> Result<(), StoreError> {
        Ok(self.0.commit().await?)
    }
}

impl Store {
    pub(crate) async fn begin_marking(&self) -> Result<Marking<'_>, StoreError> {
        let mut tx = self.pool.begin().await?;
        sqlx::query!(r#"select pg_advisory_xact_lock($1) as "locked!: ()""#, MARK_LOCK)
            .fetch_one(&mut *tx)
            .await?;
        Ok(Marking(tx))
    }

    /// Records which store the servers use; the server started last decides.
    pub(crate) async fn note_file_store(&self, mark: &str) -> Result<(), StoreError> {
        sqlx::query!(
            "insert into file_store (id) values ($1)
             on conflict (only_one) do update set id = excluded.id, noted_ms = now_ms()
             where file_store.id <> excluded.id",
            mark
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Returns the marker of the store that the servers use; `None` if no server has started yet.
    pub(crate) async fn file_store(&self) -> Result<Option<String>, StoreError> {
        let mark = sqlx::query_scalar!("select id from file_store");
        Ok(mark.fetch_optional(&self.pool).await?)
    }
}
