//! How long a newcomer waits: a prompt to a GLB of six seconds on a stock character, warm; and what of
//! the time of a film goes to its encoder.
//!
//! Prints `target | median | verdict` per budget and ends with 1 when one is missed.

use std::{io::Cursor, ops::ControlFlow, process::ExitCode, sync::Arc, time::Duration};

use limber_animation::Fps;
use limber_pipeline::{FileKind, Options, Request, run, stock};
use limber_render::{Container, Film, Filming, PictureSize, Scenery, ShotKind};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

const PROMPT: &str = "a person walks forward, then waves with the right hand";
const MOTION_S: f32 = 6.0;
const WALL_S: f64 = 1.0;
const CPU_S_PER_MOTION_S: f64 = 0.25;
const ROUNDS: u64 = 3;
const ENCODER_SHARE: f64 = 0.15;
const PICTURES: usize = 60;

/// Time on the wall and on all processors.
struct Spent {
    wall_s: f64,
    cpu_s: f64,
}

fn main() -> ExitCode {
    let character = stock::list()[0].character().expect("the stock character reads");
    spend(Seed(0), character); // warm
    let rounds: Vec<Spent> = (1..=ROUNDS).map(|seed| spend(Seed(seed), character)).collect();
    let wall = median(rounds.iter().map(|spent| spent.wall_s).collect());
    let cpu = median(rounds.iter().map(|spent| spent.cpu_s).collect()) / f64::from(MOTION_S);
    let met = [
        verdict("prompt to GLB, 6 s, wall", WALL_S, wall, "s"),
        verdict("processor time per second of motion", CPU_S_PER_MOTION_S, cpu, "s/s"),
        verdict("720p film, the encoder's share", ENCODER_SHARE, encoder_share(), "of all"),
    ];
    if met.iter().all(|met| *met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark's work is to look at the clock")]
fn spend(seed: Seed, character: &limber_animation::Character) -> Spent {
    let prompt = Prompt::parse(PROMPT).expect("it is a prompt");
    let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
    let request = Request { duration_s: Some(MOTION_S), options, ..Request::new(prompt, seed) };
    let (wall, cpu) = (std::time::Instant::now(), processor_time());
    let output = run(&request, &Composer, character, &Cancel::default(), &mut |_| {})
        .expect("the prompt is understood");
    let spent = Spent {
        wall_s: wall.elapsed().as_secs_f64(),
        cpu_s: (processor_time() - cpu).as_secs_f64(),
    };
    assert!(output.files.iter().any(|file| file.kind == FileKind::Glb));
    spent
}

/// A film's time less that of drawing its pictures, of a film's time.
#[expect(clippy::disallowed_methods, reason = "a benchmark's work is to look at the clock")]
fn encoder_share() -> f64 {
    let character = Arc::new(stock::list()[0].character().expect("it reads").clone());
    let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
    let prompt = Prompt::parse(PROMPT).expect("it is a prompt");
    let request = Request { duration_s: Some(2.0), options, ..Request::new(prompt, Seed(1)) };
    let made = run(&request, &Composer, &character, &Cancel::default(), &mut |_| {});
    let clip = made.expect("the prompt is understood").clip;
    let film = Film {
        size: PictureSize::new(1280, 720),
        fps: Fps::DEFAULT,
        frames: PICTURES,
        camera: ShotKind::Follow,
        angle: 0.0,
        scenery: Scenery::Studio([0.8; 3]),
        shadow: true,
    };
    let mut filming = Filming::new(&character, clip, film).expect("this computer draws");
    filming.picture(0).expect("it can be drawn"); // warm
    let rounds = (0..ROUNDS).map(|_| {
        let started = std::time::Instant::now();
        for number in 0..PICTURES {
            filming.picture(number).expect("it can be drawn");
        }
        let drawing_s = started.elapsed().as_secs_f64();
        let started = std::time::Instant::now();
        let out = Cursor::new(Vec::new());
        let made = filming.write(Container::Mp4, out, &mut |_| ControlFlow::Continue(()));
        made.expect("it can be made");
        let whole_s = started.elapsed().as_secs_f64();
        println!("720p film: {:.1} pictures a second", PICTURES as f64 / whole_s);
        ((whole_s - drawing_s) / whole_s).max(0.0)
    });
    median(rounds.collect())
}

#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Elsewhere the processor's time is not asked for; the wall must do.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    Duration::ZERO
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn verdict(what: &str, target: f64, median: f64, unit: &str) -> bool {
    let met = median <= target;
    let word = if met { "met" } else { "MISSED" };
    println!("{what}: target ≤ {target:.2} {unit} | median {median:.3} {unit} | {word}");
    met
}
