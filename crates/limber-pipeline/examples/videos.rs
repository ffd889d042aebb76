//! Renders videos with every backdrop, camera and lighting, and a sheet with a frame of each:
//!
//! `cargo run --release -p limber-pipeline --example videos -- FOLDER [JUDGE]`
//!
//! `JUDGE` is a program that is called with these arguments and exits with 0 if the video is valid:
//!
//! `python3 JUDGE VIDEO --fps 24 --size 640x360 --h264 --min-duration 1.9`
//!
//! The sheet `films.jpg` is extracted from the videos with `ffmpeg`, so that it shows what other
//! players show.

use std::{
    error::Error,
    fs::File,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::Command,
};

use image::{RgbImage, codecs::jpeg::JpegEncoder, imageops};
use limber_pipeline::{
    Cancel, Composer, FileKind, Options, Prompt, Request, Seed, backdrops, run, stock,
    video::{self, Camera, Container, VideoRequest},
};

const SIZE: [u32; 2] = [640, 360];
const FPS: u16 = 24;
/// Time of the frame that goes into the sheet, in seconds.
const LOOK_S: &str = "1.1";
const COLUMNS: u32 = 4;
const CELL: [u32; 2] = [320, 180];
const QUALITY: u8 = 82;

/// What the stock characters do, one prompt each.
const DEEDS: [&str; 8] = [
    "a person waves with the right hand",
    "a person walks forward",
    "a person laughs",
    "a person kicks with the right leg",
    "a person jumps",
    "a person dances the twist",
    "a person swings a sword",
    "a person salutes",
];

/// Videos without a painted backdrop: (backdrop, colour, shadow).
const OPEN: [(Option<&str>, [u8; 3], bool); 11] = [
    (None, [200, 200, 200], false),
    (None, [24, 28, 36], true),
    (None, [244, 244, 246], true),
    (None, [36, 92, 70], false),
    (None, [228, 160, 60], true),
    (Some("studio"), [200, 200, 200], false),
    (Some("studio"), [200, 200, 200], true),
    (Some("studio"), [90, 120, 200], true),
    (Some("studio"), [236, 120, 96], false),
    (Some("studio"), [250, 250, 250], true),
    (Some("studio"), [40, 42, 48], true),
];
const CAMERAS: [Camera; 3] = [Camera::Cinematic, Camera::Fixed, Camera::Face];
const ANGLES_DEG: [f32; 5] = [0.0, 35.0, -25.0, 70.0, -90.0];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let (folder, judge) = match arguments.as_slice() {
        [folder] => (folder, None),
        [folder, judge] => (folder, Some(judge.as_path())),
        _ => return Err("usage: videos FOLDER [JUDGE]".into()),
    };
    std::fs::create_dir_all(folder)?;
    let actors: Vec<(Vec<u8>, usize)> =
        (0..DEEDS.len()).map(acted).collect::<Result<_, Box<dyn Error>>>()?;
    let mut pictures = Vec::new();
    let mut refused = 0;
    for (place, request) in requests().into_iter().enumerate() {
        let (glb, frames) = &actors[place % actors.len()];
        let request = VideoRequest { clip_frames: *frames, ..request };
        let backdrop = request.backdrop.as_deref().unwrap_or("plain");
        let path = folder.join(format!("{place:02}-{backdrop}.mp4"));
        video::render(glb, &request, File::create(&path)?, &mut |_| ControlFlow::Continue(()))?;
        let verdict = judge.map_or(Ok("made"), |judge| judged(judge, &path))?;
        refused += usize::from(verdict == "REFUSED");
        println!(
            "{place:>2} {verdict:<8} {backdrop:<18} {:<10} {:>4}° shadow {:<5} colour {:?}",
            format!("{:?}", request.camera),
            request.angle_deg,
            request.shadow,
            request.color
        );
        pictures.push(picture_in(&path)?);
    }
    sheet(&pictures, &folder.join("films.jpg"))?;
    if refused > 0 { Err(format!("{refused} videos are wrong").into()) } else { Ok(()) }
}

/// Returns one video for each painted backdrop, then those without.
fn requests() -> Vec<VideoRequest> {
    let flat = backdrops::list().iter().filter(|backdrop| backdrop.is_flat);
    let flat = flat.map(|backdrop| (Some(backdrop.name), [200, 200, 200], false));
    let both = flat.chain(OPEN).enumerate();
    both.map(|(place, (backdrop, color, shadow))| VideoRequest {
        width: SIZE[0],
        height: SIZE[1],
        fps: FPS,
        first_frame: 0,
        clip_frames: 0,
        clip_fps: 30,
        camera: CAMERAS[place % CAMERAS.len()],
        angle_deg: ANGLES_DEG[place % ANGLES_DEG.len()],
        color,
        backdrop: backdrop.map(str::to_owned),
        shadow,
        container: Container::Mp4,
    })
    .collect()
}

/// Returns the GLB of a stock character that performs a prompt, and its number of frames.
fn acted(place: usize) -> Result<(Vec<u8>, usize), Box<dyn Error>> {
    let stock = &stock::list()[place % stock::list().len()];
    let options = Options { formats: vec![FileKind::Glb], ..Options::default() };
    let request = Request { options, ..Request::new(Prompt::parse(DEEDS[place])?, Seed(1)) };
    let output = run(&request, &Composer, stock.character()?, &Cancel::default(), &mut |_| {})?;
    let glb = output.files.into_iter().find(|file| file.kind == FileKind::Glb);
    Ok((glb.ok_or("a GLB was requested")?.bytes, output.clip.len()))
}

fn judged(judge: &Path, video: &Path) -> Result<&'static str, Box<dyn Error>> {
    let said = Command::new("python3")
        .args([judge, video])
        .args(["--fps", &FPS.to_string(), "--size", &format!("{}x{}", SIZE[0], SIZE[1])])
        .args(["--h264", "--min-duration", "1.9"])
        .output()?;
    let report = String::from_utf8_lossy(&said.stdout);
    if said.status.success() && report.contains("\"warnings\": []") {
        return Ok("right");
    }
    eprintln!("{report}");
    Ok("REFUSED")
}

/// Extracts a frame from a video with an independent decoder.
fn picture_in(video: &Path) -> Result<RgbImage, Box<dyn Error>> {
    let said = Command::new("ffmpeg")
        .args(["-loglevel", "error", "-ss", LOOK_S, "-i"])
        .arg(video)
        .args(["-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"])
        .output()
        .map_err(|error| format!("ffmpeg, which extracts frames from videos: {error}"))?;
    let picture = image::load_from_memory(&said.stdout)?.into_rgb8();
    Ok(imageops::resize(&picture, CELL[0], CELL[1], imageops::FilterType::Lanczos3))
}

fn sheet(pictures: &[RgbImage], path: &Path) -> Result<(), Box<dyn Error>> {
    let rows = u32::try_from(pictures.len())?.div_ceil(COLUMNS);
    let mut sheet = RgbImage::new(COLUMNS * CELL[0], rows * CELL[1]);
    for (place, picture) in (0_u32..).zip(pictures) {
        let (x, y) = ((place % COLUMNS) * CELL[0], (place / COLUMNS) * CELL[1]);
        imageops::replace(&mut sheet, picture, i64::from(x), i64::from(y));
    }
    Ok(sheet.write_with_encoder(JpegEncoder::new_with_quality(File::create(path)?, QUALITY))?)
}
