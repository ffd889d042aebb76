//! Computes normals for meshes without them.

use glam::Vec3;

/// Returns area-weighted vertex normals.
pub(crate) fn smooth_normals(positions: &[Vec3], indices: &[u32]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for corner in indices.chunks_exact(3) {
        let [a, b, c] = [corner[0] as usize, corner[1] as usize, corner[2] as usize];
        let area = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
        for vertex in [a, b, c] {
            normals[vertex] += area;
        }
    }
    normals.into_iter().map(|normal| normal.normalize_or(Vec3::Y)).collect()
}
