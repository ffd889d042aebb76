//! One account's requests do not keep other accounts waiting.

use std::path::Path;

use limber_motion_service::{ReaderProgram, create_client};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{
    models,
    studio::{Studio, read, until},
    upload::addresses,
};

/// Marks files that the slow reader blocks on.
const ENDLESS: &str = "a file without an end";
/// Conditions of a shell under which the slow reader blocks: for marked files, and for portraits.
const IS_ENDLESS: &str = r#"grep -q 'a file without an end' "$input""#;
const IS_PORTRAIT: &str = r#"printf '%s' "$order" | grep -q '"task":"draw"'"#;

/// Returns a reader that blocks if `is_slow` until it is released, and reads other files normally.
fn slow_reader(is_slow: &str, let_go: &Path) -> ReaderProgram {
    let program = env!("CARGO_BIN_EXE_limber-motion");
    let let_go = let_go.display();
    let script = format!(
        r#"PATH=/usr/bin:/bin
IFS= read -r order
input=${{order#*'"input":"'}}
input=${{input%%'"'*}}
if {is_slow}; then
    while [ ! -e '{let_go}' ]; do sleep 0.05; done
    exit 1
fi
printf '%s\n' "$order" | '{program}' reader"#
    );
    ReaderProgram { path: "/bin/sh".into(), arguments: vec!["-c".to_owned(), script] }
}

/// Opens a studio with two slow readers, of which one account may hold only one.
async fn slow_studio(is_slow: &str, let_go: &Path) -> Studio {
    let reader = slow_reader(is_slow, let_go);
    Studio::open_with(|config| {
        config.reader = reader;
        config.import.at_once = 2;
    })
    .await
}

type Storing = JoinHandle<reqwest::Result<reqwest::Response>>;

/// Stores or changes a character in the background.
fn storing(studio: &Studio, cookie: &str, body: &Value) -> Storing {
    let request = studio.http.post(studio.url("/character/v1/storeModel"));
    tokio::spawn(request.header("cookie", cookie).json(body).send())
}

/// Returns how many readers are at work.
fn readers(studio: &Studio) -> usize {
    std::fs::read_dir(studio.config.scratch.join("imports")).map_or(0, Iterator::count)
}

/// Checks that another account can store a character, although all that the first account may hold
/// is blocked.
async fn another_account_is_served(studio: &mut Studio) {
    until("a reader is blocked", async || (readers(studio) > 0).then_some(())).await;
    let (id, secret) = create_client(&studio.config, "modest").await.expect("an account");
    (studio.id, studio.secret) = (id, secret);
    let url = models::sent(studio, models::hero()).await;
    let (status, body) = models::store(studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(readers(studio), 1, "one account holds one reader");
}

/// Unblocks the first account's requests and returns the statuses of their responses.
async fn statuses(greedy: Vec<Storing>, let_go: &Path) -> Vec<u16> {
    std::fs::write(let_go, "").expect("written");
    let mut statuses = Vec::new();
    for request in greedy {
        let answer = request.await.expect("it was sent").expect("an answer");
        statuses.push(answer.status().as_u16());
    }
    statuses
}

#[tokio::test]
async fn one_accounts_characters_do_not_block_anothers() {
    let signs = tempfile::tempdir().expect("a folder");
    let let_go = signs.path().join("let-go");
    let mut studio = slow_studio(IS_ENDLESS, &let_go).await;
    let cookie = studio.cookie().await;
    let mut greedy = Vec::new();
    for _ in 0..4 {
        let url = models::sent(&studio, ENDLESS.as_bytes()).await;
        greedy.push(storing(&studio, &cookie, &json!({ "modelUrl": url })));
    }
    another_account_is_served(&mut studio).await;
    for status in statuses(greedy, &let_go).await {
        assert_ne!(status, 200);
    }
}

#[tokio::test]
async fn one_accounts_uploaded_thumbnails_do_not_block_anothers_characters() {
    let signs = tempfile::tempdir().expect("a folder");
    let let_go = signs.path().join("let-go");
    let mut studio = slow_studio(IS_ENDLESS, &let_go).await;
    let cookie = studio.cookie().await;
    let model = models::sent(&studio, models::hero()).await;
    let mut greedy = Vec::new();
    for _ in 0..4 {
        let (_, thumb) = addresses(&studio, "thumbExt=png&resumable=0").await;
        let put = studio.http.put(&thumb).body(ENDLESS).send().await.expect("an answer");
        assert_eq!(put.status(), 200);
        greedy.push(storing(&studio, &cookie, &json!({ "modelUrl": model, "thumbUrl": thumb })));
    }
    another_account_is_served(&mut studio).await;
    for status in statuses(greedy, &let_go).await {
        assert_ne!(status, 200);
    }
}

#[tokio::test]
async fn one_accounts_portraits_do_not_block_anothers_characters() {
    let signs = tempfile::tempdir().expect("a folder");
    let let_go = signs.path().join("let-go");
    let mut studio = slow_studio(IS_PORTRAIT, &let_go).await;
    let cookie = studio.cookie().await;
    let url = models::sent(&studio, models::hero()).await;
    let (status, body) = models::store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
    let portrait = json!({ "modelId": body["modelId"], "createThumb": 1 });
    let greedy: Vec<Storing> = (0..4).map(|_| storing(&studio, &cookie, &portrait)).collect();
    another_account_is_served(&mut studio).await;
    for status in statuses(greedy, &let_go).await {
        assert_eq!(status, 200, "a character does without its portrait");
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
