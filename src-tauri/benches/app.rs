//! How long the app takes to a usable prompt box, and what it needs while it idles.
//!
//! Measured from outside, through WebDriver, so the driver's own start is in the figure: an upper
//! bound. Needs what the journeys need. Budgets: 2 s with a warm database; 250 MB for our own
//! processes, the web view's left out.

#[path = "../../tests/journeys/home.rs"]
#[expect(dead_code, reason = "journeys ask more of a home")]
mod home;
#[path = "../../tests/journeys/window.rs"]
#[expect(dead_code, reason = "journeys ask more of a window")]
mod window;

use std::{fs, process::ExitCode, time::Duration};

use home::Home;
use window::Window;

const START_TARGET_S: f64 = 2.0;
const MEMORY_TARGET_MB: f64 = 250.0;
const RUNS: usize = 3;

#[tokio::main]
async fn main() -> ExitCode {
    let home = Home::new();
    let first = Window::open(&home).await;
    first.press("Continue on this computer").await;
    first.write("What should the character do?", "ready").await;
    first.close(&home).await;

    let mut starts = Vec::new();
    let mut memory = Vec::new();
    for _ in 0..RUNS {
        let began = now();
        let window = Window::open(&home).await;
        window.write("What should the character do?", "ready").await;
        starts.push(began.elapsed().as_secs_f64());
        tokio::time::sleep(Duration::from_secs(5)).await;
        memory.push(own_megabytes(&home));
        window.close(&home).await;
    }
    println!("| what | target | median | verdict |\n|---|---|---|---|");
    let start = verdict("start to a usable prompt box, s", START_TARGET_S, &mut starts);
    let idle = verdict("idle memory of our processes, MB", MEMORY_TARGET_MB, &mut memory);
    if start && idle { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn verdict(what: &str, target: f64, values: &mut [f64]) -> bool {
    values.sort_by(f64::total_cmp);
    let median = values[values.len() / 2];
    let holds = median <= target;
    let word = if holds { "holds" } else { "MISSED" };
    println!("| {what} | {target} | {median:.2} | {word} |");
    holds
}

/// Proportional memory of every `limber` process of this home: shared pages count once.
fn own_megabytes(home: &Home) -> f64 {
    let kilobytes: f64 = home
        .processes("limber")
        .into_iter()
        .filter(|id| {
            let name = fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
            name.trim() == "limber"
        })
        .filter_map(|id| {
            let text = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
            let line = text.lines().find(|line| line.starts_with("Pss:"))?;
            line.split_whitespace().nth(1)?.parse::<f64>().ok()
        })
        .sum();
    kilobytes / 1024.0
}

#[expect(clippy::disallowed_methods, reason = "a benchmark takes real time")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}
