//! The character that the user animates: meshes, skins and skeleton.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use crate::{Image, JointIndex, Material, Mesh, Skeleton, WorldPose};

/// A skinned body. Positions are in rest-pose space, in metres.
#[derive(Debug, Clone, PartialEq)]
pub struct Character {
    /// Display name.
    pub name: String,
    /// The joints, with the human bones that they were mapped to.
    pub skeleton: Arc<Skeleton>,
    /// The joints that each group of meshes is bound to, with their inverse bind matrices.
    pub skins: Vec<Skin>,
    /// The meshes, each with one material.
    pub meshes: Vec<Mesh>,
    /// Materials that the meshes refer to.
    pub materials: Vec<Material>,
    /// Images that the materials refer to.
    pub images: Vec<Image>,
    /// Extensions of the character's VRM file, to be written back on export; usually empty.
    pub avatar: Vec<AvatarPart>,
}

/// One extension of a VRM file, such as the licence, expressions, first-person settings or spring
/// bones. Limber does not interpret it, only preserves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AvatarPart {
    /// Name of the glTF extension, for example `VRMC_vrm`.
    pub extension: String,
    /// Its value as JSON. Node indices in it are joint indices; indices of meshes, and of nodes
    /// that show a mesh, are indices into [`Character::meshes`]; texture and image indices are
    /// indices into [`Character::images`].
    pub json: String,
}

/// The joints a mesh is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    /// The joints that the vertices' joint indices refer to.
    pub joints: Vec<JointIndex>,
    /// Inverse bind matrices, one per entry of `joints`: from the mesh's bind space to the joint's
    /// space.
    pub inverse_bind: Vec<Mat4>,
}

/// Why the parts do not make a valid character.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CharacterError {
    /// No mesh has a skin.
    #[error("the character has no skinned mesh")]
    NoSkinnedMesh,
    /// A mesh's lists differ in length or hold indices out of range.
    #[error("mesh `{mesh}`: {problem}")]
    BadMesh {
        /// Name of the mesh.
        mesh: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}

impl Character {
    /// Checks that all parts are consistent.
    ///
    /// # Errors
    /// See [`CharacterError`].
    pub fn check(&self) -> Result<(), CharacterError> {
        if !self.meshes.iter().any(|mesh| mesh.skin.is_some()) {
            return Err(CharacterError::NoSkinnedMesh);
        }
        for mesh in &self.meshes {
            self.mesh_problem(mesh).map_or(Ok(()), |problem| {
                Err(CharacterError::BadMesh { mesh: mesh.name.clone(), problem })
            })?;
        }
        Ok(())
    }

    fn mesh_problem(&self, mesh: &Mesh) -> Option<&'static str> {
        if let Some(problem) = mesh.problem() {
            return Some(problem);
        }
        if mesh.material.is_some_and(|place| place >= self.materials.len()) {
            return Some("its material does not exist");
        }
        let skin = mesh.skin?;
        let Some(skin) = self.skins.get(skin) else { return Some("its skin does not exist") };
        let count = mesh.positions.len();
        if mesh.joints.len() != count || mesh.weights.len() != count {
            return Some("it must have joints and weights for every vertex");
        }
        let mut places = mesh.joints.iter().chain(&mesh.more_joints).flatten();
        if places.any(|place| usize::from(*place) >= skin.joints.len()) {
            return Some("a vertex refers to a joint that its skin lacks");
        }
        None
    }

    /// The mesh's vertices in world space in this pose, by linear blend skinning with all
    /// influences. A mesh without a skin keeps its positions.
    #[must_use]
    pub fn skinned_positions(&self, mesh: &Mesh, world: &WorldPose) -> Vec<Vec3> {
        let Some(skin) = mesh.skin.and_then(|place| self.skins.get(place)) else {
            return mesh.positions.clone();
        };
        let matrices = skin.matrices(world);
        mesh.positions
            .iter()
            .enumerate()
            .map(|(vertex, position)| {
                mesh.influences(vertex).fold(Vec3::ZERO, |sum, (joint, weight)| {
                    sum + matrices[usize::from(joint)].transform_point3(*position) * weight
                })
            })
            .collect()
    }

    /// Groups the meshes into objects, as indices into [`Self::meshes`], ordered by the first mesh
    /// of each. Meshes that belong to one object in the file but have different skins or morph
    /// targets form separate objects.
    #[must_use]
    pub fn objects(&self) -> Vec<Vec<usize>> {
        let fit = |one: &Mesh, other: &Mesh| {
            one.object == other.object
                && one.skin == other.skin
                && one.morphs.len() == other.morphs.len()
                && one.morphs.iter().zip(&other.morphs).all(|(a, b)| a.name == b.name)
        };
        let mut objects: Vec<Vec<usize>> = Vec::new();
        for (place, mesh) in self.meshes.iter().enumerate() {
            let among = if mesh.object.is_some() { &mut objects[..] } else { &mut [] };
            let home = among.iter_mut().find(|object| fit(&self.meshes[object[0]], mesh));
            match home {
                Some(object) => object.push(place),
                None => objects.push(vec![place]),
            }
        }
        objects
    }

    /// Total number of triangles in all meshes.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum()
    }
}

impl Skin {
    /// Skinning matrices, one per joint of the skin: from bind space to world space in this pose.
    #[must_use]
    pub fn matrices(&self, world: &WorldPose) -> Vec<Mat4> {
        self.joints
            .iter()
            .zip(&self.inverse_bind)
            .map(|(joint, inverse_bind)| {
                Mat4::from_rotation_translation(world.rotation(*joint), world.position(*joint))
                    * *inverse_bind
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::{HumanBone, Joint, Morph};

    fn with_six_influences() -> Character {
        let root =
            Joint { name: "hips".to_owned(), bone: Some(HumanBone::Hips), ..Joint::default() };
        let skeleton =
            Arc::new(Skeleton::new(vec![root]).expect("the joint forms a valid skeleton"));
        Character {
            name: "point".to_owned(),
            skins: vec![Skin {
                joints: vec![JointIndex::new(0); 6],
                inverse_bind: (0..6)
                    .map(|at| Mat4::from_translation(Vec3::X * at as f32))
                    .collect(),
            }],
            skeleton,
            meshes: vec![Mesh {
                positions: vec![Vec3::ZERO; 3],
                normals: vec![Vec3::Y; 3],
                joints: vec![[0, 1, 2, 3]; 3],
                weights: vec![[0.2; 4]; 3],
                more_joints: vec![[4, 5, 0, 0]; 3],
                more_weights: vec![[0.1, 0.1, 0.0, 0.0]; 3],
                indices: vec![0, 1, 2],
                skin: Some(0),
                ..Mesh::default()
            }],
            materials: vec![],
            images: vec![],
            avatar: Vec::new(),
        }
    }

    #[test]
    fn the_fifth_and_sixth_influences_are_applied() {
        let character = with_six_influences();
        character.check().expect("the character is valid");
        let world = WorldPose { positions: vec![Vec3::ZERO], rotations: vec![Quat::IDENTITY] };
        let at = character.skinned_positions(&character.meshes[0], &world)[0].x;
        assert!((at - (0.2 * 6.0 + 0.1 * 9.0)).abs() < 1e-6, "{at}");
    }

    #[test]
    fn compatible_parts_of_one_object_are_grouped() {
        let mut character = with_six_influences();
        let part = |object, skin| Mesh { object, skin, ..character.meshes[0].clone() };
        let shaped = Mesh { morphs: vec![Morph::default()], ..part(Some(0), Some(0)) };
        character.meshes = vec![
            part(Some(0), Some(0)),
            part(None, Some(0)),
            part(Some(0), Some(0)),
            part(Some(1), Some(0)),
            part(Some(0), None),
            part(None, Some(0)),
            shaped,
        ];
        let objects = character.objects();
        assert_eq!(objects, [vec![0, 2], vec![1], vec![3], vec![4], vec![5], vec![6]]);
    }

    #[test]
    fn inconsistent_lists_are_reported() {
        type Damage = (fn(&mut Mesh), &'static str);
        let damages: [Damage; 4] = [
            (|mesh| mesh.more_joints[0] = [6, 0, 0, 0], "a joint that its skin lacks"),
            (|mesh| mesh.more_weights.truncate(1), "second influences"),
            (|mesh| mesh.morphs.push(Morph::default()), "one offset per vertex"),
            (|mesh| mesh.indices = vec![0, 1, 3], "a vertex that does not exist"),
        ];
        for (damage, problem) in damages {
            let mut character = with_six_influences();
            damage(&mut character.meshes[0]);
            let error = character.check().expect_err(problem).to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}
