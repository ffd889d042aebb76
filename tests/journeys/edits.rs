//! A clip is trimmed, partly regenerated, looped, joined with another and exported.

use crate::{
    blender,
    display::{changed_pixels, light_pixels, save_screenshot, window_of},
    home::Home,
    place::Place,
    viewport,
    window::{Window, until},
};

/// Key codes of WebDriver.
const SHIFT: char = '\u{E008}';
const RIGHT: char = '\u{E014}';
const END: char = '\u{E010}';
const HOME: char = '\u{E011}';

#[tokio::test]
async fn a_clip_is_edited_and_exported() {
    let home = Home::new();
    edit_and_export(&home, &Place::ThisComputer).await;
}

#[tokio::test]
async fn a_clip_from_a_server_is_edited_and_exported() {
    let home = Home::new();
    let Some(server) = Place::server(&home).await else { return };
    edit_and_export(&home, &server).await;
}

async fn edit_and_export(home: &Home, place: &Place) {
    let window = Window::open(home).await;
    place.enter(&window).await;
    window.prompt("walks forward, then waves").await;
    window.choose("4").await;
    window.press("Generate").await;
    window.see("Clip: walks forward, then waves").await;
    window.press("Edit").await;
    window.see("Editing: walks forward, then waves").await;
    continue_with_third_variant(home, place, &window).await;
    window.see("no sliding").await;
    let keys = async |keys: String| window.keys("article.editor h1", &keys).await;
    let tens = |count| format!("{SHIFT}{}{SHIFT}", RIGHT.to_string().repeat(count));
    check_viewport(&window, &keys).await;

    // regenerate from 1 s to 3.5 s as a jump
    keys(format!("{}p{}p", tens(3), tens(8))).await;
    window.keys("textarea[aria-label='Prompt for interval 1']", "jumps").await;
    place.halt_worker(home).await;
    window.press("Regenerate").await;
    window.see("Progress of jumps").await;
    window.inspect(&place.picture("editor")).await;
    place.worker_goes_on(home);
    window.result_opens().await;
    window.see("Editing: jumps").await;
    window.see("Regenerated").await;

    window.choose("Loop").await;
    window.press("Create loop").await;
    window.result_opens().await;
    window.see("Looped").await;

    window.choose("Join").await;
    window.tick("walks forward, then waves").await;
    window.press_exactly("Join").await;
    window.result_opens().await;
    window.see("Editing: jumps, then walks forward, then waves").await;

    // trim half a second from the start; unfinished edits are restored after a restart
    keys(format!("{HOME}{}{}i", tens(1), RIGHT.to_string().repeat(5))).await;
    window.choose("Trim").await;
    window.press("Save as new clip").await;
    window.result_opens().await;
    keys(format!("{END}")).await;

    window.press("Export").await;
    window.tick("Unity").await;
    window.tick("BVH").await;
    window.tick("Mixamo").await;
    window.tick("VRM").await;
    window.inspect(&place.picture("export")).await;
    window.press("Choose folder and export").await;
    window.see("5 files were written").await;
    let exported = home.path().join("exported");
    let files: Vec<String> = std::fs::read_dir(&exported)
        .expect("the folder was created")
        .map(|file| {
            file.expect("the folder can be listed").file_name().to_string_lossy().into_owned()
        })
        .collect();
    let bvh = files.iter().find(|name| name.ends_with(".bvh")).expect("a BVH");
    let text = std::fs::read_to_string(exported.join(bvh)).expect("the file can be read");
    let frames = limber_formats::bvh::read(&text).expect("the file can be parsed").frames.len();
    assert!(frames > 120, "the joined clip without half a second: {frames} frames");
    for name in files.iter().filter(|name| name.ends_with(".fbx")) {
        let bytes = std::fs::read(exported.join(name)).expect("the file can be read");
        let model = limber_formats::fbx::movement(&bytes, limber_animation::Fps::DEFAULT);
        assert_eq!(model.expect("the file can be parsed").frames.len(), frames, "{name}");
    }
    let vrma =
        files.iter().find(|name| name.ends_with(".vrma")).expect("a VRM animation was exported");
    let vrma = std::fs::read(exported.join(vrma)).expect("the file can be read");
    let moved = limber_formats::glb::read(&vrma).expect("the file can be parsed");
    assert_eq!(moved.clips[0].clip.len() + 1, frames, "the last key closes the clip");
    for name in files.iter().filter(|name| !name.ends_with(".vrma")) {
        let Some(found) = blender::open(&exported.join(name)) else { break };
        let seconds = (frames - 1) as f64 / f64::from(limber_animation::Fps::DEFAULT.get());
        assert!((found.seconds - seconds).abs() < 0.05, "{seconds} s: {found:?}");
        assert!(found.bones > 20 && (1.4..2.0).contains(&found.tallest_m), "{found:?}");
        assert!(found.moved_m > 0.05, "the character walks and jumps: {found:?}");
        assert_eq!(found.vertices > 100, !name.ends_with(".bvh"), "{found:?}");
    }
    window.press("Close").await;
    window.press("Back").await;
    window.close(home).await;
}

/// The viewport shows the frame at the playhead from the chosen side.
async fn check_viewport(window: &Window, keys: &impl AsyncFn(String)) {
    let first = viewport::see_character(window).await;
    keys(RIGHT.to_string().repeat(12)).await;
    let stepped = viewport::see_change(window, "another frame", &first).await;
    window.press_exactly("Side").await;
    let aside = viewport::see_change(window, "the other side", &stepped).await;
    keys("b".to_owned()).await;
    viewport::see_change(window, "the bones", &aside).await;
    keys(format!("b{HOME}")).await;
}

/// Clips can be tagged, played and exported even if the database cannot be started.
async fn use_library_without_studio(home: &Home) {
    let version = home.data().join("database/data/PG_VERSION");
    std::fs::write(&version, "9\n").expect("the file can be written");
    let window = Window::open(home).await;
    window.see("Install the package `postgresql-9`").await;
    window.press("Library").await;
    window.see("Clip: jumps twice").await;
    window.keys("article[aria-label='Clip: jumps twice, variant 1'] input", " ").await;
    window.press_exactly("Tags").await;
    window.keys("input[aria-label='New tag']", "for the client").await;
    window.press_exactly("Add").await;
    window.see("#for the client").await;
    window.inspect("library-alone").await;
    window.press("Play").await;
    until("the viewer", async || home.processes(" view ").first().copied()).await;
    window.press("Export").await;
    window.press("Choose folder and export").await;
    window.see("written").await;
    window.close(home).await;
    let exported = std::fs::read_dir(home.path().join("exported")).expect("the folder was created");
    assert!(exported.count() > 0, "files were exported");
}

/// Plays all variants in sync, and continues with one of them.
async fn continue_with_third_variant(home: &Home, place: &Place, window: &Window) {
    window.see("Variant 4").await;
    window.keys("article.editor h1", "g").await;
    let viewer = until("the viewer", async || home.processes(" view ").first().copied()).await;
    let together = until("four characters in its window", async || {
        let files = std::fs::read(format!("/proc/{viewer}/cmdline")).ok()?;
        let files = files.split(|byte| *byte == 0).filter(|word| word.ends_with(b".glb")).count();
        assert_eq!(files, 4, "files that the viewer shows");
        // the previous content of the window does not move
        let (one, other) = (window_of(viewer)?, window_of(viewer)?);
        (light_pixels(&other) > 2000 && changed_pixels(&one, &other) > 300).then_some(other)
    })
    .await;
    save_screenshot(&together, &place.picture("side-by-side"));
    window.keys("article.editor h1", "3").await;
    let third = "article.editor button[aria-label='Variant 3'][aria-current]";
    until("the third variant", async || (window.count(third).await > 0).then_some(())).await;
    home.kill(" view ");
}

#[tokio::test]
async fn drafts_and_deleted_clips_are_not_lost() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.prompt("jumps twice").await;
    window.press("Generate").await;
    window.see("Clip: jumps twice").await;
    window.press("Edit").await;
    window.see("Editing: jumps twice").await;
    window.keys("article.editor h1", &format!("{SHIFT}{RIGHT}{RIGHT}{SHIFT}i")).await;
    until("the draft on the disk", async || {
        let clips = std::fs::read_dir(home.data().join("library")).ok()?;
        let drafts = clips.filter_map(|clip| Some(clip.ok()?.path().join("draft.json")));
        let mut kept = drafts.filter_map(|draft| std::fs::read_to_string(draft).ok());
        kept.any(|draft| draft.contains("\"trimLeft\": 20")).then_some(())
    })
    .await;
    home.kill_app();
    drop(window);

    let window = Window::open(&home).await;
    window.press("Library").await;
    window.see("Clip: jumps twice").await;
    window.press("Edit").await;
    window.see("frame 20").await;
    window.press("Back").await;
    window.keys("article[aria-label='Clip: jumps twice, variant 1'] input", " ").await;
    window.press("Delete").await;
    window.see("No clips yet").await;
    window.press("Undo").await;
    window.see("Clip: jumps twice").await;

    // the window is closed right away, without waiting for the change to be saved
    window.press("Edit").await;
    // the Home key moves to the start of the existing trim, at frame 20
    let thirty = format!("{SHIFT}{}{SHIFT}", RIGHT.to_string().repeat(3));
    window.keys("article.editor h1", &format!("{HOME}{thirty}i{RIGHT}i")).await;
    window.close(&home).await;
    let clips = std::fs::read_dir(home.data().join("library")).expect("the folder can be listed");
    let drafts =
        clips.map(|clip| clip.expect("the folder can be listed").path().join("draft.json"));
    let kept: Vec<String> = drafts.filter_map(|at| std::fs::read_to_string(at).ok()).collect();
    assert!(kept.iter().any(|draft| draft.contains("\"trimLeft\": 51")), "{kept:?}");
    use_library_without_studio(&home).await;
}
