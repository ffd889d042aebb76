//! What the user animates: mesh, skin and skeleton.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::{JointIndex, Skeleton, WorldPose};

/// A skinned body. Positions are in the space of the rest pose, metres.
#[derive(Debug, Clone, PartialEq)]
pub struct Character {
    /// Shown to people.
    pub name: String,
    /// Joints, with the human bones that were found among them.
    pub skeleton: Arc<Skeleton>,
    /// Which joints move the vertices, and from where.
    pub skins: Vec<Skin>,
    /// Triangles, each mesh with one material.
    pub meshes: Vec<Mesh>,
    /// Surfaces that meshes refer to.
    pub materials: Vec<Material>,
    /// Pictures that materials refer to.
    pub images: Vec<Image>,
}

/// The joints a mesh is bound to.
#[derive(Debug, Clone, PartialEq)]
pub struct Skin {
    /// What the vertices' joint numbers refer to.
    pub joints: Vec<JointIndex>,
    /// For each of `joints`: from the mesh's bind space to the joint's space.
    pub inverse_bind: Vec<Mat4>,
}

/// A list of triangles with one material. All per-vertex lists are as long as `positions`, or
/// empty where the comment says so.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Shown to people.
    pub name: String,
    /// Bind-space positions, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, origin at the top left; may be empty.
    pub uvs: Vec<Vec2>,
    /// Up to four places in the skin's `joints`.
    pub joints: Vec<[u16; 4]>,
    /// Their weights; each row sums to 1.
    pub weights: Vec<[f32; 4]>,
    /// Three per triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
    /// Place in the character's skins; `None` for a rigid mesh, which stays where it is.
    pub skin: Option<usize>,
    /// Place in the character's materials.
    pub material: Option<usize>,
}

/// A metal-rough surface, as glTF 2.0 defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Shown to people.
    pub name: String,
    /// Linear RGBA.
    pub base_color: Vec4,
    /// Place in the character's images.
    pub base_color_image: Option<usize>,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 mirror, 1 chalk.
    pub roughness: f32,
    /// Drawn from both sides.
    pub double_sided: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_image: None,
            metallic: 0.0,
            roughness: 0.8,
            double_sided: false,
        }
    }
}

/// How an [`Image`]'s bytes are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of formats say it all")]
pub enum ImageEncoding {
    Png,
    Jpeg,
}

/// A picture as it stood in the character's file.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Shown to people.
    pub name: String,
    /// How `bytes` are packed.
    pub encoding: ImageEncoding,
    /// The file's bytes, unpacked only by whoever draws.
    pub bytes: Vec<u8>,
}

/// Why parts make no character.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CharacterError {
    /// No mesh has a skin.
    #[error("the character has no skinned mesh")]
    NoSkinnedMesh,
    /// A mesh's lists differ in length or point outside.
    #[error("mesh `{mesh}`: {problem}")]
    BadMesh {
        /// Which mesh.
        mesh: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}

impl Character {
    /// Checks that all parts fit together.
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
        let count = mesh.positions.len();
        let per_vertex = |length: usize| length == count;
        if !per_vertex(mesh.normals.len()) {
            return Some("it needs one normal per vertex");
        }
        if !mesh.uvs.is_empty() && !per_vertex(mesh.uvs.len()) {
            return Some("it needs one texture coordinate per vertex, or none");
        }
        if !mesh.indices.len().is_multiple_of(3)
            || mesh.indices.iter().any(|index| *index as usize >= count)
        {
            return Some("a triangle points outside its vertices");
        }
        if mesh.material.is_some_and(|place| place >= self.materials.len()) {
            return Some("its material does not exist");
        }
        let skin = mesh.skin?;
        let Some(skin) = self.skins.get(skin) else { return Some("its skin does not exist") };
        if !per_vertex(mesh.joints.len()) || !per_vertex(mesh.weights.len()) {
            return Some("it needs joints and weights for every vertex");
        }
        if mesh.joints.iter().flatten().any(|place| usize::from(*place) >= skin.joints.len()) {
            return Some("a vertex names a joint that its skin lacks");
        }
        None
    }

    /// Linear blend skinning: a mesh's vertices in world space in this pose.
    #[must_use]
    pub fn skinned_positions(&self, mesh: &Mesh, world: &WorldPose) -> Vec<Vec3> {
        let Some(skin) = mesh.skin.and_then(|place| self.skins.get(place)) else {
            return mesh.positions.clone();
        };
        let matrices = skin.matrices(world);
        mesh.positions
            .iter()
            .zip(mesh.joints.iter().zip(&mesh.weights))
            .map(|(position, (joints, weights))| {
                joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0).fold(
                    Vec3::ZERO,
                    |sum, (joint, weight)| {
                        sum + matrices[usize::from(*joint)].transform_point3(*position) * *weight
                    },
                )
            })
            .collect()
    }

    /// How many triangles all meshes have together.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum()
    }
}

impl Skin {
    /// One matrix per joint of the skin, from bind space to world space in this pose.
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
