//! Deformations of a character that joint rotations alone cannot express.

use glam::{Mat4, Vec3};

use crate::{Character, Mesh};

/// The deformation of a character at one moment: skinning matrices, which may scale, and weights of
/// all morph targets. A [`crate::Pose`] only rotates joints and moves the hips, but files may also
/// scale and translate each joint and use morph targets other than the face's. This type is for
/// showing such a file unchanged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Deformation {
    /// Skinning matrices for each skin and each of its joints: from the mesh's bind space to world
    /// space.
    pub skins: Vec<Vec<Mat4>>,
    /// Morph target weights for each mesh and each of its morph targets; 1 applies the target
    /// fully, any number is allowed. Missing weights at the end are zero.
    pub shapes: Vec<Vec<f32>>,
}

impl Deformation {
    /// Whether there is a matrix for every joint of every skin of this character.
    #[must_use]
    pub fn fits(&self, character: &Character) -> bool {
        self.skins.len() == character.skins.len()
            && self
                .skins
                .iter()
                .zip(&character.skins)
                .all(|(matrices, skin)| matrices.len() == skin.joints.len())
    }

    /// The morph target weights of a mesh.
    #[must_use]
    pub fn shapes_of(&self, mesh: usize) -> &[f32] {
        self.shapes.get(mesh).map_or(&[], Vec::as_slice)
    }

    /// The mesh's vertices in world space. The deformation must [fit](Self::fits) the character.
    #[must_use]
    pub fn positions(&self, character: &Character, mesh: usize) -> Vec<Vec3> {
        let place = mesh;
        let mesh = &character.meshes[place];
        let (shaped, _) = mesh.shaped(self.shapes_of(place));
        let Some(matrices) = mesh.skin.and_then(|skin| self.skins.get(skin)) else { return shaped };
        let vertex = |(vertex, position): (usize, &Vec3)| {
            mesh.influences(vertex).fold(Vec3::ZERO, |sum, (joint, weight)| {
                sum + matrices[usize::from(joint)].transform_point3(*position) * weight
            })
        };
        shaped.iter().enumerate().map(vertex).collect()
    }
}

impl Mesh {
    /// Positions and normals in bind space with the morph targets applied by these weights, before
    /// skinning. The normals are not normalised.
    #[must_use]
    pub fn shaped(&self, weights: &[f32]) -> (Vec<Vec3>, Vec<Vec3>) {
        let (mut positions, mut normals) = (self.positions.clone(), self.normals.clone());
        for (morph, weight) in self.morphs.iter().zip(weights) {
            if *weight != 0.0 && weight.is_finite() {
                add(&mut positions, &morph.positions, *weight);
                add(&mut normals, &morph.normals, *weight);
            }
        }
        (positions, normals)
    }
}

fn add(rows: &mut [Vec3], offsets: &[Vec3], weight: f32) {
    for (row, offset) in rows.iter_mut().zip(offsets) {
        *row += *offset * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Morph;

    #[test]
    fn morph_targets_add_up_at_any_weight() {
        let morph = |to: Vec3| Morph { positions: vec![to], ..Morph::default() };
        let mesh = Mesh {
            positions: vec![Vec3::ONE],
            normals: vec![Vec3::Y],
            morphs: vec![morph(Vec3::X), morph(Vec3::Y), morph(Vec3::Z)],
            ..Mesh::default()
        };
        let (positions, normals) = mesh.shaped(&[2.0, -0.5]);
        assert_eq!(positions, [Vec3::new(3.0, 0.5, 1.0)]);
        assert_eq!(normals, [Vec3::Y]);
    }
}
