//! Monkey test: presses and types at random while processes are killed. The app must stay
//! responsive, report no internal error, keep every clip, and not grow.
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
const STEPS_TO_A_DEATH: u32 = 40;
/// Timeout after which the app counts as unresponsive.
const RESPONSIVE: Duration = Duration::from_secs(60);
/// Time limit for the remaining jobs, of which a monkey submits many.
const END: Duration = Duration::from_secs(600);
/// Processes that are killed, by part of their command lines; the first is the app itself.
const MORTALS: [&str; 5] = ["", "service worker", "service motion", "postgres -D", " view "];

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[tokio::test]
async fn a_monkey_breaks_nothing_and_loses_nothing() {
    let seed = from_environment("LIMBER_SOAK_SEED").unwrap_or(20_261_122);
    let lasts = from_environment("LIMBER_SOAK_SECONDS").map_or(SHORT, Duration::from_secs);
    println!("a monkey for {} s, seed {seed}", lasts.as_secs());
    let mut random = SmallRng::seed_from_u64(seed);
    let home = Home::new();
    let mut window = open(&home).await;
    let (mut belongings, mut memory) = (Belongings::of(&home), Memory::new(lasts));
    let (mut steps, mut deaths) = (0, 0);
    let began = now();
    while began.elapsed() < lasts {
        if random.random_range(0..STEPS_TO_A_DEATH) == 0 {
            let mortal = MORTALS[random.random_range(0..MORTALS.len())];
            println!("step {steps}: kill {}", if mortal.is_empty() { "the app" } else { mortal });
            window = kill(&home, window, mortal).await;
            deaths += 1;
        } else {
            let did = Hands::new(&window, &mut random).do_something().await;
            println!("step {steps}: {did}");
        }
        steps += 1;
        let complaints = tokio::time::timeout(RESPONSIVE, hands::complaints(&window)).await;
        assert_eq!(complaints.expect("the page answers"), "", "at step {steps}, seed {seed}");
        belongings.look();
        memory.sample(&home, began.elapsed());
    }
    println!("{steps} steps, {deaths} deaths, {} clips made", belongings.count());
    window.close(&home).await;
    // jobs submitted before the end are still completed
    let window = open(&home).await;
    within(END, "the end of all jobs", async || home.open_jobs().is_empty().then_some(())).await;
    window.close(&home).await;
    belongings.look();
    belongings.check_whole();
    memory.judge();
    if lasts > SHORT {
        assert!(belongings.count() > 0, "a monkey makes a clip now and then");
    }
}

/// Opens the window and listens for errors in it.
async fn open(home: &Home) -> Window {
    let window = Window::open(home).await;
    hands::listen(&window).await;
    window
}

async fn kill(home: &Home, window: Window, mortal: &str) -> Window {
    if !mortal.is_empty() {
        for process in home.processes(mortal) {
            crate::home::kill(process);
        }
        return window;
    }
    home.kill_app();
    drop(window);
    until("the end of all that belonged to it", async || {
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
