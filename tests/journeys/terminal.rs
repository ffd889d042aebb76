//! `limber say`: the whole pipeline without a window or server.

use std::{
    fs,
    process::{Command, Output},
};

fn say(arguments: &[&str], out: &std::path::Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_limber"))
        .arg("say")
        .args(arguments)
        .arg("--out")
        .arg(out)
        .output()
        .expect("the program starts")
}

#[test]
fn a_prompt_becomes_files_and_the_same_seed_gives_the_same_bytes() {
    let place = tempfile::tempdir().expect("a temporary folder can be created");
    let run = |name: &str| {
        let out = place.path().join(name);
        let said = say(&["walks forward, then waves", "--seconds", "3", "--seed", "7"], &out);
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        let printed = String::from_utf8_lossy(&said.stdout).into_owned();
        printed
            .lines()
            .map(|line| fs::read(line).expect("the printed file exists"))
            .collect::<Vec<_>>()
    };
    let first = run("first");
    assert!(first.len() >= 3, "GLB, FBX and BVH");
    assert_eq!(first, run("second"));
}

#[test]
fn invalid_requests_fail_with_an_exit_code_and_leave_no_files() {
    let place = tempfile::tempdir().expect("a temporary folder can be created");
    let out = place.path().join("out");
    let cases: [(&[&str], i32, &str); 5] = [
        (&[""], 2, "prompt"),
        (&["walks", "--formats", "mp4"], 2, "cannot be written yet"),
        (&["walks", "--loop", "--end", "idle"], 2, "`loop` and `end: idle` contradict"),
        (&["walks", "--character", "mine.vrm"], 2, "`mine.vrm` could not be read"),
        (&["asdf"], 1, "error "),
    ];
    for (arguments, code, words) in cases {
        let said = say(arguments, &out);
        let printed_text = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(code), "{arguments:?}: {printed_text}");
        assert!(printed_text.contains(words), "{arguments:?}: {printed_text}");
        assert!(!out.exists(), "{arguments:?} left files behind");
    }
}

#[test]
fn an_actions_folder_is_checked_and_its_actions_can_be_used() {
    let folder =
        concat!(env!("CARGO_MANIFEST_DIR"), "/crates/limber-text-to-motion/tests/data/added");
    let limber = |arguments: &[&str]| {
        let ended = Command::new(env!("CARGO_BIN_EXE_limber")).args(arguments).output();
        let ended = ended.expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (ended.status.code(), text(&ended.stdout), text(&ended.stderr))
    };
    let (code, printed_text, _) = limber(&["actions", "check", folder]);
    assert_eq!(code, Some(0), "{printed_text}");
    assert!(printed_text.starts_with("tap-visor takes "), "{printed_text}");
    let prompt = "a person taps the visor";
    let (code, line, _) = limber(&["say", prompt, "--explain", "--actions", folder]);
    assert_eq!((code, line.trim()), (Some(0), "tap-visor"));

    let place = tempfile::tempdir().expect("a temporary folder can be created");
    let empty = place.path().to_string_lossy().into_owned();
    let (code, printed_text, _) = limber(&["actions", "check", &empty]);
    assert_eq!(code, Some(1));
    assert!(printed_text.starts_with("actions: the folder cannot be read"), "{printed_text}");
    let (code, _, printed_text) = limber(&["say", prompt, "--explain", "--actions", &empty]);
    assert_eq!(code, Some(2));
    assert!(
        printed_text.starts_with("limber: the actions folder has 1 error(s)"),
        "{printed_text}"
    );
}

/// Returns whether a process has installed its Ctrl-C handler; before that it would simply die.
#[cfg(target_os = "linux")]
fn catches_interrupts(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // SIGINT is signal 2, so the second bit
    caught.is_some_and(|signals| signals & 2 != 0)
}

#[cfg(target_os = "linux")]
#[test]
fn interrupting_leaves_no_files() {
    let place = tempfile::tempdir().expect("a temporary folder can be created");
    let out = place.path().join("out");
    let mut process = Command::new(env!("CARGO_BIN_EXE_limber"))
        .args(["say", "dances", "--seconds", "10", "--variants", "8", "--out"])
        .arg(&out)
        .spawn()
        .expect("the program starts");
    let is_ready = (0..6_000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        catches_interrupts(process.id())
    });
    assert!(is_ready, "the Ctrl-C handler is installed");
    let id = process.id().to_string();
    assert!(
        Command::new("kill").args(["-INT", &id]).status().expect("`kill` is available").success()
    );
    let ended = process.wait().expect("the program ends");
    assert_eq!(ended.code(), Some(130));
    assert!(!out.exists());
}
