//! The rules of upload sessions: offsets, checksums, limits, expiry.

use super::{
    DONE, NOTHING_YET, STEP, Session, Wire, addresses, bytes, goes_on, md5_header, standing,
};
use crate::studio::{HandClock, PATIENCE, Studio, until};

const HOUR_MS: i64 = 3600 * 1000;
const DAY_MS: i64 = 24 * HOUR_MS;

#[tokio::test]
async fn a_308_response_says_resume_incomplete_and_is_not_a_redirect() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let text = Wire::put(&session.url, "bytes */*", 0, &[]).await.answer().await;
    assert!(text.starts_with("HTTP/1.1 308 Resume Incomplete\r\n"), "{text}");
    assert!(!text.to_lowercase().contains("location:"), "{text}");
}

#[tokio::test]
async fn a_whole_file_is_complete_and_its_checksums_can_be_queried_repeatedly() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(700_001);
    let hash = format!("md5={}", md5_header(&file));
    for _ in 0..2 {
        let answer = session.put_with("", &file, &[("x-storage-hash", &hash)]).await;
        assert_eq!(answer.status(), 200);
        let said = answer.headers()["x-storage-hash"].to_str().expect("text");
        assert!(said.starts_with("crc32c=") && said.ends_with(&hash), "{said}");
        assert!(answer.headers().contains_key("etag"));
        assert!(answer.bytes().await.expect("nothing").is_empty());
    }
    assert_eq!(session.ask("*").await, DONE);
    assert_eq!(session.piece(&file, 524_288, 700_001).await, DONE);
    assert_eq!(session.refusal("bytes */5", &[]).await.0, 400);
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn the_length_may_be_unknown_until_the_last_part() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(STEP + 77);
    // bytes beyond a multiple of STEP are not kept while more may follow
    let first = session.put("bytes 0-262220/*", &file).await;
    assert_eq!(standing(&first), goes_on(STEP - 1));
    assert_eq!(session.piece(&file, STEP, file.len()).await, DONE);
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn a_status_query_with_the_length_completes_a_fully_received_file() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(2 * STEP);
    let put = session.put("bytes 0-524287/*", &file).await;
    assert_eq!(standing(&put), goes_on(2 * STEP - 1));
    assert_eq!(session.ask("524288").await, DONE);
    let empty = Session::start(&studio).await;
    assert_eq!(empty.ask("0").await, DONE);
}

#[tokio::test]
async fn a_part_is_truncated_to_whole_steps_unless_it_is_the_last() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(600_000);
    assert_eq!(session.piece(&file, 0, 300_000).await, goes_on(262_143));
    assert_eq!(session.piece(&file, 262_144, 262_200).await, goes_on(262_143));
    assert_eq!(session.piece(&file, 262_144, 600_000).await, DONE);
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn contradictory_requests_are_rejected_without_harm() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(600_000);
    assert_eq!(session.piece(&file, 0, STEP).await, goes_on(STEP - 1));
    for (range, length) in [
        ("bytes 262144-524287/700000", STEP),
        ("bytes */700000", 0),
        ("bytes 5-4/600000", 0),
        ("bytes 262144-600000/600000", 337_857),
        ("bytes 262144-524287/600000", 100),
        ("bytes */600000", 100),
        ("nonsense", 0),
    ] {
        let refusal = session.refusal(range, &file[..length]).await;
        assert_eq!(refusal, (400, "malformed_request".to_owned()), "{range}");
    }
    assert_eq!(session.refusal("", &file[..1000]).await.0, 400, "a whole file of another length");
    assert_eq!(session.ask("600000").await, goes_on(STEP - 1));
}

#[tokio::test]
async fn an_impossible_length_is_not_remembered() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    let file = bytes(600_000);
    let first = session.put("bytes 0-262143/*", &file[..STEP]).await;
    assert_eq!(standing(&first), goes_on(STEP - 1));
    for (range, length) in [("bytes 0-99/100", 100), ("bytes */100", 0), ("", 100)] {
        let refusal = session.refusal(range, &file[..length]).await;
        assert_eq!(refusal, (400, "malformed_request".to_owned()), "{range}");
    }
    assert_eq!(session.piece(&file, STEP, 600_000).await, DONE);
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn a_file_needs_a_length_within_the_limit() {
    let studio = Studio::open_with(|config| config.max_model_mib = 1).await;
    let session = Session::start(&studio).await;
    let body = reqwest::Body::wrap_stream(futures_util::stream::iter([Ok::<_, std::io::Error>(
        bytes(10),
    )]));
    let answer = studio.http.put(&session.url).body(body).send().await.expect("an answer");
    assert_eq!(answer.status(), 411);
    let large = session.refusal("bytes 0-262143/2000000", &bytes(STEP)).await;
    assert_eq!(large, (413, "payload_too_large".to_owned()));
    assert_eq!(session.refusal("", &bytes((1 << 20) + 1)).await.0, 413);
    let exactly = bytes(1 << 20);
    assert_eq!(standing(&session.put("", &exactly).await), DONE);
}

#[tokio::test]
async fn only_one_writer_at_a_time() {
    let studio = Studio::open_with(|config| config.uploads.silence = PATIENCE).await;
    let session = Session::start(&studio).await;
    let file = bytes(600_000);
    let range = "bytes 0-599999/600000";
    let mut first = Wire::put(&session.url, range, 600_000, &file[..300_000]).await;
    // on a busy computer, a later connection may be served before an earlier one
    until("the first is being written", async || {
        studio.uploads().values().any(|kept| !kept.is_empty()).then_some(())
    })
    .await;
    let second = session.refusal(range, &file).await;
    assert_eq!(second, (409, "invalid_state".to_owned()));
    first.send(&file[300_000..]).await;
    let text = first.answer().await;
    assert!(text.starts_with("HTTP/1.1 200"), "the first is not disturbed: {text}");
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn a_stalled_writer_loses_the_upload_but_not_its_bytes() {
    let studio = Studio::open_with(|config| {
        config.uploads.silence = std::time::Duration::from_secs(2);
    })
    .await;
    let session = Session::start(&studio).await;
    let file = bytes(600_000);
    let range = "bytes 0-599999/600000";
    let text = Wire::put(&session.url, range, 600_000, &file[..300_000]).await.answer().await;
    assert!(text.starts_with("HTTP/1.1 408"), "the stalled writer is told: {text}");
    assert_eq!(session.ask("*").await, goes_on(STEP - 1), "its bytes are kept");
    assert_eq!(session.piece(&file, STEP, 600_000).await, DONE);
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn a_cancelled_upload_leaves_no_trace() {
    let studio = Studio::open().await;
    let session = Session::start(&studio).await;
    assert_eq!(session.piece(&bytes(600_000), 0, STEP).await, goes_on(STEP - 1));
    assert_eq!(session.cancel().await, 204);
    assert!(studio.uploads().is_empty());
    let unknown = (404, "upload_session_not_found".to_owned());
    assert_eq!(session.refusal("bytes */*", &[]).await, unknown);
    assert_eq!(session.cancel().await, 404);
    let guessed = Session { studio: &studio, url: studio.url("/upload/v1/session/guessed") };
    assert_eq!(guessed.refusal("bytes 0-262143/*", &bytes(STEP)).await, unknown);
    assert!(studio.uploads().is_empty(), "a guess leaves no file");
}

#[tokio::test]
async fn an_upload_expires_after_seven_days() {
    let clock = HandClock::now();
    let studio = Studio::open_at(&clock, |config| {
        config.uploads.upkeep = std::time::Duration::from_millis(50);
    })
    .await;
    let session = Session::start(&studio).await;
    let file = bytes(600_000);
    assert_eq!(session.piece(&file, 0, STEP).await, goes_on(STEP - 1));
    clock.forward(7 * DAY_MS - HOUR_MS);
    assert_eq!(session.ask("*").await, goes_on(STEP - 1));
    clock.forward(2 * HOUR_MS);
    assert_eq!(session.refusal("bytes */*", &[]).await, (410, "gone".to_owned()));
    until("its bytes are gone", async || studio.uploads().is_empty().then_some(())).await;
}

#[tokio::test]
async fn an_unused_upload_is_kept_for_a_day() {
    let clock = HandClock::now();
    let studio = Studio::open_at(&clock, |config| {
        config.uploads.upkeep = std::time::Duration::from_millis(50);
    })
    .await;
    let session = Session::start(&studio).await;
    assert_eq!(standing(&session.put("", &bytes(1000)).await), DONE);
    clock.forward(DAY_MS - HOUR_MS);
    assert_eq!(session.ask("1000").await, DONE);
    clock.forward(2 * HOUR_MS);
    assert_eq!(session.refusal("bytes */1000", &[]).await.0, 410);
    until("its bytes are gone", async || studio.uploads().is_empty().then_some(())).await;
}

#[tokio::test]
async fn old_files_without_an_upload_are_removed() {
    let studio = Studio::open_with(|config| {
        config.uploads.upkeep = std::time::Duration::from_millis(50);
    })
    .await;
    let session = Session::start(&studio).await;
    assert_eq!(session.piece(&bytes(600_000), 0, STEP).await, goes_on(STEP - 1));
    let folder = studio.files.path().join("files/uploads");
    let two_hours_ago = |path: &std::path::Path| {
        let file = std::fs::File::options().append(true).open(path).expect("it exists");
        let changed = file.metadata().and_then(|metadata| metadata.modified()).expect("a time");
        file.set_modified(changed - std::time::Duration::from_secs(7200)).expect("set");
    };
    std::fs::write(folder.join("stray"), "x").expect("written");
    two_hours_ago(&folder.join("stray"));
    two_hours_ago(&folder.join(studio.only_upload_but("stray")));
    until("the stray file is gone", async || (!folder.join("stray").exists()).then_some(())).await;
    assert_eq!(session.ask("*").await, goes_on(STEP - 1), "the upload's own file is not");
}

#[tokio::test]
async fn only_the_page_that_started_an_upload_can_continue_it() {
    let studio = Studio::open().await;
    let (model, _) = addresses(&studio, "").await;
    let begin = studio.http.post(&model).header("x-storage-resumable", "start");
    let begun = begin.header("origin", "http://localhost:5173").send().await.expect("an answer");
    assert_eq!(begun.status(), 201);
    let exposed = begun.headers()["access-control-expose-headers"].to_str().expect("text");
    for name in ["Location", "Range", "x-storage-hash"] {
        assert!(exposed.contains(name), "{exposed}");
    }
    let url = begun.headers()["location"].to_str().expect("text").to_owned();
    let session = Session { studio: &studio, url };
    let ask = async |origin: &str| {
        let headers: &[(&str, &str)] = if origin.is_empty() { &[] } else { &[("origin", origin)] };
        session.put_with("bytes */*", &[], headers).await.status().as_u16()
    };
    assert_eq!(ask("http://localhost:5173").await, 308);
    assert_eq!(ask("http://localhost:3000").await, 403);
    assert_eq!(ask("").await, 403);
}

#[tokio::test]
async fn each_start_creates_a_separate_upload() {
    let studio = Studio::open().await;
    let (model, _) = addresses(&studio, "").await;
    let first = Session::start_at(&studio, &model).await;
    let second = Session::start_at(&studio, &model).await;
    assert_eq!(first.piece(&bytes(600_000), 0, STEP).await, goes_on(STEP - 1));
    assert_eq!(second.ask("*").await, NOTHING_YET);
}
