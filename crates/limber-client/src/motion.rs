//! A client of the motion service.
//!
//! ```text
//! MotionClient::new ─▶ submit ─▶ JobId ─▶ status … status ─▶ links ─▶ fetch to disk
//! ```
//! The client signs in when the service first responds with 401, and then repeats the request; a
//! second 401 means that the client id or secret is wrong. After 429 or 503, it repeats the request
//! a few times, with the delay that the service asks for; requests other than GET only after 429,
//! which means that they were not processed. A request with an idempotency key is repeated if its
//! response is lost: the service creates only one job.

mod error;
mod events;
mod fetch;
mod links;
mod render;
mod session;
mod status;
mod submit;
mod upload;

use std::time::Duration;

use limber_api::motion as wire;
use reqwest::Method;
use secrecy::SecretString;
use serde::de::DeserializeOwned;
use url::Url;

use crate::ConnectionPolicy;
pub use error::MotionError;
pub use events::{EventId, JobEvents};
pub use fetch::{FetchLimits, Fetched};
pub use limber_api::motion::{
    BackdropEntry, Camera, Change, ClipEnds, Container, CreditBalance, DownloadEntry, DryRunAnswer,
    End, FileKind, Finish, FootLocking, JobId, JobSummary, LeftOut, LoopChange, Message,
    ModelEntry, ModelId, MotionEdit, ProcessRequest, Render, RenderEntry, RootMode, Source, Span,
    Start, StoreModelRequest, StoredModel, TextToMotion, VariantEntry, VariantId, message,
};
pub use status::{FailureCause, JobStatus};
pub use upload::{
    CharacterUpload, OnProgress, UploadControl, UploadEnvironment, UploadError, UploadPace,
    UploadProgress, Uploader,
};

/// Time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for a response. Does not apply to files.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// Time limit for an event stream; the service ends it earlier.
const STREAM_TIMEOUT: Duration = Duration::from_secs(15 * 60);
/// How often a request is repeated if the service is busy.
const BUSY_ATTEMPTS: u32 = 4;
/// Longest delay that a busy service may ask for.
const LONGEST_BUSY_WAIT: Duration = Duration::from_secs(10);
/// Maximum size of a JSON response.
const LONGEST_ANSWER_BYTES: usize = 32 << 20;

/// A submitted job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// Id of the new job.
    pub job: JobId,
    /// Warnings about what the service ignored.
    pub messages: Vec<Message>,
}

/// Selects jobs to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// States to list; empty selects all.
    pub statuses: Vec<wire::WireStatus>,
    /// 1 to 500; `None` returns up to 1000 jobs.
    pub limit: Option<u32>,
    /// Text that the prompt must contain.
    pub search: Option<String>,
}

/// A client of one motion service, with one client id. Share it in an `Arc`.
#[derive(Debug)]
pub struct MotionClient {
    http: reqwest::Client,
    base_url: Url,
    session: session::Session,
    links: links::Links,
}

impl MotionClient {
    /// Creates a client. Sends nothing yet.
    ///
    /// # Errors
    /// As [`with_policy`](Self::with_policy).
    pub fn new(
        base_url: &str,
        client_id: impl Into<String>,
        secret: SecretString,
    ) -> Result<Self, MotionError> {
        Self::with_policy(&ConnectionPolicy::default(), base_url, client_id, secret)
    }

    /// Like [`new`](Self::new), with options for how the service may be reached.
    ///
    /// # Errors
    /// [`MotionError::BadAddress`] if `base_url` is not an http(s) URL,
    /// [`MotionError::Unencrypted`] if others could eavesdrop.
    pub fn with_policy(
        connection: &ConnectionPolicy,
        base_url: &str,
        client_id: impl Into<String>,
        secret: SecretString,
    ) -> Result<Self, MotionError> {
        let base_url = parse_base_url(base_url)?;
        if !connection.unencrypted.allows(&base_url) {
            return Err(MotionError::Unencrypted);
        }
        let http = connection.http(&base_url).connect_timeout(CONNECT_TIMEOUT).build();
        let http = http.map_err(MotionError::from_transport)?;
        let session = session::Session::new(client_id.into(), secret);
        let links = links::Links::new(http.clone(), connection.clone(), base_url.clone());
        Ok(Self { http, base_url, session, links })
    }

    /// Checks the credentials now instead of with the first request.
    ///
    /// # Errors
    /// [`MotionError::CredentialsRejected`], or any error of a request.
    pub async fn sign_in(&self) -> Result<(), MotionError> {
        self.session.renew(&self.http, &self.base_url, None).await.map(drop)
    }

    /// Returns the balance and the limits of the plan.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn balance(&self) -> Result<CreditBalance, MotionError> {
        self.get("account/v1/creditBalance", &[]).await
    }

    /// Submits a text-to-motion job. With an idempotency key, sending the same request several
    /// times within a day creates one job, and the client repeats the request if the response is
    /// lost.
    ///
    /// # Errors
    /// [`MotionError::Refused`] with the service's code and message, for example 502 and similar
    /// known actions if the prompt contains none.
    pub async fn submit(
        &self,
        request: &TextToMotion,
        idempotency_key: Option<&str>,
    ) -> Result<Submitted, MotionError> {
        self.process(&request.to_process_request(), idempotency_key).await
    }

    /// Submits an edit of an earlier job.
    ///
    /// # Errors
    /// [`MotionError::Refused`]: `job_not_found`, `invalid_state` or `gone` if the source is not
    /// available, `invalid_parameter` if the change does not fit it.
    pub async fn edit(
        &self,
        edit: &MotionEdit,
        idempotency_key: Option<&str>,
    ) -> Result<Submitted, MotionError> {
        self.process(&edit.to_process_request(), idempotency_key).await
    }

    /// Returns what a request would do and cost, without submitting it. Fails as the submission
    /// would.
    ///
    /// # Errors
    /// As [`Self::submit`] and [`Self::edit`].
    pub async fn dry_run(
        &self,
        request: &wire::ProcessRequest,
    ) -> Result<DryRunAnswer, MotionError> {
        self.call(Method::POST, "job/v1/process/text2motion?dryRun=1", &|builder| {
            builder.json(request)
        })
        .await
    }

    /// Returns the JSON Schema of the motion scripts that this service understands.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn script_schema(&self) -> Result<serde_json::Value, MotionError> {
        self.get("job/v1/script-schema", &[]).await
    }

    async fn process(
        &self,
        body: &wire::ProcessRequest,
        idempotency_key: Option<&str>,
    ) -> Result<Submitted, MotionError> {
        self.process_with("text2motion", body, idempotency_key).await
    }

    /// Returns the status of a job.
    ///
    /// # Errors
    /// [`MotionError::Refused`] with `job_not_found` if there is no such job.
    pub async fn status(&self, job: &JobId) -> Result<JobStatus, MotionError> {
        let all = self.statuses(std::slice::from_ref(job)).await?;
        all.into_iter().next().map(|(_, status)| status).ok_or(MotionError::UnexpectedAnswer)
    }

    /// Returns the status of up to 100 jobs, in the given order, without unknown ones.
    ///
    /// # Errors
    /// [`MotionError::Refused`] with `job_not_found` if all are unknown.
    pub async fn statuses(&self, jobs: &[JobId]) -> Result<Vec<(JobId, JobStatus)>, MotionError> {
        let path = format!("job/v1/status/{}", join(jobs));
        let answer: wire::StatusAnswer = self.get(&path, &[]).await?;
        Ok(answer
            .status
            .into_iter()
            .map(|entry| (entry.rid.clone(), JobStatus::from(entry)))
            .collect())
    }

    /// Streams the account's job changes. With the id of the last event received, jobs that have
    /// ended since then come first.
    ///
    /// # Errors
    /// See [`MotionError`]; `unknown_route` from a service without events: poll [`Self::statuses`]
    /// instead.
    pub async fn events(&self, since: Option<&EventId>) -> Result<JobEvents, MotionError> {
        let shape = |builder: reqwest::RequestBuilder| {
            let builder = builder.timeout(STREAM_TIMEOUT);
            match since {
                Some(id) => builder.header("last-event-id", id.as_str()),
                None => builder,
            }
        };
        let response = self.send(Method::GET, "job/v1/events", &shape).await?;
        Ok(JobEvents::of(response, since.cloned()))
    }

    /// Returns the account's jobs, newest first.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn list(&self, filter: &ListFilter) -> Result<Vec<JobSummary>, MotionError> {
        let words: Vec<&str> = filter.statuses.iter().map(|status| status.as_str()).collect();
        let path = if words.is_empty() {
            "job/v1/list".to_owned()
        } else {
            format!("job/v1/list/{}", words.join(","))
        };
        let mut query = Vec::new();
        if let Some(limit) = filter.limit {
            query.push(("limit", limit.to_string()));
        }
        if let Some(search) = &filter.search {
            query.push(("search", search.clone()));
        }
        let answer: wire::JobList = self.get(&path, &query).await?;
        Ok(answer.list)
    }

    /// Cancels a job. Cancelling twice is not an error.
    ///
    /// # Errors
    /// [`MotionError::Refused`] with `invalid_state` if the job has already ended.
    pub async fn cancel(&self, job: &JobId) -> Result<(), MotionError> {
        let path = format!("job/v1/cancel/{job}");
        self.get::<wire::CancelAnswer>(&path, &[]).await.map(drop)
    }

    /// Removes the files of an ended job before their retention period ends. Its clips can then no
    /// longer be downloaded, edited or rendered. Purging twice is not an error.
    ///
    /// # Errors
    /// [`MotionError::Refused`] with `invalid_state` if the job has not ended.
    pub async fn purge(&self, job: &JobId) -> Result<(), MotionError> {
        let path = format!("job/v1/purge/{job}");
        let answer = self.call(Method::DELETE, &path, &|builder| builder).await;
        answer.map(|_: wire::PurgeAnswer| ())
    }

    /// Returns links to the files of a variant, including the canonical clip (`clip`); they are
    /// valid for about an hour. If billing is on, the first call pays for the variant: see
    /// [`Self::peek`].
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn links(
        &self,
        job: &JobId,
        variant: VariantId,
    ) -> Result<DownloadEntry, MotionError> {
        self.download(job, variant, false).await
    }

    /// Like [`Self::links`], but without paying: for an unpaid variant, `required` is its price and
    /// `available` the balance.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn peek(
        &self,
        job: &JobId,
        variant: VariantId,
    ) -> Result<DownloadEntry, MotionError> {
        self.download(job, variant, true).await
    }

    async fn download(
        &self,
        job: &JobId,
        variant: VariantId,
        peek: bool,
    ) -> Result<DownloadEntry, MotionError> {
        let path = format!("job/v1/download/{job}");
        let query = [
            ("variant_id", variant.to_string()),
            ("peek", u8::from(peek).to_string()),
            ("canonical", "1".to_owned()),
        ];
        let answer: wire::DownloadAnswer = self.get(&path, &query).await?;
        answer.links.into_iter().next().ok_or(MotionError::UnexpectedAnswer)
    }

    /// Returns all characters that jobs can use: the account's own first, then stock characters.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn models(&self) -> Result<Vec<ModelEntry>, MotionError> {
        let answer: serde_json::Value =
            self.get("character/v1/listModels", &[("stockModel", "all".to_owned())]).await?;
        let list = match answer {
            // some servers wrap the list
            serde_json::Value::Object(mut wrapped) => wrapped.remove("list").unwrap_or_default(),
            bare => bare,
        };
        serde_json::from_value(list).map_err(|_| MotionError::UnexpectedAnswer)
    }

    /// Stores a character from uploaded files, or changes one; an [`Uploader`] uploads and stores.
    ///
    /// # Errors
    /// [`MotionError::Refused`] with a code from 901 to 909 if the file is not a usable character.
    pub async fn store_model(
        &self,
        request: &StoreModelRequest,
    ) -> Result<StoredModel, MotionError> {
        self.call(Method::POST, "character/v1/storeModel", &|builder| builder.json(request)).await
    }

    /// Deletes one of the account's characters; returns false if there is no such character.
    ///
    /// # Errors
    /// See [`MotionError`].
    pub async fn delete_model(&self, model: &ModelId) -> Result<bool, MotionError> {
        let path = format!("character/v1/deleteModel/{model}");
        let answer: wire::DeletedModels =
            self.call(Method::DELETE, &path, &|builder| builder).await?;
        Ok(answer.count > 0)
    }

    /// Downloads a signed link to a file; see [`Fetched`]. Sends neither cookie nor secret.
    ///
    /// # Errors
    /// [`MotionError::UnencryptedLink`] if others could eavesdrop. An interrupted transfer leaves a
    /// `.part` file, from which the next call resumes.
    pub async fn fetch(
        &self,
        url: &str,
        to: &std::path::Path,
        limits: FetchLimits,
    ) -> Result<Fetched, MotionError> {
        fetch::fetch(&self.links, url, to, limits).await
    }

    async fn get<Answer: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<Answer, MotionError> {
        self.call(Method::GET, path, &|builder| builder.query(query)).await
    }

    async fn call<Answer: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        shape: &(dyn Fn(reqwest::RequestBuilder) -> reqwest::RequestBuilder + Send + Sync),
    ) -> Result<Answer, MotionError> {
        read_answer(self.send(method, path, shape).await?).await
    }

    /// Sends a request; signs in and repeats it after 401, and waits while the service is busy.
    async fn send(
        &self,
        method: Method,
        path: &str,
        shape: &(dyn Fn(reqwest::RequestBuilder) -> reqwest::RequestBuilder + Send + Sync),
    ) -> Result<reqwest::Response, MotionError> {
        let url = self.base_url.join(path).map_err(|_| MotionError::BadAddress)?;
        let mut cookie = self.session.cookie(&self.http, &self.base_url).await?;
        let mut signed_in_again = false;
        let mut busy = 0;
        loop {
            let request = self.http.request(method.clone(), url.clone()).timeout(ANSWER_TIMEOUT);
            let request = shape(cookie.attach(request));
            let response = request.send().await.map_err(MotionError::from_transport)?;
            let status = response.status();
            let wait = busy_wait(&response, busy);
            if status.is_success() {
                return Ok(response);
            }
            let refusal = MotionError::from_refusal(response).await;
            if status == reqwest::StatusCode::UNAUTHORIZED {
                if signed_in_again {
                    return Err(MotionError::CredentialsRejected);
                }
                signed_in_again = true;
                cookie = self.session.renew(&self.http, &self.base_url, Some(&cookie)).await?;
                continue;
            }
            match wait {
                // 429 means that a POST was not processed
                Some(wait) if busy < BUSY_ATTEMPTS && (method == Method::GET || status == 429) => {
                    busy += 1;
                    tokio::time::sleep(wait).await;
                }
                _ => return Err(refusal),
            }
        }
    }
}

fn parse_base_url(text: &str) -> Result<Url, MotionError> {
    let mut url = Url::parse(text.trim()).map_err(|_| MotionError::BadAddress)?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(MotionError::BadAddress);
    }
    url.set_query(None);
    url.set_fragment(None);
    if !url.path().ends_with('/') {
        // otherwise, joining a relative path would replace the last segment
        let with_slash = format!("{}/", url.path());
        url.set_path(&with_slash);
    }
    Ok(url)
}

/// Returns how long to wait before the next attempt; `None` if there is no point in trying again.
fn busy_wait(response: &reqwest::Response, earlier: u32) -> Option<Duration> {
    if !matches!(response.status().as_u16(), 429 | 503) {
        return None;
    }
    let said = response
        .headers()
        .get(reqwest::header::RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.parse().ok())
        .map(Duration::from_secs);
    let wait = said.unwrap_or_else(|| Duration::from_millis(250 << earlier.min(5)));
    (wait <= LONGEST_BUSY_WAIT).then_some(wait)
}

async fn read_answer<Answer: DeserializeOwned>(
    response: reqwest::Response,
) -> Result<Answer, MotionError> {
    let bytes = read_limited(response, LONGEST_ANSWER_BYTES).await?;
    serde_json::from_slice(&bytes).map_err(|_| MotionError::UnexpectedAnswer)
}

/// Reads the body; fails if it is longer than `limit` bytes.
async fn read_limited(
    mut response: reqwest::Response,
    limit: usize,
) -> Result<Vec<u8>, MotionError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(MotionError::from_transport)? {
        if bytes.len() + chunk.len() > limit {
            return Err(MotionError::UnexpectedAnswer);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn join(jobs: &[JobId]) -> String {
    jobs.iter().map(JobId::as_str).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_keep_their_path() {
        let url = parse_base_url("http://studio.example/motion?x=1").expect("the address is valid");
        assert_eq!(
            url.join("job/v1/list").expect("a path").as_str(),
            "http://studio.example/motion/job/v1/list"
        );
    }

    #[test]
    fn addresses_without_http_are_rejected() {
        for bad in ["", "studio", "ftp://studio.example", "file:///etc/passwd"] {
            assert!(matches!(parse_base_url(bad), Err(MotionError::BadAddress)), "{bad}");
        }
    }
}
