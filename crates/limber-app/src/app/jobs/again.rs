//! Retrying jobs that failed or were cancelled.

use limber_client::motion::JobId;

use super::checked;
use crate::{
    AppError, ErrorCode, Notice,
    app::{App, prices::agree},
    journal::{Asked, Entry},
    shown::{Credits, JobShown},
};

impl App {
    /// Resubmits a job if it costs no more than `agreed`. A video keeps its save location.
    ///
    /// # Errors
    /// [`ErrorCode::NotFound`] if the original request is not recorded; otherwise as for the first
    /// submission.
    pub async fn retry_job(&self, id: &str, agreed: Credits) -> Result<JobShown, AppError> {
        let (entry, asked) = self.asked_of(id)?;
        match asked {
            Asked::Prompt(request) => self.submit_prompt(request, agreed).await,
            Asked::Edit(request) => self.edit_clip(request, agreed).await,
            Asked::Film(request) => {
                let film = entry.film.ok_or_else(forgotten)?;
                let services = self.services_of_signed_in()?;
                agree(&self.look_at_film(&services, &request).await?, agreed)?;
                self.submit_film(request, film.to).await
            }
        }
    }

    /// Returns the price of the retry in credits.
    ///
    /// # Errors
    /// As [`Self::retry_job`].
    pub async fn retry_price(&self, id: &str) -> Result<Credits, AppError> {
        match self.asked_of(id)?.1 {
            Asked::Prompt(request) => {
                let services = self.services_of_signed_in()?;
                let wire = checked(&request)?;
                Ok(Credits(services.motion.dry_run(&wire.to_process_request()).await?.price))
            }
            Asked::Edit(request) => self.edit_price(request).await,
            Asked::Film(request) => self.film_price(request).await,
        }
    }

    fn asked_of(&self, id: &str) -> Result<(Entry, Asked), AppError> {
        let id = JobId::parse(id).map_err(|_| forgotten())?;
        let entry = self.inner.journal.find(&id).ok_or_else(forgotten)?;
        let asked = entry.asked().ok_or_else(forgotten)?;
        Ok((entry, asked))
    }
}

fn forgotten() -> AppError {
    AppError::new(ErrorCode::NotFound, Notice::JobForgotten)
}
