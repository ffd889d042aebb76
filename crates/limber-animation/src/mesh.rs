//! Triangle meshes with skin weights and morph targets.

use glam::{Vec2, Vec3};

/// A triangle list with one material. All per-vertex lists are as long as `positions`, or empty
/// where their comment says so.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Display name.
    pub name: String,
    /// Bind-space vertex positions, metres.
    pub positions: Vec<Vec3>,
    /// Unit vertex normals in bind space.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, with the origin at the top left; may be empty.
    pub uvs: Vec<Vec2>,
    /// Vertex colours, linear RGBA, multiplied with the material's base colour; may be empty.
    pub colors: Vec<[f32; 4]>,
    /// Up to four indices into the skin's `joints`, the strongest influence first.
    pub joints: Vec<[u16; 4]>,
    /// Weights of `joints`; each row sums to 1 together with the same row of `more_weights`.
    pub weights: Vec<[f32; 4]>,
    /// Indices of the fifth to eighth influences; empty if four are enough for every vertex.
    pub more_joints: Vec<[u16; 4]>,
    /// Weights of `more_joints`; empty if those are.
    pub more_weights: Vec<[f32; 4]>,
    /// Morph targets, for example of a face; may be empty.
    pub morphs: Vec<Morph>,
    /// Three vertex indices per triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
    /// Index into the character's skins; `None` for a rigid mesh, which no joint moves.
    pub skin: Option<usize>,
    /// Index into the character's materials.
    pub material: Option<usize>,
    /// Meshes with the same number are parts of one object with several materials; a mesh without a
    /// number is a separate object.
    pub object: Option<u32>,
}

/// A morph target, applied with a weight of 0 to 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Morph {
    /// Name in the character's file, for example `jawOpen`.
    pub name: String,
    /// Offset added to each position at weight 1, bind space, metres.
    pub positions: Vec<Vec3>,
    /// Offset added to each normal at weight 1; may be empty.
    pub normals: Vec<Vec3>,
}

impl Mesh {
    /// The joints that influence a vertex, as indices into the skin's list, with their weights;
    /// only weights above zero.
    ///
    /// # Panics
    /// If the mesh has no such vertex, or has no skin.
    pub fn influences(&self, vertex: usize) -> impl Iterator<Item = (u16, f32)> + Clone + '_ {
        let rows = if self.more_joints.is_empty() { 1 } else { 2 };
        let row = move |row: usize| match row {
            0 => (&self.joints[vertex], &self.weights[vertex]),
            _ => (&self.more_joints[vertex], &self.more_weights[vertex]),
        };
        (0..4 * rows)
            .map(move |place| {
                let (joints, weights) = row(place / 4);
                (joints[place % 4], weights[place % 4])
            })
            .filter(|(_, weight)| *weight > 0.0)
    }

    /// A vertex's four strongest influences, with weights that sum to 1, for formats and renderers
    /// that do not support eight; only the first joint if no weight is usable.
    ///
    /// # Panics
    /// If the mesh has no such vertex, or has no skin.
    #[must_use]
    pub fn strongest_four(&self, vertex: usize) -> ([u16; 4], [f32; 4]) {
        let mut row: Vec<(u16, f32)> =
            self.influences(vertex).filter(|(_, weight)| weight.is_finite()).collect();
        if !self.more_weights.is_empty() {
            row.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        row.truncate(4);
        let total: f32 = row.iter().map(|(_, weight)| weight).sum();
        if total < 1e-6 {
            return ([self.joints[vertex][0], 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
        }
        let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
        for (place, (joint, weight)) in row.into_iter().enumerate() {
            joints[place] = joint;
            weights[place] = weight / total;
        }
        (joints, weights)
    }

    /// What is wrong with the mesh itself, if anything.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let count = self.positions.len();
        let fits = |length: usize| length == count;
        let fits_or_none = |length: usize| length == 0 || length == count;
        if !fits(self.normals.len()) {
            return Some("it must have one normal per vertex");
        }
        if !fits_or_none(self.uvs.len()) {
            return Some("it must have one texture coordinate per vertex, or none");
        }
        if !fits_or_none(self.colors.len()) {
            return Some("it must have one colour per vertex, or none");
        }
        if !fits_or_none(self.more_joints.len())
            || self.more_joints.len() != self.more_weights.len()
        {
            return Some("it must have second influences for every vertex, or none");
        }
        let shaped =
            |morph: &Morph| fits(morph.positions.len()) && fits_or_none(morph.normals.len());
        if !self.morphs.iter().all(shaped) {
            return Some("a morph target must have one offset per vertex");
        }
        let inside = |index: &u32| (*index as usize) < count;
        if !self.indices.len().is_multiple_of(3) || !self.indices.iter().all(inside) {
            return Some("a triangle refers to a vertex that does not exist");
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_influences_become_the_strongest_four() {
        let mesh = Mesh {
            joints: vec![[0, 1, 2, 3]],
            weights: vec![[0.3, 0.1, 0.05, 0.05]],
            more_joints: vec![[4, 5, 6, 0]],
            more_weights: vec![[0.2, 0.2, 0.1, 0.0]],
            ..Mesh::default()
        };
        assert_eq!(mesh.influences(0).count(), 7);
        let (joints, weights) = mesh.strongest_four(0);
        assert_eq!(joints, [0, 4, 5, 1]);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((weights[0] - 0.375).abs() < 1e-6, "{weights:?}");
    }

    #[test]
    fn a_vertex_without_usable_weights_follows_its_first_joint() {
        for weights in [[0.0; 4], [-1.0, 0.0, 0.0, 0.0], [f32::NAN, 0.0, 0.0, 0.0]] {
            let mesh = Mesh { joints: vec![[7; 4]], weights: vec![weights], ..Mesh::default() };
            assert_eq!(mesh.strongest_four(0), ([7, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
        }
    }
}
