//! Videos, read back with independent decoders.

use std::{io::Cursor, ops::ControlFlow};

use glam::Vec3;
use image::RgbaImage;
use limber_animation::Fps;
use limber_render::{
    Container, Painting, PictureSize, RenderError, Scenery, ShotKind, VideoError, VideoRenderer,
    VideoSettings,
};
use openh264::{decoder::Decoder, formats::YUVSource};

use crate::{
    changed, clay,
    mannequin::{glide, mannequin},
    share,
};

const SIZE: PictureSize = PictureSize::new(256, 144);

fn settings() -> VideoSettings {
    VideoSettings {
        size: SIZE,
        fps: Fps::DEFAULT,
        frames: 12,
        camera: ShotKind::Fixed,
        angle: 0.0,
        scenery: Scenery::Plain([0.5, 0.6, 0.8]),
        shadow: false,
    }
}

/// Returns `None` and prints a line if there is no OpenGL.
fn begun(settings: VideoSettings) -> Option<VideoRenderer> {
    match VideoRenderer::new(&mannequin(), glide(), settings) {
        Ok(renderer) => Some(renderer),
        Err(RenderError::NoGraphics(reason)) => {
            println!("skipped: no off-screen OpenGL here ({reason})");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn packed(settings: VideoSettings, container: Container) -> Option<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    let mut told = Vec::new();
    let mut each = |done| {
        told.push(done);
        ControlFlow::Continue(())
    };
    begun(settings)?.write(container, &mut bytes, &mut each).expect("it can be made");
    assert_eq!(told, (1..=settings.frames).collect::<Vec<_>>());
    Some(bytes.into_inner())
}

/// Returns the decoded frames of an MP4.
fn decoded(mp4: &[u8]) -> Vec<RgbaImage> {
    let read = re_mp4::Mp4::read_bytes(mp4).expect("an MP4");
    let track = read.tracks().values().next().expect("a track");
    let config = track.raw_codec_config(&read).expect("H.264 contains its decoder configuration");
    let mut decoder = Decoder::new().expect("a decoder");
    let mut start = Vec::new();
    // one SPS and one PPS, each with a two-byte length
    let sps = usize::from(u16::from_be_bytes([config[6], config[7]]));
    let pps_at = 8 + sps + 1;
    let pps = usize::from(u16::from_be_bytes([config[pps_at], config[pps_at + 1]]));
    for unit in [&config[8..8 + sps], &config[pps_at + 2..pps_at + 2 + pps]] {
        start.extend([0, 0, 0, 1]);
        start.extend(unit);
    }
    let mut pictures = Vec::new();
    for sample in &track.samples {
        let place = sample.offset as usize;
        let mut rest = &mp4[place..place + sample.size as usize];
        let mut stream = std::mem::take(&mut start);
        while let [a, b, c, d, units @ ..] = rest {
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
            stream.extend([0, 0, 0, 1]);
            stream.extend(&units[..length]);
            rest = &units[length..];
        }
        if let Some(picture) = decoder.decode(&stream).expect("it decodes") {
            let (width, height) = picture.dimensions();
            let mut pixels = vec![0; 4 * width * height];
            picture.write_rgba8(&mut pixels);
            let picture = RgbaImage::from_raw(width as u32, height as u32, pixels);
            pictures.push(picture.expect("its size"));
        }
    }
    pictures.extend(decoder.flush_remaining().expect("the rest").iter().map(|picture| {
        let (width, height) = picture.dimensions();
        let mut pixels = vec![0; 4 * width * height];
        picture.write_rgba8(&mut pixels);
        RgbaImage::from_raw(width as u32, height as u32, pixels).expect("its size")
    }));
    pictures
}

fn boxes(mp4: &[u8]) -> Vec<String> {
    let (mut at, mut names) = (0, Vec::new());
    while at + 8 <= mp4.len() {
        let size = u32::from_be_bytes([mp4[at], mp4[at + 1], mp4[at + 2], mp4[at + 3]]) as usize;
        names.push(String::from_utf8_lossy(&mp4[at + 4..at + 8]).into_owned());
        at += match size {
            0 => mp4.len(),
            1 => u64::from_be_bytes(mp4[at + 8..at + 16].try_into().expect("eight")) as usize,
            size => size,
        };
    }
    assert_eq!(at, mp4.len(), "the boxes fill the file: {names:?}");
    names
}

#[test]
fn an_mp4_has_all_frames_at_a_constant_rate_and_can_be_streamed() {
    for (fps, frames) in [(24, 10), (30, 12), (60, 75)] {
        let fps = Fps::new(fps).expect("a rate");
        let Some(mp4) = packed(VideoSettings { fps, frames, ..settings() }, Container::Mp4) else {
            return;
        };
        let names = boxes(&mp4);
        let place = |name: &str| names.iter().position(|own| own == name).expect("it exists");
        assert!(place("moov") < place("mdat"), "{names:?}");
        let read = re_mp4::Mp4::read_bytes(&mp4).expect("an MP4");
        let track = read.tracks().values().next().expect("a track");
        assert_eq!((track.width, track.height), (256, 144));
        assert_eq!(track.samples.len(), frames);
        let length = track.samples[0].duration;
        assert!(track.samples.iter().all(|sample| sample.duration == length));
        assert_eq!(u64::from(fps.get()) * length, track.timescale);
        let whole: Vec<_> = track.samples.iter().map(|sample| sample.is_sync).collect();
        assert!(whole[0] && whole.iter().filter(|sync| **sync).count() == frames.div_ceil(60));
        assert_eq!(track.codec_string(&read).expect("H.264")[..7], *"avc1.64", "High profile");
        let config = track.raw_codec_config(&read).expect("decoder configuration");
        assert!(config.len() > 20);
        assert_eq!(decoded(&mp4).len(), frames);
    }
}

#[test]
fn decoded_frames_match_the_rendered_ones() {
    let Some(mut renderer) = begun(settings()) else { return };
    let mp4 = packed(settings(), Container::Mp4).expect("it was rendered before");
    for (number, shown) in decoded(&mp4).iter().enumerate() {
        let drawn = renderer.picture(number).expect("it can be rendered");
        let apart = drawn.pixels().zip(shown.pixels());
        let error: f32 = apart
            .flat_map(|(a, b)| (0..3).map(move |band| f32::from(a[band].abs_diff(b[band]))))
            .map(|apart| apart * apart)
            .sum();
        let psnr = 10.0 * (255.0 * 255.0 / (error / (3.0 * 256.0 * 144.0))).log10();
        // the decoder assumes BT.601 instead of BT.709, which shifts saturated colours slightly
        assert!(psnr > 26.0, "picture {number}: {psnr} dB");
    }
}

#[test]
fn the_same_video_is_the_same_file() {
    for container in [Container::Mp4, Container::Gif, Container::Png] {
        let short = VideoSettings { frames: 4, ..settings() };
        let Some(one) = packed(short, container) else { return };
        assert_eq!(one, packed(short, container).expect("rendered before"), "{container:?}");
    }
}

#[test]
fn cameras_frame_the_body_as_intended() {
    let seen = |camera, angle| {
        let mp4 =
            packed(VideoSettings { camera, angle, frames: 60, ..settings() }, Container::Mp4)?;
        Some(decoded(&mp4))
    };
    // the body glides forwards: seen from its left, it moves from right to left
    let Some(fixed) = seen(ShotKind::Fixed, 1.5) else { return };
    let follow = seen(ShotKind::Follow, 1.5).expect("rendered before");
    let face = seen(ShotKind::Face, 1.5).expect("rendered before");
    let front = seen(ShotKind::Fixed, 0.0).expect("rendered before");
    let middle = |picture: &RgbaImage| {
        let body = clay(picture);
        body.iter().fold(0.0, |sum, (x, _)| sum + *x as f32) / body.len().max(1) as f32
    };
    let way = |pictures: &[RgbaImage]| middle(&pictures[0]) - middle(&pictures[59]);
    assert!(way(&fixed) > 60.0 && way(&follow) < 40.0, "{} {}", way(&fixed), way(&follow));
    assert!(way(&front).abs() < 8.0, "from the front it comes nearer: {}", way(&front));
    let body = |picture: &RgbaImage| share(clay(picture).len(), picture);
    assert!(body(&face[0]) > 2.5 * body(&follow[0]), "the face is near");
    assert!(body(&front[59]) > 1.2 * body(&front[0]), "it comes nearer");
    assert!(share(changed(&fixed[0], &front[0]).len(), &front[0]) > 0.01);
    for video in [&fixed, &follow] {
        for picture in video {
            let edge = clay(picture);
            let near = |(x, y): &(u32, u32)| *x < 4 || *x > 251 || *y < 4 || *y > 139;
            assert!(!edge.iter().any(near), "the whole body is in the picture");
        }
    }
}

#[test]
fn a_shadow_darkens_the_floor_only_when_enabled() {
    let shot = |scenery, shadow| {
        let mut renderer = begun(VideoSettings { scenery, shadow, ..settings() })?;
        Some(renderer.picture(0).expect("it can be rendered"))
    };
    for scenery in [Scenery::Plain([0.7; 3]), Scenery::Studio([0.7; 3])] {
        let Some(without) = shot(scenery, false) else { return };
        let with = shot(scenery, true).expect("rendered before");
        let pairs = with.pixels().zip(without.pixels());
        let darker = pairs.filter(|(with, without)| with[1] + 12 < without[1]).count();
        assert!(share(darker, &with) > 0.003, "{scenery:?}: {darker}");
        let low = with.enumerate_pixels().zip(without.pixels());
        let upper = low.filter(|((_, y, with), without)| *y < 60 && with[1] + 12 < without[1]);
        assert!(upper.count() < 20, "{scenery:?}: no shadow in the air");
    }
}

#[test]
fn background_colours_and_backdrops_are_shown() {
    let shot = |scenery| {
        let mut renderer = begun(VideoSettings { scenery, ..settings() })?;
        Some(renderer.picture(0).expect("it can be rendered"))
    };
    let Some(red) = shot(Scenery::Studio([0.8, 0.3, 0.3])) else { return };
    let blue = shot(Scenery::Studio([0.3, 0.3, 0.8])).expect("rendered before");
    for corner in [(4, 4), (250, 4), (4, 139), (250, 139)] {
        let (red, blue) = (red[corner], blue[corner]);
        assert!(red[0] > red[2] + 30 && blue[2] > blue[0] + 30, "{corner:?}: {red:?} {blue:?}");
    }
    let wall = [(20, 8), (20, 136)].map(|place| {
        Vec3::from(<[f32; 3]>::try_from(&red[place].0.map(f32::from)[..3]).expect("three"))
    });
    assert!((wall[0] - wall[1]).length() > 6.0, "wall and floor are lit differently: {wall:?}");
    let painting = Painting::UrbanRooftop;
    let shown = shot(Scenery::Painting(painting)).expect("rendered before");
    let painted = painting.paint(SIZE);
    for corner in [(4, 4), (250, 4), (4, 139), (250, 139)] {
        let apart = (0..3).map(|band| shown[corner][band].abs_diff(painted[corner][band])).max();
        assert!(apart <= Some(3), "{corner:?}");
    }
}

#[test]
fn gif_and_png_contain_every_frame() {
    use image::AnimationDecoder as _;
    let fifty = VideoSettings { fps: Fps::new(50).expect("a rate"), frames: 7, ..settings() };
    let Some(gif) = packed(fifty, Container::Gif) else { return };
    let gif = image::codecs::gif::GifDecoder::new(Cursor::new(gif)).expect("a GIF");
    let frames = gif.into_frames().collect_frames().expect("whole pictures");
    assert_eq!(frames.len(), 7);
    assert!(frames.iter().all(|frame| frame.delay().numer_denom_ms() == (20, 1)));
    let zip = packed(fifty, Container::Png).expect("rendered before");
    let mut zip = zip::ZipArchive::new(Cursor::new(zip)).expect("a ZIP");
    assert_eq!(zip.len(), 7);
    let mut renderer = begun(fifty).expect("rendered before");
    for number in 0..7 {
        let mut bytes = Vec::new();
        let mut file = zip.by_index(number).expect("a file");
        let name = file.name().expect("a name").into_owned();
        assert_eq!(name, format!("{number:04}.png"));
        std::io::Read::read_to_end(&mut file, &mut bytes).expect("it unpacks");
        let picture = image::load_from_memory(&bytes).expect("a PNG").to_rgb8();
        let drawn =
            image::DynamicImage::from(renderer.picture(number).expect("rendered")).to_rgb8();
        assert_eq!(picture, drawn);
    }
}

#[test]
fn a_cancelled_video_stops_at_once() {
    let Some(mut renderer) = begun(VideoSettings { frames: 500, ..settings() }) else { return };
    let mut each =
        |done| if done == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let ended = renderer.write(Container::Mp4, Cursor::new(Vec::new()), &mut each);
    assert!(matches!(ended, Err(VideoError::Stopped)));
}
