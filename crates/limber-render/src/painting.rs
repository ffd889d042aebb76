//! Procedural backdrops: images that look the same at any size and on any machine.
//!
//! Each is a function from a point to linear light. Points are measured in image heights: y runs
//! from 0 at the bottom to 1 at the top, x is 0 in the middle. All of them leave the middle free
//! for the character and have a floor below its feet.

mod outdoors;
mod shows;
mod stages;
mod tools;
mod walls;

use std::{num::NonZero, thread};

use glam::{Vec2, Vec3};
use image::{Rgba, RgbaImage};

use crate::PictureSize;

/// A procedural backdrop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say what is shown")]
pub enum Painting {
    CheckerCloudscape,
    GoldenAgeGlitz,
    InfernoStage,
    JungleGrove,
    MysticBrick,
    MysticConcrete,
    RainbowSpotlight,
    RedCarpet,
    RetroRevue,
    SakuraDreamscape,
    SpotlitStage,
    TimberedRetreat,
    UrbanRooftop,
}

impl Painting {
    /// All backdrops in alphabetical order.
    pub const ALL: [Self; 13] = [
        Self::CheckerCloudscape,
        Self::GoldenAgeGlitz,
        Self::InfernoStage,
        Self::JungleGrove,
        Self::MysticBrick,
        Self::MysticConcrete,
        Self::RainbowSpotlight,
        Self::RedCarpet,
        Self::RetroRevue,
        Self::SakuraDreamscape,
        Self::SpotlitStage,
        Self::TimberedRetreat,
        Self::UrbanRooftop,
    ];

    /// Returns the name used in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CheckerCloudscape => "Checker_Cloudscape",
            Self::GoldenAgeGlitz => "Golden_Age_Glitz",
            Self::InfernoStage => "Inferno_Stage",
            Self::JungleGrove => "Jungle_Grove",
            Self::MysticBrick => "Mystic_Brick",
            Self::MysticConcrete => "Mystic_Concrete",
            Self::RainbowSpotlight => "Rainbow_Spotlight",
            Self::RedCarpet => "Red_Carpet",
            Self::RetroRevue => "Retro_Revue",
            Self::SakuraDreamscape => "Sakura_Dreamscape",
            Self::SpotlitStage => "Spotlit_Stage",
            Self::TimberedRetreat => "Timbered_Retreat",
            Self::UrbanRooftop => "Urban_Rooftop",
        }
    }

    /// Renders the backdrop at a size.
    #[must_use]
    pub fn paint(self, size: PictureSize) -> RgbaImage {
        match self {
            Self::CheckerCloudscape => painted(size, outdoors::checker_cloudscape),
            Self::GoldenAgeGlitz => painted(size, shows::golden_age_glitz),
            Self::InfernoStage => painted(size, stages::inferno_stage),
            Self::JungleGrove => painted(size, outdoors::jungle_grove),
            Self::MysticBrick => painted(size, walls::mystic_brick),
            Self::MysticConcrete => painted(size, walls::mystic_concrete),
            Self::RainbowSpotlight => painted(size, stages::rainbow_spotlight),
            Self::RedCarpet => painted(size, shows::red_carpet),
            Self::RetroRevue => painted(size, shows::retro_revue),
            Self::SakuraDreamscape => painted(size, outdoors::sakura_dreamscape),
            Self::SpotlitStage => painted(size, stages::spotlit_stage),
            Self::TimberedRetreat => painted(size, walls::timbered_retreat),
            Self::UrbanRooftop => painted(size, outdoors::urban_rooftop),
        }
    }
}

/// Sample positions within a pixel: a 4× rotated grid for anti-aliasing.
const PLACES: [Vec2; 4] = [
    Vec2::new(0.375, 0.125),
    Vec2::new(0.875, 0.375),
    Vec2::new(0.125, 0.625),
    Vec2::new(0.625, 0.875),
];

/// Renders the rows in parallel on all processors.
fn painted(size: PictureSize, light: impl Fn(Vec2) -> Vec3 + Sync) -> RgbaImage {
    let (width, height) = (size.width.max(1) as usize, size.height.max(1) as usize);
    let mut pixels = vec![0_u8; 4 * width * height];
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let rows = height.div_ceil(processors);
    thread::scope(|scope| {
        for (part, pixels) in pixels.chunks_mut(4 * width * rows).enumerate() {
            let light = &light;
            scope.spawn(move || {
                for (row, pixels) in pixels.chunks_mut(4 * width).enumerate() {
                    paint_row(pixels, (part * rows + row, width, height), light);
                }
            });
        }
    });
    let empty = || RgbaImage::from_pixel(1, 1, Rgba([0, 0, 0, 255]));
    RgbaImage::from_raw(width as u32, height as u32, pixels).unwrap_or_else(empty)
}

fn paint_row(
    pixels: &mut [u8],
    (row, width, height): (usize, usize, usize),
    light: &impl Fn(Vec2) -> Vec3,
) {
    let unit = 1.0 / height as f32;
    for (column, pixel) in pixels.chunks_exact_mut(4).enumerate() {
        let corner = Vec2::new(column as f32 - width as f32 * 0.5, (height - 1 - row) as f32);
        let sum: Vec3 = PLACES.iter().map(|place| light((corner + *place) * unit)).sum();
        let noise = tools::hash(column as i32, row as i32) - 0.5;
        // dither by half a step against banding
        let shown = tools::developed(sum / PLACES.len() as f32) * 255.0 + noise;
        for (band, out) in pixel.iter_mut().enumerate() {
            *out = if band < 3 { shown[band].round().clamp(0.0, 255.0) as u8 } else { 255 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: PictureSize = PictureSize::new(160, 90);

    #[test]
    fn every_backdrop_is_distinct_and_deterministic() {
        let all: Vec<RgbaImage> = Painting::ALL.iter().map(|one| one.paint(SIZE)).collect();
        for (place, picture) in all.iter().enumerate() {
            let name = Painting::ALL[place].name();
            assert_eq!(picture.dimensions(), (160, 90), "{name}");
            assert_eq!(Painting::ALL[place].paint(SIZE), *picture, "{name} is always the same");
            let mean = |band: usize| picture.pixels().map(|p| f32::from(p[band])).sum::<f32>();
            let light = (mean(0) + mean(1) + mean(2)) / (3.0 * 160.0 * 90.0);
            assert!((12.0..215.0).contains(&light), "{name} is neither night nor fog: {light}");
            let mut colors: Vec<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).collect();
            colors.sort_unstable();
            colors.dedup();
            assert!(colors.len() > 1500, "{name} has {} colours", colors.len());
            for other in &all[place + 1..] {
                let apart =
                    picture.iter().zip(other.iter()).map(|(a, b)| u64::from(a.abs_diff(*b)));
                assert!(apart.sum::<u64>() / (160 * 90) > 12, "{name} is like another");
            }
        }
    }

    #[test]
    fn a_larger_backdrop_shows_the_same() {
        for painting in Painting::ALL {
            let small = painting.paint(SIZE);
            let large = painting.paint(PictureSize::new(320, 180));
            let shrunk =
                image::imageops::resize(&large, 160, 90, image::imageops::FilterType::Triangle);
            let apart = small.iter().zip(shrunk.iter()).map(|(a, b)| u64::from(a.abs_diff(*b)));
            let mean = apart.sum::<u64>() as f32 / (160.0 * 90.0 * 4.0);
            assert!(mean < 6.0, "{}: {mean}", painting.name());
        }
    }
}
