//! Binds meshes to joints without scale.

use std::collections::HashMap;

use glam::{Mat4, Vec3};
use limber_animation::{JointIndex, Mesh, Skin};

use super::{ModelMesh, ModelSkin, Tree};

/// A character's skins and meshes.
#[derive(Default)]
pub(crate) struct Bound {
    pub(crate) skins: Vec<Skin>,
    pub(crate) meshes: Vec<Mesh>,
    /// For each of `skins`, its nodes with their inverse bind matrices, including scale.
    pub(crate) nodes: Vec<Vec<(usize, Mat4)>>,
}

/// Binds all meshes to joints: skinned meshes to their skins, others rigidly to the nearest joint
/// above them, or to the world if there is none. Joints have no scale, so the scale of nodes moves
/// into the bind matrices.
pub(crate) fn bind(
    tree: &Tree,
    joints: &HashMap<usize, JointIndex>,
    skins: &[ModelSkin],
    meshes: Vec<ModelMesh>,
) -> Bound {
    let mut bound = Bound {
        skins: skins.iter().map(|skin| skin_of(tree, joints, skin)).collect(),
        meshes: Vec::with_capacity(meshes.len()),
        nodes: skins.iter().map(nodes_of).collect(),
    };
    for ModelMesh { mut mesh, node } in meshes {
        if mesh.skin.is_none() {
            hang(&mut bound, &mut mesh, (tree, joints), node);
        } else if let Some(skin) = mesh.skin.and_then(|skin| skins.get(skin)) {
            let first = tree.world[skin.joints[0]] * skin.inverse_bind[0];
            turn_round_if_mirrored(&mut mesh, first);
        }
        bound.meshes.push(mesh);
    }
    bound
}

fn nodes_of(skin: &ModelSkin) -> Vec<(usize, Mat4)> {
    skin.joints.iter().copied().zip(skin.inverse_bind.iter().copied()).collect()
}

fn skin_of(tree: &Tree, joints: &HashMap<usize, JointIndex>, skin: &ModelSkin) -> Skin {
    let mut bound = Skin { joints: Vec::new(), inverse_bind: Vec::new() };
    for (node, matrix) in skin.joints.iter().zip(&skin.inverse_bind) {
        bound.joints.push(joints[node]);
        let plain = tree.plain[*node] && tree.nodes[*node].scale == Vec3::ONE;
        bound.inverse_bind.push(if plain {
            *matrix
        } else {
            tree.rigid(*node).inverse() * tree.world[*node] * *matrix
        });
    }
    bound
}

fn hang(
    bound: &mut Bound,
    mesh: &mut Mesh,
    (tree, joints): (&Tree, &HashMap<usize, JointIndex>),
    node: usize,
) {
    let count = mesh.positions.len();
    let mut above = Some(node);
    while let Some(next) = above {
        if let Some(joint) = joints.get(&next) {
            let inverse_bind = vec![tree.rigid(next).inverse() * tree.world[node]];
            bound.skins.push(Skin { joints: vec![*joint], inverse_bind });
            bound.nodes.push(vec![(node, Mat4::IDENTITY)]);
            mesh.joints = vec![[0; 4]; count];
            mesh.weights = vec![[1.0, 0.0, 0.0, 0.0]; count];
            mesh.skin = Some(bound.skins.len() - 1);
            turn_round_if_mirrored(mesh, tree.world[node]);
            return;
        }
        above = tree.parent(next);
    }
    move_mesh(mesh, tree.world[node]);
}

/// Transforms a mesh in its own space. A mirroring matrix also flips the triangles.
pub(crate) fn move_mesh(mesh: &mut Mesh, matrix: Mat4) {
    for position in &mut mesh.positions {
        *position = matrix.transform_point3(*position);
    }
    let turn = matrix.inverse().transpose();
    for normal in &mut mesh.normals {
        *normal = turn.transform_vector3(*normal).normalize_or(Vec3::Y);
    }
    for morph in &mut mesh.morphs {
        for offset in &mut morph.positions {
            *offset = matrix.transform_vector3(*offset);
        }
        for offset in &mut morph.normals {
            *offset = turn.transform_vector3(*offset);
        }
    }
    turn_round_if_mirrored(mesh, matrix);
}

fn turn_round_if_mirrored(mesh: &mut Mesh, matrix: Mat4) {
    if matrix.determinant() < 0.0 {
        for corners in mesh.indices.chunks_exact_mut(3) {
            corners.swap(1, 2);
        }
    }
}
