//! Videos, as listed in the download entries of the jobs whose clips they show.

use std::collections::HashMap;

use limber_api::motion::{FileGroup, JobId, RenderEntry, VariantId};

use super::{ApiError, caller::Caller, download::group, summary::wire_status};
use crate::{
    StoreError,
    service::Service,
    store::{artifacts::ArtifactRow, rows::VariantRow, videos::VideoRow},
};

/// The videos of several jobs' clips, with their files.
#[derive(Debug)]
pub(super) struct Videos {
    rows: Vec<VideoRow>,
    files: Vec<ArtifactRow>,
}

impl Videos {
    /// Loads the videos of these variants.
    pub(super) async fn of(
        service: &Service,
        caller: &Caller,
        made: &HashMap<String, Vec<VariantRow>>,
    ) -> Result<Self, ApiError> {
        let clips: Vec<String> =
            made.values().flatten().map(|row| format!("{}/{}", row.rid, row.number)).collect();
        let rows = service.store.videos_of(caller.account.as_str(), &clips).await?;
        let rids: Vec<String> = rows.iter().map(|row| row.rid.clone()).collect();
        let files = service.store.artifacts_of(&rids).await?;
        Ok(Self { rows, files })
    }

    /// Returns all videos of a job, newest first, and the files of those that show this variant.
    pub(super) fn about(
        &self,
        service: &Service,
        rid: &str,
        variant: VariantId,
    ) -> Result<(Vec<RenderEntry>, Vec<FileGroup>), StoreError> {
        let (mut entries, mut groups) = (Vec::new(), Vec::new());
        for row in &self.rows {
            let Some((job, number)) = row.source.split_once('/') else { continue };
            let shown = number.parse().ok().and_then(VariantId::new);
            let (true, Some(shown)) = (job == rid, shown) else { continue };
            let render_job = JobId::parse(&row.rid)
                .map_err(|_| StoreError::Unreadable("a job has an invalid id"))?;
            let files: Vec<&ArtifactRow> =
                self.files.iter().filter(|file| file.rid == row.rid).collect();
            if shown == variant && !row.purged {
                let name = format!("render_{render_job}");
                let made = group(service, &files).into_iter();
                groups.extend(made.map(|made| FileGroup { name: name.clone(), ..made }));
            }
            entries.push(RenderEntry {
                rid: render_job,
                variant_id: shown,
                status: wire_status(&row.state),
                ctime: row.ctime,
                backdrop: row.backdrop.clone(),
            });
        }
        Ok((entries, groups))
    }
}
