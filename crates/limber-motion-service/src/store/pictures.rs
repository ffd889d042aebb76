//! Queue of previews that are still to be rendered.
//!
//! **Shares.** The account with the fewest previews being rendered is next, and among equals the one
//! whose preview was claimed longest ago, with its oldest preview. No account waits for the whole
//! backlog of another.

use limber_api::motion::JobId;
use sqlx::{Postgres, Transaction};

use super::{
    Store, StoreError,
    artifacts::{NewArtifact, put_artifact_row},
    contents::Saving,
};
use crate::jobs::Work;

/// Rendering can crash the worker: a preview is given up after this many attempts.
const MOST_TRIES: i32 = 3;

/// A preview that this worker has claimed.
#[derive(Debug, Clone)]
pub(crate) struct DuePicture {
    pub(crate) rid: JobId,
    pub(crate) number: i32,
}

/// What a preview is rendered from.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) work: Result<Work, String>,
    /// Content id of the canonical clip.
    pub(crate) clip: String,
    /// Length of the exported files, which the preview must match.
    pub(crate) frames: i32,
}

/// Queues a preview for a variant.
pub(super) async fn make_due(
    tx: &mut Transaction<'_, Postgres>,
    rid: &JobId,
    number: i32,
) -> Result<(), StoreError> {
    sqlx::query!(
        "insert into pictures_due (rid, number) values ($1, $2)
         on conflict (rid, number) do update set due_ms = now_ms(), tries = 0, worker = null",
        rid.as_str(),
        number
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

impl Store {
    /// Claims the next preview of a successful job that has been queued for at least `waited_ms`, of
    /// the account whose turn it is.
    pub(crate) async fn claim_picture(
        &self,
        worker: i32,
        waited_ms: i64,
    ) -> Result<Option<DuePicture>, StoreError> {
        let claimed = sqlx::query!(
            r#"with held as (
                 select j.account_id, count(*) as pictures
                 from pictures_due d join jobs j on j.rid = d.rid
                 where d.worker is not null group by j.account_id),
             next as materialized (
                 select d.rid, d.number, a.id as account_id
                 from pictures_due d join jobs j on j.rid = d.rid
                     join accounts a on a.id = j.account_id
                     left join held h on h.account_id = a.id
                 where d.worker is null and d.tries < $2 and d.due_ms <= now_ms() - $3
                     and j.state = 'success'
                 order by coalesce(h.pictures, 0), a.picture_turn, d.due_ms
                 limit 1 for update of d skip locked),
             claimed as (
                 update pictures_due p set worker = w.number, tries = p.tries + 1
                 from workers w, next n
                 where w.number = $1 and p.rid = n.rid and p.number = n.number
                 returning p.rid, p.number, n.account_id),
             served as (
                 update accounts a set picture_turn = nextval('turns')
                 from claimed c where a.id = c.account_id)
             select rid as "rid!", number as "number!" from claimed"#,
            i64::from(worker),
            MOST_TRIES,
            waited_ms
        )
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = claimed else { return Ok(None) };
        let rid = JobId::parse(&row.rid)
            .map_err(|_| StoreError::Unreadable("a job has an invalid id"))?;
        Ok(Some(DuePicture { rid, number: row.number }))
    }

    /// Returns what to render a preview from; `None` if the files of the job were removed.
    pub(crate) async fn subject_of(&self, due: &DuePicture) -> Result<Option<Subject>, StoreError> {
        let row = sqlx::query!(
            "select j.processor, j.spec, v.frames, a.content_id
             from jobs j join variants v on v.rid = j.rid
                 join artifacts a on a.rid = v.rid and a.number = v.number
             where j.rid = $1 and v.number = $2 and a.kind = 'clip' and j.purged_ms is null",
            due.rid.as_str(),
            due.number
        )
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|row| Subject {
            work: Work::read(&row.processor, row.spec),
            clip: row.content_id,
            frames: row.frames,
        }))
    }

    /// Returns a preview to the end of its account's queue; the attempt does not count.
    pub(crate) async fn put_off_picture(&self, due: &DuePicture) -> Result<(), StoreError> {
        sqlx::query!(
            "update pictures_due set worker = null, tries = tries - 1, due_ms = now_ms()
             where rid = $1 and number = $2",
            due.rid.as_str(),
            due.number
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Gives up a preview.
    pub(crate) async fn forget_picture(&self, due: &DuePicture) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await?;
        no_longer_due(&mut tx, due).await?;
        Ok(tx.commit().await?)
    }
}

impl Saving<'_> {
    /// Records a preview, unless the files of its job were removed in the meantime.
    pub(crate) async fn put_picture(
        self,
        due: &DuePicture,
        picture: &NewArtifact<'_>,
    ) -> Result<(), StoreError> {
        let mut tx = self.0;
        let has_files = sqlx::query_scalar!(
            "select rid from jobs where rid = $1 and state = 'success' and purged_ms is null
             for share",
            due.rid.as_str()
        )
        .fetch_optional(&mut *tx)
        .await?;
        if has_files.is_some() {
            put_artifact_row(&mut tx, &due.rid, due.number, picture).await?;
        }
        no_longer_due(&mut tx, due).await?;
        Ok(tx.commit().await?)
    }
}

async fn no_longer_due(
    tx: &mut Transaction<'_, Postgres>,
    due: &DuePicture,
) -> Result<(), StoreError> {
    sqlx::query!(
        "delete from pictures_due where rid = $1 and number = $2",
        due.rid.as_str(),
        due.number
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
