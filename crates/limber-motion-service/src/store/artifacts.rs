//! The tables `variants` and `artifacts`: the results of jobs.

use limber_api::motion::{JobId, VariantMetrics};

use super::{
    Store, StoreError, contents::Saving, jobs::IDEMPOTENCY_LIFE_MS, pictures, queue::Taken,
};
use crate::jobs::{Cause, InvalidTransition};

/// A row of `artifacts`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArtifactRow {
    pub(crate) rid: String,
    pub(crate) number: i32,
    pub(crate) kind: String,
    pub(crate) content_id: String,
    pub(crate) bytes: i64,
    pub(crate) file_name: String,
}

/// A file to record.
#[derive(Debug, Clone)]
pub(crate) struct NewArtifact<'a> {
    pub(crate) kind: &'a str,
    pub(crate) content_id: &'a str,
    pub(crate) bytes: usize,
    pub(crate) file_name: &'a str,
}

/// Properties of a finished variant.
#[derive(Debug, Clone)]
pub(crate) struct VariantFacts {
    pub(crate) frames: usize,
    pub(crate) fps: u16,
    /// `None` for videos.
    pub(crate) metrics: Option<VariantMetrics>,
}

/// Outcome of removing a job's files.
#[derive(Debug)]
pub(crate) enum Purging {
    /// Removed from the job; these contents may be unreferenced now.
    Purged(Vec<String>),
    Unknown,
    Refused(InvalidTransition),
}

/// Records files that were written while this guard was held, in the transaction that protects them
/// from removal. If the transaction was lost, nothing is recorded, so no job succeeds with files
/// that do not exist.
impl Saving<'_> {
    /// Records a variant's canonical clip. Returns false if the lease is lost.
    pub(crate) async fn put_clip(
        self,
        job: &Taken,
        number: u32,
        seed: &str,
        clip: &NewArtifact<'_>,
    ) -> Result<bool, StoreError> {
        let mut tx = self.0;
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        let changed = sqlx::query!(
            "insert into variants (rid, number, seed)
             select rid, $3, $4 from jobs where rid = $1 and lease = $2
             on conflict (rid, number) do update set seed = excluded.seed, cause = null",
            job.rid.as_str(),
            job.lease,
            number,
            seed
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Ok(false);
        }
        put_artifact_row(&mut tx, &job.rid, number, clip).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Records a variant's properties and files, and whether a preview is to be rendered. Returns
    /// false if the lease is lost.
    pub(crate) async fn put_outputs(
        self,
        job: &Taken,
        number: u32,
        facts: &VariantFacts,
        files: &[NewArtifact<'_>],
        picture: bool,
    ) -> Result<bool, StoreError> {
        let mut tx = self.0;
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        let changed = sqlx::query!(
            "update variants v set frames = $4, fps = $5, metrics = $6, cause = null
             from jobs j where j.rid = v.rid and v.rid = $1 and v.number = $2 and j.lease = $3",
            job.rid.as_str(),
            number,
            job.lease,
            i32::try_from(facts.frames).unwrap_or(i32::MAX),
            i32::from(facts.fps),
            facts.metrics.and_then(|metrics| serde_json::to_value(metrics).ok())
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Ok(false);
        }
        for file in files {
            put_artifact_row(&mut tx, &job.rid, number, file).await?;
        }
        if picture {
            pictures::make_due(&mut tx, &job.rid, number).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// Records a video. Returns false if the lease is lost.
    pub(crate) async fn put_video(
        self,
        job: &Taken,
        facts: &VariantFacts,
        video: &NewArtifact<'_>,
    ) -> Result<bool, StoreError> {
        let mut tx = self.0;
        let changed = sqlx::query!(
            "insert into variants (rid, number, seed, frames, fps)
             select rid, 1, '', $3, $4 from jobs where rid = $1 and lease = $2
             on conflict (rid, number) do update set frames = excluded.frames, fps = excluded.fps,
                 cause = null",
            job.rid.as_str(),
            job.lease,
            i32::try_from(facts.frames).unwrap_or(i32::MAX),
            i32::from(facts.fps)
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Ok(false);
        }
        put_artifact_row(&mut tx, &job.rid, 1, video).await?;
        tx.commit().await?;
        Ok(true)
    }
}

impl Store {
    /// Records that a variant failed and has no files. Returns false if the lease is lost.
    pub(crate) async fn put_failed_variant(
        &self,
        job: &Taken,
        number: u32,
        seed: &str,
        cause: &Cause,
    ) -> Result<bool, StoreError> {
        let cause = serde_json::to_value(cause).ok();
        let changed = sqlx::query!(
            "insert into variants (rid, number, seed, cause)
             select rid, $3, $4, $5 from jobs where rid = $1 and lease = $2
             on conflict (rid, number) do update set cause = excluded.cause",
            job.rid.as_str(),
            job.lease,
            i32::try_from(number).unwrap_or(i32::MAX),
            seed,
            cause
        )
        .execute(&self.pool)
        .await?;
        Ok(changed.rows_affected() == 1)
    }

    /// Returns all files of these jobs, including canonical clips.
    pub(crate) async fn artifacts_of(
        &self,
        rids: &[String],
    ) -> Result<Vec<ArtifactRow>, StoreError> {
        let rows = sqlx::query_as!(
            ArtifactRow,
            "select rid, number, kind, content_id, bytes, file_name
             from artifacts where rid = any($1) order by rid, number, kind",
            rids
        );
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// Removes a job's files earlier than [`Self::retire`] would. As there, files that unfinished
    /// jobs start from stay in the store: the removal of contents checks that nothing refers to
    /// them.
    pub(crate) async fn purge_job(
        &self,
        account: &str,
        rid: &JobId,
    ) -> Result<Purging, StoreError> {
        let rid = rid.to_string();
        let rows = self.find_jobs(account, std::slice::from_ref(&rid)).await?;
        let Some(row) = rows.first() else { return Ok(Purging::Unknown) };
        // no lock is needed, because an ended job never changes its state again
        if let Err(refusal) = row.state()?.may_be_purged() {
            return Ok(Purging::Refused(refusal));
        }
        let contents = sqlx::query_scalar!(
            "with purged as (update jobs set purged_ms = now_ms()
                 where rid = $1 and purged_ms is null returning rid)
             delete from artifacts where rid in (select rid from purged) returning content_id",
            rid.as_str()
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(Purging::Purged(contents))
    }

    /// Applies the retention periods (see `docs/src/operate/motion-files.md`): deletes the rows of
    /// failed jobs, the files of old videos, and the files of clips after `keep_days`. Returns
    /// contents that may be unreferenced now.
    pub(crate) async fn retire(&self, keep_days: u16) -> Result<Vec<String>, StoreError> {
        const DAY_MS: i64 = 24 * 3600 * 1000;
        const VIDEOS_MS: i64 = 90 * DAY_MS;
        let clips_ms = i64::from(keep_days) * DAY_MS;
        let rows_ms = clips_ms.max(365 * DAY_MS);
        let mut tx = self.pool.begin().await?;
        let gone = sqlx::query_scalar!(
            "select distinct a.content_id from artifacts a join jobs j on j.rid = a.rid
             where (j.state in ('failure', 'cancelled') and j.finished_ms < now_ms() - $1)
                or (j.state = 'success' and j.finished_ms
                    < now_ms() - case j.processor when 'render' then $2::bigint else $3 end)",
            7 * DAY_MS,
            VIDEOS_MS,
            clips_ms
        )
        .fetch_all(&mut *tx)
        .await?;
        sqlx::query!(
            "delete from jobs where (state in ('failure', 'cancelled') and finished_ms < now_ms() - $1)
                or (state = 'success' and finished_ms < now_ms() - $2)",
            7 * DAY_MS,
            rows_ms
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!(
            "with purged as (update jobs set purged_ms = now_ms()
                 where state = 'success' and purged_ms is null and finished_ms
                    < now_ms() - case processor when 'render' then $1::bigint else $2 end
                 returning rid)
             delete from artifacts where rid in (select rid from purged)",
            VIDEOS_MS,
            clips_ms
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!(
            "delete from idempotency_keys where created_ms < now_ms() - $1",
            IDEMPOTENCY_LIFE_MS
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(gone)
    }
}

pub(super) async fn put_artifact_row(
    tx: &mut sqlx::Transaction<'_, sqlx::Postgres>,
    rid: &JobId,
    number: i32,
    artifact: &NewArtifact<'_>,
) -> Result<(), StoreError> {
    sqlx::query!(
        "insert into artifacts (rid, number, kind, content_id, bytes, file_name)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (rid, number, kind) do update set content_id = excluded.content_id,
             bytes = excluded.bytes, file_name = excluded.file_name",
        rid.as_str(),
        number,
        artifact.kind,
        artifact.content_id,
        i64::try_from(artifact.bytes).unwrap_or(i64::MAX),
        artifact.file_name
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
