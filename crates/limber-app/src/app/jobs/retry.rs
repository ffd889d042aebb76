//! Retrying jobs that failed or were cancelled.

use limber_client::motion::JobId;

use super::checked;
use crate::{
    AppError, ErrorCode, Notice,
    app::{App, prices::agree},
    journal::{Entry, OriginalRequest},
    views::{Credits, JobView},
};

impl App {
    /// Resubmits a job if it costs no more than `agreed`. A video keeps its save location.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`] if the original request is not recorded; otherwise as for the first
    /// submission.
    pub async fn retry_job(&self, id: &str, agreed: Credits) -> Result<JobView, AppError> {
        let (entry, asked) = self.find_original(id)?;
        match asked {
            OriginalRequest::Prompt(request) => self.submit_prompt(request, agreed).await,
            OriginalRequest::Edit(request) => self.edit_clip(request, agreed).await,
            OriginalRequest::Render(request) => {
                let destination = entry.video.ok_or_else(forgotten)?;
                let services = self.services_of_signed_in()?;
                agree(&self.dry_run_render(&services, &request).await?, agreed)?;
                self.submit_render(request, destination.to).await
            }
        }
    }

    /// Returns the price of the retry in credits.
    ///
    /// # Errors
    /// As [`Self::retry_job`].
    pub async fn retry_price(&self, id: &str) -> Result<Credits, AppError> {
        match self.find_original(id)?.1 {
            OriginalRequest::Prompt(request) => {
                let services = self.services_of_signed_in()?;
                let wire = checked(&request)?;
                Ok(Credits(services.motion.dry_run(&wire.to_process_request()).await?.price))
            }
            OriginalRequest::Edit(request) => self.edit_price(request).await,
            OriginalRequest::Render(request) => self.video_price(request).await,
        }
    }

    fn find_original(&self, id: &str) -> Result<(Entry, OriginalRequest), AppError> {
        let id = JobId::parse(id).map_err(|_| forgotten())?;
        let entry = self.inner.journal.find(&id).ok_or_else(forgotten)?;
        let asked = entry.original_request().ok_or_else(forgotten)?;
        Ok((entry, asked))
    }
}

fn forgotten() -> AppError {
    AppError::new(ErrorCode::NotFound, Notice::JobForgotten)
}
