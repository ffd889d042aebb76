//! Submitting jobs. A request with an idempotency key is repeated if its response is lost.

use std::time::Duration;

use limber_api::motion as wire;
use reqwest::Method;

use super::{MotionClient, MotionError, Submitted};

/// How often a request with a key is repeated if its response is lost.
const LOST_ANSWERS: u32 = 2;

impl MotionClient {
    /// Submits a job to a processor.
    pub(super) async fn process_with(
        &self,
        processor: &str,
        body: &wire::ProcessRequest,
        idempotency_key: Option<&str>,
    ) -> Result<Submitted, MotionError> {
        let path = format!("job/v1/process/{processor}");
        let shape = |builder: reqwest::RequestBuilder| {
            let builder = builder.json(body);
            match idempotency_key {
                Some(key) => builder.header("idempotency-key", key),
                None => builder,
            }
        };
        let mut lost = 0;
        loop {
            let answer = self.call::<wire::ProcessAnswer>(Method::POST, &path, &shape).await;
            match answer {
                Err(error)
                    if error.may_have_been_heard()
                        && idempotency_key.is_some()
                        && lost < LOST_ANSWERS =>
                {
                    lost += 1;
                    tracing::debug!(
                        %error, lost,
                        "the response was lost; sending the request again"
                    );
                    tokio::time::sleep(Duration::from_millis(250 << lost)).await;
                }
                answer => {
                    let answer = answer?;
                    return Ok(Submitted { job: answer.rid.clone(), messages: answer.told() });
                }
            }
        }
    }
}
