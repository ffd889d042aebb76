//! Parts behind lids and lips: eyeballs, teeth and tongue, each a closed surface.

use glam::Vec3;

use super::Layout;
use crate::build::dressed::{IRIS, MOUTH, PUPIL, WHITE};

/// How a part moves with the face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Rotates about its own centre.
    Eyeball {
        /// Whether it is the character's right eye.
        right: bool,
    },
    /// Moves with the skull: the upper teeth.
    Still,
    /// Moves with the jaw.
    LowerTeeth,
    /// Moves with the jaw and can stick out.
    Tongue,
}

/// A closed surface; positions in metres of the canonical head, in both halves.
#[derive(Debug, Clone)]
pub struct Part {
    /// How the part moves.
    pub kind: Kind,
    /// Vertex positions.
    pub positions: Vec<Vec3>,
    /// Unit normals, pointing outwards.
    pub normals: Vec<Vec3>,
    /// Triangles, counter-clockwise seen from outside, each with the index of its surface.
    pub triangles: Vec<([u32; 3], usize)>,
}

/// Number of points around a circle.
const AROUND: usize = 20;

/// Returns evenly spaced unit vectors around a circle, computed with square roots only, so that
/// every machine gets the same bits.
fn circle() -> Vec<(f32, f32)> {
    // Multiples of 18°: cos 18° = √(10 + 2√5) / 4.
    let root = 5.0f32.sqrt();
    let cos = (10.0 + 2.0 * root).sqrt() / 4.0;
    let sin = (root - 1.0) / 4.0;
    let mut points = vec![(1.0f32, 0.0f32)];
    for _ in 1..AROUND {
        let (x, y) = points[points.len() - 1];
        points.push((x * cos - y * sin, x * sin + y * cos));
    }
    points
}

/// Returns all parts of a face.
#[must_use]
pub fn parts(layout: &Layout) -> Vec<Part> {
    let mouth = layout.mouth;
    let (upper, lower) = (mouth.height + 0.0005, mouth.height - 0.0010);
    vec![
        eyeball(layout, false),
        eyeball(layout, true),
        teeth(Kind::Still, upper, upper + 0.0085),
        teeth(Kind::LowerTeeth, lower - 0.0075, lower),
        tongue(mouth.height - 0.0075),
    ]
}

fn eyeball(layout: &Layout, right: bool) -> Part {
    let eye = layout.eye;
    let centre = eye.centre * Vec3::new(if right { -1.0 } else { 1.0 }, 1.0, 1.0);
    // Rings from the pupil backwards: distance from the axis as a fraction of the radius, and the
    // surface that follows.
    let iris = 0.52;
    let rings = [
        (0.10, PUPIL),
        (0.50 * iris, IRIS),
        (0.80 * iris, IRIS),
        (iris, WHITE),
        (0.74, WHITE),
        (0.92, WHITE),
        (1.0, WHITE),
    ];
    let around = circle();
    let mut part = Part {
        kind: Kind::Eyeball { right },
        positions: vec![centre + Vec3::Z * eye.radius],
        normals: vec![Vec3::Z],
        triangles: Vec::new(),
    };
    let mut ring = |share: f32, behind: bool| {
        let forward = (1.0 - share * share).max(0.0).sqrt() * if behind { -1.0 } else { 1.0 };
        for (x, y) in &around {
            let normal = Vec3::new(x * share, y * share, forward);
            part.positions.push(centre + normal * eye.radius);
            part.normals.push(normal);
        }
    };
    for (share, _) in rings {
        ring(share, false);
    }
    ring(0.70, true);
    part.positions.push(centre - Vec3::Z * eye.radius);
    part.normals.push(Vec3::NEG_Z);
    let place = |ring: usize, at: usize| (1 + ring * AROUND + at % AROUND) as u32;
    let back = part.positions.len() as u32 - 1;
    for at in 0..AROUND {
        part.triangles.push(([0, place(0, at), place(0, at + 1)], PUPIL));
        for (ring, (_, material)) in rings.into_iter().enumerate() {
            let [a, b] = [place(ring, at), place(ring, at + 1)];
            let [c, d] = [place(ring + 1, at), place(ring + 1, at + 1)];
            part.triangles.push(([a, c, d], material));
            part.triangles.push(([a, d, b], material));
        }
        part.triangles.push(([back, place(rings.len(), at + 1), place(rings.len(), at)], WHITE));
    }
    part
}

/// Returns a row of teeth as one smooth arch between two heights.
fn teeth(kind: Kind, low: f32, high: f32) -> Part {
    const STEPS: usize = 12;
    let mut part = Part { kind, positions: Vec::new(), normals: Vec::new(), triangles: Vec::new() };
    let corners = [(1.0, high, true), (1.0, low, true), (0.80, low, false), (0.80, high, false)];
    for step in 0..=STEPS {
        // An arch: flat in front, 20 mm to each side, then back into the cheeks.
        let t = step as f32 / STEPS as f32 * 2.0 - 1.0;
        let back = 0.018 * t * t * (1.0 + t * t * t * t);
        let out = Vec3::new(t * 1.6, 0.0, 1.0).normalize();
        for (size, y, outside) in corners {
            let place = Vec3::new(0.0200 * t * size, y, 0.0785 - back - 0.004 * (1.0 - size) / 0.2);
            part.positions.push(place);
            let sideways = if outside { out } else { -out };
            let up = if y == high { Vec3::Y } else { Vec3::NEG_Y };
            part.normals.push((sideways + 0.5 * up).normalize());
        }
    }
    let place = |step: usize, corner: usize| (step * 4 + corner % 4) as u32;
    for step in 0..STEPS {
        for corner in 0..4 {
            let [a, b] = [place(step, corner), place(step, corner + 1)];
            let [c, d] = [place(step + 1, corner), place(step + 1, corner + 1)];
            part.triangles.push(([a, b, d], WHITE));
            part.triangles.push(([a, d, c], WHITE));
        }
    }
    for (step, turn) in [(0, true), (STEPS, false)] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| place(step, corner));
        let faces = if turn { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] };
        part.triangles.extend(faces.map(|face| (face, WHITE)));
    }
    part
}

fn tongue(height: f32) -> Part {
    const RINGS: usize = 6;
    let centre = Vec3::new(0.0, height, 0.0570);
    let radii = Vec3::new(0.0130, 0.0052, 0.0195);
    let around: Vec<_> = circle().into_iter().step_by(2).collect();
    let count = around.len();
    let mut part = Part {
        kind: Kind::Tongue,
        positions: vec![centre + Vec3::Z * radii.z],
        normals: vec![Vec3::Z],
        triangles: Vec::new(),
    };
    for ring in 0..RINGS {
        let forward = 0.92 - ring as f32 / (RINGS - 1) as f32 * 1.84;
        let share = (1.0 - forward * forward).sqrt();
        for (x, y) in &around {
            let unit = Vec3::new(x * share, y * share, forward);
            part.positions.push(centre + unit * radii);
            part.normals.push((unit / radii).normalize());
        }
    }
    part.positions.push(centre - Vec3::Z * radii.z);
    part.normals.push(Vec3::NEG_Z);
    let place = |ring: usize, at: usize| (1 + ring * count + at % count) as u32;
    let back = part.positions.len() as u32 - 1;
    for at in 0..count {
        part.triangles.push(([0, place(0, at), place(0, at + 1)], MOUTH));
        for ring in 0..RINGS - 1 {
            let [a, b] = [place(ring, at), place(ring, at + 1)];
            let [c, d] = [place(ring + 1, at), place(ring + 1, at + 1)];
            part.triangles.push(([a, c, d], MOUTH));
            part.triangles.push(([a, d, b], MOUTH));
        }
        part.triangles.push(([back, place(RINGS - 1, at + 1), place(RINGS - 1, at)], MOUTH));
    }
    part
}
