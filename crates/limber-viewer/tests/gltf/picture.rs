//! Files rendered by the viewer and examined by their pixels.

use image::RgbImage;
use limber_viewer::{Screenshot, ViewerError, screenshot};

use crate::file::File;

/// The pixels of one colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Patch {
    pub(crate) pixels: usize,
    /// Mean position, from the top left.
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) height: f32,
}

pub(crate) struct Picture(RgbImage);

/// Renders a frame; returns `None` after printing a line if there is no graphics driver.
pub(crate) fn shown(file: File, frame: usize) -> Option<Picture> {
    shown_clip(file, None, frame).map(|outcome| outcome.expect("it is shown"))
}

/// Renders a frame of one of several clips, or returns the error.
pub(crate) fn shown_clip(
    file: File,
    clip: Option<&str>,
    frame: usize,
) -> Option<Result<Picture, ViewerError>> {
    rendered(file, clip, frame, 480)
}

/// Renders the first frame, this many pixels wide and high.
pub(crate) fn shown_at(file: File, side: u32) -> Option<Picture> {
    rendered(file, None, 0, side).map(|outcome| outcome.expect("it is shown"))
}

fn rendered(
    file: File,
    clip: Option<&str>,
    frame: usize,
    side: u32,
) -> Option<Result<Picture, ViewerError>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (glb, png) = (folder.path().join("boxes.glb"), folder.path().join("boxes.png"));
    file.write(&glb);
    let wanted = Screenshot {
        file: png.clone(),
        clip: clip.map(str::to_owned),
        frame,
        size: (side, side),
        layers: vec![],
        light: false,
    };
    match screenshot(&[glb], &wanted) {
        Err(error @ ViewerError::Graphics(_)) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => Some(Err(error)),
        Ok(()) => Some(Ok(Picture(image::open(png).expect("a PNG").into_rgb8()))),
    }
}

impl Picture {
    /// Returns the pixels of this colour.
    pub(crate) fn patch(&self, color: [f32; 4]) -> Patch {
        let near = |pixel: &image::Rgb<u8>| {
            (0..3).all(|band| (f32::from(pixel[band]) / 255.0 - color[band]).abs() < 0.06)
        };
        let found: Vec<_> = self.0.enumerate_pixels().filter(|(_, _, pixel)| near(pixel)).collect();
        let count = found.len().max(1) as f32;
        let mean = |of: fn(&(u32, u32, &image::Rgb<u8>)) -> u32| {
            found.iter().map(|pixel| of(pixel) as f32).sum::<f32>() / count
        };
        let (top, bottom) = (
            found.iter().map(|pixel| pixel.1).min().unwrap_or(0),
            found.iter().map(|pixel| pixel.1).max().unwrap_or(0),
        );
        Patch {
            pixels: found.len(),
            x: mean(|pixel| pixel.0),
            y: mean(|pixel| pixel.1),
            height: (bottom - top) as f32,
        }
    }

    /// Returns how many pixels differ.
    pub(crate) fn changed(&self, other: &Self) -> usize {
        let pairs = self.0.pixels().zip(other.0.pixels());
        pairs.filter(|(a, b)| (0..3).any(|band| a[band].abs_diff(b[band]) > 8)).count()
    }

    /// Returns the relative height of a colour between two others: 0 at `low`, 1 at `high`.
    pub(crate) fn share(&self, of: [f32; 4], low: [f32; 4], high: [f32; 4]) -> f32 {
        let [of, low, high] = [of, low, high].map(|color| {
            let patch = self.patch(color);
            assert!(patch.pixels > 20, "{color:?} is seen: {patch:?}");
            patch.y
        });
        (of - low) / (high - low)
    }
}
