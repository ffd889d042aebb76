//! Videos of earlier jobs.

use limber_api::motion as wire;
use reqwest::Method;

use super::{BackdropEntry, DryRunAnswer, MotionClient, MotionError, Render, Submitted};

impl MotionClient {
    /// Submits a job that renders a video of an earlier job.
    ///
    /// # Errors
    /// [`MotionError::Refused`]: `job_not_found`, `invalid_state` or `gone` if the clip is not
    /// available, `invalid_parameter` with 1102 or 1107 if the service cannot make such a video.
    pub async fn render(
        &self,
        render: &Render,
        idempotency_key: Option<&str>,
    ) -> Result<Submitted, MotionError> {
        self.process_with("render", &render.to_process_request(), idempotency_key).await
    }

    /// Returns the backdrops that a video can have.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn backdrops(&self) -> Result<Vec<BackdropEntry>, MotionError> {
        let answer: wire::BackdropList = self.get("job/v1/backdrops", &[]).await?;
        Ok(answer.backdrops)
    }

    /// Returns what a video would cost, without submitting it. Fails as the submission would.
    ///
    /// # Errors
    /// As [`Self::render`].
    pub async fn dry_run_render(&self, render: &Render) -> Result<DryRunAnswer, MotionError> {
        let body = render.to_process_request();
        let path = "job/v1/process/render?dryRun=1";
        self.call(Method::POST, path, &|builder| builder.json(&body)).await
    }
}
