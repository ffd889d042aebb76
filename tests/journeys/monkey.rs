//! Monkey tests: click and type at random. The app must stay responsive, report no internal error
//! and keep every clip while processes are killed, and not use more and more memory while it runs.
//!
//! `cargo xtask soak monkey` runs the first for half an hour, `cargo xtask soak memory` the second.
//! The same seed repeats the same actions as long as the page responds with the same timing.

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
    let lasts = from_environment("LIMBER_SOAK_SECONDS").map_or(SHORT, Duration::from_secs);
    let clips = play(lasts, &KILLABLE, |_, _| {}).await;
    if lasts > SHORT {
        assert!(clips > 0, "random input makes a clip now and then");
    }
}

/// Nothing is killed here: a restarted app would start with little memory again.
#[tokio::test]
#[ignore = "takes hours: `cargo xtask soak memory`"]
async fn random_input_does_not_use_more_and_more_memory() {
    let lasts = Duration::from_secs(from_environment("LIMBER_SOAK_SECONDS").unwrap_or(7_200));
    let mut memory = Memory::new(lasts);
    play(lasts, &[], |home, elapsed| memory.sample(home, elapsed)).await;
    memory.judge();
}

/// Acts at random for this long, kills `killable` processes now and then, calls `watch` after each
/// action, and checks at the end that nothing is lost. Returns the number of clips.
async fn play(lasts: Duration, killable: &[&str], mut watch: impl FnMut(&Home, Duration)) -> usize {
    let seed = from_environment("LIMBER_SOAK_SEED").unwrap_or(20_261_122);
    println!("monkey test for {} s, seed {seed}", lasts.as_secs());
    let mut random = SmallRng::seed_from_u64(seed);
    let home = Home::new();
    let mut window = open(&home).await;
    let mut belongings = Belongings::of(&home);
    let (mut steps, mut kills) = (0, 0);
    let began = now();
    while began.elapsed() < lasts {
        if !killable.is_empty() && random.random_range(0..STEPS_PER_KILL) == 0 {
            let process = killable[random.random_range(0..killable.len())];
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
        watch(&home, began.elapsed());
    }
    println!("{steps} steps, {kills} kills, {} clips made", belongings.count());
    window.close(&home).await;
    // jobs submitted before the end are still completed
    let window = open(&home).await;
    within(END, "all jobs to end", async || home.open_jobs().is_empty().then_some(())).await;
    window.close(&home).await;
    belongings.look();
    belongings.check_files();
    belongings.count()
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
