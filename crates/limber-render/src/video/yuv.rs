//! Converts RGB to YCbCr.

use image::RgbaImage;

/// Planar YCbCr 4:2:0 as H.264 expects it: BT.709, limited range (luma 16 to 235). Source: ITU-R
/// BT.709-6, tables 3 and 4.
#[derive(Debug)]
pub(super) struct Planes {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) luma: Vec<u8>,
    pub(super) blue: Vec<u8>,
    pub(super) red: Vec<u8>,
}

/// Fixed-point 1.0.
const ONE: i32 = 1 << 16;
const HALF: i32 = ONE / 2;

/// Luma spans 219 steps for 255 steps of full-range RGB.
const LUMA: [i32; 3] = weights([0.2126, 0.7152, 0.0722], 219.0 / 255.0);
/// Chroma spans 224 steps for the range from −1 to 1.
const BLUE: [i32; 3] = weights([-0.2126 / 1.8556, -0.7152 / 1.8556, 0.5], 224.0 / 255.0);
const RED: [i32; 3] = weights([0.5, -0.7152 / 1.5748, -0.0722 / 1.5748], 224.0 / 255.0);

const fn weights(parts: [f64; 3], scale: f64) -> [i32; 3] {
    let whole = ONE as f64 * scale;
    [(parts[0] * whole) as i32, (parts[1] * whole) as i32, (parts[2] * whole) as i32]
}

fn weighed(weights: [i32; 3], color: [i32; 3], zero: i32) -> u8 {
    let sum: i32 = weights.iter().zip(color).map(|(weight, band)| weight * band).sum();
    (zero + ((sum + HALF) >> 16)).clamp(0, 255) as u8
}

impl Planes {
    /// Allocates planes for frames of this size; both sides must be even.
    pub(super) fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width as usize, height as usize);
        let quarter = width / 2 * (height / 2);
        Self {
            width,
            height,
            luma: vec![0; width * height],
            blue: vec![0; quarter],
            red: vec![0; quarter],
        }
    }

    /// Converts a frame, which must have the size of the planes.
    pub(super) fn take(&mut self, picture: &RgbaImage) {
        let pixels = picture.as_raw();
        let half = self.width / 2;
        let rows =
            pixels.chunks_exact(8 * self.width).zip(self.luma.chunks_exact_mut(2 * self.width));
        let colors = self.blue.chunks_exact_mut(half).zip(self.red.chunks_exact_mut(half));
        for ((pixels, luma), (blue, red)) in rows.zip(colors) {
            let (upper, lower) = pixels.split_at(4 * self.width);
            let (light, dark) = luma.split_at_mut(self.width);
            for column in 0..half {
                let mut sum = [0; 3];
                for (row, out) in [(upper, &mut *light), (lower, &mut *dark)] {
                    for x in [2 * column, 2 * column + 1] {
                        let color = [0, 1, 2].map(|band| i32::from(row[4 * x + band]));
                        out[x] = weighed(LUMA, color, 16);
                        sum = [0, 1, 2].map(|band| sum[band] + color[band]);
                    }
                }
                let mean = sum.map(|band| (band + 2) / 4);
                blue[column] = weighed(BLUE, mean, 128);
                red[column] = weighed(RED, mean, 128);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    fn planes_of(color: [u8; 3]) -> [u8; 3] {
        let [r, g, b] = color;
        let mut planes = Planes::new(4, 2);
        planes.take(&RgbaImage::from_pixel(4, 2, Rgba([r, g, b, 255])));
        assert!(planes.luma.iter().all(|luma| *luma == planes.luma[0]));
        [planes.luma[7], planes.blue[1], planes.red[1]]
    }

    #[test]
    fn reference_colours_match_the_standard() {
        assert_eq!(planes_of([255, 255, 255]), [235, 128, 128]);
        assert_eq!(planes_of([0, 0, 0]), [16, 128, 128]);
        for (color, meant) in [
            ([255, 0, 0], [63, 102, 240]),
            ([0, 255, 0], [173, 42, 26]),
            ([0, 0, 255], [32, 240, 118]),
        ] {
            let made = planes_of(color);
            let apart = made.iter().zip(meant).map(|(a, b)| a.abs_diff(b)).max();
            assert!(apart <= Some(1), "{color:?}: {made:?}, not {meant:?}");
        }
    }

    #[test]
    fn every_pixel_goes_to_its_place() {
        let picture = RgbaImage::from_fn(6, 4, |x, y| Rgba([(40 * y + 6 * x) as u8; 4]));
        let mut planes = Planes::new(6, 4);
        planes.take(&picture);
        assert!(planes.luma.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", planes.luma);
    }
}
