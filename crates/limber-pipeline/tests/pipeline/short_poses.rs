//! Short motions without the message that only their beginning fits reach the pose that was
//! requested.

use std::ops::Range;

use limber_animation::{Clip, HumanBone};
use limber_pipeline::{
    CanonicalClip, Message, Request,
    edits::{InpaintRequest, Intervals, MergeRequest, Trim, inpaint, merge},
    make,
};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

/// Prompts, and the bones that show how far the pose is reached: all of them rise (1), or sink
/// (-1).
const POSES: [(&str, &[HumanBone], f32); 7] = [
    ("a person waves with the right hand", &[HumanBone::RightHand], 1.0),
    ("a person raises both arms", &[HumanBone::LeftHand, HumanBone::RightHand], 1.0),
    ("a person sits down", &[HumanBone::Hips], -1.0),
    ("a person crouches", &[HumanBone::Hips], -1.0),
    ("a person bows", &[HumanBone::Head], -1.0),
    ("a person kicks with the left leg", &[HumanBone::LeftFoot], 1.0),
    ("a person jumps", &[HumanBone::LeftFoot, HumanBone::RightFoot], 1.0),
];
const DURATIONS_S: [f32; 6] = [0.3, 0.5, 0.7, 1.0, 1.5, 2.0];
/// Least share of the way to the pose of a clip of the usual length. Another variation of the
/// performer may be tried in a short clip, and it moves a little less or more.
const LEAST_SHARE: f32 = 0.6;
/// A pose is at least this far from standing, in metres.
const FAR_M: f32 = 0.1;
const WALK_FRAMES: usize = 120;

fn prompt(say: &str) -> Prompt {
    Prompt::parse(say).expect("it is a valid prompt")
}

fn made(say: &str, duration_s: Option<f32>, seed: u64) -> CanonicalClip {
    let request = Request { duration_s, ..Request::new(prompt(say), Seed(seed)) };
    make(&request, &Composer, &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{say} in {duration_s:?} s, seed {seed}: {error}"))
}

fn is_only_begun(made: &CanonicalClip) -> bool {
    made.meta.warnings.iter().any(|told| matches!(told, Message::OnlyBeginning { .. }))
}

/// Returns how far all of these bones have moved up (`way` 1) or down (-1) since the beginning of
/// the clip, in metres, where that is farthest.
fn reached_m(clip: &Clip, frames: Range<usize>, bones: &[HumanBone], way: f32) -> f32 {
    let find = |bone: &HumanBone| clip.skeleton().find(*bone).expect("the skeleton has it").get();
    let joints: Vec<usize> = bones.iter().map(find).collect();
    let places = clip.world_positions();
    let moved = |frame: usize| {
        let each = joints.iter().map(|joint| places[frame][*joint].y - places[0][*joint].y);
        each.map(|rise| way * rise).fold(f32::INFINITY, f32::min)
    };
    frames.map(moved).fold(0.0, f32::max)
}

fn whole_reach_m(clip: &CanonicalClip, bones: &[HumanBone], way: f32) -> f32 {
    reached_m(&clip.clip, 0..clip.clip.len(), bones, way)
}

#[test]
fn short_clips_without_a_message_reach_their_pose() {
    let mut faults = Vec::new();
    for (say, bones, way) in POSES {
        let mut complete = 0;
        for seed in 1..4 {
            let usual_m = whole_reach_m(&made(say, None, seed), bones, way);
            assert!(usual_m > FAR_M, "{say}, seed {seed}: {usual_m} m");
            for duration_s in DURATIONS_S {
                let short = made(say, Some(duration_s), seed);
                if is_only_begun(&short) {
                    continue;
                }
                complete += 1;
                let share = whole_reach_m(&short, bones, way) / usual_m;
                if share < LEAST_SHARE {
                    faults.push(format!("{say} in {duration_s} s, seed {seed}: {share}"));
                }
            }
        }
        assert!(complete > 0, "every message says that only the beginning of `{say}` fits");
    }
    assert_eq!(faults, Vec::<String>::new());
}

/// Returns a walk in which these frames are regenerated.
fn painted(walk: &CanonicalClip, say: &str, hole: &Range<usize>) -> CanonicalClip {
    let request = InpaintRequest {
        prompt: prompt(say),
        script: None,
        intervals: Intervals::new([hole.clone()], WALK_FRAMES).expect("it is valid"),
        trim: Trim::default(),
        seed: Seed(1),
        variant: 1,
    };
    inpaint(walk, &request, &Composer, &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{say} in {hole:?}: {error}"))
}

/// Returns two walks with this many new frames in between.
fn joined(walk: &CanonicalClip, say: &str, frames: usize) -> CanonicalClip {
    let request = MergeRequest {
        prompt: Some(prompt(say)),
        script: None,
        trim_first: Trim::default(),
        trim_second: Trim::default(),
        bridge_frames: frames,
        seed: Seed(1),
        variant: 1,
    };
    merge(walk, walk, &request, &Composer, &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{say} for {frames} frames: {error}"))
}

/// The hands of a walk stay low, so that whatever raises them is the new movement.
#[test]
fn short_edits_without_a_message_reach_their_pose() {
    let walk = made("a person walks forward", Some(4.0), 7);
    assert_eq!(walk.clip.len(), WALK_FRAMES);
    let mut faults = Vec::new();
    for (say, bones, way) in &POSES[..2] {
        let usual_m = whole_reach_m(&made(say, None, 1), bones, *way);
        let mut complete = [0, 0];
        for frames in [15, 30, 45, 60] {
            let hole = 50..50 + frames;
            let bridge = WALK_FRAMES..WALK_FRAMES + frames;
            let edits = [(painted(&walk, say, &hole), hole), (joined(&walk, say, frames), bridge)];
            for (place, (edit, new)) in edits.into_iter().enumerate() {
                if is_only_begun(&edit) {
                    continue;
                }
                complete[place] += 1;
                let share = reached_m(&edit.clip, new.clone(), bones, *way) / usual_m;
                if share < LEAST_SHARE {
                    faults.push(format!("{say} in {new:?} of {}: {share}", edit.clip.len()));
                }
            }
        }
        assert!(complete.iter().all(|count| *count > 0), "{say}: {complete:?}");
    }
    assert_eq!(faults, Vec::<String>::new());
}
