//! Servers that are away, broken, hostile or want money: it is said what to do, and nothing is lost.

use std::time::Duration;

use crate::{
    home::Home,
    server::{PHONE, PHONE_CODE, Server},
    window::{Window, until},
    wire::{Mood, Wire},
};

/// What a server can do to whoever asks it, and a word of what is said about it then.
const MOODS: [(Mood, &str); 8] = [
    (Mood::Cut, "reach"),
    (Mood::Says("HTTP/1.1 500 Oh\r\ncontent-length: 21\r\n\r\npanicked at /srv/x.rs"), "moment"),
    (Mood::Says("HTTP/1.1 503 Oh\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n"), "moment"),
    (Mood::Says("HTTP/1.1 429 Oh\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n"), "moment"),
    (
        Mood::Says("HTTP/1.1 302 Go\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n"),
        "",
    ),
    (Mood::Says("SSH-2.0-OpenSSH_9.6\r\n"), ""),
    (Mood::Floods, ""),
    (Mood::Drips, ""),
];

const NEWEST_MESSAGE: &str =
    "return [...document.querySelectorAll('[role=alert]')].at(-1)?.innerText";

/// What nobody should have to read.
const LEAKS: [&str; 6] = ["/srv/", "passwd", "panicked", "127.0.0.1", "error decoding", "hyper"];

/// The words of the newest message, which is closed then where that can be.
async fn told(window: &Window) -> String {
    // the one of before goes when something else is tried
    tokio::time::sleep(Duration::from_millis(500)).await;
    let words = until("a message", async || {
        let words = window.run(NEWEST_MESSAGE, vec![]).await?;
        words.as_str().map(str::to_owned).filter(|words| !words.is_empty())
    })
    .await;
    if window.count("[aria-label='Close this message']").await > 0 {
        window.press("Close this message").await;
    }
    let leak = LEAKS.iter().find(|leak| words.contains(**leak));
    assert!(leak.is_none(), "{leak:?} in: {words}");
    words
}

#[tokio::test]
async fn whatever_a_server_does_is_told_and_loses_nothing() {
    let home = Home::new();
    let Some(mut server) = Server::start(&home.path().join("server")).await else { return };
    server.work();
    let identity = Wire::to(&server.identity).await;
    let motion = Wire::to(&server.motion).await;
    (server.identity, server.motion) = (identity.address.clone(), motion.address.clone());
    let window = Window::open(&home).await;
    server.connect(&window).await;
    window.press("Text me a code").await;
    window.write("Phone number", PHONE).await;
    for (mood, word) in MOODS {
        identity.is_now(mood);
        window.press("Text me a code").await;
        let words = told(&window).await;
        assert!(words.contains(word), "{mood:?}: {words}");
    }
    identity.is_now(Mood::Good);
    window.press("Text me a code").await;
    window.write("Code", PHONE_CODE).await;
    window.press_exactly("Sign in").await;

    window.prompt("walks forward").await;
    for (mood, word) in MOODS {
        motion.is_now(mood);
        window.press("Generate").await;
        let words = told(&window).await;
        assert!(words.contains(word), "{mood:?}: {words}");
        let left = window.run("return document.querySelector('textarea').value", vec![]).await;
        assert_eq!(left, Some("walks forward".into()), "after {mood:?}");
    }
    motion.is_now(Mood::Good);
    window.press("Generate").await;
    window.see("Progress of walks forward").await;
    // gone in the middle of the work, and for long enough that everybody has noticed
    for mood in [Mood::Cut, Mood::Floods] {
        motion.is_now(mood);
        window.see("it is tried again by itself").await;
        tokio::time::sleep(Duration::from_secs(4)).await;
        window.press("Library").await;
        window.press("Studio").await;
    }
    motion.is_now(Mood::Good);
    window.see("Clip: walks forward").await;
    window.close(&home).await;
}

#[tokio::test]
async fn changes_and_films_outlive_a_connection_that_comes_and_goes() {
    let home = Home::new();
    let started = Server::start_behind_a_wire(&home.path().join("server")).await;
    let Some((mut server, wire)) = started else { return };
    server.work();
    let window = Window::open(&home).await;
    server.connect(&window).await;
    server.sign_in_by_phone(&window).await;
    window.prompt("waves").await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see("Clip: waves").await;

    window.press("Edit").await;
    window.see("Editing: waves").await;
    window.choose("Loop").await;
    wire.is_now(Mood::Cut);
    window.press("Make the loop").await;
    let words = told(&window).await;
    assert!(words.contains("reach"), "{words}");
    wire.is_now(Mood::Good);
    window.press("Make the loop").await;
    window.see("Progress of ").await;
    wire.is_now(Mood::Cut);
    window.see("cannot be reached").await;
    wire.is_now(Mood::Good);
    window.press("Open the result").await;
    window.see("Looped").await;

    window.press("Film").await;
    window.choose("Own").await;
    for (side, pixels) in [("Width", 320), ("Height", 180)] {
        let field = format!("input[aria-label='{side} in pixels']");
        window.keys(&field, &format!("\u{E009}a\u{E009}{pixels}\t")).await;
    }
    wire.is_now(Mood::Cut);
    window.press("Choose a place and render").await;
    let words = told(&window).await;
    assert!(words.contains("reach"), "{words}");
    wire.is_now(Mood::Good);
    window.press("Choose a place and render").await;
    window.see("Progress of ").await;
    wire.is_now(Mood::Cut);
    tokio::time::sleep(Duration::from_secs(4)).await;
    wire.is_now(Mood::Good);
    window.see("The film was saved as saved.mp4").await;
    assert!(home.path().join("saved.mp4").exists());
    window.close(&home).await;
}

#[tokio::test]
async fn what_cannot_be_paid_is_told_before_and_what_is_paid_is_shown_before() {
    let home = Home::new();
    let files = home.path().join("server");
    let started = Server::start_with(&files, &[("MOTIONSVC_BILLING", "on")]).await;
    let Some(mut server) = started else { return };
    server.work();
    let window = Window::open(&home).await;
    server.connect(&window).await;
    server.sign_in_by_phone(&window).await;
    window.prompt("walks forward").await;
    window.choose("3 s").await;
    window.see("Ask your operator for more").await;
    window.inspect("too-dear").await;
    server.grant(&files, 100).await;
    window.prompt("waves").await;
    window.see("You have 100 credits").await;
    window.press("Generate ·").await;
    window.press("Get them for").await;
    window.see("Clip: waves").await;
    window.never_sees("You have 100 credits").await;

    // changes and films name their price as well
    window.press("Edit").await;
    window.see("Editing: waves").await;
    window.choose("Loop").await;
    window.press("Make the loop ·").await;
    window.press("Get them for").await;
    window.press("Open the result").await;
    window.see("Looped").await;
    window.press("Film").await;
    window.see("render · ").await;
    window.inspect("film-price").await;
    window.close(&home).await;
}
