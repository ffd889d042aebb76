//! A clip is filmed in the studio set, and the desktop tells of it.

use std::process::{Command, Stdio};

use crate::{
    display::{light_pixels, look_elsewhere},
    home::Home,
    place::Place,
    window::{Window, until},
};

#[tokio::test]
async fn a_clip_becomes_a_film_and_the_desktop_hears_how_far_it_is() {
    let home = Home::new();
    // what goes over the bus to docks and task bars
    let signals = "type='signal',interface='com.canonical.Unity.LauncherEntry'";
    // and to whoever shows notifications
    let calls = "type='method_call',interface='org.freedesktop.Notifications',member='Notify'";
    let told = home.path().join("bus.txt");
    let file = std::fs::File::create(&told).expect("there is room");
    let mut bus = Command::new("dbus-monitor")
        .args(["--session", signals, calls])
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .expect("dbus-monitor is installed");

    film(&home, &Place::ThisComputer).await;

    let _ = bus.kill();
    let _ = bus.wait();
    let told = std::fs::read_to_string(told).expect("it wrote");
    assert!(told.contains("application://Limber.desktop"), "{told}");
    assert!(told.contains("progress-visible"), "{told}");
    for news in ["Your clip is ready", "bows deeply", "Your film is ready"] {
        assert!(told.contains(news), "{news}: {told}");
    }
}

#[tokio::test]
async fn a_server_films_a_clip_as_well() {
    let home = Home::new();
    let Some(server) = Place::server(&home).await else { return };
    film(&home, &server).await;
}

async fn film(home: &Home, place: &Place) {
    let window = Window::open(home).await;
    place.enter(&window).await;
    window.prompt("bows deeply").await;
    window.press("Generate").await;
    look_elsewhere();
    window.see("Clip: bows deeply").await;
    window.press("Film: render a film").await;
    window.choose("Studio").await;
    until("the character in the still", async || {
        let picture = window.picture_of("dialog .still img").await?;
        (light_pixels(&picture) > 1000).then_some(())
    })
    .await;
    window.inspect("film").await;
    // a build for development draws small pictures in good time
    window.choose("Own").await;
    for (side, pixels) in [("Width", 320), ("Height", 180)] {
        let field = format!("input[aria-label='{side} in pixels']");
        window.keys(&field, &format!("\u{E009}a\u{E009}{pixels}\t")).await;
    }
    if matches!(place, Place::ThisComputer) {
        // nobody draws it until somebody has thought better of it twice
        home.halt("service worker");
        window.press("Choose a place and render").await;
        window.press("Queue").await;
        window.press("Cancel").await;
        window.see("Cancelled").await;
        home.go_on("service worker");
        window.press("Try again").await;
    } else {
        window.press("Choose a place and render").await;
    }
    look_elsewhere();
    window.see("The film was saved as saved.mp4").await;
    let film = std::fs::read(home.path().join("saved.mp4")).expect("it is there");
    let film = re_mp4::Mp4::read_bytes(&film).expect("an MP4");
    let track = film.tracks().values().next().expect("moving pictures");
    assert_eq!((track.width, track.height), (320, 180));
    assert!(track.samples.len() >= 60, "{} pictures of a bow", track.samples.len());
    window.close(home).await;
}
