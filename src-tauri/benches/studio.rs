//! Responsiveness of the studio for the user: time from launch to a usable prompt box, idle memory,
//! and how the page performs with a library of ten thousand clips and while a job runs.
//!
//! Measured from outside through WebDriver, so the first figure includes the driver's own start and
//! is an upper bound. Needs the same tools as the journeys. Budgets: 2 s with a warm database; 250
//! MB for our own processes, without the web view's; with ten thousand clips 300 page elements, 8
//! ms of script for a scroll step and 50 ms for a search; no task over 50 ms while a job runs.

#[path = "../../tests/journeys/access.rs"]
mod access;
#[path = "../../tests/journeys/driver.rs"]
mod driver;
#[path = "../../tests/journeys/home.rs"]
#[expect(dead_code, reason = "journeys ask more of a home")]
mod home;
#[path = "../../tests/journeys/keyboard.rs"]
mod keyboard;
#[path = "studio/page.rs"]
mod page;
#[path = "../../tests/journeys/window.rs"]
#[expect(dead_code, reason = "journeys ask more of a window")]
mod window;

use std::{process::ExitCode, time::Duration};

use home::Home;
use limber_bench::{Report, in_short, rounds};
use window::Window;

const RUNS: usize = 3;
const PROMPT: &str = "What should the character do?";

#[tokio::main]
async fn main() -> ExitCode {
    let home = Home::in_motion();
    let first = Window::open(&home).await;
    first.press("Continue on this computer").await;
    first.write(PROMPT, "a person walks").await;
    first.press("Generate").await;
    first.see("Clip: a person walks").await;
    first.close(&home).await;

    let mut report = Report::new();
    starts(&home, &mut report).await;
    page::fill_library(&home);
    page::measure(&home, &mut report).await;
    report.end()
}

async fn starts(home: &Home, report: &mut Report) {
    let (mut starts_s, mut megabytes) = (Vec::new(), Vec::new());
    for _ in 0..rounds(RUNS) {
        let began = now();
        let window = Window::open(home).await;
        window.write(PROMPT, "ready").await;
        starts_s.push(began.elapsed().as_secs_f64());
        if !in_short() {
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        megabytes.push(home.megabytes(&["limber"]));
        window.close(home).await;
    }
    report.at_most("start to a usable prompt box", 2.0, "s", starts_s);
    report.at_most("idle memory of our processes", 250.0, "MB", megabytes);
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}
