//! Stored corrections, and files derived with them.

use std::{fs, thread, time::Duration};

use limber_domain::hex;
use limber_pipeline::{Composer, Prompt, Request, Seed, canonical_to_bytes, make, stock};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::*;
use crate::{
    Folders,
    library::{ClipFile, tests::library_with},
};

/// A library with one clip of two seconds.
fn walk() -> (tempfile::TempDir, Library, Clip) {
    let prompt = Prompt::parse("a person waves with the right hand").expect("a prompt");
    let request = Request { duration_s: Some(2.0), ..Request::new(prompt, Seed(5)) };
    let made = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
    let bytes = canonical_to_bytes(&made).expect("it can be stored");
    let (folder, library, mut clip) = library_with(b"glTF");
    folders::replace(&library.path(&clip.id, CANONICAL), &bytes).expect("arrived");
    let file = ClipFile { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(&bytes)) };
    clip.files.insert(CANONICAL.into(), file);
    clip.character_id = stock::list()[0].id.into();
    library.add(clip.clone()).expect("added");
    (folder, library, clip)
}

/// The right hand, moved up.
fn higher(metres: f32) -> Corrections {
    let what = json!({ "pull": { "limb": "rightHand", "offset": [0.0, metres, 0.0] } });
    let key = json!({ "frame": 20, "what": what, "before": 10, "after": 10 });
    Corrections::from_value(&json!({ "layers": [{ "name": "Higher", "keys": [key] }] }))
        .expect("they are valid")
}

#[test]
fn older_clips_have_no_corrections_and_original_files() {
    let (folder, library, clip) = walk();
    assert!(library.corrections(&clip.id).expect("none").is_empty());
    assert_eq!(library.corrections_to_send(&clip.id), Ok(None));
    assert_eq!(library.seen(&clip, SaveFormat::Glb).expect("intact").as_slice(), b"glTF");
    assert!(
        !folder.path().join("library").join(clip.id.to_string()).join("corrections.json").exists()
    );
}

#[test]
fn corrections_survive_a_restart_and_the_trash() {
    let (folder, library, clip) = walk();
    library.keep_corrections(&clip, higher(0.1)).expect("saved");
    let later = Library::open(&Folders::new(folder.path()));
    assert_eq!(later.corrections(&clip.id), Ok(higher(0.1)));
    later.delete(&clip.id).expect("deleted");
    assert!(later.keep_corrections(&clip, higher(0.2)).is_err(), "it is deleted");
    later.restore(&clip.id).expect("restored");
    assert_eq!(later.corrections(&clip.id), Ok(higher(0.1)));
}

#[test]
fn a_clip_is_marked_corrected_while_corrections_are_visible() {
    let (_folder, library, clip) = walk();
    let says = |corrections: Corrections| {
        library.keep_corrections(&clip, corrections).expect("saved");
        library.views()[0].corrected
    };
    assert!(!library.views()[0].corrected);
    assert!(says(higher(0.1)));
    let mut muted = higher(0.1).to_value();
    muted["layers"][0]["muted"] = json!(true);
    assert!(!says(Corrections::from_value(&muted).expect("they are valid")));
    assert!(!says(Corrections::default()));
}

#[test]
fn files_show_corrections_and_originals_are_unchanged() {
    let (_folder, library, clip) = walk();
    let before = library.read(&clip, CANONICAL).expect("intact");
    library.keep_corrections(&clip, higher(0.15)).expect("saved");
    let seen = library.seen(&clip, SaveFormat::Glb).expect("it is made");
    assert_eq!(&seen[..4], b"glTF");
    assert!(seen.len() > 100_000, "a character moves in it");
    assert!(Arc::ptr_eq(&seen, &library.seen(&clip, SaveFormat::Glb).expect("it exists")));
    let place = library.playable(&clip).expect("it can be played");
    assert_eq!(fs::read(place).expect("it exists"), *seen);
    library.keep_corrections(&clip, higher(0.05)).expect("saved");
    assert_ne!(seen, library.seen(&clip, SaveFormat::Glb).expect("it is made again"));
    assert_eq!(library.read(&clip, CANONICAL).expect("intact"), before);
    assert_eq!(library.read(&clip, "glb").expect("intact"), b"glTF");
    library.keep_corrections(&clip, Corrections::default()).expect("saved");
    assert_eq!(library.seen(&clip, SaveFormat::Glb).expect("intact").as_slice(), b"glTF");
    assert_eq!(library.playable(&clip).expect("it exists"), library.path(&clip.id, "glb"));
}

#[test]
fn files_are_regenerated_only_for_different_corrections() {
    let (_folder, library, clip) = walk();
    library.arrives_with(&clip.id, higher(0.1)).expect("recorded");
    assert_eq!(library.corrections(&clip.id), Ok(higher(0.1)));
    assert_eq!(library.seen(&clip, SaveFormat::Glb).expect("intact").as_slice(), b"glTF");
    assert_eq!(library.corrections_to_send(&clip.id), Ok(Some(higher(0.1).to_value())));
    library.keep_corrections(&clip, Corrections::default()).expect("saved");
    assert!(library.seen(&clip, SaveFormat::Glb).expect("it is made").len() > 100_000);
    assert_eq!(library.corrections_to_send(&clip.id), Ok(Some(json!({ "layers": [] }))));
}

#[test]
fn missing_joints_are_reported() {
    let (_folder, library, clip) = walk();
    let turn = |joint: &str| json!({ "rotate": { "joint": joint, "rotation": [0.1, 0, 0, 1] } });
    let keys = ["tail", "head"].map(|joint| json!({ "frame": 3, "what": turn(joint) }));
    let corrections = json!({ "layers": [{ "keys": keys }] });
    let corrections = Corrections::from_value(&corrections).expect("they are valid");
    library.keep_corrections(&clip, corrections).expect("saved");
    let told = library.lacking(&clip).expect("they are read");
    assert_eq!(told, [Message::CorrectedJointMissing { joint: "tail".into() }]);
}

#[test]
fn unreadable_corrections_are_reported_and_not_overwritten() {
    let (_folder, library, clip) = walk();
    let place = library.path_of_corrections(&clip.id);
    let newer = br#"{ "now": { "layers": [], "newer": 1 } }"#;
    fs::write(&place, newer).expect("written");
    let refused = |code| {
        assert_eq!(library.corrections(&clip.id).expect_err("unreadable").code, code);
        assert_eq!(
            library.keep_corrections(&clip, higher(0.1)).expect_err("unreadable").code,
            code
        );
        assert_eq!(library.seen(&clip, SaveFormat::Glb).expect_err("unreadable").code, code);
        assert_eq!(library.corrections_to_send(&clip.id).expect_err("unreadable").code, code);
    };
    refused(ErrorCode::FileDamaged);
    assert_eq!(fs::read(&place).expect("it is still there"), newer);
    fs::remove_file(&place).expect("removed");
    fs::create_dir(&place).expect("something that cannot be read as a file");
    refused(ErrorCode::DiskRefused);
    assert!(place.is_dir());
}

#[test]
fn a_playback_file_does_not_belong_to_its_clip() {
    let (folder, library, clip) = walk();
    library.keep_corrections(&clip, higher(0.15)).expect("saved");
    let before = library.storage();
    let place = library.playable(&clip).expect("it can be played");
    assert_eq!(library.storage(), before);
    drop(library);
    Library::open(&Folders::new(folder.path()));
    assert!(!place.exists(), "it is no longer played");
}

#[test]
fn waiting_callers_get_the_newest_corrections_only() {
    let (_folder, library, clip) = walk();
    library.keep_corrections(&clip, higher(0.15)).expect("saved");
    let waited = thread::scope(|scope| {
        let busy = library.made_files.made.lock().expect("nobody panicked");
        let waiting = scope.spawn(|| library.seen(&clip, SaveFormat::Glb).expect("it is made"));
        thread::sleep(Duration::from_millis(50));
        library.keep_corrections(&clip, higher(0.05)).expect("saved");
        drop(busy);
        waiting.join().expect("it ends")
    });
    assert!(Arc::ptr_eq(&waited, &library.seen(&clip, SaveFormat::Glb).expect("it exists")));
    // other formats do not evict it
    library.seen(&clip, SaveFormat::Bvh).expect("it is made");
    assert!(Arc::ptr_eq(&waited, &library.seen(&clip, SaveFormat::Glb).expect("it exists")));
    // derivation is cancelled by newer corrections of the same clip only
    let made = library.made_files.begin(&clip.id);
    library.made_files.stop(&ClipId::parse("job-000000000009.1").expect("an id"));
    assert!(!made.is_cancelled());
    library.keep_corrections(&clip, higher(0.1)).expect("saved");
    assert!(made.is_cancelled());
}
