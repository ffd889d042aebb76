//! The job queue: which job is next, which worker has it, and which workers are gone.
//!
//! **Round-robin.** The account whose job was claimed longest ago is next, with its oldest job.
//! **Leases.** Every attempt has a new lease. All writes of a worker name it, so a worker that was
//! given up can no longer write. **Presence.** A worker holds an advisory lock for as long as its
//! connection lives. PostgreSQL releases it as soon as the process dies, so a killed worker is
//! noticed at once, not only after the timeout that detects a hanging one.

use limber_api::motion::JobId;
use serde_json::Value;
use sqlx::{Connection, PgConnection};

use super::{Store, StoreError, jobs::write_state, rows::state_of};
use crate::jobs::{Cause, JobState, Work};

/// First key of the advisory locks that represent workers.
pub(super) const PRESENCE: i32 = 0x4c4d; // "LM"

/// Maximum number of stage times kept from earlier attempts, in addition to those of one attempt. A
/// job may be given back any number of times.
const MOST_STAGES: i32 = 500;

/// A job that a worker has claimed.
#[derive(Debug, Clone)]
pub(crate) struct Taken {
    pub(crate) rid: JobId,
    pub(crate) work: Result<Work, String>,
    pub(crate) lease: String,
    /// Number of this attempt, from 1.
    pub(crate) attempts: u32,
    /// How long the job has been waiting.
    pub(crate) waited_ms: i64,
    /// When the attempt began, by the database's clock.
    pub(crate) started_ms: i64,
    /// Trace context of the request that submitted the job.
    pub(crate) trace: Option<String>,
}

/// Outcome of asking for a job.
#[derive(Debug)]
pub(crate) enum Next {
    Job(Box<Taken>),
    /// Another worker is claiming a job right now; ask again at once.
    Contended,
    Nothing,
}

/// An account with waiting jobs.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) account_id: String,
    pub(crate) jobs: i64,
    /// Order of the accounts; ties are broken by the account's id.
    pub(crate) last_turn: i64,
}

/// A worker's database connection, which proves that it is alive.
#[derive(Debug)]
pub(crate) struct Presence {
    connection: PgConnection,
    pub(crate) number: i32,
}

impl Presence {
    /// Registers a worker under a number that no other worker holds.
    pub(crate) async fn show(url: &str, number: i32) -> Result<Self, StoreError> {
        let mut connection = PgConnection::connect(url).await?;
        sqlx::query!("select pg_advisory_lock($1, $2)", PRESENCE, number)
            .fetch_one(&mut connection)
            .await?;
        Ok(Self { connection, number })
    }

    /// Returns whether the connection is alive; without it, others take the worker for dead.
    pub(crate) async fn holds(&mut self) -> bool {
        self.connection.ping().await.is_ok()
    }
}

impl Store {
    /// Claims the next job in round-robin order.
    pub(crate) async fn claim_job(
        &self,
        worker: i32,
        worker_name: &str,
        lease: &str,
    ) -> Result<Next, StoreError> {
        let mut tx = self.pool.begin().await?;
        sqlx::query!(
            "update jobs set state = 'queued', retry_at_ms = null, step = 0, mtime = now_ms()
             where rid in (select rid from jobs where state = 'retry_wait' and retry_at_ms <= now_ms()
                           for update skip locked)"
        )
        .execute(&mut *tx)
        .await?;
        let account = sqlx::query_scalar!(
            r#"select id from accounts a
             where exists (select 1 from jobs where account_id = a.id and state = 'queued')
             order by last_turn, id collate "C" limit 1 for no key update skip locked"#
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(account) = account else {
            let waiting = sqlx::query_scalar!(
                r#"select exists (select 1 from jobs where state = 'queued') as "waiting!""#
            )
            .fetch_one(&mut *tx)
            .await?;
            tx.commit().await?;
            return Ok(if waiting { Next::Contended } else { Next::Nothing });
        };
        let next = sqlx::query!(
            "select rid, state, step, retry_at_ms, cause from jobs
             where account_id = $1 and state = 'queued' order by place limit 1
             for update skip locked",
            account
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(next) = next else { return Ok(Next::Contended) };
        let queued = state_of(&next.state, next.step, next.retry_at_ms, next.cause.as_ref())?;
        let Ok(JobState::Running { step }) = queued.take() else { return Ok(Next::Contended) };
        let taken = sqlx::query!(
            r#"update jobs set state = 'running', step = $2, attempts = attempts + 1, lease = $3,
                 worker = $4, worker_name = $5, heartbeat_ms = t.now_ms, started_ms = t.now_ms,
                 mtime = t.now_ms, cause = null, version = $6,
                 stages = jsonb_build_array(jsonb_build_object(
                     'name', case processor when 'render' then 'load' else 'prepare' end,
                     'variant', 1, 'attempt', attempts + 1, 'startedAt', t.now_ms,
                     'durationMs', 0, 'cpuMs', 0)),
                 earlier_stages = case when jsonb_array_length(earlier_stages) < $7
                     then earlier_stages || stages else earlier_stages end
             from now_ms() as t(now_ms) where rid = $1
             returning rid, processor, spec, attempts, trace, started_ms as "started_ms!",
                 started_ms - ctime as waited_ms"#,
            next.rid,
            i32::try_from(step).unwrap_or(1),
            lease,
            i64::from(worker),
            worker_name,
            crate::VERSION,
            MOST_STAGES
        )
        .fetch_one(&mut *tx)
        .await?;
        sqlx::query!("update accounts set last_turn = nextval('turns') where id = $1", account)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(Next::Job(Box::new(Taken {
            rid: JobId::parse(&taken.rid)
                .map_err(|_| StoreError::Unreadable("a job has an invalid id"))?,
            work: Work::read(&taken.processor, taken.spec),
            lease: lease.to_owned(),
            attempts: u32::try_from(taken.attempts).unwrap_or(1),
            waited_ms: taken.waited_ms.unwrap_or(0),
            started_ms: taken.started_ms,
            trace: taken.trace,
        })))
    }

    /// Records a heartbeat and the progress. Returns false if the lease is lost and the worker must
    /// stop.
    pub(crate) async fn heartbeat(
        &self,
        job: &Taken,
        step: u32,
        stages: &Value,
    ) -> Result<bool, StoreError> {
        let changed = sqlx::query!(
            "update jobs set heartbeat_ms = now_ms(), step = greatest(step, $3), stages = $4
             where rid = $1 and lease = $2",
            job.rid.as_str(),
            job.lease,
            i32::try_from(step).unwrap_or(99),
            stages
        )
        .execute(&self.pool)
        .await?;
        Ok(changed.rows_affected() == 1)
    }

    /// Ends the attempt. `change` computes the next state; without `stages`, those of the last
    /// heartbeat stay. Returns false if the lease was lost.
    pub(crate) async fn end_attempt(
        &self,
        job: &Taken,
        stages: Option<&Value>,
        change: impl FnOnce(JobState, u32, i64) -> Result<JobState, crate::jobs::InvalidTransition>
        + Send,
    ) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await?;
        let row = sqlx::query!(
            r#"select state, step, retry_at_ms, cause, attempts, now_ms() as "now_ms!"
             from jobs where rid = $1 and lease = $2 for update"#,
            job.rid.as_str(),
            job.lease
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(false) };
        let before = state_of(&row.state, row.step, row.retry_at_ms, row.cause.as_ref())?;
        let attempts = u32::try_from(row.attempts).unwrap_or(1);
        let Ok(after) = change(before, attempts, row.now_ms) else { return Ok(false) };
        let uncounted = i32::from(after == JobState::Queued);
        sqlx::query!(
            "update jobs set stages = coalesce($2, stages), attempts = attempts - $3 where rid = $1",
            job.rid.as_str(),
            stages,
            uncounted
        )
        .execute(&mut *tx)
        .await?;
        write_state(&mut tx, job.rid.as_str(), after).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Requeues or fails the jobs of workers that died or stopped responding. Returns how many.
    pub(crate) async fn recover_lost(
        &self,
        stuck_after_ms: i64,
        retry_delays: &[std::time::Duration],
    ) -> Result<usize, StoreError> {
        let mut tx = self.pool.begin().await?;
        let running = sqlx::query!(
            r#"select rid, worker as "worker!", attempts, step, now_ms() as "now_ms!",
                    heartbeat_ms < now_ms() - $1 as "silent!"
             from jobs where state = 'running' order by account_id, rid for update skip locked"#,
            stuck_after_ms
        )
        .fetch_all(&mut *tx)
        .await?;
        let mut recovered = 0;
        for row in running {
            let attempts = u32::try_from(row.attempts).unwrap_or(1);
            let state = JobState::Running { step: u32::try_from(row.step).unwrap_or(1) };
            let next = if row.silent {
                state.fail(Cause::stuck(), attempts, retry_delays, row.now_ms)
            } else {
                let number = i32::try_from(row.worker).unwrap_or_default();
                // the lock can be acquired only if the worker that held it is dead
                let gone = sqlx::query_scalar!(
                    r#"select pg_try_advisory_xact_lock($1, $2) as "gone!""#,
                    PRESENCE,
                    number
                )
                .fetch_one(&mut *tx)
                .await?;
                if !gone {
                    continue;
                }
                state.lose_worker(attempts)
            };
            if let Ok(next) = next {
                write_state(&mut tx, &row.rid, next).await?;
                recovered += 1;
            }
        }
        tx.commit().await?;
        Ok(recovered)
    }

    /// Returns all accounts with waiting jobs.
    pub(crate) async fn queue_accounts(&self) -> Result<Vec<Waiting>, StoreError> {
        let accounts = sqlx::query_as!(
            Waiting,
            r#"select w.account_id, w.jobs as "jobs!", a.last_turn
               from (select account_id, count(*) as jobs from jobs where state = 'queued'
                     group by account_id) w join accounts a on a.id = w.account_id"#
        );
        Ok(accounts.fetch_all(&self.pool).await?)
    }
}
