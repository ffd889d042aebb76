//! Outdoor backdrops: clouds, jungle, cherry blossoms, a rooftop.

use glam::{Vec2, Vec3};

use super::tools::{
    beam, clouds, floor, glow, hash, hash2, line, noise, outside_box, ramp, rgb, vignette,
};

/// Returns the coverage and the brightness of cumulus clouds at a point.
fn cumulus(at: Vec2, scale: f32) -> (f32, f32) {
    let place = Vec2::new(at.x * scale, at.y * scale * 1.7);
    let shape = clouds(place, 6);
    let cover = ramp(0.46, 0.66, shape);
    // brighter if the clouds are denser here than towards the sun
    let lit = clouds(place + Vec2::new(-0.10, 0.14), 5);
    (cover, ramp(-0.10, 0.16, shape - lit))
}

/// Chequered tiles that run to the horizon under a summer sky.
pub(super) fn checker_cloudscape(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.36;
    let sky = |at: Vec2| {
        let high = ramp(EDGE, 1.05, at.y);
        let blue = rgb(0xbf_e2fa).lerp(rgb(0x2a_78d0), high);
        let (cover, lit) = cumulus(at + Vec2::new(0.3, 0.0), 2.3);
        let white = rgb(0x9c_b4d4).lerp(rgb(0xff_fbf2) * 1.25, lit);
        let (low, lit_low) = cumulus(Vec2::new(at.x * 0.8 + 4.0, (at.y - EDGE) * 3.2), 2.0);
        let bank = ramp(EDGE + 0.22, EDGE + 0.02, at.y) * low;
        let far = rgb(0xb8_cce4).lerp(rgb(0xff_f6ea) * 1.15, lit_low);
        blue.lerp(white, cover * ramp(EDGE, EDGE + 0.25, at.y)).lerp(far, bank)
    };
    let mut light = if at.y > EDGE {
        sky(at)
    } else {
        let ground = floor(at, EDGE);
        let blur = ground.y * ground.y * 0.0016;
        let sign = |x: f32| {
            let near = (x - x.round()).abs();
            let side = if (x.round() as i32) % 2 == 0 { 1.0 } else { -1.0 };
            let flip = if x < x.round() { -1.0 } else { 1.0 };
            side * flip * ramp(-blur, blur, near)
        };
        let parity = 0.5 + 0.5 * sign(ground.x * 0.85) * sign(ground.y * 0.85);
        let far = ramp(0.5, 3.5, blur * 3.0).max(ramp(7.0, 26.0, ground.y));
        let tile = rgb(0x16_6f86).lerp(rgb(0xf2_f4f0), parity);
        let tile = tile.lerp(rgb(0x7f_b4c2), ramp(5.0, 22.0, ground.y));
        let mirrored = sky(Vec2::new(at.x, 2.0 * EDGE - at.y));
        let lit = 0.80 + 0.25 * glow(at, Vec2::new(0.0, 0.12), 0.5);
        (tile * lit * 0.85 + mirrored * 0.16).lerp(rgb(0xdc_ecf6), 0.9 * far)
    };
    light += rgb(0xff_f4e0) * 0.35 * (-((at.y - EDGE) / 0.045).powi(2)).exp();
    light * vignette(at, 0.18)
}

/// A jungle clearing: layers of trunks and leaves with shafts of light.
pub(super) fn jungle_grove(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.30;
    let mut light =
        rgb(0xcf_e8a0).lerp(rgb(0x5f_a868), ramp(0.25, 0.9, (at.x * 0.8).abs() + 0.3 * at.y));
    light *= 0.55 + 0.65 * glow(at, Vec2::new(0.05, 0.62), 0.42);
    for layer in 0..4 {
        let near = layer as f32 / 3.0;
        let shift = 13.7 * near + 2.0;
        // trunks
        let lane = at.x * (5.5 - 2.4 * near) + shift;
        let number = lane.round();
        let bend = 0.10 * (noise(Vec2::new(number, at.y * 2.0)) - 0.5);
        let off = (lane - number - bend + 0.3 * (hash(number as i32, layer) - 0.5)).abs();
        let thick = 0.05 + 0.07 * hash(number as i32, layer + 9);
        let clear = ramp(0.12 + 0.10 * near, 0.24 + 0.10 * near, at.x.abs());
        let trunk = ramp(thick, thick - 0.03, off) * clear;
        let color = rgb(0x5a_8a58).lerp(rgb(0x0c_1f14), near.powf(0.7));
        let bark = 0.75 + 0.5 * clouds(Vec2::new(lane * 9.0, at.y * 4.0), 3);
        light = light.lerp(color * bark, trunk);
        // leaves hang from above and grow from below, leaving the middle free
        let open = 0.30 + 0.16 * near - 0.10 * clouds(at * 3.0 + shift, 3);
        let hole = ((at.x / 0.62).powi(2) + ((at.y - 0.52) / 0.50).powi(2)).sqrt();
        if hole < 0.25 + open {
            continue;
        }
        let leaf = clouds(at * (7.0 + 3.0 * near) + shift, 4) + 0.35 * leaves(at, layer);
        let cover = ramp(0.02, 0.10, hole - 0.62 - open + 0.85 * (leaf - 0.5));
        let tint = 0.55 + 0.9 * leaves(at + 0.3, layer + 4);
        let green = rgb(0x6f_b04c).lerp(rgb(0x0e_2c14), near.powf(0.8));
        light = light.lerp(green * tint, cover);
    }
    if at.y < EDGE {
        let ground = floor(at, EDGE + 0.05);
        let moss = clouds(ground * Vec2::new(1.6, 1.0), 6);
        let blades = clouds(Vec2::new(at.x * 70.0, at.y * 16.0), 3);
        let lit = 0.35 + 1.0 * glow(at, Vec2::new(0.0, 0.13), 0.36);
        let soil = rgb(0x4c_5a26).lerp(rgb(0x86_a444), moss) * (0.6 + 0.6 * blades) * lit;
        let wavy = EDGE - 0.03 + 0.03 * clouds(Vec2::new(at.x * 5.0, 3.0), 4);
        light = light.lerp(soil, ramp(wavy + 0.02, wavy - 0.03, at.y));
    }
    for (top, foot) in [(-0.30, 0.02), (0.02, 0.22), (0.26, 0.40)] {
        let shaft = beam(at, Vec2::new(top - 0.15, 1.2), Vec2::new(foot, 0.08), 0.11);
        light += rgb(0xf4_ffb8) * 0.17 * shaft;
    }
    light * vignette(at, 0.45)
}

/// Leaf-shaped flecks: distance to the nearest of scattered points, stretched and rotated.
fn leaves(at: Vec2, seed: i32) -> f32 {
    let place = at * 22.0;
    let cell = (place - 0.5).floor();
    let mut best: f32 = 1.0;
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let (x, y) = (cell.x as i32 + dx, cell.y as i32 + dy);
        let chance = hash2(x + 31 * seed, y);
        let middle = Vec2::new(x as f32, y as f32) + 0.2 + 0.6 * chance;
        let turn = (hash2(y - 13 * seed, x + 5) - 0.5).normalize_or(Vec2::X);
        let off = turn.rotate(place - middle) * Vec2::new(1.0, 2.4);
        best = best.min(off.length());
    }
    ramp(0.95, 0.15, best)
}

/// Cherry trees in bloom beside still water, in front of a mountain.
pub(super) fn sakura_dreamscape(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.33;
    let sky = |at: Vec2| {
        let mut light = rgb(0xff_b8a4).lerp(rgb(0x74_62b4), ramp(EDGE, 0.95, at.y));
        light += rgb(0xff_e0b0) * 0.50 * glow(at, Vec2::new(0.34, 0.55), 0.15);
        let (cover, lit) = cumulus(Vec2::new(at.x + 2.0, at.y * 1.6), 1.6);
        light = light.lerp(rgb(0xd8_88b0).lerp(rgb(0xff_d8d0), lit), 0.50 * cover);
        let slope = 0.34 - (at.x + 0.16).abs() * 0.50;
        let top = EDGE + slope.clamp(0.0, 0.30).powf(1.15) * 1.25;
        let jagged = top + 0.012 * (noise(Vec2::new(at.x * 24.0, 1.0)) - 0.5);
        let snow = ramp(0.0, 0.05, at.y - (top - 0.10) + 0.05 * (noise(at * 26.0) - 0.5));
        let rock = rgb(0x5c_5a98).lerp(rgb(0xf4_e4f0), snow);
        light = light.lerp(
            rock.lerp(rgb(0xe8_9cac), 0.8 * ramp(EDGE + 0.16, EDGE, at.y)),
            ramp(jagged + 0.004, jagged - 0.004, at.y),
        );
        let hills = EDGE + 0.05 * clouds(Vec2::new(at.x * 3.0, 7.0), 4);
        light.lerp(rgb(0x84_4c80), 0.85 * ramp(hills + 0.006, hills - 0.006, at.y))
    };
    let mut light = if at.y > EDGE {
        sky(at)
    } else {
        let ground = floor(at, EDGE + 0.01);
        let ripple = (clouds(Vec2::new(ground.x * 1.5, ground.y * 6.0), 3) - 0.5) * 0.02;
        let mirrored = sky(Vec2::new(at.x + ripple, 2.0 * EDGE - at.y + ripple));
        mirrored.lerp(rgb(0x6a_58a0), 0.35) * (0.80 + 0.2 * ramp(0.0, EDGE, at.y))
    };
    light += rgb(0xff_c8b8) * 0.22 * (-((at.y - EDGE) / 0.03).powi(2)).exp();
    for side in [-1.0, 1.0] {
        light = blossoms(Vec2::new(at.x * side, at.y), light, side);
    }
    // petals in the air
    for (scale, size) in [(9.0, 0.0075), (14.0, 0.0048)] {
        let cell = (at * scale).floor();
        let (x, y) = (cell.x as i32, cell.y as i32);
        let middle = (cell + 0.2 + 0.6 * hash2(x, y)) / scale;
        let turn = (hash2(x + 5, y) - 0.5).normalize_or(Vec2::X);
        let off = turn.rotate(at - middle) * Vec2::new(1.0, 1.9);
        let there = ramp(0.55, 0.6, hash(x, y + 21));
        light = light.lerp(rgb(0xff_a0c0), there * ramp(size, size * 0.7, off.length()));
    }
    light * vignette(at, 0.22)
}

/// A branch from the upper edge, heavy with blossoms.
fn blossoms(at: Vec2, behind: Vec3, side: f32) -> Vec3 {
    let mut light = behind;
    if at.x < 0.15 || at.y < 0.35 {
        return light;
    }
    let bough = 0.93 - 0.28 * (at.x - 0.25).max(0.0).powf(0.8) + 0.02 * (at.x * 14.0 + side).sin();
    let thick = 0.004 + 0.020 * ramp(0.25, 1.0, at.x);
    let wood = ramp(thick, thick - 0.003, (at.y - bough).abs()) * ramp(0.26, 0.30, at.x);
    light = light.lerp(rgb(0x4a_2c30), wood);
    let off = (at.y - bough) / (0.11 + 0.10 * ramp(0.3, 0.9, at.x));
    let mass = (1.0 - off * off) * ramp(0.20, 0.50, at.x);
    for layer in 0..3 {
        let place = at * 15.0 + Vec2::new(side * 40.0 + 9.0 * layer as f32, 3.0 * layer as f32);
        let clump = clouds(place * 0.33, 4);
        let fleck = leaves(place / 15.0 * 1.3, layer + if side > 0.0 { 1 } else { 6 });
        let cover = ramp(0.30, 0.55, mass * (0.5 + clump) - 0.12 + 0.30 * fleck);
        let pink = rgb(0xc0_3a74).lerp(rgb(0xff_c4d8), 0.22 * layer as f32 + 0.6 * fleck);
        light = light.lerp(pink * (0.75 + 0.35 * clump), cover * 0.9);
    }
    light
}

/// A rooftop above a city at dusk.
pub(super) fn urban_rooftop(at: Vec2) -> Vec3 {
    const EDGE: f32 = 0.30;
    let high = ramp(0.30, 1.0, at.y);
    let mut light = rgb(0xff_9a5c).lerp(rgb(0x5c_4a8c), ramp(0.0, 0.5, high));
    light = light.lerp(rgb(0x14_1c40), ramp(0.4, 1.0, high));
    let (cover, lit) = cumulus(Vec2::new(at.x * 0.5 + 7.0, at.y * 2.4), 1.7);
    light = light.lerp(rgb(0x4c_3c6c).lerp(rgb(0xff_8a64), lit), 0.45 * cover);
    light += rgb(0xff_b070) * 0.6 * glow(at, Vec2::new(-0.35, 0.36), 0.26);
    for layer in 0..4 {
        light = skyline(at, layer, light);
    }
    // the parapet
    let rim = EDGE + 0.045;
    let brick = 0.7 + 0.4 * clouds(at * Vec2::new(8.0, 30.0), 4);
    let coping = ramp(rim - 0.016, rim - 0.013, at.y);
    let wall = rgb(0x3c_3844).lerp(rgb(0x77_7078), coping)
        * brick
        * (0.7 + 0.6 * glow(at, Vec2::new(-0.4, EDGE), 0.7));
    light = light.lerp(wall, ramp(rim + 0.002, rim - 0.002, at.y));
    if at.y < EDGE {
        let ground = floor(at, EDGE + 0.14);
        let seam = line(ground.x * 0.55, 0.012, ground.y * 0.003).max(line(
            ground.y * 0.5,
            0.012,
            ground.y * ground.y * 0.002,
        ));
        let worn = clouds(ground * 1.2, 5);
        let wet = ramp(0.52, 0.66, clouds(ground * Vec2::new(0.5, 0.35) + 3.0, 4));
        let glimmer = rgb(0xff_9a5c) * glow(at, Vec2::new(-0.3, 0.2), 0.5) + rgb(0x3c_4c90) * 0.5;
        let felt = rgb(0x55_5260) * (0.45 + 0.6 * worn) * (1.0 - 0.5 * seam);
        light = felt * (0.55 + 0.5 * glow(at, Vec2::new(0.0, 0.12), 0.5)) + glimmer * 0.22 * wet;
        light *= 1.0 - 0.5 * (-((at.y - EDGE) / 0.012).powi(2)).exp();
    }
    // string lights over the roof
    let wire = 0.86 + 0.10 * (at.x * at.x) * 1.6;
    light = light.lerp(rgb(0x0c_0a12), ramp(0.0022, 0.0008, (at.y - wire).abs()));
    let x = (at.x / 0.105).round() * 0.105;
    let bulb = Vec2::new(x, 0.86 + 0.10 * x * x * 1.6 - 0.016);
    light = light.lerp(rgb(0xff_e0a0) * 2.6, ramp(0.0095, 0.0080, (at - bulb).length()));
    light += rgb(0xff_b860) * 0.5 * glow(at, bulb, 0.040);
    light * vignette(at, 0.35)
}

/// One row of houses with lit windows; higher layers are nearer.
fn skyline(at: Vec2, layer: i32, behind: Vec3) -> Vec3 {
    let near = layer as f32 / 3.0;
    let lane = at.x * (9.0 - 4.0 * near) + 5.3 * near + 0.5;
    let number = lane.floor();
    let tall = hash(number as i32, 11 + layer);
    // lower in the middle, where the character stands
    let from_middle = (number + 0.5 - 5.3 * near - 0.5) / (9.0 - 4.0 * near);
    let edge = 0.40 + 0.60 * ramp(0.05, 0.7, from_middle.abs());
    let top = 0.34 + (0.36 - 0.06 * near) * tall * edge + 0.10 * (1.0 - near) * edge;
    let gap = lane - number;
    let mast = ramp(0.05, 0.03, (gap - 0.5).abs()) * ramp(top + 0.055, top + 0.05, at.y);
    let mast = if hash(number as i32, 90 + layer) > 0.65 { mast } else { 0.0 };
    let body = ramp(top + 0.002, top - 0.002, at.y) * ramp(0.0, 0.02, gap) * ramp(1.0, 0.98, gap);
    let stone = rgb(0x7c_5a80).lerp(rgb(0x12_1224), near.powf(0.6));
    let mut light = behind.lerp(stone, body.max(mast));
    let size = Vec2::new(0.016, 0.021) * (0.75 + 0.5 * near);
    let cell = (at / size).floor();
    let inside = (at / size - cell - 0.5) * size;
    let pane = ramp(0.001, -0.001, outside_box(inside, size * 0.28, 0.0));
    let on = ramp(0.62, 0.66, hash(cell.x as i32 + 71 * layer, cell.y as i32));
    let warm =
        rgb(0xff_cf80).lerp(rgb(0xa8_d0ff), ramp(0.8, 0.9, hash(cell.y as i32, cell.x as i32)));
    let lit = body * pane * on * ramp(top - 0.006, top - 0.012, at.y);
    light = light.lerp(warm * (0.5 + 0.9 * near), lit);
    light
}
