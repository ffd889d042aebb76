//! Simplified meshes for shadow maps and for small bodies in animated previews, where fine
//! triangles cost most and show least.

use std::collections::HashMap;

use limber_animation::Mesh;

/// Number of grid cells along the height of a body.
const CELLS: f32 = 72.0;

/// Simplifies a mesh by vertex clustering (Rossignac & Borrel 1993): all vertices in a grid cell
/// that have the same first joint are merged into the first of them, and degenerate triangles are
/// dropped. `height` is the height of the body in metres.
pub(crate) fn coarse_indices(mesh: &Mesh, height: f32) -> Vec<u32> {
    let cell = height / CELLS;
    if !(cell.is_finite() && cell > 0.0) {
        return mesh.indices.clone();
    }
    let mut first = HashMap::new();
    let stand_in: Vec<u32> = (0_u32..)
        .zip(&mesh.positions)
        .map(|(vertex, position)| {
            let place = (*position / cell).floor().as_ivec3();
            let joint = mesh.joints.get(vertex as usize).map_or(0, |joints| joints[0]);
            *first.entry((place, joint)).or_insert(vertex)
        })
        .collect();
    mesh.indices
        .chunks_exact(3)
        .map(|triangle| [0, 1, 2].map(|corner| stand_in[triangle[corner] as usize]))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// A square sheet of 60 × 60 vertices, one metre wide.
    fn sheet() -> Mesh {
        let corner = |index: u32| Vec3::new((index % 60) as f32, (index / 60) as f32, 0.0) / 59.0;
        let squares = (0..59 * 59).map(|square| square / 59 * 60 + square % 59);
        Mesh {
            positions: (0..3600).map(corner).collect(),
            indices: squares
                .flat_map(|at| [at, at + 1, at + 60, at + 1, at + 61, at + 60])
                .collect(),
            ..Mesh::default()
        }
    }

    #[test]
    fn a_fine_mesh_gets_coarser_and_keeps_its_extent() {
        let mesh = sheet();
        let coarse = coarse_indices(&mesh, 3.6);
        assert!(coarse.len() * 4 < mesh.indices.len(), "{}", coarse.len());
        let far = coarse.iter().map(|index| mesh.positions[*index as usize].max_element());
        assert!(far.fold(0.0, f32::max) > 0.94);
    }

    #[test]
    fn a_coarse_mesh_is_unchanged() {
        let mesh = sheet();
        assert_eq!(coarse_indices(&mesh, 0.3), mesh.indices);
    }
}
