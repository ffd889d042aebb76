//! Writes meshes and skins.

use std::collections::HashMap;

use glam::{DMat4, DVec3, Vec3};
use limber_animation::{Character, Mesh, Skin};

use super::{
    CM_PER_M,
    bones::{centimetres, placed},
    object::Object,
    record::Record,
    scene::{Id, Kind, Scene},
    shapes,
    surface::UV_SET,
};

/// What meshes refer to: objects that are already in the file.
pub(super) struct Frame<'a> {
    pub(super) character: &'a Character,
    /// One per joint of the skeleton.
    pub(super) joints: &'a [Id],
    /// The rest transform of each joint of the skeleton in world space, in centimetres.
    pub(super) rest: &'a [DMat4],
    /// One per material.
    pub(super) materials: &'a [Id],
}

/// The bind pose of a skin.
pub(super) struct Binding {
    /// Transform from the mesh's bind space to its rest position in the scene, in centimetres.
    mesh: DMat4,
    /// The transform of each joint of the skin at bind time.
    pub(super) links: Vec<DMat4>,
}

/// Tolerances for equal matrices: of rotation and scale, and of translation in centimetres.
const SAME_TURN: f64 = 2e-5;
const SAME_CM: f64 = 2e-3;
/// Coincident corners whose normals have a smaller dot product than this are not merged, so that
/// two sheets back to back stay separate.
const LOOKS_AWAY: f32 = -0.5;

impl Default for Binding {
    fn default() -> Self {
        Self { mesh: DMat4::IDENTITY, links: Vec::new() }
    }
}

impl Binding {
    /// Computes the bind pose. Usually a mesh was bound in the rest pose, wherever its own origin
    /// was: then the mesh is placed in the scene, and the bind pose of the joints is their rest
    /// pose. Otherwise both mesh and joints keep their bind transforms.
    pub(super) fn of(skin: &Skin, rest: &[DMat4]) -> Self {
        let inverse: Vec<DMat4> =
            skin.inverse_bind.iter().map(|row| wide(row.as_dmat4())).collect();
        let stands: Vec<DMat4> = skin.joints.iter().map(|joint| rest[joint.get()]).collect();
        let carried: Vec<DMat4> =
            stands.iter().zip(&inverse).map(|(stand, inverse)| *stand * *inverse).collect();
        let Some(first) = carried.first() else { return Self::default() };
        if !carried.iter().all(|other| alike(other, first)) {
            let links = inverse.iter().map(DMat4::inverse).collect();
            return Self { mesh: DMat4::IDENTITY, links };
        }
        let mesh = if alike(first, &DMat4::IDENTITY) { DMat4::IDENTITY } else { *first };
        Self { mesh, links: stands }
    }

    /// Transforms an offset of a vertex to the scene at rest, in centimetres.
    pub(super) fn turned(&self, offset: DVec3) -> DVec3 {
        self.mesh.transform_vector3(offset)
    }

    pub(super) fn is_finite(&self) -> bool {
        self.mesh.is_finite() && self.links.iter().all(DMat4::is_finite)
    }
}

/// Converts the translation of a matrix from metres to centimetres.
fn wide(metres: DMat4) -> DMat4 {
    let mut wide = metres;
    let moved = metres.w_axis.truncate() * f64::from(CM_PER_M);
    wide.w_axis = moved.extend(1.0);
    wide
}

fn alike(a: &DMat4, b: &DMat4) -> bool {
    let scale = b.x_axis.truncate().length().max(1e-9);
    let turn = [a.x_axis - b.x_axis, a.y_axis - b.y_axis, a.z_axis - b.z_axis]
        .into_iter()
        .all(|column| column.abs().max_element() < SAME_TURN * scale);
    turn && (a.w_axis - b.w_axis).abs().max_element() < SAME_CM
}

/// A mesh in the scene.
pub(super) struct Placed {
    pub(super) model: Id,
    /// Its blend shape channels.
    pub(super) shapes: Vec<Id>,
}

/// Adds a mesh with everything that belongs to it. `idle` are the joints of its skin that influence
/// no mesh at all and would otherwise be lost.
pub(super) fn add(
    scene: &mut Scene,
    frame: &Frame,
    object: &Object,
    (binding, idle): (&Binding, &[usize]),
) -> Placed {
    let mesh: &Mesh = &object.mesh;
    let points = Points::of(mesh);
    let model = scene.add_model(&mesh.name, "Mesh", placed(DVec3::ZERO, DVec3::ZERO));
    scene.connect(model, Id::SCENE);
    let geometry = add_geometry(scene, frame, object, &points, binding);
    scene.connect(geometry, model);
    let shapes = shapes::add(scene, geometry, (mesh, &points), binding);
    // triangles refer to materials in this order
    for material in &object.materials {
        scene.connect(frame.materials[*material], model);
    }
    if let Some(skin) = mesh.skin {
        let skin = &frame.character.skins[skin];
        add_skin(scene, frame, geometry, (mesh, &points), (skin, binding, idle));
    }
    Placed { model, shapes }
}

/// The control points of a mesh: corners at the same position that move alike are merged, so that
/// other programs get a mesh without seams. Normals and texture coordinates stay with the corners.
pub(super) struct Points {
    /// For each point, one of the vertices at its position.
    pub(super) vertex: Vec<usize>,
    /// For each vertex, its point.
    of_vertex: Vec<usize>,
}

impl Points {
    fn of(mesh: &Mesh) -> Self {
        let mut points = Self { vertex: Vec::new(), of_vertex: Vec::new() };
        let mut by_place: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
        for (vertex, position) in mesh.positions.iter().enumerate() {
            let here = by_place.entry(position.to_array().map(f32::to_bits)).or_default();
            let known = here.iter().find(|point| moves_alike(mesh, points.vertex[**point], vertex));
            let point = known.copied().unwrap_or_else(|| {
                points.vertex.push(vertex);
                here.push(points.vertex.len() - 1);
                points.vertex.len() - 1
            });
            points.of_vertex.push(point);
        }
        points
    }

    /// Returns the triangles that are not degenerate, as vertex indices.
    fn triangles<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = [usize; 3]> + 'a {
        self.numbered(mesh).map(|(_, corners)| corners)
    }

    /// Returns the triangles that are not degenerate with their indices among all triangles of the
    /// mesh.
    fn numbered<'a>(&'a self, mesh: &'a Mesh) -> impl Iterator<Item = (usize, [usize; 3])> + 'a {
        mesh.indices.chunks_exact(3).enumerate().filter_map(|(number, corners)| {
            let corners = [corners[0] as usize, corners[1] as usize, corners[2] as usize];
            let [a, b, c] = corners.map(|corner| self.of_vertex[corner]);
            (a != b && b != c && c != a).then_some((number, corners))
        })
    }
}

fn moves_alike(mesh: &Mesh, a: usize, b: usize) -> bool {
    let held = mesh.skin.is_none() || mesh.influences(a).eq(mesh.influences(b));
    held && mesh.morphs.iter().all(|morph| morph.positions[a] == morph.positions[b])
        && mesh.normals[a].dot(mesh.normals[b]) > LOOKS_AWAY
}

fn add_geometry(
    scene: &mut Scene,
    frame: &Frame,
    object: &Object,
    points: &Points,
    binding: &Binding,
) -> Id {
    let mesh: &Mesh = &object.mesh;
    let vertices: Vec<f64> = points
        .vertex
        .iter()
        .flat_map(|vertex| placed_point(binding, mesh.positions[*vertex]).to_array())
        .collect();
    let corners: Vec<i32> = points.triangles(mesh).flatten().map(|corner| corner as i32).collect();
    let polygons: Vec<i32> = points
        .triangles(mesh)
        .flat_map(|corners| {
            let [a, b, c] = corners.map(|corner| points.of_vertex[corner] as i32);
            // the last corner of a polygon is marked by inverting its bits
            [a, b, !c]
        })
        .collect();
    let mut layers = vec![normals(mesh, binding, &corners)];
    layers.extend(uvs(object.is_textured(frame.character), mesh, &corners));
    layers.push(layer("LayerElementSmoothing", 102, "ByPolygon", "Direct").nest([
        // without it, Unreal warns about missing smoothing groups
        Record::leaf("Smoothing", vec![1; corners.len() / 3]),
    ]));
    layers.extend(materials(object, points));
    let listed = layers.iter().map(|layer| {
        Record::new("LayerElement")
            .nest([Record::leaf("Type", layer.name), Record::leaf("TypedIndex", 0)])
    });
    let list = Record::leaf("Layer", 0).nest([Record::leaf("Version", 100)]).nest(listed);
    let head = [
        Record::leaf("GeometryVersion", 124),
        Record::leaf("Vertices", vertices),
        Record::leaf("PolygonVertexIndex", polygons),
    ];
    let nested = head.into_iter().chain(layers).chain([list]);
    scene.add(Kind::Geometry, &mesh.name, "Mesh", nested)
}

/// Returns the rest position of a vertex in centimetres.
fn placed_point(binding: &Binding, metres: Vec3) -> DVec3 {
    let at = centimetres(metres);
    if binding.mesh == DMat4::IDENTITY {
        return at;
    }
    // round to 32 bits: further digits would only take space
    binding.mesh.transform_point3(at).as_vec3().as_dvec3()
}

fn layer(name: &'static str, version: i32, per: &str, kept: &str) -> Record {
    Record::leaf(name, 0).nest([
        Record::leaf("Version", version),
        Record::leaf("Name", if name == "LayerElementUV" { UV_SET } else { "" }),
        Record::leaf("MappingInformationType", per),
        Record::leaf("ReferenceInformationType", kept),
    ])
}

fn normals(mesh: &Mesh, binding: &Binding, corners: &[i32]) -> Record {
    let turn = binding.mesh.inverse().transpose();
    let rows: Vec<f64> = mesh
        .normals
        .iter()
        .map(|normal| normal.normalize_or(Vec3::Y))
        .map(|normal| match binding.mesh == DMat4::IDENTITY {
            true => normal,
            false => turn.transform_vector3(normal.as_dvec3()).normalize_or(DVec3::Y).as_vec3(),
        })
        .flat_map(|normal| normal.as_dvec3().to_array())
        .collect();
    layer("LayerElementNormal", 101, "ByPolygonVertex", "IndexToDirect")
        .nest([Record::leaf("Normals", rows), Record::leaf("NormalsIndex", corners.to_vec())])
}

/// Returns the material of each triangle, as an index into the object's materials.
fn materials(object: &Object, points: &Points) -> Option<Record> {
    let (per, slots) = match object.materials.len() {
        0 => return None,
        1 => ("AllSame", vec![0]),
        _ => {
            let kept = points.numbered(&object.mesh).map(|(number, _)| object.slots[number]);
            ("ByPolygon", kept.collect())
        }
    };
    let layer = layer("LayerElementMaterial", 101, per, "IndexToDirect");
    Some(layer.nest([Record::leaf("Materials", slots)]))
}

/// Returns texture coordinates with the origin at the bottom left. A textured material needs them
/// even if the mesh has none.
fn uvs(textured: bool, mesh: &Mesh, corners: &[i32]) -> Option<Record> {
    let (rows, corners) = match (mesh.uvs.is_empty(), textured) {
        (true, false) => return None,
        (true, true) => (vec![0.0; 2], vec![0; corners.len()]),
        (false, _) => {
            let flipped = mesh.uvs.iter().flat_map(|uv| [uv.x, 1.0 - uv.y].map(f64::from));
            (flipped.collect(), corners.to_vec())
        }
    };
    let record = layer("LayerElementUV", 101, "ByPolygonVertex", "IndexToDirect");
    Some(record.nest([Record::leaf("UV", rows), Record::leaf("UVIndex", corners)]))
}

fn add_skin(
    scene: &mut Scene,
    frame: &Frame,
    geometry: Id,
    (mesh, points): (&Mesh, &Points),
    (skin, binding, idle): (&Skin, &Binding, &[usize]),
) {
    let nested = [
        Record::leaf("Version", 101),
        Record::leaf("Link_DeformAcuracy", 50.0),
        Record::leaf("SkinningType", "Linear"),
    ];
    let deformer = scene.add(Kind::Deformer, &mesh.name, "Skin", nested);
    scene.connect(deformer, geometry);
    let pulls = pulls(mesh, points, skin.joints.len());
    for (place, (rows, weights)) in pulls.into_iter().enumerate() {
        if rows.is_empty() && !idle.contains(&place) {
            continue;
        }
        let joint = skin.joints[place].get();
        let link = binding.links[place];
        let head = [Record::leaf("Version", 100), Record::leaf("UserData", "").value("")];
        let moved = (!rows.is_empty())
            .then(|| [Record::leaf("Indexes", rows), Record::leaf("Weights", weights)]);
        let matrices = [
            Record::leaf("Transform", link.inverse().to_cols_array().to_vec()),
            Record::leaf("TransformLink", link.to_cols_array().to_vec()),
        ];
        let nested = head.into_iter().chain(moved.into_iter().flatten()).chain(matrices);
        let name = &frame.character.skeleton.joints()[joint].name;
        let cluster = scene.add(Kind::SubDeformer, name, "Cluster", nested);
        scene.connect(cluster, deformer);
        scene.connect(frame.joints[joint], cluster);
    }
}

/// Returns the points that each joint of a skin influences, with normalised weights.
fn pulls(mesh: &Mesh, points: &Points, joints: usize) -> Vec<(Vec<i32>, Vec<f64>)> {
    let mut pulls = vec![(Vec::new(), Vec::new()); joints];
    for (point, vertex) in points.vertex.iter().enumerate() {
        let held = || mesh.influences(*vertex).map(|(place, weight)| (place, f64::from(weight)));
        let total: f64 = held().map(|(_, weight)| weight).sum();
        // a vertex without weights follows its first joint
        let alone = (total <= 0.0).then_some((mesh.joints[*vertex][0], 1.0));
        let total = if alone.is_some() { 1.0 } else { total };
        for (place, weight) in held().chain(alone) {
            let (rows, shares): &mut (Vec<i32>, Vec<f64>) = &mut pulls[usize::from(place)];
            match shares.last_mut().filter(|_| rows.last() == Some(&(point as i32))) {
                Some(sum) => *sum += weight / total,
                None => {
                    rows.push(point as i32);
                    shares.push(weight / total);
                }
            }
        }
    }
    pulls
}
