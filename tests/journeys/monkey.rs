//! Monkey test: clicks and types at random while processes are killed. The app must stay
//! responsive, report no internal error, keep every clip, and not use more and more memory.
//!
//! `cargo xtask soak monkey` runs it for half an hour. The same seed repeats the same actions as
//! long as the page responds with the same timing.

mod belongings;
mod hands;
mod memory;

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng, rngs::SmallRng};

use crate::{
    home::Home,
    window::{Window, until, within},
};
use belongings::Belongings;
use hands::Hands;
use memory::Memory;

/// Duration in regular test runs.
const SHORT: Duration = Duration::from_secs(20);
/// Average number of actions between two kills.
const STEPS_PER_KILL: u32 = 40;
/// Timeout after which the app counts as unresponsive.
const RESPONSIVE: Duration = Duration::from_secs(60);
/// Time limit for the remaining jobs, of which a monkey submits many.
const END: Duration = Duration::from_secs(600);
/// Processes that are killed, by part of their command lines; the first is the app itself.
const KILLABLE: [&str; 5] = ["", "service worker", "service motion", "postgres -D", " view "];

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[tokio::test]
async fn random_input_and_crashes_lose_nothing() {
    let seed = from_environment("LIMBER_SOAK_SEED").unwrap_or(20_261_122);
    let lasts = from_environment("LIMBER_SOAK_SECONDS").map_or(SHORT, Duration::from_secs);
    println!("monkey test for {} s, seed {seed}", lasts.as_secs());
    let mut random = SmallRng::seed_from_u64(seed);
    let home = Home::new();
    let mut window = open(&home).await;
    let (mut belongings, mut memory) = (Belongings::of(&home), Memory::new(lasts));
    let (mut steps, mut kills) = (0, 0);
    let began = now();
    while began.elapsed() < lasts {
        if random.random_range(0..STEPS_PER_KILL) == 0 {
            let process = KILLABLE[random.random_range(0..KILLABLE.len())];
            println!("step {steps}: kill {}", if process.is_empty() { "the app" } else { process });
            window = kill(&home, window, process).await;
            kills += 1;
        } else {
            let did = Hands::new(&window, &mut random).do_something().await;
            println!("step {steps}: {did}");
        }
        steps += 1;
        let errors = tokio::time::timeout(RESPONSIVE, hands::page_errors(&window)).await;
        assert_eq!(errors.expect("the page responds"), "", "at step {steps}, seed {seed}");
        belongings.look();
        memory.sample(&home, began.elapsed());
    }
    println!("{steps} steps, {kills} kills, {} clips made", belongings.count());
    window.close(&home).await;
    // jobs submitted before the end are still completed
    let window = open(&home).await;
    within(END, "all jobs to end", async || home.open_jobs().is_empty().then_some(())).await;
    window.close(&home).await;
    belongings.look();
    belongings.check_files();
    memory.judge();
    if lasts > SHORT {
        assert!(belongings.count() > 0, "random input makes a clip now and then");
    }
}

/// Opens the window and listens for errors in it.
async fn open(home: &Home) -> Window {
    let window = Window::open(home).await;
    hands::listen(&window).await;
    window
}

async fn kill(home: &Home, window: Window, name: &str) -> Window {
    if !name.is_empty() {
        for process in home.processes(name) {
            crate::home::kill(process);
        }
        return window;
    }
    home.kill_app();
    drop(window);
    until("all of its processes to exit", async || {
        (home.processes("service ").is_empty() && home.processes("postgres").is_empty())
            .then_some(())
    })
    .await;
    open(home).await
}

#[expect(clippy::disallowed_methods, reason = "a journey takes real time")]
fn now() -> Instant {
    Instant::now()
}
