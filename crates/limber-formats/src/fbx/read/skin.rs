//! Reads skinning weights.

use glam::Mat4;
use limber_animation::Skeleton;

use crate::{
    influences::{self, Row, UnboundVertices},
    model::{Model, ModelSkin, ReadError, damaged},
};

/// The bones of a mesh and the weights of each vertex of the file.
pub(super) struct Binding {
    /// Index into the model's skins.
    pub(super) skin: usize,
    rows: Vec<Row>,
}

impl Binding {
    /// Adds the skin of a mesh to the model; `None` if the mesh is not skinned.
    pub(super) fn of(model: &mut Model, mesh: &ufbx::Mesh) -> Result<Option<Self>, ReadError> {
        let mut skin = ModelSkin { joints: Vec::new(), inverse_bind: Vec::new() };
        let mut weights: Vec<Vec<(u16, f32)>> = vec![Vec::new(); mesh.num_vertices];
        for deformer in &mesh.skin_deformers {
            for cluster in &deformer.clusters {
                let Some(bone) = &cluster.bone_node else { continue };
                if skin.joints.len() == Skeleton::MAX_JOINTS {
                    return Err(ReadError::TooLarge("joints of a skin", Skeleton::MAX_JOINTS));
                }
                let place = skin.joints.len() as u16;
                let matrix = mat4(&cluster.geometry_to_bone);
                if !matrix.is_finite() {
                    return Err(damaged("a bind matrix contains a number that is not finite"));
                }
                skin.joints.push(bone.element.typed_id as usize);
                skin.inverse_bind.push(matrix);
                for (vertex, weight) in cluster.vertices.iter().zip(&cluster.weights) {
                    if let Some(row) = weights.get_mut(*vertex as usize) {
                        row.push((place, *weight as f32));
                    }
                }
            }
        }
        if skin.joints.is_empty() {
            return Ok(None);
        }
        let rows = weights.into_iter().map(|row| influences::normalise_weights(row, 0)).collect();
        let known = model.skins.iter().position(|other| *other == skin);
        let skin = known.unwrap_or_else(|| {
            model.skins.push(skin);
            model.skins.len() - 1
        });
        Ok(Some(Self { skin, rows }))
    }

    /// Returns the weights of a vertex, and records it if it has none.
    pub(super) fn row(&self, vertex: usize, place: usize, unbound: &mut UnboundVertices) -> &Row {
        let row = &self.rows[vertex];
        unbound.note(place, row);
        row
    }
}

fn mat4(matrix: &ufbx::Matrix) -> Mat4 {
    let m = matrix;
    Mat4::from_cols_array(
        &[
            m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03,
            m.m13, m.m23, 1.0,
        ]
        .map(|value| value as f32),
    )
}

pub(super) fn geometry_to_node(node: &ufbx::Node) -> Mat4 {
    mat4(&node.geometry_to_node)
}
