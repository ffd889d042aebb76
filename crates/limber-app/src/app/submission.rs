//! Idempotent submission. Each request is sent with an idempotency key, and the same request reuses
//! its key for as long as its response is unknown. A retry after a broken connection is therefore
//! the same job and is charged once.

use std::collections::HashMap;

use limber_api::motion::ProcessRequest;
use limber_client::motion::{MotionError, Submitted};
use limber_domain::{hex, lock};

use super::App;

/// Maximum number of unanswered requests remembered; far more than anyone has.
const MOST: usize = 100;

/// Idempotency keys of requests that may have been accepted although no response came.
pub(super) type UnconfirmedSubmissions = HashMap<String, String>;

/// An idempotency key together with the request it belongs to.
pub(super) struct IdempotencyKey {
    request: String,
    key: String,
}

impl IdempotencyKey {
    pub(super) fn as_str(&self) -> &str {
        &self.key
    }
}

impl App {
    /// Returns the key of a request: the previous one if its response was lost, otherwise a new
    /// one. A request that succeeded and is repeated gets a new key, so that it makes another job.
    pub(super) fn idempotency_key(
        &self,
        studio: &str,
        processor: &str,
        request: &ProcessRequest,
    ) -> IdempotencyKey {
        let parameters = request.params.join("\n");
        let request = format!("{studio}\n{processor}\n{parameters}");
        let earlier = lock(&self.inner.unconfirmed).remove(&request);
        let key = earlier.unwrap_or_else(|| {
            let mut bytes = [0; 16];
            self.inner.environment.random.fill(&mut bytes);
            hex(&bytes)
        });
        IdempotencyKey { request, key }
    }

    /// Remembers the key if the request may have been accepted.
    pub(super) fn record_response(
        &self,
        key: IdempotencyKey,
        response: &Result<Submitted, MotionError>,
    ) {
        if !response.as_ref().is_err_and(MotionError::is_transient) {
            return;
        }
        let mut unconfirmed = lock(&self.inner.unconfirmed);
        if unconfirmed.len() >= MOST {
            unconfirmed.clear();
        }
        unconfirmed.insert(key.request, key.key);
    }
}

#[cfg(test)]
mod tests {
    use limber_api::motion::JobId;

    use super::*;
    use crate::testing::app;

    #[test]
    fn only_requests_without_a_response_reuse_their_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = app(folder.path());
        let walk = ProcessRequest { params: vec!["prompt=walk".to_owned()] };
        let run = ProcessRequest { params: vec!["prompt=run".to_owned()] };
        let key = |request: &ProcessRequest| app.idempotency_key("here", "text2motion", request);
        let first = key(&walk);
        let sent = first.as_str().to_owned();
        assert!((1..=128).contains(&sent.len()), "the service takes it");
        app.record_response(first, &Err(MotionError::TimedOut));
        assert_ne!(key(&run).as_str(), sent, "a different request");
        let elsewhere = app.idempotency_key("there", "text2motion", &walk);
        assert_ne!(elsewhere.as_str(), sent, "another studio");
        let again = key(&walk);
        assert_eq!(again.as_str(), sent);
        assert_ne!(key(&walk).as_str(), sent, "two concurrent requests are two jobs");
        let rid = JobId::parse("0123456789abcdef").expect("an id");
        app.record_response(again, &Ok(Submitted { job: rid, messages: Vec::new() }));
        assert_ne!(key(&walk).as_str(), sent, "it was answered");
        let refused = key(&walk);
        let sent = refused.as_str().to_owned();
        app.record_response(refused, &Err(MotionError::CredentialsRejected));
        assert_ne!(key(&walk).as_str(), sent, "no is an answer");
    }
}
