//! From the first start to a clip that is played and saved.

use std::time::Duration;

use crate::{
    display::{changed_pixels, keep, light_pixels, shows_character, window_of},
    home::Home,
    window::{Window, until},
};

/// Short enough that only a little work is done.
const MOMENT: Duration = Duration::from_millis(10);

#[tokio::test]
async fn a_newcomer_makes_plays_and_saves_a_clip_without_an_account() {
    let home = Home::in_motion();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.prompt("walks forward, then waves").await;
    home.halt_worker().await;
    window.press("Generate").await;
    window.see("Progress of walks forward, then waves").await;
    home.worker_goes_on();
    window.see("Clip: walks forward, then waves").await;
    until("a light body on its moving picture", async || {
        let picture = window.picture_of("article [role=img]").await?;
        (light_pixels(&picture) > 1000).then_some(())
    })
    .await;
    window.inspect("studio").await;

    window.press("Save as GLB").await;
    let saved = home.path().join("saved.glb");
    home.answer_save_dialog(&saved).await;
    until("the saved file", async || saved.exists().then_some(())).await;
    let bytes = std::fs::read(&saved).expect("readable");
    let file = limber_formats::glb::read(&bytes).expect("a character with its animation");
    assert!(!file.character.skeleton.is_empty(), "the file has a skeleton");

    window.press("Play").await;
    let viewer = until("the viewer", async || home.processes(" view ").first().copied()).await;
    let first = until("a character in the viewer's window", async || {
        let picture = window_of(viewer)?;
        shows_character(&picture).inspect_err(|why| println!("not yet: {why}")).ok()?;
        Some(picture)
    })
    .await;
    keep(&first, "viewer");
    until("another moment of the clip", async || {
        let later = window_of(viewer)?;
        (shows_character(&later).is_ok() && changed_pixels(&first, &later) > 300).then_some(())
    })
    .await;
    // an open window is reused, and a closed one is opened again
    window.press("Play").await;
    until("the end of the opening", async || {
        (window.count("[aria-busy=true]").await == 0).then_some(())
    })
    .await;
    assert_eq!(home.processes(" view "), [viewer], "one window is enough");
    home.kill(" view ");
    window.press("Play").await;
    until("a new viewer", async || {
        home.processes(" view ").first().filter(|process| **process != viewer).copied()
    })
    .await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_job_is_cancelled_and_stays_so() {
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
    // cancel in the middle of the work, which runs for short moments only, so that it does not end
    // before
    until("the beginning of the work", async || {
        home.worker_goes_on();
        tokio::time::sleep(MOMENT).await;
        home.halt_worker().await;
        window.shows_work().await.then_some(())
    })
    .await;
    window.press("Cancel").await;
    home.worker_goes_on();
    // its row moves down to the others, which make room for it
    window.see_no_more("Progress of dances happily").await;
    window.press("Reuse prompt").await;
    let eight = "input[type=radio][value='8']:checked";
    until("its variants", async || (window.count(eight).await > 0).then_some(())).await;
    window.close(&home).await;
}

#[tokio::test]
async fn prompts_that_are_no_motion_are_refused_with_advice() {
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
