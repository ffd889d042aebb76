//! Stage backdrops: flames, coloured spotlights, a white spotlight.

use glam::{Vec2, Vec3};

use super::tools::{beam, clouds, floor, glow, hash, hash2, line, noise, ramp, rgb, vignette};

/// Height at which the stage floor ends.
const EDGE: f32 = 0.30;

/// Floorboards that run away from the camera.
fn planks(at: Vec2, horizon: f32, color: Vec3) -> Vec3 {
    let ground = floor(at, horizon);
    let board = (ground.x * 1.9).floor();
    let tone = 0.75 + 0.5 * hash(board as i32, 3);
    let grain = clouds(Vec2::new(ground.x * 22.0, ground.y * 0.8 + board * 7.0), 3);
    let gap = line(ground.x * 1.9, 0.035, ground.y * 0.004);
    color * tone * (0.7 + 0.6 * grain) * (1.0 - 0.75 * gap)
}

/// Flames behind a black stage.
pub(super) fn inferno_stage(at: Vec2) -> Vec3 {
    let wall = |at: Vec2| {
        let height = (at.y - EDGE).max(0.0);
        let rise = Vec2::new(at.x * 3.4, at.y * 2.1 - 3.0);
        let bend = Vec2::new(clouds(rise * 1.3 + 5.1, 4), clouds(rise * 1.1 + 9.7, 4)) - 0.5;
        let tongues = clouds(rise + bend * 1.7, 5);
        let sides = 0.55 + 0.55 * ramp(0.15, 0.8, at.x.abs());
        let heat = (tongues * 1.55 - height * (1.75 / sides) + 0.10).clamp(0.0, 1.3);
        let fire = rgb(0x7a_0d02) * 1.3 * ramp(0.05, 0.45, heat)
            + rgb(0xff_5a08) * 2.2 * ramp(0.32, 0.85, heat)
            + rgb(0xff_d060) * 2.4 * ramp(0.70, 1.2, heat);
        let smoke = clouds(rise * 0.7 + 30.0, 4) * ramp(0.95, 0.2, height);
        rgb(0x14_0606) + rgb(0x4a_120a) * 0.6 * smoke + fire
    };
    let mut light = if at.y > EDGE {
        wall(at)
    } else {
        let ground = floor(at, EDGE + 0.02);
        let rough = clouds(ground * Vec2::new(2.5, 0.6), 4);
        let mirror = Vec2::new(at.x + (rough - 0.5) * 0.10, 2.0 * EDGE - at.y + 0.02);
        let cracks = ramp(0.045, 0.0, (clouds(ground * 0.9, 4) - 0.5).abs()) * ramp(0.0, 0.2, at.y);
        rgb(0x16_0f0e) * (0.5 + rough)
            + wall(mirror) * (0.10 + 0.26 * rough) * ramp(-0.25, EDGE, at.y)
            + rgb(0xff_4a0a) * 0.9 * cracks
    };
    light += rgb(0xff_6a1a) * 0.55 * (-((at.y - EDGE) / 0.05).powi(2)).exp();
    let cell = (at * 11.0).floor();
    let spark = (cell + hash2(cell.x as i32, cell.y as i32)) / 11.0;
    let bright = ramp(0.62, 1.0, hash(cell.x as i32 + 40, cell.y as i32));
    light += rgb(0xff_a040) * 3.0 * bright * glow(at, spark, 0.0032);
    light * vignette(at, 0.55)
}

const RAINBOW: [u32; 7] =
    [0xff_2a2a, 0xff_8a1e, 0xff_e135, 0x36_e04a, 0x2a_b8ff, 0x4a_50ff, 0xc0_3aff];

/// Seven spotlights in the colours of the rainbow.
pub(super) fn rainbow_spotlight(at: Vec2) -> Vec3 {
    let horizon = EDGE + 0.04;
    let folds = 0.5 + 0.5 * (at.x * 26.0 + 2.0 * noise(Vec2::new(at.x * 4.0, 1.0))).sin();
    let mut light = if at.y > horizon {
        rgb(0x10_0e1a) * (0.5 + 0.9 * folds)
    } else {
        planks(at, horizon + 0.01, rgb(0x1d_1a24)) * ramp(-0.1, horizon, at.y).max(0.35)
    };
    for (place, color) in RAINBOW.iter().enumerate() {
        let share = place as f32 / 3.0 - 1.0;
        let (lamp, spot) = (Vec2::new(share * 0.78, 1.06), Vec2::new(share * 0.52, 0.20));
        let color = rgb(*color);
        light += color * 0.62 * beam(at, lamp, spot, 0.085) * ramp(horizon - 0.12, horizon, at.y);
        let pool = Vec2::new((at.x - spot.x) / 0.15, (at.y - spot.y) / 0.035);
        let on_floor = ramp(horizon, horizon - 0.03, at.y);
        light += color * 0.75 * (-pool.length_squared()).exp() * on_floor;
        light += color * 2.2 * glow(at, lamp - Vec2::Y * 0.03, 0.030);
        let wash = Vec2::new((at.x - share * 0.62) / 0.20, (at.y - 0.60) / 0.42);
        let on_wall = ramp(horizon, horizon + 0.02, at.y);
        light += color * 0.11 * (0.4 + folds) * (-wash.length_squared()).exp() * on_wall;
    }
    light * vignette(at, 0.45)
}

/// A white spotlight between red curtains.
pub(super) fn spotlit_stage(at: Vec2) -> Vec3 {
    let horizon = EDGE + 0.02;
    let spot = Vec2::new(0.0, 0.125);
    let lamp = beam(at, Vec2::new(-0.08, 1.25), spot, 0.40);
    let mut light = if at.y > horizon {
        rgb(0x0b_0c12) + rgb(0x2b_3044) * 0.35 * glow(at, Vec2::new(0.0, 0.55), 0.5)
    } else {
        let pool = Vec2::new((at.x - spot.x) / 0.47, (at.y - spot.y) / 0.115);
        let lit = ramp(1.35, 0.55, pool.length());
        planks(at, horizon + 0.06, rgb(0x8a_5a34)) * (0.12 + 1.5 * lit)
    };
    light += rgb(0xff_f1d8) * 0.26 * lamp;
    let hem = 0.12 + 0.02 * (at.x * 40.0).sin();
    let inner = 0.50 + 0.10 * ramp(1.0, 0.15, at.y).powi(2) + 0.012 * (at.y * 9.0).sin();
    let cloth = ramp(inner, inner + 0.012, at.x.abs()) * ramp(hem - 0.01, hem, at.y);
    let wave = at.x.abs() * 34.0 + 3.0 * noise(Vec2::new(at.x * 5.0, at.y * 1.3));
    let fold = 0.5 + 0.5 * wave.sin();
    let shine = 0.25 + 0.9 * fold.powi(2) * (0.5 + 0.9 * glow(at, Vec2::new(0.0, 0.3), 0.85));
    light = light.lerp(rgb(0x8e_1119) * shine, cloth);
    let edge = 0.90 + 0.045 * (at.x * 9.4).cos().abs();
    let top = ramp(edge, edge + 0.008, at.y);
    let drape = 0.35 + 0.65 * (0.5 + 0.5 * (at.x * 30.0).sin()).powi(2);
    light = light.lerp(rgb(0x70_0d14) * drape, top);
    let fringe = ramp(0.010, 0.004, (at.y - edge).abs());
    light = light.lerp(rgb(0xd8_a13a) * (0.4 + 0.5 * hash((at.x * 260.0) as i32, 1)), fringe);
    light * vignette(at, 0.35)
}
