//! Meshes a distance field into closed quads with dual marching cubes.
//!
//! Every grid cell that the skin crosses gets one vertex per sheet of skin in it, and every grid
//! edge that the skin crosses gets one quad. Sheets are told apart by Nielson's rule (*Dual
//! Marching Cubes*, 2004): on a cell face with two diagonally opposite inside corners, these are
//! separated. All cells follow the same rule, so that sheets match and the mesh is closed.

use std::collections::HashMap;

use glam::Vec3;

use crate::adaptive_grid::AdaptiveGrid;
use crate::field::Field;

/// A closed quad mesh.
#[derive(Debug, Clone, Default)]
pub struct Net {
    /// Vertex positions in world space, in metres.
    pub positions: Vec<Vec3>,
    /// Quads, counter-clockwise seen from outside.
    pub quads: Vec<[u32; 4]>,
}

/// Side length, in cells, of the blocks that are skipped if the skin is far away.
const BLOCK: usize = 6;

struct Samples {
    /// Number of points along x (both halves), y and z.
    counts: [usize; 3],
    first: Vec3,
    step_m: f32,
    values: Vec<f32>,
}

impl Samples {
    fn index(&self, at: [usize; 3]) -> usize {
        (at[2] * self.counts[1] + at[1]) * self.counts[0] + at[0]
    }

    fn value(&self, at: [usize; 3]) -> f32 {
        self.values[self.index(at)]
    }

    fn warped_position(&self, at: [usize; 3]) -> Vec3 {
        self.first + Vec3::new(at[0] as f32, at[1] as f32, at[2] as f32) * self.step_m
    }

    /// Samples the field near the skin; elsewhere stores a rough value with the correct sign.
    fn take(field: &Field, grid: &AdaptiveGrid) -> Self {
        let (half, first_z) = grid.extent();
        let counts = [2 * half[0] - 1, half[1], half[2]];
        let middle = half[0] - 1;
        let step_m = grid.step_m;
        let first = Vec3::new(-(middle as f32), -2.0, 0.0) * step_m + Vec3::Z * first_z;
        let values = vec![1.0; counts.iter().product()];
        let mut samples = Self { counts, first, step_m, values };
        for z in (0..counts[2]).step_by(BLOCK) {
            for y in (0..counts[1]).step_by(BLOCK) {
                for x in (middle..counts[0]).step_by(BLOCK) {
                    samples.fill_block(field, grid, [x, y, z], middle);
                }
            }
        }
        samples
    }

    fn fill_block(&mut self, field: &Field, grid: &AdaptiveGrid, start: [usize; 3], middle: usize) {
        let half_block = 0.5 * BLOCK as f32 * self.step_m;
        let centre = self.warped_position(start) + Vec3::splat(half_block);
        let rough = field.distance(grid.unwarp(centre));
        // Twice the radius of the block's bounding sphere, because distances are estimates.
        let far = rough.abs() > 2.0 * 1.74 * half_block;
        let end: [usize; 3] =
            std::array::from_fn(|axis| (start[axis] + BLOCK).min(self.counts[axis]));
        for z in start[2]..end[2] {
            for y in start[1]..end[1] {
                for x in start[0]..end[0] {
                    let at = [x, y, z];
                    let value = if far {
                        rough
                    } else {
                        field.distance(grid.unwarp(self.warped_position(at)))
                    };
                    let mirrored = self.index([2 * middle - x, y, z]);
                    let index = self.index(at);
                    self.values[index] = value;
                    self.values[mirrored] = value;
                }
            }
        }
    }
}

/// Returns the edge between two corners of a cell. Corner `c` is at (c & 1, c >> 1 & 1, c >> 2 &
/// 1). Edges run along x (0–3), y (4–7) and z (8–11); within an axis they are ordered by the bits
/// of the other two.
fn edge_between(a: usize, b: usize) -> usize {
    let low = a.min(b);
    match a ^ b {
        1 => low >> 1,
        2 => 4 + (low & 1) + (low >> 2 << 1),
        _ => 8 + low,
    }
}

fn edge_ends(edge: usize) -> (usize, usize) {
    let (axis, place) = (edge / 4, edge % 4);
    let low = match axis {
        0 => place << 1,
        1 => (place & 1) | (place >> 1 << 2),
        _ => place,
    };
    (low, low | 1 << axis)
}

/// Returns the sheet that each of the 12 edges of a cell belongs to, and the number of sheets.
/// Edges that the skin does not cross have sheet 255.
fn sheets(inside: u8) -> ([u8; 12], usize) {
    let is_inside = |corner: usize| inside >> corner & 1 == 1;
    let mut group: [usize; 12] = std::array::from_fn(|edge| edge);
    let mut join = |a: usize, b: usize| {
        let (from, to) = (group[a], group[b]);
        for place in &mut group {
            if *place == from {
                *place = to;
            }
        }
    };
    for axis in 0..3 {
        let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for base in [0, 1 << axis] {
            let loop_ = [base, base | b, base | b | c, base | c];
            let edges: [usize; 4] =
                std::array::from_fn(|i| edge_between(loop_[i], loop_[(i + 1) % 4]));
            let crossed: Vec<usize> =
                (0..4).filter(|i| is_inside(loop_[*i]) != is_inside(loop_[(i + 1) % 4])).collect();
            if let [one, two] = crossed[..] {
                join(edges[one], edges[two]);
            } else if crossed.len() == 4 {
                for corner in (0..4).filter(|i| is_inside(loop_[*i])) {
                    join(edges[(corner + 3) % 4], edges[corner]);
                }
            }
        }
    }
    let mut numbers = [255; 12];
    let mut seen: Vec<usize> = Vec::new();
    for edge in 0..12 {
        let (a, b) = edge_ends(edge);
        if is_inside(a) != is_inside(b) {
            let place = seen.iter().position(|known| *known == group[edge]);
            numbers[edge] = place.unwrap_or(seen.len()) as u8;
            if place.is_none() {
                seen.push(group[edge]);
            }
        }
    }
    (numbers, seen.len())
}

struct CellSheets {
    first: u32,
    sheet_of_edge: [u8; 12],
}

/// Meshes the skin of a field.
#[must_use]
pub fn mesh_field(field: &Field, grid: &AdaptiveGrid) -> Net {
    let samples = Samples::take(field, grid);
    let mut net = Net::default();
    let mut cells: HashMap<usize, CellSheets> = HashMap::new();
    let [nx, ny, nz] = samples.counts;
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                let at = [x, y, z];
                if let Some(cell) = place_vertices(&samples, grid, at, &mut net) {
                    cells.insert(samples.index(at), cell);
                }
            }
        }
    }
    for z in 1..nz - 1 {
        for y in 1..ny - 1 {
            for x in 1..nx - 1 {
                for axis in 0..3 {
                    net.quads.extend(quad(&samples, &cells, [x, y, z], axis));
                }
            }
        }
    }
    net
}

fn corner_of(at: [usize; 3], corner: usize) -> [usize; 3] {
    std::array::from_fn(|axis| at[axis] + (corner >> axis & 1))
}

fn place_vertices(
    samples: &Samples,
    grid: &AdaptiveGrid,
    at: [usize; 3],
    net: &mut Net,
) -> Option<CellSheets> {
    let values: [f32; 8] = std::array::from_fn(|corner| samples.value(corner_of(at, corner)));
    let inside = (0..8).filter(|corner| values[*corner] < 0.0).fold(0u8, |all, c| all | 1 << c);
    if inside == 0 || inside == 255 {
        return None;
    }
    let (sheet_of_edge, count) = sheets(inside);
    let first = net.positions.len() as u32;
    for sheet in 0..count {
        let mut sum = Vec3::ZERO;
        let mut crossings = 0.0;
        for edge in (0..12).filter(|edge| usize::from(sheet_of_edge[*edge]) == sheet) {
            let (a, b) = edge_ends(edge);
            let t = values[a] / (values[a] - values[b]);
            let [from, to] = [a, b].map(|corner| samples.warped_position(corner_of(at, corner)));
            sum += from.lerp(to, t);
            crossings += 1.0;
        }
        net.positions.push(grid.unwarp(sum / crossings));
    }
    Some(CellSheets { first, sheet_of_edge })
}

/// Returns the quad around the grid edge that starts at a point, if the skin crosses it.
fn quad(
    samples: &Samples,
    cells: &HashMap<usize, CellSheets>,
    at: [usize; 3],
    axis: usize,
) -> Option<[u32; 4]> {
    let mut next = at;
    next[axis] += 1;
    let starts_inside = samples.value(at) < 0.0;
    if starts_inside == (samples.value(next) < 0.0) {
        return None;
    }
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(back_b, back_c)| {
        let mut cell = at;
        cell[b] -= back_b;
        cell[c] -= back_c;
        let low = back_b << b | back_c << c;
        let edge = edge_between(low, low | 1 << axis);
        let sheets = &cells[&samples.index(cell)];
        sheets.first + u32::from(sheets.sheet_of_edge[edge])
    });
    if !starts_inside {
        corners.reverse();
    }
    Some(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_and_their_ends_are_consistent() {
        for edge in 0..12 {
            let (a, b) = edge_ends(edge);
            assert_eq!(edge_between(a, b), edge);
        }
    }

    #[test]
    fn two_opposite_corners_make_two_sheets() {
        assert_eq!(sheets(0b1000_0001).1, 2);
        assert_eq!(sheets(0b0000_1001).1, 2);
        assert_eq!(sheets(0b0000_0011).1, 1);
    }
}
