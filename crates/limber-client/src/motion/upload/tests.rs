//! Tests against a mock service that behaves as the real one rarely does.

use std::{
    collections::VecDeque,
    sync::{
        Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::any,
};
use secrecy::SecretString;
use serde_json::json;

use super::*;

/// A clock that advances by a second with every call.
#[derive(Debug, Default)]
struct Hurried(AtomicI64);

impl UploadEnvironment for Hurried {
    fn now_ms(&self) -> i64 {
        self.0.fetch_add(1000, Ordering::Relaxed)
    }

    fn random(&self) -> f64 {
        0.0
    }
}

/// A scripted response to a PUT.
#[derive(Debug, Clone, Copy)]
enum Line {
    /// 308 with this `Range`, or without one.
    GoOn(Option<u64>),
    Done,
    Status(u16),
    /// 503 with `Retry-After` in seconds.
    Later(u32),
}

#[derive(Debug, Default)]
struct Script {
    base: Mutex<String>,
    /// Base URL of sessions, if not that of the server.
    sessions: Mutex<Option<String>>,
    lines: Mutex<VecDeque<Line>>,
    /// `Content-Range` and length of the requests to the session.
    heard: Mutex<Vec<(String, usize)>>,
    starts: Mutex<u32>,
    cancels: Mutex<u32>,
    addresses: Mutex<VecDeque<u16>>,
    stores: Mutex<VecDeque<u16>>,
}

async fn answer(State(script): State<Arc<Script>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let base = script.base.lock().expect("the mutex is not poisoned").clone();
    let path = parts.uri.path();
    if path.ends_with("/auth") {
        return (StatusCode::OK, [("set-cookie", "svcsess=x; Path=/")]).into_response();
    }
    if path.ends_with("/getModelUploadUrl") {
        let url = format!("{base}/object");
        let body = axum::Json(json!({ "modelUrl": url, "thumbUrl": url, "message": "x" }));
        return (next_status(&script.addresses), body).into_response();
    }
    if path.ends_with("/storeModel") {
        let body = json!({ "modelId": "m1", "faceDataType": 0, "handDataType": 2, "message": "x" });
        return (next_status(&script.stores), axum::Json(body)).into_response();
    }
    match parts.method.as_str() {
        "POST" => {
            *script.starts.lock().expect("the mutex is not poisoned") += 1;
            let base =
                script.sessions.lock().expect("the mutex is not poisoned").clone().unwrap_or(base);
            (StatusCode::CREATED, [("location", format!("{base}/session"))]).into_response()
        }
        "DELETE" => {
            *script.cancels.lock().expect("the mutex is not poisoned") += 1;
            StatusCode::NO_CONTENT.into_response()
        }
        _ => {
            let bytes = axum::body::to_bytes(body, 1 << 30).await.unwrap_or_else(|_| Bytes::new());
            let range =
                parts.headers["content-range"].to_str().expect("the header is text").to_owned();
            script.heard.lock().expect("the mutex is not poisoned").push((range, bytes.len()));
            let line = script.lines.lock().expect("the mutex is not poisoned").pop_front();
            line.unwrap_or(Line::Done).into_response()
        }
    }
}

fn next_status(scripted: &Mutex<VecDeque<u16>>) -> StatusCode {
    let status = scripted.lock().expect("the mutex is not poisoned").pop_front().unwrap_or(200);
    StatusCode::from_u16(status).expect("the status code is valid")
}

impl IntoResponse for Line {
    fn into_response(self) -> Response {
        let status = |status| StatusCode::from_u16(status).expect("the status code is valid");
        match self {
            Self::GoOn(None) => status(308).into_response(),
            Self::GoOn(Some(stored)) => {
                (status(308), [("range", format!("bytes=0-{}", stored - 1))]).into_response()
            }
            Self::Done => status(200).into_response(),
            Self::Status(number) => status(number).into_response(),
            Self::Later(seconds) => {
                (status(503), [("retry-after", seconds.to_string())]).into_response()
            }
        }
    }
}

struct TestUpload {
    script: Arc<Script>,
    client: MotionClient,
    folder: PathBuf,
    uploader_pace: UploadPace,
}

const STEP: u64 = pace::STEP;

impl TestUpload {
    async fn with(name: &str, lines: &[Line]) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener =
            tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is available");
        let base = format!("http://{}", listener.local_addr().expect("the socket has an address"));
        let script = Arc::new(Script::default());
        *script.base.lock().expect("the mutex is not poisoned") = base.clone();
        script.lines.lock().expect("the mutex is not poisoned").extend(lines.iter().copied());
        let router = Router::new().fallback(any(answer)).with_state(Arc::clone(&script));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let client = MotionClient::new(&base, "id", SecretString::from("secret".to_owned()));
        let folder =
            std::env::temp_dir().join(format!("limber-upload-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder can be created");
        let uploader_pace = UploadPace {
            first_piece: 2 * STEP,
            first_wait: Duration::from_millis(5),
            longest_wait: Duration::from_millis(20),
            ..UploadPace::default()
        };
        Self { script, client: client.expect("an address"), folder, uploader_pace }
    }

    async fn upload(&self, length: u64) -> (Result<StoredModel, UploadError>, Vec<u64>) {
        let (done, reported) = self.upload_with_progress(length).await;
        (done, reported.iter().map(|progress| progress.stored).collect())
    }

    async fn upload_with_progress(
        &self,
        length: u64,
    ) -> (Result<StoredModel, UploadError>, Vec<UploadProgress>) {
        let file = self.folder.join("hero.glb");
        std::fs::write(&file, vec![7; length as usize]).expect("the file can be written");
        let uploader = Uploader {
            client: &self.client,
            notes: self.folder.join("notes.json"),
            environment: Arc::new(Hurried::default()),
            pace: self.uploader_pace,
            control: UploadControl::default(),
        };
        let mut seen = Vec::new();
        let upload = CharacterUpload::of(file);
        let done = uploader.run(&upload, &mut |progress| seen.push(progress)).await;
        (done, seen)
    }

    fn requests(&self) -> Vec<String> {
        let heard = self.script.heard.lock().expect("the mutex is not poisoned");
        heard.iter().map(|(range, _)| range.clone()).collect()
    }
}

impl Drop for TestUpload {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[tokio::test]
async fn uploads_continue_from_the_offset_of_the_service() {
    let lines = [
        Line::GoOn(None),
        Line::GoOn(Some(STEP)),
        Line::GoOn(Some(3 * STEP)),
        // less than before: the service knows best
        Line::GoOn(Some(2 * STEP)),
    ];
    let test = TestUpload::with("from", &lines).await;
    let (done, seen) = test.upload(10 * STEP).await;
    assert_eq!(done.expect("the character is stored").model_id.as_str(), "m1");
    assert_eq!(seen, [0, STEP, 3 * STEP, 2 * STEP, 10 * STEP]);
    let total = 10 * STEP;
    let piece = |from: u64, end: u64| format!("bytes {from}-{}/{total}", end - 1);
    let expected = [
        format!("bytes */{total}"),
        piece(0, 2 * STEP),
        // doubled after a success
        piece(STEP, 5 * STEP),
        piece(3 * STEP, 10 * STEP),
        piece(2 * STEP, 10 * STEP),
    ];
    assert_eq!(test.requests(), expected);
    assert!(!test.folder.join("notes.json").exists());
}

#[tokio::test]
async fn after_an_error_the_upload_waits_and_asks_for_the_offset() {
    let lines = [
        Line::GoOn(None),
        Line::Status(500),
        Line::Status(409),
        Line::GoOn(Some(STEP)),
        Line::Done,
    ];
    let test = TestUpload::with("trouble", &lines).await;
    let (done, _) = test.upload(3 * STEP).await;
    done.expect("the character is stored");
    let total = 3 * STEP;
    let question = format!("bytes */{total}");
    let expected = [
        question.clone(),
        format!("bytes 0-{}/{total}", 2 * STEP - 1),
        question.clone(),
        question,
        // halved after a failure, twice
        format!("bytes {STEP}-{}/{total}", 2 * STEP - 1),
    ];
    assert_eq!(test.requests(), expected);
}

#[tokio::test]
async fn retry_after_sets_the_wait() {
    let test = TestUpload::with("later", &[Line::Later(60), Line::Done]).await;
    let first_request = async {
        while test.requests().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // much longer than the client's own delay
        tokio::time::sleep(Duration::from_millis(800)).await;
    };
    tokio::select! {
        (done, _) = test.upload(5) => panic!("the upload waited a minute: {done:?}"),
        () = first_request => assert_eq!(test.requests().len(), 1),
    }
}

#[tokio::test]
async fn lost_upload_sessions_restart_at_most_three_times() {
    let test = TestUpload::with("gone", &[Line::Status(410), Line::Status(404), Line::Done]).await;
    test.upload(5).await.0.expect("the character is stored");
    assert_eq!(*test.script.starts.lock().expect("the mutex is not poisoned"), 3);
    let test = TestUpload::with("gone-for-good", &[Line::Status(410); 9]).await;
    let (done, _) = test.upload(5).await;
    assert!(matches!(done, Err(UploadError::Restless)), "{done:?}");
    assert_eq!(*test.script.starts.lock().expect("the mutex is not poisoned"), 4);
}

#[tokio::test]
async fn refusals_end_an_upload_and_outages_pause_it() {
    let test = TestUpload::with("refused", &[Line::Status(400)]).await;
    let (done, _) = test.upload(5).await;
    assert!(matches!(done, Err(UploadError::Motion(_))), "{done:?}");
    let test = TestUpload::with("away", &[Line::Status(503); 999]).await;
    let (done, _) = test.upload(5).await;
    assert!(matches!(done, Err(UploadError::Paused)), "{done:?}");
    assert!(test.folder.join("notes.json").exists(), "the upload can be resumed");
    test.script.lines.lock().expect("the mutex is not poisoned").clear();
    test.upload(5).await.0.expect("the character is stored");
    assert_eq!(
        *test.script.starts.lock().expect("the mutex is not poisoned"),
        2,
        "a different file starts a different upload"
    );
}

#[tokio::test]
async fn uploads_without_progress_are_paused() {
    let test = TestUpload::with("stuck", &[Line::GoOn(Some(STEP)); 9999]).await;
    let (done, _) = test.upload(5 * STEP).await;
    assert!(matches!(done, Err(UploadError::Paused)), "{done:?}");
}

#[tokio::test]
async fn incomplete_uploads_are_continued_before_they_are_stored() {
    let test = TestUpload::with("again", &[Line::Done, Line::Done]).await;
    test.script.stores.lock().expect("the mutex is not poisoned").extend([409, 503, 200]);
    test.upload(5).await.0.expect("the character is stored");
    assert_eq!(test.requests(), ["bytes */5", "bytes */5"]);
    assert_eq!(*test.script.starts.lock().expect("the mutex is not poisoned"), 1);
}

#[tokio::test]
async fn interruptions_before_and_after_the_transfer_are_reported() {
    let test = TestUpload::with("interruptions", &[Line::GoOn(None), Line::Done]).await;
    // the client itself retries other requests
    test.script.addresses.lock().expect("the mutex is not poisoned").push_back(500);
    test.script.stores.lock().expect("the mutex is not poisoned").push_back(500);
    let (done, reported) = test.upload_with_progress(5).await;
    done.expect("the character is stored");
    let reported: Vec<_> =
        reported.iter().map(|progress| (progress.stored, progress.is_interrupted)).collect();
    assert_eq!(reported, [(0, true), (0, false), (0, false), (5, false), (5, true), (5, false)]);
}

fn is_not_followed(done: &Result<StoredModel, UploadError>) -> bool {
    let Err(UploadError::Motion(error)) = done else { return false };
    matches!(**error, MotionError::UnencryptedLink)
}

#[tokio::test]
async fn nothing_is_uploaded_to_unencrypted_links() {
    let test = TestUpload::with("listened-to", &[Line::Done]).await;
    let here = test.script.base.lock().expect("the mutex is not poisoned").clone();
    // an address that does not count as local
    let elsewhere = here.replace("127.0.0.1", "0.0.0.0");
    test.script.base.lock().expect("the mutex is not poisoned").clone_from(&elsewhere);
    let (done, _) = test.upload(5).await;
    assert!(is_not_followed(&done), "{done:?}");
    let starts = || *test.script.starts.lock().expect("the mutex is not poisoned");
    assert_eq!(starts(), 0, "nothing was sent to the upload URL");
    *test.script.base.lock().expect("the mutex is not poisoned") = here;
    *test.script.sessions.lock().expect("the mutex is not poisoned") = Some(elsewhere);
    let (done, _) = test.upload(5).await;
    assert!(is_not_followed(&done), "{done:?}");
    assert_eq!((starts(), test.requests().len()), (1, 0), "nothing was sent to the session URL");
    *test.script.sessions.lock().expect("the mutex is not poisoned") = None;
    test.upload(5).await.0.expect("the character is stored");
}
