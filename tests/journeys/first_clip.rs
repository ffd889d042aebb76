//! From the first start to a clip that plays and is saved.

use crate::{
    home::Home,
    window::{Window, until},
};

#[tokio::test]
async fn a_newcomer_makes_plays_and_saves_a_clip_without_an_account() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.write("What should the character do?", "walks forward, then waves").await;
    window.press("Generate").await;
    window.see("Progress of walks forward, then waves").await;
    window.see("Clip: walks forward, then waves").await;
    window.keep_picture("studio").await;

    window.press("Save as GLB").await;
    let saved = home.path().join("saved.glb");
    until("the saved file", async || saved.exists().then_some(())).await;
    let bytes = std::fs::read(&saved).expect("readable");
    let file = limber_formats::glb::read(&bytes).expect("a character with its animation");
    assert!(!file.character.skeleton.is_empty(), "the file has a skeleton");

    window.press("Play").await;
    until("the viewer", async || (!home.processes(" view ").is_empty()).then_some(())).await;
    home.kill(" view ");
    window.close(&home).await;
}

#[tokio::test]
async fn a_job_is_cancelled_and_stays_so() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.write("What should the character do?", "dances happily").await;
    window.choose("8").await;
    window.press("Generate").await;
    window.press("Cancel").await;
    window.press("Queue").await;
    window.see("Cancelled").await;
    window.close(&home).await;
}

#[tokio::test]
async fn prompts_that_are_no_motion_are_refused_with_advice() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    for prompt in ["asdf", "اختبار"] {
        window.write("What should the character do?", prompt).await;
        window.press("Generate").await;
        until("advice", async || (window.count("[role=alert]").await > 0).then_some(())).await;
        window.press("Close this message").await;
    }
    window.close(&home).await;
}
