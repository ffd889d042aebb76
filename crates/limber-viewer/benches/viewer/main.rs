//! Measures the viewer's time to first correct frame and its playback frame rate.
//!
//! `cargo bench -p limber-viewer --bench viewer [-- FILE.glb]`. Without a file it plays a walk of
//! the stock character. All candidates are measured from outside in the same way, taking turns, on
//! software-rendered displays of 1280 × 720 pixels: the viewer; f3d, if installed; and three.js in
//! Chromium, if `LIMBER_THREE_PAGE` is the URL of a page that plays the file passed as `?m=`.
//! Prints targets, medians of 3 rounds and verdicts, and exits non-zero on a miss. The very first
//! start, which fills the driver's shader cache as on any machine, is not counted.

mod screen;

use std::{
    error::Error,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::Duration,
};

use limber_bench::{Report, amount, in_short, median, rounds};
use limber_pipeline::{FileKind, Options, Request, run, stock};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

use crate::screen::{HEIGHT, Shown, WIDTH, watch};

/// Best start-up time of f3d with software rendering, for machines without it.
const F3D_START_S: f64 = 0.65;
const ROUNDS: usize = 3;
const PLAYED: Duration = Duration::from_secs(4);

fn main() -> ExitCode {
    if !screen::is_there() {
        println!("viewer: skipped, there is no Xvfb here");
        return ExitCode::SUCCESS;
    }
    measure().unwrap_or_else(|error| {
        eprintln!("viewer: could not be measured: {error}");
        ExitCode::FAILURE
    })
}

fn measure() -> Result<ExitCode, Box<dyn Error>> {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let folder = tempfile::tempdir()?;
    let file = match given {
        Some(file) => PathBuf::from(file).canonicalize()?,
        None => walk(folder.path())?,
    };
    let mut rivals = Rivals::default();
    if !in_short() {
        ours(&file)?;
    }
    for _ in 0..rounds(ROUNDS) {
        rivals.ours.push(ours(&file)?);
        // short runs skip the comparison
        if !in_short() {
            rivals.f3d.extend(f3d(&file).map_err(|error| format!("f3d: {error}"))?);
            rivals.three.extend(three(&file).map_err(|error| format!("three.js: {error}"))?);
        }
    }
    Ok(rivals.report().end())
}

/// Measurements of all candidates, by round.
#[derive(Default)]
struct Rivals {
    ours: Vec<Shown>,
    f3d: Vec<Shown>,
    three: Vec<Shown>,
}

impl Rivals {
    fn report(&self) -> Report {
        let mut report = Report::new();
        let (what, target_s) = if self.f3d.is_empty() {
            ("start to first picture, to f3d elsewhere", F3D_START_S)
        } else {
            ("start to first picture, to f3d here", median(starts_s(&self.f3d)))
        };
        report.at_most(what, target_s, "s", starts_s(&self.ours));
        let what = "playing, to three.js in Chromium here";
        if self.three.is_empty() {
            report.note("playing", &format!("{:.0} /s", median(rates(&self.ours))));
            report.note(what, "skipped: LIMBER_THREE_PAGE names no page");
        } else {
            report.at_least(what, median(rates(&self.three)), "/s", rates(&self.ours));
        }
        report
    }
}

fn starts_s(rounds: &[Shown]) -> Vec<f64> {
    rounds.iter().map(|shown| shown.start_s).collect()
}

fn rates(rounds: &[Shown]) -> Vec<f64> {
    rounds.iter().map(|shown| shown.rate).collect()
}

/// A clip that moves throughout and never leaves the frame.
fn walk(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let prompt = Prompt::parse("a person walks forward")?;
    let options = Options { formats: vec![FileKind::Glb], in_place: true, ..Options::default() };
    let duration_s = Some(amount(10.0, 3.0));
    let request = Request { duration_s, options, ..Request::new(prompt, Seed(1)) };
    let character = stock::list()[0].character()?;
    let output = run(&request, &Composer, character, &Cancel::default(), &mut |_| {})?;
    let file = folder.join("walk.glb");
    std::fs::write(&file, &output.files[0].bytes)?;
    Ok(file)
}

fn ours(file: &Path) -> Result<Shown, Box<dyn Error>> {
    let mut viewer = Command::new(env!("CARGO_BIN_EXE_limber-viewer"));
    viewer.args(["--size", &format!("{WIDTH}x{HEIGHT}")]).arg(file);
    watch(&mut viewer, None, amount(PLAYED, Duration::from_millis(500)))
}

/// Measures f3d; `None` if it is not installed.
fn f3d(file: &Path) -> Result<Option<Shown>, Box<dyn Error>> {
    let there = Command::new("f3d").arg("--version").stdout(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let mut viewer = Command::new("f3d");
    // without the user's own settings
    viewer.args(["--dry-run", "--resolution", &format!("{WIDTH},{HEIGHT}")]).arg(file);
    watch(&mut viewer, Some("space"), PLAYED).map(Some)
}

/// Measures three.js; `None` if no page is configured.
fn three(file: &Path) -> Result<Option<Shown>, Box<dyn Error>> {
    let Ok(page) = std::env::var("LIMBER_THREE_PAGE") else { return Ok(None) };
    let profile = tempfile::tempdir()?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    // the folder that the page's server serves
    if let Ok(folder) = std::env::var("LIMBER_THREE_FILES") {
        std::fs::copy(file, Path::new(&folder).join(name.as_ref()))?;
    }
    let mut browser = Command::new("chromium");
    browser
        .args(["--no-sandbox", "--no-first-run", "--disable-quic", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update"])
        .args([
            "--disable-extensions",
            "--use-gl=angle",
            "--use-angle=gl",
            "--ignore-gpu-blocklist",
        ])
        .args([format!("--window-size={WIDTH},{HEIGHT}"), "--window-position=0,0".to_owned()])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--app={page}?m=/{name}"));
    watch(&mut browser, None, PLAYED).map(Some)
}
