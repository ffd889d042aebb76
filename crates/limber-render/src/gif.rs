//! Moving pictures as GIF: one palette for all of them, and of each only what has changed.

use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use image::RgbaImage;

use crate::RenderError;

/// Colours of the palette; one more number says *unchanged*.
const COLORS: usize = 63;
const UNCHANGED: u8 = COLORS as u8;
/// Every so many pixels the palette is learnt from.
const SAMPLE_EVERY: usize = 5;

/// Pictures of equal size as a GIF that plays for ever, `step_s` seconds each (hundredths are what the
/// format knows).
///
/// # Errors
/// [`RenderError::Moving`] when there is none, or their sizes differ or are beyond 65 535.
pub fn gif(pictures: &[RgbaImage], step_s: f32) -> Result<Vec<u8>, RenderError> {
    let failed = |what: &dyn std::fmt::Display| RenderError::Moving(what.to_string());
    let first = pictures.first().ok_or_else(|| failed(&"there is none"))?;
    if pictures.iter().any(|picture| picture.dimensions() != first.dimensions()) {
        return Err(failed(&"their sizes differ"));
    }
    let side = |pixels: u32| u16::try_from(pixels).map_err(|error| failed(&error));
    let (width, height) = (side(first.width())?, side(first.height())?);
    let palette = palette(pictures);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.color_map_rgb())
        .map_err(|error| failed(&error))?;
    encoder.set_repeat(Repeat::Infinite).map_err(|error| failed(&error))?;
    let mut before: Option<Vec<u8>> = None;
    for picture in pictures {
        let now: Vec<u8> = picture.pixels().map(|pixel| palette.index_of(&pixel.0) as u8).collect();
        let shown = match &before {
            Some(before) => changed(before, &now),
            None => now.clone(),
        };
        let frame = Frame {
            delay: (100.0 * step_s).round() as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            width,
            height,
            buffer: shown.into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(|error| failed(&error))?;
        before = Some(now);
    }
    drop(encoder);
    Ok(bytes)
}

fn palette(pictures: &[RgbaImage]) -> NeuQuant {
    let pixels = pictures.iter().flat_map(|picture| picture.pixels());
    let sample: Vec<u8> = pixels.step_by(SAMPLE_EVERY).flat_map(|pixel| pixel.0).collect();
    NeuQuant::new(3, COLORS, &sample)
}

fn changed(before: &[u8], now: &[u8]) -> Vec<u8> {
    before.iter().zip(now).map(|(a, b)| if a == b { UNCHANGED } else { *b }).collect()
}

#[cfg(test)]
mod tests {
    use image::{AnimationDecoder, Rgba, codecs::gif::GifDecoder};

    use super::*;

    #[test]
    fn pictures_come_back_in_order_and_nearly_in_their_colours() {
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
    fn pictures_of_different_sizes_are_refused() {
        let pictures = [RgbaImage::new(8, 8), RgbaImage::new(8, 9)];
        assert!(gif(&pictures, 0.1).is_err() && gif(&[], 0.1).is_err());
    }
}
