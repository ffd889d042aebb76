//! `POST /job/v1/process/render`: videos of earlier jobs.

mod codes;
mod refusals;

use std::time::Duration;

use limber_client::motion::{
    Camera, Container, FetchLimits, JobId, JobStatus, ListFilter, MotionClient, Render, Source,
    VariantId,
};
use limber_motion_service::{Billing, grant_credits};

use crate::studio::{Studio, finished, read, until, walk};

const FIRST: VariantId = VariantId::FIRST;

/// Makes a walk of two seconds.
async fn walked(client: &MotionClient) -> JobId {
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(client, &job).await, JobStatus::Succeeded { .. }));
    job
}

/// Returns a request for a small video, which renders quickly.
fn small(job: &JobId) -> Render {
    Render { width: 256, height: 144, ..Render::new(job.clone(), FIRST) }
}

/// Renders and downloads a video; returns its bytes and the render job.
async fn rendered(studio: &Studio, client: &MotionClient, render: &Render) -> (Vec<u8>, JobId) {
    let job = client.render(render, None).await.expect("a job").job;
    let end = finished(client, &job).await;
    assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
    let entry = client.links(&job, FIRST).await.expect("links");
    let link = entry.url(render.container.file_kind()).expect("a link");
    let target = studio.files.path().join(format!("{job}.video"));
    client.fetch(link, &target, FetchLimits::default()).await.expect("a file");
    (std::fs::read(target).expect("it exists"), job)
}

/// Reads an MP4 with a third-party parser: frames, width, height, frames per second.
fn looked_at(mp4: &[u8]) -> (usize, u16, u16, u64) {
    let read = re_mp4::Mp4::read_bytes(mp4).expect("an MP4");
    let track = read.tracks().values().next().expect("a track");
    let rate = track.timescale / track.samples[0].duration;
    (track.samples.len(), track.width, track.height, rate)
}

/// Checks the MP4 with ffprobe and ffmpeg, where they and the script are available.
fn judged(mp4: &[u8], fps: u16, size: &str) {
    let judge = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/judges/judge_mp4.py");
    let here = std::path::Path::new(judge).exists();
    let tools = std::process::Command::new("ffprobe").arg("-version").output().is_ok();
    if !here || !tools {
        println!("skipped: no program to check MP4 files here");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("video.mp4");
    std::fs::write(&path, mp4).expect("written");
    let said = std::process::Command::new("python3")
        .arg(judge)
        .arg(&path)
        .args(["--fps", &fps.to_string(), "--size", size, "--h264", "--min-duration", "1.9"])
        .output()
        .expect("python3 is installed");
    let report = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.status.success(), "{report}");
    let report: serde_json::Value = serde_json::from_str(&report).expect("a report");
    assert_eq!(report["warnings"], serde_json::json!([]), "{report}");
    assert_eq!(report["profile"], "High", "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rendered_video_is_readable_by_other_programs() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let walked = walked(&client).await;
    let render = Render { fps: 24, shadow: true, color: Some([90, 120, 200]), ..small(&walked) };
    let (mp4, job) = rendered(&studio, &client, &render).await;
    assert_eq!(looked_at(&mp4), (48, 256, 144, 24));
    judged(&mp4, 24, "256x144");
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let entry = listed.iter().find(|entry| entry.rid == job).expect("it is listed");
    assert_eq!((entry.processor.as_str(), &entry.variants), ("render", &None));
    let (_, listed) = studio.get("/job/v1/list").await;
    for entry in listed["list"].as_array().expect("a list") {
        let is_motion = entry["processor"] == "text2motion";
        assert_eq!(entry.get("variants").is_some(), is_motion, "{entry}");
    }
    assert_eq!(entry.parameters["fps"], "24");
    assert_eq!(entry.parameters["container"], "mp4");
    let stages: Vec<&str> =
        entry.processing_info.stages.iter().map(|stage| stage.name.as_str()).collect();
    assert_eq!(stages, ["load", "frames", "encode"]);
    let frames = &entry.processing_info.stages[1];
    assert!(frames.duration_ms > 0 && frames.cpu_ms > 0, "{frames:?}");
    let (_, answer) = studio.get(&format!("/job/v1/status/{job}")).await;
    let details = &answer["status"][0]["details"];
    assert_eq!(details["In"], serde_json::json!([format!("{walked}/1")]));
    let file = details["out"][0].as_str().expect("a name");
    assert!(file.ends_with("_v1.mp4") && file.contains("walk"), "{file}");
    let (_, filtered) = studio.get("/job/v1/list/SUCCESS/render").await;
    assert_eq!(filtered["count"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_motion_lists_and_serves_its_videos() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let walked = walked(&client).await;
    let (_, plain) = rendered(&studio, &client, &small(&walked)).await;
    let part = Source { trim_left: 15, trim_right: 30, ..Source::whole(walked.clone(), FIRST) };
    let urban =
        Render { source: part, backdrop: Some("urban_rooftop".to_owned()), ..small(&walked) };
    let (_, urban) = rendered(&studio, &client, &urban).await;
    let entry = client.links(&walked, FIRST).await.expect("links");
    let videos = entry.render_job_list.as_ref().expect("a list");
    let told: Vec<_> = videos.iter().map(|video| (&video.rid, video.backdrop.as_deref())).collect();
    assert_eq!(told, [(&urban, Some("Urban_Rooftop")), (&plain, None)], "newest first");
    assert!(videos.iter().all(|video| video.variant_id == FIRST));
    let groups = entry.urls.as_ref().expect("links");
    let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
    let [urban, plain] = [urban, plain].map(|rid| format!("render_{rid}"));
    assert_eq!(names[1..], [urban.as_str(), plain.as_str()]);
    assert!(groups[1].files[0].contains_key("mp4"));
    assert_eq!(looked_at(&fetched(&studio, &client, &groups[1].files[0]["mp4"]).await).0, 15);
}

async fn fetched(studio: &Studio, client: &MotionClient, link: &str) -> Vec<u8> {
    let target = studio.files.path().join("fetched");
    let _ = std::fs::remove_file(&target);
    client.fetch(link, &target, FetchLimits::default()).await.expect("a file");
    std::fs::read(target).expect("it exists")
}

#[tokio::test(flavor = "multi_thread")]
async fn other_containers_cameras_and_clips_without_a_glb_can_be_rendered() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let bare = limber_client::motion::TextToMotion {
        formats: vec![limber_client::motion::FileKind::Bvh],
        ..walk()
    };
    let bare = client.submit(&bare, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &bare).await, JobStatus::Succeeded { .. }));
    let face = Render { camera: Camera::Face, angle_deg: -45.5, ..small(&bare) };
    let (mp4, _) = rendered(&studio, &client, &face).await;
    assert_eq!(looked_at(&mp4), (60, 256, 144, 30));
    let gif = Render { container: Container::Gif, fps: 25, camera: Camera::Fixed, ..small(&bare) };
    let (gif, _) = rendered(&studio, &client, &gif).await;
    assert!(gif.starts_with(b"GIF89a"));
    let png = Render { container: Container::Png, fps: 24, ..small(&bare) };
    let (zip, job) = rendered(&studio, &client, &png).await;
    assert!(zip.starts_with(b"PK"));
    let (_, answer) = studio.get(&format!("/job/v1/download/{job}")).await;
    let link = answer["links"][0]["urls"][0]["files"][0]["zip"].as_str().expect("a link");
    let head = studio.http.head(link).send().await.expect("an answer");
    assert_eq!(head.headers()["content-type"], "application/zip");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_video_is_charged_by_the_second_and_downloads_are_free() {
    let studio = Studio::open_with(|config| config.billing = Some(Billing::default())).await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    grant_credits(&studio.config, &studio.id, 20).await.expect("the database");
    let walked = walked(&client).await;
    let before = client.balance().await.expect("a balance").credits;
    let told = client.dry_run_render(&small(&walked)).await.expect("an answer");
    assert!((told.price - 1.0).abs() < 1e-9, "two begun seconds: {told:?}");
    let (_, job) = rendered(&studio, &client, &small(&walked)).await;
    let after = client.balance().await.expect("a balance").credits;
    assert!((before - after - 1.0).abs() < 1e-9, "{before} {after}");
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let entry = listed.iter().find(|entry| entry.rid == job).expect("it is listed");
    assert!((entry.charged_amount - 1.0).abs() < 1e-9);
    let long = Render { fps: 24, ..small(&walked) };
    let refused = client.render(&long, None).await.expect_err("0.8 credits are left");
    assert!(refused.to_string().contains("credit"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_video_can_be_cancelled_while_it_renders() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let walked = walked(&client).await;
    let large = Render { width: 3840, height: 2160, fps: 60, ..small(&walked) };
    let job = client.render(&large, None).await.expect("a job").job;
    until("it is being rendered", async || {
        let status = client.status(&job).await.expect("known");
        matches!(status, JobStatus::Running { step, .. } if step > 5).then_some(())
    })
    .await;
    client.cancel(&job).await.expect("it is stopped");
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Cancelled);
    // the worker is available again at once
    let (mp4, _) = rendered(&studio, &client, &small(&walked)).await;
    assert_eq!(looked_at(&mp4).0, 60);
    let videos = std::fs::read_dir(studio.files.path().join("files/films")).expect("a folder");
    assert_eq!(videos.count(), 0, "nothing is left over");
}

#[tokio::test]
async fn backdrops_are_listed_with_thumbnails() {
    // unreferenced contents are removed at once
    let studio = Studio::open_with(|config| {
        config.orphan_age = Duration::ZERO;
        config.uploads.upkeep = Duration::from_millis(50);
    })
    .await;
    let client = studio.client();
    let backdrops = client.backdrops().await.expect("a list");
    assert_eq!(backdrops.len(), 14);
    // once the second is removed, all contents have been checked at least once
    for digit in ['0', '1'] {
        let (_, stray) = studio.stray(digit);
        until("unreferenced files are removed", async || (!stray.exists()).then_some(())).await;
    }
    assert_eq!((backdrops[0].name.as_str(), backdrops[0].kind.as_str()), ("studio", "3d"));
    for backdrop in &backdrops {
        assert_eq!(backdrop.kind == "2d", backdrop.name != "studio", "{}", backdrop.name);
        let thumb = backdrop.thumb.as_deref().expect("it was included");
        let answer = studio.http.get(thumb).send().await.expect("an answer");
        assert_eq!(answer.headers()["content-type"], "image/png");
        let picture = image::load_from_memory(&answer.bytes().await.expect("bytes"));
        let picture = picture.expect("a picture");
        assert_eq!((picture.width(), picture.height()), (320, 180), "{}", backdrop.name);
    }
    let request = studio.http.get(studio.url("/job/v1/backdrops"));
    assert_eq!(read(request).await.0, 401, "without a session");
}
