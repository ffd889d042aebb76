//! The steps of a prompt are edited without changing its text, and the clip has exactly those
//! steps.

use crate::{
    home::Home,
    window::{Window, until},
};

/// Texts of the window that this journey needs, in one language.
struct Spoken {
    question: &'static str,
    step: &'static str,
    remove: &'static str,
    bigger: &'static str,
    changed: &'static str,
    generate: &'static str,
}

const ENGLISH: Spoken = Spoken {
    question: "What should the character do?",
    step: "Step",
    remove: "Remove this step",
    bigger: "bigger",
    changed: "You edited the steps",
    generate: "Generate",
};

const GERMAN: Spoken = Spoken {
    question: "Was soll der Charakter tun?",
    step: "Schritt",
    remove: "Diesen Schritt entfernen",
    bigger: "größer",
    changed: "Du hast die Schritte geändert",
    generate: "Generieren",
};

#[tokio::test]
async fn edited_steps_of_a_prompt_are_exactly_what_is_made() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;

    let sentence = "a person walks forward, then waves, then jumps";
    edit_steps(&window, &ENGLISH, sentence, 2).await;
    let events = events_of_clip(&home, sentence).await;
    assert!(events[0].starts_with("walk"), "{events:?}");
    assert_eq!(events[1..], ["jump count:3 size:1.5"]);

    window.press_exactly("Settings").await;
    window.choose("Deutsch").await;
    window.press_exactly("Studio").await;
    let sentence = "a person jumps, then waves, then walks forward";
    edit_steps(&window, &GERMAN, sentence, 1).await;
    let events = events_of_clip(&home, sentence).await;
    assert_eq!(events[..1], ["jump count:3 size:1.5"]);
    assert!(events.len() == 2 && events[1].starts_with("walk"), "{events:?}");
    window.close(&home).await;
}

/// Removes the second of three steps, makes the jump larger and repeats it three times, and makes a
/// clip.
async fn edit_steps(window: &Window, spoken: &Spoken, sentence: &str, jump_place: u32) {
    window.write(spoken.question, sentence).await;
    window.press(&format!("{} 2: wave", spoken.step)).await;
    window.press_exactly(spoken.remove).await;
    window.see(spoken.changed).await;
    let jump = format!("{} {jump_place}: jump", spoken.step);
    window.press(&jump).await;
    window.press_exactly("3 ×").await;
    window.press_exactly(spoken.bigger).await;
    window.see(&format!("jump · 3 × · {}", spoken.bigger)).await;
    window.press(&jump).await;
    window.inspect(&format!("steps-{}", spoken.step.to_lowercase())).await;
    window.press(spoken.generate).await;
    window.see(&format!("Clip: {sentence}")).await;
}

/// Returns the events in the script of the clip made from this prompt.
async fn events_of_clip(home: &Home, sentence: &str) -> Vec<String> {
    let script = until("the clip in the library", async || {
        let folders = std::fs::read_dir(home.data().join("library")).ok()?;
        let notes = folders.filter_map(|folder| Some(folder.ok()?.path().join("clip.json")));
        let read = notes.filter_map(|note| std::fs::read(note).ok());
        let mut clips =
            read.filter_map(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
        let clip = clips.find(|clip| clip["prompt"] == sentence)?;
        clip["script"].as_str().map(str::to_owned)
    })
    .await;
    let events = script.strip_prefix("v2 ").expect("a script of version 2");
    events.split(" > ").map(str::to_owned).collect()
}
