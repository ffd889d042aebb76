//! A screen that is looked at from outside: no viewer helps, none can flatter itself.

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
/// A picture has many colours; a blank window, a splash or a spinner only a handful.
const FEWEST_COLOURS: usize = 40;
/// Once seen, the picture must stay so long.
const STAYS: Duration = Duration::from_secs(2);
/// What shows nothing by then shows nothing.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between the first picture and counting: what is loaded late is loaded.
const SETTLE: Duration = Duration::from_secs(1);

/// What a program showed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown {
    /// From the start of its process to the first picture that stayed, seconds.
    pub(crate) start_s: f64,
    /// Pictures that differ, a second.
    pub(crate) rate: f64,
}

/// A display whose picture is a file.
struct Screen {
    server: Child,
    display: String,
    pixels: File,
    /// Where the first pixel is in the file, and how long a row is, bytes.
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
        // the head of an X window dump: big-endian words
        let mut head = [0; 100];
        pixels.read_exact_at(&mut head, 0)?;
        let word =
            |place: usize| u32::from_be_bytes(std::array::from_fn(|byte| head[place * 4 + byte]));
        let layout = (u64::from(word(0) + word(19) * 12), word(12) as usize);
        Ok(Self { server, display: format!(":{}", number.trim()), pixels, layout, _folder: folder })
    }

    /// The middle quarter of the picture, every third pixel.
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

/// Whether there is a server for such screens.
pub(crate) fn is_there() -> bool {
    Command::new("Xvfb").arg("-help").stderr(Stdio::null()).stdout(Stdio::null()).status().is_ok()
}

/// Starts a program on a screen of its own and watches it; `played` long for its rate. `key` is
/// pressed after its first picture, to make it play.
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

/// A program that ends with the benchmark.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
