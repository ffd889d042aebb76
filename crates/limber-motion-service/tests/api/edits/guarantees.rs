//! What an edit leaves unchanged, and how smooth its seams are.

use glam::{DQuat, DVec3, Quat, Vec3};
use limber_animation::{Clip, HumanBone};
use limber_client::motion::{
    Change, FileKind, Finish, JobId, LoopChange, MotionClient, MotionEdit, RootMode, Source,
    TextToMotion, VariantId,
};
use limber_formats::bvh::{self, Channel};

use super::{edit, edited, made, wave, whole};
use crate::studio::{Studio, finished, walk};

/// Returns how much the fastest joint's step at a seam exceeds the larger of the neighbouring
/// steps.
fn jolt(clip: &Clip, seam: usize) -> f32 {
    limber_cleanup::seam(clip, seam).ratio
}

fn hips(clip: &Clip, frame: usize) -> Vec3 {
    let joint = clip.skeleton().find(HumanBone::Hips).expect("hips");
    clip.skeleton().world(&clip.frames()[frame]).position(joint)
}

/// Downloads the BVH of a job.
async fn bvh_of(studio: &Studio, client: &MotionClient, job: &JobId) -> bvh::Bvh {
    let entry = client.links(job, VariantId::FIRST).await.expect("links");
    let text = studio.http.get(entry.url("bvh").expect("a link")).send().await.expect("an answer");
    bvh::read(&text.text().await.expect("text")).expect("a BVH")
}

/// Returns the largest differences between a frame of two files: rotation in radians, position in
/// metres.
fn apart(one: &bvh::Bvh, other: &bvh::Bvh, frame: usize) -> [f64; 2] {
    let mut far = [0.0_f64; 2];
    let mut pairs = one.frames[frame].iter().zip(&other.frames[frame]);
    for joint in &one.joints {
        let mut turns = [DQuat::IDENTITY; 2];
        for (channel, (a, b)) in joint.channels.iter().zip(pairs.by_ref()) {
            match channel {
                Channel::Position(_) => far[1] = far[1].max((a - b).abs() / 100.0),
                Channel::Rotation(axis) => {
                    for (turn, degrees) in turns.iter_mut().zip([a, b]) {
                        let axis = DVec3::AXES[*axis];
                        *turn *= DQuat::from_axis_angle(axis, degrees.to_radians());
                    }
                }
            }
        }
        // not from the dot product, which is too imprecise for angles as small as these
        let between = (turns[0].inverse() * turns[1]).xyz().length().min(1.0);
        far[0] = far[0].max(2.0 * between.asin());
    }
    far
}

#[tokio::test]
async fn frames_outside_the_regenerated_part_are_bit_identical() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = made(&client, "a person walks forward").await;
    let painted = edited(&client, &edit(whole(&source), wave(40, 80))).await;
    let (before, after) = (studio.kept_clip(&source, 1).await, studio.kept_clip(&painted, 1).await);
    assert_eq!(before.len(), after.len());
    for frame in (0..before.len()).filter(|frame| !(40..80).contains(frame)) {
        assert_eq!(before.frames()[frame], after.frames()[frame], "frame {frame}");
    }
    assert!((40..80).any(|frame| before.frames()[frame] != after.frames()[frame]));
    for seam in [40, 80] {
        assert!(jolt(&after, seam) <= 1.2, "{} at {seam}", jolt(&after, seam));
    }
    let (before, after) =
        (bvh_of(&studio, &client, &source).await, bvh_of(&studio, &client, &painted).await);
    assert_eq!((before.frames.len(), after.frames.len()), (121, 121));
    for frame in (0..120).filter(|frame| !(40..80).contains(frame)) {
        let [turned, moved] = apart(&before, &after, frame);
        assert!(turned < 1e-4 && moved < 1e-4, "frame {frame}: {turned} rad, {moved} m");
    }
    let status = studio.get(&format!("/job/v1/status/{painted}")).await.1;
    let started_from = &status["status"][0]["details"]["In"];
    assert_eq!(*started_from, serde_json::json!([format!("{source}/1")]));
    let shown = &studio.get("/job/v1/list").await.1["list"][0]["parameters"];
    assert_eq!(shown["inPaintingRequest"]["intervals"][0]["end"], 80, "{shown}");
    assert_eq!(shown["script"], "wave side:right", "{shown}");
}

#[tokio::test]
async fn regenerating_trims_afterwards_and_makes_different_variants() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = made(&client, "a person walks forward").await;
    let cut = Source { trim_left: 10, trim_right: 20, ..whole(&source) };
    let painted = edited(&client, &MotionEdit { variants: 2, ..edit(cut, wave(40, 80)) }).await;
    let before = studio.kept_clip(&source, 1).await;
    let variants = [studio.kept_clip(&painted, 1).await, studio.kept_clip(&painted, 2).await];
    for after in &variants {
        assert_eq!(after.len(), 90);
        assert_eq!(after.frames()[..30], before.frames()[10..40]);
        assert_eq!(after.frames()[70..], before.frames()[80..100]);
    }
    assert_ne!(variants[0].frames()[30..70], variants[1].frames()[30..70]);
}

#[tokio::test]
async fn merged_parts_are_unchanged_except_for_a_shift_on_the_floor() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let (walking, waving) =
        (made(&client, "a person walks forward").await, made(&client, "a person waves").await);
    let first = Source { trim_right: 20, ..whole(&walking) };
    let second = Source { trim_left: 5, ..whole(&waving) };
    let change = Change::Merge { second, prompt: None, blend_s: 0.5 };
    let merged = edited(&client, &edit(first, change)).await;
    let (a, b, both) = (
        studio.kept_clip(&walking, 1).await,
        studio.kept_clip(&waving, 1).await,
        studio.kept_clip(&merged, 1).await,
    );
    assert_eq!(both.len(), 100 + 15 + 115);
    assert_eq!(both.frames()[..100], a.frames()[..100]);
    // the first frame defines how the second clip was rotated and moved
    let turned = |frame: usize| -> Quat {
        both.frames()[115 + frame].rotations[0] * b.frames()[5 + frame].rotations[0].inverse()
    };
    let turn = turned(0);
    assert!(turn.x.abs() < 1e-4 && turn.z.abs() < 1e-4, "only about the vertical: {turn}");
    let slid = hips(&both, 115) - turn * hips(&b, 5);
    assert!(slid.y.abs() < 1e-4, "{slid}");
    for frame in 0..115 {
        assert!(turned(frame).angle_between(turn) < 2e-3, "frame {frame}");
        let place = turn * hips(&b, 5 + frame) + slid;
        assert!(place.distance(hips(&both, 115 + frame)) < 1e-3, "frame {frame}");
        let (one, other) = (&b.frames()[5 + frame], &both.frames()[115 + frame]);
        assert_eq!(one.rotations[1..], other.rotations[1..], "frame {frame}");
    }
    for seam in [100, 115] {
        assert!(jolt(&both, seam) <= 1.2, "{} at {seam}", jolt(&both, seam));
    }
    let status = studio.get(&format!("/job/v1/status/{merged}")).await.1;
    let started_from = &status["status"][0]["details"]["In"];
    assert_eq!(*started_from, serde_json::json!([format!("{walking}/1"), format!("{waving}/1")]));
}

#[tokio::test]
async fn overlapping_clips_change_only_in_the_overlap() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let (walking, waving) =
        (made(&client, "a person walks forward").await, made(&client, "a person waves").await);
    let first = Source { trim_right: 20, ..whole(&walking) };
    let change = Change::Overlap { second: whole(&waving), frames: 20 };
    let merged = edited(&client, &edit(first, change)).await;
    let (a, b, both) = (
        studio.kept_clip(&walking, 1).await,
        studio.kept_clip(&waving, 1).await,
        studio.kept_clip(&merged, 1).await,
    );
    assert_eq!(both.len(), 100 + 120 - 20);
    assert_eq!(both.frames()[..80], a.frames()[..80]);
    for frame in 20..120 {
        let (one, other) = (&b.frames()[frame], &both.frames()[80 + frame]);
        assert_eq!(one.rotations[1..], other.rotations[1..], "frame {frame}");
    }
    for seam in [80, 100] {
        assert!(jolt(&both, seam) <= 1.2, "{} at {seam}", jolt(&both, seam));
    }
}

#[tokio::test]
async fn a_loop_ends_where_it_begins_and_repeats() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = made(&client, "a person walks forward").await;
    let cut = Source { trim_left: 30, trim_right: 30, ..whole(&source) };
    let round = LoopChange {
        repetitions: 3,
        blend_s: Some(0.5),
        root_mode: RootMode::Locked,
        fix_horizontal: true,
        fix_orientation: true,
        across_all: true,
        ..LoopChange::default()
    };
    let looped = edited(&client, &edit(cut, Change::Loop(round))).await;
    let clip = studio.kept_clip(&looped, 1).await;
    assert_eq!(clip.len(), 3 * (60 + 15));
    for frame in 0..75 {
        assert!(hips(&clip, frame).distance(hips(&clip, frame + 75)) < 1e-3, "frame {frame}");
        let away = (hips(&clip, frame) - hips(&clip, 0)) * Vec3::new(1.0, 0.0, 1.0);
        assert!(away.length() < 1e-3, "pinned to its place: {away} in frame {frame}");
    }
    assert!(jolt(&clip, 75) <= 1.2, "{}", jolt(&clip, 75));
}

#[tokio::test]
async fn refining_stays_within_its_bound() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = made(&client, "a person walks forward").await;
    let before = studio.kept_clip(&source, 1).await;
    let mut far = Vec::new();
    for creativity in [0.0, 1.0] {
        let change = Change::Refine { prompt: None, creativity };
        let refined = edited(&client, &edit(whole(&source), change)).await;
        let after = studio.kept_clip(&refined, 1).await;
        assert_eq!(after.len(), before.len());
        let apart = before.world_positions().iter().zip(&after.world_positions()).fold(
            0.0_f32,
            |sum, (a, b)| {
                let each: f32 = a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum();
                sum + each / (a.len() * before.len()) as f32
            },
        );
        far.push(apart);
    }
    assert!(far[0] > 1e-5 && far[0] < 0.02 && far[0] < far[1], "{far:?} m");
}

#[tokio::test]
async fn a_rerun_keeps_the_motion_and_exports_the_requested_files() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let request = TextToMotion { formats: vec![FileKind::Bvh], in_place: true, ..walk() };
    let source = client.submit(&request, None).await.expect("a job").job;
    finished(&client, &source).await;
    let cut = Source { trim_left: 10, ..whole(&source) };
    let finish = Finish {
        preset: Some("unreal5".to_owned()),
        fps: Some(60),
        in_place: Some(false),
        formats: Some(vec![FileKind::Fbx, FileKind::Bvh]),
        ..Finish::default()
    };
    let again = MotionEdit { finish, ..edit(cut, Change::Rerun) };
    let again = edited(&client, &again).await;
    let (before, after) = (studio.kept_clip(&source, 1).await, studio.kept_clip(&again, 1).await);
    assert_eq!(before.frames()[10..], *after.frames());
    let entry = client.links(&again, VariantId::FIRST).await.expect("links");
    let kinds: Vec<String> = entry.urls.as_ref().expect("groups")[0]
        .files
        .iter()
        .flat_map(|file| file.keys().cloned())
        .collect();
    assert_eq!(kinds, ["bvh", "fbx", "fbx_raw", "json", "clip"]);
    let bvh = studio.http.get(entry.url("bvh").expect("a link")).send().await.expect("an answer");
    let bvh = bvh.text().await.expect("text");
    assert!(bvh.contains("ROOT root") && bvh.contains("thigh_l"), "names of the preset");
    assert!(bvh.contains("Frames: 101") && bvh.contains("Frame Time: 0.0166"), "60 fps");
    let listed = studio.get("/job/v1/list").await.1;
    assert_eq!(listed["list"][0]["variants"]["1"]["fps"], 60);
    assert!(hips(&after, 40).z > 0.2, "the clip itself was never in place");
}
