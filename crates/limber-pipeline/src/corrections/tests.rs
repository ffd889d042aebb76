//! Which frames of the canonical clip corrections fall on.

use std::ops::RangeInclusive;

use limber_domain::limits::FILE_FRAME_RATES;
use serde_json::json;

use super::*;

/// Number of frames of the canonical clip.
const FRAMES: usize = 20;

fn turned(frame: u32) -> serde_json::Value {
    let what = json!({ "rotate": { "joint": "head", "rotation": [0.2, 0.0, 0.0, 1.0] } });
    json!({ "frame": frame, "what": what })
}

fn seen(keys: &[serde_json::Value], fps: u16) -> Clip {
    let skeleton = canonical_skeleton();
    let poses = vec![skeleton.rest_pose(); FRAMES];
    let still = Clip::new(skeleton, CanonicalClip::FPS, poses).expect("it has frames");
    let corrections = Corrections::from_value(&json!({ "layers": [{ "keys": keys }] }));
    let by_hand = HandCorrections::new(&corrections.expect("they are valid"), u32::from(fps));
    by_hand.apply(&still).resampled(limber_animation::Fps::new(fps).expect("a rate"))
}

/// Returns the rotation of the head in a frame as a fraction of the key's.
fn share(clip: &Clip, frame: usize) -> f32 {
    let head = clip.skeleton().find(HumanBone::Head).expect("it has one");
    let whole = Quat::from_xyzw(0.2, 0.0, 0.0, 1.0).normalize().angle_between(Quat::IDENTITY);
    clip.frames()[frame].rotation(head).angle_between(Quat::IDENTITY) / whole
}

/// Returns the frames of a file that a key without fades may affect: it reaches one canonical frame
/// to each side.
fn beside(frame: u32, fps: u16) -> RangeInclusive<usize> {
    let canonical = FileRate::new(u32::from(fps)).to_canonical(frame);
    let file = |canonical: f32| canonical * f32::from(fps) / 30.0;
    let first = file(canonical.floor() - 1.0).max(0.0).ceil() as usize;
    first..=file(canonical.ceil() + 1.0).floor() as usize
}

#[test]
fn a_key_without_fades_has_full_effect_at_its_frame_at_every_rate() {
    for fps in FILE_FRAME_RATES {
        let frames = FileRate::new(u32::from(fps)).nearest_file(FRAMES as f32);
        for frame in 0..frames {
            let clip = seen(&[turned(frame)], fps);
            assert_eq!(clip.len(), frames as usize);
            let whole = share(&clip, frame as usize);
            assert!((whole - 1.0).abs() < 0.01, "{whole} of the key at {frame}, {fps} fps");
            let near = beside(frame, fps);
            for other in (0..clip.len()).filter(|other| !near.contains(other)) {
                assert!(
                    share(&clip, other) < 0.01,
                    "the key at {frame} reaches {other}, {fps} fps"
                );
            }
        }
    }
}

#[test]
fn of_keys_on_one_canonical_frame_the_nearest_wins() {
    let back = json!({ "rotate": { "joint": "head", "rotation": [-0.2, 0.0, 0.0, 1.0] } });
    let exact = json!({ "frame": 12, "what": back });
    // 11 and 13 are between canonical frames, 12 is one
    for keys in [[turned(11), exact.clone(), turned(13)], [exact, turned(13), turned(11)]] {
        let clip = seen(&keys, 60);
        let head = clip.skeleton().find(HumanBone::Head).expect("it has one");
        let around_x = |frame: usize| clip.frames()[frame].rotation(head).x;
        assert!(around_x(12) < -0.1 && around_x(10) > 0.1 && around_x(14) > 0.1);
    }
}
