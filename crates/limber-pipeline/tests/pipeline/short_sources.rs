//! Edits of clips of a few frames: each is made, or rejected with the minimum length.

use limber_animation::Pose;
use limber_pipeline::{
    CanonicalClip, ClipEnds, FileKind, Options, PipelineError, derive,
    edits::{
        Creativity, InpaintRequest, Intervals, LoopRequest, LoopSettings, MergeRequest,
        OverlapRequest, RefineRequest, Trim, inpaint, make_loop, merge, overlap, refine, rerun,
    },
    make,
};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

use crate::{mannequin, request};

const FRAMES: [usize; 6] = [1, 2, 3, 4, 8, 9];
const SOURCE_FRAMES: usize = 120;
const BRIDGE_FRAMES: usize = 15;
const WAVE: &str = "a person waves with the right hand";

type Made = Result<CanonicalClip, PipelineError>;

fn prompt(say: &str) -> Prompt {
    Prompt::parse(say).expect("it is a valid prompt")
}

fn source(say: &str) -> CanonicalClip {
    make(&request(say, Options::default()), &Composer, &Cancel::default(), &mut |_| {})
        .expect("four seconds are enough")
}

/// Returns this many frames from the middle of a clip of four seconds.
fn cut(source: &CanonicalClip, frames: usize) -> CanonicalClip {
    assert_eq!(source.clip.len(), SOURCE_FRAMES);
    rerun(source, Trim { left: 50, right: SOURCE_FRAMES - 50 - frames }).expect("frames are left")
}

fn regenerated(source: &CanonicalClip, hole: std::ops::Range<usize>) -> Made {
    let request = InpaintRequest {
        prompt: prompt(WAVE),
        script: None,
        intervals: Intervals::new([hole], source.clip.len()).expect("it is valid"),
        trim: Trim::default(),
        seed: Seed(1),
        variant: 1,
    };
    inpaint(source, &request, &Composer, &Cancel::default(), &mut |_| {})
}

fn merged(first: &CanonicalClip, second: &CanonicalClip, say: Option<&str>) -> Made {
    let request = MergeRequest {
        prompt: say.map(prompt),
        script: None,
        trim_first: Trim::default(),
        trim_second: Trim::default(),
        bridge_frames: BRIDGE_FRAMES,
        seed: Seed(1),
        variant: 1,
    };
    merge(first, second, &request, &Composer, &Cancel::default(), &mut |_| {})
}

fn overlapped(first: &CanonicalClip, second: &CanonicalClip, frames: usize) -> Made {
    let (trim_first, trim_second) = (Trim::default(), Trim::default());
    let request = OverlapRequest { trim_first, trim_second, frames, seed: Seed(1) };
    overlap(first, second, &request, &Composer, &Cancel::default(), &mut |_| {})
}

fn looped(source: &CanonicalClip, say: Option<&str>, settings: LoopSettings) -> Made {
    let request = LoopRequest {
        prompt: say.map(prompt),
        script: None,
        trim: Trim::default(),
        settings: LoopSettings { blend_frames: BRIDGE_FRAMES, ..settings },
        seed: Seed(1),
        variant: 1,
    };
    make_loop(source, &request, &Composer, &Cancel::default(), &mut |_| {})
}

fn refined(source: &CanonicalClip, say: Option<&str>, creativity: f32) -> Made {
    let request = RefineRequest {
        prompt: say.map(prompt),
        script: None,
        ends: ClipEnds::default(),
        trim: Trim::default(),
        creativity: Creativity::new(creativity).expect("it is between 0 and 1"),
        seed: Seed(1),
        variant: 1,
    };
    refine(source, &request, &Composer, &Cancel::default(), &mut |_| {})
}

/// Describes what is wrong with a clip that should have this many frames; `None` if it is as long,
/// and a character can perform it in these formats.
fn fault(made: Made, wanted: usize, formats: &[FileKind]) -> Option<String> {
    let options = Options { formats: formats.to_vec(), ..Options::default() };
    let derived = made.and_then(|made| {
        derive(&made, mannequin(), 1, &options, &Cancel::default(), &mut |_| {}).map(|_| made)
    });
    match derived {
        Ok(made) if made.clip.len() != wanted => Some(format!("{} frames", made.clip.len())),
        Ok(made) if !made.clip.frames().iter().all(Pose::is_finite) => {
            Some("numbers that are not finite".to_owned())
        }
        Ok(_) => None,
        Err(error) => Some(error.to_string()),
    }
}

#[test]
fn clips_of_a_few_frames_can_be_edited() {
    let (walk, clap) = (source("a person walks forward"), source("a person claps"));
    let on_the_spot = LoopSettings {
        repetitions: 2,
        fix_altitude: true,
        fix_horizontal: true,
        fix_orientation: true,
        across_all: true,
        ..LoopSettings::default()
    };
    let mut faults = Vec::new();
    for frames in FRAMES {
        let (first, second) = (cut(&walk, frames), cut(&clap, frames));
        let round = frames + BRIDGE_FRAMES;
        let mut edits = vec![
            ("refined a little", refined(&first, None, 0.1), frames),
            ("refined with a prompt", refined(&first, Some(WAVE), 0.7), frames),
            ("refined freely", refined(&first, Some(WAVE), 1.0), frames),
            ("looped", looped(&first, None, LoopSettings::default()), round),
            ("looped with a prompt", looped(&first, Some(WAVE), LoopSettings::default()), round),
            ("looped on the spot", looped(&first, None, on_the_spot), 2 * round),
            ("merged", merged(&first, &second, None), round + frames),
            ("merged with a prompt", merged(&first, &second, Some(WAVE)), round + frames),
            ("merged with more", merged(&first, &clap, Some(WAVE)), round + SOURCE_FRAMES),
        ];
        if frames >= 2 {
            edits.push(("overlapped", overlapped(&first, &second, 2), 2 * frames - 2));
            edits.push(("all overlapped", overlapped(&first, &second, frames), frames));
        }
        if frames >= Intervals::SHORTEST {
            edits.push(("regenerated", regenerated(&first, 0..frames), frames));
            let end = frames - Intervals::SHORTEST..frames;
            edits.push(("regenerated at the end", regenerated(&first, end), frames));
        }
        if frames >= 8 {
            edits.push(("regenerated in the middle", regenerated(&first, 2..6), frames));
        }
        let unchanged = rerun(&first, Trim::default());
        let found = fault(unchanged, frames, &FileKind::CHOICES);
        faults.extend(found.map(|why| format!("files of {frames} frames: {why}")));
        for (name, made, wanted) in edits {
            let found = fault(made, wanted, &[]);
            faults.extend(found.map(|why| format!("{frames} frames {name}: {why}")));
        }
    }
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn parts_that_are_too_short_are_rejected_with_the_minimum_length() {
    let walk = source("a person walks forward");
    let short = Intervals::new(std::iter::once(0..3), 3).expect_err("three frames are too few");
    assert!(short.to_string().contains("4 frames"), "{short}");
    let one = cut(&walk, 1);
    for (first, second) in [(&one, &walk), (&walk, &one)] {
        let refused = overlapped(first, second, 2).expect_err("one frame is too little");
        assert!(refused.to_string().contains("at least 2 frames"), "{refused}");
    }
}
