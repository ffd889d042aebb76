//! The guarantees of edits, over many generated clips. This runs all of them and prints the worst
//! case of each:
//!
//! `cargo test -p limber-pipeline --release --test pipeline -- --ignored --nocapture fifty`

use std::ops::Range;

use glam::Quat;
use limber_animation::{Clip, Pose};
use limber_cleanup::{GroundMove, Seam, loop_seam, seam, trim};
use limber_judge::prompt_set;
use limber_pipeline::{
    CanonicalClip, Options, Request, derive,
    edits::{
        InpaintRequest, Intervals, LoopRequest, LoopSettings, MergeRequest, Trim, inpaint,
        make_loop, merge,
    },
    make,
};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

use crate::mannequin;

const CLIPS: usize = 50;
/// Number of clips in everyday runs.
const FEW_CLIPS: usize = 6;
/// Maximum step across a seam, as a multiple of the larger step beside it; in files as in the
/// stored clip.
const MOST_SEAM: f32 = 1.2;
/// At the loop point, even rotations matter most; the fingertips in a cartwheel pay for it.
const MOST_LOOP_SEAM: f32 = 1.3;
const MOST_LOOP_DEG: f32 = 1.0;
const MOST_LOOP_CM_S: f32 = 2.0;
const LENGTH_S: f32 = 5.0;
const PAINTED_FRAMES: usize = 60;
const BRIDGE_FRAMES: usize = 20;
/// Each takes two seconds.
const PAINTS: [&str; 5] = [
    "a person waves with the right hand",
    "a person raises both arms",
    "a person nods",
    "a person walks forward",
    "a person claps",
];

/// The worst value of a measurement, and where it occurred.
#[derive(Debug, Default)]
struct Worst {
    most: f32,
    of: String,
}

impl Worst {
    fn take(&mut self, value: f32, of: &str) {
        if value > self.most || value.is_nan() {
            *self = Self { most: value, of: of.to_owned() };
        }
    }
}

#[derive(Debug, Default)]
struct Findings {
    /// Frames that should not have changed but did.
    changed: Vec<String>,
    seam: Worst,
    file_seam: Worst,
    /// Deviation of a part of a merge from a rigid move over the floor, in metres and radians.
    moved: Worst,
    turned: Worst,
    loop_seam: Worst,
    loop_deg: Worst,
    loop_cm_s: Worst,
}

/// Generates clips of prompts spread evenly over the evaluation set.
fn sources(count: usize) -> Vec<(String, CanonicalClip)> {
    let all: Vec<&str> = prompt_set().all().map(|expected| expected.say.as_str()).collect();
    let chosen = (0..count).map(|place| all[place * all.len() / count]);
    let made = chosen.enumerate().map(|(place, say)| {
        let prompt = Prompt::parse(say).expect("it is a valid prompt");
        let made = |duration_s| {
            let prompt = prompt.clone();
            let request = Request { duration_s, ..Request::new(prompt, Seed(place as u64 + 1)) };
            make(&request, &Composer, &Cancel::default(), &mut |_| {})
        };
        // actions that need more time return an error
        let clip = made(Some(LENGTH_S)).or_else(|_| made(None));
        (say.to_owned(), clip.unwrap_or_else(|error| panic!("{say}: {error}")))
    });
    made.collect()
}

fn bits(pose: &Pose) -> Vec<u32> {
    let turns = pose.rotations.iter().flat_map(|turn| turn.to_array());
    pose.hips_translation.to_array().into_iter().chain(turns).map(f32::to_bits).collect()
}

fn paint(place: usize, (say, source): &(String, CanonicalClip), found: &mut Findings) {
    let frames = source.clip.len();
    let start = 1 + (place * 7) % (frames - PAINTED_FRAMES - 1);
    let hole = start..start + PAINTED_FRAMES;
    let over = PAINTS[place % PAINTS.len()];
    let request = InpaintRequest {
        prompt: Prompt::parse(over).expect("it is a valid prompt"),
        script: None,
        intervals: Intervals::new([hole.clone()], frames).expect("it is valid"),
        trim: Trim::default(),
        seed: Seed(place as u64),
        variant: 1,
    };
    let name = format!("{say} | {over} in {hole:?} of {frames}");
    let painted = inpaint(source, &request, &Composer, &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let (before, after) = (&source.clip, &painted.clip);
    assert_eq!(before.len(), after.len());
    assert!(hole.clone().any(|frame| before.frames()[frame] != after.frames()[frame]), "{name}");
    for frame in (0..frames).filter(|frame| !hole.contains(frame)) {
        let contacts = |clip: &Clip| clip.contacts().map(|track| track[frame]);
        if bits(&before.frames()[frame]) != bits(&after.frames()[frame])
            || contacts(before) != contacts(after)
        {
            found.changed.push(format!("{name}: frame {frame}"));
        }
    }
    judge_seams(&painted, &hole, &name, found);
}

fn judge_seams(made: &CanonicalClip, new: &Range<usize>, name: &str, found: &mut Findings) {
    let file = in_files(made);
    for edge in [new.start, new.end].into_iter().filter(|edge| *edge < made.clip.len()) {
        let told = |seam: Seam, clip: &Clip| {
            format!("{name}, {} at {edge}", clip.skeleton().joint(seam.worst).name)
        };
        let kept = seam(&made.clip, edge);
        found.seam.take(kept.ratio, &told(kept, &made.clip));
        let written = seam(&file, edge);
        found.file_seam.take(written.ratio, &told(written, &file));
    }
}

/// Returns the clip in the files derived from a canonical clip.
fn in_files(clip: &CanonicalClip) -> Clip {
    let options = Options { formats: Vec::new(), ..Options::default() };
    derive(clip, mannequin(), 1, &options, &Cancel::default(), &mut |_| {}).expect("it works").clip
}

fn join(
    place: usize,
    (first_say, first): &(String, CanonicalClip),
    (second_say, second): &(String, CanonicalClip),
    found: &mut Findings,
) {
    let name = format!("{first_say} + {second_say}");
    let trim_first = Trim { left: 0, right: 10 };
    let trim_second = Trim { left: 5, right: 0 };
    let request = MergeRequest {
        prompt: None,
        script: None,
        trim_first,
        trim_second,
        bridge_frames: BRIDGE_FRAMES,
        seed: Seed(place as u64),
        variant: 1,
    };
    let merged = merge(first, second, &request, &Composer, &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let cut = |source: &CanonicalClip, by| trim(&source.clip, by).expect("frames are left");
    let (a, b) = (cut(first, trim_first), cut(second, trim_second));
    let begin = a.len() + BRIDGE_FRAMES;
    assert_eq!(merged.clip.len(), begin + b.len());
    let same = |frame: usize| bits(&a.frames()[frame]) == bits(&merged.clip.frames()[frame]);
    found.changed.extend(
        (0..a.len()).filter(|frame| !same(*frame)).map(|frame| format!("{name}: frame {frame}")),
    );
    judge_move(&b, &merged.clip, begin, &name, found);
    judge_seams(&merged, &(a.len()..begin), &name, found);
}

/// Records how far frames from `begin` on deviate from the part, moved over the floor like its
/// first frame.
fn judge_move(part: &Clip, whole: &Clip, begin: usize, name: &str, found: &mut Findings) {
    let skeleton = part.skeleton();
    let hips = skeleton.hips();
    let turn = |frame: usize| -> Quat {
        whole.frames()[begin + frame].rotation(hips) * part.frames()[frame].rotation(hips).inverse()
    };
    let yaw_rad = 2.0 * turn(0).y.atan2(turn(0).w);
    let place =
        |clip: &Clip, frame: usize| clip.skeleton().world(&clip.frames()[frame]).position(hips);
    let moved = GroundMove::bringing(place(part, 0), place(whole, begin), yaw_rad);
    for frame in 0..part.len() {
        let apart = moved.point(place(part, frame)).distance(place(whole, begin + frame));
        found.moved.take(apart, name);
        // the dot product cannot resolve angles as small as these
        let beside = (moved.turn().inverse() * turn(frame)).xyz().length().min(1.0);
        found.turned.take(2.0 * beside.asin(), name);
        let (old, new) = (&part.frames()[frame], &whole.frames()[begin + frame]);
        let others = skeleton.indices().filter(|joint| *joint != hips);
        if others.into_iter().any(|joint| old.rotation(joint) != new.rotation(joint)) {
            found.changed.push(format!("{name}: frame {frame} of the second"));
        }
    }
}

fn go_round(place: usize, (say, source): &(String, CanonicalClip), found: &mut Findings) {
    let third = source.clip.len() / 3;
    let trim = Trim { left: third, right: source.clip.len() - 2 * third };
    let settings = LoopSettings { repetitions: 2, blend_frames: 24, ..LoopSettings::default() };
    let request = LoopRequest {
        prompt: None,
        script: None,
        trim,
        settings,
        seed: Seed(place as u64),
        variant: 1,
    };
    let looped = make_loop(source, &request, &Composer, &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{say}: {error}"));
    let clip = &looped.clip;
    let period = clip.len() / 2;
    assert_eq!(period, third + 24, "{say}");
    // what a looping player shows: from the first repetition to the start of the second
    let round = limber_cleanup::trim(clip, Trim { left: 0, right: period }).expect("a round");
    let hips = clip.skeleton().hips();
    let [start, next] = [0, period].map(|frame| &clip.frames()[frame]);
    let turn = next.rotation(hips) * start.rotation(hips).inverse();
    let at = |frame: usize| clip.skeleton().world(&clip.frames()[frame]).position(hips);
    let travel = GroundMove::bringing(at(0), at(period), 2.0 * turn.y.atan2(turn.w));
    for end in [loop_seam(&round, travel), seam(clip, period)] {
        found.loop_deg.take(end.turn_deg, say);
        found.loop_cm_s.take(end.hips_cm_s, say);
        let joint = &clip.skeleton().joint(end.worst).name;
        found.loop_seam.take(end.ratio, &format!("{say}, {joint}"));
    }
    found.seam.take(seam(clip, third).ratio, &format!("{say}, at the loop end"));
}

fn judge(count: usize) {
    let sources = sources(count);
    let mut found = Findings::default();
    for (place, source) in sources.iter().enumerate() {
        paint(place, source, &mut found);
        join(place, source, &sources[(place + 1) % count], &mut found);
        go_round(place, source, &mut found);
    }
    let limits = [
        ("seam of the kept clip", &found.seam, MOST_SEAM),
        ("seam in files", &found.file_seam, MOST_SEAM),
        ("second part of a merge, m", &found.moved, 1e-3),
        ("second part of a merge, rad", &found.turned, 2e-3),
        ("loop, at its restart", &found.loop_seam, MOST_LOOP_SEAM),
        ("loop, degrees", &found.loop_deg, MOST_LOOP_DEG),
        ("loop, cm/s", &found.loop_cm_s, MOST_LOOP_CM_S),
    ];
    println!("{count} clips: regenerated, merged with the next, looped");
    for (what, worst, limit) in limits {
        println!("{what:<30} {:>9.5} of {limit:<6}  {}", worst.most, worst.of);
    }
    println!("frames that should not have changed but did: {}", found.changed.len());
    assert_eq!(found.changed, Vec::<String>::new());
    for (what, worst, limit) in limits {
        assert!(worst.most <= limit, "{what}: {worst:?}");
    }
}

#[test]
fn edits_keep_their_guarantees_on_a_few_clips() {
    judge(FEW_CLIPS);
}

#[test]
#[ignore = "takes minutes"]
fn edits_keep_their_guarantees_on_fifty_clips() {
    judge(CLIPS);
}
