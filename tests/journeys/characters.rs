//! Custom characters: uploaded despite a crash, reviewed, animated, renamed, deleted.

use std::{fs, path::Path, time::Duration};

use crate::{
    display::{save_screenshot, shows_character, window_of},
    home::Home,
    place::Place,
    server::Server,
    window::{Window, until},
    wire::Mood,
};

/// Large enough that the upload cannot finish at once.
const LARGE_BYTES: usize = 64 << 20;
/// Short enough that only a little of the file arrives.
const MOMENT: Duration = Duration::from_millis(10);

/// Writes a stock character to a file, padded with unreferenced bytes.
fn write_large_character(to: &Path) {
    let stock = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/characters/mannequin.glb");
    let mut glb = fs::read(stock).expect("the stock character is in the repository");
    let number = |at: usize, glb: &[u8]| {
        u32::from_le_bytes(glb[at..at + 4].try_into().expect("the slice has four bytes")) as usize
    };
    let json_length = number(12, &glb);
    let json = std::str::from_utf8(&glb[20..20 + json_length]).expect("the JSON chunk is UTF-8");
    let mut json: serde_json::Value =
        serde_json::from_str(json.trim_end()).expect("the text is valid JSON");
    json["buffers"][0]["byteLength"] = LARGE_BYTES.into();
    let mut text = serde_json::to_vec(&json).expect("the value can be serialised");
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = glb.split_off(20 + json_length + 8);
    binary.resize(LARGE_BYTES, 0);
    let total = 12 + 8 + text.len() + 8 + binary.len();
    let word = |number: usize| u32::try_from(number).expect("the number fits").to_le_bytes();
    let head = [*b"glTF", word(2), word(total), word(text.len()), *b"JSON"].concat();
    let file = [head, text, word(binary.len()).to_vec(), b"BIN\0".to_vec(), binary].concat();
    fs::write(to, file).expect("the file can be written");
}

/// Lets the stopped local studio receive a file for short moments, until it has part of it, and
/// leaves it stopped.
async fn receive_first_bytes(home: &Home) {
    until("the first bytes of the file", async || {
        home.go_on("service motion");
        tokio::time::sleep(MOMENT).await;
        home.halt("service motion");
        (bytes_received(home) > 0).then_some(())
    })
    .await;
    assert!(bytes_received(home) < LARGE_BYTES as u64, "the whole file had arrived already");
}

/// Returns the bytes received of incomplete files.
fn bytes_received(home: &Home) -> u64 {
    let files = fs::read_dir(home.data().join("motion/uploads")).into_iter().flatten().flatten();
    files.filter_map(|file| Some(file.metadata().ok()?.len())).sum()
}

#[tokio::test]
async fn an_upload_survives_a_crash_and_the_character_moves() {
    let home = Home::new();
    write_large_character(&home.chosen_file());
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.press_exactly("Characters").await;
    window.see("Add characters").await;
    home.halt("service motion");
    window.press("Add characters").await;
    window.see("Upload: Hero 🦸 of mine.glb").await;
    // the studio hangs during the upload, and then Limber is killed
    receive_first_bytes(&home).await;
    window.inspect("upload").await;
    home.kill_app();
    drop(window);

    let window = Window::open(&home).await;
    window.press_exactly("Characters").await;
    window.see("Paused").await;
    window.press("Resume").await;
    window.press("Bones of Hero 🦸 of mine").await;
    window.see("matched by name").await;
    window.inspect("bones").await;
    window.press("Test").await;
    let viewer = until("the viewer", async || home.processes(" view ").first().copied()).await;
    let moving = until("the character in the viewer's window", async || {
        let picture = window_of(viewer)?;
        shows_character(&picture).inspect_err(|why| println!("waiting: {why}")).ok()?;
        Some(picture)
    })
    .await;
    save_screenshot(&moving, "test-motion");
    window.press("Close").await;
    window.inspect("characters").await;

    window.press("Rename").await;
    window.keys("input[aria-label^='New name for']", "\u{E009}a\u{E009}Hero\u{E007}").await;
    window.see("Bones of Hero").await;
    window.keys("article[aria-label=Hero] .choose", "\u{E007}").await;
    window.press_exactly("Studio").await;
    window.prompt("waves with the left hand").await;
    window.press("Generate").await;
    window.see("Clip: waves with the left hand").await;

    // clips made with it are kept
    window.press_exactly("Characters").await;
    window.press("Delete Hero").await;
    window.press("Delete character").await;
    until("a list without the character", async || {
        (window.count("[aria-label='Bones of Hero']").await == 0).then_some(())
    })
    .await;
    window.press_exactly("Library").await;
    window.see("Clip: waves with the left hand").await;
    window.close(&home).await;
}

/// A name that would be markup, a path, or right-to-left text if it were interpreted.
const ODD_NAME: &str = "<b onclick=alert(1)>../شخص";

#[tokio::test]
async fn an_upload_to_a_server_survives_a_lost_connection_and_a_closed_window() {
    let home = Home::new();
    write_large_character(&home.chosen_file());
    let started = Server::start_with_wire(&home.path().join("server")).await;
    let Some((mut server, wire)) = started else { return };
    server.work();
    let place = Place::Server(Box::new(server));
    let window = Window::open(&home).await;
    place.enter(&window).await;
    window.press_exactly("Characters").await;
    wire.set_mood(Mood::CutsAfter(LARGE_BYTES as u64 / 2));
    window.press("Add characters").await;
    window.see("can’t reach the server").await;
    window.inspect("upload-interrupted").await;
    window.close(&home).await;

    wire.set_mood(Mood::Good);
    let window = Window::open(&home).await;
    window.press_exactly("Characters").await;
    window.see("Paused").await;
    let standing = window.words_of("article[aria-label^='Upload:']").await;
    assert!(!standing.contains("Paused at 0 "), "the bytes already sent are kept: {standing}");
    window.press("Resume").await;
    window.press("Bones of Hero 🦸 of mine").await;
    window.see("matched by name").await;
    window.press("Close").await;
    window.press("Rename").await;
    let name = format!("\u{E009}a\u{E009}{ODD_NAME}\u{E007}");
    window.keys("input[aria-label^='New name for']", &name).await;
    window.see(&format!("Bones of {ODD_NAME}")).await;
    window.keys("article[aria-label$='شخص'] .choose", "\u{E007}").await;
    window.press_exactly("Studio").await;
    window.prompt("waves with the left hand").await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see("Clip: waves with the left hand").await;
    window.see(ODD_NAME).await;
    window.close(&home).await;
}

/// Larger than any real character.
const HALF_A_GIGABYTE: u64 = 500 << 20;

#[tokio::test]
async fn an_oversized_file_is_rejected_at_once_with_the_limit() {
    let home = Home::new();
    // a sparse file
    let file = fs::File::create(home.chosen_file()).expect("the file can be created");
    file.set_len(HALF_A_GIGABYTE).expect("the file may be sparse");
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.press_exactly("Characters").await;
    window.press("Add characters").await;
    window.see(" · failed").await;
    window.see("MiB").await;
    window.inspect("too-large").await;
    window.press("Remove").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_file_that_is_not_a_character_is_rejected_with_advice() {
    let home = Home::new();
    fs::write(home.chosen_file(), "not a character").expect("the file can be written");
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.press_exactly("Characters").await;
    window.press("Add characters").await;
    window.see("Upload: Hero 🦸 of mine.glb").await;
    until("advice", async || (window.count("[role=alert]").await > 0).then_some(())).await;
    window.press("Remove").await;
    until("an empty list", async || {
        (window.count("[aria-label^='Upload:']").await == 0).then_some(())
    })
    .await;
    window.close(&home).await;
}
