//! What is kept of corrections, and what files show of them.

use std::fs;

use limber_pipeline::{Composer, Prompt, Request, Seed, canonical_to_bytes, make, stock};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::*;
use crate::{
    Folders,
    library::{ClipFile, hex, tests::library_with},
};

/// A library with one clip of two seconds.
fn walk() -> (tempfile::TempDir, Library, Clip) {
    let prompt = Prompt::parse("a person waves with the right hand").expect("a prompt");
    let request = Request { duration_s: Some(2.0), ..Request::new(prompt, Seed(5)) };
    let made = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
    let bytes = canonical_to_bytes(&made).expect("it can be kept");
    let (folder, library, mut clip) = library_with(b"glTF");
    folders::replace(&library.path(&clip.id, CANONICAL), &bytes).expect("arrived");
    let file = ClipFile { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(&bytes)) };
    clip.files.insert(CANONICAL.into(), file);
    clip.character_id = stock::list()[0].id.into();
    library.add(clip.clone()).expect("added");
    (folder, library, clip)
}

/// The right hand, pulled up.
fn higher(metres: f32) -> Corrections {
    let what = json!({ "pull": { "limb": "rightHand", "offset": [0.0, metres, 0.0] } });
    let key = json!({ "frame": 20, "what": what, "before": 10, "after": 10 });
    Corrections::from_value(&json!({ "layers": [{ "name": "Higher", "keys": [key] }] }))
        .expect("they are sound")
}

#[test]
fn a_clip_of_an_earlier_version_has_none_and_its_files_are_those_that_arrived() {
    let (folder, library, clip) = walk();
    assert!(library.corrections(&clip.id).is_empty() && library.by_hand(&clip).is_empty());
    assert_eq!(library.corrections_to_send(&clip.id), None);
    assert_eq!(library.seen(&clip, SaveFormat::Glb).expect("whole").as_slice(), b"glTF");
    assert!(
        !folder.path().join("library").join(clip.id.to_string()).join("corrections.json").exists()
    );
}

#[test]
fn corrections_are_there_after_a_restart_and_go_through_the_bin() {
    let (folder, library, clip) = walk();
    library.keep_corrections(&clip, higher(0.1)).expect("kept");
    let later = Library::open(&Folders::new(folder.path()));
    assert_eq!(later.corrections(&clip.id), higher(0.1));
    later.delete(&clip.id).expect("deleted");
    assert!(later.keep_corrections(&clip, higher(0.2)).is_err(), "it is deleted");
    later.restore(&clip.id).expect("restored");
    assert_eq!(later.corrections(&clip.id), higher(0.1));
}

#[test]
fn files_show_the_corrections_and_what_arrived_stays_as_it_was() {
    let (_folder, library, clip) = walk();
    let before = library.read(&clip, CANONICAL).expect("whole");
    library.keep_corrections(&clip, higher(0.15)).expect("kept");
    let seen = library.seen(&clip, SaveFormat::Glb).expect("it is made");
    assert_eq!(&seen[..4], b"glTF");
    assert!(seen.len() > 100_000, "a character moves in it");
    assert!(Arc::ptr_eq(&seen, &library.seen(&clip, SaveFormat::Glb).expect("it is there")));
    let place = library.playable(&clip).expect("it can be played");
    assert_eq!(fs::read(place).expect("there"), *seen);
    library.keep_corrections(&clip, higher(0.05)).expect("kept");
    assert_ne!(seen, library.seen(&clip, SaveFormat::Glb).expect("it is made anew"));
    assert_eq!(library.read(&clip, CANONICAL).expect("whole"), before);
    assert_eq!(library.read(&clip, "glb").expect("whole"), b"glTF");
    library.keep_corrections(&clip, Corrections::default()).expect("kept");
    assert_eq!(library.seen(&clip, SaveFormat::Glb).expect("whole").as_slice(), b"glTF");
    assert_eq!(library.playable(&clip).expect("there"), library.path(&clip.id, "glb"));
}

#[test]
fn a_clip_whose_files_carry_corrections_is_made_anew_only_for_others() {
    let (_folder, library, clip) = walk();
    library.arrives_with(&clip.id, higher(0.1)).expect("noted");
    assert_eq!(library.corrections(&clip.id), higher(0.1));
    assert_eq!(library.seen(&clip, SaveFormat::Glb).expect("whole").as_slice(), b"glTF");
    assert_eq!(library.corrections_to_send(&clip.id), Some(higher(0.1).to_value()));
    library.keep_corrections(&clip, Corrections::default()).expect("kept");
    assert!(library.seen(&clip, SaveFormat::Glb).expect("it is made").len() > 100_000);
    assert_eq!(library.corrections_to_send(&clip.id), Some(json!({ "layers": [] })));
}

#[test]
fn joints_that_the_character_lacks_are_told() {
    let (_folder, library, clip) = walk();
    let turn = |joint: &str| json!({ "rotate": { "joint": joint, "rotation": [0.1, 0, 0, 1] } });
    let keys = ["tail", "head"].map(|joint| json!({ "frame": 3, "what": turn(joint) }));
    let corrections = json!({ "layers": [{ "keys": keys }] });
    let corrections = Corrections::from_value(&corrections).expect("they are sound");
    library.keep_corrections(&clip, corrections).expect("kept");
    let told = library.lacking(&clip);
    assert_eq!(told, [Message::CorrectedJointMissing { joint: "tail".into() }]);
}
