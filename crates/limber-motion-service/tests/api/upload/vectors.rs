//! Whole uploads, request by request.

use super::{DONE, NOTHING_YET, STEP, Session, Wire, bytes, goes_on};
use crate::studio::{Studio, until};

const TOTAL: usize = 600_000;

#[tokio::test]
async fn three_parts_and_a_status_query_make_a_file() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(TOTAL);
    assert_eq!(session.ask("600000").await, NOTHING_YET);
    assert_eq!(session.piece(&file, 0, 262_144).await, goes_on(262_143));
    assert_eq!(session.piece(&file, 262_144, 524_288).await, goes_on(524_287));
    assert_eq!(session.ask("600000").await, goes_on(524_287));
    assert_eq!(session.ask("*").await, goes_on(524_287));
    assert_eq!(session.piece(&file, 524_288, 600_000).await, DONE);
    let (_, stored) = studio.only_upload();
    assert_eq!(stored, file);
}

#[tokio::test]
async fn an_interrupted_first_part_leaves_nothing() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(TOTAL);
    drop(Wire::put(&session.url, "bytes 0-262143/600000", 262_144, &file[..100_000]).await);
    assert_eq!(settled(&session).await, NOTHING_YET);
}

#[tokio::test]
async fn an_interrupted_second_part_leaves_whole_steps() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(1_200_000);
    assert_eq!(session.piece(&file, 0, STEP).await, goes_on(262_143));
    let rest = &file[STEP..STEP + 300_000];
    drop(Wire::put(&session.url, "bytes 262144-1199999/1200000", 937_856, rest).await);
    let standing = settled(&session).await;
    assert!([goes_on(262_143), goes_on(524_287)].contains(&standing), "{standing:?}");
    let from = if standing == goes_on(524_287) { 524_288 } else { 262_144 };
    assert_eq!(session.piece(&file, from, file.len()).await, DONE);
    assert_eq!(studio.only_upload().1, file);
}

/// Returns the progress once the interrupted request has released the session.
async fn settled(session: &Session<'_>) -> super::Standing {
    until("the writer has released it", async || {
        Some(session.ask("*").await).filter(|(status, _)| *status != 409)
    })
    .await
}

#[tokio::test]
async fn an_overlap_is_skipped_and_a_gap_is_not_filled() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(TOTAL);
    assert_eq!(session.piece(&file, 0, 262_144).await, goes_on(262_143));
    // overlapping bytes are ignored, even if they differ
    let mut other = file.clone();
    other[..262_144].fill(0);
    assert_eq!(session.piece(&file, 524_288, 600_000).await, goes_on(262_143));
    assert_eq!(session.piece(&other, 0, 524_288).await, goes_on(524_287));
    assert_eq!(session.piece(&file, 524_288, 600_000).await, DONE);
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn a_wrong_checksum_at_the_end_ends_the_upload() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(TOTAL);
    assert_eq!(session.piece(&file, 0, 524_288).await, goes_on(524_287));
    let wrong = super::md5_header(b"something else");
    let last = session
        .put_with("bytes 524288-599999/600000", &file[524_288..], &[("content-md5", &wrong)])
        .await;
    assert_eq!(last.status(), 400);
    let body: serde_json::Value = last.json().await.expect("JSON");
    assert_eq!(body["type"], "checksum_mismatch");
    assert_eq!(session.refusal("bytes */600000", &[]).await, (410, "gone".to_owned()));
    assert!(studio.uploads().is_empty(), "the bytes are dropped");
}
