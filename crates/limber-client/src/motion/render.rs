//! Films of earlier jobs.

use limber_api::motion as wire;
use reqwest::Method;

use super::{BackdropEntry, DryRunAnswer, MotionClient, MotionError, Render, Submitted};

impl MotionClient {
    /// Hands in a job that films an earlier one.
    ///
    /// # Errors
    /// [`MotionError::Refused`]: `job_not_found`, `invalid_state` or `gone` when there is nothing to
    /// film, `invalid_parameter` with 1102 or 1107 when the service makes no such film.
    pub async fn render(
        &self,
        render: &Render,
        idempotency_key: Option<&str>,
    ) -> Result<Submitted, MotionError> {
        self.process_with("render", &render.to_process_request(), idempotency_key).await
    }

    /// What can stand behind a character in a film.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn backdrops(&self) -> Result<Vec<BackdropEntry>, MotionError> {
        let answer: wire::BackdropList = self.get("job/v1/backdrops", &[]).await?;
        Ok(answer.backdrops)
    }

    /// What a film would cost, without a job; refused as the job would be.
    ///
    /// # Errors
    /// As [`Self::render`].
    pub async fn dry_run_render(&self, render: &Render) -> Result<DryRunAnswer, MotionError> {
        let body = render.to_process_request();
        let path = "job/v1/process/render?dryRun=1";
        self.call(Method::POST, path, &|builder| builder.json(&body)).await
    }
}
