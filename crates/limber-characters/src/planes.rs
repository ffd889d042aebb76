//! Eyes, brows and mouth of a low-poly face: small closed solids on its surface.

use glam::Vec3;

use crate::anatomy::front_of_face;
use crate::build::dressed::{HAIR, LIPS, PUPIL};
use crate::face::parts::{Kind, Part};
use crate::field::Field;
use crate::fit::Fit;

/// The outline of the left eye, as offsets from its centre.
const EYE: [(f32, f32); 6] = [
    (0.009, 0.004),
    (0.004, 0.013),
    (-0.004, 0.013),
    (-0.009, 0.004),
    (-0.006, -0.012),
    (0.006, -0.012),
];

/// The outline of the mouth, as offsets from its centre.
const MOUTH: [(f32, f32); 6] = [
    (0.020, 0.0045),
    (0.0, 0.0015),
    (-0.020, 0.0045),
    (-0.013, -0.0035),
    (0.0, -0.0055),
    (0.013, -0.0035),
];

/// Returns eyes, brows and mouth; positions in metres of the canonical head.
#[must_use]
pub fn parts(fit: &Fit, field: &Field) -> Vec<Part> {
    let brow = [(0.015, 1.6655), (0.036, 1.6700), (0.054, 1.6630)];
    let mut parts = Vec::new();
    for right in [false, true] {
        let ring: Vec<Vec3> =
            EYE.iter().map(|(x, y)| front_of_face(fit, field, 0.031 + x, 1.633 + y)).collect();
        parts.push(solid(&ring, 0.0045, PUPIL, right));
        let (upper, lower) = (0.0050, -0.0045);
        let along = |dy: f32| brow.map(|(x, y)| front_of_face(fit, field, x, y + dy));
        let [a, b, c] = along(lower);
        let [d, e, f] = along(upper);
        parts.push(solid(&[a, b, c, f, e, d], 0.0040, HAIR, right));
    }
    let mouth: Vec<Vec3> =
        MOUTH.iter().map(|(x, y)| front_of_face(fit, field, *x, 1.568 + y)).collect();
    parts.push(solid(&mouth, 0.0040, LIPS, false));
    parts
}

/// Returns a plate over a ring of points, which is counter-clockwise seen from the front; it
/// protrudes by `height`.
fn solid(ring: &[Vec3], height: f32, paint: usize, right: bool) -> Part {
    let count = ring.len() as u32;
    let side = Vec3::new(if right { -1.0 } else { 1.0 }, 1.0, 1.0);
    let front = ring.iter().map(|at| (*at + Vec3::Z * height) * side);
    let back = ring.iter().map(|at| (*at - Vec3::Z * 0.006) * side);
    let middle: Vec3 = ring.iter().sum::<Vec3>() / count as f32;
    let positions: Vec<Vec3> = front
        .chain(back)
        .chain([(middle + Vec3::Z * 1.25 * height) * side, (middle - Vec3::Z * 0.008) * side])
        .collect();
    let mut triangles = Vec::new();
    for at in 0..count {
        let next = (at + 1) % count;
        triangles.extend([
            [2 * count, at, next],
            [at, at + count, next + count],
            [at, next + count, next],
            [2 * count + 1, next + count, at + count],
        ]);
    }
    if right {
        for [_, b, c] in &mut triangles {
            std::mem::swap(b, c);
        }
    }
    Part {
        kind: Kind::Still,
        normals: vec![Vec3::Z; positions.len()],
        positions,
        triangles: triangles.into_iter().map(|corners| (corners, paint)).collect(),
    }
}
