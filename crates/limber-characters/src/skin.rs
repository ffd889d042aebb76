//! From a net to even, smooth triangles that lie on the skin.

use std::collections::HashMap;

use glam::Vec3;

use crate::field::Field;
use crate::lattice::Lattice;
use crate::net::Net;

/// Triangles with smooth normals; `paint` numbers each triangle's material.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    /// World positions at rest, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals, outwards.
    pub normals: Vec<Vec3>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// One per triangle.
    pub paint: Vec<usize>,
}

/// Rounds of evening out; more change nothing visible.
const ROUNDS: usize = 8;

/// Stands for whatever material a triangle had before.
pub const ANY: usize = usize::MAX;

/// Marks the left half while it is mirrored.
const LEFT: usize = 1;

/// A vertex this near to a painted region's border counts as lying on it.
const ON_LINE_M: f32 = 0.0004;

/// Slides the net's vertices along the skin until they are evenly spread, and halves its
/// quadrilaterals across their shorter diagonals.
#[must_use]
pub fn settle(mut net: Net, field: &Field, lattice: &Lattice) -> Skin {
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
                let step = lattice.step_at(*place);
                field.project(place.lerp(mean, pull), 0.4 * step)
            })
            .collect();
    }
    let triangles = net.quads.iter().flat_map(|quad| halve(*quad, &net.positions)).collect();
    let mut skin = Skin { positions: net.positions, triangles, ..Skin::default() };
    skin.paint = vec![0; skin.triangles.len()];
    skin
}

/// Where the line crosses an edge, given its values at both ends: false position, three steps.
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

/// Every vertex's normal as the mean of its triangles', larger ones counting more.
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
    /// Forgets vertices that no triangle needs.
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

    /// Makes the right half the left one's mirror image, with a line of edges down the middle.
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

    /// Takes every vertex's normal from the field, so that shading does not show the triangles.
    pub fn shade(&mut self, field: &Field, lattice: &Lattice) {
        self.normals = self
            .positions
            .iter()
            .map(|place| {
                field.gradient(*place, 0.25 * lattice.step_at(*place)).normalize_or(Vec3::Y)
            })
            .collect();
    }

    /// Paints what lies where `outline` is negative, cutting triangles along its zero line so that
    /// the border is as smooth as the skin. Only triangles of the material `over` are painted, all for
    /// [`ANY`].
    /// What is `thin` keeps the vertices inside it, which are its only hold.
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

    /// Whether a triangle that the line does not cross lies on its negative side.
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

    /// Vertices close to the line are moved onto it, which spares slivers.
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

    /// The triangle's pieces on both sides of the line.
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
