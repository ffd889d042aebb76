//! Show backdrops: art deco gold, red carpet, seventies stripes.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use super::tools::{
    beam, clouds, floor, glow, hash, hash2, line, noise, outside_box, ramp, rgb, vignette,
};

/// A golden fan on black and green, reflected in a polished floor.
pub(super) fn golden_age_glitz(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.27;
    let wall = |at: Vec2| {
        let fan = at - Vec2::new(0.0, EDGE);
        let (far, turn) = (fan.length(), fan.y.atan2(fan.x) / PI);
        let gold = rgb(0xe0_ac45) * (0.55 + 0.75 * ramp(0.1, 0.9, at.y) * (0.6 + 0.4 * far));
        let ray = turn * 22.0;
        let inlay = rgb(0x0d_2b28) * (0.45 + 0.5 * ramp(0.9, 0.2, far));
        let dark = if (ray.floor() as i32) % 2 == 0 { inlay } else { rgb(0x0b_0d12) };
        let mut light = dark * (0.8 + 0.4 * noise(at * 60.0));
        let mut trim = line(ray, 0.07, 0.012 / far.max(0.05)) * ramp(0.30, 0.33, far);
        for ring in [0.32, 0.345, 0.60, 0.62, 0.64, 0.93, 0.95] {
            trim = f32::max(trim, ramp(0.0055, 0.003, (far - ring).abs()));
        }
        light = light.lerp(gold, trim);
        let inside = ramp(0.325, 0.319, far);
        light = light.lerp(gold * (0.35 + 0.5 * ramp(0.32, 0.0, far)), inside);
        for side in [-1.0, 1.0] {
            for step in 0..3 {
                let x = side * (0.70 + 0.075 * step as f32);
                let tall = 0.34 + 0.13 * step as f32;
                let bar = at - Vec2::new(x, EDGE + tall - 0.2);
                let pillar = ramp(0.002, -0.002, outside_box(bar, Vec2::new(0.030, tall), 0.028));
                let round = (1.0 - (bar.x / 0.030).powi(2)).max(0.0).sqrt();
                light = light.lerp(gold * (0.10 + 0.85 * round), pillar);
            }
        }
        light + rgb(0xff_d98a) * 0.30 * glow(at, Vec2::new(0.0, EDGE + 0.05), 0.34)
    };
    let mut light = if at.y > EDGE {
        wall(at)
    } else {
        let ground = floor(at, EDGE + 0.10);
        let tile = (ground.x + ground.y).floor() as i32 + (ground.x - ground.y).floor() as i32;
        let stone = if tile % 2 == 0 { rgb(0x14_1513) } else { rgb(0x2a_2519) };
        let blur = 0.004 * (noise(at * 90.0) - 0.5);
        let mirrored = wall(Vec2::new(at.x + blur, 2.0 * EDGE - at.y));
        stone * 0.8 + mirrored * 0.38 * ramp(-0.1, EDGE, at.y)
    };
    let cell = (at * 7.0).floor();
    let spark = (cell + hash2(cell.x as i32, cell.y as i32)) / 7.0;
    let bright = ramp(0.70, 1.0, hash(cell.x as i32, cell.y as i32 + 50)) * ramp(EDGE, 0.5, at.y);
    light += rgb(0xff_e6a8) * 1.6 * bright * glow(at, spark, 0.004);
    light * vignette(at, 0.45)
}

/// A red carpet between ropes, in front of camera flashes.
pub(super) fn red_carpet(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.33;
    let mut light = if at.y > EDGE { night_of_flashes(at, EDGE) } else { carpet(at, EDGE) };
    for side in [-1.0, 1.0] {
        for post in 0..4 {
            let away = 3.4 + 2.1 * post as f32;
            let foot = Vec2::new(side * 1.95 / away, EDGE + 0.015 - 1.0 / away);
            let size = 1.0 / away;
            let pole = at - foot - Vec2::new(0.0, 0.52 * size);
            let cover = outside_box(pole, Vec2::new(0.028, 0.52) * size, 0.02 * size)
                .min((pole - Vec2::new(0.0, 0.57 * size)).length() - 0.060 * size)
                .min(outside_box(
                    pole + Vec2::new(0.0, 0.50 * size),
                    Vec2::new(0.16, 0.03) * size,
                    0.02 * size,
                ));
            let round = (1.0 - (pole.x / (0.06 * size)).powi(2)).max(0.05);
            light = light.lerp(rgb(0xe2_b04e) * (0.25 + 1.1 * round), ramp(0.0015, -0.0015, cover));
            let next = 1.0 / (away + 2.1);
            let share = (at.x - foot.x) / (side * 1.95 * next - foot.x);
            if (0.0..=1.0).contains(&share) && post < 3 {
                let top = foot.y + 0.95 * size;
                let other = EDGE + 0.015 - next + 0.95 * next;
                let sag = 0.30 * size * (1.0 - (2.0 * share - 1.0).powi(2));
                let rope = (at.y - (top + (other - top) * share - sag)).abs();
                let thick = 0.030 * (size + (next - size) * share);
                let cover = ramp(thick + 0.001, thick - 0.001, rope);
                light = light.lerp(rgb(0x9c_1420) * (0.5 + 0.8 * (1.0 - rope / thick)), cover);
            }
        }
    }
    light * vignette(at, 0.40)
}

fn carpet(at: Vec2, edge: f32) -> Vec3 {
    let ground = floor(at, edge + 0.015);
    let half = 1.55;
    let pile = 0.75 + 0.35 * noise(ground * Vec2::new(60.0, 18.0)) + 0.15 * noise(ground * 3.0);
    let lit = 0.30 + 1.1 * glow(at, Vec2::new(0.0, 0.10), 0.42);
    let blur = ground.y * 0.004;
    let red = rgb(0xb4_0f1e) * pile * lit;
    let trim = ramp(0.05 + blur, 0.05 - blur, (ground.x.abs() - half + 0.10).abs());
    let stone = rgb(0x2a_2730) * (0.6 + 0.5 * clouds(ground * 1.2, 4)) * (0.45 + 0.7 * lit);
    let on = ramp(half + blur, half - blur, ground.x.abs());
    stone.lerp(red.lerp(rgb(0xd9_a441) * lit, trim), on)
}

fn night_of_flashes(at: Vec2, edge: f32) -> Vec3 {
    let mut light = rgb(0x14_1222).lerp(rgb(0x3a_2140), ramp(1.0, edge, at.y));
    // out-of-focus lights in two sizes
    for (scale, radius, strength) in [(6.0, 0.055, 0.20), (10.0, 0.030, 0.34)] {
        let cell = (at * scale).floor();
        for neighbour in 0..9 {
            let (x, y) = (cell.x as i32 + neighbour % 3 - 1, cell.y as i32 + neighbour / 3 - 1);
            let middle = (Vec2::new(x as f32, y as f32) + hash2(x, y)) / scale;
            let size = radius * (0.6 + 0.6 * hash(x + 9, y));
            let disc = ramp(size, size * 0.90, (at - middle).length());
            let rim = 0.7 + 0.5 * ramp(0.5, 1.0, (at - middle).length() / size);
            let warm = rgb(0xff_c27a).lerp(rgb(0xa8_b8ff), ramp(0.6, 0.9, hash(x, y + 33)));
            let on =
                ramp(0.45, 0.6, hash(x + 77, y + 5)) * ramp(edge + 0.02, edge + 0.10, middle.y);
            light += warm * strength * disc * rim * on;
        }
    }
    // silhouettes of a crowd
    let heads = edge + 0.045 + 0.035 * noise(Vec2::new(at.x * 16.0, 2.0));
    let shoulder = (at.x * 9.0 - (at.x * 9.0).round()).abs();
    let crowd = heads + 0.045 * (1.0 - (shoulder * 2.6).powi(2)).max(0.0).sqrt();
    light = light.lerp(rgb(0x0c_0a12), ramp(crowd + 0.004, crowd - 0.004, at.y));
    light
        + rgb(0xff_e8c8) * 0.12 * beam(at, Vec2::new(-0.75, 1.1), Vec2::new(0.1, 0.2), 0.25)
        + rgb(0xff_e8c8) * 0.12 * beam(at, Vec2::new(0.75, 1.1), Vec2::new(-0.1, 0.2), 0.25)
}

const STRIPES: [u32; 5] = [0x7a_2e1d, 0xc8_4b20, 0xe8_8a24, 0xf2_c14e, 0x3d_8a86];

/// Seventies stripes that run down a wall and over the floor.
pub(super) fn retro_revue(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.28;
    let cream = rgb(0xf0_dfb8);
    let striped = |far: f32, blur: f32| {
        let place = (far - 0.30) / 0.062;
        let mut light = None;
        for (number, color) in STRIPES.iter().enumerate() {
            let off = (place - number as f32 - 0.5).abs();
            let cover = ramp(0.47 + blur, 0.47 - blur, off);
            if cover > 0.0 {
                light = Some((rgb(*color), cover));
            }
        }
        light
    };
    let bend = Vec2::new(0.0, 0.46);
    let mut light = if at.y > EDGE {
        let shade = 0.62 + 0.42 * glow(at, Vec2::new(-0.1, 0.75), 0.75);
        let far = if at.y > bend.y { (at - bend).length() } else { at.x.abs() };
        let wall = match striped(far, 0.02) {
            Some((color, cover)) => cream.lerp(color, cover),
            None => cream,
        };
        let sun = ramp(0.245, 0.241, (at - bend).length()) * ramp(EDGE, EDGE + 0.002, at.y);
        let rays = ((at - bend).y.atan2((at - bend).x) * 18.0).sin();
        let disc = rgb(0xf2_a33a).lerp(rgb(0xe8_7a2c), ramp(-0.2, 0.2, rays));
        wall.lerp(disc, sun) * shade * (0.96 + 0.08 * noise(at * 140.0))
    } else {
        let ground = floor(at, EDGE + 0.16);
        let far = ground.x.abs() / floor(Vec2::new(1.0, EDGE), EDGE + 0.16).x;
        let shine = 0.55 + 0.45 * glow(at, Vec2::new(0.0, 0.12), 0.5);
        let base = match striped(far, 0.03) {
            Some((color, cover)) => (cream * 0.78).lerp(color, cover),
            None => cream * 0.78,
        };
        base * shine
    };
    light *= 1.0 - 0.35 * (-((at.y - EDGE) / 0.012).powi(2)).exp();
    // bulbs along the top
    let along = at.x / 0.085;
    let bulb = Vec2::new(along.round() * 0.085, 0.962);
    let band = ramp(0.928, 0.931, at.y);
    light = light.lerp(rgb(0x5a_2015) * 0.8, band);
    let glass = ramp(0.0175, 0.0160, (at - bulb).length());
    light = light.lerp(rgb(0xff_e9b0) * 2.4, glass);
    light += rgb(0xff_c060) * 0.55 * glow(at, bulb, 0.05);
    light * vignette(at, 0.30)
}
