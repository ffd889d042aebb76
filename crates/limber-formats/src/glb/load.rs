//! Converts a glTF document to a model.

use glam::{Mat4, Quat, Vec3};
use gltf::json::{self, Index};
use limber_animation::{HumanBone, Mesh, Skeleton};

use super::{
    GENERATOR,
    accessor::Data,
    file::GltfFile,
    primitive, skeleton_notes,
    surface::{self, Placing},
    vrm,
};
use crate::{
    influences::Rebound,
    model::{
        FileFormat, MAX_TRIANGLES, MAX_VERTICES, Model, ModelMesh, ModelSkin, Node, ReadError, Vrm,
        damaged, plain_text,
    },
};

/// Reads everything but animations.
pub(super) fn model(file: &GltfFile, data: &Data) -> Result<Model, ReadError> {
    let root = &file.root;
    let (format, vrm) = match vrm::read(root) {
        Some((format, vrm)) => (format, Some(vrm)),
        None => (if file.is_text { FileFormat::Gltf } else { FileFormat::Glb }, None),
    };
    let mut model = Model {
        format,
        name: name(root),
        nodes: nodes(root, format, vrm.as_ref())?,
        skins: root.skins.iter().map(|entry| skin(data, entry)).collect::<Result<_, _>>()?,
        meshes: Vec::new(),
        materials: Vec::new(),
        images: Vec::new(),
        vrm,
        avatar: Vec::new(),
        unweighted: 0,
        unit_m: 1.0,
        animations: root.animations.len(),
        warnings: Vec::new(),
    };
    let pictures = surface::images(data, &mut model.images, &mut model.warnings)?;
    let mut placings = Vec::new();
    for entry in &root.materials {
        let (material, placing) = surface::material(root, entry, &pictures, &mut model.warnings);
        model.materials.push(material);
        placings.push(placing);
    }
    let shown = shown(root, &model.nodes);
    model.avatar = vrm::kept(root, &pictures, &shown, &mut model.warnings);
    for (node, entry) in root.nodes.iter().enumerate().filter(|(node, _)| shown[*node]) {
        if let Some(index) = entry.mesh {
            add_meshes(data, &mut model, &placings, (node, entry.skin, index))?;
        }
    }
    Ok(model)
}

/// Returns which nodes the file's scene contains; all nodes if there is no scene or it has no mesh.
fn shown(root: &json::Root, nodes: &[Node]) -> Vec<bool> {
    let scene = root.scene.and_then(|index| root.scenes.get(index.value())).or(root.scenes.first());
    let mut shown = vec![false; nodes.len()];
    let mut waiting: Vec<usize> =
        scene.iter().flat_map(|scene| &scene.nodes).map(Index::value).collect();
    while let Some(node) = waiting.pop() {
        // the children of visited nodes are queued already
        if shown.get_mut(node).is_some_and(|shown| !std::mem::replace(shown, true)) {
            waiting.extend(root.nodes[node].children.iter().flatten().map(Index::value));
        }
    }
    let any = root.nodes.iter().zip(&shown).any(|(entry, shown)| *shown && entry.mesh.is_some());
    if any { shown } else { vec![true; nodes.len()] }
}

fn name(root: &json::Root) -> String {
    let scene = root.scene.and_then(|index| root.scenes.get(index.value())).or(root.scenes.first());
    plain_text(scene.and_then(|scene| scene.name.as_deref()).unwrap_or_default())
}

fn nodes(root: &json::Root, format: FileFormat, vrm: Option<&Vrm>) -> Result<Vec<Node>, ReadError> {
    let mut nodes = root.nodes.iter().map(node).collect::<Result<Vec<_>, _>>()?;
    for (place, entry) in root.nodes.iter().enumerate() {
        for child in entry.children.iter().flatten() {
            let child = nodes
                .get_mut(child.value())
                .ok_or_else(|| damaged("a node refers to a child that does not exist"))?;
            if child.parent.replace(place).is_some() {
                return Err(damaged("a node has two parents"));
            }
        }
    }
    for (bone, node) in vrm.into_iter().flat_map(|vrm| &vrm.bones) {
        if let Some(node) = nodes.get_mut(*node) {
            node.bone = Some(*bone);
        }
    }
    once_each(&mut nodes);
    // files by Limber always face +Z
    let is_ours = root.asset.generator.as_deref() == Some(GENERATOR);
    if format == FileFormat::Vrm0 && !is_ours {
        face_forward(&mut nodes);
    }
    Ok(nodes)
}

/// If two nodes declare the same bone, only the first keeps it.
fn once_each(nodes: &mut [Node]) {
    let mut seen = [false; HumanBone::ALL.len()];
    for node in nodes {
        node.bone = node.bone.filter(|bone| !std::mem::replace(&mut seen[*bone as usize], true));
    }
}

/// Rotates a VRM 0.x model, which faces −Z, to face +Z.
fn face_forward(nodes: &mut [Node]) {
    let turn = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0);
    for node in nodes.iter_mut().filter(|node| node.parent.is_none()) {
        node.translation = turn * node.translation;
        node.rotation = turn * node.rotation;
    }
}

fn node(entry: &json::Node) -> Result<Node, ReadError> {
    let (scale, rotation, translation) = match entry.matrix {
        Some(columns) => Mat4::from_cols_array(&columns).to_scale_rotation_translation(),
        None => (
            entry.scale.map_or(Vec3::ONE, Vec3::from_array),
            entry.rotation.map_or(Quat::IDENTITY, |turn| Quat::from_array(turn.0)),
            entry.translation.map_or(Vec3::ZERO, Vec3::from_array),
        ),
    };
    let length = rotation.length();
    let usable = translation.is_finite() && scale.is_finite() && length > 1e-6;
    if !usable || !length.is_finite() {
        return Err(damaged("a node has an invalid transform"));
    }
    // normalised quaternions are kept bit for bit
    let exact = (length - 1.0).abs() < 1e-6;
    let rotation = if exact { rotation } else { rotation.normalize() };
    let (bone, twist) = skeleton_notes::read(&entry.extras);
    let name = entry.name.clone().unwrap_or_default();
    Ok(Node { name, parent: None, translation, rotation, scale, bone, twist })
}

fn skin(data: &Data, entry: &json::Skin) -> Result<ModelSkin, ReadError> {
    let joints: Vec<usize> = entry.joints.iter().map(Index::value).collect();
    if joints.len() > Skeleton::MAX_JOINTS {
        return Err(ReadError::TooLarge("joints of a skin", Skeleton::MAX_JOINTS));
    }
    if joints.iter().any(|node| *node >= data.root.nodes.len()) {
        return Err(damaged("a skin refers to a joint that does not exist"));
    }
    let mut inverse_bind: Vec<Mat4> = match entry.inverse_bind_matrices {
        Some(index) => data.floats::<16>(index)?.iter().map(Mat4::from_cols_array).collect(),
        None => vec![Mat4::IDENTITY; joints.len()],
    };
    if joints.is_empty() || inverse_bind.len() < joints.len() {
        return Err(damaged("a skin has fewer bind matrices than joints"));
    }
    inverse_bind.truncate(joints.len());
    if inverse_bind.iter().any(|matrix| !matrix.is_finite()) {
        return Err(damaged("a bind matrix contains a number that is not finite"));
    }
    Ok(ModelSkin { joints, inverse_bind })
}

type Instance = (usize, Option<Index<json::Skin>>, Index<json::Mesh>);

fn add_meshes(
    data: &Data,
    model: &mut Model,
    placings: &[Placing],
    (node, skin, index): Instance,
) -> Result<(), ReadError> {
    let plain = Placing::default();
    let mesh = data
        .root
        .meshes
        .get(index.value())
        .ok_or_else(|| damaged("a node refers to a mesh that does not exist"))?;
    // the node's name is what programs show as the object's name
    let names = [data.root.nodes[node].name.as_deref(), mesh.name.as_deref()];
    let name = names.into_iter().flatten().find(|name| !name.is_empty());
    let name = plain_text(name.unwrap_or_default());
    let first = model.meshes.len();
    let mut rebound = Rebound::default();
    for entry in &mesh.primitives {
        let names = shape_names(data.root, mesh, entry);
        let placing = entry.material.and_then(|index| placings.get(index.value()));
        let part = primitive::read(data, entry, placing.unwrap_or(&plain), &names)?;
        let Some((mut part, unbound)) = part else { continue };
        part.name.clone_from(&name);
        part.skin = skin.map(|skin| skin.value()).filter(|_| !part.joints.is_empty());
        match part.skin {
            Some(skin) => {
                let skin = skin_for(model, skin, &part)?;
                rebound = rebound.and(unbound.bind_to_nearest(&mut part, &skin));
            }
            None => {
                (part.joints, part.weights) = Default::default();
                (part.more_joints, part.more_weights) = Default::default();
            }
        }
        model.meshes.push(ModelMesh { mesh: part, node });
        check_size(&model.meshes)?;
    }
    model.join(first);
    model.unweighted += rebound.moved();
    rebound.tell(&name, &mut model.warnings);
    Ok(())
}

fn skin_for(model: &Model, place: usize, mesh: &Mesh) -> Result<ModelSkin, ReadError> {
    let skin = model
        .skins
        .get(place)
        .ok_or_else(|| damaged("a node refers to a skin that does not exist"))?;
    let mut places = mesh.joints.iter().chain(&mesh.more_joints).flatten();
    if places.any(|place| usize::from(*place) >= skin.joints.len()) {
        return Err(damaged(format!(
            "the mesh `{}` refers to a joint that its skin does not have",
            mesh.name
        )));
    }
    Ok(skin.clone())
}

fn check_size(meshes: &[ModelMesh]) -> Result<(), ReadError> {
    if meshes.iter().map(|part| part.mesh.positions.len()).sum::<usize>() > MAX_VERTICES {
        return Err(ReadError::TooLarge("vertices", MAX_VERTICES));
    }
    if meshes.iter().map(|part| part.mesh.indices.len() / 3).sum::<usize>() > MAX_TRIANGLES {
        return Err(ReadError::TooLarge("triangles", MAX_TRIANGLES));
    }
    Ok(())
}

/// Returns the names of morph targets. glTF has no field for them: programs store them in the
/// extras of the mesh or the primitive, or as accessor names.
fn shape_names(root: &json::Root, mesh: &json::Mesh, entry: &json::mesh::Primitive) -> Vec<String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Names {
        target_names: Vec<String>,
    }
    let beside = |extras: &json::Extras| {
        let text = extras.as_ref()?.get();
        Some(serde_json::from_str::<Names>(text).ok()?.target_names)
    };
    let of_lists = || {
        let targets = entry.targets.iter().flatten();
        let named = |target: &json::mesh::MorphTarget| {
            root.accessors.get(target.positions?.value())?.name.clone()
        };
        targets.map(named).collect::<Option<Vec<_>>>()
    };
    let names = beside(&mesh.extras).or_else(|| beside(&entry.extras)).or_else(of_lists);
    names.unwrap_or_default().iter().map(|name| plain_text(name)).collect()
}
