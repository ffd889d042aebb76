//! Clips of earlier jobs, as sources of edits and videos.

use limber_api::motion::{JobId, VariantId};

use super::{Store, StoreError, rows::state_of};
use crate::jobs::{JobSpec, JobState};

/// A variant of an earlier job.
#[derive(Debug)]
pub(crate) struct SourceRow {
    pub(crate) spec: Result<JobSpec, String>,
    pub(crate) state: JobState,
    /// Its files have been removed.
    pub(crate) purged: bool,
    /// Content id of the canonical clip, and number of frames and frame rate of the files; `None`
    /// if there is no such variant.
    pub(crate) clip: Option<(String, usize, u16)>,
    /// Content id of its GLB, if the job exported one.
    pub(crate) glb: Option<String>,
}

impl Store {
    /// Returns a job of this account with one of its variants.
    pub(crate) async fn find_source(
        &self,
        account: &str,
        rid: &JobId,
        variant: VariantId,
    ) -> Result<Option<SourceRow>, StoreError> {
        let row = sqlx::query!(
            r#"select j.spec, j.state, j.step, j.retry_at_ms, j.cause,
                    j.purged_ms is not null as "purged!",
                    v.frames as "frames?", v.fps as "fps?", a.content_id as "content?",
                    g.content_id as "glb?"
             from jobs j
             left join variants v on v.rid = j.rid and v.number = $3 and v.cause is null
             left join artifacts a on a.rid = v.rid and a.number = v.number and a.kind = 'clip'
             left join artifacts g on g.rid = v.rid and g.number = v.number and g.kind = 'glb'
             where j.account_id = $1 and j.rid = $2 and j.processor = 'text2motion'"#,
            account,
            rid.as_str(),
            i32::try_from(variant.get()).unwrap_or(i32::MAX)
        )
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let clip = row.content.zip(row.frames).zip(row.fps).map(|((content, frames), fps)| {
            (content, usize::try_from(frames).unwrap_or(0), u16::try_from(fps).unwrap_or(30))
        });
        Ok(Some(SourceRow {
            spec: JobSpec::read(row.spec),
            state: state_of(&row.state, row.step, row.retry_at_ms, row.cause.as_ref())?,
            purged: row.purged,
            clip,
            glb: row.glb,
        }))
    }
}
