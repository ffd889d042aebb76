//! How well parts of real clips loop.

use limber_animation::Clip;
use limber_pipeline::{
    CanonicalClip, LoopMeter, Options,
    edits::{LoopRequest, LoopSettings, Trim, make_loop, rerun},
    loop_gap_deg, make,
};
use limber_text_to_motion::{Cancel, Composer, Seed};

use crate::request;

fn kept(text: &str) -> CanonicalClip {
    make(&request(text, Options::default()), &Composer, &Cancel::default(), &mut |_| {})
        .expect("it works")
}

#[test]
fn a_part_measures_like_the_clip_trimmed_to_it() {
    let clip = kept("a person walks forward");
    let frames = clip.clip.len();
    let meter = LoopMeter::new(clip.clone());
    for trim in [Trim::default(), Trim { left: 11, right: 23 }, Trim { left: 0, right: 1 }] {
        let part = trim.left..frames - trim.right;
        let cut = loop_gap_deg(&rerun(&clip, trim).expect("it can be cut"));
        assert_eq!(meter.gap(&part).map(|gap| gap.pose_deg), Some(cut), "{part:?}");
    }
}

#[test]
fn equal_poses_with_opposite_speeds_are_distinguished() {
    let clip = kept("a person walks forward");
    // it stops before it turns, so that only the seam turns abruptly
    let mut frames = clip.clip.frames()[30..60].to_vec();
    frames.extend([60, 60, 60].map(|_| clip.clip.frames()[60].clone()));
    frames.extend(clip.clip.frames()[30..60].iter().rev().cloned());
    let there_and_back =
        Clip::new(clip.clip.skeleton().clone(), clip.clip.fps(), frames).expect("it is a clip");
    let meter = LoopMeter::new(CanonicalClip { clip: there_and_back, ..clip });
    let gap = meter.gap(&(0..63)).expect("there are frames");
    assert!(gap.pose_deg < 0.1, "{gap:?}");
    assert!(gap.speed_cm_s > 1.2 * gap.usual_cm_s, "{gap:?}");
}

#[test]
fn a_looped_clip_closes_better_without_a_jolt() {
    let request = LoopRequest {
        prompt: None,
        script: None,
        trim: Trim { left: 10, right: 7 },
        settings: LoopSettings { repetitions: 1, ..LoopSettings::default() },
        seed: Seed(3),
        variant: 1,
    };
    let open = kept("a person walks forward");
    let round = make_loop(&open, &request, &Composer, &Cancel::default(), &mut |_| {});
    let (before, after) = (LoopMeter::new(open), LoopMeter::new(round.expect("it can loop")));
    let closed = after.gap(&(0..after.frames())).expect("there are frames");
    let apart = before.gap(&(10..before.frames() - 7)).expect("there are frames");
    assert!(closed.pose_deg < apart.pose_deg, "{closed:?}, before {apart:?}");
    assert!(closed.speed_cm_s <= closed.usual_cm_s, "{closed:?}");
}

#[test]
fn a_better_loop_end_is_suggested_for_any_trim() {
    let meter = LoopMeter::new(kept("a person walks forward"));
    let mut led = 0;
    for end in 60..90 {
        let part = 20..end;
        let now = meter.gap(&part).expect("there are frames");
        if let Some(better) = meter.better_end(&part, 20) {
            let then = meter.gap(&(20..better)).expect("there are frames");
            assert!(better.abs_diff(end) <= 20 && better != end);
            assert!(
                then.pose_deg < now.pose_deg || then.speed_cm_s < now.speed_cm_s,
                "{now:?} at {end} became {then:?} at {better}"
            );
            led += 1;
        }
    }
    assert!(led > 15, "only {led} of 30 ends were led elsewhere");
}

#[test]
fn empty_parts_are_not_measured() {
    let meter = LoopMeter::new(kept("a person nods"));
    let frames = meter.frames();
    for part in [0..0, 5..6, 0..frames + 1, frames..frames + 2] {
        assert_eq!(meter.gap(&part), None, "{part:?}");
        assert_eq!(meter.better_end(&part, 10), None, "{part:?}");
    }
    assert_eq!(meter.better_end(&(0..frames), 0), None);
}
