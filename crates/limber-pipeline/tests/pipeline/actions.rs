//! Folders of user-defined actions: read, checked, performed, and refused with reasons.

use std::{
    fs,
    path::{Path, PathBuf},
};

use limber_pipeline::{
    Cancel, ClipEnds, Composer, ComposerWith, Seed, actions,
    say::{SayRequest, say},
};

/// Returns a folder with two valid actions.
fn sound() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../limber-text-to-motion/tests/data/added")
}

/// Returns a copy of it that may be modified.
fn copy() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    for kind in ["actions", "scores"] {
        fs::create_dir(place.path().join(kind)).expect("it is new");
        let file = Path::new(kind).join("space.toml");
        fs::copy(sound().join(&file), place.path().join(&file)).expect("it exists");
    }
    place
}

fn told(folder: &Path) -> Vec<String> {
    actions::check(folder).faults.iter().map(ToString::to_string).collect()
}

#[test]
fn a_valid_folder_is_read_and_all_its_actions_performed() {
    let report = actions::check(&sound());
    assert_eq!(report.faults, []);
    let names: Vec<&str> = report.performed.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["tap-visor", "scan-crate"]);
    assert!(report.performed.iter().all(|(_, seconds)| seconds.is_some()), "{report:?}");
}

#[test]
fn a_prompt_with_an_added_phrase_becomes_files_and_without_the_folder_it_is_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let request = |name: &str| SayRequest {
        prompt: "a person scans the crate".to_owned(),
        script: None,
        ends: ClipEnds::default(),
        character: None,
        seconds: Some(4.0),
        variants: 1,
        seed: Seed(1),
        formats: vec!["bvh".to_owned()],
        preset: None,
        out: place.path().join(name),
    };
    let engine = ComposerWith::new(actions::read(&sound()).expect("it is valid"));
    let said = say(&request("with"), &engine, &Cancel::default(), &mut |_| {}).expect("it scans");
    assert_eq!(said.metrics[0].script.as_deref(), Some("scan-crate"));
    let ours = say(&request("without"), &Composer, &Cancel::default(), &mut |_| {});
    let script = ours.ok().and_then(|said| said.metrics[0].script.clone());
    assert_ne!(script.as_deref(), Some("scan-crate"));
}

#[test]
fn an_unreadable_folder_is_the_only_error_reported() {
    let place = tempfile::tempdir().expect("a folder");
    let nowhere = told(&place.path().join("nowhere"));
    assert_eq!(nowhere.len(), 1, "{nowhere:?}");
    assert!(nowhere[0].starts_with("actions: the folder cannot be read"), "{nowhere:?}");
    assert!(!nowhere[0].contains(&*place.path().to_string_lossy()), "{nowhere:?}");
    let error = actions::read(&place.path().join("nowhere")).expect_err("there is none");
    assert!(error.to_string().starts_with("the actions folder has 1 error(s):\n  actions"));
}

#[test]
fn too_large_too_many_and_binary_files_are_rejected() {
    let large = copy();
    let blank = " ".repeat((1 << 20) + 1);
    fs::write(large.path().join("scores/large.toml"), blank).expect("the disk has space");
    assert_eq!(told(large.path()), ["scores/large.toml: is larger than 1 MiB. Split it."]);

    let many = copy();
    for number in 0..50 {
        fs::write(many.path().join(format!("scores/{number}.toml")), "")
            .expect("the disk has space");
    }
    let faults = told(many.path());
    assert_eq!(faults[0], "scores: contains 51 files, more than 50. Merge some of them.");

    let binary = copy();
    fs::write(binary.path().join("actions/binary.toml"), [0xFF, 0xFE]).expect("the disk has space");
    fs::create_dir(binary.path().join("actions/folder.toml")).expect("it is new");
    fs::write(binary.path().join("actions/notes.md"), "not looked at").expect("the disk has space");
    let faults = told(binary.path());
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].starts_with("actions/binary.toml: is not UTF-8 text"), "{faults:?}");
    assert!(faults[1].starts_with("actions/folder.toml: is not a file"), "{faults:?}");
}

#[test]
fn impossible_actions_are_reported_when_performed() {
    let place = copy();
    let file = place.path().join("scores/space.toml");
    let scores = fs::read_to_string(&file).expect("it exists");
    // bent double with the hips on the floor, within two frames
    let deep = scores
        .replace("pelvis = { down = 5, ahead = 9 }", "pelvis = { down = 90, ahead = 9 }")
        .replace("trunk = { bend = 14 }", "trunk = { bend = 150 }")
        .replace("takes = 0.6\nother_foot", "takes = 0.06\nother_foot");
    assert_eq!(deep.len(), scores.len() + 3, "all three are there");
    fs::write(&file, deep).expect("the disk has space");
    let faults = told(place.path());
    assert!(!faults.is_empty(), "the motion is impossible");
    assert!(faults.iter().all(|fault| fault.contains("scan-crate")), "{faults:?}");
    // an engine accepts it anyway and corrects it as far as possible
    assert!(actions::read(place.path()).is_ok());
}
