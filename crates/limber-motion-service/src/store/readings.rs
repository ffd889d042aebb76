//! State of the whole installation, for monitoring.

use super::{Store, StoreError, queue::PRESENCE};

/// A snapshot of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QueueReading {
    pub(crate) queued: u64,
    pub(crate) running: u64,
    pub(crate) retrying: u64,
    /// How long the oldest job has been waiting, in milliseconds; 0 if none waits.
    pub(crate) oldest_ms: i64,
    /// Number of live workers.
    pub(crate) workers: u64,
    /// Credits reserved for unfinished jobs, in tenths.
    pub(crate) reserved_tenths: i64,
}

impl Store {
    pub(crate) async fn queue_reading(&self) -> Result<QueueReading, StoreError> {
        let jobs = sqlx::query!(
            r#"select count(*) filter (where state = 'queued') as "queued!",
                    count(*) filter (where state = 'running') as "running!",
                    count(*) filter (where state = 'retry_wait') as "retrying!",
                    coalesce(now_ms() - min(ctime) filter (where state = 'queued'), 0) as "oldest_ms!"
             from jobs where state in ('queued', 'running', 'retry_wait')"#
        )
        .fetch_one(&self.pool)
        .await?;
        let reserved_tenths = sqlx::query_scalar!(
            r#"select coalesce(sum(held_plan + held_bought), 0)::bigint as "tenths!" from wallets"#
        )
        .fetch_one(&self.pool)
        .await?;
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        Ok(QueueReading {
            queued: count(jobs.queued),
            running: count(jobs.running),
            retrying: count(jobs.retrying),
            oldest_ms: jobs.oldest_ms.max(0),
            workers: self.worker_count().await?,
            reserved_tenths,
        })
    }

    /// Returns the number of live workers.
    pub(crate) async fn worker_count(&self) -> Result<u64, StoreError> {
        let held = sqlx::query_scalar!(
            r#"select count(*) as "count!" from pg_locks
             where locktype = 'advisory' and granted and classid::bigint = $1
               and database = (select oid from pg_database where datname = current_database())"#,
            i64::from(PRESENCE)
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(u64::try_from(held).unwrap_or(0))
    }
}
