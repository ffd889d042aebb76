//! How fast the service answers, what an answer costs, and whether its time tells a stranger
//! which accounts exist.
//!
//! The budgets are ratios: what stands beside is a bare handler in the same process that does the
//! same number of prepared statements. The service runs in a child process, so that its processor
//! time and memory are its own; the load comes from here.

mod load;
mod server;
mod timing;

use std::time::Duration;

use serde_json::json;

use load::{Measured, closed_loop, open_loop};
use server::Server;

const CONNECTIONS: [usize; 3] = [1, 16, 64];
const ROUNDS: usize = 3;
const TIME: Duration = Duration::from_secs(2);
/// Requests whose statements are counted, one after the other.
const COUNTED: u32 = 20;

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
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    if !runtime.block_on(measure()) {
        std::process::exit(1);
    }
}

async fn measure() -> bool {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = Server::start().await;
    let mut good = true;
    println!("{:<40} | {:>12} | {:>12} | verdict", "what", "target", "median");
    let statements = count_statements(&server).await;
    for (call, most) in [(Call::User, 1), (Call::Refresh, 4), (Call::Login, 0), (Call::SignUp, 0)] {
        let count = statements[place(call)];
        let what = format!("{call:?}: statements per request");
        match most {
            0 => note(&what, &format!("{count:.1}")),
            most => {
                let fits = count <= f64::from(most);
                good &= row(&what, &format!("<= {most}"), &format!("{count:.1}"), fits);
            }
        }
    }
    for call in [Call::User, Call::Refresh, Call::Login, Call::SignUp] {
        for connections in CONNECTIONS {
            speed(&server, call, connections).await;
        }
    }
    for (call, least) in [(Call::User, 0.5), (Call::Refresh, 0.25)] {
        good &= ratio(&server, call, statements[place(call)], least).await;
        good &= tail(&server, call).await;
    }
    note("memory at the end", &format!("{:.0} MB", server.memory_mb()));
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

async fn count_statements(server: &Server) -> [f64; 4] {
    let mut counts = [0.0; 4];
    for call in [Call::User, Call::Refresh, Call::Login, Call::SignUp] {
        let mut worker = server.worker(call).await;
        worker.ask().await;
        let before = server.statements().await;
        for _ in 0..COUNTED {
            worker.ask().await;
        }
        counts[place(call)] = (server.statements().await - before) as f64 / f64::from(COUNTED);
    }
    server.stop_counting().await;
    counts
}

async fn speed(server: &Server, call: Call, connections: usize) {
    let mut rounds = Vec::new();
    let cpu = server.cpu_seconds();
    let mut requests = 0;
    for _ in 0..ROUNDS {
        let measured = closed_loop(server, call, connections, TIME).await;
        requests += measured.requests;
        rounds.push(measured);
    }
    let per_request_ms = (server.cpu_seconds() - cpu) * 1000.0 / requests.max(1) as f64;
    let rate = median(rounds.iter().map(Measured::per_second).collect());
    let p99 = median(rounds.iter().map(|m| m.percentile_ms(0.99)).collect());
    let what = format!("{call:?}, {connections} connections");
    note(&what, &format!("{rate:.0}/s, p99 {p99:.1} ms, {per_request_ms:.2} CPU-ms"));
}

/// Both take turns, so that what else the machine does meets both.
async fn ratio(server: &Server, call: Call, statements: f64, least: f64) -> bool {
    let bare =
        Call::Bare { statements: statements.round() as u32, transaction: call == Call::Refresh };
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let ours = closed_loop(server, call, 16, TIME).await.per_second();
        let theirs = closed_loop(server, bare, 16, TIME).await.per_second();
        ratios.push(ours / theirs);
    }
    let ratio = median(ratios);
    let what = format!("{call:?}, to a bare handler");
    row(&what, &format!(">= {least} x"), &format!("{ratio:.2} x"), ratio >= least)
}

async fn tail(server: &Server, call: Call) -> bool {
    let mut tails = Vec::new();
    for _ in 0..ROUNDS {
        let measured = open_loop(server, call, 200, Duration::from_secs(4)).await;
        tails.push(measured.percentile_ms(0.99));
    }
    let p99 = median(tails);
    row(&format!("{call:?}, p99 at 200/s"), "<= 10 ms", &format!("{p99:.1} ms"), p99 <= 10.0)
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
