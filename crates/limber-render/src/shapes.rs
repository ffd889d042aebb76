//! Morph targets: vertex buffers of morphed meshes, updated on the CPU.

use limber_animation::{Character, Deformation, Face};
use three_d::{Context, VertexBuffer};

/// The morphed meshes of one actor.
pub(crate) struct Shapes {
    meshes: Vec<ShapedMesh>,
}

struct ShapedMesh {
    /// Index into the character's meshes.
    mesh: usize,
    /// For each morph target, the ARKit shape it corresponds to, if any.
    arkit: Vec<Option<usize>>,
    /// The weights that the vertex buffers currently show.
    shown: Vec<f32>,
    vertices: ShapedVertices,
}

/// Vertex buffers that are drawn instead of a mesh's own positions and normals.
pub(crate) struct ShapedVertices {
    pub(crate) positions: VertexBuffer<[f32; 3]>,
    pub(crate) normals: VertexBuffer<[f32; 3]>,
}

impl Shapes {
    pub(crate) fn new(context: &Context, character: &Character) -> Self {
        let shaped =
            character.meshes.iter().enumerate().filter(|(_, mesh)| !mesh.morphs.is_empty());
        let meshes = shaped.map(|(place, mesh)| ShapedMesh {
            mesh: place,
            arkit: mesh.arkit_shapes(),
            shown: vec![0.0; mesh.morphs.len()],
            vertices: ShapedVertices {
                positions: VertexBuffer::new(context),
                normals: VertexBuffer::new(context),
            },
        });
        Self { meshes: meshes.collect() }
    }

    /// Uploads the vertices of meshes whose weights changed. With a deformation, it gives the
    /// weight of every morph target; otherwise the face gives the weights of those that correspond
    /// to ARKit shapes.
    pub(crate) fn show(
        &mut self,
        character: &Character,
        face: &Face,
        deformation: Option<&Deformation>,
    ) {
        for own in &mut self.meshes {
            let wanted = match deformation {
                Some(deformation) => {
                    let mut weights = deformation.shapes_of(own.mesh).to_vec();
                    weights.resize(own.arkit.len(), 0.0);
                    weights
                }
                None => {
                    let weight = |shape: &Option<usize>| shape.map_or(0.0, |at| face.weight(at));
                    own.arkit.iter().map(weight).collect()
                }
            };
            if wanted == own.shown {
                continue;
            }
            let (positions, normals) = character.meshes[own.mesh].shaped(&wanted);
            let array = |rows: Vec<glam::Vec3>| -> Vec<[f32; 3]> {
                rows.iter().map(glam::Vec3::to_array).collect()
            };
            own.vertices.positions.fill(&array(positions));
            own.vertices.normals.fill(&array(normals));
            own.shown = wanted;
        }
    }

    /// Returns the vertex buffers to draw for a mesh; `None` if all weights are 0.
    pub(crate) fn of(&self, mesh: usize) -> Option<&ShapedVertices> {
        let own = self.meshes.iter().find(|own| own.mesh == mesh)?;
        own.shown.iter().any(|weight| *weight != 0.0).then_some(&own.vertices)
    }
}
