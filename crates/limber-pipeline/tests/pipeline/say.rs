use std::{fs, path::Path};

use limber_pipeline::{
    Message, Stage,
    say::{SayError, SayRequest, explain, say},
    stock,
};
use limber_text_to_motion::{Cancel, ClipEnds, Composer, Seed};

fn said(out: &Path) -> SayRequest {
    SayRequest {
        ends: ClipEnds::default(),
        prompt: "a person waves".to_owned(),
        script: None,
        character: None,
        seconds: Some(2.0),
        variants: 1,
        seed: Seed(1),
        formats: Vec::new(),
        preset: None,
        out: out.to_owned(),
    }
}

fn listed(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn variants_are_written_side_by_side_and_never_over_older_ones() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let request = SayRequest { variants: 2, ..said(&folder.path().join("out")) };
    let mut last = 0.0;
    let outcome = say(&request, &Composer, &Cancel::default(), &mut |progress| {
        assert!(progress.percent() >= last);
        last = progress.percent();
    })
    .expect("it works");
    assert!((last - 100.0).abs() < 1e-3);
    assert_eq!(outcome.files.len(), 8);
    assert_eq!(outcome.metrics.len(), 2);
    let first = listed(&request.out);
    assert_eq!(
        first,
        [
            "waves_v1.bvh",
            "waves_v1.fbx",
            "waves_v1.glb",
            "waves_v1.json",
            "waves_v2.bvh",
            "waves_v2.fbx",
            "waves_v2.glb",
            "waves_v2.json"
        ]
    );
    let numbers = fs::read(request.out.join("waves_v2.json")).expect("it exists");
    let numbers: serde_json::Value = serde_json::from_slice(&numbers).expect("JSON");
    assert_eq!(numbers["script"], "wave");
    let before = fs::read(request.out.join("waves_v1.glb")).expect("it exists");
    say(
        &SayRequest { variants: 1, seed: Seed(9), ..request.clone() },
        &Composer,
        &Cancel::default(),
        &mut |_| {},
    )
    .expect("it works");
    assert_eq!(fs::read(request.out.join("waves_v1.glb")).expect("it exists"), before);
    assert!(listed(&request.out).contains(&"waves_v1-2.glb".to_owned()));
}

#[test]
fn a_cancelled_run_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let request = SayRequest { variants: 2, ..said(&folder.path().join("out")) };
    let cancel = Cancel::default();
    let result = say(&request, &Composer, &cancel, &mut |progress| {
        if progress.variant == 2 && progress.progress.stage == Stage::Bake {
            cancel.cancel();
        }
    });
    assert!(matches!(result, Err(SayError::Cancelled)));
    assert_eq!(result.err().map(|error| error.exit_code()), Some(130));
    assert!(!request.out.exists());
}

#[test]
fn invalid_requests_are_reported_and_exit_with_2() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let base = || said(&folder.path().join("out"));
    let wrong = [
        (SayRequest { prompt: "  ".to_owned(), ..base() }, "empty"),
        (SayRequest { prompt: "walk ".repeat(500), ..base() }, "characters"),
        (
            SayRequest { formats: vec!["mp4".to_owned()], ..base() },
            "mp4 files cannot be written yet",
        ),
        (
            SayRequest { formats: vec!["glb,mp4".to_owned()], ..base() },
            "mp4 files cannot be written yet",
        ),
        (SayRequest { preset: Some("maya".to_owned()), ..base() }, "unreal5"),
        (SayRequest { formats: vec!["doc".to_owned()], ..base() }, "choose glb, fbx, bvh or vrma"),
        (
            SayRequest { character: Some("me.glb".to_owned()), ..base() },
            "`me.glb` could not be read",
        ),
        (SayRequest { character: Some("Nobody".to_owned()), ..base() }, "Mannequin"),
        (SayRequest { variants: 0, ..base() }, "variants"),
        (SayRequest { variants: 9, ..base() }, "variants"),
    ];
    for (request, part) in wrong {
        let error =
            say(&request, &Composer, &Cancel::default(), &mut |_| {}).expect_err("it is wrong");
        assert_eq!(error.exit_code(), 2, "{error}");
        assert!(error.to_string().contains(part), "{error}");
        assert!(!request.out.exists());
    }
}

#[test]
fn a_character_comes_from_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = folder.path().join("own.glb");
    let pip = stock::find("Pip").expect("there is one");
    fs::write(&own, pip.glb).expect("it is writable");
    let with = |character: &str, out: &str| {
        let request = SayRequest {
            character: Some(character.to_owned()),
            formats: vec!["bvh".to_owned()],
            ..said(&folder.path().join(out))
        };
        let said = say(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
        let bvh = said.files.iter().find(|file| file.extension().is_some_and(|end| end == "bvh"));
        let text = fs::read_to_string(bvh.expect("it was requested")).expect("it was written");
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let (own, stock) = (with(own.to_str().expect("text"), "own"), with("Pip", "stock"));
    assert_eq!(own.len(), stock.len());
    for (own, stock) in own.iter().zip(&stock) {
        match (own.parse::<f64>(), stock.parse::<f64>()) {
            (Ok(a), Ok(b)) => assert!((a - b).abs() < 0.01, "{a} is not {b}"),
            _ => assert_eq!(own, stock),
        }
    }
}

#[test]
fn a_file_without_a_character_is_rejected_with_its_code() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("notes.glb");
    fs::write(&file, "buy milk").expect("it is writable");
    let character = Some(file.to_str().expect("text").to_owned());
    let request = SayRequest { character, ..said(&folder.path().join("out")) };
    let error =
        say(&request, &Composer, &Cancel::default(), &mut |_| {}).expect_err("it is not one");
    assert!(error.to_string().starts_with("error 901: `notes.glb`"), "{error}");
    assert_eq!(error.exit_code(), 1);
    assert!(!request.out.exists());
}

#[test]
fn a_prompt_is_explained_without_generating_anything() {
    let explained =
        explain("a person walks backward, then waves with the left hand", None, None, &Composer)
            .expect("it is understood");
    assert_eq!(explained.line, "walk dir:backward > wave side:left");
    let script = explained.script.to_string();
    assert_eq!(script, "v2 walk direction:backward > wave side:left");
    assert!(explained.warnings.is_empty());
    let error = explain("asdf", None, None, &Composer).expect_err("it is not an action");
    assert!(error.to_string().starts_with("error 502:"), "{error}");
}

#[test]
fn prompts_without_a_known_action_fail_with_their_code_and_write_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for prompt in ["asdf", "🙂🙂🙂", "שלום עולם"] {
        let request = SayRequest { prompt: prompt.to_owned(), ..said(&folder.path().join("out")) };
        let error =
            say(&request, &Composer, &Cancel::default(), &mut |_| {}).expect_err("it is wrong");
        assert!(error.to_string().starts_with("error 502:"), "{error}");
        assert_eq!(error.exit_code(), 1);
        assert!(!request.out.exists());
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_without_leftovers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("taken");
    fs::write(&file, "not a folder").expect("it is writable");
    let error =
        say(&said(&file), &Composer, &Cancel::default(), &mut |_| {}).expect_err("it is a file");
    assert!(matches!(error, SayError::Write(_)));
    assert_eq!(listed(folder.path()), ["taken"]);
}

#[test]
fn a_preset_chooses_the_file_its_names_and_the_root() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let request =
        SayRequest { preset: Some("Unreal5".to_owned()), ..said(&folder.path().join("out")) };
    let outcome = say(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
    assert_eq!(listed(&request.out), ["waves_v1.fbx", "waves_v1.json"]);
    let bytes = fs::read(&outcome.files[0]).expect("it exists");
    let fps = limber_animation::Fps::DEFAULT;
    let movement = limber_formats::fbx::movement(&bytes, fps).expect("it plays");
    for name in ["root", "pelvis", "spine_03", "upperarm_l", "ball_r", "index_01_l"] {
        assert!(movement.names.iter().any(|other| other == name), "{name}: {:?}", movement.names);
    }
    assert_eq!(movement.frames.len(), 61, "two seconds, from their first moment to their last");
    let vrma = SayRequest { preset: Some("vrma".to_owned()), ..said(&folder.path().join("vrma")) };
    say(&vrma, &Composer, &Cancel::default(), &mut |_| {}).expect("it works");
    assert_eq!(listed(&vrma.out), ["waves_v1.json", "waves_v1.vrma"]);
}

#[test]
fn a_script_replaces_the_prompt_and_omissions_are_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let json = r#"{"version": 2, "events": [
        {"do": "walk", "direction": "backward", "steps": 3, "prop": "rifle"},
        {"do": "wave", "side": "left", "count": 2, "prop": "flag"},
        {"do": "headspin"}
    ]}"#;
    let script = limber_pipeline::Script::from_json(json).expect("it is a script");
    let request = SayRequest {
        prompt: "patrol".to_owned(),
        script: Some(script),
        seconds: None,
        ..said(&folder.path().join("out"))
    };
    let made = say(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it is performed");
    let understood = made.metrics[0].script.as_deref();
    assert_eq!(understood, Some("walk dir:backward for:3steps + rifle-walk > wave x2 side:left"));
    assert_eq!(
        made.warnings,
        [
            Message::LeftOut { event: Some(1), field: "prop".into(), action: Some("wave".into()) },
            Message::EventNotPerformedYet {
                event: 2,
                action: "headspin".into(),
                nearest: Vec::new()
            },
        ]
    );
    assert!(
        made.files.iter().all(|file| file.to_string_lossy().contains("patrol")),
        "{:?}",
        made.files
    );
}

#[test]
fn requested_ends_override_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |name: &str, ends: ClipEnds| SayRequest {
        ends,
        prompt: "a person salutes".to_owned(),
        seconds: None,
        ..said(&folder.path().join(name))
    };
    let made = |request: &SayRequest| {
        say(request, &Composer, &Cancel::default(), &mut |_| {}).unwrap().warnings
    };
    let held = ClipEnds { end: Some(limber_pipeline::End::Hold), ..ClipEnds::default() };
    let at_once = ClipEnds { start: Some(limber_pipeline::Start::Action), ..ClipEnds::default() };
    assert_eq!(made(&asked("held", held)), []);
    assert_eq!(made(&asked("at once", at_once)), []);
    // nobody can begin in the middle of a jump
    let jump = SayRequest { prompt: "a person jumps".to_owned(), ..asked("jump", at_once) };
    let field = "start".to_owned();
    assert_eq!(made(&jump), [Message::LeftOut { event: None, field, action: None }]);
    let both = ClipEnds { start: Some(limber_pipeline::Start::Idle), is_loop: Some(true), ..held };
    let both = asked("both", both);
    let refused = say(&both, &Composer, &Cancel::default(), &mut |_| {});
    let refused = refused.expect_err("a loop has no beginning");
    assert!(refused.to_string().contains("`loop` and `start: idle`"), "{refused}");
    assert_eq!(refused.exit_code(), 2);
    assert!(listed(&both.out).is_empty());
}
