//! How soon the viewer shows a correct picture, and how many pictures a second it plays.
//!
//! `cargo bench -p limber-viewer --bench viewer [-- FILE.glb]`. Without a file it plays a walk of
//! the stock character. Everybody is measured alike, from outside, by turns, on screens of 1280 ×
//! 720 pixels that the processor draws: the viewer, f3d where it is installed, and three.js in
//! Chromium where `LIMBER_THREE_PAGE` names the address of a page that plays the file it is given as
//! `?m=`. Prints targets, medians of 3 and verdicts, and exits non-zero on a miss. A first start,
//! which fills the driver's shader cache as the first start on any machine does, is not counted.

mod screen;

use std::{
    error::Error,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::Duration,
};

use limber_pipeline::{FileKind, Options, Request, run, stock};
use limber_text_to_motion::{Cancel, Composer, Prompt, Seed};

use crate::screen::{HEIGHT, Shown, WIDTH, watch};

/// What f3d needs at its best, with everything drawn by the processor; where it is not installed.
const F3D_START_S: f64 = 0.65;
const ROUNDS: usize = 3;
const PLAYED: Duration = Duration::from_secs(4);

fn main() -> ExitCode {
    if !screen::is_there() {
        println!("viewer: skipped, there is no Xvfb here");
        return ExitCode::SUCCESS;
    }
    match measure() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("viewer: could not be measured: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<bool, Box<dyn Error>> {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let folder = tempfile::tempdir()?;
    let file = match given {
        Some(file) => PathBuf::from(file).canonicalize()?,
        None => walk(folder.path())?,
    };
    let mut rivals = Rivals::default();
    ours(&file)?;
    for _ in 0..ROUNDS {
        rivals.ours.push(ours(&file)?);
        rivals.f3d.extend(f3d(&file).map_err(|error| format!("f3d: {error}"))?);
        rivals.three.extend(three(&file).map_err(|error| format!("three.js: {error}"))?);
    }
    Ok(rivals.print())
}

/// What everybody showed, round by round.
#[derive(Default)]
struct Rivals {
    ours: Vec<Shown>,
    f3d: Vec<Shown>,
    three: Vec<Shown>,
}

impl Rivals {
    /// Prints a row for each number; whether all targets are met.
    fn print(&self) -> bool {
        let verdict = |met: bool| if met { "met" } else { "MISSED" };
        let (target_s, whose) = match median(&self.f3d, |shown| shown.start_s) {
            Some(start_s) => (start_s, "f3d here"),
            None => (F3D_START_S, "f3d elsewhere; it is not installed"),
        };
        let start_s = median(&self.ours, |shown| shown.start_s).unwrap_or(f64::INFINITY);
        let soon = start_s <= target_s;
        println!(
            "start to first picture: target ≤ {target_s:.2} s ({whose}) | median {start_s:.2} s | {}",
            verdict(soon)
        );
        let rate = median(&self.ours, |shown| shown.rate).unwrap_or(0.0);
        let Some(target) = median(&self.three, |shown| shown.rate) else {
            println!("playing: median {rate:.0} /s");
            println!("playing against three.js: skipped, LIMBER_THREE_PAGE names no page");
            return soon;
        };
        let smooth = rate >= target;
        println!(
            "playing at {WIDTH} × {HEIGHT}: target ≥ {target:.0} /s (three.js in Chromium here) | \
             median {rate:.0} /s | {}",
            verdict(smooth)
        );
        soon && smooth
    }
}

fn median(rounds: &[Shown], number: fn(&Shown) -> f64) -> Option<f64> {
    let mut numbers: Vec<f64> = rounds.iter().map(number).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// A clip that moves all the time it is played, and never out of the picture.
fn walk(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let prompt = Prompt::parse("a person walks forward")?;
    let options = Options { formats: vec![FileKind::Glb], in_place: true, ..Options::default() };
    let request = Request { duration_s: Some(10.0), options, ..Request::new(prompt, Seed(1)) };
    let character = stock::list()[0].character()?;
    let output = run(&request, &Composer, character, &Cancel::default(), &mut |_| {})?;
    let file = folder.join("walk.glb");
    std::fs::write(&file, &output.files[0].bytes)?;
    Ok(file)
}

fn ours(file: &Path) -> Result<Shown, Box<dyn Error>> {
    let mut viewer = Command::new(env!("CARGO_BIN_EXE_limber-viewer"));
    viewer.args(["--size", &format!("{WIDTH}x{HEIGHT}")]).arg(file);
    watch(&mut viewer, None, PLAYED)
}

/// Nothing where it is not installed.
fn f3d(file: &Path) -> Result<Option<Shown>, Box<dyn Error>> {
    let there = Command::new("f3d").arg("--version").stdout(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let mut viewer = Command::new("f3d");
    // without the settings of whoever runs this
    viewer.args(["--dry-run", "--resolution", &format!("{WIDTH},{HEIGHT}")]).arg(file);
    watch(&mut viewer, Some("space"), PLAYED).map(Some)
}

/// Nothing where no page is named.
fn three(file: &Path) -> Result<Option<Shown>, Box<dyn Error>> {
    let Ok(page) = std::env::var("LIMBER_THREE_PAGE") else { return Ok(None) };
    let profile = tempfile::tempdir()?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    // the page's server hands out the folder that this names
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
