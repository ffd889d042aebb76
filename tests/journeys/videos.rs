//! A clip is rendered as a video on the studio backdrop, and the desktop is notified.

use std::process::{Command, Stdio};

use crate::{
    display::{light_pixels, remove_focus},
    home::Home,
    place::Place,
    window::{Window, until},
};

#[tokio::test]
async fn a_clip_is_rendered_and_the_desktop_is_notified() {
    let home = Home::new();
    // signals to docks and taskbars
    let signals = "type='signal',interface='com.canonical.Unity.LauncherEntry'";
    // calls to the notification service
    let calls = "type='method_call',interface='org.freedesktop.Notifications',member='Notify'";
    let heard = home.path().join("bus.txt");
    let file = std::fs::File::create(&heard).expect("the file can be created");
    let mut bus = Command::new("dbus-monitor")
        .args(["--session", signals, calls])
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .expect("dbus-monitor is installed");

    let hears = async |words: &str| {
        until(&format!("“{words}” on the bus"), async || {
            let heard = std::fs::read_to_string(&heard).unwrap_or_default();
            heard.contains(words).then_some(())
        })
        .await;
    };
    // the first message on the bus is the monitor's own name
    hears("NameAcquired").await;

    let window = render_clip(&home, &Place::ThisComputer).await;

    let news = ["Your clip is ready", "bows deeply", "Your video is ready"];
    for words in news.into_iter().chain(["application://Limber.desktop", "progress-visible"]) {
        hears(words).await;
    }
    window.close(&home).await;
    let _ = bus.kill();
    let _ = bus.wait();
}

#[tokio::test]
async fn a_server_renders_a_clip() {
    let home = Home::new();
    let Some(server) = Place::server(&home).await else { return };
    render_clip(&home, &server).await.close(&home).await;
}

async fn render_clip(home: &Home, place: &Place) -> Window {
    let window = Window::open(home).await;
    place.enter(&window).await;
    window.prompt("bows deeply").await;
    // the job must not finish before the focus has moved elsewhere
    place.halt_worker(home).await;
    window.press("Generate").await;
    remove_focus();
    place.worker_goes_on(home);
    window.see("Clip: bows deeply").await;
    window.press("Render video").await;
    window.choose("Studio").await;
    until("the character in the still image", async || {
        let picture = window.picture_of("dialog .still img").await?;
        (light_pixels(&picture) > 1000).then_some(())
    })
    .await;
    window.inspect(&place.picture("film")).await;
    // small frames, because debug builds render slowly
    window.choose("Custom").await;
    for (side, pixels) in [("Width", 320), ("Height", 180)] {
        let field = format!("input[aria-label='{side} in pixels']");
        window.keys(&field, &format!("\u{E009}a\u{E009}{pixels}\t")).await;
    }
    place.halt_worker(home).await;
    window.press("Choose location and render").await;
    if matches!(place, Place::ThisComputer) {
        // keep the job pending while it is cancelled twice
        window.press("Queue").await;
        window.press("Cancel").await;
        window.see("Cancelled").await;
        window.press("Try again").await;
    }
    remove_focus();
    place.worker_goes_on(home);
    window.see("The video was saved as saved.mp4").await;
    let video = std::fs::read(home.path().join("saved.mp4")).expect("the video can be read");
    let video = re_mp4::Mp4::read_bytes(&video).expect("the video is an MP4");
    let track = video.tracks().values().next().expect("the video has a track");
    assert_eq!((track.width, track.height), (320, 180));
    assert!(track.samples.len() >= 60, "{} frames of a bow", track.samples.len());
    window
}
