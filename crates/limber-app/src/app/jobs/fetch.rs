//! Downloading results. If a service charges for results, their price is checked first, and they
//! are paid for only with the user's consent.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, Utc};
use limber_client::motion::{
    DownloadEntry, FetchLimits, JobId, JobSummary, ListFilter, MotionError, VariantEntry, VariantId,
};
use limber_domain::{limits::MAX_VARIANTS, lock};
use limber_pipeline::corrections::Corrections;

use super::super::{App, Services};
use crate::{
    AppError, ErrorCode, Notice,
    journal::{Entry, Outcome},
    library::{CANONICAL, Clip, ClipFile, ClipId, METRICS, PICTURE},
    views::JobState,
};

/// Files that the library keeps of each variant: extension, name in the service, and whether it is
/// required. Older services write no FBX and no canonical motion, and the thumbnail may come later.
const FILES: [(&str, &str, bool); 6] = [
    ("glb", "glb", true),
    ("bvh", "bvh", true),
    ("fbx", "fbx_raw", false),
    (PICTURE, "png", false),
    (METRICS, "json", false),
    (CANONICAL, "clip", false),
];
/// Number of recent jobs among which a job that just ended is looked up first.
const NEWEST: u32 = 200;

/// Whether credits may be spent on results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// The user agreed.
    Given,
    /// The user has not been asked yet.
    Withheld,
}

impl App {
    /// Pays for a finished job's results and downloads them.
    ///
    /// # Errors
    /// If the job is unknown, or the service does not answer. The job then keeps its state.
    pub async fn pay_for_job(&self, id: &str) -> Result<(), AppError> {
        let services = self.services_of_signed_in()?;
        let unknown = || AppError::new(ErrorCode::NotFound, Notice::JobUnknown);
        let id = JobId::parse(id).map_err(|_| unknown())?;
        let entry = self.inner.journal.find(&id).ok_or_else(unknown)?;
        let is_coming = lock(&self.inner.job_states).contains_key(&id);
        if is_coming || !matches!(entry.outcome, Outcome::Unpaid { .. }) {
            return Ok(());
        }
        self.show_live(&entry, JobState::Fetching);
        match self.bring_home(&services, &entry, Consent::Given).await {
            Ok(outcome) => self.end(entry, outcome),
            Err(error) => {
                lock(&self.inner.job_states).remove(&id);
                self.inner.environment.events.job(&entry.view(None));
                Err(error.into())
            }
        }
    }

    /// Downloads every variant of a finished job into the library.
    pub(super) async fn bring_home(
        &self,
        services: &Arc<Services>,
        entry: &Entry,
        consent: Consent,
    ) -> Result<Outcome, MotionError> {
        if let Some(destination) = &entry.video {
            return self.fetch_video(services, entry, destination).await;
        }
        let Some(summary) = find_summary(services, &entry.id).await? else {
            return Ok(gone());
        };
        let (mut arrived, mut credits, mut available) = (0, 0.0, 0.0);
        for number in summary.variants.iter().flat_map(|variants| variants.keys()) {
            let Some(variant) = number.parse().ok().and_then(VariantId::new) else { continue };
            let id = ClipId { job: entry.id.clone(), variant };
            if self.inner.library.knows(&id) {
                arrived += 1;
                continue;
            }
            let mut links = services.motion.peek(&id.job, id.variant).await?;
            if price(&links).is_some() && consent == Consent::Given {
                links = services.motion.links(&id.job, id.variant).await?;
            }
            if let Some(price) = price(&links) {
                credits += price;
                available = links.available.unwrap_or_default();
            } else if self.fetch_clip(services, entry, &summary, id, &links).await? {
                arrived += 1;
            }
        }
        Ok(match arrived {
            _ if credits > 0.0 => Outcome::Unpaid { credits, available },
            0 => gone(),
            _ => Outcome::Done,
        })
    }

    /// Downloads one variant. Returns `false` if the service no longer has its files.
    async fn fetch_clip(
        &self,
        services: &Arc<Services>,
        entry: &Entry,
        summary: &JobSummary,
        id: ClipId,
        links: &DownloadEntry,
    ) -> Result<bool, MotionError> {
        let number = id.variant.get().to_string();
        let Some(known) = summary.variants.as_ref().and_then(|all| all.get(&number)) else {
            return Ok(false);
        };
        let mut files = BTreeMap::new();
        for (ending, kind, needed) in FILES {
            let thumb = known.thumb.as_deref().filter(|_| kind == "png");
            let Some(url) = links.url(kind).or(thumb) else {
                if needed {
                    return Ok(false);
                }
                continue;
            };
            match self.fetch_file(services, url, &id, ending).await {
                Ok(file) => drop(files.insert(ending.to_owned(), file)),
                Err(error) if needed => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, kind, "a file of a clip could not be downloaded");
                }
            }
        }
        // all variants share one time, so that a new one does not reorder those already shown
        let sibling = self.inner.library.made_at(&id.job);
        let made_at = sibling.unwrap_or_else(|| self.inner.environment.clock.now());
        let mut clip = clip_of(entry, summary, known, (id, made_at), files);
        let (measured, app) = (clip.clone(), self.clone());
        let quality = tokio::task::spawn_blocking(move || app.inner.library.quality(&measured));
        clip.quality = quality.await.ok().flatten();
        if let Some(kept) = corrections_of(links) {
            self.inner.library.arrives_with(&clip.id, kept).map_err(MotionError::Disk)?;
        }
        let (name, has_picture) = (clip.id.to_string(), clip.files.contains_key(PICTURE));
        self.inner.library.add(clip).map_err(MotionError::Disk)?;
        self.inner.environment.events.library(&[name]);
        if !has_picture {
            self.inner.missing_thumbnails.notify_one();
        }
        Ok(true)
    }

    async fn fetch_file(
        &self,
        services: &Services,
        url: &str,
        id: &ClipId,
        ending: &str,
    ) -> Result<ClipFile, MotionError> {
        let to = self.inner.library.path(id, ending);
        let fetched = services.motion.fetch(url, &to, FetchLimits::default()).await?;
        Ok(fetched.into())
    }
}

/// Builds the library record of a variant whose files have been downloaded.
fn clip_of(
    entry: &Entry,
    summary: &JobSummary,
    known: &VariantEntry,
    (id, made_at): (ClipId, DateTime<Utc>),
    files: BTreeMap<String, ClipFile>,
) -> Clip {
    let script = summary.parameters.get("script").and_then(serde_json::Value::as_str);
    let variants = summary.variants.as_ref().and_then(|all| u32::try_from(all.len()).ok());
    Clip {
        id,
        variants: variants.unwrap_or(MAX_VARIANTS),
        prompt: entry.prompt.clone(),
        name: entry.name.clone(),
        character_id: entry.character_id.clone(),
        character_name: entry.character_name.clone(),
        frames: known.frames,
        fps: known.fps,
        seed: (!known.seed.is_empty()).then(|| known.seed.clone()),
        script: script.map(str::to_owned),
        made_at,
        origin: entry.origin.clone(),
        quality: None,
        tags: vec![],
        told: entry.warnings.clone(),
        files,
    }
}

/// Returns the manual corrections that the files already contain, inherited from the source clips.
fn corrections_of(links: &DownloadEntry) -> Option<Corrections> {
    let told = links.parameters.as_ref()?.get("resultCorrections")?;
    match Corrections::from_value(told) {
        Ok(corrections) => Some(corrections).filter(|corrections| !corrections.is_empty()),
        Err(error) => {
            tracing::warn!(%error, "corrections from a newer version cannot be read");
            None
        }
    }
}

/// Returns the price of a variant that is not paid for yet.
fn price(links: &DownloadEntry) -> Option<f64> {
    let is_closed = links.variant_download_status == Some(false);
    links.required.filter(|credits| is_closed && *credits > 0.0)
}

async fn find_summary(services: &Services, id: &JobId) -> Result<Option<JobSummary>, MotionError> {
    for limit in [Some(NEWEST), None] {
        let list = services.motion.list(&ListFilter { limit, ..ListFilter::default() }).await?;
        if let Some(summary) = list.into_iter().find(|summary| summary.rid == *id) {
            return Ok(Some(summary));
        }
    }
    Ok(None)
}

fn gone() -> Outcome {
    Outcome::failed(Notice::JobFilesGone)
}

#[cfg(test)]
mod tests {
    use limber_client::motion::Message;
    use serde_json::json;

    use super::*;
    use crate::{MessageView, library::ClipName, views::ChangeKind};

    #[test]
    fn a_clip_keeps_its_jobs_name_and_warnings() {
        let job = JobId::parse("job-000000000001").expect("an id");
        let passed = Message::UnknownWord { word: "hat".into(), nearest: vec![] };
        let made_at = DateTime::from_timestamp(5, 0).expect("a time");
        let entry = Entry {
            id: job.clone(),
            studio: "here".into(),
            prompt: "walks with a hat".into(),
            name: ClipName::parse("Hero walk · looped").expect("it is short"),
            character_id: "ada".into(),
            character_name: "Ada".into(),
            variants: 2,
            made_at,
            origin: Some(crate::library::Origin::new(vec![], ChangeKind::Looped)),
            video: None,
            asked: None,
            warnings: vec![MessageView::from(&passed)],
            outcome: Outcome::Open,
        };
        let summary: JobSummary = serde_json::from_value(json!({
            "rid": job, "processor": "text2motion", "status": "SUCCESS",
            "parameters": { "script": "walk dir:forward loop:true" },
            "processingInfo": { "queuedAt": 1, "attempts": 1, "stages": [], "version": "0" },
            "variants": {
                "1": { "download": true, "frames": 90, "fps": 30, "seed": "7" },
                "2": { "download": true, "frames": 80, "fps": 30 }
            },
            "chargedAmount": 0.0, "ctime": 1, "mtime": 2
        }))
        .expect("a summary");
        let id = ClipId { job, variant: VariantId::FIRST };
        let known = &summary.variants.as_ref().expect("two")["1"];
        let clip = clip_of(&entry, &summary, known, (id, made_at), BTreeMap::new());
        assert_eq!((clip.title(), clip.told.as_slice()), ("Hero walk · looped", &*entry.warnings));
        assert_eq!((clip.variants, clip.frames, clip.seed.as_deref()), (2, 90, Some("7")));
        assert_eq!(clip.script.as_deref(), Some("walk dir:forward loop:true"));
    }

    #[test]
    fn only_paid_locked_variants_need_approval() {
        let entry = |status: Option<bool>, required: Option<f64>| {
            let told = json!({ "rid": "job-000000000001", "variantDownloadStatus": status, "required": required });
            price(&serde_json::from_value(told).expect("an entry"))
        };
        assert_eq!(entry(Some(false), Some(2.5)), Some(2.5));
        // paid for, or free of charge
        assert_eq!(entry(Some(true), None), None);
        assert_eq!(entry(Some(true), Some(2.5)), None);
        // no such variant, or its files have been removed
        assert_eq!(entry(Some(false), None), None);
        assert_eq!(entry(None, None), None);
    }
}
