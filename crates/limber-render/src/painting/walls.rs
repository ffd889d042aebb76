//! Wall backdrops: brick, concrete, timber.

use glam::{Vec2, Vec3};

use super::tools::{clouds, floor, glow, hash, line, noise, outside_box, ramp, rgb, vignette};

/// Light of two coloured lamps on a wall, one on each side.
fn washes(at: Vec2, left: Vec3, right: Vec3) -> Vec3 {
    let spread = |x: f32| {
        let off = Vec2::new((at.x - x) / 0.62, (at.y - 0.62) / 0.55);
        (-off.length_squared()).exp()
    };
    left * spread(-0.58) + right * spread(0.58)
}

/// Fog on the floor.
fn fog(at: Vec2, edge: f32) -> f32 {
    let drift = clouds(Vec2::new(at.x * 2.2, at.y * 5.0) + 3.0, 5);
    (-((at.y - edge) / 0.10).powi(2)).exp() * (0.25 + 0.95 * drift)
}

/// A brick wall in violet and blue light, with fog in front.
pub(super) fn mystic_brick(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.26;
    let lamps = washes(at, rgb(0x9a_3cff) * 1.7, rgb(0x22_8cff) * 1.7) + rgb(0x2a_2440) * 0.5;
    let mut light = if at.y > EDGE {
        let size = Vec2::new(0.150, 0.0500);
        let row = (at.y / size.y).floor();
        let shift = if row as i32 % 2 == 0 { 0.0 } else { 0.5 };
        let across = at.x / size.x + shift;
        let cell = Vec2::new(across.floor(), row);
        let inside = (Vec2::new(across, at.y / size.y) - cell - 0.5) * size;
        let worn = (clouds(at * 26.0, 3) - 0.5) * 0.010;
        let away = outside_box(inside, size * 0.5 - 0.0045, 0.007) + worn;
        let brick = ramp(0.002, -0.002, away);
        let tone = 0.55 + 0.65 * hash(cell.x as i32, cell.y as i32);
        let grain = 0.65 + 0.7 * clouds(at * 38.0 + cell, 4);
        // light from above: upper edges catch it, lower edges are in shade
        let relief = 1.0 + 0.55 * ramp(0.008, 0.0, -away) * (inside.y / size.y * 2.0);
        let clay = rgb(0x9c_6a5c) * tone * grain * relief;
        lamps * (rgb(0x30_2c33) * grain).lerp(clay, brick) * 1.5
    } else {
        let ground = floor(at, EDGE + 0.10);
        let slab = line(ground.x * 0.9, 0.03, ground.y * 0.004).max(line(
            ground.y * 0.45,
            0.03,
            ground.y * ground.y * 0.004,
        ));
        let stone = 0.45 + 0.75 * clouds(ground * 2.1, 5);
        let above = washes(Vec2::new(at.x, 0.62 - (EDGE - at.y)), rgb(0x9a_3cff), rgb(0x22_8cff));
        rgb(0x8a_8894) * stone * (1.0 - 0.6 * slab) * (above + 0.10) * 0.85
    };
    light += (rgb(0x8a_5ce8) * 0.5 + lamps * 0.28) * fog(at, EDGE - 0.02) * 0.75;
    light * vignette(at, 0.50)
}

/// Concrete panels in teal and violet light.
pub(super) fn mystic_concrete(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.25;
    let lamps = washes(at, rgb(0x14_d8c4) * 1.3, rgb(0xb0_4cf0) * 1.3) + rgb(0x4a_5060) * 0.55;
    let mut light = if at.y > EDGE {
        let size = Vec2::new(0.52, 0.37);
        let off = Vec2::new(at.x / size.x + 0.5, (at.y - EDGE) / size.y);
        let cell = off.floor();
        let inside = (off - cell - 0.5) * size;
        let stain = clouds(at * Vec2::new(4.0, 2.4) + cell * 3.1, 6);
        let run = clouds(Vec2::new(at.x * 16.0, at.y * 1.2), 4);
        let pores = ramp(0.74, 0.80, noise(at * 95.0)) * ramp(0.45, 0.7, noise(at * 9.0));
        let tone = 0.50 + 0.55 * stain + 0.20 * run - 0.28 * pores;
        let seam = ramp(0.0045, 0.0015, -outside_box(inside, size * 0.5, 0.0));
        let hole = size * 0.5 - 0.065;
        let away = (inside.abs() - hole).length();
        let tie = ramp(0.0125, 0.0105, away);
        let lip = ramp(0.005, 0.0, (away - 0.0125).abs());
        let lower = if inside.y.abs() < hole.y { -1.0 } else { 1.0 };
        let plate = tone * (1.0 - 0.75 * seam) * (1.0 - 0.85 * tie) + 0.12 * lip * lower;
        lamps * rgb(0xa8_a8a4) * plate.max(0.0) * 1.25
    } else {
        let ground = floor(at, EDGE + 0.12);
        let worn = clouds(ground * 1.3, 6);
        let wet = ramp(0.45, 0.62, clouds(ground * 0.55 + 8.0, 4));
        let seam = line(ground.x * 0.42 + 0.5, 0.016, ground.y * 0.003);
        let mirror =
            washes(Vec2::new(at.x, 2.0 * EDGE - at.y + 0.25), rgb(0x14_d8c4), rgb(0xb0_4cf0));
        let dull = rgb(0x6e_7076) * (0.35 + 0.7 * worn) * (1.0 - 0.6 * seam) * (lamps * 0.5 + 0.14);
        dull * (1.0 - 0.5 * wet) + mirror * 0.42 * wet * ramp(-0.05, EDGE, at.y)
    };
    light += lamps * 0.16 * fog(at, EDGE);
    // the seam between wall and floor
    light *= 1.0 - 0.45 * (-((at.y - EDGE) / 0.016).powi(2)).exp();
    light * vignette(at, 0.45)
}

/// A log cabin with a view of mountains and a warm lamp.
pub(super) fn timbered_retreat(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.27;
    let warm = 0.30
        + 1.05 * glow(at, Vec2::new(-0.60, 0.66), 0.50)
        + 0.40 * glow(at, Vec2::new(0.5, 0.3), 0.8);
    let mut light = if at.y > EDGE {
        let row = (at.y - EDGE) / 0.092;
        let number = row.floor();
        let round = 1.0 - (2.0 * (row - number) - 1.0).powi(2);
        let grain = clouds(Vec2::new(at.x * 2.2 + number * 9.0, at.y * 60.0), 4);
        let knot = glow(
            Vec2::new((at.x * 1.4 + hash(number as i32, 2) * 3.0).rem_euclid(1.0), row - number),
            Vec2::new(0.5, 0.5),
            0.09,
        );
        let tone = 0.75 + 0.4 * hash(number as i32, 8);
        let wood = rgb(0xa8_6a38) * tone * (0.55 + 0.75 * grain) * (1.0 - 0.45 * knot);
        wood * (0.16 + 0.95 * round.powf(0.7)) * warm
    } else {
        let ground = floor(at, EDGE + 0.12);
        let board = (ground.x * 1.2).floor();
        let grain = clouds(Vec2::new(ground.x * 16.0, ground.y * 0.7 + board * 5.0), 4);
        let gap = line(ground.x * 1.2, 0.03, ground.y * 0.003);
        let tone = 0.75 + 0.45 * hash(board as i32, 5);
        let wood = rgb(0x86_5028) * tone * (0.55 + 0.7 * grain) * (1.0 - 0.7 * gap);
        wood * (0.45 + 0.75 * glow(at, Vec2::new(0.05, 0.12), 0.55))
    };
    light *= 1.0 - 0.5 * (-((at.y - EDGE) / 0.014).powi(2)).exp();
    light = window(at, light);
    // the wall lamp
    let lamp = at - Vec2::new(-0.60, 0.66);
    light = light.lerp(
        rgb(0x1c_120c),
        ramp(
            0.002,
            -0.002,
            outside_box(lamp - Vec2::new(0.0, 0.062), Vec2::new(0.042, 0.008), 0.004),
        ),
    );
    let shade = outside_box(lamp, Vec2::new(0.034 + 0.10 * (0.05 - lamp.y).max(0.0), 0.055), 0.01);
    light = light.lerp(rgb(0xff_c878) * 2.2, ramp(0.002, -0.002, shade));
    light += rgb(0xff_a850) * 0.35 * glow(at, Vec2::new(-0.60, 0.64), 0.20);
    light * vignette(at, 0.40)
}

/// A window on the right, with snowy mountains at dusk.
fn window(at: Vec2, wall: Vec3) -> Vec3 {
    let place = at - Vec2::new(0.56, 0.66);
    let half = Vec2::new(0.22, 0.19);
    let frame = outside_box(place, half + 0.030, 0.006);
    let mut light = wall.lerp(rgb(0x6a_3e1c) * 0.75, ramp(0.002, -0.002, frame));
    let pane = ramp(0.0015, -0.0015, outside_box(place, half, 0.0))
        * (1.0 - ramp(0.0085, 0.0065, place.x.abs()))
        * (1.0 - ramp(0.0085, 0.0065, (place.y - 0.03).abs()));
    let high = (place.y + half.y) / (2.0 * half.y);
    let mut view = rgb(0xf0_b08c).lerp(rgb(0x5a_78b8), ramp(0.35, 1.0, high));
    for (far, base, color) in
        [(1.0, 0.52, 0x8c_98c0), (2.0, 0.36, 0x56_6a94), (3.0, 0.22, 0x2b_3e52)]
    {
        let ridge = base + 0.26 * (clouds(Vec2::new(place.x * 6.0 + far * 9.0, far), 5) - 0.42);
        let snow = ramp(0.0, 0.10, high - ridge + 0.16 + 0.06 * noise(place * 90.0));
        let rock = rgb(color).lerp(rgb(0xe8_ecf8), if far < 2.5 { 0.75 * snow } else { 0.1 });
        view = view.lerp(rock, ramp(ridge + 0.012, ridge - 0.012, high));
    }
    light = light.lerp(view * 1.15, pane);
    light
}
