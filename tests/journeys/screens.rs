//! Every screen in both themes exists and has the right colours. This also makes the screenshots of
//! the documentation.

use std::fs;

use image::RgbImage;

use crate::{
    display::light_pixels,
    home::Home,
    viewport,
    window::{Window, until},
};

/// Pages: label, expected text, and screenshot name.
const PAGES: [(&str, &str, &str); 6] = [
    ("Studio", "What should the character do?", "studio"),
    ("Library", "Search clips", "library"),
    ("Characters", "Add characters", "characters"),
    ("Queue", "Queue", "queue"),
    ("Account", "Account", "account"),
    ("Settings", "Shortcuts", "settings"),
];

#[tokio::test]
async fn every_screen_exists_in_both_themes() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.see("Create one").await;
    window.inspect("screen-sign-in-dark").await;
    window.press("Continue on this computer").await;
    for prompt in ["a person walks forward, then waves", "dances happily", "jumps twice"] {
        window.prompt(prompt).await;
        window.press("Generate").await;
        window.see(&format!("Clip: {prompt}")).await;
    }
    for (theme, is_light) in [("Dark", false), ("Light", true)] {
        window.press_exactly("Settings").await;
        window.choose(theme).await;
        let name = theme.to_lowercase();
        for (page, words, picture) in PAGES {
            window.press_exactly(page).await;
            window.see(words).await;
            until(&format!("{page} in the theme {theme}"), async || {
                let rail = window.picture_of("nav").await?;
                (mostly_light(&rail) == is_light).then_some(())
            })
            .await;
            if page == "Studio" || page == "Library" {
                see_animated_previews(&window).await;
            }
            window.inspect(&format!("screen-{picture}-{name}")).await;
        }
        window.press_exactly("Library").await;
        window.press("Render video").await;
        until("the still image of the video", async || {
            (light_pixels(&window.picture_of("dialog .still img").await?) > 1000).then_some(())
        })
        .await;
        window.inspect(&format!("screen-film-{name}")).await;
        window.press("Close").await;
        window.press("Edit").await;
        see_editor(&window).await;
        window.inspect(&format!("screen-editor-{name}")).await;
        window.press("Export").await;
        window.see("Choose folder and export").await;
        window.inspect(&format!("screen-export-{name}")).await;
        window.press("Close").await;
        window.press("Back").await;
        window.press("Mail").await;
        until("the mailbox", async || (window.count("dialog[open]").await > 0).then_some(())).await;
        window.inspect(&format!("screen-mail-{name}")).await;
        window.press("Close").await;
        window.press("Shortcuts").await;
        until("the shortcuts", async || (window.count("dialog[open]").await > 0).then_some(()))
            .await;
        window.see("Go to the prompt").await;
        window.inspect(&format!("screen-shortcuts-{name}")).await;
        window.press("Close").await;
    }
    window.close(&home).await;
    let settings = fs::read(home.data().join("settings.json")).expect("the settings were saved");
    drop(home);
    check_first_screen(&settings).await;
}

/// The first screen, for a user whose setting is the light theme.
async fn check_first_screen(settings: &[u8]) {
    let home = Home::new();
    fs::create_dir_all(home.data()).expect("the folder can be created");
    fs::write(home.data().join("settings.json"), settings).expect("the file can be written");
    let window = Window::open(&home).await;
    window.see("Create one").await;
    until("the first screen in the light theme", async || {
        mostly_light(&window.picture_of("main").await?).then_some(())
    })
    .await;
    window.inspect("screen-sign-in-light").await;
    window.close(&home).await;
}

/// The editor, with its clip rendered and nothing covering it.
async fn see_editor(window: &Window) {
    window.see("Versions").await;
    viewport::see_character(window).await;
}

async fn see_animated_previews(window: &Window) {
    until("a light body on the first card", async || {
        let picture = window.picture_of("article [role=img]").await?;
        (light_pixels(&picture) > 1000).then_some(())
    })
    .await;
}

/// Returns whether most of an image is light.
fn mostly_light(picture: &RgbImage) -> bool {
    2 * light_pixels(picture) > (picture.width() * picture.height()) as usize
}
