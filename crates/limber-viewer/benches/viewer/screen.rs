//! Observes a display from outside, so that every program is measured without its cooperation.

use std::{
    collections::HashSet,
    error::Error,
    fs::File,
    hash::{DefaultHasher, Hash, Hasher},
    io::{BufRead, BufReader},
    os::unix::fs::FileExt,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

pub(crate) const WIDTH: usize = 1280;
pub(crate) const HEIGHT: usize = 720;
/// Minimum number of colours that count as a rendered scene; blank windows, splash screens and
/// spinners have only a handful.
const FEWEST_COLOURS: usize = 40;
/// How long the scene must stay visible to count.
const STAYS: Duration = Duration::from_secs(2);
/// Timeout for the first frame.
const PATIENCE: Duration = Duration::from_secs(60);
/// Delay between the first frame and counting, for assets that load late.
const SETTLE: Duration = Duration::from_secs(1);

/// What a program displayed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// Time from process start to the first frame that stayed, seconds.
    pub(crate) start_s: f64,
    /// Distinct frames per second.
    pub(crate) rate: f64,
}

/// A virtual display whose framebuffer is a file.
struct Screen {
    server: Child,
    display: String,
    pixels: File,
    /// Offset of the first pixel in the file, and bytes per row.
    layout: (u64, usize),
    // dropped last
    _folder: TempDir,
}

impl Screen {
    fn open() -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let screen = format!("{WIDTH}x{HEIGHT}x24");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp", "-nocursor"])
            .arg("-fbdir")
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut number = String::new();
        let told = server.stdout.take().ok_or("it has no output")?;
        BufReader::new(told).read_line(&mut number)?;
        let pixels = File::open(folder.path().join("Xvfb_screen0"))?;
        // the header of an X window dump: big-endian words
        let mut head = [0; 100];
        pixels.read_exact_at(&mut head, 0)?;
        let word =
            |place: usize| u32::from_be_bytes(std::array::from_fn(|byte| head[place * 4 + byte]));
        let layout = (u64::from(word(0) + word(19) * 12), word(12) as usize);
        Ok(Self { server, display: format!(":{}", number.trim()), pixels, layout, _folder: folder })
    }

    /// Reads every third pixel of the central quarter.
    fn middle(&self) -> Result<Vec<u32>, Box<dyn Error>> {
        let (first, row) = self.layout;
        let rows = HEIGHT / 2;
        let mut bytes = vec![0; rows * row];
        self.pixels.read_exact_at(&mut bytes, first + (HEIGHT / 4 * row) as u64)?;
        let pixel = |at: &[u8]| u32::from_le_bytes([at[0], at[1], at[2], 0]);
        Ok(bytes
            .chunks_exact(row)
            .step_by(3)
            .flat_map(|row| row[WIDTH..WIDTH * 3].chunks_exact(4).step_by(3).map(pixel))
            .collect())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Returns whether the virtual display server is installed.
pub(crate) fn is_there() -> bool {
    Command::new("Xvfb").arg("-help").stderr(Stdio::null()).stdout(Stdio::null()).status().is_ok()
}

/// Runs a program on its own display and measures it; the frame rate is measured for `played`.
/// `key` is pressed after the first frame, to start playback.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub(crate) fn watch(
    program: &mut Command,
    key: Option<&str>,
    played: Duration,
) -> Result<Shown, Box<dyn Error>> {
    let screen = Screen::open()?;
    let blank = screen.middle()?;
    let drawn_by_processor = [
        ("DISPLAY", screen.display.as_str()),
        ("LIBGL_ALWAYS_SOFTWARE", "1"),
        ("GALLIUM_DRIVER", "llvmpipe"),
        ("vblank_mode", "0"),
    ];
    let begun = Instant::now();
    let program = program.envs(drawn_by_processor).stdout(Stdio::null()).stderr(Stdio::null());
    let mut viewer = Ended(program.stdin(Stdio::piped()).spawn()?);
    let mut since: Option<Instant> = None;
    let start = loop {
        let now = Instant::now();
        let middle = screen.middle()?;
        let colours = middle.iter().collect::<HashSet<_>>().len();
        if middle != blank && colours >= FEWEST_COLOURS {
            let first = *since.get_or_insert(now);
            if now - first > STAYS {
                break first - begun;
            }
        } else {
            since = None;
        }
        if let Some(status) = viewer.0.try_wait()? {
            return Err(format!("it ended without a picture: {status}").into());
        }
        if begun.elapsed() > PATIENCE {
            return Err("it showed nothing within a minute".into());
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    if let Some(key) = key {
        Command::new("xdotool").args(["key", key]).env("DISPLAY", &screen.display).status()?;
    }
    std::thread::sleep(SETTLE);
    let rate = rate(&screen, played)?;
    Ok(Shown { start_s: start.as_secs_f64(), rate })
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn rate(screen: &Screen, played: Duration) -> Result<f64, Box<dyn Error>> {
    let hash = || -> Result<u64, Box<dyn Error>> {
        let mut hasher = DefaultHasher::new();
        screen.middle()?.hash(&mut hasher);
        Ok(hasher.finish())
    };
    let (begun, mut last, mut pictures) = (Instant::now(), hash()?, 0_u32);
    while begun.elapsed() < played {
        let now = hash()?;
        pictures += u32::from(now != last);
        last = now;
        std::thread::sleep(Duration::from_micros(1500));
    }
    Ok(f64::from(pictures) / begun.elapsed().as_secs_f64())
}

/// A process that is killed with the benchmark.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
