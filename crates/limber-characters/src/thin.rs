//! Simplifies the mesh where it is nearly flat: back of the head, palms, thighs.
//!
//! Edges are collapsed in the order of their quadric error (Garland and Heckbert, *Surface
//! Simplification Using Quadric Error Metrics*, 1997). A collapse removes one of the two vertices
//! and does not move the other, so that it stays on the skin; edges longer than a limit, which
//! would bend badly, are not created.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use glam::{DVec3, Vec3};

use crate::adaptive_grid::AdaptiveGrid;
use crate::skin::Skin;

/// Weight of the edge length relative to the error, so that flat parts are simplified evenly.
const LENGTH_COST: f64 = 2e-5;

/// Sum of squared distances to planes: the upper triangle of the symmetric 4 × 4 matrix.
#[derive(Debug, Clone, Copy, Default)]
struct Quadric([f64; 10]);

impl Quadric {
    fn of_triangle([a, b, c]: [DVec3; 3]) -> Self {
        let cross = (b - a).cross(c - a);
        let area = 0.5 * cross.length();
        let n = cross.normalize_or_zero();
        let d = -n.dot(a);
        Self(
            [
                n.x * n.x,
                n.x * n.y,
                n.x * n.z,
                n.x * d,
                n.y * n.y,
                n.y * n.z,
                n.y * d,
                n.z * n.z,
                n.z * d,
                d * d,
            ]
            .map(|entry| entry * area),
        )
    }

    fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    fn at(&self, p: DVec3) -> f64 {
        let q = &self.0;
        q[0] * p.x * p.x
            + q[4] * p.y * p.y
            + q[7] * p.z * p.z
            + 2.0 * (q[1] * p.x * p.y + q[2] * p.x * p.z + q[5] * p.y * p.z)
            + 2.0 * (q[3] * p.x + q[6] * p.y + q[8] * p.z)
            + q[9]
    }
}

/// A possible collapse: the bits of its cost (which order like the cost), the vertex to remove, the
/// vertex to keep, and the number of changes each had seen when the cost was computed.
type Candidate = Reverse<(u64, u32, u32, u32, u32)>;

struct Thinning<'a> {
    grid: &'a AdaptiveGrid,
    positions: &'a [Vec3],
    triangles: Vec<Option<[u32; 3]>>,
    /// Triangles around each vertex.
    around: Vec<BTreeSet<u32>>,
    quadrics: Vec<Quadric>,
    changes: Vec<u32>,
    queue: BinaryHeap<Candidate>,
}

/// Simplifies the skin to about `target` triangles, or to more if further collapses would damage
/// it.
pub fn thin(skin: &mut Skin, grid: &AdaptiveGrid, target: usize) {
    let mut work = Thinning::new(skin, grid);
    let mut count = skin.triangles.len();
    while count > target {
        let Some(Reverse((_, gone, kept, then_gone, then_kept))) = work.queue.pop() else { break };
        let now = (work.changes[gone as usize], work.changes[kept as usize]);
        if now == (then_gone, then_kept) && work.may_collapse(gone, kept) {
            work.collapse(gone, kept);
            count -= 2;
        }
    }
    skin.triangles = work.triangles.into_iter().flatten().collect();
    skin.drop_unused();
}

impl<'a> Thinning<'a> {
    fn new(skin: &'a Skin, grid: &'a AdaptiveGrid) -> Self {
        let count = skin.positions.len();
        let mut work = Self {
            grid,
            positions: &skin.positions,
            triangles: skin.triangles.iter().copied().map(Some).collect(),
            around: vec![BTreeSet::new(); count],
            quadrics: vec![Quadric::default(); count],
            changes: vec![0; count],
            queue: BinaryHeap::new(),
        };
        for (place, triangle) in skin.triangles.iter().enumerate() {
            let corners = triangle.map(|corner| work.positions[corner as usize].as_dvec3());
            let quadric = Quadric::of_triangle(corners);
            for corner in triangle {
                work.around[*corner as usize].insert(place as u32);
                let sum = &mut work.quadrics[*corner as usize];
                *sum = sum.plus(quadric);
            }
        }
        for vertex in 0..count as u32 {
            work.offer(vertex);
        }
        work
    }

    fn neighbours(&self, vertex: u32) -> BTreeSet<u32> {
        let corners = self.around[vertex as usize]
            .iter()
            .filter_map(|place| self.triangles[*place as usize])
            .flatten();
        corners.filter(|corner| *corner != vertex).collect()
    }

    /// Queues the collapses of a vertex into each of its neighbours.
    fn offer(&mut self, gone: u32) {
        for kept in self.neighbours(gone) {
            let place = self.positions[kept as usize].as_dvec3();
            let length2 = place.distance_squared(self.positions[gone as usize].as_dvec3());
            let error = self.quadrics[gone as usize].at(place).max(0.0);
            // Errors count more where the grid is fine: on face and fingers.
            let place = self.positions[gone as usize];
            let step = f64::from(self.grid.grain_at(place));
            let cost = (error + LENGTH_COST * length2 * length2) / (step * step * step);
            let changes = (self.changes[gone as usize], self.changes[kept as usize]);
            self.queue.push(Reverse((cost.to_bits(), gone, kept, changes.0, changes.1)));
        }
    }

    /// Whether the mesh stays closed, no triangle flips and no edge gets too long.
    fn may_collapse(&self, gone: u32, kept: u32) -> bool {
        let (ring, other) = (self.neighbours(gone), self.neighbours(kept));
        if !ring.contains(&kept) || ring.intersection(&other).count() != 2 {
            return false;
        }
        let target = self.positions[kept as usize];
        let limit = self.grid.growth * self.grid.grain_at(target);
        if ring.iter().any(|place| self.positions[*place as usize].distance(target) > limit) {
            return false;
        }
        self.around[gone as usize].iter().all(|place| {
            let Some(triangle) = self.triangles[*place as usize] else { return true };
            triangle.contains(&kept) || self.stays_sound(triangle, gone, kept)
        })
    }

    fn stays_sound(&self, triangle: [u32; 3], gone: u32, kept: u32) -> bool {
        let corners = |with: u32| {
            triangle
                .map(|corner| self.positions[if corner == gone { with } else { corner } as usize])
        };
        let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
        let (before, after) = (corners(gone), corners(kept));
        let (old, new) = (normal(before), normal(after));
        let longest =
            (0..3).map(|i| after[i].distance_squared(after[(i + 1) % 3])).fold(0.0, f32::max);
        old.normalize_or_zero().dot(new.normalize_or_zero()) > 0.85 && new.length() > 0.30 * longest
    }

    fn collapse(&mut self, gone: u32, kept: u32) {
        for place in std::mem::take(&mut self.around[gone as usize]) {
            let Some(mut triangle) = self.triangles[place as usize] else { continue };
            if triangle.contains(&kept) {
                self.triangles[place as usize] = None;
                for corner in triangle {
                    self.around[corner as usize].remove(&place);
                }
                continue;
            }
            for corner in &mut triangle {
                if *corner == gone {
                    *corner = kept;
                }
            }
            self.triangles[place as usize] = Some(triangle);
            self.around[kept as usize].insert(place);
        }
        self.quadrics[kept as usize] =
            self.quadrics[kept as usize].plus(self.quadrics[gone as usize]);
        self.changes[gone as usize] += 1;
        self.changes[kept as usize] += 1;
        self.offer(kept);
        for neighbour in self.neighbours(kept) {
            self.changes[neighbour as usize] += 1;
        }
        for neighbour in self.neighbours(kept) {
            self.offer(neighbour);
        }
    }
}
