//! References to contents in the file store.
//!
//! [`Saving`] is held while a content is written and recorded, [`Removing`] while contents are
//! removed. A content can therefore not be removed between being found in the store and being
//! recorded.

use sqlx::{Postgres, Transaction};

use super::{Store, StoreError};

/// Advisory lock: shared while contents are written and recorded, exclusive while they are removed.
const CONTENTS_LOCK: i64 = 0x6c69_6d62_6572;

/// How long stock content is kept after a server last declared that it needs it.
const STOCK_MS: i64 = 30 * 24 * 3600 * 1000;

/// Guard for writing and recording contents; none is removed while it is held.
pub(crate) struct Saving<'a>(pub(super) Transaction<'a, Postgres>);

impl<'a> Saving<'a> {
    pub(crate) async fn begin(store: &'a Store) -> Result<Self, StoreError> {
        let mut tx = store.pool.begin().await?;
        sqlx::query!(r#"select pg_advisory_xact_lock_shared($1) as "locked!: ()""#, CONTENTS_LOCK)
            .fetch_one(&mut *tx)
            .await?;
        Ok(Self(tx))
    }

    /// Commits what was recorded. Fails if the lock was lost in the meantime.
    pub(crate) async fn end(self) -> Result<(), StoreError> {
        Ok(self.0.commit().await?)
    }
}

/// Contents that may be removed. None can be stored until this is finished.
pub(crate) struct Removing<'a> {
    pub(crate) unused: Vec<String>,
    tx: Transaction<'a, Postgres>,
}

impl Removing<'_> {
    pub(crate) async fn finish(self) -> Result<(), StoreError> {
        Ok(self.tx.commit().await?)
    }
}

impl Store {
    /// Records the stock contents of a server.
    pub(crate) async fn note_stock(&self, contents: &[String]) -> Result<(), StoreError> {
        sqlx::query!(
            "insert into stock_contents (content_id, seen_ms) select distinct id, now_ms()
             from unnest($1::text[]) as stock(id) order by id
             on conflict (content_id) do update set seen_ms = excluded.seen_ms",
            contents
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Returns contents that were released before `released_ms` and that nothing refers to.
    pub(crate) async fn begin_removing(
        &self,
        released_ms: i64,
    ) -> Result<Removing<'_>, StoreError> {
        let mut tx = self.removing().await?;
        let released = sqlx::query_scalar!(
            "delete from released_contents r where released_ms <= $1
                 and not exists (select 1 from jobs where spec ? 'character'
                     and spec ->> 'character' = r.content_id
                     and state in ('queued', 'running', 'retry_wait'))
             returning content_id",
            released_ms
        )
        .fetch_all(&mut *tx)
        .await?;
        let unused = unreferenced(&mut tx, &released).await?;
        Ok(Removing { unused, tx })
    }

    /// Returns those of these contents that nothing refers to.
    pub(crate) async fn begin_removing_of(
        &self,
        contents: &[String],
    ) -> Result<Removing<'_>, StoreError> {
        let mut tx = self.removing().await?;
        let unused = unreferenced(&mut tx, contents).await?;
        Ok(Removing { unused, tx })
    }

    async fn removing(&self) -> Result<Transaction<'_, Postgres>, StoreError> {
        let mut tx = self.pool.begin().await?;
        sqlx::query!(r#"select pg_advisory_xact_lock($1) as "locked!: ()""#, CONTENTS_LOCK)
            .fetch_one(&mut *tx)
            .await?;
        Ok(tx)
    }
}

/// A content counts as referenced if it occurs anywhere in the spec of an unfinished job.
async fn unreferenced(
    tx: &mut Transaction<'_, Postgres>,
    contents: &[String],
) -> Result<Vec<String>, StoreError> {
    let unused = sqlx::query_scalar!(
        r#"select c.id as "id!" from unnest($1::text[]) as c(id)
         where not exists (select 1 from artifacts where content_id = c.id)
             and not exists (select 1 from models where glb = c.id or thumb = c.id)
             and not exists (select 1 from released_contents where content_id = c.id)
             and not exists (select 1 from stock_contents
                 where content_id = c.id and seen_ms > now_ms() - $2)
             and not exists (select 1 from jobs where state in ('queued', 'running', 'retry_wait')
                 and position(c.id in spec::text) > 0)"#,
        contents,
        STOCK_MS
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(unused)
}
