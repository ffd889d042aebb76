//! Edits of stored clips with the real engine.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, Pose, Side};
use limber_cleanup::{measure, seam, trim};
use limber_pipeline::{
    CanonicalClip, ClipEnds, End, ErrorCode, Message, Options, PipelineError, Script, Stage,
    canonical_from_bytes, canonical_to_bytes, derive,
    edits::{
        Creativity, InpaintRequest, Intervals, LoopRequest, LoopSettings, MergeRequest,
        RefineRequest, Trim, inpaint, make_loop, merge, refine,
    },
    make,
};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

use crate::{mannequin, request};

fn prompt(text: &str) -> Prompt {
    Prompt::parse(text).expect("it is a valid prompt")
}

fn kept(text: &str) -> CanonicalClip {
    make(&request(text, Options::default()), &Composer, &Cancel::default(), &mut |_| {})
        .expect("it works")
}

fn painting(text: &str, interval: Range<usize>, frames: usize) -> InpaintRequest {
    InpaintRequest {
        prompt: prompt(text),
        script: None,
        intervals: Intervals::new([interval], frames).expect("it is valid"),
        trim: Trim::default(),
        seed: Seed(3),
        variant: 1,
    }
}

fn joining(text: Option<&str>) -> MergeRequest {
    MergeRequest {
        prompt: text.map(prompt),
        script: None,
        trim_first: Trim { left: 0, right: 20 },
        trim_second: Trim { left: 5, right: 0 },
        bridge_frames: 20,
        seed: Seed(3),
        variant: 1,
    }
}

fn at(clip: &Clip, bone: HumanBone, frame: usize) -> glam::Vec3 {
    let joint = clip.skeleton().find(bone).expect("a canonical bone");
    clip.skeleton().world(&clip.frames()[frame]).position(joint)
}

#[test]
fn regenerating_a_gesture_in_a_walk_changes_only_the_marked_part() {
    let source = kept("a person walks forward");
    let interval = 40..80;
    let request = painting("a person waves with the right hand", interval.clone(), 120);
    let painted = inpaint(&source, &request, &Composer, &Cancel::default(), &mut |_| {})
        .expect("it can be regenerated");
    assert_eq!(painted.clip.len(), 120);
    for frame in (0..120).filter(|frame| !interval.contains(frame)) {
        assert_eq!(source.clip.frames()[frame], painted.clip.frames()[frame], "{frame}");
    }
    for edge in [40, 80] {
        let ratio = seam(&painted.clip, edge).ratio;
        assert!(ratio <= 1.2, "{ratio} at {edge}");
    }
    let highest =
        interval.map(|frame| at(&painted.clip, HumanBone::RightHand, frame).y).fold(0.0, f32::max);
    assert!(highest > 1.3, "the hand is raised to {highest} m");
}

/// Returns the clip in the files derived from a canonical clip.
fn files(clip: &CanonicalClip) -> Clip {
    derive(clip, mannequin(), 1, &Options::default(), &Cancel::default(), &mut |_| {})
        .expect("it works")
        .clip
}

/// Asserts that a pose is the same in both files, within the precision of files.
fn assert_same(a: &Pose, b: &Pose, frame: usize) {
    let apart = a.hips_translation.distance(b.hips_translation);
    assert!(apart < 1e-4, "{apart} m in frame {frame}");
    for (a, b) in a.rotations.iter().zip(&b.rotations) {
        // the dot product cannot resolve angles as small as these
        let turn = 2.0 * (a.inverse() * *b).xyz().length().min(1.0).asin();
        assert!(turn < 1e-4, "{turn} rad in frame {frame}");
    }
}

#[test]
fn files_are_unchanged_outside_a_regenerated_part() {
    let source = kept("a person walks forward");
    let cancel = Cancel::default();
    let mut request = painting("a person waves with the right hand", 40..80, 120);
    let painted = inpaint(&source, &request, &Composer, &cancel, &mut |_| {}).expect("it works");
    request = painting("a person jumps", 60..100, 120);
    request.trim = Trim { left: 10, right: 5 };
    let again = inpaint(&painted, &request, &Composer, &cancel, &mut |_| {}).expect("it works");
    let bytes = canonical_to_bytes(&again).expect("it can be stored");
    let again = files(&canonical_from_bytes(&bytes).expect("it was kept"));
    let [source, painted] = [source, painted].map(|clip| files(&clip));
    for frame in (0..120).filter(|frame| !(40..80).contains(frame)) {
        assert_same(&source.frames()[frame], &painted.frames()[frame], frame);
    }
    for frame in (10..115).filter(|frame| !(60..100).contains(frame)) {
        assert_same(&painted.frames()[frame], &again.frames()[frame - 10], frame);
    }
    for edge in [40, 80] {
        let ratio = seam(&painted, edge).ratio;
        assert!(ratio <= 1.2, "{ratio} at {edge}");
    }
}

#[test]
fn files_of_a_merge_keep_both_parts_except_for_a_shift_on_the_floor() {
    let (walk, wave) = (kept("a person walks forward"), kept("a person waves"));
    let cancel = Cancel::default();
    let merged = merge(&walk, &wave, &joining(None), &Composer, &cancel, &mut |_| {});
    let merged = files(&merged.expect("they can be joined"));
    let [walk, wave] = [walk, wave].map(|clip| files(&clip));
    for frame in 0..100 {
        assert_same(&walk.frames()[frame], &merged.frames()[frame], frame);
    }
    let hips = wave.skeleton().hips();
    for frame in 0..115 {
        let [mut there, mut here] =
            [&wave.frames()[5 + frame], &merged.frames()[120 + frame]].map(Clone::clone);
        let rise = there.hips_translation.y - here.hips_translation.y;
        assert!(rise.abs() < 1e-4, "{rise} m in frame {frame}");
        for pose in [&mut there, &mut here] {
            pose.hips_translation = Vec3::ZERO;
            pose.set_rotation(hips, Quat::IDENTITY);
        }
        assert_same(&there, &here, frame);
    }
}

#[test]
fn a_walk_and_a_wave_are_joined_without_foot_skating() {
    let (walk, wave) = (kept("a person walks forward"), kept("a person waves"));
    for text in [None, Some("a person turns left")] {
        let merged =
            merge(&walk, &wave, &joining(text), &Composer, &Cancel::default(), &mut |_| {});
        let merged = merged.expect("they can be joined");
        assert_eq!(merged.clip.len(), 100 + 20 + 115);
        let bridge = trim(&merged.clip, Trim { left: 99, right: 114 }).expect("frames are left");
        let feet = measure(&bridge);
        assert!(feet.foot_skate_cm_s < 0.5 && feet.penetration_mm < 8.0, "{feet:?}");
        assert!(merged.meta.prompt.contains("walks") && merged.meta.prompt.contains("waves"));
    }
}

#[test]
fn a_walk_loops_and_travels() {
    let source = kept("a person walks forward");
    let settings = LoopSettings { repetitions: 2, ..LoopSettings::default() };
    let trim = Trim { left: 40, right: 40 };
    let request =
        LoopRequest { prompt: None, script: None, trim, settings, seed: Seed(1), variant: 1 };
    let looped = make_loop(&source, &request, &Composer, &Cancel::default(), &mut |_| {})
        .expect("it can loop");
    assert_eq!(looped.clip.len(), 2 * (40 + 15));
    let way = at(&looped.clip, HumanBone::Hips, 55) - at(&looped.clip, HumanBone::Hips, 0);
    assert!(way.z > 1.0, "{way}");
    let ratio = seam(&looped.clip, 55).ratio;
    assert!(ratio <= 1.2, "{ratio}");
}

#[test]
fn refining_changes_as_much_as_requested() {
    let source = kept("a person walks forward");
    let apart = |amount: f32| {
        let creativity = Creativity::new(amount).expect("it is between 0 and 1");
        let request = RefineRequest {
            prompt: None,
            script: None,
            ends: ClipEnds::default(),
            trim: Trim::default(),
            creativity,
            seed: Seed(99),
            variant: 1,
        };
        let refined = refine(&source, &request, &Composer, &Cancel::default(), &mut |_| {})
            .expect("it can be refined");
        let (a, b) = (source.clip.world_positions(), refined.clip.world_positions());
        let apart = |a: &Vec<glam::Vec3>, b: &Vec<glam::Vec3>| {
            a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum::<f32>() / a.len() as f32
        };
        a.iter().zip(&b).map(|(a, b)| apart(a, b)).sum::<f32>() / a.len() as f32
    };
    let (near, far) = (apart(0.0), apart(1.0));
    assert!(near > 1e-4 && near < 0.02 && near < far, "{near} m and {far} m");
}

#[test]
fn impossible_edits_are_502_and_cancelling_stops_edits() {
    let source = kept("a person walks forward");
    let mut beyond = painting("a person waves", 40..80, 120);
    beyond.trim = Trim { left: 90, right: 0 };
    let mut long = joining(None);
    long.bridge_frames = 5_000;
    let cancel = Cancel::default();
    let never = LoopSettings { repetitions: 0, ..LoopSettings::default() };
    let never = LoopRequest {
        prompt: None,
        script: None,
        trim: Trim::default(),
        settings: never,
        seed: Seed(1),
        variant: 1,
    };
    let unknown = painting("a person photosynthesises", 40..80, 120);
    let results = [
        inpaint(&source, &beyond, &Composer, &cancel, &mut |_| {}),
        inpaint(&source, &unknown, &Composer, &cancel, &mut |_| {}),
        merge(&source, &source, &long, &Composer, &cancel, &mut |_| {}),
        make_loop(&source, &never, &Composer, &cancel, &mut |_| {}),
    ];
    for result in results {
        match result {
            Err(PipelineError::Failed(failure)) => {
                assert_eq!(failure.code, ErrorCode::GENERATE_PARAMETERS, "{failure}");
                assert!(!failure.retryable && failure.to_string().len() > 30, "{failure}");
            }
            other => panic!("it should fail: {other:?}"),
        }
    }
    let request = painting("a person waves", 20..110, 120);
    let result = inpaint(&source, &request, &Composer, &cancel, &mut |progress| {
        if progress.stage == Stage::Generate {
            cancel.cancel();
        }
    });
    assert_eq!(result, Err(PipelineError::Cancelled));
}

#[test]
fn a_script_is_performed_in_new_frames_with_the_prompt_as_title() {
    let (walk, cancel) = (kept("a person walks forward"), Cancel::default());
    let json = r#"{"version": 2, "events": [{"do": "wave", "side": "left", "prop": "flag"}]}"#;
    let wave = Script::from_json(json).expect("it is a script");
    let said = painting("a person waves with the left hand", 40..80, 120);
    let mut scripted = painting("parade, second part", 40..80, 120);
    scripted.script = Some(wave.clone());
    let [said, scripted] = [said, scripted].map(|request| {
        inpaint(&walk, &request, &Composer, &cancel, &mut |_| {}).expect("it waves")
    });
    assert_eq!(said.clip, scripted.clip);
    assert_eq!(scripted.meta.prompt, "parade, second part");
    let tells_of_the_flag = |warnings: &[Message]| {
        let (field, action) = ("prop".to_owned(), Some("wave".to_owned()));
        warnings.contains(&Message::LeftOut { event: Some(0), field, action })
    };
    assert!(tells_of_the_flag(&scripted.meta.warnings), "{:?}", scripted.meta.warnings);

    let mut bridge = joining(Some("parade"));
    bridge.script = Some(wave.clone());
    let merged = merge(&walk, &walk, &bridge, &Composer, &cancel, &mut |_| {});
    assert!(tells_of_the_flag(&merged.expect("it waves in between").meta.warnings));
    let round = LoopRequest {
        prompt: Some(prompt("parade")),
        script: Some(wave.clone()),
        trim: Trim::default(),
        settings: LoopSettings::default(),
        seed: Seed(3),
        variant: 1,
    };
    let looped = make_loop(&walk, &round, &Composer, &cancel, &mut |_| {});
    assert!(tells_of_the_flag(&looped.expect("it waves on the way back").meta.warnings));
    let other = RefineRequest {
        prompt: None,
        script: Some(wave),
        ends: ClipEnds::default(),
        trim: Trim::default(),
        creativity: Creativity::new(1.0).expect("it is between 0 and 1"),
        seed: Seed(3),
        variant: 1,
    };
    let refined = refine(&walk, &other, &Composer, &cancel, &mut |_| {});
    assert!(tells_of_the_flag(&refined.expect("it waves instead").meta.warnings));
}

#[test]
fn a_refined_clip_keeps_the_requested_end() {
    let source = kept("a person salutes");
    let hands_m = |end: Option<End>| {
        let request = RefineRequest {
            prompt: None,
            script: None,
            ends: ClipEnds { end, ..ClipEnds::default() },
            trim: Trim::default(),
            creativity: Creativity::new(1.0).expect("it is between 0 and 1"),
            seed: Seed(3),
            variant: 1,
        };
        let refined = refine(&source, &request, &Composer, &Cancel::default(), &mut |_| {});
        let clip = refined.expect("it can be refined").clip;
        let hands = [HumanBone::LeftHand, HumanBone::RightHand];
        hands.map(|hand| at(&clip, hand, clip.len() - 1).y).into_iter().fold(0.0, f32::max)
    };
    let (down_m, up_m) = (hands_m(None), hands_m(Some(End::Hold)));
    assert!(up_m > down_m + 0.3, "{down_m} m and {up_m} m above the floor");
}

#[test]
fn a_step_is_lifted_where_a_walker_stops() {
    let (walk, bow) = (kept("a person walks forward"), kept("a person bows"));
    let merged = merge(&walk, &bow, &joining(None), &Composer, &Cancel::default(), &mut |_| {})
        .expect("they can be joined");
    let contacts = merged.clip.contacts().expect("it has contacts");
    let lifted =
        (100..120).any(|frame| Side::BOTH.into_iter().any(|side| !contacts[frame].foot(side)));
    assert!(lifted);
}
