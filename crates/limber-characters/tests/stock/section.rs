//! The area of cross-sections of a mesh.

use glam::{Vec2, Vec3};

/// A plane through `centre`.
pub(crate) struct Plane {
    pub(crate) centre: Vec3,
    pub(crate) normal: Vec3,
}

/// Samples per side of the sampled square.
const SIDE: i32 = 121;

/// Returns the area of the connected cross-section of a closed mesh around the plane's centre, in
/// square metres. A point is inside if the winding number is at least one, so that overlapping
/// flesh counts once. Samples no farther than `reach_m`.
pub(crate) fn area(positions: &[Vec3], triangles: &[[u32; 3]], plane: &Plane, reach_m: f32) -> f32 {
    let across = plane.normal.any_orthonormal_pair();
    let flat = |place: Vec3| {
        let offset = place - plane.centre;
        Vec2::new(offset.dot(across.0), offset.dot(across.1))
    };
    let segments: Vec<[Vec2; 2]> = triangles
        .iter()
        .filter_map(|triangle| cut(triangle.map(|corner| positions[corner as usize]), plane))
        .map(|[from, to]| [flat(from), flat(to)])
        .filter(|[from, _]| from.length() < 3.0 * reach_m)
        .collect();
    let step = 2.0 * reach_m / (SIDE - 1) as f32;
    let inside: Vec<bool> = (0..SIDE * SIDE)
        .map(|at| {
            let cell = Vec2::new((at % SIDE) as f32, (at / SIDE) as f32);
            let point = cell * step - Vec2::splat(reach_m) + Vec2::splat(step * 0.137);
            point.length() < reach_m && winding(&segments, point) != 0
        })
        .collect();
    connected(&inside) as f32 * step * step
}

/// Returns the segment in which the plane cuts a triangle, from the upward to the downward crossing
/// of the outline.
fn cut(corners: [Vec3; 3], plane: &Plane) -> Option<[Vec3; 2]> {
    let heights = corners.map(|corner| (corner - plane.centre).dot(plane.normal));
    let (mut up, mut down) = (None, None);
    for i in 0..3 {
        let (a, b) = (i, (i + 1) % 3);
        if (heights[a] < 0.0) != (heights[b] < 0.0) {
            let place = corners[a].lerp(corners[b], heights[a] / (heights[a] - heights[b]));
            *(if heights[a] < 0.0 { &mut up } else { &mut down }) = Some(place);
        }
    }
    Some([up?, down?])
}

fn winding(segments: &[[Vec2; 2]], point: Vec2) -> i32 {
    let mut turns = 0;
    for [from, to] in segments {
        if (from.y <= point.y) == (to.y <= point.y) {
            continue;
        }
        let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x);
        if x > point.x {
            turns += if to.y > from.y { 1 } else { -1 };
        }
    }
    turns
}

/// Returns the number of samples connected to the one in the middle, or to the inside sample
/// nearest to it.
fn connected(inside: &[bool]) -> usize {
    let middle = SIDE / 2;
    let off = |at: i32| (at % SIDE - middle).pow(2) + (at / SIDE - middle).pow(2);
    let all = || (0..SIDE * SIDE).filter(|at| inside[*at as usize]);
    let Some(start) = all().min_by_key(|at| off(*at)) else { return 0 };
    let mut seen = vec![false; inside.len()];
    let mut open = vec![start];
    let mut count = 0;
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        count += 1;
        let (x, y) = (at % SIDE, at / SIDE);
        for (nx, ny) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
            let next = ny * SIDE + nx;
            if (0..SIDE).contains(&nx) && (0..SIDE).contains(&ny) && inside[next as usize] {
                open.push(next);
            }
        }
    }
    count
}

#[test]
fn the_cross_section_of_a_box_has_the_right_area() {
    let corner =
        |i: usize| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32) * 0.1;
    let positions: Vec<Vec3> = (0..8).map(corner).collect();
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> =
        sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let plane = Plane { centre: Vec3::splat(0.05), normal: Vec3::Y };
    assert!((area(&positions, &triangles, &plane, 0.09) - 0.01).abs() < 4e-4);
}
