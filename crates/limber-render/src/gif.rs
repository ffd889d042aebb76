//! Encodes animated GIFs with one global palette; each frame stores only the pixels that changed.

use std::{collections::HashMap, io::Write};

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use image::RgbaImage;

use crate::{PictureSize, RenderError};

/// Palette size of small previews.
const COLORS: usize = 63;
/// The palette is computed from every nth pixel.
const SAMPLE_EVERY: usize = 5;
/// Maximum number of pixels from which the palette is computed; the time it takes is proportional.
const MOST_SAMPLES: usize = 400_000;

/// Encodes images of equal size as a GIF that loops for ever. Each is shown for `step_s` seconds;
/// the format rounds times to hundredths of a second.
///
/// # Errors
/// [`RenderError::Moving`] if there are no images, their sizes differ, or a side is longer than 65
/// 535 pixels.
pub fn gif(pictures: &[RgbaImage], step_s: f32) -> Result<Vec<u8>, RenderError> {
    let mut writer = GifWriter::begin(Vec::new(), pictures, step_s, COLORS)?;
    for picture in pictures {
        writer.put(picture)?;
    }
    writer.end()
}

/// Writes a GIF frame by frame.
pub(crate) struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    palette: NeuQuant,
    /// Palette index by colour. Searching for the nearest palette entry takes longer than
    /// rendering.
    places: HashMap<[u8; 3], u8>,
    size: PictureSize,
    /// The palette index for unchanged pixels: the first after the colours.
    unchanged: u8,
    before: Option<Vec<u8>>,
    step_s: f64,
    written: u32,
    /// Total delay written so far, in hundredths of a second.
    told: u32,
}

impl<W: Write> GifWriter<W> {
    /// Starts a GIF with a palette of `colors` colours (at most 255) computed from sample frames.
    pub(crate) fn begin(
        out: W,
        sample: &[RgbaImage],
        step_s: f32,
        colors: usize,
    ) -> Result<Self, RenderError> {
        let first = sample.first().ok_or_else(|| failed("there is none"))?;
        let side = |pixels: u32| u16::try_from(pixels).map_err(failed);
        let (width, height) = (side(first.width())?, side(first.height())?);
        let palette = palette(sample, colors);
        let mut encoder =
            Encoder::new(out, width, height, &palette.color_map_rgb()).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self {
            encoder,
            palette,
            places: HashMap::new(),
            size: PictureSize::new(first.width(), first.height()),
            unchanged: colors as u8,
            before: None,
            step_s: f64::from(step_s),
            written: 0,
            told: 0,
        })
    }

    pub(crate) fn put(&mut self, picture: &RgbaImage) -> Result<(), RenderError> {
        if picture.dimensions() != (self.size.width, self.size.height) {
            return Err(failed("their sizes differ"));
        }
        let (palette, places) = (&self.palette, &mut self.places);
        let now: Vec<u8> = picture
            .pixels()
            .map(|pixel| {
                let [r, g, b, _] = pixel.0;
                *places.entry([r, g, b]).or_insert_with(|| palette.index_of(&pixel.0) as u8)
            })
            .collect();
        let shown = match &self.before {
            Some(before) => changed(before, &now, self.unchanged),
            None => now.clone(),
        };
        self.written += 1;
        // carry the rounding error of each delay over to the next frame
        let until = (100.0 * self.step_s * f64::from(self.written)).round() as u32;
        let frame = Frame {
            delay: u16::try_from(until - self.told).unwrap_or(u16::MAX),
            dispose: DisposalMethod::Keep,
            transparent: Some(self.unchanged),
            width: self.size.width as u16,
            height: self.size.height as u16,
            buffer: shown.into(),
            ..Frame::default()
        };
        self.told = until;
        self.encoder.write_frame(&frame).map_err(failed)?;
        self.before = Some(now);
        Ok(())
    }

    /// Finishes the file and returns the writer.
    pub(crate) fn end(self) -> Result<W, RenderError> {
        self.encoder.into_inner().map_err(failed)
    }
}

fn failed(what: impl std::fmt::Display) -> RenderError {
    RenderError::Moving(what.to_string())
}

fn palette(pictures: &[RgbaImage], colors: usize) -> NeuQuant {
    let pixels = || pictures.iter().flat_map(|picture| picture.pixels());
    let all: usize = pictures.iter().map(|picture| picture.as_raw().len() / 4).sum();
    let every = SAMPLE_EVERY.max(all / MOST_SAMPLES);
    let sample: Vec<u8> = pixels().step_by(every).flat_map(|pixel| pixel.0).collect();
    NeuQuant::new(3, colors, &sample)
}

fn changed(before: &[u8], now: &[u8], unchanged: u8) -> Vec<u8> {
    before.iter().zip(now).map(|(a, b)| if a == b { unchanged } else { *b }).collect()
}

#[cfg(test)]
mod tests {
    use image::{AnimationDecoder, Rgba, codecs::gif::GifDecoder};

    use super::*;

    #[test]
    fn frames_are_decoded_in_order_with_similar_colours() {
        let square = |left: u32| {
            RgbaImage::from_fn(64, 48, |x, y| {
                let inside = (left..left + 16).contains(&x) && (16..32).contains(&y);
                if inside { Rgba([220, 40, 30, 255]) } else { Rgba([20, 60, 90, 255]) }
            })
        };
        let pictures = [square(4), square(20), square(40)];
        let bytes = gif(&pictures, 0.1).expect("it can be packed");
        let decoder = GifDecoder::new(std::io::Cursor::new(bytes)).expect("a GIF");
        let frames = decoder.into_frames().collect_frames().expect("whole frames");
        assert_eq!(frames.len(), 3);
        for (frame, picture) in frames.iter().zip(&pictures) {
            assert_eq!(frame.delay().numer_denom_ms(), (100, 1));
            for (read, written) in frame.buffer().pixels().zip(picture.pixels()) {
                let apart = (0..3).map(|c| read.0[c].abs_diff(written.0[c])).max();
                assert!(apart <= Some(12), "{read:?} for {written:?}");
            }
        }
    }

    #[test]
    fn frames_of_different_sizes_are_rejected() {
        let pictures = [RgbaImage::new(8, 8), RgbaImage::new(8, 9)];
        assert!(gif(&pictures, 0.1).is_err() && gif(&[], 0.1).is_err());
    }
}
