//! A face on the graphics side: the vertices of the meshes that have one, drawn as it looks.

use glam::Vec3;
use limber_animation::{Character, Face, Mesh};
use three_d::{Context, VertexBuffer};

/// The faces of one actor's meshes.
pub(crate) struct Faces {
    meshes: Vec<FaceMesh>,
    shown: Face,
}

struct FaceMesh {
    /// Place in the character's meshes.
    mesh: usize,
    /// For each of the mesh's shapes which of ARKit's it is.
    shapes: Vec<Option<usize>>,
    vertices: FaceVertices,
}

/// What is drawn in place of a mesh's own positions and normals.
pub(crate) struct FaceVertices {
    pub(crate) positions: VertexBuffer<[f32; 3]>,
    pub(crate) normals: VertexBuffer<[f32; 3]>,
}

impl Faces {
    pub(crate) fn new(context: &Context, character: &Character) -> Self {
        let meshes = character.meshes.iter().enumerate().filter_map(|(place, mesh)| {
            let shapes = mesh.arkit_shapes();
            let has_face = shapes.iter().any(Option::is_some);
            has_face.then(|| FaceMesh {
                mesh: place,
                shapes,
                vertices: FaceVertices {
                    positions: VertexBuffer::new(context),
                    normals: VertexBuffer::new(context),
                },
            })
        });
        Self { meshes: meshes.collect(), shown: Face::UNKNOWN }
    }

    /// Sends the vertices of another look.
    pub(crate) fn show(&mut self, character: &Character, face: &Face) {
        if self.shown == *face {
            return;
        }
        self.shown = face.clone();
        for own in &mut self.meshes {
            let mesh = &character.meshes[own.mesh];
            let (positions, normals) = drawn(mesh, &own.shapes, face);
            own.vertices.positions.fill(&positions);
            own.vertices.normals.fill(&normals);
        }
    }

    /// What to draw of a mesh; `None` for its own vertices.
    pub(crate) fn of(&self, mesh: usize) -> Option<&FaceVertices> {
        self.shown.weights()?;
        self.meshes.iter().find(|own| own.mesh == mesh).map(|own| &own.vertices)
    }
}

/// Positions and normals with every shape drawn as far as the face says.
fn drawn(mesh: &Mesh, shapes: &[Option<usize>], face: &Face) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let (mut positions, mut normals) = (mesh.positions.clone(), mesh.normals.clone());
    for (morph, shape) in mesh.morphs.iter().zip(shapes) {
        let weight = shape.map_or(0.0, |shape| face.weight(shape));
        if weight > 0.0 {
            add(&mut positions, &morph.positions, weight);
            add(&mut normals, &morph.normals, weight);
        }
    }
    let array = |rows: Vec<Vec3>| rows.iter().map(Vec3::to_array).collect();
    (array(positions), array(normals))
}

fn add(rows: &mut [Vec3], offsets: &[Vec3], weight: f32) {
    for (row, offset) in rows.iter_mut().zip(offsets) {
        *row += *offset * weight;
    }
}
