//! Load generators: many connections that send requests repeatedly, and their measurements.

use std::time::{Duration, Instant};

use limber_bench::amount;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use crate::server::{Server, login};
use crate::{Call, fresh_sign_up};

/// Measurements of one load run.
pub(crate) struct Measured {
    pub(crate) requests: usize,
    took: Duration,
    times_ms: Vec<f64>,
}

impl Measured {
    pub(crate) fn per_second(&self) -> f64 {
        self.requests as f64 / self.took.as_secs_f64()
    }

    pub(crate) fn percentile_ms(&self, part: f64) -> f64 {
        let mut times = self.times_ms.clone();
        times.sort_by(f64::total_cmp);
        let at = (times.len() as f64 * part) as usize;
        times.get(at.min(times.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }
}

/// One connection, with what it needs to send requests.
pub(crate) struct Worker<'a> {
    pub(crate) server: &'a Server,
    pub(crate) base: String,
    pub(crate) http: Client,
    pub(crate) call: Call,
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Worker<'_> {
    fn request(&self) -> RequestBuilder {
        let url = |path: &str| format!("{}{path}", self.base);
        let post = |path: &str, body: &Value| self.http.post(url(path)).json(body);
        match self.call {
            Call::User => self.http.get(url("/user")).bearer_auth(&self.access),
            Call::Refresh => {
                post("/token?grant_type=refresh_token", &json!({"refresh_token": self.refresh}))
            }
            Call::Login => post("/token?grant_type=password", &login()),
            Call::SignUp => post("/signup", &fresh_sign_up(self.server.next_number())),
            Call::Bare { statements, transaction } => {
                let path = format!("/bare/{statements}/{}", u8::from(transaction));
                self.http.get(self.server.bare_url(&path))
            }
        }
    }

    /// Sends one request and returns its duration. Every response must be a success, or the numbers
    /// would mean nothing.
    pub(crate) async fn ask(&mut self) -> Duration {
        let begun = now();
        let answer = self.request().send().await.expect("the service responds");
        let status = answer.status();
        let bytes = answer.bytes().await.expect("the response arrives");
        let took = begun.elapsed();
        let text = || String::from_utf8_lossy(&bytes).into_owned();
        assert!(status.is_success(), "{:?}: {status} {}", self.call, text());
        if self.call == Call::Refresh {
            let body: Value = serde_json::from_slice(&bytes).expect("JSON");
            self.refresh = body["refresh_token"].as_str().expect("a token").to_owned();
        }
        took
    }
}

/// Closed-loop load: connections that each send the next request as soon as the last is answered.
pub(crate) struct Crew<'a> {
    workers: Vec<Worker<'a>>,
}

impl<'a> Crew<'a> {
    pub(crate) async fn of(
        server: &'a Server,
        base: &str,
        call: Call,
        connections: usize,
    ) -> Crew<'a> {
        let mut workers = Vec::new();
        for _ in 0..connections {
            workers.push(server.worker(base, call).await);
        }
        Self { workers }
    }

    /// Sends requests for this long.
    pub(crate) async fn ask(&mut self, time: Duration) -> Measured {
        let begun = now();
        let asking = self.workers.iter_mut().map(|worker| async move {
            let mut times_ms = Vec::new();
            while begun.elapsed() < time {
                times_ms.push(worker.ask().await.as_secs_f64() * 1000.0);
            }
            times_ms
        });
        let times_ms: Vec<f64> =
            futures_util::future::join_all(asking).await.into_iter().flatten().collect();
        Measured { requests: times_ms.len(), took: begun.elapsed(), times_ms }
    }
}

/// Open-loop load: sends this many requests per second, whether or not earlier ones have been
/// answered. Durations count from when each request should have been sent.
pub(crate) async fn open_loop(
    server: &Server,
    call: Call,
    per_second: u32,
    time: Duration,
) -> Measured {
    let count = amount(16_u32, 4);
    let mut workers = Vec::new();
    for _ in 0..count {
        workers.push(server.worker(server.base(), call).await);
    }
    let begun = now();
    let pause = Duration::from_secs_f64(f64::from(count) / f64::from(per_second));
    let asking = workers.into_iter().zip(0..).map(|(mut worker, place): (_, u32)| async move {
        let mut due = pause * place / count;
        let mut times_ms = Vec::new();
        while due < time {
            tokio::time::sleep(due.saturating_sub(begun.elapsed())).await;
            worker.ask().await;
            times_ms.push((begun.elapsed().saturating_sub(due)).as_secs_f64() * 1000.0);
            due += pause;
        }
        times_ms
    });
    let times_ms: Vec<f64> =
        futures_util::future::join_all(asking).await.into_iter().flatten().collect();
    Measured { requests: times_ms.len(), took: begun.elapsed(), times_ms }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
