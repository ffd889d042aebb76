//! The tables `uploads` and `upload_sessions`.

use std::time::Duration;

use super::{
    Store, StoreError,
    turns::{self, Turn},
};
use crate::uploads::{Checksums, UploadKind};

/// An upload that a signed URL is about to be created for.
#[derive(Debug)]
pub(crate) struct NewUpload<'a> {
    pub(crate) key: &'a str,
    pub(crate) kind: UploadKind,
    pub(crate) name: &'a str,
    pub(crate) extension: &'a str,
}

/// A session to start.
#[derive(Debug)]
pub(crate) struct NewSession<'a> {
    pub(crate) id: &'a str,
    pub(crate) key: &'a str,
    pub(crate) origin: Option<&'a str>,
    pub(crate) limit_bytes: i64,
    pub(crate) total: Option<i64>,
    pub(crate) now_ms: i64,
}

/// A row of `upload_sessions`.
#[derive(Debug, Clone)]
pub(crate) struct SessionRow {
    pub(crate) id: String,
    pub(crate) origin: Option<String>,
    pub(crate) limit_bytes: i64,
    pub(crate) total: Option<i64>,
    pub(crate) state: String,
    pub(crate) crc32c: Option<i64>,
    pub(crate) md5: Option<Vec<u8>>,
    pub(crate) created_ms: i64,
    pub(crate) ended_ms: Option<i64>,
}

impl SessionRow {
    /// Checksums of the file, once it is complete.
    pub(crate) fn checksums(&self) -> Option<Checksums> {
        let crc32c = u32::try_from(self.crc32c?).ok()?;
        Some(Checksums { crc32c, md5: self.md5.as_deref()?.try_into().ok()? })
    }
}

impl Store {
    /// Records uploads that signed URLs are created for.
    pub(crate) async fn insert_uploads(
        &self,
        account: &str,
        uploads: &[NewUpload<'_>],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await?;
        for upload in uploads {
            sqlx::query!(
                "insert into uploads (key, account_id, kind, name, extension, created_ms)
                 values ($1, $2, $3, $4, $5, $6)",
                upload.key,
                account,
                upload.kind.word(),
                upload.name,
                upload.extension,
                now_ms
            )
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Starts a session. Returns false if the account has `most` sessions with unfinished or unused
    /// files, or the upload no longer exists.
    pub(crate) async fn insert_upload_session(
        &self,
        session: &NewSession<'_>,
        most: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await?;
        let account =
            sqlx::query_scalar!("select account_id from uploads where key = $1", session.key)
                .fetch_optional(&mut *tx)
                .await?;
        let Some(account) = account else { return Ok(false) };
        turns::wait_for(Turn::Uploads, &account, &mut tx).await?;
        let inserted = sqlx::query!(
            "insert into upload_sessions (id, key, origin, limit_bytes, total, created_ms)
             select $1, u.key, $3, $4, $5, $6 from uploads u where u.key = $2 and (
                 select count(*) from upload_sessions s join uploads o on o.key = s.key
                 where o.account_id = u.account_id and (s.state = 'open'
                     or s.state = 'complete' and o.model_id is null)) < $7",
            session.id,
            session.key,
            session.origin,
            session.limit_bytes,
            session.total,
            session.now_ms,
            most
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(inserted.rows_affected() == 1)
    }

    pub(crate) async fn find_session(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        let row = sqlx::query_as!(
            SessionRow,
            "select id, origin, limit_bytes, total, state, crc32c, md5, created_ms, ended_ms
             from upload_sessions where id = $1",
            id
        );
        Ok(row.fetch_optional(&self.pool).await?)
    }

    /// Records the length of the complete file. Returns false if it contradicts an earlier one or
    /// the session has ended.
    pub(crate) async fn note_total(&self, id: &str, total: i64) -> Result<bool, StoreError> {
        let changed = sqlx::query!(
            "update upload_sessions set total = $2
             where id = $1 and state = 'open' and coalesce(total, $2) = $2",
            id,
            total
        );
        Ok(changed.execute(&self.pool).await?.rows_affected() == 1)
    }

    /// Claims the session for one writer, for the duration of the lease. If another writer holds
    /// it, returns until when.
    pub(crate) async fn take_session(
        &self,
        id: &str,
        writer: &str,
        lease: Duration,
    ) -> Result<Option<i64>, StoreError> {
        let taken = sqlx::query!(
            "update upload_sessions set writer = $2, writer_until_ms = now_ms() + $3
             where id = $1 and (writer is null or writer_until_ms <= now_ms())",
            id,
            writer,
            ms(lease)
        );
        if taken.execute(&self.pool).await?.rows_affected() == 1 {
            return Ok(None);
        }
        let until =
            sqlx::query_scalar!("select writer_until_ms from upload_sessions where id = $1", id);
        Ok(Some(until.fetch_optional(&self.pool).await?.flatten().unwrap_or(0)))
    }

    /// Renews the writer's lease. Returns false if another writer has the session.
    pub(crate) async fn renew_session(
        &self,
        id: &str,
        writer: &str,
        lease: Duration,
    ) -> Result<bool, StoreError> {
        let renewed = sqlx::query!(
            "update upload_sessions set writer_until_ms = now_ms() + $3
             where id = $1 and writer = $2",
            id,
            writer,
            ms(lease)
        );
        Ok(renewed.execute(&self.pool).await?.rows_affected() == 1)
    }

    /// Releases the writer's claim.
    pub(crate) async fn release_session(&self, id: &str, writer: &str) -> Result<(), StoreError> {
        let released = sqlx::query!(
            "update upload_sessions set writer = null, writer_until_ms = null
             where id = $1 and writer = $2",
            id,
            writer
        );
        Ok(released.execute(&self.pool).await.map(drop)?)
    }

    /// Records that the file is complete. Returns false if the session has already ended.
    pub(crate) async fn complete_session(
        &self,
        id: &str,
        total: i64,
        found: &Checksums,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let changed = sqlx::query!(
            "update upload_sessions
             set state = 'complete', total = $2, crc32c = $3, md5 = $4, ended_ms = $5
             where id = $1 and state = 'open'",
            id,
            total,
            i64::from(found.crc32c),
            &found.md5[..],
            now_ms
        );
        Ok(changed.execute(&self.pool).await?.rows_affected() == 1)
    }

    /// Ends a session, whatever its state; `word` is `cancelled` or `terminated`.
    pub(crate) async fn end_session(
        &self,
        id: &str,
        word: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        sqlx::query!(
            "update upload_sessions set state = $2, ended_ms = $3, crc32c = null, md5 = null
             where id = $1",
            id,
            word,
            now_ms
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Ends open sessions started before `begun_ms` and completed ones that completed before
    /// `arrived_ms`; returns their ids.
    pub(crate) async fn retire_sessions(
        &self,
        now_ms: i64,
        begun_ms: i64,
        arrived_ms: i64,
    ) -> Result<Vec<String>, StoreError> {
        let ended = sqlx::query_scalar!(
            "update upload_sessions
             set state = 'terminated', ended_ms = coalesce(ended_ms, $1), crc32c = null, md5 = null
             where (state = 'open' and created_ms <= $2) or (state = 'complete' and ended_ms <= $3)
             returning id",
            now_ms,
            begun_ms,
            arrived_ms
        );
        Ok(ended.fetch_all(&self.pool).await?)
    }

    /// Deletes sessions that ended before `ended_ms`, and uploads created before `unused_ms` that
    /// have no session left.
    pub(crate) async fn forget_uploads(
        &self,
        ended_ms: i64,
        unused_ms: i64,
    ) -> Result<(), StoreError> {
        // completed sessions are kept until their files are removed
        sqlx::query!(
            "delete from upload_sessions where state <> 'complete' and ended_ms <= $1",
            ended_ms
        )
        .execute(&self.pool)
        .await?;
        sqlx::query!(
            "delete from uploads u where created_ms <= $1
                 and not exists (select 1 from upload_sessions s where s.key = u.key)",
            unused_ms
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Returns those of these sessions whose files are still needed.
    pub(crate) async fn live_sessions(&self, ids: &[String]) -> Result<Vec<String>, StoreError> {
        let live = sqlx::query_scalar!(
            "select id from upload_sessions where id = any($1) and state in ('open', 'complete')",
            ids
        );
        Ok(live.fetch_all(&self.pool).await?)
    }
}

fn ms(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
