//! Building blocks of the backdrops: colours, noise, light, floors.

use glam::{Vec2, Vec3};

/// Converts an sRGB colour (`0xRRGGBB`) to linear light, with gamma 2.2.
pub(super) fn rgb(hex: u32) -> Vec3 {
    let band = |shift: u32| ((hex >> shift) & 255) as f32 / 255.0;
    Vec3::new(band(16), band(8), band(0)).powf(2.2)
}

/// Tone-maps linear light to sRGB, 0 to 1, with gamma 2.2. The curve is the fit of the ACES
/// reference by Krzysztof Narkowicz, 2016.
pub(super) fn developed(light: Vec3) -> Vec3 {
    let x = light.max(Vec3::ZERO) * 0.8;
    let mapped = x * (x * 2.51 + 0.03) / (x * (x * 2.43 + 0.59) + 0.14);
    mapped.clamp(Vec3::ZERO, Vec3::ONE).powf(1.0 / 2.2)
}

/// Smoothstep: 0 at `from`, 1 at `to`. `from` may be larger than `to`.
pub(super) fn ramp(from: f32, to: f32, x: f32) -> f32 {
    let share = ((x - from) / (to - from)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// Returns a pseudo-random number from 0 to 1 for a grid cell.
pub(super) fn hash(x: i32, y: i32) -> f32 {
    let mut bits = (x as u32).wrapping_mul(0x8da6_b343) ^ (y as u32).wrapping_mul(0xd816_3841);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2c1b_3c6d);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297a_2d39);
    (bits ^ (bits >> 15)) as f32 / u32::MAX as f32
}

/// Returns two pseudo-random numbers from 0 to 1 for a grid cell.
pub(super) fn hash2(x: i32, y: i32) -> Vec2 {
    Vec2::new(hash(x, y), hash(x.wrapping_add(7919), y.wrapping_sub(104_729)))
}

/// Smooth value noise with a feature size of about 1, from 0 to 1.
pub(super) fn noise(at: Vec2) -> f32 {
    let cell = at.floor();
    let part = at - cell;
    let ease = part * part * (Vec2::splat(3.0) - part * 2.0);
    let (x, y) = (cell.x as i32, cell.y as i32);
    let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
    let low = mix(hash(x, y), hash(x.wrapping_add(1), y), ease.x);
    let above = y.wrapping_add(1);
    let high = mix(hash(x, above), hash(x.wrapping_add(1), above), ease.x);
    mix(low, high, ease.y)
}

/// Fractal noise: each octave has twice the frequency and half the amplitude; from 0 to 1.
pub(super) fn clouds(mut at: Vec2, octaves: u32) -> f32 {
    let (mut sum, mut weight, mut all) = (0.0, 0.5, 0.0);
    for _ in 0..octaves {
        sum += noise(at) * weight;
        all += weight;
        weight *= 0.5;
        // rotate each octave, so that the grids do not line up
        at = Vec2::new(1.6 * at.x + 1.2 * at.y, 1.6 * at.y - 1.2 * at.x) + 17.3;
    }
    sum / all
}

/// A soft spot of light, 1 in its centre.
pub(super) fn glow(at: Vec2, middle: Vec2, radius: f32) -> f32 {
    (-(at - middle).length_squared() / (radius * radius)).exp()
}

/// A cone of light in dusty air, from `lamp` to `to`; `wide` is its half width at `to`.
pub(super) fn beam(at: Vec2, lamp: Vec2, to: Vec2, wide: f32) -> f32 {
    let way = to - lamp;
    let length = way.length();
    let along = (at - lamp).dot(way) / (length * length);
    if along <= 0.0 {
        return 0.0;
    }
    let across = (at - lamp).perp_dot(way).abs() / length;
    let half = wide * along.max(0.02) + 0.004;
    let dust = 0.75 + 0.5 * clouds(at * 3.0 + along, 3);
    let edge = (-(across / half).powi(2) * 2.2).exp();
    edge * dust / (0.35 + 1.3 * along) * ramp(1.25, 0.85, along)
}

/// Projects a point below the horizon to the floor: (across, away) in units of the camera's height.
pub(super) fn floor(at: Vec2, horizon: f32) -> Vec2 {
    let away = 1.0 / (horizon - at.y).max(1e-4);
    Vec2::new(at.x * away, away)
}

/// Returns the coverage of a repeating line of this width; fades to its mean where `blur` is large.
pub(super) fn line(at: f32, width: f32, blur: f32) -> f32 {
    let near = (at - at.round()).abs();
    let sharp = ramp(width * 0.5 + blur, width * 0.5 - blur * 0.5, near);
    let far = ramp(0.15, 0.5, blur);
    sharp * (1.0 - far) + width * far
}

/// Returns the factor that darkens the corners.
pub(super) fn vignette(at: Vec2, strength: f32) -> f32 {
    let off = Vec2::new(at.x * 1.1, (at.y - 0.5) * 1.6);
    1.0 - strength * ramp(0.35, 1.5, off.length())
}

/// Signed distance to a box with rounded corners; negative inside.
pub(super) fn outside_box(at: Vec2, half: Vec2, round: f32) -> f32 {
    let way = at.abs() - half + round;
    way.max(Vec2::ZERO).length() + way.max_element().min(0.0) - round
}
