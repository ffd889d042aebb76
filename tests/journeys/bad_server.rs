//! Servers that are unreachable, broken, hostile or charge money: the user sees what to do, and
//! nothing is lost.

use serde_json::json;

use crate::{
    home::Home,
    server::{PHONE, PHONE_CODE, Server},
    window::{Window, until},
    wire::{Mood, Wire},
};

/// Ways in which a server misbehaves, and a word of the message that the app shows for each.
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

const MESSAGES: &str = "[...document.querySelectorAll('[role=alert]')]";

/// Internals that messages must not contain.
const LEAKS: [&str; 6] = ["/srv/", "passwd", "panicked", "127.0.0.1", "error decoding", "hyper"];

/// Presses a button and waits for a new message with this word, which is then closed if possible.
async fn see_new_message(window: &Window, button: &str, word: &str) {
    // an earlier message may stay until the button is pressed
    let old = format!("{MESSAGES}.forEach(message => (message.isOld = true))");
    until("a page", async || window.run(&old, vec![]).await).await;
    window.press(button).await;
    let new = format!(
        "return {MESSAGES}.filter(message => !message.isOld).map(message => message.innerText)
            .find(words => words && words.includes(arguments[0])) ?? null"
    );
    let words = until(&format!("a message with “{word}”"), async || {
        window.run(&new, vec![json!(word)]).await?.as_str().map(str::to_owned)
    })
    .await;
    if window.count("[aria-label='Close this message']").await > 0 {
        window.press("Close this message").await;
    }
    let leak = LEAKS.iter().find(|leak| words.contains(**leak));
    assert!(leak.is_none(), "{leak:?} in: {words}");
}

#[tokio::test]
async fn server_failures_are_reported_and_lose_nothing() {
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
        println!("identity service: {mood:?}");
        identity.set_mood(mood);
        see_new_message(&window, "Text me a code", word).await;
    }
    identity.set_mood(Mood::Good);
    window.press("Text me a code").await;
    window.write("Code", PHONE_CODE).await;
    window.press_exactly("Sign in").await;

    window.prompt("walks forward").await;
    for (mood, word) in MOODS {
        println!("motion service: {mood:?}");
        motion.set_mood(mood);
        see_new_message(&window, "Generate", word).await;
        let left = until("the prompt box", async || {
            window.run("return document.querySelector('textarea').value", vec![]).await
        });
        assert_eq!(left.await, "walks forward", "after {mood:?}");
    }
    motion.set_mood(Mood::Good);
    server.halt_worker();
    window.press("Generate").await;
    window.see("Progress of walks forward").await;
    // unreachable while the job runs, long enough for the app to notice
    for mood in [Mood::Cut, Mood::Floods] {
        motion.set_mood(mood);
        server.worker_goes_on();
        window.see("retrying automatically").await;
        motion.wait_until_noticed().await;
        window.press("Library").await;
        window.press("Studio").await;
    }
    motion.set_mood(Mood::Good);
    window.see("Clip: walks forward").await;
    window.close(&home).await;
}

#[tokio::test]
async fn edits_and_videos_survive_an_unreliable_connection() {
    let home = Home::new();
    let started = Server::start_with_wire(&home.path().join("server")).await;
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
    wire.set_mood(Mood::Cut);
    see_new_message(&window, "Create loop", "reach").await;
    wire.set_mood(Mood::Good);
    server.halt_worker();
    window.press("Create loop").await;
    window.see("Progress of ").await;
    wire.set_mood(Mood::Cut);
    server.worker_goes_on();
    window.see("Can't reach").await;
    wire.set_mood(Mood::Good);
    window.result_opens().await;
    window.see("Looped").await;

    window.press("Render").await;
    window.choose("Custom").await;
    for (side, pixels) in [("Width", 320), ("Height", 180)] {
        let field = format!("input[aria-label='{side} in pixels']");
        window.keys(&field, &format!("\u{E009}a\u{E009}{pixels}\t")).await;
    }
    wire.set_mood(Mood::Cut);
    see_new_message(&window, "Choose location and render", "reach").await;
    wire.set_mood(Mood::Good);
    server.halt_worker();
    window.press("Choose location and render").await;
    window.see("Progress of ").await;
    wire.set_mood(Mood::Cut);
    server.worker_goes_on();
    wire.wait_until_noticed().await;
    wire.set_mood(Mood::Good);
    window.see("The video was saved as saved.mp4").await;
    assert!(home.path().join("saved.mp4").exists());
    window.close(&home).await;
}

#[tokio::test]
async fn prices_and_insufficient_credits_are_shown_in_advance() {
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
    window.see("Ask your studio’s operator for more").await;
    window.inspect("too-dear").await;
    server.grant(&files, 100).await;
    window.prompt("waves").await;
    window.see("You have 100 credits").await;
    window.press("Generate ·").await;
    window.press("Get results for").await;
    window.see("Clip: waves").await;
    window.see_no_more("You have 100 credits").await;

    // edits and videos show their price as well
    window.press("Edit").await;
    window.see("Editing: waves").await;
    window.choose("Loop").await;
    window.press("Create loop ·").await;
    window.press("Get results for").await;
    window.result_opens().await;
    window.see("Looped").await;
    window.press("Render").await;
    window.see("render · ").await;
    window.inspect("video-price").await;
    window.close(&home).await;
}
