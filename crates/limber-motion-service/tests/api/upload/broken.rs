//! Connections that break, and services that stop, in the middle of an upload.

use serde_json::json;

use super::{DONE, STEP, Session, Wire, addresses, bytes, goes_on};
use crate::{
    models,
    studio::{Studio, until},
};

#[tokio::test]
async fn a_stopping_service_interrupts_uploads_and_keeps_received_bytes() {
    let mut studio = Studio::open().await;
    let file = bytes(600_000);
    let url = Session::start(&studio).await.url;
    let wire = Wire::put(&url, "bytes 0-599999/600000", 600_000, &file[..300_000]).await;
    until("the bytes have arrived", async || {
        studio.uploads().values().any(|held| held.len() >= STEP).then_some(())
    })
    .await;
    studio.stop_server().await;
    assert!(wire.answer().await.starts_with("HTTP/1.1 503"));
    studio.start_server().await;
    let session = Session { studio: &studio, url };
    assert_eq!(session.ask("600000").await, goes_on(STEP - 1));
    assert_eq!(session.piece(&file, STEP, 600_000).await, DONE);
    assert_eq!(studio.only_upload().1, file);
}

#[tokio::test]
async fn an_interrupted_direct_upload_leaves_nothing() {
    let studio = Studio::open().await;
    let (model, _) = addresses(&studio, "resumable=0").await;
    let wire = Wire::put(&model, "", 600_000, &bytes(300_000)).await;
    until("the bytes have arrived", async || {
        studio.uploads().values().any(|held| held.len() >= STEP).then_some(())
    })
    .await;
    drop(wire);
    until("they are gone again", async || studio.uploads().is_empty().then_some(())).await;
}

#[tokio::test]
async fn an_upload_truncated_after_arrival_does_not_become_a_character() {
    let studio = Studio::open().await;
    let url = models::sent(&studio, models::hero()).await;
    let (name, bytes) = studio.only_upload();
    let file = studio.files.path().join("files/uploads").join(name);
    std::fs::write(file, &bytes[..bytes.len() / 2]).expect("truncated");
    let (status, body) = models::store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!((status, &body["type"]), (409, &"invalid_state".into()), "{body}");
    assert!(studio.uploads().is_empty(), "it has to be sent again");
}

#[tokio::test]
async fn concurrent_uploads_do_not_mix() {
    let studio = Studio::open().await;
    let file = bytes(3 * STEP + 9);
    let send = async |shift: usize| {
        let session = Session::start(&studio).await;
        let own = &file[shift..];
        assert_eq!(session.piece(own, 0, STEP).await, goes_on(STEP - 1));
        assert_eq!(session.piece(own, STEP, own.len()).await, DONE);
    };
    futures_util::future::join_all((0..12).map(send)).await;
    let kept = studio.uploads();
    assert_eq!(kept.len(), 12);
    for shift in 0..12 {
        assert!(kept.values().any(|bytes| bytes[..] == file[shift..]), "{shift}");
    }
}
