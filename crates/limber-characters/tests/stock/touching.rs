//! Finds the triangles of a posed body that intersect.

use std::collections::HashMap;

use glam::{IVec3, Vec3};

/// Returns the pairs of triangles that intersect; pairs that share a corner do not count.
pub(crate) fn crossing_pairs(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<(usize, usize)> {
    const CELL_M: f32 = 0.02;
    let mut grid: HashMap<IVec3, Vec<usize>> = HashMap::new();
    let corners = |at: usize| triangles[at].map(|corner| positions[corner as usize]);
    for at in 0..triangles.len() {
        let [a, b, c] = corners(at);
        let low = (a.min(b).min(c) / CELL_M).floor().as_ivec3();
        let high = (a.max(b).max(c) / CELL_M).floor().as_ivec3();
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    grid.entry(IVec3::new(x, y, z)).or_default().push(at);
                }
            }
        }
    }
    let mut pairs = Vec::new();
    for cell in grid.values() {
        for (place, first) in cell.iter().enumerate() {
            for second in &cell[place + 1..] {
                let share = triangles[*first].iter().any(|c| triangles[*second].contains(c));
                if !share && cross(corners(*first), corners(*second)) {
                    pairs.push((*first.min(second), *first.max(second)));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn cross(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let apart = |axis: Vec3| {
        let range = |corners: [Vec3; 3]| {
            let at = corners.map(|corner| corner.dot(axis));
            (at[0].min(at[1]).min(at[2]), at[0].max(at[1]).max(at[2]))
        };
        let ((low_a, high_a), (low_b, high_b)) = (range(a), range(b));
        low_a > high_b || low_b > high_a
    };
    if Vec3::AXES.into_iter().any(apart) {
        return false;
    }
    let sides = |corners: [Vec3; 3]| {
        [[corners[0], corners[1]], [corners[1], corners[2]], [corners[2], corners[0]]]
    };
    sides(a).into_iter().any(|side| pierces(side, b))
        || sides(b).into_iter().any(|side| pierces(side, a))
}

/// Möller and Trumbore, *Fast, Minimum Storage Ray/Triangle Intersection*, 1997.
fn pierces([from, to]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> bool {
    let ray = to - from;
    let (ab, ac) = (b - a, c - a);
    let p = ray.cross(ac);
    let determinant = ab.dot(p);
    if determinant.abs() < 1e-14 {
        return false;
    }
    let offset = from - a;
    let u = offset.dot(p) / determinant;
    let q = offset.cross(ab);
    let v = ray.dot(q) / determinant;
    let t = ac.dot(q) / determinant;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&t)
}

#[test]
fn only_intersecting_triangles_are_found() {
    let positions = [
        Vec3::ZERO,
        Vec3::X,
        Vec3::Y,
        Vec3::new(0.2, 0.2, -1.0),
        Vec3::new(0.2, 0.2, 1.0),
        Vec3::new(0.9, 0.9, 1.0),
        Vec3::new(0.0, 0.0, 0.5),
        Vec3::new(1.0, 0.0, 0.5),
        Vec3::new(0.0, 0.1, 0.5),
    ]
    .map(|place| place * 0.1);
    assert_eq!(crossing_pairs(&positions, &[[0, 1, 2], [3, 4, 5], [6, 7, 8]]), [(0, 1)]);
}
