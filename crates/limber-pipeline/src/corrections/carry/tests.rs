//! Where corrections are after an edit.

use std::sync::{Arc, LazyLock};

use limber_animation::{HumanBone, canonical_skeleton};
use limber_cleanup::{GroundMove, trim};
use limber_domain::limits::FILE_FRAME_RATES;
use serde_json::json;

use super::*;
use crate::{CanonicalClip, HandCorrections};

const NO_TRIM: Trim = Trim { left: 0, right: 0 };

/// Returns keys that pull the left hand up: (frame, height, fade).
fn pulls(keys: &[(u32, f32, u32)]) -> Corrections {
    let key = |(frame, height, fade): &(u32, f32, u32)| {
        json!({
            "frame": frame, "before": fade, "after": fade,
            "what": { "pull": { "limb": "leftHand", "offset": [0.0, height, 0.0] } },
        })
    };
    let keys: Vec<_> = keys.iter().map(key).collect();
    let layers = json!({ "layers": [{ "name": "Higher", "keys": keys }] });
    Corrections::from_value(&layers).expect("they are valid")
}

/// Returns a clip of a motionless character.
fn still(frames: usize) -> Clip {
    let skeleton = canonical_skeleton();
    let poses = vec![skeleton.rest_pose(); frames];
    Clip::new(skeleton, CanonicalClip::FPS, poses).expect("it has frames")
}

fn part(corrections: &Corrections, frames: usize, trim: Trim) -> CarriedPart<'_> {
    static STILL: LazyLock<[Facings; 2]> =
        LazyLock::new(|| [60, 100].map(|frames| Facings::of(&still(frames))));
    let facings = STILL.iter().find(|facings| facings.frames() == frames).expect("60 or 100");
    CarriedPart { corrections, fps: 30, facings, trim }
}

/// Returns the frame and height of each key.
fn heights(corrections: &Corrections) -> Vec<(u32, f32)> {
    let keys = corrections.layers().iter().flat_map(|layer| &layer.keys);
    keys.map(|key| match &key.what {
        Correction::Pull { offset, .. } => (key.frame, (offset.get()[1] * 1000.0).round() / 1000.0),
        Correction::Rotate { .. } => panic!("none turns"),
    })
    .collect()
}

fn alone(keys: &[(u32, f32, u32)], trim: Trim) -> Vec<(u32, f32)> {
    let corrections = pulls(keys);
    let kept = 100 - trim.left - trim.right;
    heights(
        &carried(part(&corrections, 100, trim), Join::Alone, kept, 30).expect("within the limits"),
    )
}

#[test]
fn regenerating_in_place_keeps_every_key() {
    let keys = [(10, 0.1, 5), (40, 0.2, 5)];
    assert_eq!(alone(&keys, NO_TRIM), [(10, 0.1), (40, 0.2)]);
}

#[test]
fn trimming_shifts_keys_and_keeps_fades_that_reach_in() {
    let trim = Trim { left: 20, right: 30 };
    // far outside, inside, far outside
    assert_eq!(alone(&[(2, 0.1, 5), (30, 0.2, 5), (90, 0.1, 5)], trim), [(10, 0.2)]);
    // at half strength where the clip now begins and ends
    assert_eq!(alone(&[(15, 0.1, 10), (74, 0.2, 10)], trim), [(0, 0.05), (49, 0.1)]);
    // between two keys that are both trimmed away
    assert_eq!(alone(&[(10, 0.2, 60), (80, 0.2, 60)], trim), [(0, 0.2), (49, 0.2)]);
}

#[test]
fn a_remainder_at_an_edge_blends_into_the_next_key() {
    let corrections = pulls(&[(10, 0.2, 10), (40, 0.2, 25)]);
    let trim = Trim { left: 20, right: 0 };
    let cut =
        carried(part(&corrections, 100, trim), Join::Alone, 80, 30).expect("within the limits");
    let keys = &cut.layers()[0].keys;
    assert_eq!(heights(&cut), [(0, 0.2), (20, 0.2)]);
    assert!(keys[0].after + keys[1].before > 20);
}

#[test]
fn frames_are_counted_at_the_rate_of_the_result() {
    let corrections = pulls(&[(30, 0.1, 12)]);
    let first = CarriedPart { fps: 60, ..part(&corrections, 100, Trim { left: 5, right: 0 }) };
    let cut = carried(first, Join::Alone, 95, 24).expect("within the limits");
    let key = &cut.layers()[0].keys[0];
    // half a second, minus five frames at 30 fps
    assert_eq!((key.frame, key.before, key.after), (8, 5, 5));
}

#[test]
fn merges_keep_both_parts_corrections_and_loops_repeat_them() {
    let (first, second) = (pulls(&[(10, 0.1, 5)]), pulls(&[(20, 0.2, 5)]));
    let join = Join::With(part(&second, 60, Trim { left: 10, right: 0 }));
    // 100 frames, 15 new ones, 50 frames
    let both = carried(part(&first, 100, NO_TRIM), join, 165, 30).expect("within the limits");
    assert_eq!(heights(&both), [(10, 0.1), (125, 0.2)]);
    assert_eq!(both.layers().len(), 2);
    let round =
        carried(part(&first, 100, NO_TRIM), Join::Rounds(3), 330, 30).expect("within the limits");
    assert_eq!(heights(&round), [(10, 0.1), (120, 0.1), (230, 0.1)]);
    let many = carried(part(&first, 100, NO_TRIM), Join::Rounds(600), 66_000, 30);
    assert!(many.expect_err("too many").to_string().contains("more than 500"));
}

#[test]
fn without_trimming_nothing_changes_at_any_rate() {
    for fps in FILE_FRAME_RATES.map(u32::from) {
        let frames = 100 * fps / 30;
        for frame in (0..7).chain(frames - 7..frames) {
            for fade in [0, 10] {
                let corrections = pulls(&[(frame, 0.1, fade)]);
                let whole = CarriedPart { fps, ..part(&corrections, 100, NO_TRIM) };
                assert_eq!(carried(whole, Join::Alone, 100, fps).as_ref(), Ok(&corrections));
            }
        }
    }
}

#[test]
fn the_last_frames_of_a_fast_clip_are_on_the_last_canonical_frame() {
    let corrections = pulls(&[(159, 0.1, 0), (160, 0.2, 0)]);
    // frames 30 to 79 of the canonical clip
    let first = CarriedPart { fps: 60, ..part(&corrections, 100, Trim { left: 30, right: 20 }) };
    let cut = carried(first, Join::Alone, 50, 60).expect("within the limits");
    assert_eq!(heights(&cut), [(99, 0.1)]);
}

/// Returns the position of the left hand in every frame.
fn hands(clip: &Clip) -> Vec<Vec3> {
    let hand = clip.skeleton().find(HumanBone::LeftHand).expect("it has one").get();
    clip.world_positions().into_iter().map(|frame| frame[hand]).collect()
}

fn corrected(clip: &Clip, corrections: &Corrections) -> Vec<Vec3> {
    hands(&HandCorrections::new(corrections, 30).apply(clip))
}

#[test]
fn a_trimmed_pull_keeps_its_direction_while_the_character_turns() {
    // a quarter turn in 30 frames
    let mut turning = still(100);
    let skeleton = Arc::clone(turning.skeleton());
    for (frame, pose) in turning.frames_mut().iter_mut().enumerate() {
        let yaw_rad = std::f32::consts::FRAC_PI_2 * frame as f32 / 30.0;
        *pose = GroundMove { yaw_rad, offset: Vec3::ZERO }.pose(&skeleton, pose);
    }
    let facings = Facings::of(&turning);
    let forward = |frame: u32, fade: u32| {
        json!({
            "frame": frame, "before": fade, "after": fade,
            "what": { "pull": { "limb": "leftHand", "offset": [-0.15, -0.1, 0.2] } },
        })
    };
    // two separate keys, and two that blend into each other
    for keys in [vec![forward(10, 30), forward(90, 30)], vec![forward(10, 50), forward(90, 50)]] {
        let layers = json!({ "layers": [{ "keys": keys }] });
        let corrections = Corrections::from_value(&layers).expect("they are valid");
        let ends = Trim { left: 25, right: 25 };
        let part =
            CarriedPart { corrections: &corrections, fps: 30, facings: &facings, trim: ends };
        let cut = carried(part, Join::Alone, 50, 30).expect("within the limits");
        let (whole, short) = (corrected(&turning, &corrections), trim(&turning, ends));
        let plain = hands(&turning);
        let short = corrected(&short.expect("something is left"), &cut);
        for (there, here) in [(25, 0), (74, 49)] {
            assert!(plain[there].distance(whole[there]) > 0.05, "it is pulled there");
            let apart = whole[there].distance(short[here]);
            assert!(apart < 2e-3, "{apart} m in frame {here}");
        }
    }
}

/// Returns the longest step of the hand between consecutive frames, including from the last to the
/// first, in metres.
fn longest_step(hands: &[Vec3]) -> f32 {
    let next = hands.iter().cycle().skip(1);
    hands.iter().zip(next).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn fades_continue_across_loop_restarts() {
    for frame in [2, 97] {
        let corrections = pulls(&[(frame, 0.2, 20)]);
        for rounds in [1, 3] {
            let frames = 110 * rounds as usize;
            let join = Join::Rounds(rounds);
            let round = carried(part(&corrections, 100, NO_TRIM), join, frames, 30)
                .expect("within the limits");
            let step = longest_step(&corrected(&still(frames), &round));
            assert!(step < 0.02, "a step of {step} m, key at {frame}, {rounds} rounds");
        }
    }
}

#[test]
fn trimmed_corrections_fade_over_the_new_frames() {
    let (first, second) = (pulls(&[(55, 0.2, 20)]), pulls(&[(5, 0.2, 20)]));
    let to = Join::With(part(&second, 60, Trim { left: 10, right: 0 }));
    let from = part(&first, 60, Trim { left: 0, right: 10 });
    // 50 frames, 20 new ones, 50 frames
    let both = carried(from, to, 120, 30).expect("within the limits");
    let step = longest_step(&corrected(&still(120), &both));
    assert!(step < 0.025, "a step of {step} m");
}
