//! How soon the viewer shows a correct picture, and how many pictures a second it plays.
//!
//! `cargo bench -p limber-viewer --bench viewer [-- FILE.glb]`. Without a file it plays a walk of
//! the stock character; without a display it runs itself again under `xvfb-run`. Prints targets,
//! medians of 3 and verdicts, and exits non-zero on a miss. A first start, which fills the
//! driver's shader cache as the first start on any machine does, is not counted.

use std::{
    error::Error,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use limber_api::viewer::{MAX_SPEED, ViewerCommand, ViewerEvent, read_line, write_line};
use limber_pipeline::{FileKind, Options, Request, run, stock};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

/// What f3d needs at its best, with everything drawn by the processor.
const START: Duration = Duration::from_millis(650);
/// What three.js in Chromium reaches with this character at 1280 × 720, drawn by two processors.
const PICTURES_PER_S: f64 = 15.0;
const SIZE: &str = "1280x720";
const ROUNDS: usize = 3;
const PLAYED: Duration = Duration::from_secs(4);

fn main() -> ExitCode {
    if std::env::var_os("DISPLAY").is_none() && std::env::var_os("WAYLAND_DISPLAY").is_none() {
        return under_xvfb();
    }
    match measure() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("viewer start: could not be measured: {error}");
            ExitCode::FAILURE
        }
    }
}

fn under_xvfb() -> ExitCode {
    let status = std::env::current_exe().and_then(|program| {
        Command::new("xvfb-run")
            .args(["-a", "-s", "-screen 0 1600x1000x24"])
            .arg(program)
            .args(std::env::args().skip(1))
            .status()
    });
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(_) => {
            println!("viewer start: skipped, there is neither a display nor xvfb-run");
            ExitCode::SUCCESS
        }
    }
}

fn measure() -> Result<bool, Box<dyn Error>> {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let folder = tempfile::tempdir()?;
    let file = match given {
        Some(file) => PathBuf::from(file),
        None => walk(folder.path())?,
    };
    show(&file)?;
    let mut shown = Vec::new();
    for _ in 0..ROUNDS {
        shown.push(show(&file)?);
    }
    shown.sort_by_key(|(start, _)| *start);
    let start = shown[ROUNDS / 2].0;
    shown.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let rate = shown[ROUNDS / 2].1;
    let met = [start <= START, rate >= PICTURES_PER_S];
    let verdict = |met: bool| if met { "met" } else { "MISSED" };
    let (target_s, start_s) = (START.as_secs_f32(), start.as_secs_f32());
    println!(
        "start to first picture: target ≤ {target_s:.2} s | median {start_s:.2} s | {}",
        verdict(met[0])
    );
    println!(
        "playing at {SIZE}: target ≥ {PICTURES_PER_S:.0} /s | median {rate:.0} /s | {}",
        verdict(met[1])
    );
    Ok(met == [true, true])
}

/// A clip that moves all the time it is played.
fn walk(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let prompt = Prompt::parse("a person walks forward")?;
    let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
    let request = Request { duration_s: Some(10.0), options, ..Request::new(prompt, Seed(1)) };
    let character = stock::list()[0].character()?;
    let output = run(&request, &Composer, character, &Cancel::default(), &mut |_| {})?;
    let file = folder.join("walk.glb");
    std::fs::write(&file, &output.files[0].bytes)?;
    Ok(file)
}

/// From the start of the process to the event that says its first picture stands on the screen,
/// and pictures per second while the clip plays.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn show(file: &Path) -> Result<(Duration, f64), Box<dyn Error>> {
    let before = Instant::now();
    let mut viewer = Command::new(env!("CARGO_BIN_EXE_limber-viewer"))
        .args(["--attached", "--size", SIZE])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut events = BufReader::new(viewer.stdout.take().ok_or("it has no output")?);
    let mut commands = viewer.stdin.take().ok_or("it has no input")?;
    first_picture(&mut events)?;
    let start = before.elapsed();
    // four times as fast, so that no picture is equal to the one before
    write_line(&mut commands, &ViewerCommand::SetLoop { enabled: true })?;
    write_line(&mut commands, &ViewerCommand::Speed { factor: MAX_SPEED })?;
    write_line(&mut commands, &ViewerCommand::Play {})?;
    let (begun, mut pictures) = (Instant::now(), 0_u32);
    while begun.elapsed() < PLAYED {
        match read_line::<ViewerEvent>(&mut events)? {
            Some(ViewerEvent::Frame { .. }) => pictures += 1,
            Some(ViewerEvent::Error { message }) => return Err(message.into()),
            Some(_) => {}
            None => return Err("it ended while playing".into()),
        }
    }
    let rate = f64::from(pictures) / begun.elapsed().as_secs_f64();
    write_line(&mut commands, &ViewerCommand::Close {})?;
    viewer.wait()?;
    Ok((start, rate))
}

fn first_picture(events: &mut impl BufRead) -> Result<(), Box<dyn Error>> {
    while let Some(event) = read_line::<ViewerEvent>(events)? {
        match event {
            ViewerEvent::Ready { .. } => return Ok(()),
            ViewerEvent::Error { message } => return Err(message.into()),
            _ => {}
        }
    }
    Err("it ended without a picture".into())
}
