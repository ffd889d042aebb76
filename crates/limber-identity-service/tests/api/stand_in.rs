//! A simulated HTTP service that records every request and answers as told.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use reqwest::Url;
use serde_json::Value;
use tokio::net::TcpListener;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) form: BTreeMap<String, String>,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns method, path and form together, for comparison.
    pub(crate) fn whole(&self) -> (String, Vec<(&str, &str)>) {
        let form = self.form.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        (format!("{} {}", self.method, self.path), form.collect())
    }
}

/// A response.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    pub(crate) delay: Duration,
}

impl Reply {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self { status, body: body.to_string().into_bytes(), delay: Duration::ZERO }
    }
}

#[derive(Debug)]
struct Kept {
    asked: Vec<Asked>,
    once: VecDeque<Reply>,
    always: Reply,
}

/// A running simulated service, which lives as long as the test.
#[derive(Debug, Clone)]
pub(crate) struct StandIn {
    pub(crate) base: Url,
    kept: Arc<Mutex<Kept>>,
}

impl StandIn {
    /// Starts a service that answers every request with `always`.
    pub(crate) async fn start(always: Reply) -> Self {
        let kept = Kept { asked: Vec::new(), once: VecDeque::new(), always };
        let kept = Arc::new(Mutex::new(kept));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let base = Url::parse(&format!("http://{address}")).expect("a valid address");
        let app = Router::new().fallback(answer).with_state(Arc::clone(&kept));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { base, kept }
    }

    /// Answers the next request with this response instead.
    pub(crate) fn next(&self, reply: Reply) {
        self.kept.lock().expect("no test panicked while holding the lock").once.push_back(reply);
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.kept.lock().expect("no test panicked while holding the lock").asked.clone()
    }

    #[track_caller]
    pub(crate) fn last(&self) -> Asked {
        self.asked().pop().expect("the server received a request")
    }
}

async fn answer(
    State(kept): State<Arc<Mutex<Kept>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let form = url::form_urlencoded::parse(&body).into_owned().collect();
    let asked = Asked { method: method.to_string(), path: uri.to_string(), headers, form };
    let reply = {
        let mut kept = kept.lock().expect("no test panicked while holding the lock");
        kept.asked.push(asked);
        kept.once.pop_front().unwrap_or_else(|| kept.always.clone())
    };
    tokio::time::sleep(reply.delay).await;
    let status = StatusCode::from_u16(reply.status).expect("a valid status");
    (status, reply.body).into_response()
}
