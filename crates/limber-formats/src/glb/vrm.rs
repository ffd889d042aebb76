//! Reads what VRM extensions say about the body.
//!
//! Source: VRM Consortium, *VRM 0.0* and *VRMC_vrm-1.0* specifications.

use gltf::json;
use limber_animation::{AvatarPart, HumanBone};
use serde_json::{Map, Value};

use super::surface::Pictures;
use crate::{
    avatar::{self, IndexTarget},
    model::{FileFormat, Vrm, plain_text},
};

/// Returns the VRM version and the humanoid mapping of a file, if it has one.
pub(super) fn read(root: &json::Root) -> Option<(FileFormat, Vrm)> {
    let extensions = &root.extensions.as_ref()?.others;
    if let Some(Value::Object(vrm)) = extensions.get("VRMC_vrm") {
        return Some((FileFormat::Vrm1, version_1(root, vrm)));
    }
    match extensions.get("VRM") {
        Some(Value::Object(vrm)) => Some((FileFormat::Vrm0, version_0(root, vrm))),
        _ => None,
    }
}

/// Maximum size of an extension that is preserved, in bytes; real ones have some tens of thousands.
const MOST_BYTES: usize = 4 << 20;

/// Returns the extensions to preserve, with the model's indices. `shown` tells which nodes are in
/// the file's scene.
pub(super) fn kept(
    root: &json::Root,
    pictures: &Pictures,
    shown: &[bool],
    warnings: &mut Vec<String>,
) -> Vec<AvatarPart> {
    let names: &[&str] = match read(root) {
        Some((FileFormat::Vrm1, _)) => &["VRMC_vrm", "VRMC_springBone"],
        Some(_) => &["VRM"],
        None => return Vec::new(),
    };
    let extensions = root.extensions.iter().flat_map(|all| &all.others);
    let mut parts: Vec<AvatarPart> = extensions
        .filter(|(name, _)| names.contains(&name.as_str()))
        .map(|(name, value)| AvatarPart { extension: name.clone(), json: value.to_string() })
        .collect();
    let before = parts.len();
    parts.retain(|part| part.json.len() <= MOST_BYTES);
    if parts.len() < before {
        warnings.push(format!(
            "the VRM data in the file is larger than {} MB, so only the body was imported",
            MOST_BYTES >> 20
        ));
    }
    let shows = |node: usize| {
        let mesh = root.nodes.get(node).and_then(|entry| entry.mesh);
        mesh.filter(|_| shown.get(node) == Some(&true)).map(|mesh| mesh.value())
    };
    let mut node_of_mesh = vec![None; root.meshes.len()];
    for node in (0..root.nodes.len()).rev() {
        if let Some(first_node) = shows(node).and_then(|mesh| node_of_mesh.get_mut(mesh)) {
            *first_node = Some(node);
        }
    }
    avatar::renumbered(&parts, &mut |target, number| match target {
        IndexTarget::Node => (number < root.nodes.len()).then_some(number),
        IndexTarget::MeshNode => shows(number).map(|_| number),
        IndexTarget::Mesh => node_of_mesh.get(number).copied().flatten(),
        IndexTarget::Texture => {
            pictures.place(root.textures.get(number).map(|texture| texture.source.value())?)
        }
        IndexTarget::Image => pictures.place(number),
        IndexTarget::Material => (number < root.materials.len()).then_some(number),
    })
}

/// Returns a node or morph target index; invalid values become an index that is always out of
/// range.
fn number(value: Option<&Value>) -> usize {
    value.and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX)
}

fn version_1(root: &json::Root, vrm: &Map<String, Value>) -> Vrm {
    let bones = vrm.get("humanoid").and_then(|humanoid| humanoid.get("humanBones"));
    let bones = bones.and_then(Value::as_object).into_iter().flatten();
    let bones = bones
        .filter_map(|(name, entry)| Some((HumanBone::from_name(name)?, number(entry.get("node")))))
        .collect();
    let expressions = vrm.get("expressions").and_then(Value::as_object);
    let named = expressions.into_iter().flat_map(|groups| groups.values());
    let named = named.filter_map(Value::as_object).flatten();
    let is_whole = |bind: &Value| {
        let node = root.nodes.get(number(bind.get("node")));
        let mesh = node.and_then(|node| node.mesh).map(|mesh| mesh.value());
        has_shape(root, mesh, number(bind.get("index")))
    };
    let expressions = named.map(|(name, expression)| {
        let binds: Vec<bool> = binds(expression, "morphTargetBinds").map(is_whole).collect();
        (name.as_str(), binds)
    });
    vrm_of(bones, expressions)
}

fn version_0(root: &json::Root, vrm: &Map<String, Value>) -> Vrm {
    let bones = vrm.get("humanoid").and_then(|humanoid| humanoid.get("humanBones"));
    let bones = bones.and_then(Value::as_array).into_iter().flatten();
    let bones = bones
        .filter_map(|entry| {
            let name = entry.get("bone").and_then(Value::as_str)?;
            Some((HumanBone::from_name(renamed(name))?, number(entry.get("node"))))
        })
        .collect();
    let groups = vrm.get("blendShapeMaster").and_then(|master| master.get("blendShapeGroups"));
    let groups = groups.and_then(Value::as_array).into_iter().flatten();
    let is_whole =
        |bind: &Value| has_shape(root, Some(number(bind.get("mesh"))), number(bind.get("index")));
    let expressions = groups.map(|group| {
        let binds: Vec<bool> = binds(group, "binds").map(is_whole).collect();
        (group.get("name").and_then(Value::as_str).unwrap_or_default(), binds)
    });
    vrm_of(bones, expressions)
}

/// Collects the result. `expressions` are names, with a flag for each morph target that says
/// whether it exists.
fn vrm_of<'a>(
    bones: Vec<(HumanBone, usize)>,
    expressions: impl Iterator<Item = (&'a str, Vec<bool>)>,
) -> Vrm {
    let mut vrm = Vrm { bones, ..Vrm::default() };
    for (name, binds) in expressions.filter(|(_, binds)| !binds.is_empty()) {
        vrm.expressions += 1;
        if vrm.broken_expression.is_none() && binds.contains(&false) {
            vrm.broken_expression = Some(plain_text(name));
        }
    }
    vrm
}

fn binds<'a>(expression: &'a Value, list: &str) -> impl Iterator<Item = &'a Value> {
    expression.get(list).and_then(Value::as_array).into_iter().flatten()
}

fn has_shape(root: &json::Root, mesh: Option<usize>, shape: usize) -> bool {
    let mesh = mesh.and_then(|mesh| root.meshes.get(mesh));
    mesh.is_some_and(|mesh| {
        let counts = mesh.primitives.iter().map(|part| part.targets.as_ref().map_or(0, Vec::len));
        counts.max().unwrap_or(0) > shape
    })
}

/// Returns the name of a bone in VRM 0.x.
pub(super) fn name_0(bone: HumanBone) -> &'static str {
    match bone {
        HumanBone::LeftThumbMetacarpal => "leftThumbProximal",
        HumanBone::LeftThumbProximal => "leftThumbIntermediate",
        HumanBone::RightThumbMetacarpal => "rightThumbProximal",
        HumanBone::RightThumbProximal => "rightThumbIntermediate",
        other => other.name(),
    }
}

/// Converts a VRM 0.x bone name: its three thumb bones are named one step further out than in VRM
/// 1.0.
fn renamed(name: &str) -> &str {
    match name {
        "leftThumbProximal" => "leftThumbMetacarpal",
        "leftThumbIntermediate" => "leftThumbProximal",
        "rightThumbProximal" => "rightThumbMetacarpal",
        "rightThumbIntermediate" => "rightThumbProximal",
        other => other,
    }
}
