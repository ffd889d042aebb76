//! One account's requests do not keep other accounts waiting.

use limber_motion_service::{ReaderProgram, create_client};
use serde_json::json;

use crate::{
    models,
    studio::{Studio, read, until},
};

/// Marks files that the slow reader blocks on.
const ENDLESS: &str = "a file without an end";

/// Returns a reader that blocks on marked files until it is released, and reads others normally.
fn slow_reader(let_go: &std::path::Path) -> ReaderProgram {
    let program = env!("CARGO_BIN_EXE_limber-motion");
    let let_go = let_go.display();
    let script = format!(
        r#"PATH=/usr/bin:/bin
IFS= read -r order
input=${{order#*'"input":"'}}
input=${{input%%'"'*}}
if grep -q '{ENDLESS}' "$input"; then
    while [ ! -e '{let_go}' ]; do sleep 0.05; done
    exit 1
fi
printf '%s\n' "$order" | '{program}' reader"#
    );
    ReaderProgram { path: "/bin/sh".into(), arguments: vec!["-c".to_owned(), script] }
}

#[tokio::test]
async fn one_accounts_characters_do_not_block_anothers() {
    let signs = tempfile::tempdir().expect("a folder");
    let let_go = signs.path().join("let-go");
    let reader = slow_reader(&let_go);
    let mut studio = Studio::open_with(|config| {
        config.reader = reader;
        config.import.at_once = 2;
    })
    .await;
    let cookie = studio.cookie().await;
    let mut greedy = Vec::new();
    for _ in 0..4 {
        let url = models::sent(&studio, ENDLESS.as_bytes()).await;
        let request = studio.http.post(studio.url("/character/v1/storeModel"));
        let request = request.header("cookie", &cookie).json(&json!({ "modelUrl": url }));
        greedy.push(tokio::spawn(request.send()));
    }
    let reading = studio.files.path().join("files/imports");
    until("one of them is being read", async || std::fs::read_dir(&reading).ok()?.next().map(drop))
        .await;
    let (id, secret) = create_client(&studio.config, "modest").await.expect("an account");
    (studio.id, studio.secret) = (id, secret);
    let url = models::sent(&studio, models::hero()).await;
    let (status, body) = models::store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
    std::fs::write(&let_go, "").expect("written");
    for request in greedy {
        let answer = request.await.expect("it was sent").expect("an answer");
        assert_ne!(answer.status(), 200);
    }
}

#[tokio::test]
async fn slow_file_writes_do_not_block_the_database() {
    // as many as the server has database connections
    const TOGETHER: usize = 10;
    let studio = Studio::open_with(|config| config.import.at_once = TOGETHER + 1).await;
    let url = models::sent(&studio, models::hero()).await;
    let cookie = studio.cookie().await;
    // blocks writers as an unresponsive file store would
    let held = studio.hold("select pg_advisory_xact_lock(x'6c696d626572'::bigint)").await;
    let storing: Vec<_> = (0..TOGETHER)
        .map(|_| {
            let request = studio.http.post(studio.url("/character/v1/storeModel"));
            let request = request.header("cookie", &cookie).json(&json!({ "modelUrl": url }));
            tokio::spawn(request.send())
        })
        .collect();
    let imports = studio.config.scratch.join("imports");
    until("all of them are read", async || {
        let folders = std::fs::read_dir(&imports).ok()?.flatten();
        let waiting = folders.filter(|folder| folder.path().join("outcome.json").exists()).count();
        let answered = storing.iter().filter(|one| one.is_finished()).count();
        (waiting + answered >= TOGETHER).then_some(())
    })
    .await;
    studio.until_waiting(1).await;
    for _ in 0..10 {
        let request = studio.http.get(studio.url("/account/v1/creditBalance"));
        let (status, body) = read(request.header("cookie", &cookie)).await;
        assert_eq!(status, 200, "{body}");
    }
    held.let_go().await;
    for one in storing {
        let status = one.await.expect("it was sent").expect("an answer").status();
        assert!([200, 503].contains(&status.as_u16()), "{status}");
    }
    let (status, body) = models::store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(studio.rows_of("models").await, 1, "all of them are of the same file");
}
