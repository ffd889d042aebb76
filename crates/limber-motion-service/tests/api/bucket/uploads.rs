//! Uploads into a bucket: in pieces, to any server, whichever servers are killed.

use serde_json::json;

use super::{Bucket, studio_in};
use crate::{
    models,
    studio::until,
    upload::{DONE, STEP, Session, Wire, bytes, goes_on, md5_header},
};

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_can_continue_on_any_server() {
    let bucket = Bucket::open();
    let mut studio = studio_in(&bucket).await;
    let whole = bytes(21 * STEP + 4321);
    let total = whole.len().to_string();
    let session = Session::start(&studio).await;
    assert_eq!(session.piece(&whole, 0, 18 * STEP).await, goes_on(18 * STEP - 1));
    let url = session.url.clone();
    // another server process next to the first
    let (other, base) = studio.another_server().await;
    let there = Session { studio: &studio, url: url.replace(&studio.base, &base) };
    assert_eq!(there.ask(&total).await, goes_on(18 * STEP - 1));
    assert_eq!(there.piece(&whole, 18 * STEP, 20 * STEP).await, goes_on(20 * STEP - 1));
    other.kill();
    studio.kill_server().await;
    studio.start_server().await;
    let again = Session { studio: &studio, url };
    assert_eq!(again.ask(&total).await, goes_on(20 * STEP - 1));
    let rest = format!("bytes {}-{}/{total}", 20 * STEP, whole.len() - 1);
    let md5 = md5_header(&whole);
    let done = again.put_with(&rest, &whole[20 * STEP..], &[("content-md5", &md5)]).await;
    assert_eq!(done.status(), 200, "all bytes are those that were sent");
    assert_eq!(again.ask(&total).await, DONE);
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_bytes_of_a_killed_writer_are_kept() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let (doomed, base) = studio.another_server().await;
    let whole = bytes(40 * STEP);
    let session = Session::start(&studio).await;
    let there = Session { studio: &studio, url: session.url.replace(&studio.base, &base) };
    assert_eq!(there.piece(&whole, 0, 2 * STEP).await, goes_on(2 * STEP - 1));
    let url = session.url.clone();
    // in the middle of a part whose end never arrives
    let range = format!("bytes {}-{}/*", 2 * STEP, 40 * STEP - 1);
    let sent = &whole[2 * STEP..30 * STEP];
    let hanging = Wire::put(&there.url, &range, 38 * STEP, sent).await;
    until("a piece of it is kept", async || (bucket.pieces() > 1).then_some(())).await;
    let busy = Session { studio: &studio, url: url.clone() };
    let (status, word) = busy.refusal("bytes 524288-786431/*", &whole[2 * STEP..3 * STEP]).await;
    assert_eq!((status, word.as_str()), (409, "invalid_state"), "another writer is active");
    doomed.kill();
    drop(hanging);
    let (status, range) = busy.ask("*").await;
    assert_eq!(status, 308);
    let last = range.expect("something is kept").trim_start_matches("bytes=0-").parse::<usize>();
    let stored = last.expect("a number") + 1;
    assert!(stored > 2 * STEP && stored.is_multiple_of(STEP), "{stored}");
    let rest = format!("bytes {stored}-{}/{}", whole.len() - 1, whole.len());
    let md5 = md5_header(&whole);
    let done = busy.put_with(&rest, &whole[stored..], &[("content-md5", &md5)]).await;
    assert_eq!(done.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_but_the_character_remains_of_an_upload() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let stock = bucket.contents();
    let url = models::sent(&studio, models::hero()).await;
    let (status, body) = models::store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
    assert!(bucket.pieces() > 0, "it can be stored once more");
    let session = Session::start(&studio).await;
    assert_eq!(session.piece(&bytes(3 * STEP), 0, STEP).await, goes_on(STEP - 1));
    let pieces = bucket.pieces();
    let cancelled = studio.http.delete(&session.url).header("content-length", "0").send().await;
    assert_eq!(cancelled.expect("an answer").status(), 204);
    assert_eq!(bucket.pieces(), pieces - 1);
    let wrong = Session::start(&studio).await;
    let body = bytes(STEP);
    let refused = wrong.put_with("", &body, &[("content-md5", &md5_header(b"other"))]).await;
    assert_eq!(refused.status(), 400);
    assert_eq!(bucket.pieces(), pieces - 1);
    studio.sql("update upload_sessions set ended_ms = 1 where state = 'complete'").await;
    until("what was sent is gone", async || (bucket.pieces() == 0).then_some(())).await;
    assert!(bucket.contents().is_superset(&stock), "stock characters stay");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_a_damaged_piece_never_arrives() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let whole = bytes(3 * STEP);
    let session = Session::start(&studio).await;
    assert_eq!(session.piece(&whole, 0, 2 * STEP).await, goes_on(2 * STEP - 1));
    bucket.spoil_pieces();
    // the client sends no checksum
    let range = format!("bytes {}-{}/{}", 2 * STEP, 3 * STEP - 1, 3 * STEP);
    let (status, word) = session.refusal(&range, &whole[2 * STEP..]).await;
    assert_eq!((status, word.as_str()), (400, "checksum_mismatch"));
    assert_eq!(bucket.pieces(), 0);
    let (status, word) = session.refusal(&format!("bytes */{}", 3 * STEP), &[]).await;
    assert_eq!((status, word.as_str()), (410, "gone"), "it restarts");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_damaged_after_arrival_does_not_become_a_character() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    for damage in [Bucket::spoil_pieces, Bucket::lose_last_piece] {
        let url = models::sent(&studio, models::hero()).await;
        damage(&bucket);
        let (status, body) = models::store(&studio, json!({ "modelUrl": url })).await;
        assert_eq!((status, &body["type"]), (409, &"invalid_state".into()), "{body}");
        assert!(body["message"].as_str().is_some_and(|text| text.contains("damaged")), "{body}");
        assert_eq!(bucket.pieces(), 0);
    }
    let url = models::sent(&studio, models::hero()).await;
    let (status, body) = models::store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
}
