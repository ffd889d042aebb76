//! Any requested length is made: sped up if that is enough, otherwise cut short. This tests many
//! more lengths:
//!
//! `cargo xtask soak durations`

use std::ops::Range;

use limber_animation::Clip;
use limber_cleanup::seam;
use limber_judge::prompt_set;
use limber_pipeline::{
    CanonicalClip, Message, Options, PipelineError, Request, derive,
    edits::{
        InpaintRequest, Intervals, LoopRequest, LoopSettings, MergeRequest, Trim, inpaint,
        make_loop, merge,
    },
    make,
};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

use crate::{mannequin, request};

const DURATIONS_S: [f32; 9] = [0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0];
/// Clips up to this length are retargeted to a character too, in seconds.
const SHORT_S: f32 = 1.0;
const PROMPTS: [&str; 12] = [
    "a person walks forward",
    "a person runs in a circle",
    "a person turns left",
    "a person jumps twice",
    "a person waves with the right hand",
    "a person kicks with the left leg",
    "a person sits down",
    "a person bows, then claps",
    "a person does a cartwheel",
    "a person dances happily",
    "a person nods",
    "a person walks forward, then sits down, then waves",
];
/// Maximum step across a seam, as a multiple of the larger step beside it.
const MOST_SEAM: f32 = 1.2;
const SOURCE_FRAMES: usize = 120;

fn prompt(say: &str) -> Prompt {
    Prompt::parse(say).expect("it is a valid prompt")
}

/// Returns this many prompts spread evenly over the evaluation set.
fn judged(count: usize) -> Vec<&'static str> {
    let all: Vec<&str> = prompt_set().all().map(|expected| expected.say.as_str()).collect();
    (0..count).map(|place| all[place * all.len() / count]).collect()
}

/// Returns every length with every seed.
fn cases<T: Copy>(lengths: &[T], seeds: &Range<u64>) -> Vec<(T, u64)> {
    let with_seeds = |length: &T| {
        let length = *length;
        seeds.clone().map(move |seed| (length, seed))
    };
    lengths.iter().flat_map(with_seeds).collect()
}

/// Describes what cannot be made or differs from the request.
fn faults_of_jobs(prompts: &[&str], durations_s: &[f32], seeds: Range<u64>) -> Vec<String> {
    let mut faults = Vec::new();
    for say in prompts {
        for (duration_s, seed) in cases(durations_s, &seeds) {
            let name = format!("{say} in {duration_s} s, seed {seed}");
            let request =
                Request { duration_s: Some(duration_s), ..Request::new(prompt(say), Seed(seed)) };
            let made = make(&request, &Composer, &Cancel::default(), &mut |_| {});
            let wanted = (duration_s * 30.0).round() as usize;
            match made.and_then(|made| carried(&made, duration_s).map(|()| made.clip.len())) {
                Ok(frames) if frames == wanted => {}
                Ok(frames) => faults.push(format!("{name}: {frames} frames")),
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
    }
    faults
}

fn carried(made: &CanonicalClip, duration_s: f32) -> Result<(), PipelineError> {
    if duration_s > SHORT_S {
        return Ok(());
    }
    let options = Options { formats: Vec::new(), ..Options::default() };
    derive(made, mannequin(), 1, &options, &Cancel::default(), &mut |_| {}).map(drop)
}

#[test]
fn every_length_can_be_requested() {
    assert_eq!(faults_of_jobs(&PROMPTS, &DURATIONS_S, 1..2), Vec::<String>::new());
}

/// The lengths that are tried with forty prompts, in seconds.
fn many_durations_s() -> Vec<f32> {
    let tenths = (3..20).map(|tenth| tenth as f32 / 10.0);
    let halves = (4..=20).map(|half| half as f32 / 2.0);
    tenths.chain(halves).collect()
}

/// Each of forty prompts with three lengths and seeds out of those of
/// [`every_length_of_forty_prompts_can_be_requested`]: always the same, every length at least three
/// times, and every seed thirty times.
#[test]
fn some_lengths_of_forty_prompts_can_be_requested() {
    let durations_s = many_durations_s();
    let mut faults = Vec::new();
    for (place, say) in judged(40).into_iter().enumerate() {
        for turn in 0..3 {
            let number = 3 * place + turn;
            let duration_s = durations_s[number % durations_s.len()];
            let seed = 1 + number as u64 % 4;
            faults.extend(faults_of_jobs(&[say], &[duration_s], seed..seed + 1));
        }
    }
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
#[ignore = "takes minutes"]
fn every_length_of_forty_prompts_can_be_requested() {
    let (prompts, durations_s) = (judged(40), many_durations_s());
    let faults = faults_of_jobs(&prompts, &durations_s, 1..5);
    println!(
        "{} prompts in {} durations from {} s to {} s with 4 seeds: {} of {} failed",
        prompts.len(),
        durations_s.len(),
        durations_s[0],
        durations_s[durations_s.len() - 1],
        faults.len(),
        prompts.len() * durations_s.len() * 4
    );
    assert_eq!(faults, Vec::<String>::new());
}

fn source(say: &str) -> CanonicalClip {
    make(&request(say, Options::default()), &Composer, &Cancel::default(), &mut |_| {})
        .expect("four seconds are enough")
}

/// Records frames that changed and visible seams.
fn judge(before: &Clip, after: &Clip, new: &Range<usize>, name: &str, faults: &mut Vec<String>) {
    let outside = (0..before.len()).filter(|frame| !new.contains(frame));
    // in a merge only the first clip keeps its place
    let changed = outside
        .filter(|frame| *frame < new.start || before.len() == after.len())
        .find(|frame| before.frames()[*frame] != after.frames()[*frame]);
    faults.extend(changed.map(|frame| format!("{name}: frame {frame} is another one")));
    // no motion is smooth in fewer frames
    let edges = [new.start, new.end].into_iter().filter(|_| new.len() >= Intervals::SHORTEST);
    for edge in edges {
        let found = seam(after, edge);
        if found.ratio > MOST_SEAM {
            let joint = &after.skeleton().joint(found.worst).name;
            faults.push(format!("{name}: {} of {joint} at {edge}", found.ratio));
        }
    }
}

fn faults_of_painting(prompts: &[&str], lengths: &[usize], seeds: Range<u64>) -> Vec<String> {
    let source = source("a person walks forward");
    let mut faults = Vec::new();
    for say in prompts {
        for (frames, seed) in cases(lengths, &seeds) {
            let name = format!("{say} regenerated in {frames} frames, seed {seed}");
            let hole = 50..50 + frames;
            let request = InpaintRequest {
                prompt: prompt(say),
                script: None,
                intervals: Intervals::new([hole.clone()], SOURCE_FRAMES).expect("it is valid"),
                trim: Trim::default(),
                seed: Seed(seed),
                variant: 1,
            };
            match inpaint(&source, &request, &Composer, &Cancel::default(), &mut |_| {}) {
                Ok(made) => judge(&source.clip, &made.clip, &hole, &name, &mut faults),
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
    }
    faults
}

fn faults_of_joining(prompts: &[&str], lengths: &[usize], seeds: Range<u64>) -> Vec<String> {
    let (first, second) = (source("a person walks forward"), source("a person claps"));
    let mut faults = Vec::new();
    for say in prompts {
        for (frames, seed) in cases(lengths, &seeds) {
            let name = format!("{say} for {frames} frames between two clips, seed {seed}");
            let request = MergeRequest {
                prompt: Some(prompt(say)),
                script: None,
                trim_first: Trim::default(),
                trim_second: Trim::default(),
                bridge_frames: frames,
                seed: Seed(seed),
                variant: 1,
            };
            let bridge = SOURCE_FRAMES..SOURCE_FRAMES + frames;
            match merge(&first, &second, &request, &Composer, &Cancel::default(), &mut |_| {}) {
                Ok(made) => judge(&first.clip, &made.clip, &bridge, &name, &mut faults),
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
    }
    faults
}

fn faults_of_going_round(prompts: &[&str], lengths: &[usize], seeds: Range<u64>) -> Vec<String> {
    let source = source("a person walks forward");
    let mut faults = Vec::new();
    for say in prompts {
        for (frames, seed) in cases(lengths, &seeds) {
            let name = format!("{say} for {frames} frames at the loop end, seed {seed}");
            let settings = LoopSettings { blend_frames: frames, ..LoopSettings::default() };
            let request = LoopRequest {
                prompt: Some(prompt(say)),
                script: None,
                trim: Trim { left: 40, right: 40 },
                settings,
                seed: Seed(seed),
                variant: 1,
            };
            match make_loop(&source, &request, &Composer, &Cancel::default(), &mut |_| {}) {
                Ok(made) if made.clip.len() == 40 + frames => {}
                Ok(made) => faults.push(format!("{name}: {} frames", made.clip.len())),
                Err(error) => faults.push(format!("{name}: {error}")),
            }
        }
    }
    faults
}

#[test]
fn intervals_of_every_length_can_be_regenerated() {
    assert_eq!(faults_of_painting(&PROMPTS, &[4, 9, 21, 30], 1..2), Vec::<String>::new());
}

#[test]
fn bridges_of_every_length_can_have_a_prompt() {
    assert_eq!(faults_of_joining(&PROMPTS, &[2, 6, 15, 30], 1..2), Vec::<String>::new());
}

#[test]
fn loop_ends_of_every_length_can_have_a_prompt() {
    assert_eq!(faults_of_going_round(&PROMPTS, &[3, 12, 30], 1..2), Vec::<String>::new());
}

#[test]
#[ignore = "takes minutes"]
fn edits_of_every_length_of_forty_prompts_can_be_requested() {
    let lengths = [4, 6, 9, 12, 15, 18, 21, 25, 30, 45, 60];
    let prompts = judged(40);
    let painting = faults_of_painting(&prompts, &lengths, 1..5);
    let joining = faults_of_joining(&prompts, &lengths, 1..5);
    let round = faults_of_going_round(&prompts, &lengths, 1..5);
    println!(
        "{} prompts in {} lengths from {} to {} frames with 4 seeds, {} each: {} regenerated, {} \
         joined and {} loop ends failed",
        prompts.len(),
        lengths.len(),
        lengths[0],
        lengths[lengths.len() - 1],
        prompts.len() * lengths.len() * 4,
        painting.len(),
        joining.len(),
        round.len()
    );
    assert_eq!([painting, joining, round].concat(), Vec::<String>::new());
}

#[test]
fn a_clip_cut_off_early_says_so() {
    let mut request = request(PROMPTS[11], Options::default());
    request.duration_s = Some(0.5);
    let begun =
        make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("the beginning is made");
    let said = |made: &CanonicalClip| {
        made.meta.warnings.iter().any(|told| matches!(told, Message::OnlyBeginning { .. }))
    };
    assert!(said(&begun), "{:?}", begun.meta.warnings);
    let walk = source("a person walks forward");
    let merge_request = MergeRequest {
        prompt: Some(prompt(PROMPTS[11])),
        script: None,
        trim_first: Trim::default(),
        trim_second: Trim::default(),
        bridge_frames: 15,
        seed: Seed(1),
        variant: 1,
    };
    let merged = merge(&walk, &walk, &merge_request, &Composer, &Cancel::default(), &mut |_| {});
    assert!(said(&merged.expect("they can be joined")));
}
