//! The table `jobs`, as clients see it.

use std::collections::HashMap;

use limber_api::motion::{BillingPeriod, JobId};
use serde_json::{Map, Value};
use sqlx::{Postgres, Transaction};

use super::{
    Store, StoreError,
    credits::{reserve, settle},
    rows::{JobRow, StateColumns, VariantRow, state_of},
    turns::{self, Turn},
};
use crate::{
    credits::{Short, Terms},
    jobs::{InvalidTransition, JobState, Work},
};

/// How long an idempotency key is remembered.
pub(super) const IDEMPOTENCY_LIFE_MS: i64 = 24 * 3600 * 1000;

/// A job to store.
#[derive(Debug)]
pub(crate) struct NewJob<'a> {
    pub(crate) rid: &'a JobId,
    pub(crate) account: &'a str,
    pub(crate) work: &'a Work,
    pub(crate) parameters: &'a Map<String, Value>,
    pub(crate) max_queued: u32,
    /// Credits to reserve, in the current period; `None` if nothing is charged.
    pub(crate) terms: Option<(Terms, BillingPeriod, i64)>,
    /// Trace context of the request, if it is traced.
    pub(crate) trace: Option<&'a str>,
    /// Idempotency key, and SHA-256 of the body.
    pub(crate) idempotency: Option<(&'a str, &'a [u8])>,
}

/// Outcome of storing a [`NewJob`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Insertion {
    Stored,
    /// The idempotency key was used before.
    Earlier(Earlier),
    QueueFull,
    /// Not enough credits.
    Unpaid(Short),
}

/// The earlier use of an idempotency key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Earlier {
    /// The same request, which created this job.
    Same(JobId),
    /// A different request.
    Other,
}

/// Outcome of cancelling a job.
#[derive(Debug)]
pub(crate) enum Cancelling {
    Cancelled,
    Unknown,
    Refused(InvalidTransition),
}

/// Selects jobs to list.
#[derive(Debug, Default)]
pub(crate) struct JobFilter {
    /// Values of the `state` column; empty selects all.
    pub(crate) states: Vec<String>,
    pub(crate) processor: Option<String>,
    pub(crate) before: Option<(i64, String)>,
    pub(crate) search: Option<String>,
    pub(crate) limit: i64,
}

impl Store {
    /// Returns how the key was used before, given the SHA-256 of the new request's body.
    pub(crate) async fn earlier_job(
        &self,
        account: &str,
        (key, body): (&str, &[u8]),
    ) -> Result<Option<Earlier>, StoreError> {
        let mut tx = self.pool.begin().await?;
        known_key(&mut tx, account, key, body).await
    }

    /// Stores the job with its idempotency key and credit reservation, in one transaction.
    pub(crate) async fn insert_job(&self, job: &NewJob<'_>) -> Result<Insertion, StoreError> {
        let mut tx = self.pool.begin().await?;
        turns::wait_for(Turn::Jobs, job.account, &mut tx).await?;
        if let Some((key, body)) = job.idempotency {
            forget_old_keys(&mut tx, job.account).await?;
            if let Some(earlier) = known_key(&mut tx, job.account, key, body).await? {
                return Ok(Insertion::Earlier(earlier));
            }
        }
        let queued = sqlx::query_scalar!(
            r#"select count(*) as "count!" from jobs where account_id = $1 and state = 'queued'"#,
            job.account
        )
        .fetch_one(&mut *tx)
        .await?;
        if queued >= i64::from(job.max_queued) {
            return Ok(Insertion::QueueFull);
        }
        let sources = job.work.sources();
        let spec = job.work.to_value().map_err(|_| StoreError::Unreadable("a job spec"))?;
        sqlx::query!(
            "insert into jobs (rid, account_id, processor, spec, parameters, version, sources, trace)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
            job.rid.as_str(),
            job.account,
            job.work.processor(),
            spec,
            Value::Object(job.parameters.clone()),
            crate::VERSION,
            &sources,
            job.trace
        )
        .execute(&mut *tx)
        .await?;
        if let Some((terms, period, now_ms)) = job.terms {
            let whose = (job.account, job.rid.as_str());
            if let Err(short) = reserve(&mut tx, whose, terms, (period, now_ms)).await? {
                return Ok(Insertion::Unpaid(short));
            }
        }
        if let Some((key, body)) = job.idempotency {
            sqlx::query!(
                "insert into idempotency_keys (account_id, key, body_sha256, rid) values ($1, $2, $3, $4)",
                job.account,
                key,
                body,
                job.rid.as_str()
            )
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
        Ok(Insertion::Stored)
    }

    /// Returns this account's jobs among `rids`, in no particular order.
    pub(crate) async fn find_jobs(
        &self,
        account: &str,
        rids: &[String],
    ) -> Result<Vec<JobRow>, StoreError> {
        let rows = sqlx::query_as!(
            JobRow,
            r#"select rid, processor, parameters, state, attempts, step, worker_name, retry_at_ms, cause,
                    earlier_stages || stages as "stages!", charged_tenths, version, sources, ctime, mtime,
                    started_ms, finished_ms, purged_ms,
                    case when state = 'queued' then
                        (select count(*) from jobs b where b.account_id = j.account_id
                           and b.state = 'queued' and b.place <= j.place) end as rank
             from jobs j where account_id = $1 and rid = any($2)"#,
            account,
            rids
        );
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// Returns this account's jobs that match the filter, newest first. Their parameters lack
    /// corrections, which would make the response too large for up to a thousand jobs.
    pub(crate) async fn list_jobs(
        &self,
        account: &str,
        filter: &JobFilter,
    ) -> Result<Vec<JobRow>, StoreError> {
        let (before_ms, before_rid) = filter.before.clone().unzip();
        let rows = sqlx::query_as!(
            JobRow,
            r#"select rid, processor,
                    parameters - '{corrections,resultCorrections}'::text[]
                        #- '{mergingRequest,corrections}' as "parameters!",
                    state, attempts, step, worker_name, retry_at_ms, cause,
                    earlier_stages || stages as "stages!", charged_tenths, version, sources, ctime, mtime,
                    started_ms, finished_ms, purged_ms,
                    null::bigint as rank
             from jobs
             where account_id = $1
               and (cardinality($2::text[]) = 0 or state = any($2))
               and ($3::text is null or processor = $3)
               and ($4::bigint is null or (ctime, rid) < ($4, $5))
               and ($6::text is null
                    or position(lower($6) in lower(coalesce(parameters ->> 'prompt', ''))) > 0)
             order by ctime desc, rid desc
             limit $7"#,
            account,
            &filter.states,
            filter.processor.as_deref(),
            before_ms,
            before_rid,
            filter.search.as_deref(),
            filter.limit
        );
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// Returns this account's jobs that ended since then, earliest first. If there are more than
    /// `most`, returns the latest ones.
    pub(crate) async fn ended_since(
        &self,
        account: &str,
        since_ms: i64,
        most: i64,
    ) -> Result<Vec<String>, StoreError> {
        let mut rids = sqlx::query_scalar!(
            "select rid from jobs where account_id = $1 and finished_ms >= $2
             order by finished_ms desc, rid desc limit $3",
            account,
            since_ms,
            most
        )
        .fetch_all(&self.pool)
        .await?;
        rids.reverse();
        Ok(rids)
    }

    /// Returns the variants of several jobs, by job and in order.
    pub(crate) async fn variants_of(
        &self,
        rids: &[String],
    ) -> Result<HashMap<String, Vec<VariantRow>>, StoreError> {
        let rows = sqlx::query_as!(
            VariantRow,
            "select rid, number, seed, frames, fps, metrics, cause
             from variants where rid = any($1) order by rid, number",
            rids
        )
        .fetch_all(&self.pool)
        .await?;
        let mut by_job: HashMap<String, Vec<VariantRow>> = HashMap::new();
        for row in rows {
            by_job.entry(row.rid.clone()).or_default().push(row);
        }
        Ok(by_job)
    }

    /// Cancels a job of this account.
    pub(crate) async fn cancel_job(
        &self,
        account: &str,
        rid: &JobId,
    ) -> Result<Cancelling, StoreError> {
        let mut tx = self.pool.begin().await?;
        let row = sqlx::query!(
            "select state, step, retry_at_ms, cause from jobs
             where rid = $1 and account_id = $2 for update",
            rid.as_str(),
            account
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(Cancelling::Unknown) };
        let before = state_of(&row.state, row.step, row.retry_at_ms, row.cause.as_ref())?;
        match before.clone().cancel() {
            Ok(after) if after == before => Ok(Cancelling::Cancelled),
            Ok(after) => {
                write_state(&mut tx, rid.as_str(), after).await?;
                tx.commit().await?;
                Ok(Cancelling::Cancelled)
            }
            Err(refusal) => Ok(Cancelling::Refused(refusal)),
        }
    }
}

/// Deletes expired idempotency keys.
async fn forget_old_keys(
    tx: &mut Transaction<'_, Postgres>,
    account: &str,
) -> Result<(), StoreError> {
    sqlx::query!(
        "delete from idempotency_keys where account_id = $1 and created_ms < now_ms() - $2",
        account,
        IDEMPOTENCY_LIFE_MS
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns how the key was used before, if it has not expired.
async fn known_key(
    tx: &mut Transaction<'_, Postgres>,
    account: &str,
    key: &str,
    body: &[u8],
) -> Result<Option<Earlier>, StoreError> {
    let known = sqlx::query!(
        "select body_sha256, rid from idempotency_keys
         where account_id = $1 and key = $2 and created_ms >= now_ms() - $3",
        account,
        key,
        IDEMPOTENCY_LIFE_MS
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(match known {
        None => None,
        Some(known) if known.body_sha256 == body => Some(Earlier::Same(
            JobId::parse(&known.rid)
                .map_err(|_| StoreError::Unreadable("a job has an invalid id"))?,
        )),
        Some(_) => Some(Earlier::Other),
    })
}

/// Writes the columns of any state except running, and settles the reservation if the job has
/// ended. What a running attempt was last known to do lasts until now, so that none of its time is
/// unaccounted for. The caller holds a lock on the row.
pub(super) async fn write_state(
    tx: &mut Transaction<'_, Postgres>,
    rid: &str,
    state: JobState,
) -> Result<(), StoreError> {
    let state = match state {
        JobState::Finished(_) => settle(tx, rid, state).await?,
        unfinished => unfinished,
    };
    let columns = StateColumns::of(&state);
    sqlx::query!(
        "update jobs set state = $2, step = $3, retry_at_ms = $4, cause = $5, mtime = t.now_ms,
             finished_ms = case when $6 then t.now_ms end,
             stages = case when lease is null then stages else coalesce(
                 jsonb_set(stages, '{-1,durationMs}', to_jsonb(
                     greatest(t.now_ms - (stages #>> '{-1,startedAt}')::bigint, 0))),
                 stages) end,
             lease = null, heartbeat_ms = null, worker = null
         from now_ms() as t(now_ms) where rid = $1",
        rid,
        columns.word,
        columns.step,
        columns.retry_at_ms,
        columns.cause,
        columns.finished
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
