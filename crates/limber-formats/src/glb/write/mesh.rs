//! Writes meshes, skins and morph targets.

use std::collections::BTreeMap;

use gltf::json::{
    self, Index,
    mesh::{Mode, MorphTarget, Primitive, Semantic},
    scene::Node,
    validation::Checked::Valid,
};
use limber_animation::{Character, Mesh, Morph, Skin};

use super::named;
use crate::{
    glb::parts::{Parts, Purpose, SHARES},
    influences::{self, Influences, Row},
};

type Attributes = BTreeMap<json::validation::Checked<Semantic>, Index<json::Accessor>>;

/// Adds a skin. Its joints are the rig's, shifted by `shift`.
pub(super) fn add_skin(parts: &mut Parts, skin: &Skin, shift: usize, top: Index<Node>) {
    let matrices: Vec<[f32; 16]> = skin
        .inverse_bind
        .iter()
        .map(|matrix| {
            let mut columns = matrix.to_cols_array();
            // exactly affine: readers compare with ==
            (columns[3], columns[7], columns[11], columns[15]) = (0.0, 0.0, 0.0, 1.0);
            columns
        })
        .collect();
    let inverse_bind = parts.floats(&matrices, Purpose::Other);
    parts.document.push(json::Skin {
        extensions: None,
        extras: Default::default(),
        inverse_bind_matrices: Some(inverse_bind),
        joints: skin.joints.iter().map(|joint| Index::new((joint.get() + shift) as u32)).collect(),
        name: None,
        skeleton: Some(top),
    });
}

/// Adds an object and its node: one mesh with a primitive for each of its parts.
pub(super) fn add_object(
    parts: &mut Parts,
    character: &Character,
    object: &[usize],
) -> Index<Node> {
    let mesh = &character.meshes[object[0]];
    let primitives =
        object.iter().map(|place| primitive(parts, character, &character.meshes[*place])).collect();
    let index = parts.document.push(json::Mesh {
        extensions: None,
        extras: target_names(&mesh.morphs),
        name: named(&mesh.name),
        primitives,
        weights: (!mesh.morphs.is_empty()).then(|| vec![0.0; mesh.morphs.len()]),
    });
    parts.document.push(Node {
        name: named(&mesh.name),
        mesh: Some(index),
        skin: mesh.skin.map(|place| Index::new(place as u32)),
        ..Node::default()
    })
}

fn primitive(parts: &mut Parts, character: &Character, mesh: &Mesh) -> Primitive {
    let positions: Vec<_> = mesh.positions.iter().map(|row| row.to_array()).collect();
    let normals: Vec<_> =
        mesh.normals.iter().map(|row| row.normalize_or(glam::Vec3::Y).to_array()).collect();
    let mut attributes = Attributes::new();
    let vertices = Purpose::Vertices;
    attributes.insert(Valid(Semantic::Positions), parts.bounded(&positions, vertices));
    attributes.insert(Valid(Semantic::Normals), parts.floats(&normals, vertices));
    if let Some(uvs) = uvs(character, mesh) {
        attributes.insert(Valid(Semantic::TexCoords(0)), parts.floats(&uvs, vertices));
    }
    if !mesh.colors.is_empty() {
        attributes.insert(Valid(Semantic::Colors(0)), parts.floats(&mesh.colors, vertices));
    }
    if mesh.skin.is_some() {
        add_influences(parts, mesh, &mut attributes);
    }
    let indices = parts.indices(&mesh.indices);
    let targets: Vec<MorphTarget> = mesh.morphs.iter().map(|morph| target(parts, morph)).collect();
    Primitive {
        attributes,
        extensions: None,
        extras: Default::default(),
        indices: Some(indices),
        material: mesh.material.map(|place| Index::new(place as u32)),
        mode: Valid(Mode::Triangles),
        targets: (!targets.is_empty()).then_some(targets),
    }
}

fn add_influences(parts: &mut Parts, mesh: &Mesh, attributes: &mut Attributes) {
    let mut rows = Influences::default();
    for vertex in 0..mesh.positions.len() {
        let row = influences::normalise_weights(mesh.influences(vertex), mesh.joints[vertex][0]);
        rows.push(&in_whole_shares(row));
    }
    let rows = rows.finish();
    attributes.insert(Valid(Semantic::Joints(0)), parts.joints(&rows.joints));
    attributes.insert(Valid(Semantic::Weights(0)), parts.weights(&rows.weights));
    if !rows.more_joints.is_empty() {
        attributes.insert(Valid(Semantic::Joints(1)), parts.joints(&rows.more_joints));
        attributes.insert(Valid(Semantic::Weights(1)), parts.weights(&rows.more_weights));
    }
}

/// Rounds weights to multiples of 1 / [`SHARES`] that still sum to one. The joint of a weight that
/// becomes zero is set to 0, as glTF requires.
fn in_whole_shares(mut row: Row) -> Row {
    for (joint, weight) in row.joints.iter_mut().zip(&mut row.weights).skip(1) {
        *weight = (*weight * SHARES).round() / SHARES;
        if *weight == 0.0 {
            *joint = 0;
        }
    }
    row.weights[0] = 1.0 - row.weights[1..].iter().sum::<f32>();
    row
}

fn target(parts: &mut Parts, morph: &Morph) -> MorphTarget {
    let rows = |list: &[glam::Vec3]| list.iter().map(|row| row.to_array()).collect::<Vec<_>>();
    let positions = parts.offsets(&rows(&morph.positions));
    let normals = (!morph.normals.is_empty()).then(|| parts.offsets(&rows(&morph.normals)));
    MorphTarget { positions: Some(positions), normals, tangents: None }
}

/// Returns the extras with the names of morph targets, where all programs store them, because glTF
/// has no field for them.
fn target_names(morphs: &[Morph]) -> json::Extras {
    let names: Vec<&str> = morphs.iter().map(|morph| morph.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    serde_json::value::to_raw_value(&serde_json::json!({ "targetNames": names })).ok()
}

/// Returns texture coordinates. A textured material needs them even if the mesh has none.
fn uvs(character: &Character, mesh: &Mesh) -> Option<Vec<[f32; 2]>> {
    let textured =
        mesh.material.is_some_and(|place| character.materials[place].images().next().is_some());
    match (mesh.uvs.is_empty(), textured) {
        (false, _) => Some(mesh.uvs.iter().map(|row| row.to_array()).collect()),
        (true, true) => Some(vec![[0.0; 2]; mesh.positions.len()]),
        (true, false) => None,
    }
}
