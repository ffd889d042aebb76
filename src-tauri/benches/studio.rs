//! The studio as a person feels it: how long the app takes to a usable prompt box, what it needs while it
//! idles, and how its page answers with a library of ten thousand clips and while a job runs.
//!
//! Measured from outside, through WebDriver, so the driver's own start is in the first figure: an upper
//! bound. Needs what the journeys need. Budgets: 2 s with a warm database; 250 MB for our own processes,
//! the web view's left out; of ten thousand clips 300 elements in the page, 8 ms of script for a step of
//! scrolling and 50 ms for a search; no task over 50 ms while a job runs.

#[path = "../../tests/journeys/access.rs"]
mod access;
#[path = "../../tests/journeys/driver.rs"]
mod driver;
#[path = "../../tests/journeys/home.rs"]
#[expect(dead_code, reason = "journeys ask more of a home")]
mod home;
#[path = "../../tests/journeys/keyboard.rs"]
mod keyboard;
#[path = "../../tests/journeys/keychain.rs"]
#[expect(dead_code, reason = "a journey locks one")]
mod keychain;
#[path = "studio/page.rs"]
mod page;
#[path = "../../tests/journeys/window.rs"]
#[expect(dead_code, reason = "journeys ask more of a window")]
mod window;

use std::{process::ExitCode, time::Duration};

use home::Home;
use window::Window;

const RUNS: usize = 3;
const PROMPT: &str = "What should the character do?";

/// What was measured, with its budget.
struct Row {
    what: &'static str,
    target: f64,
    values: Vec<f64>,
}

impl Row {
    const fn new(what: &'static str, target: f64) -> Self {
        Self { what, target, values: Vec::new() }
    }

    /// Prints it, and says whether the median holds.
    fn judge(mut self) -> bool {
        self.values.sort_by(f64::total_cmp);
        let median = self.values[self.values.len() / 2];
        let holds = median <= self.target;
        let word = if holds { "holds" } else { "MISSED" };
        println!("| {} | {} | {median:.2} | {word} |", self.what, self.target);
        holds
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let home = Home::new();
    let first = Window::open(&home).await;
    first.press("Continue on this computer").await;
    first.write(PROMPT, "a person walks").await;
    first.press("Generate").await;
    first.see("Clip: a person walks").await;
    first.close(&home).await;

    let mut rows = starts(&home).await;
    page::fill_library(&home);
    rows.extend(page::measure(&home).await);
    println!("| what | target | median | verdict |\n|---|---|---|---|");
    // every row is printed, whatever the first says
    let held = rows.into_iter().map(Row::judge).filter(|holds| !holds).count() == 0;
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn starts(home: &Home) -> Vec<Row> {
    let mut start = Row::new("start to a usable prompt box, s", 2.0);
    let mut memory = Row::new("idle memory of our processes, MB", 250.0);
    for _ in 0..RUNS {
        let began = now();
        let window = Window::open(home).await;
        window.write(PROMPT, "ready").await;
        start.values.push(began.elapsed().as_secs_f64());
        tokio::time::sleep(Duration::from_secs(5)).await;
        memory.values.push(home.megabytes(&["limber"]));
        window.close(home).await;
    }
    vec![start, memory]
}

#[expect(clippy::disallowed_methods, reason = "a benchmark takes real time")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}
