//! How fast the service answers, what an answer costs, and whether its time tells a stranger
//! which accounts exist.
//!
//! The budgets are ratios: what stands beside is a bare handler in the same process that does the
//! same number of prepared statements. The service runs in a child process, so that its processor
//! time and memory are its own; the load comes from here, and the mail server stands here.
//!
//! With `--reference URL` the same load also goes to another service at that address. It has to
//! know the account `ann@bench.example` with the password `correct horse`.

mod load;
mod server;
mod timing;

use std::time::Duration;

use serde_json::json;

use load::{Crew, Measured, open_loop};
use server::Server;

const CONNECTIONS: [usize; 3] = [1, 16, 64];
pub(crate) const ROUNDS: usize = 3;
const TIME: Duration = Duration::from_secs(2);
/// Requests whose statements are counted, one after the other.
const COUNTED: u32 = 20;
/// Two that are compared take turns.
const TURNS: usize = 6;
const TURN: Duration = Duration::from_millis(400);

/// The budgets: of the statements of one request, and of the speed beside the bare handler.
const MOST_STATEMENTS: [(Call, u32); 2] = [(Call::User, 1), (Call::Refresh, 4)];
const LEAST_RATIO: [(Call, f64); 2] = [(Call::User, 0.5), (Call::Refresh, 0.25)];
const MOST_P99_MS: f64 = 10.0;
const REQUESTS_PER_SECOND: u32 = 200;
const LEAST_TO_REFERENCE: f64 = 3.0;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Call {
    User,
    Refresh,
    Login,
    SignUp,
    /// The bare handler, with so many statements inside a transaction or without one.
    Bare {
        statements: u32,
        transaction: bool,
    },
}

fn main() {
    if std::env::args().any(|word| word == server::CHILD) {
        return server::be_the_server();
    }
    let reference = match reference(std::env::args().skip(1)) {
        Ok(reference) => reference,
        Err(problem) => {
            eprintln!("{problem}");
            std::process::exit(2);
        }
    };
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    if !runtime.block_on(measure(reference.as_deref())) {
        std::process::exit(1);
    }
}

/// The address behind `--reference`. cargo adds `--bench`.
fn reference(words: impl Iterator<Item = String>) -> Result<Option<String>, String> {
    let mut words = words.filter(|word| word != "--bench");
    match (words.next().as_deref(), words.next(), words.next()) {
        (None, ..) => Ok(None),
        (Some("--reference"), Some(url), None) => Ok(Some(url.trim_end_matches('/').to_owned())),
        (Some(word), ..) => Err(format!("`{word}` is not understood; there is --reference URL")),
    }
}

async fn measure(reference: Option<&str>) -> bool {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = Server::start().await;
    let mut good = true;
    println!("{:<40} | {:>12} | {:>12} | verdict", "what", "target", "median");
    let statements = count_statements(&server).await;
    for (call, most) in MOST_STATEMENTS {
        let count = statements[place(call)];
        let what = format!("{call:?}, statements per request");
        good &= row(&what, &format!("<= {most}"), &format!("{count:.1}"), count <= f64::from(most));
    }
    for call in [Call::Login, Call::SignUp] {
        let count = statements[place(call)];
        note(&format!("{call:?}, statements per request"), &format!("{count:.1}"));
    }
    for call in [Call::User, Call::Refresh, Call::Login, Call::SignUp] {
        for connections in CONNECTIONS {
            speed(&server, call, connections).await;
        }
    }
    for (call, least) in LEAST_RATIO {
        let bare = Call::Bare {
            statements: statements[place(call)].round() as u32,
            transaction: call == Call::Refresh,
        };
        good &= ratio(&server, call, (server.base(), bare), "a bare handler", least).await;
        good &= tail(&server, call).await;
        match reference {
            Some(url) => {
                let least = LEAST_TO_REFERENCE;
                good &= ratio(&server, call, (url, call), "the reference", least).await;
            }
            None => note(&format!("{call:?}, to the reference"), "not asked for: --reference URL"),
        }
    }
    good &= timing::compare(&server).await;
    good
}

fn place(call: Call) -> usize {
    match call {
        Call::User => 0,
        Call::Refresh => 1,
        Call::Login => 2,
        Call::SignUp | Call::Bare { .. } => 3,
    }
}

/// The median, because now and then the service asks the database of its own accord.
async fn count_statements(server: &Server) -> [f64; 4] {
    let mut counts = [0.0; 4];
    for call in [Call::User, Call::Refresh, Call::Login, Call::SignUp] {
        let mut worker = server.worker(server.base(), call).await;
        worker.ask().await;
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            let before = server.statements().await;
            for _ in 0..COUNTED {
                worker.ask().await;
            }
            rounds.push((server.statements().await - before) as f64 / f64::from(COUNTED));
        }
        counts[place(call)] = median(rounds);
    }
    server.stop_counting().await;
    counts
}

async fn speed(server: &Server, call: Call, connections: usize) {
    let mut rounds = Vec::new();
    let cpu = server.cpu_seconds();
    let mut requests = 0;
    for _ in 0..ROUNDS {
        let measured = Crew::of(server, server.base(), call, connections).await.ask(TIME).await;
        requests += measured.requests;
        rounds.push(measured);
    }
    let per_request_ms = (server.cpu_seconds() - cpu) * 1000.0 / requests.max(1) as f64;
    let rate = median(rounds.iter().map(Measured::per_second).collect());
    let p99 = median(rounds.iter().map(|m| m.percentile_ms(0.99)).collect());
    let what = format!("{call:?}, {connections} connections");
    let memory = server.memory_mb();
    note(
        &what,
        &format!("{rate:.0}/s, p99 {p99:.1} ms, {per_request_ms:.2} CPU-ms, {memory:.0} MB"),
    );
}

/// How much faster the service is than `beside`. Both take turns, so that what else the machine
/// does meets both.
async fn ratio(server: &Server, call: Call, beside: (&str, Call), name: &str, least: f64) -> bool {
    let mut ours = Crew::of(server, server.base(), call, 16).await;
    let mut theirs = Crew::of(server, beside.0, beside.1, 16).await;
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        // by turns, so that whatever else the machine does falls on both
        let mut requests = (0, 0);
        for _ in 0..TURNS {
            requests.0 += ours.ask(TURN).await.requests;
            requests.1 += theirs.ask(TURN).await.requests;
        }
        ratios.push(requests.0 as f64 / requests.1 as f64);
    }
    let ratio = median(ratios);
    let what = format!("{call:?}, to {name}");
    row(&what, &format!(">= {least} x"), &format!("{ratio:.2} x"), ratio >= least)
}

async fn tail(server: &Server, call: Call) -> bool {
    let mut tails = Vec::new();
    for _ in 0..ROUNDS {
        let time = Duration::from_secs(4);
        let measured = open_loop(server, call, REQUESTS_PER_SECOND, time).await;
        tails.push(measured.percentile_ms(0.99));
    }
    let p99 = median(tails);
    let what = format!("{call:?}, p99 at {REQUESTS_PER_SECOND}/s");
    let target = format!("<= {MOST_P99_MS} ms");
    row(&what, &target, &format!("{p99:.1} ms"), p99 <= MOST_P99_MS)
}

pub(crate) fn row(what: &str, target: &str, median: &str, good: bool) -> bool {
    println!("{what:<40} | {target:>12} | {median:>12} | {}", if good { "ok" } else { "MISS" });
    good
}

fn note(what: &str, value: &str) {
    println!("{what:<40} | {:>12} | {value}", "");
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A sign-up that nobody made before.
pub(crate) fn fresh_sign_up(number: usize) -> serde_json::Value {
    json!({"email": format!("fresh{number}@bench.example"), "password": server::PASSWORD})
}
