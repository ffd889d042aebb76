//! How vertices are moved where turning joints cannot say it.

use glam::{Mat4, Vec3};

use crate::{Character, Mesh};

/// How a character's vertices are moved at one moment: by matrices that may scale, and by any
/// shape. A [`crate::Pose`] turns joints; files may also stretch them, move each on its own, and
/// draw shapes that are no face's. Whoever shows such a file as it is needs this.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Deformation {
    /// For each of the character's skins, for each of its joints: from the mesh's own space to the
    /// world.
    pub skins: Vec<Vec<Mat4>>,
    /// For each of the character's meshes, for each of its shapes: how far it is drawn, 1 as far as
    /// it says; any number. A shorter list ends in zeros.
    pub shapes: Vec<Vec<f32>>,
}

impl Deformation {
    /// Whether there is a matrix for every joint of every skin.
    #[must_use]
    pub fn fits(&self, character: &Character) -> bool {
        self.skins.len() == character.skins.len()
            && self
                .skins
                .iter()
                .zip(&character.skins)
                .all(|(matrices, skin)| matrices.len() == skin.joints.len())
    }

    /// How far the shapes of a mesh are drawn.
    #[must_use]
    pub fn shapes_of(&self, mesh: usize) -> &[f32] {
        self.shapes.get(mesh).map_or(&[], Vec::as_slice)
    }

    /// A mesh's vertices in world space. It must [fit](Self::fits) the character.
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
    /// Positions and normals with every shape drawn as far as `weights` say, before any joint moves
    /// them. Normals are not of unit length.
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
    fn shapes_add_up_also_beyond_one_and_below_zero() {
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
