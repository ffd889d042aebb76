//! Benchmarks of the service: throughput, cost per request, and whether response times reveal which
//! accounts exist.
//!
//! The budgets are ratios, relative to a bare handler in the same process that runs the same number
//! of prepared statements. The service runs in a child process, so that its CPU time and memory can
//! be measured separately; the load generator and the mail server run in this process.
//!
//! With `--reference URL`, the same load also goes to another service at that URL. It must have the
//! account `ann@bench.example` with the password `correct horse`.

mod load;
mod server;
mod timing;

use std::process::ExitCode;
use std::time::Duration;

use limber_bench::{Report, all_or, amount, median, rounds};
use serde_json::json;

use load::{Crew, Measured, open_loop};
use server::Server;

const CONNECTIONS: [usize; 3] = [1, 16, 64];
pub(crate) const ROUNDS: usize = 3;
const TIME: Duration = Duration::from_secs(2);
/// Requests, sent one after the other, whose statements are counted.
const COUNTED: u32 = 20;
/// Turns that each of two compared services takes.
const TURNS: usize = 6;
const TURN: Duration = Duration::from_millis(400);
/// Connections to each of two compared services.
const COMPARED: usize = 16;
const TAIL: Duration = Duration::from_secs(4);

/// Budgets: statements per request, and speed relative to the bare handler.
const MOST_STATEMENTS: [(Call, u32); 2] = [(Call::User, 1), (Call::Refresh, 4)];
const LEAST_RATIO: [(Call, f64); 2] = [(Call::User, 0.5), (Call::Refresh, 0.25)];
const MOST_P99_MS: f64 = 10.0;
const REQUESTS_PER_SECOND: u32 = 200;
const LEAST_TO_REFERENCE: f64 = 3.0;

/// The request that is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Call {
    User,
    Refresh,
    Login,
    SignUp,
    /// The bare handler, with this many statements, inside a transaction or not.
    Bare {
        statements: u32,
        transaction: bool,
    },
}

fn main() -> ExitCode {
    if std::env::args().any(|word| word == server::CHILD) {
        server::be_the_server();
    }
    let reference = match reference(std::env::args().skip(1)) {
        Ok(reference) => reference,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    let runtime = tokio::runtime::Runtime::new().expect("threads can be created");
    runtime.block_on(measure(reference.as_deref()))
}

/// Parses the URL after `--reference`. Ignores `--bench`, which cargo adds.
fn reference(words: impl Iterator<Item = String>) -> Result<Option<String>, String> {
    let mut words = words.filter(|word| word != "--bench");
    match (words.next().as_deref(), words.next(), words.next()) {
        (None, ..) => Ok(None),
        (Some("--reference"), Some(url), None) => Ok(Some(url.trim_end_matches('/').to_owned())),
        (Some(word), ..) => {
            Err(format!("unknown argument `{word}`; the only option is --reference URL"))
        }
    }
}

async fn measure(reference: Option<&str>) -> ExitCode {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = Server::start().await;
    let mut report = Report::new();
    let statements = count_statements(&server).await;
    for (call, most) in MOST_STATEMENTS {
        let what = format!("{call:?}, statements per request");
        report.at_most(&what, f64::from(most), "", vec![statements[place(call)]]);
    }
    for call in [Call::Login, Call::SignUp] {
        let count = statements[place(call)];
        report.note(&format!("{call:?}, statements per request"), &format!("{count:.1}"));
    }
    for call in [Call::User, Call::Refresh, Call::Login, Call::SignUp] {
        for connections in all_or(CONNECTIONS, 1) {
            let what = format!("{call:?}, {connections} connections");
            report.note(&what, &speed(&server, call, connections).await);
        }
    }
    for (call, least) in LEAST_RATIO {
        let bare = Call::Bare {
            statements: statements[place(call)].round() as u32,
            transaction: call == Call::Refresh,
        };
        let to_bare = ratios(&server, call, (server.base(), bare)).await;
        report.at_least(&format!("{call:?}, to a bare handler"), least, "x", to_bare);
        let what = format!("{call:?}, p99 at {REQUESTS_PER_SECOND}/s");
        report.at_most(&what, MOST_P99_MS, "ms", tails_ms(&server, call).await);
        let what = format!("{call:?}, to the reference");
        match reference {
            Some(url) => {
                let to_reference = ratios(&server, call, (url, call)).await;
                report.at_least(&what, LEAST_TO_REFERENCE, "x", to_reference);
            }
            None => report.note(&what, "not measured; use --reference URL"),
        }
    }
    timing::compare(&server, &mut report).await;
    report.end()
}

fn place(call: Call) -> usize {
    match call {
        Call::User => 0,
        Call::Refresh => 1,
        Call::Login => 2,
        Call::SignUp | Call::Bare { .. } => 3,
    }
}

/// Counts the statements per request. Takes the median, because the service occasionally queries
/// the database on its own.
async fn count_statements(server: &Server) -> [f64; 4] {
    let mut counts = [0.0; 4];
    for call in [Call::User, Call::Refresh, Call::Login, Call::SignUp] {
        let mut worker = server.worker(server.base(), call).await;
        worker.ask().await;
        let mut found = Vec::new();
        let asked = amount(COUNTED, 5);
        for _ in 0..rounds(ROUNDS) {
            let before = server.statements().await;
            for _ in 0..asked {
                worker.ask().await;
            }
            found.push((server.statements().await - before) as f64 / f64::from(asked));
        }
        counts[place(call)] = median(found);
    }
    server.stop_counting().await;
    counts
}

/// Measures the speed with this many connections and describes it in words.
async fn speed(server: &Server, call: Call, connections: usize) -> String {
    let mut seen = Vec::new();
    let cpu = server.cpu_seconds();
    let mut requests = 0;
    let time = amount(TIME, Duration::from_millis(100));
    for _ in 0..rounds(ROUNDS) {
        let measured = Crew::of(server, server.base(), call, connections).await.ask(time).await;
        requests += measured.requests;
        seen.push(measured);
    }
    let per_request_ms = (server.cpu_seconds() - cpu) * 1000.0 / requests.max(1) as f64;
    let rate = median(seen.iter().map(Measured::per_second).collect());
    let p99 = median(seen.iter().map(|m| m.percentile_ms(0.99)).collect());
    let memory = server.memory_mb();
    format!("{rate:.0}/s, p99 {p99:.1} ms, {per_request_ms:.2} CPU-ms, {memory:.0} MB")
}

/// Measures how many times faster the service is than `beside`. The two take turns, so that other
/// load on the machine affects both alike.
async fn ratios(server: &Server, call: Call, beside: (&str, Call)) -> Vec<f64> {
    let connections = amount(COMPARED, 2);
    let (turns, turn) = (amount(TURNS, 1), amount(TURN, Duration::from_millis(100)));
    let mut ours = Crew::of(server, server.base(), call, connections).await;
    let mut theirs = Crew::of(server, beside.0, beside.1, connections).await;
    let mut ratios = Vec::new();
    for _ in 0..rounds(ROUNDS) {
        // Taking turns, so that other load on the machine affects both alike.
        let mut requests = (0, 0);
        for _ in 0..turns {
            requests.0 += ours.ask(turn).await.requests;
            requests.1 += theirs.ask(turn).await.requests;
        }
        ratios.push(requests.0 as f64 / requests.1 as f64);
    }
    ratios
}

async fn tails_ms(server: &Server, call: Call) -> Vec<f64> {
    let (per_second, time) =
        (amount(REQUESTS_PER_SECOND, 20), amount(TAIL, Duration::from_secs(1)));
    let mut tails = Vec::new();
    for _ in 0..rounds(ROUNDS) {
        tails.push(open_loop(server, call, per_second, time).await.percentile_ms(0.99));
    }
    tails
}

/// Returns a sign-up request with a new address.
pub(crate) fn fresh_sign_up(number: usize) -> serde_json::Value {
    json!({"email": format!("fresh{number}@bench.example"), "password": server::PASSWORD})
}
