//! The tables `accounts`, `sessions` and `signing_keys`.

use super::{Store, StoreError, jobs::write_state};
use crate::jobs::{JobState, Outcome};

/// Maximum number of simultaneous sessions per account.
const MOST_SESSIONS: i64 = 64;

/// An account, as shown to the operator.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) created_ms: i64,
    pub(crate) revoked_ms: Option<i64>,
    pub(crate) jobs: i64,
    /// Spendable credits in tenths; `None` if the account's credits have never been used or
    /// queried.
    pub(crate) tenths: Option<i64>,
}

impl Store {
    pub(crate) async fn insert_account(
        &self,
        id: &str,
        name: &str,
        secret_hash: &str,
    ) -> Result<(), StoreError> {
        sqlx::query!(
            "insert into accounts (id, name, secret_hash) values ($1, $2, $3)",
            id,
            name,
            secret_hash
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Returns the secret's hash of an account that is not revoked.
    pub(crate) async fn secret_hash(&self, id: &str) -> Result<Option<String>, StoreError> {
        let hash = sqlx::query_scalar!(
            "select secret_hash from accounts where id = $1 and revoked_ms is null",
            id
        );
        Ok(hash.fetch_optional(&self.pool).await?)
    }

    /// Replaces the secret of an account that is not revoked and ends its sessions. Returns false
    /// if there is no such account.
    pub(crate) async fn replace_secret(
        &self,
        id: &str,
        secret_hash: &str,
    ) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await?;
        let changed = sqlx::query!(
            "update accounts set secret_hash = $2 where id = $1 and revoked_ms is null",
            id,
            secret_hash
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!("delete from sessions where account_id = $1", id).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(changed.rows_affected() == 1)
    }

    /// Revokes an account, ends its sessions and cancels its unfinished jobs. Returns false if
    /// there is no such account or it is already revoked.
    pub(crate) async fn revoke_account(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await?;
        let changed = sqlx::query!(
            "update accounts set revoked_ms = now_ms() where id = $1 and revoked_ms is null",
            id
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!("delete from sessions where account_id = $1", id).execute(&mut *tx).await?;
        let open = sqlx::query!(
            "select rid from jobs where account_id = $1
                 and state in ('queued', 'running', 'retry_wait') order by rid for update",
            id
        )
        .fetch_all(&mut *tx)
        .await?;
        for job in open {
            write_state(&mut tx, &job.rid, JobState::Finished(Outcome::Cancelled)).await?;
        }
        tx.commit().await?;
        Ok(changed.rows_affected() == 1)
    }

    /// Returns all accounts, oldest first.
    pub(crate) async fn clients(&self) -> Result<Vec<Client>, StoreError> {
        let rows = sqlx::query_as!(
            Client,
            r#"select a.id, a.name, a.created_ms, a.revoked_ms,
                    (select count(*) from jobs j where j.account_id = a.id) as "jobs!",
                    (select w.plan + w.bought from wallets w where w.account_id = a.id) as tenths
             from accounts a order by a.created_ms, a.id"#
        );
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// Inserts a session. Deletes expired sessions and, beyond 64, the oldest ones.
    pub(crate) async fn insert_session(
        &self,
        id: &str,
        account: &str,
        now_ms: i64,
        expires_ms: i64,
    ) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await?;
        sqlx::query!(
            "insert into sessions (id, account_id, created_ms, expires_ms) values ($1, $2, $3, $4)",
            id,
            account,
            now_ms,
            expires_ms
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!(
            "delete from sessions where account_id = $1 and (expires_ms <= $2 or id in (
                 select id from sessions where account_id = $1
                 order by created_ms desc, id offset $3))",
            account,
            now_ms,
            MOST_SESSIONS
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Returns the account of a session that has not expired.
    pub(crate) async fn session_account(
        &self,
        session: &str,
        now_ms: i64,
    ) -> Result<Option<String>, StoreError> {
        let account = sqlx::query_scalar!(
            "select a.id from sessions s join accounts a on a.id = s.account_id
             where s.id = $1 and s.expires_ms > $2 and a.revoked_ms is null",
            session,
            now_ms
        );
        Ok(account.fetch_optional(&self.pool).await?)
    }

    /// Returns all signing keys, the current one first. Stores `fresh` if there is none yet.
    pub(crate) async fn signing_keys(&self, fresh: &[u8; 32]) -> Result<Vec<[u8; 32]>, StoreError> {
        let mut tx = self.pool.begin().await?;
        // two services that start at the same time must agree on one key
        sqlx::query!("lock table signing_keys in exclusive mode").execute(&mut *tx).await?;
        sqlx::query!(
            "insert into signing_keys (secret)
             select $1 where not exists (select 1 from signing_keys)",
            &fresh[..]
        )
        .execute(&mut *tx)
        .await?;
        let keys = sqlx::query_scalar!("select secret from signing_keys order by id desc")
            .fetch_all(&mut *tx)
            .await?;
        tx.commit().await?;
        keys.into_iter()
            .map(|key| {
                key.try_into()
                    .map_err(|_| StoreError::Unreadable("a signing key has the wrong length"))
            })
            .collect()
    }

    /// Returns the number of accounts.
    pub(crate) async fn account_count(&self) -> Result<i64, StoreError> {
        let count = sqlx::query_scalar!(r#"select count(*) as "count!" from accounts"#);
        Ok(count.fetch_one(&self.pool).await?)
    }
}
