//! Measures how long a new user waits for a six-second GLB on a stock character (warm), the share
//! of the encoder in the time a video takes, and the time of manual corrections.
//!
//! Exits with 1 if a target is missed.

use std::{io::Cursor, ops::ControlFlow, process::ExitCode, sync::Arc};

use limber_animation::Fps;
use limber_bench::{Report, amount, in_short, median, rounds, time_s};
use limber_pipeline::{
    FileKind, HandCorrections, Options, Request, corrections::Corrections, make, run, stock,
};
use limber_render::{Container, PictureSize, Scenery, ShotKind, VideoRenderer, VideoSettings};
use limber_system::processor_time;
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};
use serde_json::json;

const PROMPT: &str = "a person walks forward, then waves with the right hand";
const MOTION_S: f32 = 6.0;
const WALL_S: f64 = 1.0;
const CPU_S_PER_MOTION_S: f64 = 0.25;
const CORRECTIONS_S: f64 = 0.25;
const ROUNDS: usize = 3;
const ENCODER_SHARE: f64 = 0.15;
const PICTURES: usize = 60;

/// Wall-clock time and processor time over all cores.
struct Spent {
    wall_s: f64,
    cpu_s: f64,
}

fn main() -> ExitCode {
    let character = stock::list()[0].character().expect("the stock character reads");
    if !in_short() {
        spend(Seed(0), character); // warm
    }
    let spent: Vec<Spent> =
        (1..).take(rounds(ROUNDS)).map(|seed| spend(Seed(seed), character)).collect();
    let mut report = Report::new();
    let wall_s = spent.iter().map(|spent| spent.wall_s).collect();
    report.at_most("prompt to GLB, 6 s, wall", WALL_S, "s", wall_s);
    let cpu = spent.iter().map(|spent| spent.cpu_s / f64::from(MOTION_S)).collect();
    report.at_most("processor time per second of motion", CPU_S_PER_MOTION_S, "s/s", cpu);
    corrections(&mut report);
    video(&mut report);
    report.end()
}

fn spend(seed: Seed, character: &limber_animation::Character) -> Spent {
    let prompt = Prompt::parse(PROMPT).expect("it is a valid prompt");
    let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
    let request = Request { duration_s: Some(MOTION_S), options, ..Request::new(prompt, seed) };
    let mut output = None;
    let cpu = processor_time::of_process();
    let wall_s = time_s(|| {
        output = Some(run(&request, &Composer, character, &Cancel::default(), &mut |_| {}));
    });
    let cpu_s = (processor_time::of_process() - cpu).as_secs_f64();
    let output = output.expect("it ran").expect("the prompt is understood");
    assert!(output.files.iter().any(|file| file.kind == FileKind::Glb));
    Spent { wall_s, cpu_s }
}

/// Measures the maximum number of corrections on the longest possible clip. They are applied
/// whenever a frame is displayed.
fn corrections(report: &mut Report) {
    let prompt = Prompt::parse("a person walks forward").expect("it is a valid prompt");
    let duration_s = Some(amount(Request::MAX_DURATION_S, 5.0));
    let request = Request { duration_s, ..Request::new(prompt, Seed(1)) };
    let kept = make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it is created");
    let frames = kept.clip.len();
    let joints = ["hips", "spine", "leftUpperLeg", "rightUpperArm"];
    let keys: Vec<_> = (0..Corrections::MOST_KEYS.min(frames))
        .map(|number| {
            let rotation = [0.0, 0.1, 0.0, 1.0];
            let what = json!({ "rotate": { "joint": joints[number % 4], "rotation": rotation } });
            let frame = number * frames / Corrections::MOST_KEYS.min(frames);
            json!({ "frame": frame, "what": what, "before": 30, "after": 30 })
        })
        .collect();
    let corrections = Corrections::from_value(&json!({ "layers": [{ "keys": keys }] }));
    let by_hand = HandCorrections::new(&corrections.expect("they are valid"), 30);
    let times = (0..rounds(ROUNDS)).map(|_| {
        time_s(|| {
            let _ = by_hand.seen(kept.clone());
        })
    });
    report.at_most("500 corrections on 60 s", CORRECTIONS_S, "s", times.collect());
}

/// Measures the share of the encoder: the time a video takes minus the time its frames take,
/// relative to the former.
fn video(report: &mut Report) {
    let character = Arc::new(stock::list()[0].character().expect("it reads").clone());
    let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
    let prompt = Prompt::parse(PROMPT).expect("it is a valid prompt");
    let request = Request { duration_s: Some(MOTION_S), options, ..Request::new(prompt, Seed(1)) };
    let made = run(&request, &Composer, &character, &Cancel::default(), &mut |_| {});
    let clip = made.expect("the prompt is understood").clip;
    let pictures = amount(PICTURES, 3);
    let settings = VideoSettings {
        size: amount(PictureSize::new(1280, 720), PictureSize::new(320, 180)),
        fps: Fps::DEFAULT,
        frames: pictures,
        camera: ShotKind::Follow,
        angle: 0.0,
        scenery: Scenery::Studio([0.8; 3]),
        shadow: true,
    };
    let mut renderer =
        VideoRenderer::new(&character, clip, settings).expect("this computer can render");
    renderer.picture(0).expect("it can be rendered"); // warm
    let (mut rates, mut shares) = (Vec::new(), Vec::new());
    for _ in 0..rounds(ROUNDS) {
        let drawing_s = time_s(|| {
            for number in 0..pictures {
                renderer.picture(number).expect("it can be rendered");
            }
        });
        let whole_s = time_s(|| {
            let out = Cursor::new(Vec::new());
            let made = renderer.write(Container::Mp4, out, &mut |_| ControlFlow::Continue(()));
            made.expect("it can be made");
        });
        rates.push(pictures as f64 / whole_s);
        shares.push(((whole_s - drawing_s) / whole_s).max(0.0));
    }
    report.note("720p video", &format!("{:.1} pictures/s", median(rates)));
    report.at_most("720p video, the encoder's share", ENCODER_SHARE, "of all", shares);
}
