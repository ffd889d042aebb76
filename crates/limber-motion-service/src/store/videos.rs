//! Videos, as listed with the jobs whose clips they show.

use super::{Store, StoreError, rows::state_of};
use crate::jobs::JobState;

/// A render job.
#[derive(Debug, Clone)]
pub(crate) struct VideoRow {
    pub(crate) rid: String,
    /// `rid/variant` of the clip.
    pub(crate) source: String,
    pub(crate) state: JobState,
    pub(crate) backdrop: Option<String>,
    pub(crate) ctime: i64,
    /// Its files have been removed.
    pub(crate) purged: bool,
}

impl Store {
    /// Returns this account's videos of these clips, each given as `rid/variant`; newest first.
    pub(crate) async fn videos_of(
        &self,
        account: &str,
        clips: &[String],
    ) -> Result<Vec<VideoRow>, StoreError> {
        let rows = sqlx::query!(
            r#"select rid, sources[1] as "source!", state, step, retry_at_ms, cause, ctime,
                    spec #>> '{film,backdrop}' as backdrop, purged_ms is not null as "purged!"
             from jobs where account_id = $1 and processor = 'render' and sources && $2
             order by ctime desc, rid desc"#,
            account,
            clips
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(VideoRow {
                    state: state_of(&row.state, row.step, row.retry_at_ms, row.cause.as_ref())?,
                    rid: row.rid,
                    source: row.source,
                    backdrop: row.backdrop,
                    ctime: row.ctime,
                    purged: row.purged,
                })
            })
            .collect()
    }
}
