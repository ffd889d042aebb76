//! From the first start to a clip that is played and saved.

use std::time::Duration;

use crate::{
    display::{changed_pixels, light_pixels, save_screenshot, shows_character, window_of},
    home::Home,
    window::{Window, until},
};

/// Short enough that only a little work is done.
const MOMENT: Duration = Duration::from_millis(10);

#[tokio::test]
async fn a_new_user_makes_plays_and_saves_a_clip_without_an_account() {
    let home = Home::in_motion();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.prompt("walks forward, then waves").await;
    home.halt_worker().await;
    window.press("Generate").await;
    window.see("Progress of walks forward, then waves").await;
    home.worker_goes_on();
    window.see("Clip: walks forward, then waves").await;
    until("a light body on the animated preview", async || {
        let picture = window.picture_of("article [role=img]").await?;
        (light_pixels(&picture) > 1000).then_some(())
    })
    .await;
    window.inspect("studio").await;

    window.press("Save as GLB").await;
    let saved = home.path().join("saved.glb");
    home.answer_save_dialog(&saved).await;
    until("the saved file", async || saved.exists().then_some(())).await;
    let bytes = std::fs::read(&saved).expect("the file can be read");
    let file = limber_formats::glb::read(&bytes).expect("the file contains a character");
    assert!(!file.character.skeleton.is_empty(), "the file has a skeleton");

    window.press("Play").await;
    let viewer = until("the viewer", async || home.processes(" view ").first().copied()).await;
    let first = until("a character in the viewer's window", async || {
        let picture = window_of(viewer)?;
        shows_character(&picture).inspect_err(|why| println!("waiting: {why}")).ok()?;
        Some(picture)
    })
    .await;
    save_screenshot(&first, "viewer");
    until("another frame of the clip", async || {
        let later = window_of(viewer)?;
        (shows_character(&later).is_ok() && changed_pixels(&first, &later) > 300).then_some(())
    })
    .await;
    // an open window is reused, and a closed one is opened again
    window.press("Play").await;
    until("the window to open", async || {
        (window.count("[aria-busy=true]").await == 0).then_some(())
    })
    .await;
    assert_eq!(home.processes(" view "), [viewer], "no second window is opened");
    home.kill(" view ");
    window.press("Play").await;
    until("a new viewer", async || {
        home.processes(" view ").first().filter(|process| **process != viewer).copied()
    })
    .await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_cancelled_job_stays_cancelled() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.prompt("dances happily").await;
    window.choose("8").await;
    home.halt_worker().await;
    window.press("Generate").await;
    window.press("Cancel").await;
    window.press("Queue").await;
    window.see("Cancelled").await;
    window.press("Try again").await;
    window.see("Progress of dances happily").await;
    // cancel while the job runs; the worker runs only for short moments, so that the job does not
    // finish first
    until("the job to start", async || {
        home.worker_goes_on();
        tokio::time::sleep(MOMENT).await;
        home.halt_worker().await;
        window.shows_work().await.then_some(())
    })
    .await;
    window.press("Cancel").await;
    home.worker_goes_on();
    // its row moves down to the finished jobs
    window.see_no_more("Progress of dances happily").await;
    window.press("Reuse prompt").await;
    let eight = "input[type=radio][value='8']:checked";
    until("its number of variants", async || (window.count(eight).await > 0).then_some(())).await;
    window.close(&home).await;
}

#[tokio::test]
async fn prompts_without_motion_are_rejected_with_advice() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    for prompt in ["asdf", "اختبار", "🕺🕺"] {
        window.prompt(prompt).await;
        window.press("Generate").await;
        until("advice", async || (window.count("[role=alert]").await > 0).then_some(())).await;
        window.press("Close this message").await;
    }
    window.close(&home).await;
}
