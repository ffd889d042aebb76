//! Guarantees of edits, tested on random clips.

mod clips;
mod corrections;
#[path = "../feet/gait.rs"]
#[expect(dead_code, reason = "the tests of feet use more of it")]
mod gait;

use std::ops::Range;

use clips::{any_clip, gesture, squat};
use gait::{Walk, walk};
use limber_animation::{Clip, Fps, HumanBone, Side};
use limber_cleanup::{
    Creativity, EditError, GroundMove, Intervals, LoopSettings, RootMode, Trim, inpaint, loop_seam,
    make_loop, measure, merge, overlap, refine, seam, trim,
};
use proptest::prelude::*;

const SEAM: f32 = 1.2;

/// Whether poses and contacts are the same, bit for bit.
fn same(a: &Clip, b: &Clip, mut frames: impl Iterator<Item = (usize, usize)>) -> bool {
    let bits = |clip: &Clip, frame: usize| -> Vec<u32> {
        let pose = &clip.frames()[frame];
        let turns = pose.rotations.iter().flat_map(|turn| turn.to_array());
        pose.hips_translation.to_array().into_iter().chain(turns).map(f32::to_bits).collect()
    };
    let contacts = |clip: &Clip, frame: usize| clip.contacts().map(|track| track[frame]);
    frames.all(|(x, y)| bits(a, x) == bits(b, y) && contacts(a, x) == contacts(b, y))
}

fn finite(clip: &Clip) -> bool {
    clip.frames().iter().all(limber_animation::Pose::is_finite)
}

/// Mean and maximum speed of standing feet over some frames and their neighbours, cm/s.
fn slide(clip: &Clip, frames: Range<usize>) -> (f32, f32) {
    let left = frames.start.saturating_sub(1);
    let right = clip.len() - (frames.end + 1).min(clip.len());
    let part = measure(&trim(clip, Trim { left, right }).expect("frames are left"));
    (part.foot_skate_cm_s, part.foot_skate_max_cm_s)
}

fn config() -> ProptestConfig {
    ProptestConfig::with_cases(200)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn regenerating_changes_nothing_outside_and_joins_both_ends(
        source in any_clip(), fresh in any_clip(), start in 0.0f32..0.9, length in 4usize..60,
    ) {
        let start = ((source.len() as f32 * start) as usize).min(source.len() - 4);
        let hole = start..(start + length).min(source.len());
        let intervals = Intervals::new([hole.clone()], source.len()).expect("it is valid");
        let painted = inpaint(&source, &intervals, std::slice::from_ref(&fresh)).expect("it can be \
            regenerated");
        prop_assert_eq!(painted.len(), source.len());
        prop_assert!(finite(&painted));
        let outside = (0..source.len()).filter(|frame| !hole.contains(frame));
        prop_assert!(same(&source, &painted, outside.map(|frame| (frame, frame))));
        let smooth = |frame: usize| seam(&painted, frame).ratio;
        if hole.len() < source.len() {
            prop_assert!(hole.start == 0 || smooth(hole.start) <= SEAM, "{}", smooth(hole.start));
            prop_assert!(
                hole.end == source.len() || smooth(hole.end) <= SEAM, "{}", smooth(hole.end)
            );
        }
    }

    #[test]
    fn planted_feet_in_a_regenerated_part_do_not_slide(
        source in any_clip(), fresh in any_clip(), start in 0.0f32..0.8, length in 8usize..60,
    ) {
        let start = ((source.len() as f32 * start) as usize).min(source.len() - 8);
        let hole = start..(start + length).min(source.len());
        let intervals = Intervals::new([hole.clone()], source.len()).expect("it is valid");
        let before = slide(&source, hole.clone());
        let painted = inpaint(&source, &intervals, std::slice::from_ref(&fresh)).expect("it can be \
            regenerated");
        let (mean, most) = slide(&painted, hole.clone());
        // legs that were kept slide as much as before
        let kept = source.frames()[hole.start].hips_translation
            == painted.frames()[hole.start].hips_translation;
        prop_assert!(kept || mean <= 0.5, "{mean} cm/s, before {before:?}");
        prop_assert!(most <= 4.0f32.max(before.1), "{most} cm/s, before {before:?}");
    }

    #[test]
    fn merging_keeps_both_clips_and_joins_them_smoothly(
        a in any_clip(), b in any_clip(), fresh in any_clip(), frames in 3usize..60,
        with_action in any::<bool>(),
    ) {
        let material = with_action.then_some(&*fresh);
        let merged = merge(&a, &b, frames, material).expect("they can be merged");
        prop_assert_eq!(merged.clip.len(), a.len() + frames + b.len());
        prop_assert_eq!(&merged.bridge, &(a.len()..a.len() + frames));
        prop_assert!(finite(&merged.clip));
        prop_assert!(same(&a, &merged.clip, (0..a.len()).map(|frame| (frame, frame))));
        let moved = merged.moved.clip(&b);
        let shift = merged.bridge.end;
        prop_assert!(same(&moved, &merged.clip, (0..b.len()).map(|frame| (frame, frame + shift))));
        for (before, after) in b.frames().iter().zip(moved.frames()) {
            let rise = after.hips_translation.y - before.hips_translation.y;
            prop_assert!(rise.abs() < 1e-5);
        }
        for frame in [merged.bridge.start, merged.bridge.end] {
            let ratio = seam(&merged.clip, frame).ratio;
            prop_assert!(ratio <= SEAM, "{ratio} at {frame} of {:?}", merged.bridge);
        }
        let (mean, most) = slide(&merged.clip, merged.bridge.clone());
        prop_assert!(mean <= 0.5 && most <= 4.0, "{mean} and {most} cm/s");
    }

    #[test]
    fn overlapping_clips_blend_smoothly_and_keep_the_rest(
        a in any_clip(), b in any_clip(), frames in 4usize..40,
    ) {
        let frames = frames.min(a.len()).min(b.len());
        let merged = overlap(&a, &b, frames).expect("they can overlap");
        let (begins, ends) = (a.len() - frames, a.len());
        prop_assert_eq!(merged.clip.len(), a.len() + b.len() - frames);
        prop_assert_eq!(&merged.bridge, &(begins..ends));
        prop_assert!(finite(&merged.clip));
        prop_assert!(same(&a, &merged.clip, (0..begins).map(|frame| (frame, frame))));
        let moved = merged.moved.clip(&b);
        let behind = (frames..b.len()).map(|frame| (frame, frame + begins));
        prop_assert!(same(&moved, &merged.clip, behind));
        for frame in [begins, ends] {
            let outside = frame == 0 || frame == merged.clip.len();
            let ratio = if outside { 0.0 } else { seam(&merged.clip, frame).ratio };
            prop_assert!(ratio <= SEAM, "{ratio} at {frame} of {:?}", merged.bridge);
        }
        let (mean, most) = slide(&merged.clip, merged.bridge.clone());
        prop_assert!(mean <= 0.5 && most <= 4.0, "{mean} and {most} cm/s");
    }

    #[test]
    fn loops_repeat_without_a_jolt(
        clip in any_clip(), fresh in any_clip(), frames in 12usize..40, repetitions in 1u32..4,
        with_action in any::<bool>(), fix in any::<[bool; 4]>(), locked in any::<bool>(),
    ) {
        let settings = LoopSettings {
            repetitions,
            blend_frames: frames,
            root_mode: if locked { RootMode::Locked } else { RootMode::Interpolation },
            fix_altitude: fix[0],
            fix_horizontal: fix[1],
            fix_orientation: fix[2],
            across_all: fix[3],
        };
        let material = with_action.then_some(&*fresh);
        let looped = make_loop(&clip, &settings, material).expect("it can loop");
        prop_assert_eq!(looped.period, clip.len() + frames);
        prop_assert_eq!(looped.clip.len(), looped.period * repetitions as usize);
        prop_assert!(finite(&looped.clip));
        let right = looped.clip.len() - looped.period;
        let round = trim(&looped.clip, Trim { left: 0, right }).expect("a round is left");
        if !fix[3] {
            prop_assert!(same(&clip, &round, (0..clip.len()).map(|frame| (frame, frame))));
        }
        let end = loop_seam(&round, looped.travel);
        prop_assert!(end.turn_deg <= 1.0 && end.hips_cm_s <= 2.0, "{end:?}");
        let begin = seam(&round, clip.len());
        prop_assert!(begin.ratio <= SEAM && end.ratio <= SEAM, "{begin:?} {end:?}");
        if fix[1] {
            let first = clip.frames()[0].hips_translation;
            let way = looped.travel.point(first) - first;
            prop_assert!(way.x.hypot(way.z) < 1e-3, "{way}");
        }
        if fix[2] {
            prop_assert_eq!(looped.travel.yaw_rad, 0.0);
        }
    }

    #[test]
    fn a_refined_clip_stays_within_its_bound(
        source in any_clip(), fresh in any_clip(), amount in 0.0f32..1.0,
    ) {
        let creativity = Creativity::new(amount).expect("it is between 0 and 1");
        let refined = refine(&source, &fresh, creativity).expect("it can be refined");
        prop_assert_eq!(refined.len(), source.len());
        prop_assert!(finite(&refined));
        let (a, b) = (source.world_positions(), refined.world_positions());
        let apart: f32 = a
            .iter()
            .zip(&b)
            .map(|(a, b)| {
                a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum::<f32>() / a.len() as f32
            })
            .sum::<f32>() / a.len() as f32;
        prop_assert!(apart <= creativity.bound_m(), "{apart} m, {}", creativity.bound_m());
    }

    #[test]
    fn trimming_keeps_the_rest_bit_identical(
        clip in any_clip(), left in 0usize..80, right in 0usize..80,
    ) {
        let by = Trim { left, right };
        match trim(&clip, by) {
            Ok(cut) => {
                prop_assert_eq!(cut.len() + left + right, clip.len());
                prop_assert!(same(&clip, &cut, (0..cut.len()).map(|frame| (frame + left, frame))));
            }
            Err(error) => {
                prop_assert!(left + right >= clip.len());
                let nothing = EditError::NothingLeft { left, right, frames: clip.len() };
                prop_assert_eq!(error, nothing);
            }
        }
    }
}

fn at(clip: &Clip, bone: HumanBone, frame: usize) -> glam::Vec3 {
    let joint = clip.skeleton().find(bone).expect("a canonical bone");
    clip.skeleton().world(&clip.frames()[frame]).position(joint)
}

#[test]
fn waving_does_not_stop_a_walk() {
    let source = walk(&Walk { contacts: true, ..Walk::default() });
    let hole = 30..90;
    let intervals = Intervals::new([hole.clone()], source.len()).expect("it is valid");
    let wave = gesture(60, 1.0, 1.0);
    let painted = inpaint(&source, &intervals, &[wave]).expect("it can be regenerated");
    for frame in hole {
        for bone in [HumanBone::Hips, HumanBone::LeftFoot, HumanBone::RightToes] {
            assert_eq!(at(&source, bone, frame), at(&painted, bone, frame), "{bone:?}");
        }
    }
    let hand = at(&painted, HumanBone::RightHand, 60) - at(&source, HumanBone::RightHand, 60);
    assert!(hand.length() > 0.2, "{hand}");
}

#[test]
fn a_walk_into_standing_ends_with_feet_together() {
    let a = walk(&Walk { contacts: true, speed_m_s: 1.2, ..Walk::default() });
    let merged = merge(&a, &gesture(60, 0.5, 1.0), 20, None).expect("they can be merged");
    let way = at(&merged.clip, HumanBone::Hips, merged.bridge.end)
        - at(&merged.clip, HumanBone::Hips, a.len() - 1);
    assert!((0.1..0.7).contains(&way.z), "{way}");
    let lifted = Side::BOTH.into_iter().any(|side| {
        merged
            .bridge
            .clone()
            .any(|frame| !merged.clip.contacts().expect("it has contacts")[frame].foot(side))
    });
    assert!(lifted, "a walk does not stop without a step");
    for frame in merged.bridge {
        assert!(measure(&merged.clip).penetration_mm < 5.0, "{frame}");
    }
}

#[test]
fn clips_are_resampled_to_the_first_ones_rate() {
    let a = gesture(30, 1.0, 1.0);
    let b = squat(60, 0.2, 0.5).resampled(Fps::new(60).expect("a rate"));
    let merged = merge(&a, &b, 15, None).expect("they can be merged");
    assert_eq!((merged.clip.fps(), merged.clip.len()), (Fps::DEFAULT, 30 + 15 + 60));
}

#[test]
fn regenerating_a_whole_clip_starts_at_its_start() {
    let source = GroundMove { yaw_rad: 1.0, offset: glam::Vec3::new(3.0, 0.0, 1.0) }
        .clip(&gesture(60, 0.5, 1.0));
    let all = Intervals::new(std::iter::once(0..60), 60).expect("it is valid");
    let fresh = walk(&Walk { contacts: true, ..Walk::default() });
    let painted = inpaint(&source, &all, &[fresh]).expect("it can be regenerated");
    let apart = at(&painted, HumanBone::Hips, 0) - at(&source, HumanBone::Hips, 0);
    assert!(apart.x.hypot(apart.z) < 1e-4, "{apart}");
}

#[test]
fn an_in_place_walk_slides_back_at_constant_speed() {
    let clip = walk(&Walk { contacts: true, speed_m_s: 1.2, ..Walk::default() });
    let settings = LoopSettings {
        fix_horizontal: true,
        fix_orientation: true,
        across_all: true,
        ..LoopSettings::default()
    };
    let looped = make_loop(&clip, &settings, None).expect("it can loop");
    assert_eq!(looped.travel, GroundMove::NONE);
    for frame in 0..looped.clip.len() {
        let hips = at(&looped.clip, HumanBone::Hips, frame);
        assert!(hips.x.hypot(hips.z) < 0.35, "{hips} in frame {frame}");
    }
}

#[test]
fn invalid_requests_say_what_is_wrong() {
    let clip = gesture(60, 1.0, 1.0);
    let intervals = Intervals::new(std::iter::once(10..20), 60).expect("they are valid");
    let short = trim(&clip, Trim { left: 0, right: 5 }).expect("frames are left");
    let errors = [
        inpaint(&short, &intervals, std::slice::from_ref(&clip)).expect_err("a different length"),
        inpaint(&clip, &intervals, &[]).expect_err("no material"),
        merge(&clip, &clip, 1, None).expect_err("no bridge"),
        merge(&clip, &clip, 20_000, None).expect_err("too long"),
        make_loop(&clip, &LoopSettings { repetitions: 0, ..LoopSettings::default() }, None)
            .expect_err("never"),
        make_loop(&clip, &LoopSettings { repetitions: 9_000, ..LoopSettings::default() }, None)
            .expect_err("too long"),
        Creativity::new(f32::NAN).expect_err("no number"),
        Creativity::new(1.01).expect_err("too much"),
    ];
    for error in errors {
        assert!(error.to_string().len() > 25, "{error}");
    }
}
