//! What the URLs of `getModelUploadUrl` permit, and what they do not.

use super::{DONE, addresses, bytes, standing};
use crate::studio::{HandClock, Studio, read};

#[tokio::test]
async fn every_response_has_two_upload_urls_with_the_requested_names() {
    let studio = Studio::open().await;
    let (model, thumb) = addresses(&studio, "").await;
    assert!(model.contains("/model.fbx?") && thumb.contains("/model.png?"), "{model} {thumb}");
    let (model, thumb) =
        addresses(&studio, "name=../My%20hero&modelExt=.GLB&thumbExt=jpeg&resumable=1").await;
    assert!(model.contains("/My%20hero.glb?") && thumb.contains("/My%20hero.jpeg?"), "{model}");
}

#[tokio::test]
async fn unsupported_formats_are_rejected_before_the_upload() {
    let studio = Studio::open().await;
    for (query, status) in [("modelExt=obj", 415), ("thumbExt=gif", 415), ("resumable=2", 422)] {
        let (found, body) = studio.get(&format!("/character/v1/getModelUploadUrl?{query}")).await;
        assert_eq!(found, status, "{query}: {body}");
    }
    let address = studio.url("/character/v1/getModelUploadUrl");
    assert_eq!(read(studio.http.get(&address)).await.0, 401);
}

#[tokio::test]
async fn a_single_put_needs_no_session() {
    let studio = Studio::open().await;
    let (model, _) = addresses(&studio, "resumable=0").await;
    let file = bytes(700_001);
    let put = async |file: &[u8]| {
        let request = studio.http.put(&model).header("authorization", "Basic eA==");
        request.body(file.to_vec()).send().await.expect("an answer")
    };
    let answer = put(&file).await;
    assert!(answer.headers().contains_key("x-storage-hash"));
    assert_eq!(standing(&answer), DONE);
    assert_eq!(studio.only_upload().1, file);
    // sending again creates another file for the same URL
    assert_eq!(standing(&put(&file[1..]).await), DONE);
    let wrong = studio.http.put(&model).header("content-md5", super::md5_header(b"no"));
    assert_eq!(read(wrong.body(file)).await.0, 400);
    assert_eq!(studio.uploads().len(), 2);
}

#[tokio::test]
async fn an_upload_url_accepts_only_the_method_it_was_signed_for() {
    let studio = Studio::open().await;
    let (resumable, _) = addresses(&studio, "").await;
    let (direct, _) = addresses(&studio, "resumable=0").await;
    let put = studio.http.put(&resumable).body("x").send().await.expect("an answer");
    assert_eq!(
        (put.status().as_u16(), &put.headers()["allow"]),
        (405, &"POST".parse().expect("a value"))
    );
    let post = studio.http.post(&direct).header("x-storage-resumable", "start");
    let post = post.send().await.expect("an answer");
    assert_eq!(
        (post.status().as_u16(), &post.headers()["allow"]),
        (405, &"PUT".parse().expect("a value"))
    );
}

#[tokio::test]
async fn a_session_starts_with_its_header_and_no_body() {
    let studio = Studio::open_with(|config| config.max_model_mib = 1).await;
    let (model, thumb) = addresses(&studio, "").await;
    let start = |url: &str| studio.http.post(url).header("x-storage-resumable", "start");
    assert_eq!(read(studio.http.post(&model)).await.0, 400);
    assert_eq!(read(start(&model).body("{}")).await.0, 400);
    assert_eq!(read(start(&model).header("x-upload-content-length", "2000000")).await.0, 413);
    assert_eq!(read(start(&model).header("x-upload-content-length", "many")).await.0, 400);
    assert_eq!(read(start(&model).header("x-upload-content-length", "1048576")).await.0, 201);
    assert_eq!(read(start(&thumb).header("x-upload-content-length", "2000000")).await.0, 201);
    let other_vendor = studio.http.post(&model).header("x-goog-resumable", "start");
    assert_eq!(read(other_vendor).await.0, 201);
}

#[tokio::test]
async fn altered_and_expired_upload_urls_are_rejected() {
    let clock = HandClock::now();
    let studio = Studio::open_at(&clock, |_| {}).await;
    let (model, _) = addresses(&studio, "").await;
    let start = async |url: &str| {
        let (status, body) =
            read(studio.http.post(url).header("x-storage-resumable", "start")).await;
        (status, body["type"].as_str().unwrap_or_default().to_owned())
    };
    let forged = (403, "bad_signature".to_owned());
    assert_eq!(start(&model.replace("resumable=1", "resumable=0")).await, forged);
    assert_eq!(start(&model.replace("limit=", "limit=9")).await, forged);
    assert_eq!(start(&model.replace("model.fbx", "model.exe")).await, forged);
    assert_eq!(start(model.split('?').next().expect("a path")).await, forged);
    assert_eq!(start(&model).await.0, 201);
    clock.forward(3_600_001);
    assert_eq!(start(&model).await, (410, "gone".to_owned()));
}

#[tokio::test]
async fn unfinished_uploads_per_account_are_limited() {
    let studio = Studio::open().await;
    let (model, _) = addresses(&studio, "").await;
    for _ in 0..100 {
        super::Session::start_at(&studio, &model).await;
    }
    let more = studio.http.post(&model).header("x-storage-resumable", "start");
    let more = more.send().await.expect("an answer");
    assert_eq!(more.status(), 429);
    assert!(more.headers().contains_key("retry-after"));
}
