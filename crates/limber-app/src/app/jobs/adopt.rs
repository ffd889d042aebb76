//! Adopts jobs that the service has but the journal has not, because the app was killed right after
//! submission.

use std::sync::Arc;

use chrono::DateTime;
use limber_client::motion::{JobSummary, ListFilter};
use serde_json::Value;

use super::super::{App, HERE, Services};
use crate::journal::{Entry, Outcome};

/// Number of recent jobs to check; only the newest can be missing.
const LOOK_BACK: u32 = 50;

impl App {
    /// Adds unknown jobs to the journal. Only for the local studio, where every job is ours; on a
    /// server, other programs may use the same account.
    pub(super) async fn adopt_unknown_jobs(&self, services: &Arc<Services>) {
        if services.studio != HERE {
            return;
        }
        let filter = ListFilter { limit: Some(LOOK_BACK), ..ListFilter::default() };
        match services.motion.list(&filter).await {
            Ok(list) => {
                for summary in list {
                    self.note_job(services, &summary);
                }
            }
            Err(error) => tracing::warn!(%error, "earlier jobs could not be listed"),
        }
    }

    fn note_job(&self, services: &Services, summary: &JobSummary) {
        let is_new = self.inner.journal.find(&summary.rid).is_none();
        if !is_new || summary.processor != "text2motion" {
            return;
        }
        let text = |name: &str| {
            let value = summary.parameters.get(name).and_then(Value::as_str).unwrap_or_default();
            value.trim_matches('"').to_owned()
        };
        let variants = text("numVariant").parse().unwrap_or(1);
        let entry = Entry {
            id: summary.rid.clone(),
            studio: services.studio.clone(),
            prompt: text("prompt"),
            name: None,
            character_name: self.character_name(&text("model")),
            character_id: text("model"),
            variants,
            made_at: DateTime::from_timestamp_millis(summary.ctime)
                .unwrap_or_else(|| self.inner.environment.clock.now()),
            origin: None,
            video: None,
            asked: None,
            warnings: vec![],
            outcome: Outcome::Open,
        };
        let shown = entry.view(None);
        if self.put(entry).is_ok() {
            self.inner.environment.events.job(&shown);
        }
    }
}
