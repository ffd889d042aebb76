//! `GET /job/v1/download/{rid,…}` and the links it returns.

use limber_client::motion::{FetchLimits, JobId, JobStatus, MotionError, TextToMotion, VariantId};
use limber_domain::hex;
use sha2::{Digest, Sha256};

use crate::studio::{HandClock, Studio, finished, read, until, walk};

#[tokio::test]
async fn links_open_the_files_of_a_finished_job() {
    let studio = Studio::open_with(|config| config.pictures = true).await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let request = TextToMotion { variants: 2, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let unfinished = client.links(&job, VariantId::FIRST).await.expect("known");
    assert!(unfinished.urls.is_none() && unfinished.variant_download_status.is_none());
    let JobStatus::Succeeded { files } = finished(&client, &job).await else {
        panic!("it succeeds")
    };
    assert!(files.iter().any(|name| name.ends_with("_v1.glb")), "{files:?}");
    assert!(files.iter().any(|name| name.ends_with("_v2.bvh")), "{files:?}");

    let entry = client.links(&job, VariantId::new(2).expect("not 0")).await.expect("links");
    assert_eq!(entry.variant_download_status, Some(true));
    let groups = entry.urls.clone().expect("groups");
    let kinds: Vec<_> = groups[0].files.iter().flat_map(|file| file.keys().cloned()).collect();
    assert_eq!(kinds[..4], ["bvh", "fbx", "glb", "fbx_raw"]);
    let glb = entry.url("glb").expect("a link");
    zip_and_bare(&studio, &entry).await;
    range_and_head(&studio, glb).await;
    altered_and_expired(&studio, glb).await;
    fetch_to_disk(&studio, glb).await;
    kept_clip_on_request(&studio, &entry).await;

    let wrong = client.links(&job, VariantId::new(9).expect("not 0")).await.expect("an entry");
    assert_eq!((wrong.variant_download_status, wrong.urls), (Some(false), Some(vec![])));
    let (status, _) = studio.get(&format!("/job/v1/download/{job}?variant_id=1,2")).await;
    assert_eq!(status, 422, "more variants than jobs");

    let listed = client.list(&limber_client::motion::ListFilter::default()).await.expect("a list");
    let first = &listed[0].variants.as_ref().expect("variants")["1"];
    assert!(first.download && first.frames == 60 && first.fps == 30, "{first:?}");
    let metrics = first.metrics.expect("metrics");
    assert!(metrics.foot_skate_cm_s >= 0.0);
    let stages = &listed[0].processing_info.stages;
    assert!(
        stages.iter().any(|stage| stage.name == "generate" && stage.variant == 2),
        "{stages:?}"
    );
}

/// Checks that the canonical clip is linked for clients that ask for it, and hidden from others.
async fn kept_clip_on_request(studio: &Studio, entry: &limber_client::motion::DownloadEntry) {
    let clip = studio.http.get(entry.url("clip").expect("a link")).send().await;
    let clip = clip.expect("an answer").bytes().await.expect("bytes");
    let clip = limber_pipeline::canonical_from_bytes(&clip).expect("a clip").clip;
    assert_eq!(clip.len(), 60);
    let (status, unasked) = studio.get(&format!("/job/v1/download/{}", entry.rid)).await;
    assert_eq!(status, 200);
    assert!(!unasked.to_string().contains("\"clip\""), "{unasked}");
    let (status, refused) =
        studio.get(&format!("/job/v1/download/{}?canonical=all", entry.rid)).await;
    assert_eq!((status, refused["param"].as_str()), (422, Some("canonical")), "{refused}");
}

/// Checks that `fbx` is a ZIP, as existing clients expect, and `fbx_raw` its content.
async fn zip_and_bare(studio: &Studio, entry: &limber_client::motion::DownloadEntry) {
    let zip = studio.http.get(entry.url("fbx").expect("a link")).send().await.expect("an answer");
    assert_eq!(zip.headers()["content-type"], "application/zip");
    let disposition = zip.headers()["content-disposition"].to_str().expect("text").to_owned();
    assert!(disposition.contains("_v2.zip"), "{disposition}");
    let zip = zip.bytes().await.expect("bytes");
    let bare = studio.http.get(entry.url("fbx_raw").expect("a link")).send().await;
    let bare = bare.expect("an answer").bytes().await.expect("bytes");
    assert_eq!(&zip[..4], b"PK\x03\x04");
    assert!(bare.starts_with(b"Kaydara FBX Binary"));
    let head = 30 + usize::from(u16::from_le_bytes([zip[26], zip[27]]));
    assert_eq!(zip[head..head + bare.len()], bare[..]);
}

async fn range_and_head(studio: &Studio, link: &str) {
    let whole = studio
        .http
        .get(link)
        .header("authorization", "Basic eA==")
        .send()
        .await
        .expect("an answer");
    assert_eq!(whole.status(), 200);
    assert_eq!(whole.headers()["content-type"], "model/gltf-binary");
    let tag = whole.headers()["etag"].to_str().expect("text").to_owned();
    assert!(
        whole.headers()["content-disposition"]
            .to_str()
            .expect("text")
            .starts_with("attachment; filename=")
    );
    assert!(whole.headers().contains_key("last-modified"));
    let bytes = whole.bytes().await.expect("bytes");
    assert_eq!(tag, format!("\"{}\"", hex(&Sha256::digest(&bytes))));

    let part = studio.http.get(link).header("range", "bytes=4-11").send().await.expect("an answer");
    assert_eq!(part.status(), 206);
    assert_eq!(
        part.headers()["content-range"].to_str().expect("text"),
        format!("bytes 4-11/{}", bytes.len())
    );
    assert_eq!(part.bytes().await.expect("bytes"), bytes.slice(4..12));
    let beyond = format!("bytes={}-", bytes.len());
    let beyond = studio.http.get(link).header("range", beyond).send().await.expect("an answer");
    assert_eq!(beyond.status(), 416);
    let unchanged =
        studio.http.get(link).header("if-none-match", &tag).send().await.expect("an answer");
    assert_eq!(unchanged.status(), 304);
    let head = studio.http.head(link).send().await.expect("an answer");
    assert_eq!(head.headers()["content-length"].to_str().expect("text"), bytes.len().to_string());
    assert!(head.bytes().await.expect("nothing").is_empty());
}

async fn altered_and_expired(studio: &Studio, link: &str) {
    let altered = link.replace(".glb?", ".bvh?");
    assert_ne!(altered, link);
    let (status, body) = read(studio.http.get(&altered)).await;
    assert_eq!((status, &body["type"]), (403, &"bad_signature".into()));
    let longer = link.replace("expires=", "expires=9");
    assert_eq!(read(studio.http.get(&longer)).await.0, 403);
    let bare = link.split('?').next().expect("a path");
    assert_eq!(read(studio.http.get(bare)).await.0, 403);
}

async fn fetch_to_disk(studio: &Studio, link: &str) {
    let client = studio.client();
    let target = studio.files.path().join("mine").join("walk.glb");
    let fetched = client.fetch(link, &target, FetchLimits::default()).await.expect("a file");
    let bytes = std::fs::read(&target).expect("it exists");
    assert_eq!(bytes.len() as u64, fetched.bytes);

    // an interrupted transfer is resumed
    std::fs::write(target.with_file_name("walk.glb.part"), &bytes[..1000]).expect("written");
    std::fs::write(target.with_file_name("walk.glb.part-id"), format!("\"{}\"", fetched.sha256))
        .expect("written");
    assert_eq!(client.fetch(link, &target, FetchLimits::default()).await.expect("a file"), fetched);
    assert_eq!(std::fs::read(&target).expect("it exists"), bytes);

    // a damaged partial file is detected, and the next attempt starts over
    std::fs::write(target.with_file_name("walk.glb.part"), vec![0; 1000]).expect("written");
    std::fs::write(target.with_file_name("walk.glb.part-id"), format!("\"{}\"", fetched.sha256))
        .expect("written");
    let damaged = client.fetch(link, &target, FetchLimits::default()).await;
    assert!(matches!(damaged, Err(MotionError::Damaged)), "{damaged:?}");
    assert_eq!(client.fetch(link, &target, FetchLimits::default()).await.expect("a file"), fetched);

    let small = FetchLimits { bytes: 100, ..FetchLimits::default() };
    let refused = client.fetch(link, &target, small).await;
    assert!(matches!(refused, Err(MotionError::TooLarge { .. })), "{refused:?}");
}

#[tokio::test]
async fn two_variants_of_one_job_can_be_downloaded_in_one_call() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let job =
        client.submit(&TextToMotion { variants: 2, ..walk() }, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let path = format!("/job/v1/download/{job},{job}?variant_id=1,2");
    let (status, answer) = studio.get(&path).await;
    assert_eq!((status, &answer["count"]), (200, &2.into()), "{answer}");
    for (place, ending) in ["_v1", "_v2"].into_iter().enumerate() {
        let entry = &answer["links"][place];
        assert_eq!(entry["rid"], job.as_str(), "{answer}");
        assert_eq!(entry["variantDownloadStatus"], true, "{answer}");
        let name = entry["urls"][0]["name"].as_str().expect("a name");
        assert!(name.ends_with(ending), "{name}");
    }
    let (_, answer) = studio.get(&format!("/job/v1/download/{job},{job}")).await;
    assert_eq!(answer["count"], 1, "the first variant is told once: {answer}");
}

#[tokio::test]
async fn a_truncated_file_is_not_served() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let entry = client.links(&job, VariantId::FIRST).await.expect("links");
    let link = entry.url("glb").expect("a link");
    assert_eq!(studio.http.get(link).send().await.expect("an answer").status(), 200);
    let content = link.split('/').nth_back(1).expect("a content");
    let objects = studio.files.path().join("files/objects");
    let path = objects.join(&content[..2]).join(content);
    let bytes = std::fs::read(&path).expect("it exists");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("truncated");
    let (status, body) = read(studio.http.get(link)).await;
    assert_eq!((status, &body["type"]), (410, &"gone".into()), "{body}");
    let part = studio.http.get(link).header("range", "bytes=0-9");
    assert_eq!(read(part).await.0, 410, "no part of it either");
    assert_eq!(studio.http.head(link).send().await.expect("an answer").status(), 410);
    std::fs::write(&path, &bytes).expect("restored");
    assert_eq!(studio.http.get(link).send().await.expect("an answer").status(), 200);
}

#[tokio::test]
async fn clip_retention_is_configurable_and_videos_expire_earlier() {
    let mut studio = Studio::open().await;
    studio.set("MOTIONSVC_KEEP_DAYS", "200");
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    let clip = client.submit(&walk(), None).await.expect("a job").job;
    let video = client.submit(&walk(), None).await.expect("a job").job;
    for job in [&clip, &video] {
        assert!(matches!(finished(&client, job).await, JobStatus::Succeeded { .. }));
    }
    worker.stop();
    let purged = async |job: &JobId| {
        client.links(job, VariantId::FIRST).await.expect("an entry").purged.then_some(())
    };
    let render_since = format!("update jobs set processor = 'render' where rid = '{video}'");
    studio.sql(&render_since).await;
    studio.sql("update jobs set finished_ms = now_ms() - 100::bigint * 86400000").await;
    // a worker applies retention periods as soon as it starts
    let worker = studio.worker("cpu-1");
    until("the video is gone", async || purged(&video).await).await;
    assert_eq!(purged(&clip).await, None, "half of its time is left");
    worker.stop();
    studio.sql("update jobs set finished_ms = now_ms() - 201::bigint * 86400000").await;
    let _worker = studio.worker("cpu-2");
    until("the clip is gone", async || purged(&clip).await).await;
}

#[tokio::test]
async fn expired_links_and_purged_files_are_gone() {
    let clock = HandClock::now();
    let studio = Studio::open_at(&clock, |_| {}).await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let link = async || {
        let entry = client.links(&job, VariantId::FIRST).await.expect("links");
        entry.url("bvh").expect("a link").to_owned()
    };
    let old = link().await;
    assert_eq!(studio.http.get(&old).send().await.expect("an answer").status(), 200);
    clock.forward(2 * 3600 * 1000);
    let (status, body) = read(studio.http.get(&old)).await;
    assert_eq!((status, &body["type"]), (410, &"gone".into()));
    let link = link().await;
    assert_eq!(studio.http.get(&link).send().await.expect("an answer").status(), 200);
    std::fs::remove_dir_all(studio.files.path().join("files").join("objects")).expect("removed");
    let (status, body) = read(studio.http.get(&link)).await;
    assert_eq!((status, &body["type"]), (410, &"gone".into()));
    studio.sql("update jobs set purged_ms = now_ms()").await;
    let purged = client.links(&job, VariantId::FIRST).await.expect("an entry");
    assert!(purged.purged && purged.urls.is_none());
}
