//! Files in a bucket of an S3-compatible store: jobs, downloads, uploads, and outages of the store.

mod moto;
mod server;
mod sharing;
mod uploads;

use std::time::Duration;

use limber_client::motion::{FetchLimits, JobStatus, VariantId};
use serde_json::json;

use crate::{
    models,
    studio::{Studio, finished, read, retrying, until, walk},
    within::{UNTIL_HASTENED, work},
};
pub(crate) use server::Bucket;

/// Opens a studio that stores files in a bucket.
pub(crate) async fn studio_in(bucket: &Bucket) -> Studio {
    let place = bucket.place();
    Studio::open_with(|config| {
        config.store = place;
        config.orphan_age = Duration::ZERO;
        config.uploads.upkeep = Duration::from_millis(300);
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_downloaded_and_purged_from_the_bucket() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let entry = client.links(&job, VariantId::FIRST).await.expect("links");
    let link = entry.url("glb").expect("a link");
    let answer = studio.http.get(link).send().await.expect("an answer");
    assert_eq!(answer.status(), 307);
    let there = answer.headers()["location"].to_str().expect("text").to_owned();
    assert!(there.starts_with(&format!("http://{}/", bucket.host())), "{there}");
    assert!(!there.contains("secret"), "{there}");
    let whole = studio.http.get(&there).send().await.expect("an answer");
    assert_eq!(whole.status(), 200);
    let whole = whole.bytes().await.expect("bytes");
    let part = studio.http.get(&there).header("range", "bytes=4-11").send().await;
    let part = part.expect("an answer");
    assert_eq!(part.status(), 206);
    assert_eq!(part.bytes().await.expect("bytes"), whole.slice(4..12));
    let altered = there.replace("X-Amz-Expires=600", "X-Amz-Expires=6000");
    assert_ne!(altered, there);
    assert_eq!(studio.http.get(altered).send().await.expect("an answer").status(), 403);

    let target = studio.files.path().join("mine").join("walk.glb");
    let fetched = client.fetch(link, &target, FetchLimits::default()).await.expect("a file");
    assert_eq!(std::fs::read(&target).expect("it exists"), whole);
    // an interrupted transfer is resumed, and what was there before is verified
    std::fs::write(target.with_file_name("walk.glb.part"), vec![0; 1000]).expect("written");
    std::fs::write(target.with_file_name("walk.glb.part-id"), format!("\"{}\"", fetched.sha256))
        .expect("written");
    client.fetch(link, &target, FetchLimits::default()).await.expect_err("a damaged beginning");
    assert_eq!(client.fetch(link, &target, FetchLimits::default()).await.expect("a file"), fetched);

    worker.stop();
    assert!(bucket.contents().contains(&fetched.sha256));
    studio.sql("update jobs set finished_ms = now_ms() - 91::bigint * 86400000").await;
    // a worker applies retention periods as soon as it starts
    let _other = studio.worker("cpu-1");
    until("the file is gone", async || {
        (!bucket.contents().contains(&fetched.sha256)).then_some(())
    })
    .await;
    let purged = client.links(&job, VariantId::FIRST).await.expect("an entry");
    assert!(purged.purged && purged.urls.is_none());
    let (status, body) = read(studio.http.get(link)).await;
    assert_eq!((status, &body["type"]), (410, &"gone".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn downloads_pass_through_the_service_if_redirects_are_off() {
    let bucket = Bucket::open();
    let mut place = bucket.place();
    if let limber_motion_service::StorePlace::S3(place) = &mut place {
        place.redirect = false;
    }
    let studio = Studio::open_with(|config| config.store = place).await;
    let models = studio.client().models().await.expect("a list");
    let link = models[0].glb.as_deref().expect("a link");
    let part = studio.http.get(link).header("range", "bytes=0-3").send().await.expect("an answer");
    assert_eq!(part.status(), 206);
    assert_eq!(part.headers()["content-type"], "model/gltf-binary");
    assert_eq!(&part.bytes().await.expect("bytes")[..], b"glTF");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_object_is_never_served() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let models = studio.client().models().await.expect("a list");
    let link = |place: usize| models[place].glb.clone().expect("a link");
    let content = |link: &str| {
        let behind = link.split_once("/files/v1/").expect("a link to a content").1;
        behind.split('/').next().expect("its name").to_owned()
    };
    let ask = async |method: reqwest::Method, link: &str| {
        studio.http.request(method, link).send().await.expect("an answer").status().as_u16()
    };
    let (cut, altered, whole) = (link(0), link(1), link(2));
    assert_eq!(ask(reqwest::Method::GET, &cut).await, 307, "it was intact at the first request");
    bucket.spoil(&content(&cut), |bytes| bytes.truncate(bytes.len() / 2));
    bucket.spoil(&content(&altered), |bytes| *bytes.last_mut().expect("a byte") ^= 1);
    for link in [&cut, &altered] {
        let (status, body) = read(studio.http.get(link)).await;
        assert_eq!((status, &body["type"]), (410, &"gone".into()), "{body}");
        assert!(body["message"].as_str().is_some_and(|text| text.contains("damaged")), "{body}");
        assert_eq!(ask(reqwest::Method::HEAD, link).await, 410);
    }
    assert_eq!(ask(reqwest::Method::GET, &whole).await, 307);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_is_verified_once_for_all_requests() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let models = studio.client().models().await.expect("a list");
    let link = models[0].glb.clone().expect("a link");
    let behind = link.split_once("/files/v1/").expect("a link to a content").1;
    let content = behind.split('/').next().expect("its name").to_owned();
    bucket.hold(Some("GetObject"));
    let impatient = tokio::spawn(studio.http.get(&link).send());
    until("its object is verified", async || {
        (bucket.asked("GetObject", &content) == 1).then_some(())
    })
    .await;
    impatient.abort();
    let heads = bucket.asked("HeadObject", &content);
    let patient = tokio::spawn(studio.http.get(&link).send());
    until("another request for it", async || {
        (bucket.asked("HeadObject", &content) > heads).then_some(())
    })
    .await;
    bucket.hold(None);
    let answer = patient.await.expect("it was sent").expect("an answer");
    assert_eq!(answer.status(), 307);
    assert_eq!(bucket.asked("GetObject", &content), 1, "the first verification continued");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_bucket_causes_delays_but_no_loss() {
    let mut bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let client = studio.client();
    let _working = work(&studio, |config| config.work.retry_delays = UNTIL_HASTENED);
    let url = models::sent(&studio, models::hero()).await;
    // wait, because a worker that starts while the store is away exits with an error
    until("the worker has reached the store", async || {
        let (_, body) = read(studio.http.get(studio.url("/health/ready"))).await;
        (body["workers"] == 1).then_some(())
    })
    .await;
    bucket.go_away().await;
    let job = client.submit(&walk(), None).await.expect("jobs are accepted").job;
    let models = client.models().await.expect("lists need no files");
    let link = models[0].glb.as_deref().expect("a link");
    let answer = studio.http.get(link).send().await.expect("an answer");
    assert_eq!(answer.status(), 503);
    assert!(answer.headers().contains_key("retry-after"));
    let body: serde_json::Value = answer.json().await.expect("a body");
    assert!(body["message"].as_str().expect("text").contains("nothing is lost"), "{body}");
    retrying(&client, &job).await;
    bucket.come_back();
    studio.hasten_retries().await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    assert_eq!(studio.http.get(link).send().await.expect("an answer").status(), 307);
    let (status, body) = models::store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_does_not_start_without_access_to_its_bucket() {
    let bucket = Bucket::open();
    let mut place = bucket.place();
    if let limber_motion_service::StorePlace::S3(place) = &mut place {
        place.keys = place.keys.take().map(|mut keys| {
            keys.secret = "another secret".to_owned().into();
            keys
        });
    }
    let studio = studio_in(&bucket).await;
    let mut config = studio.config.clone();
    let mut elsewhere = config.clone();
    if let limber_motion_service::StorePlace::S3(place) = &mut elsewhere.store {
        place.bucket = "nobodys-files".to_owned();
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let started = limber_motion_service::serve(&elsewhere, listener, std::future::pending()).await;
    let text = started.expect_err("it does not start").to_string();
    assert!(text.contains("bucket for motion files does not exist"), "{text}");
    config.store = place;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let started = limber_motion_service::serve(&config, listener, std::future::pending()).await;
    let text = started.expect_err("it does not start").to_string();
    assert!(text.contains("bucket settings"), "{text}");
    assert!(!text.contains("another secret"), "{text}");
}
