//! The deployment files of the book are accepted by the programs they are for.

use std::{path::Path, process::Command};

use crate::{root, text_of};

const FOLDER: &str = "docs/src/operate/deploy";

fn file(name: &str) -> std::path::PathBuf {
    root().join(FOLDER).join(name)
}

/// Returns the Compose command that is installed, if any.
fn compose() -> Option<Vec<&'static str>> {
    [vec!["docker", "compose"], vec!["docker-compose"]].into_iter().find(|words| {
        let asked = Command::new(words[0]).args(&words[1..]).arg("version").output();
        asked.is_ok_and(|answer| answer.status.success())
    })
}

#[test]
fn compose_accepts_the_compose_file() {
    let Some(words) = compose() else {
        println!("skipped: neither `docker compose` nor `docker-compose` is installed");
        return;
    };
    let read = Command::new(words[0])
        .args(&words[1..])
        .args(["--file".as_ref(), file("compose.yaml").as_os_str(), "config".as_ref()])
        .env("POSTGRES_PASSWORD", "a")
        .env("S3_KEY", "b")
        .env("S3_SECRET", "c")
        .env("PUBLIC_URL", "https://motion.example")
        .output()
        .expect("the program can be started");
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let text = String::from_utf8_lossy(&read.stdout).into_owned();
    for service in ["serve:", "work:", "database:", "bucket:", "replicas: 3"] {
        assert!(text.contains(service), "{service} is not in {text}");
    }
}

#[test]
fn the_kubernetes_manifests_are_valid() {
    let target = std::env::current_exe().expect("the path of this program is known");
    let target = target.ancestors().nth(3).expect("the path has three ancestors");
    let program = target.join("tools/manifests/bin/kubernetes-validate");
    if !program.exists() {
        println!("skipped: tests/manifests/requirements.txt says how to install the validator");
        return;
    }
    let judged = Command::new(program).arg("--strict").arg(file("kubernetes.yaml")).output();
    let judged = judged.expect("the validator can be started");
    let text = String::from_utf8_lossy(&judged.stdout).into_owned()
        + &String::from_utf8_lossy(&judged.stderr);
    assert!(judged.status.success(), "{text}");
    assert!(text.matches("passed").count() >= 6, "{text}");
}

#[test]
fn container_settings_exist_in_the_service() {
    let known = text_of(Path::new("crates/limber-motion-service/src/config.rs"))
        + &text_of(Path::new("crates/limber-motion-service/src/config/place.rs"));
    for name in ["Dockerfile", "compose.yaml", "kubernetes.yaml"] {
        let text = text_of(&Path::new(FOLDER).join(name));
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let set: Vec<&str> = words.filter(|word| word.starts_with("MOTIONSVC_")).collect();
        assert!(!set.is_empty(), "{name} contains no settings");
        for setting in set {
            assert!(
                known.contains(&format!("\"{setting}\"")),
                "{name}: {setting} is not a setting"
            );
        }
    }
}

#[test]
fn the_desktop_entry_registers_the_viewer_for_its_file_types() {
    let entry = root().join("assets/limber-view.desktop");
    let text = text_of(&entry);
    for line in ["Exec=limber view %F", "MimeType=model/gltf-binary;"] {
        assert!(text.lines().any(|one| one == line), "{line} is not in {text}");
    }
    let packed: serde_json::Value = serde_json::from_str(&text_of(&root().join("tauri.conf.json")))
        .expect("the configuration is JSON");
    let files = &packed["bundle"]["linux"]["deb"]["files"];
    assert_eq!(files["/usr/share/applications/limber-view.desktop"], "assets/limber-view.desktop");
    match Command::new("desktop-file-validate").arg(&entry).output() {
        Ok(judged) => {
            let said = String::from_utf8_lossy(&judged.stdout).into_owned();
            assert!(judged.status.success() && said.is_empty(), "{said}");
        }
        Err(_) => println!("skipped: desktop-file-validate is not installed"),
    }
}

#[test]
fn workflow_actions_are_pinned_to_commits() {
    let folder = root().join(".github/workflows");
    let files = std::fs::read_dir(&folder).expect("the folder can be listed");
    let mut actions = 0;
    for file in files {
        let path = file.expect("the folder can be listed").path();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let used = text.lines().filter_map(|line| line.trim().strip_prefix("- uses: "));
        for action in used {
            actions += 1;
            let (name, rest) = action.split_once('@').expect("an action has a version");
            let (commit, version) = rest.split_once(" # v").expect("a comment names the version");
            let is_commit =
                commit.len() == 40 && commit.chars().all(|sign| sign.is_ascii_hexdigit());
            assert!(is_commit && !version.is_empty(), "{name} in {}: {rest}", path.display());
        }
    }
    assert!(actions >= 5, "{actions} actions");
}
