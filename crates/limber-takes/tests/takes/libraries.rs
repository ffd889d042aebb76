//! Tests of importing folders into libraries, detecting their changes, and rejecting damaged files.

use std::{cell::Cell, fs, path::Path};

use limber_takes::{AddError, Change, Libraries, LibrariesError, Library, SkipReason, Terms};

use crate::{import_folder, open_library, record, write_recordings};

fn folder() -> (tempfile::TempDir, std::path::PathBuf) {
    let home = tempfile::tempdir().expect("a temporary folder");
    let folder = home.path().join("recordings");
    fs::create_dir(&folder).expect("the name is not taken");
    (home, folder)
}

fn skip_reason(report: &limber_takes::Report, file: &str) -> SkipReason {
    let skipped = report.skipped.iter().find(|skipped| skipped.file == file);
    skipped.unwrap_or_else(|| panic!("{file} was used")).why.clone()
}

#[test]
fn usable_takes_are_counted_and_skipped_files_have_a_reason() {
    let (home, folder) = folder();
    write_recordings(&folder);
    fs::copy(folder.join("a2.bvh"), folder.join("same.bvh")).expect("the file exists");
    fs::write(folder.join("broken.bvh"), "HIERARCHY\nROOT Hips\n{\n")
        .expect("the file can be written");
    fs::write(folder.join("lamp.bvh"), "HIERARCHY\nROOT Lamp\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.033\n0 0 0\n0 0 0\n").expect("the file can be written");
    fs::write(folder.join("07_01.amc"), ":FULLY-SPECIFIED\n1\nroot 0 0 0 0 0 0\n")
        .expect("the file can be written");
    fs::write(folder.join("empty.fbx"), "").expect("the file can be written");
    fs::write(folder.join("notes.csv"), "a;b\n1;2\n").expect("the file can be written");
    record(&folder, "x1.bvh", "a person nods", None, 4);
    record(&folder, "b1.bvh", "a person stands still", Some(2.0), 4);
    fs::write(folder.join("b1.txt"), "a person jumps high\n").expect("the file can be written");
    fs::create_dir(folder.join("more")).expect("the name is not taken");
    record(&folder.join("more"), "Raise_arms-01.bvh", "a person raises both arms", None, 4);
    fs::write(folder.join("more/same.txt"), "a person kicks\n").expect("the file can be written");
    fs::write(folder.join("same.txt"), "a person kicks with the right leg\n")
        .expect("the file can be written");
    let (libraries, report) = import_folder(home.path(), &folder);
    assert_eq!(report.files, 12);
    assert!(matches!(skip_reason(&report, "broken.bvh"), SkipReason::NoRecording(_)));
    assert!(matches!(skip_reason(&report, "lamp.bvh"), SkipReason::NoRecording(_)));
    assert!(matches!(skip_reason(&report, "07_01.amc"), SkipReason::NoRecording(_)));
    assert!(matches!(skip_reason(&report, "empty.fbx"), SkipReason::NoRecording(_)));
    assert_eq!(skip_reason(&report, "x1.bvh"), SkipReason::NoWords);
    assert_eq!(skip_reason(&report, "same.bvh"), SkipReason::SameAs("a2.bvh".to_owned()));
    assert!(matches!(
        skip_reason(&report, "b1.bvh"),
        SkipReason::NotSeen(_) | SkipReason::NothingWhole(_)
    ));
    assert!(report.notes.iter().any(|note| note.starts_with("notes.csv")), "{:?}", report.notes);
    let names: Vec<&str> = report.actions.iter().map(|(action, _)| action.as_str()).collect();
    for action in ["walk", "kick", "wave", "bow"] {
        assert!(names.contains(&action), "{action}: {report:?}");
    }
    let library = open_library(&libraries);
    assert!(report.bytes < 2_048 * report.seconds.ceil() as u64 + 20_000, "{report:?}");
    assert_eq!(library.takes().count(), report.takes);
}

#[test]
fn imports_read_only_new_files_and_resume_after_an_interruption() {
    let (home, folder) = folder();
    write_recordings(&folder);
    let libraries = Libraries::new(home.path().join("libraries"));
    let terms = Terms { name: Some("studio".to_owned()), licence: None };
    let asked = Cell::new(0);
    let after_two = || {
        asked.set(asked.get() + 1);
        asked.get() > 2
    };
    let stopped = libraries.add(&folder, &terms, &after_two, &mut |_| {});
    assert!(matches!(stopped, Err(LibrariesError::Add(AddError::Stopped))));
    assert!(libraries.list().expect("the libraries can be listed").is_empty());
    // as if the computer had lost power in the middle of a part
    let part =
        fs::read_dir(home.path().join("libraries")).expect("the folder can be listed").next();
    let part = part
        .expect("the interrupted import left a partial file")
        .expect("the libraries can be listed")
        .path();
    let bytes = fs::read(&part).expect("the file can be read");
    fs::write(&part, [&bytes[..], &[9, 0, 0]].concat()).expect("the file can be written");
    let (listed, report) =
        libraries.add(&folder, &terms, &|| false, &mut |_| {}).expect("the import can be resumed");
    assert_eq!((report.files, report.read_now), (4, 2));
    let other = home.path().join("other.takes");
    let whole = fs::read(&listed.file).expect("the file can be read");
    let (_, again) = libraries
        .add(&folder, &terms, &|| false, &mut |_| {})
        .expect("the folder can be imported again");
    assert_eq!((again.files, again.read_now), (4, 0));
    assert_eq!(fs::read(&listed.file).expect("the file can be read"), whole);
    fs::write(&other, &whole).expect("the file can be written");
    assert_eq!(Library::open(&other).expect("the copy is complete").takes().count(), report.takes);
}

#[test]
fn folder_changes_are_reported_and_takes_are_kept() {
    let (home, folder) = folder();
    write_recordings(&folder);
    let (libraries, _) = import_folder(home.path(), &folder);
    assert_eq!(libraries.check("studio").expect("the library exists").1, []);
    fs::remove_file(folder.join("a2.bvh")).expect("the file exists");
    record(&folder, "a3.bvh", "a person waves with the right hand", None, 99);
    record(&folder, "a9.bvh", "a person bows", None, 3);
    let (_, changes) = libraries.check("studio").expect("the library exists");
    let expected = [
        Change::Changed("a3.bvh".to_owned()),
        Change::New("a9.bvh".to_owned()),
        Change::Gone("a2.bvh".to_owned()),
    ];
    assert_eq!(changes, expected);
    assert!(open_library(&libraries).actions().contains_key("kick"));
    let moved = home.path().join("moved");
    fs::rename(&folder, &moved).expect("the name is not taken");
    assert!(matches!(libraries.check("studio"), Err(LibrariesError::Add(AddError::Folder(_)))));
    let (_, report) = import_folder(home.path(), &moved);
    assert_eq!(report.files, 4);
    assert!(report.read_now <= 2, "{}", report.read_now);
    assert!(!open_library(&libraries).actions().contains_key("kick"));
    let removed = libraries.remove("studio").expect("the library exists");
    assert!(!removed.file.exists() && moved.is_dir());
    assert!(matches!(libraries.find("studio"), Err(LibrariesError::Unknown { .. })));
}

#[test]
fn damaged_libraries_are_rejected() {
    let (home, folder) = folder();
    record(&folder, "kick_right.bvh", "a person kicks with the right leg", None, 12);
    let (libraries, report) = import_folder(home.path(), &folder);
    assert_eq!(report.takes, 1, "{report:?}");
    let file = libraries.find("studio").expect("the folder was added").file;
    let whole = fs::read(&file).expect("the file can be read");
    for place in (0..500.min(whole.len())).step_by(11) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x20;
        assert!(Library::from_bytes(damaged).is_err(), "byte {place}");
    }
    assert!(Library::from_bytes(whole[..whole.len() - 1].to_vec()).is_err());
    assert!(Library::from_bytes(b"another file".to_vec()).is_err());
}

#[test]
fn missing_and_empty_folders_are_rejected() {
    let (home, folder) = folder();
    let libraries = Libraries::new(home.path().join("libraries"));
    let add = |folder: &Path| libraries.add(folder, &Terms::default(), &|| false, &mut |_| {});
    assert!(matches!(add(&folder), Err(LibrariesError::Add(AddError::Empty))));
    let gone = folder.join("gone");
    assert!(matches!(add(&gone), Err(LibrariesError::Add(AddError::Folder(_)))));
}
