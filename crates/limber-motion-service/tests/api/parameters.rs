//! Every parameter has the documented effect, measured in the files.

use std::collections::BTreeSet;

use glam::DVec3;
use limber_client::motion::{DownloadEntry, JobId, JobStatus, VariantId};
use limber_formats::bvh;
use serde_json::Value;

use crate::studio::{Studio, finished};

/// A finished job with its files.
struct Made<'a> {
    studio: &'a Studio,
    listed: Value,
    entry: DownloadEntry,
}

/// Makes two seconds of this prompt with further parameters.
async fn made<'a>(studio: &'a Studio, prompt: &str, more: &[&str]) -> Made<'a> {
    let prompt = format!("prompt={prompt}");
    let mut params = vec![&prompt[..], "seed=7"];
    if !more.iter().any(|param| param.starts_with("model=")) {
        params.push("model=default");
    }
    if !more.iter().any(|param| param.starts_with("requestedAnimationDuration")) {
        params.push("requestedAnimationDuration=2");
    }
    params.extend(more);
    let (status, body) = studio.process(&params).await;
    assert_eq!(status, 200, "{params:?}: {body}");
    let job = JobId::parse(body["rid"].as_str().expect("an id")).expect("an id");
    let client = studio.client();
    let end = finished(&client, &job).await;
    assert!(matches!(end, JobStatus::Succeeded { .. }), "{params:?}: {end:?}");
    let listed = studio.get("/job/v1/list?limit=1").await.1["list"][0].clone();
    let entry = client.links(&job, VariantId::FIRST).await.expect("links");
    Made { studio, listed, entry }
}

impl Made<'_> {
    async fn text(&self, kind: &str) -> String {
        let link = self.entry.url(kind).unwrap_or_else(|| panic!("{kind} exists"));
        let answer = self.studio.http.get(link).send().await.expect("an answer");
        answer.text().await.expect("text")
    }

    async fn bvh(&self) -> bvh::Bvh {
        bvh::read(&self.text("bvh").await).expect("a BVH")
    }

    async fn metrics(&self) -> Value {
        serde_json::from_str(&self.text("json").await).expect("JSON")
    }

    fn kinds(&self) -> Vec<String> {
        let groups = self.entry.urls.as_deref().unwrap_or_default();
        groups.iter().flat_map(|group| &group.files).flat_map(|file| file.keys().cloned()).collect()
    }
}

/// Returns the largest horizontal distance between two positions, in units of the file.
fn spread(places: &[DVec3]) -> f64 {
    let over = |a: &DVec3, b: &DVec3| (*a - *b).with_y(0.0).length();
    places.iter().flat_map(|a| places.iter().map(move |b| over(a, b))).fold(0.0, f64::max)
}

/// Returns the position of a joint in every frame.
fn path(bvh: &bvh::Bvh, joint: usize) -> Vec<DVec3> {
    (0..bvh.frames.len()).map(|frame| bvh.world_positions(frame)[joint]).collect()
}

fn number(metrics: &Value, name: &str) -> f64 {
    metrics[name].as_f64().unwrap_or_else(|| panic!("{name} in {metrics}"))
}

const BVH: &str = "formats=bvh";

#[tokio::test]
async fn each_foot_lock_mode_works() {
    let studio = Studio::open().await;
    let _worker = studio.worker("cpu-0");
    let small = "model=pip";
    let auto = made(&studio, "a person walks forward", &[BVH, small]).await.metrics().await;
    let mode = "footLockingMode=grounding";
    let grounded = made(&studio, "a person walks forward", &[BVH, small, mode]).await;
    let grounded = grounded.metrics().await;
    // legs of other lengths slide unless feet are locked; the soles touch the floor in either mode
    assert!(number(&grounded, "footSkateCmS") > 2.0 * number(&auto, "footSkateCmS"), "{grounded}");
    let mode = "footLockingMode=never";
    let never = made(&studio, "a person walks forward", &[BVH, small, mode]).await.metrics().await;
    let depth = |metrics| number(metrics, "penetrationMm");
    assert!(depth(&auto) < 0.1 && depth(&grounded) < 0.1 && depth(&never) > 1.0, "{never}");

    let gliding = made(&studio, "a person shuffles", &[BVH]).await.metrics().await;
    let always = ["footLockingMode=always", BVH];
    let locked = made(&studio, "a person shuffles", &always).await.metrics().await;
    let standing = |metrics: &Value| -> u64 {
        let frames = metrics["contacts"].as_array().expect("contacts").iter();
        frames.map(|bits| u64::from(bits.as_u64().expect("bits").count_ones())).sum()
    };
    assert!(standing(&locked) > standing(&gliding));
    assert!(number(&locked, "footSkateCmS") < 0.1 * number(&gliding, "footSkateCmS"), "{locked}");
}

#[tokio::test]
async fn physics_and_filter_work_and_can_be_disabled() {
    let studio = Studio::open().await;
    let _worker = studio.worker("cpu-0");
    let long = [BVH, "model=bolt", "requestedAnimationDuration=4"];
    let resolved = made(&studio, "a person crosses the arms", &long).await;
    let told = resolved.metrics().await;
    let depth = |when: &str| told["physics"][when]["selfDepthMm"].as_f64().expect("a depth");
    assert!(depth("before") > 50.0 && depth("after") < 0.25 * depth("before"), "{told}");
    let off = [&long[..], &["dis=s"]].concat();
    let raw = made(&studio, "a person crosses the arms", &off).await;
    assert!(raw.metrics().await["physics"].is_null());
    assert_ne!(resolved.bvh().await.frames, raw.bvh().await.frames);

    let mut jerks = Vec::new();
    for strength in ["0", "0.5", "1"] {
        let strength = format!("poseFilteringStrength={strength}");
        let filtered = made(&studio, "a person walks forward", &[BVH, &strength]).await;
        jerks.push(number(&filtered.metrics().await, "jerkMS3"));
    }
    assert!(jerks[0] > jerks[1] && jerks[1] > jerks[2], "{jerks:?}");
    assert!(jerks[2] < 0.8 * jerks[0], "{jerks:?}");
}

#[tokio::test]
async fn root_motion_modes_work() {
    let studio = Studio::open().await;
    let _worker = studio.worker("cpu-0");
    let travels = made(&studio, "a person walks forward", &[BVH]).await.bvh().await;
    let hips = path(&travels, 0);
    assert!(spread(&hips) > 40.0, "{} cm", spread(&hips));
    let stays = made(&studio, "a person walks forward", &[BVH, "inPlace=1"]).await.bvh().await;
    assert!(spread(&path(&stays, 0)) < 0.2 * spread(&hips), "{} cm", spread(&path(&stays, 0)));
    let rooted = made(&studio, "a person walks forward", &[BVH, "rootAtOrigin=1"]).await;
    let rooted = rooted.bvh().await;
    assert_eq!((rooted.joints[0].name.as_str(), rooted.joints[1].parent), ("root", Some(0)));
    assert_eq!(rooted.joints.len(), travels.joints.len() + 1);
    let root = path(&rooted, 0);
    assert!(root.iter().all(|place| place.y.abs() < 1e-3), "it is on the ground");
    for (frame, (with, without)) in path(&rooted, 1).iter().zip(&hips).enumerate() {
        assert!(with.distance(*without) < 0.05, "the body moves as before, frame {frame}");
        assert!((root[frame] - *with).with_y(0.0).length() < 0.05, "below the hips, {frame}");
    }
}

#[tokio::test]
async fn length_rate_variants_name_and_formats_are_as_requested() {
    let studio = Studio::open().await;
    let _worker = studio.worker("cpu-0");
    let asked = [
        "requestedAnimationDuration=1.5",
        "fps=60",
        "numVariant=3",
        "formats=bvh,vrma,glb",
        "name=\"My walk: ../no/path\"",
    ];
    let walk = made(&studio, "a person walks forward", &asked).await;
    let bvh = walk.bvh().await;
    assert_eq!(bvh.frames.len(), 91);
    assert!((bvh.frame_time_s - 1.0 / 60.0).abs() < 1e-6, "{}", bvh.frame_time_s);
    assert_eq!(walk.kinds(), ["bvh", "glb", "vrma", "json", "clip"]);
    assert_eq!(walk.listed["variants"].as_object().expect("variants").len(), 3);
    let seeds: BTreeSet<String> =
        (1..=3).map(|v| walk.listed["variants"][v.to_string()]["seed"].to_string()).collect();
    assert_eq!(seeds.len(), 3, "each variant has its own seed");
    assert_eq!(walk.entry.urls.as_ref().expect("groups")[0].name, "My_walk_no_path_v1");
    let all = made(&studio, "a person walks forward", &[]).await;
    assert_eq!(all.kinds(), ["bvh", "fbx", "glb", "fbx_raw", "json", "clip"]);
    let without = made(&studio, "a person walks forward", &["skipFBX=1"]).await;
    assert_eq!(without.kinds(), ["bvh", "glb", "json", "clip"]);
    let automatic = made(&studio, "a person walks forward", &[BVH, "requestedAnimationDuration=0"]);
    let seconds = automatic.await.listed["variants"]["1"]["durationS"].as_f64().expect("seconds");
    assert!((1.0..=10.0).contains(&seconds), "{seconds}");
}
