//! Triangulates polygons and creates one vertex for every distinct corner.

use glam::{Vec2, Vec3};
use limber_animation::{Mesh, Morph};

use super::{
    material::Materials,
    skin::{self, Binding},
    vec3,
};
use crate::{
    influences::{Influences, Rebound, UnboundVertices},
    model::{
        MAX_MORPH_ROWS, MAX_MORPHS, MAX_VERTICES, Model, ModelMesh, ReadError, damaged, move_mesh,
        plain_text,
    },
};

const NONE: u32 = u32::MAX;
/// Maximum number of vertices at one position that are searched for a duplicate. Meshes have a few;
/// a file with thousands gets some duplicates, which are harmless and cost no time.
const MAX_ALIKE: usize = 64;

/// Adds the mesh of a node, split into one mesh per material.
pub(super) fn read(
    model: &mut Model,
    node: &ufbx::Node,
    mesh: &ufbx::Mesh,
    materials: &Materials,
) -> Result<(), ReadError> {
    if !mesh.vertex_position.exists || mesh.num_triangles == 0 {
        return Ok(());
    }
    let binding = Binding::of(model, mesh)?;
    let shapes = shapes(mesh)?;
    let name = [&node.element.name, &mesh.element.name].into_iter().find(|name| !name.is_empty());
    let name = plain_text(name.map_or("", |name| name.as_ref()));
    let first = model.meshes.len();
    let mut rebound = Rebound::default();
    for part in &mesh.material_parts {
        let mut corners = Corners::new(mesh);
        corners.add_faces(&part.face_indices)?;
        if corners.mesh.indices.is_empty() {
            continue;
        }
        let Corners { mesh: mut built, sources, .. } = corners;
        built.name.clone_from(&name);
        built.material = materials.of(node, mesh, part.index as usize);
        built.morphs = shapes.iter().map(|shape| shape.morph(&sources)).collect();
        match &binding {
            Some(binding) => rebound = rebound.and(bind(model, &mut built, binding, &sources)),
            None => move_mesh(&mut built, skin::geometry_to_node(node)),
        }
        model.meshes.push(ModelMesh { mesh: built, node: node.element.typed_id as usize });
        check(model)?;
    }
    model.join(first);
    model.unweighted += rebound.moved();
    rebound.tell(&name, &mut model.warnings);
    Ok(())
}

fn bind(model: &Model, mesh: &mut Mesh, binding: &Binding, sources: &[u32]) -> Rebound {
    let mut rows = Influences::default();
    let mut unbound = UnboundVertices::default();
    for (place, source) in sources.iter().enumerate() {
        rows.push(binding.row(*source as usize, place, &mut unbound));
    }
    let rows = rows.finish();
    (mesh.joints, mesh.weights) = (rows.joints, rows.weights);
    (mesh.more_joints, mesh.more_weights) = (rows.more_joints, rows.more_weights);
    mesh.skin = Some(binding.skin);
    unbound.bind_to_nearest(mesh, &model.skins[binding.skin])
}

fn check(model: &Model) -> Result<(), ReadError> {
    let vertices: usize = model.meshes.iter().map(|part| part.mesh.positions.len()).sum();
    if vertices > MAX_VERTICES {
        return Err(ReadError::TooLarge("vertices", MAX_VERTICES));
    }
    let rows = |mesh: &Mesh| mesh.positions.len() * mesh.morphs.len();
    if model.meshes.iter().map(|part| rows(&part.mesh)).sum::<usize>() > MAX_MORPH_ROWS {
        return Err(ReadError::TooLarge("offsets of morph targets", MAX_MORPH_ROWS));
    }
    Ok(())
}

/// The triangles of a mesh under construction. Vertices made from the same vertex of the file are
/// linked in a list, so that duplicates are found without a hash table.
struct Corners<'a> {
    source: &'a ufbx::Mesh,
    mesh: Mesh,
    /// For each vertex, the vertex of the file it was made from.
    sources: Vec<u32>,
    first: Vec<u32>,
    next: Vec<u32>,
    triangles: Vec<u32>,
}

impl<'a> Corners<'a> {
    fn new(source: &'a ufbx::Mesh) -> Self {
        Self {
            source,
            mesh: Mesh::default(),
            sources: Vec::new(),
            first: vec![NONE; source.num_vertices],
            next: Vec::new(),
            triangles: vec![0; source.max_face_triangles * 3],
        }
    }

    fn add_faces(&mut self, faces: &[u32]) -> Result<(), ReadError> {
        for face in faces {
            let face = self.source.faces[*face as usize];
            if face.num_indices < 3 {
                continue;
            }
            let count = match face.num_indices {
                3 => {
                    for at in 0..3 {
                        self.triangles[at] = face.index_begin + at as u32;
                    }
                    1
                }
                _ => self.source.triangulate_face(&mut self.triangles, face) as usize,
            };
            for at in 0..count * 3 {
                let corner = self.corner(self.triangles[at] as usize)?;
                self.mesh.indices.push(corner);
            }
        }
        Ok(())
    }

    /// Returns the vertex for a corner of the file, creating it if necessary.
    fn corner(&mut self, index: usize) -> Result<u32, ReadError> {
        let source = self.source;
        let vertex = source.vertex_indices[index];
        let normal = if source.vertex_normal.exists {
            let normal = source.vertex_normal.indices[index] as usize;
            unit(vec3(source.vertex_normal.values[normal]))?
        } else {
            Vec3::Y
        };
        let uv = source.vertex_uv.exists.then(|| {
            let uv = source.vertex_uv.values[source.vertex_uv.indices[index] as usize];
            Vec2::new(uv.x as f32, 1.0 - uv.y as f32)
        });
        let (mut place, mut seen) = (self.first[vertex as usize], 0);
        while place != NONE && seen < MAX_ALIKE {
            seen += 1;
            let at = place as usize;
            if self.mesh.normals[at] == normal && uv.is_none_or(|uv| self.mesh.uvs[at] == uv) {
                return Ok(place);
            }
            place = self.next[at];
        }
        let position = vec3(source.vertices[vertex as usize]);
        if !position.is_finite() || uv.is_some_and(|uv| !uv.is_finite()) {
            return Err(not_finite());
        }
        let place = self.sources.len() as u32;
        self.sources.push(vertex);
        self.next.push(std::mem::replace(&mut self.first[vertex as usize], place));
        self.mesh.positions.push(position);
        self.mesh.normals.push(normal);
        self.mesh.uvs.extend(uv);
        Ok(place)
    }
}

fn unit(normal: Vec3) -> Result<Vec3, ReadError> {
    if normal.is_finite() { Ok(normal.normalize_or(Vec3::Y)) } else { Err(not_finite()) }
}

fn not_finite() -> ReadError {
    damaged("a vertex contains a number that is not finite")
}

/// A blend shape in the file: offsets for some of the vertices.
struct Shape<'a> {
    name: String,
    shape: &'a ufbx::BlendShape,
    /// For each vertex of the file, the index of its offset or [`NONE`].
    offset_of: Vec<u32>,
}

fn shapes(mesh: &ufbx::Mesh) -> Result<Vec<Shape<'_>>, ReadError> {
    let channels = mesh.blend_deformers.as_ref().iter().flat_map(|blend| blend.channels.as_ref());
    let mut shapes = Vec::new();
    for channel in channels {
        let Some(shape) = &channel.target_shape else { continue };
        if shapes.len() == MAX_MORPHS {
            return Err(ReadError::TooLarge("morph targets of one mesh", MAX_MORPHS));
        }
        let offsets = shape.position_offsets.iter().chain(&shape.normal_offsets);
        if !offsets.map(|offset| vec3(*offset)).all(|offset| offset.is_finite()) {
            return Err(damaged("a morph target of a mesh has invalid offsets"));
        }
        let mut offset_of = vec![NONE; mesh.num_vertices];
        for (place, vertex) in (0_u32..).zip(&shape.offset_vertices) {
            if let Some(slot) = offset_of.get_mut(*vertex as usize) {
                *slot = place;
            }
        }
        let name = [&channel.element.name, &shape.element.name];
        let name = name.into_iter().find(|name| !name.is_empty());
        let name = plain_text(name.map_or("", |name| name.as_ref()));
        shapes.push(Shape { name, shape, offset_of });
    }
    Ok(shapes)
}

impl Shape<'_> {
    fn morph(&self, sources: &[u32]) -> Morph {
        let rows = |offsets: &[ufbx::Vec3]| {
            let offset = |source: &u32| offsets.get(self.offset_of[*source as usize] as usize);
            sources.iter().map(|source| offset(source).map_or(Vec3::ZERO, |at| vec3(*at))).collect()
        };
        let bends = self.shape.normal_offsets.iter().any(|offset| vec3(*offset) != Vec3::ZERO);
        Morph {
            name: self.name.clone(),
            positions: rows(&self.shape.position_offsets),
            normals: if bends { rows(&self.shape.normal_offsets) } else { Vec::new() },
        }
    }
}
