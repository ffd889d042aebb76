//! Characters dragged into the window and clips dragged out of it, with another program at the
//! other end.

use std::fs;

use reqwest::Url;

use crate::{
    home::Home,
    pointer::{FileManager, Held},
    window::{Window, until},
};

/// A point inside the app's window, which lies in the corner of the display without a window
/// manager.
const MIDDLE: (i32, i32) = (640, 420);
/// Number of pointer movements after which a window has noticed a drag.
const ENOUGH: usize = 8;

#[tokio::test]
async fn several_characters_are_dragged_in_at_once() {
    let home = Home::new();
    let names = ["Hero of mine.glb", "Zwölf 🦸.glb", "notes.txt"];
    let mut addresses = String::new();
    for name in names {
        let path = home.path().join(name);
        match name.ends_with(".glb") {
            true => fs::copy("assets/characters/nova.glb", &path).map(drop),
            false => fs::write(&path, "not a character"),
        }
        .expect("the file can be written");
        let address = Url::from_file_path(&path).expect("the path is absolute");
        addresses += &format!("{address}\r\n");
    }
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.press_exactly("Characters").await;
    window.see("Add characters").await;
    let _manager = FileManager::open(addresses);
    let held = Held::carry(FileManager::middle(), MIDDLE);
    until("the drop target", async || {
        held.wiggle();
        (window.count(".veil .target").await > 0).then_some(())
    })
    .await;
    // keep the uploads pending until all of them have been seen
    home.halt("service motion");
    held.release();
    for name in names {
        window.see(&format!("Upload: {name}")).await;
    }
    window.inspect("characters-dragged").await;
    home.go_on("service motion");
    until("both characters", async || {
        let listed = window.count("[aria-label='Bones of Hero of mine']").await
            + window.count("[aria-label='Bones of Zwölf 🦸']").await;
        (listed == 2).then_some(())
    })
    .await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_clip_is_dragged_out_as_a_file() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.prompt("waves with the left hand").await;
    window.press("Generate").await;
    window.see("Clip: waves with the left hand").await;
    let manager = FileManager::open(String::new());
    let held = Held::carry(window.middle_of("article .play").await, FileManager::middle());
    manager.wait_until_accepted(&held);
    held.release();
    let landed = until("a file on the other window", async || manager.landed()).await;
    let file = Url::parse(landed.trim())
        .expect("there is one address")
        .to_file_path()
        .expect("the address is that of a file");
    assert_eq!(
        file.file_name().and_then(|name| name.to_str()),
        Some("waves with the left hand.glb")
    );
    let bytes = fs::read(&file).expect("the file exists");
    let read = limber_formats::glb::read(&bytes).expect("the file contains a character");
    assert!(!read.character.skeleton.is_empty());
    // dropped back onto its own window, it is not a new character
    let held = Held::carry(window.middle_of("article .play").await, MIDDLE);
    for _ in 0..ENOUGH {
        held.wiggle();
    }
    held.release();
    window.press_exactly("Characters").await;
    window.see("Add characters").await;
    window.never_sees("Upload: waves").await;
    window.close(&home).await;
}
