//! Relaxes a quad mesh into even triangles on the skin, and cuts it along the borders of materials.

use std::collections::HashMap;

use glam::Vec3;

use crate::adaptive_grid::AdaptiveGrid;
use crate::field::Field;
use crate::net::Net;

/// A triangle mesh with normals and a material per triangle.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// Rest positions in world space, in metres.
    pub positions: Vec<Vec3>,
    /// Unit normals, pointing outwards.
    pub normals: Vec<Vec3>,
    /// Triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The material index of each triangle.
    pub paint: Vec<usize>,
}

/// Rounds of relaxation; further rounds have no visible effect.
const ROUNDS: usize = 8;

/// Wildcard for the previous material of a triangle.
pub const ANY: usize = usize::MAX;

/// Marks the left half during mirroring.
const LEFT: usize = 1;

/// A vertex this close to a region's border counts as lying on it, in metres.
const ON_LINE_M: f32 = 0.0004;

/// Moves the vertices along the skin until they are evenly distributed, and splits quads along
/// their shorter diagonals.
#[must_use]
pub fn settle(mut net: Net, field: &Field, grid: &AdaptiveGrid) -> Skin {
    let neighbours = neighbours(&net);
    for round in 0..ROUNDS {
        let pull = if round + 1 == ROUNDS { 0.0 } else { 0.5 };
        net.positions = net
            .positions
            .iter()
            .zip(&neighbours)
            .map(|(place, others)| {
                let sum: Vec3 = others.iter().map(|other| net.positions[*other as usize]).sum();
                let mean = sum / others.len() as f32;
                let step = grid.step_at(*place);
                field.project(place.lerp(mean, pull), 0.4 * step)
            })
            .collect();
    }
    let triangles = net.quads.iter().flat_map(|quad| halve(*quad, &net.positions)).collect();
    let mut skin = Skin { positions: net.positions, triangles, ..Skin::default() };
    skin.paint = vec![0; skin.triangles.len()];
    skin
}

/// Returns the point where the zero line crosses an edge, given the values at both ends, by three
/// steps of regula falsi.
fn crossing(
    mut from: Vec3,
    mut at_from: f32,
    mut to: Vec3,
    mut at_to: f32,
    outline: &impl Fn(Vec3) -> f32,
) -> Vec3 {
    let mut place = from;
    for _ in 0..3 {
        place = from.lerp(to, at_from / (at_from - at_to));
        let here = outline(place);
        if here * at_from > 0.0 {
            (from, at_from) = (place, here);
        } else {
            (to, at_to) = (place, here);
        }
        if (at_from - at_to).abs() < 1e-7 {
            break;
        }
    }
    place
}

/// Computes vertex normals as the area-weighted mean of the triangles' normals.
#[must_use]
pub fn smooth_normals(positions: &[Vec3], triangles: &[([u32; 3], usize)]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for (triangle, _) in triangles {
        let [a, b, c] = triangle.map(|corner| positions[corner as usize]);
        let normal = (b - a).cross(c - a);
        for corner in triangle {
            sums[*corner as usize] += normal;
        }
    }
    sums.into_iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}

fn neighbours(net: &Net) -> Vec<Vec<u32>> {
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); net.positions.len()];
    for quad in &net.quads {
        for i in 0..4 {
            let (a, b) = (quad[i], quad[(i + 1) % 4]);
            lists[a as usize].push(b);
        }
    }
    lists
}

fn halve([a, b, c, d]: [u32; 4], positions: &[Vec3]) -> [[u32; 3]; 2] {
    let length = |from: u32, to: u32| positions[from as usize].distance(positions[to as usize]);
    if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}

impl Skin {
    /// Removes vertices that no triangle uses.
    pub fn drop_unused(&mut self) {
        let mut new_place = vec![u32::MAX; self.positions.len()];
        let mut positions = Vec::new();
        for corner in self.triangles.iter_mut().flatten() {
            let place = &mut new_place[*corner as usize];
            if *place == u32::MAX {
                *place = positions.len() as u32;
                positions.push(self.positions[*corner as usize]);
            }
            *corner = *place;
        }
        self.positions = positions;
        self.paint = vec![0; self.triangles.len()];
    }

    /// Replaces the right half by the mirrored left half, with a line of edges down the middle.
    pub fn mirror(&mut self, field: &Field) {
        self.paint_region(field, ANY, LEFT, false, |point| -point.x);
        for place in &mut self.positions {
            if place.x.abs() <= ON_LINE_M {
                place.x = 0.0;
            }
        }
        let on_left = self.triangles.iter().zip(&self.paint).filter(|(_, paint)| **paint == LEFT);
        let in_the_middle = |corner: u32| self.positions[corner as usize].x == 0.0;
        let left: Vec<[u32; 3]> = on_left
            .map(|(triangle, _)| *triangle)
            .filter(|triangle| !triangle.iter().all(|corner| in_the_middle(*corner)))
            .collect();
        let count = self.positions.len() as u32;
        let across = |corner: u32| if in_the_middle(corner) { corner } else { corner + count };
        let right = left.iter().map(|[a, b, c]| [across(*a), across(*c), across(*b)]);
        self.triangles = right.chain(left.iter().copied()).collect();
        let flipped = self.positions.iter().map(|place| *place * Vec3::new(-1.0, 1.0, 1.0));
        self.positions = self.positions.iter().copied().chain(flipped).collect();
        self.drop_unused();
    }

    /// Takes every vertex normal from the gradient of the field, so that shading does not show the
    /// triangles.
    pub fn shade(&mut self, field: &Field, grid: &AdaptiveGrid) {
        self.normals = self
            .positions
            .iter()
            .map(|place| field.gradient(*place, 0.25 * grid.step_at(*place)).normalize_or(Vec3::Y))
            .collect();
    }

    /// Paints the region in which `outline` is negative and cuts triangles along its zero line, so
    /// that the border is as smooth as the skin. Only triangles of the material `over` are painted,
    /// all with [`ANY`]. For `thin` regions, vertices inside are not snapped to the border: without
    /// them the region would be lost.
    pub fn paint_region(
        &mut self,
        field: &Field,
        over: usize,
        paint: usize,
        thin: bool,
        outline: impl Fn(Vec3) -> f32,
    ) {
        let mut values: Vec<f32> = self.positions.iter().map(|place| outline(*place)).collect();
        self.snap_to_line(field, &mut values, thin, &outline);
        let mut cuts: HashMap<(u32, u32), u32> = HashMap::new();
        let old = std::mem::take(&mut self.triangles);
        let old_paint = std::mem::take(&mut self.paint);
        for (triangle, before) in old.into_iter().zip(old_paint) {
            let sides = triangle.map(|corner| values[corner as usize]);
            let crosses = sides.iter().any(|v| *v > 0.0) && sides.iter().any(|v| *v < 0.0);
            let pieces = if crosses {
                self.cut(triangle, &mut values, &mut cuts, field, &outline)
            } else {
                vec![triangle]
            };
            for piece in pieces {
                let covered = self.is_covered(piece, &values, &outline);
                self.triangles.push(piece);
                self.paint.push(if covered && (before == over || over == ANY) {
                    paint
                } else {
                    before
                });
            }
        }
    }

    /// Whether a triangle that the zero line does not cross lies on its negative side.
    fn is_covered(
        &self,
        triangle: [u32; 3],
        values: &[f32],
        outline: &impl Fn(Vec3) -> f32,
    ) -> bool {
        let sides = triangle.map(|corner| values[corner as usize]);
        if sides.iter().any(|side| *side != 0.0) {
            return sides.iter().all(|side| *side <= 0.0);
        }
        let sum: Vec3 = triangle.iter().map(|corner| self.positions[*corner as usize]).sum();
        outline(sum / 3.0) < 0.0
    }

    /// Moves vertices near the zero line onto it, which avoids slivers.
    fn snap_to_line(
        &mut self,
        field: &Field,
        values: &mut [f32],
        thin: bool,
        outline: &impl Fn(Vec3) -> f32,
    ) {
        let mut nearest: HashMap<u32, (f32, u32)> = HashMap::new();
        for triangle in &self.triangles {
            for i in 0..3 {
                let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
                let (va, vb) = (values[a as usize], values[b as usize]);
                if va * vb >= 0.0 {
                    continue;
                }
                let t = va / (va - vb);
                for (vertex, other, share) in [(a, b, t), (b, a, 1.0 - t)] {
                    let best = nearest.entry(vertex).or_insert((share, other));
                    if (share, other) < *best {
                        *best = (share, other);
                    }
                }
            }
        }
        let mut moves: Vec<_> = nearest
            .into_iter()
            .filter(|(vertex, _)| !thin || values[*vertex as usize] > 0.0)
            .filter(|(_, (share, _))| *share < 0.3)
            .collect();
        moves.sort_by_key(|(vertex, _)| *vertex);
        let before = self.positions.clone();
        let values_before = values.to_vec();
        for (vertex, (_, other)) in moves {
            let (from, to) = (before[vertex as usize], before[other as usize]);
            let line =
                crossing(from, values[vertex as usize], to, values_before[other as usize], outline);
            let place = field.project(line, from.distance(to) * 0.3);
            if outline(place).abs() <= ON_LINE_M {
                self.positions[vertex as usize] = place;
                values[vertex as usize] = 0.0;
            }
        }
    }

    /// Cuts a triangle along the zero line and returns the pieces.
    fn cut(
        &mut self,
        triangle: [u32; 3],
        values: &mut Vec<f32>,
        cuts: &mut HashMap<(u32, u32), u32>,
        field: &Field,
        outline: &impl Fn(Vec3) -> f32,
    ) -> Vec<[u32; 3]> {
        let mut halves: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        for i in 0..3 {
            let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
            let (va, vb) = (values[a as usize], values[b as usize]);
            if va <= 0.0 {
                halves[0].push(a);
            }
            if va >= 0.0 {
                halves[1].push(a);
            }
            if va * vb < 0.0 {
                let middle = *cuts.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let (from, to) = (self.positions[a as usize], self.positions[b as usize]);
                    let place = crossing(from, va, to, vb, outline);
                    self.positions.push(field.project(place, from.distance(to) * 0.2));
                    values.push(0.0);
                    self.positions.len() as u32 - 1
                });
                halves[0].push(middle);
                halves[1].push(middle);
            }
        }
        halves
            .into_iter()
            .flat_map(|ring| match ring[..] {
                [a, b, c] => vec![[a, b, c]],
                [a, b, c, d] => halve([a, b, c, d], &self.positions).to_vec(),
                _ => Vec::new(),
            })
            .collect()
    }
}
