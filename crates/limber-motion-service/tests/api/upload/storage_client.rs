//! The official client of the storage vendor whose protocol this is (`tests/storage-client`).

use std::{path::Path, process::Command};

use super::{STEP, addresses, bytes};
use crate::studio::Studio;

#[tokio::test(flavor = "multi_thread")]
async fn a_vendors_client_can_interrupt_and_resume() {
    let target = Path::new(env!("CARGO_BIN_EXE_limber-motion")).ancestors().nth(2);
    let python = target.expect("a folder").join("tools/storage-client/bin/python");
    if !python.exists() {
        println!("skipped: run `cargo xtask setup` to install the client");
        return;
    }
    let studio = Studio::open().await;
    let (model, _) = addresses(&studio, "modelExt=glb").await;
    let file = studio.files.path().join("hero.glb");
    let sent = bytes(5 * STEP + 4321);
    std::fs::write(&file, &sent).expect("written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/storage-client/upload.py");
    let done = tokio::task::spawn_blocking(move || {
        Command::new(python).arg(script).arg(model).arg(file).output()
    });
    let done = done.await.expect("it ran").expect("it starts");
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{text}{}", String::from_utf8_lossy(&done.stderr));
    assert!(text.contains("resumed at 524288"), "{text}");
    assert_eq!(studio.only_upload().1, sent);
}
