//! How long the viewer takes from the start of its process to its first correct picture.
//!
//! `cargo bench -p limber-viewer --bench start [-- FILE.glb]`. Without a file it takes the stock
//! mannequin; without a display it runs itself again under `xvfb-run`. Prints the target, the
//! median of 3 and a verdict, and exits non-zero on a miss. A first start, which fills the
//! driver's shader cache as the first start on any machine does, is not counted.

use std::{
    error::Error,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use limber_api::viewer::{ViewerCommand, ViewerEvent, read_line, write_line};

const TARGET: Duration = Duration::from_millis(650);
const STOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters/mannequin.glb");

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
    let file = given.map_or_else(|| PathBuf::from(STOCK), PathBuf::from);
    start(&file)?;
    let mut times = [start(&file)?, start(&file)?, start(&file)?];
    times.sort();
    let median = times[1];
    let met = median <= TARGET;
    println!(
        "viewer start: target {:.2} s, median of 3 {:.2} s, {}",
        TARGET.as_secs_f32(),
        median.as_secs_f32(),
        if met { "met" } else { "MISSED" }
    );
    Ok(met)
}

/// From the start of the process to the event that says its first picture stands on the screen.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn start(file: &Path) -> Result<Duration, Box<dyn Error>> {
    let before = Instant::now();
    let mut viewer = Command::new(env!("CARGO_BIN_EXE_limber-viewer"))
        .arg("--attached")
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut events = BufReader::new(viewer.stdout.take().ok_or("it has no output")?);
    let outcome = first_picture(&mut events).map(|()| before.elapsed());
    let mut commands = viewer.stdin.take().ok_or("it has no input")?;
    write_line(&mut commands, &ViewerCommand::Close {})?;
    viewer.wait()?;
    outcome
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
