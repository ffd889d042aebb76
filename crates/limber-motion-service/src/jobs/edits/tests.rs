//! Tests of checking edits against their clips.

use limber_animation::{Clip, canonical_skeleton};

use super::*;

fn requested(change: RequestedChange, trim: [u64; 2]) -> RequestedEdit {
    let source = RequestedSource {
        param: "t2m_rid",
        rid: JobId::parse("0123456789abcdef").expect("an id"),
        variant: VariantId::FIRST,
        trim,
        corrections: None,
    };
    let joins = matches!(change, RequestedChange::Merge { .. } | RequestedChange::Overlap { .. });
    let second = joins.then(|| source.clone());
    RequestedEdit { param: "inPaintingRequest", first: source, second, change, script: None }
}

fn clip(frames: usize, file_frames: usize, file_fps: u16) -> SourceClip {
    let prompt = "a person walks".to_owned();
    let (corrections, skeleton) = (Corrections::default(), canonical_skeleton());
    let poses = vec![skeleton.rest_pose(); frames];
    let still = Clip::new(skeleton, CanonicalClip::FPS, poses).expect("it has frames");
    let (content, facings) = ("0".repeat(64), Facings::of(&still));
    SourceClip { content, prompt, facings, file_frames, file_fps, corrections }
}

fn painted(intervals: &[[f64; 2]], unit: Unit, clip: &SourceClip) -> Result<Edit, DoesNotFit> {
    let change = RequestedChange::Inpaint {
        prompt: "waves".to_owned(),
        intervals: intervals.to_vec(),
        unit,
    };
    requested(change, [0, 0]).fit(std::slice::from_ref(clip))
}

#[test]
fn intervals_are_in_frames_of_the_files_or_in_seconds() {
    let at_60 = clip(60, 120, 60);
    let by_frames = painted(&[[60.0, 120.0]], Unit::Frames, &at_60).expect("it fits");
    let by_seconds = painted(&[[1.0, 2.0]], Unit::Seconds, &at_60).expect("it fits");
    assert_eq!(by_frames, by_seconds);
    assert!((by_frames.generated_s() - 1.0).abs() < 1e-9);
    assert!(!by_frames.covers_all());
    let all = painted(&[[0.0, 25.0], [25.0, 49.0]], Unit::Frames, &clip(61, 49, 24));
    assert!(all.expect("49 frames at 24 are 61 at 30").covers_all());
}

#[test]
fn whole_numbers_take_the_unit_that_fits_and_frames_if_both_do() {
    let clip = clip(180, 180, 30);
    let read = |ends: [f64; 2], seconds_first: bool| {
        let (intervals, unit) = (vec![ends], Unit::Unsaid { seconds_first });
        let prompt = "waves".to_owned();
        let requested = requested(RequestedChange::Inpaint { prompt, intervals, unit }, [0, 0]);
        let note = requested.unit_note(std::slice::from_ref(&clip));
        let edit = requested.fit(std::slice::from_ref(&clip)).expect("it fits");
        let Change::Inpaint { intervals, .. } = edit.change else { panic!("it paints") };
        (intervals[0], note)
    };
    let note = |read_as| Some(Message::UnitGuessed { read_as });
    assert_eq!(read([40.0, 80.0], false), ([40, 80], None));
    assert_eq!(read([40.0, 80.0], true).0, [40, 80], "there are no 80 seconds");
    assert_eq!(read([1.0, 2.0], false), ([30, 60], note(IntervalUnit::Seconds)));
    assert_eq!(read([0.0, 5.0], false), ([0, 5], note(IntervalUnit::Frames)));
    assert_eq!(read([0.0, 5.0], true), ([0, 150], note(IntervalUnit::Seconds)));
}

#[test]
fn edits_that_do_not_fit_name_the_parameter() {
    let short = painted(&[[1.0, 3.0]], Unit::Frames, &clip(60, 60, 30)).expect_err("2 frames");
    assert!(short.message.contains("did you mean seconds?"), "{short:?}");
    let beyond = painted(&[[40.0, 61.0]], Unit::Frames, &clip(60, 60, 30)).expect_err("beyond");
    assert_eq!(beyond.param, "inPaintingRequest");
    let merge = RequestedChange::Merge { prompt: None, bridge_frames: 15 };
    let nothing = requested(merge.clone(), [30, 30]).fit(&[clip(60, 60, 30), clip(60, 60, 30)]);
    assert_eq!(nothing.expect_err("nothing is left").param, "editRequest");
    let long = requested(merge, [0, 0]).fit(&[clip(1700, 1700, 30), clip(90, 90, 30)]);
    assert!(long.expect_err("too long").message.contains("60.2 seconds"));
}

#[test]
fn only_new_frames_are_charged() {
    let clips = [clip(60, 60, 30), clip(90, 90, 30)];
    let merge = RequestedChange::Merge { prompt: None, bridge_frames: 15 };
    let edit = requested(merge, [0, 0]).fit(&clips).expect("it fits");
    assert!((edit.generated_s() - 0.5).abs() < 1e-9);
    assert_eq!(edit.frames(), 165);
    let refine = RequestedChange::Refine { prompt: None, creativity: 0.5 };
    let edit = requested(refine, [10, 5]).fit(&clips[..1]).expect("it fits");
    assert!((edit.generated_s() - 1.5).abs() < 1e-9);
    assert_eq!(
        requested(RequestedChange::Rerun, [0, 0]).fit(&clips[..1]).map(|e| e.generated_s()),
        Ok(0.0)
    );
}

#[test]
fn an_overlap_shortens_the_result_and_costs_only_new_frames() {
    let lap = |frames| requested(RequestedChange::Overlap { frames }, [10, 0]);
    let edit = lap(20).fit(&[clip(60, 60, 30), clip(90, 90, 30)]).expect("it fits");
    // the second source is trimmed like the first
    assert_eq!(edit.frames(), 50 + 80 - 20);
    assert!((edit.generated_s() - 20.0 / 30.0).abs() < 1e-9);
    let stored = serde_json::to_value(&edit).expect("it is stored");
    assert_eq!(serde_json::from_value::<Edit>(stored).expect("it reads"), edit);
    assert!(lap(50).fit(&[clip(60, 60, 30), clip(90, 90, 30)]).is_ok());
    let long = lap(51).fit(&[clip(60, 60, 30), clip(90, 90, 30)]).expect_err("too long");
    assert!(long.message.contains("overlapFrames is 51") && long.message.contains("has 50"));
}
