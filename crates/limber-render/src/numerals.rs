//! Draws digits as strokes, to number the frames of a contact sheet.

use glam::Vec2;
use image::{Rgba, RgbaImage};

/// Strokes of each digit as polylines, in a box 1 wide and 2 tall with the origin at the top left.
#[rustfmt::skip]
const DIGITS: [&[&[(f32, f32)]]; 10] = [
    &[&[(0.5, 0.0), (0.15, 0.2), (0.0, 0.7), (0.0, 1.3), (0.15, 1.8), (0.5, 2.0), (0.85, 1.8), (1.0, 1.3), (1.0, 0.7), (0.85, 0.2), (0.5, 0.0)]],
    &[&[(0.15, 0.4), (0.6, 0.0), (0.6, 2.0)]],
    &[&[(0.0, 0.45), (0.2, 0.1), (0.5, 0.0), (0.8, 0.1), (1.0, 0.45), (0.95, 0.8), (0.0, 2.0), (1.0, 2.0)]],
    &[&[(0.05, 0.3), (0.3, 0.03), (0.6, 0.0), (0.9, 0.2), (0.95, 0.6), (0.75, 0.88), (0.4, 0.95), (0.8, 1.05), (1.0, 1.4), (0.9, 1.8), (0.55, 2.0), (0.2, 1.93), (0.0, 1.65)]],
    &[&[(0.75, 2.0), (0.75, 0.0), (0.0, 1.4), (1.0, 1.4)]],
    &[&[(0.9, 0.0), (0.15, 0.0), (0.08, 0.9), (0.45, 0.75), (0.8, 0.85), (1.0, 1.3), (0.88, 1.75), (0.5, 2.0), (0.15, 1.9), (0.0, 1.65)]],
    &[&[(0.8, 0.05), (0.35, 0.35), (0.05, 0.95), (0.0, 1.4), (0.15, 1.85), (0.5, 2.0), (0.85, 1.85), (1.0, 1.4), (0.85, 1.0), (0.5, 0.85), (0.15, 1.0), (0.0, 1.4)]],
    &[&[(0.0, 0.0), (1.0, 0.0), (0.35, 2.0)]],
    &[&[(0.5, 0.0), (0.15, 0.15), (0.08, 0.5), (0.2, 0.82), (0.5, 0.93), (0.85, 1.1), (1.0, 1.5), (0.85, 1.87), (0.5, 2.0), (0.15, 1.87), (0.0, 1.5), (0.15, 1.1), (0.5, 0.93), (0.8, 0.82), (0.92, 0.5), (0.85, 0.15), (0.5, 0.0)]],
    &[&[(1.0, 0.6), (0.85, 1.0), (0.5, 1.15), (0.15, 1.0), (0.0, 0.6), (0.15, 0.15), (0.5, 0.0), (0.85, 0.15), (1.0, 0.6), (0.95, 1.05), (0.65, 1.65), (0.2, 1.95)]],
];

/// Draws a number with its top left corner at `at`; digits are `height` pixels tall.
pub(crate) fn write_number(
    picture: &mut RgbaImage,
    number: usize,
    at: Vec2,
    height: f32,
    color: [u8; 3],
) {
    let unit = height * 0.5;
    for (place, digit) in number.to_string().bytes().enumerate() {
        let corner = at + Vec2::new(place as f32 * unit * 1.55, 0.0);
        for stroke in DIGITS[usize::from(digit - b'0')] {
            for pair in stroke.windows(2) {
                let from = corner + Vec2::from(pair[0]) * unit;
                let to = corner + Vec2::from(pair[1]) * unit;
                draw_line(picture, from, to, height * 0.07, color);
            }
        }
    }
}

/// Draws an anti-aliased line with round caps. `half_width` is half its width in pixels.
fn draw_line(picture: &mut RgbaImage, from: Vec2, to: Vec2, half_width: f32, color: [u8; 3]) {
    let reach = Vec2::splat(half_width + 1.0);
    let size = Vec2::new(picture.width() as f32, picture.height() as f32);
    let low = (from.min(to) - reach).clamp(Vec2::ZERO, size).as_uvec2();
    let high = (from.max(to) + reach).clamp(Vec2::ZERO, size).as_uvec2();
    let way = to - from;
    for y in low.y..high.y {
        for x in low.x..high.x {
            let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - from;
            let along = (point.dot(way) / way.length_squared().max(1e-9)).clamp(0.0, 1.0);
            let cover = (half_width + 0.5 - (point - way * along).length()).clamp(0.0, 1.0);
            let Rgba([red, green, blue, _]) = picture.get_pixel_mut(x, y);
            for (below, above) in [red, green, blue].into_iter().zip(color) {
                let mixed = f32::from(*below) * (1.0 - cover) + f32::from(above) * cover;
                *below = mixed.round() as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(number: usize) -> Vec<u8> {
        let mut picture = RgbaImage::new(40, 24);
        write_number(&mut picture, number, Vec2::new(4.0, 4.0), 14.0, [255; 3]);
        picture.pixels().map(|pixel| pixel.0[0]).collect()
    }

    #[test]
    fn every_digit_looks_different() {
        let all: Vec<_> = (0..10).map(ink).collect();
        for (one, first) in all.iter().enumerate() {
            assert!(first.iter().any(|value| *value > 200), "{one} has ink");
            for second in &all[one + 1..] {
                let away = first.iter().zip(second).filter(|(a, b)| a.abs_diff(**b) > 100).count();
                assert!(away > 6, "{one}");
            }
        }
    }

    #[test]
    fn text_beyond_the_edge_is_clipped() {
        let mut picture = RgbaImage::new(8, 8);
        write_number(&mut picture, 888, Vec2::new(-3.0, -3.0), 14.0, [255; 3]);
        assert_eq!(picture.dimensions(), (8, 8));
    }
}
