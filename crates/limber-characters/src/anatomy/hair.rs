//! Hair and brows: separate fields that grow on the head.

use super::{Clay, front_of_face};
use crate::build::Hair;
use crate::face::Layout;
use crate::field::Field;
use crate::fit::Region::Head;

/// Width of the blend between hair and skin, in metres.
pub(super) const BLEND_M: f32 = 0.0015;

pub(super) fn add(clay: &mut Clay<'_>, bare: &Field) {
    match clay.fit.build().hair {
        Hair::Bald => {}
        Hair::Short => short(clay),
        Hair::Bun => bun(clay),
        Hair::Mop => mop(clay),
        Hair::Wave => wave(clay),
    }
    brows(clay, bare);
}

/// A cap around the skull, open in front below the hairline and at the back below the nape.
fn cap(clay: &mut Clay<'_>, thickness: f32, hairline: f32, nape: f32) {
    let t = thickness;
    clay.ball(Head, 0.01, [0.0, 1.670, -0.001], [0.0755 + t, 0.081 + t, 0.0955 + t]);
    clay.ball(Head, 0.03, [0.0, 1.630, -0.020], [0.0680 + t, 0.066 + t, 0.0700 + t]);
    // Cut out face, neck and ears.
    clay.hollow(Head, 0.006, [0.0, hairline - 0.100, 0.105], [0.088, 0.100, 0.098]);
    clay.hollow(Head, 0.006, [0.0, nape - 0.060, 0.000], [0.120, 0.062, 0.140]);
    clay.hollow(Head, 0.006, [0.085, 1.617, 0.004], [0.040, 0.036, 0.026]);
}

fn short(clay: &mut Clay<'_>) {
    cap(clay, 0.006, 1.722, 1.588);
    // More volume on top, combed up and forward.
    clay.turned_ball(Head, 0.014, [0.0, 1.738, 0.030], [0.060, 0.021, 0.062], [0.0, 1.0, 0.12]);
    clay.turned_ball(Head, 0.010, [0.022, 1.744, 0.062], [0.034, 0.017, 0.026], [0.15, 1.0, 0.5]);
}

fn bun(clay: &mut Clay<'_>) {
    cap(clay, 0.007, 1.728, 1.585);
    // Swept behind the ears from a centre parting.
    clay.turned_ball(
        Head,
        0.008,
        [0.040, 1.706, 0.058],
        [0.014, 0.044, 0.022],
        [0.66, -0.72, 0.14],
    );
    clay.turned_ball(
        Head,
        0.010,
        [0.070, 1.672, 0.020],
        [0.012, 0.040, 0.026],
        [0.25, -0.90, -0.30],
    );
    clay.ball(Head, 0.004, [0.0, 1.752, -0.070], [0.041, 0.037, 0.039]);
    clay.ball(Head, 0.004, [0.0, 1.728, -0.080], [0.026, 0.014, 0.024]);
}

fn mop(clay: &mut Clay<'_>) {
    cap(clay, 0.012, 1.712, 1.575);
    // A fringe combed to both sides, a lock in front of each ear, and a tuft that stands up.
    clay.turned_ball(Head, 0.018, [0.012, 1.716, 0.086], [0.040, 0.026, 0.016], [0.35, -1.0, 0.20]);
    clay.turned_ball(
        Head,
        0.010,
        [0.060, 1.694, 0.050],
        [0.018, 0.034, 0.015],
        [0.30, -1.0, -0.15],
    );
    clay.turned_ball(Head, 0.020, [0.014, 1.746, 0.022], [0.050, 0.024, 0.060], [0.2, 1.0, 0.2]);
}

fn wave(clay: &mut Clay<'_>) {
    cap(clay, 0.009, 1.718, 1.580);
    // A big wave above the forehead.
    clay.turned_ball(Head, 0.018, [0.0, 1.744, 0.030], [0.064, 0.026, 0.066], [0.0, 1.0, 0.20]);
    clay.turned_ball(Head, 0.014, [0.010, 1.752, 0.078], [0.048, 0.022, 0.030], [0.1, 0.9, 0.5]);
    clay.turned_ball(Head, 0.012, [0.050, 1.728, 0.056], [0.026, 0.022, 0.038], [0.7, 0.8, 0.3]);
}

/// Two bars along the ridge above each eye, half sunk into the skin.
fn brows(clay: &mut Clay<'_>, bare: &Field) {
    let Some(layout) = Layout::of(clay.fit.build()) else { return };
    let thick = 0.0040 * layout.features.brows.sqrt();
    let y = layout.eye.centre.y + 1.55 * layout.eye.radius;
    let wide = layout.eye.radius / 0.0165;
    let end = |x: f32, rise: f32, thick: f32| {
        let x = layout.eye.centre.x + x * wide;
        let at = front_of_face(clay.fit, bare, x, y + rise);
        [x, y + rise, at.z - 0.35 * thick, thick]
    };
    let inner = end(-0.0175, 0.0002, thick);
    let peak = end(0.0040, 0.0030, thick);
    let outer = end(0.0200, -0.0035, 0.5 * thick);
    clay.bar(Head, 0.001, inner, peak);
    clay.bar(Head, 0.002, peak, outer);
}
