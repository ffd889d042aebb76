//! VRM extensions beyond the humanoid mapping, and the indices in them.
//!
//! Licence, expressions, first-person settings and spring bones are preserved as they are; only the
//! indices in them change from file to file: nodes, meshes, images. This module finds every index,
//! so that callers can replace it.
//!
//! Source: VRM Consortium, *VRM 0.0*, *VRMC_vrm 1.0* and *VRMC_springBone 1.0* specifications.

use std::collections::HashMap;

use limber_animation::{AvatarPart, Skeleton};
use serde_json::Value;

use crate::model::Tree;

/// What an index refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexTarget {
    Node,
    /// A node that stands for the mesh it shows.
    MeshNode,
    Mesh,
    Texture,
    Image,
    Material,
}

/// Maps an old index to a new one; `None` if the target no longer exists.
pub(crate) type Renumber<'a> = dyn FnMut(IndexTarget, usize) -> Option<usize> + 'a;

/// Returns the extensions with new indices; omits those that are invalid without a removed target.
pub(crate) fn renumbered(parts: &[AvatarPart], to: &mut Renumber<'_>) -> Vec<AvatarPart> {
    let part = |part: &AvatarPart| {
        let mut value: Value = serde_json::from_str(&part.json).ok()?;
        renumber(&part.extension, &mut value, to)
            .then(|| AvatarPart { extension: part.extension.clone(), json: value.to_string() })
    };
    parts.iter().filter_map(part).collect()
}

/// Returns the nodes that extensions refer to, sorted and without duplicates.
fn nodes(parts: &[AvatarPart]) -> Vec<usize> {
    let mut nodes = Vec::new();
    renumbered(parts, &mut |target, number| {
        if target == IndexTarget::Node {
            nodes.push(number);
        }
        Some(number)
    });
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Returns the extensions with a character's indices: joints instead of nodes, and for a mesh node
/// the first mesh that it shows.
pub(crate) fn in_character(
    parts: &[AvatarPart],
    joint_nodes: &[usize],
    mesh_nodes: &[usize],
) -> Vec<AvatarPart> {
    if parts.is_empty() {
        return Vec::new();
    }
    let places = |nodes: &[usize]| -> HashMap<usize, usize> {
        nodes.iter().enumerate().rev().map(|(place, node)| (*node, place)).collect()
    };
    let (joints, meshes) = (places(joint_nodes), places(mesh_nodes));
    renumbered(parts, &mut |target, number| match target {
        IndexTarget::Node => joints.get(&number).copied(),
        IndexTarget::MeshNode | IndexTarget::Mesh => meshes.get(&number).copied(),
        IndexTarget::Texture | IndexTarget::Image | IndexTarget::Material => Some(number),
    })
}

/// Returns the nodes that become joints, including those that extensions refer to, such as the ends
/// of spring bones. These are left out if there would be too many joints.
pub(crate) fn with_its_nodes(
    joint_nodes: Vec<usize>,
    parts: &[AvatarPart],
    tree: &Tree<'_>,
) -> Vec<usize> {
    let more = nodes(parts);
    if more.is_empty() {
        return joint_nodes;
    }
    let all = tree.with_ancestors(joint_nodes.iter().copied().chain(more));
    if all.len() > Skeleton::MAX_JOINTS { joint_nodes } else { all }
}

/// Replaces the indices in an extension. Entries that refer to removed targets are removed too;
/// returns `false` if that would change the meaning of the rest.
pub(crate) fn renumber(extension: &str, value: &mut Value, to: &mut Renumber<'_>) -> bool {
    match extension {
        "VRM" => version_0(value, to),
        "VRMC_vrm" => {
            version_1(value, to);
            true
        }
        "VRMC_springBone" => springs_1(value, to),
        _ => false,
    }
}

fn version_1(vrm: &mut Value, to: &mut Renumber<'_>) {
    optional(vrm.get_mut("meta"), "thumbnailImage", IndexTarget::Image, to);
    retain(vrm.pointer_mut("/humanoid/humanBones"), |bone| {
        field(bone, "node", IndexTarget::Node, to)
    });
    retain(vrm.pointer_mut("/firstPerson/meshAnnotations"), |mesh| {
        field(mesh, "node", IndexTarget::MeshNode, to)
    });
    for group in ["/expressions/preset", "/expressions/custom"] {
        let Some(Value::Object(expressions)) = vrm.pointer_mut(group) else { continue };
        for expression in expressions.values_mut() {
            retain(expression.get_mut("morphTargetBinds"), |bind| {
                field(bind, "node", IndexTarget::MeshNode, to)
            });
            for binds in ["materialColorBinds", "textureTransformBinds"] {
                retain(expression.get_mut(binds), |bind| {
                    field(bind, "material", IndexTarget::Material, to)
                });
            }
        }
    }
}

fn version_0(vrm: &mut Value, to: &mut Renumber<'_>) -> bool {
    optional(vrm.get_mut("meta"), "texture", IndexTarget::Texture, to);
    retain(vrm.pointer_mut("/humanoid/humanBones"), |bone| {
        field(bone, "node", IndexTarget::Node, to)
    });
    optional(vrm.get_mut("firstPerson"), "firstPersonBone", IndexTarget::Node, to);
    retain(vrm.pointer_mut("/firstPerson/meshAnnotations"), |mesh| {
        field(mesh, "mesh", IndexTarget::Mesh, to)
    });
    for group in list(vrm.pointer_mut("/blendShapeMaster/blendShapeGroups")) {
        retain(group.get_mut("binds"), |bind| field(bind, "mesh", IndexTarget::Mesh, to));
    }
    for material in list(vrm.get_mut("materialProperties")) {
        retain(material.get_mut("textureProperties"), |texture| {
            number(texture, IndexTarget::Texture, to)
        });
    }
    for group in list(vrm.pointer_mut("/secondaryAnimation/boneGroups")) {
        retain(group.get_mut("bones"), |bone| number(bone, IndexTarget::Node, to));
        optional(Some(group), "center", IndexTarget::Node, to);
    }
    // others refer to these by position in the list
    list(vrm.pointer_mut("/secondaryAnimation/colliderGroups"))
        .all(|group| field(group, "node", IndexTarget::Node, to))
}

fn springs_1(springs: &mut Value, to: &mut Renumber<'_>) -> bool {
    for spring in list(springs.get_mut("springs")) {
        retain(spring.get_mut("joints"), |joint| field(joint, "node", IndexTarget::Node, to));
        optional(Some(spring), "center", IndexTarget::Node, to);
    }
    // others refer to these by position in the list
    list(springs.get_mut("colliders"))
        .all(|collider| field(collider, "node", IndexTarget::Node, to))
}

fn list(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_array_mut).into_iter().flatten()
}

/// Retains the entries of a list or map that are still valid.
fn retain(value: Option<&mut Value>, mut keep: impl FnMut(&mut Value) -> bool) {
    let Some(value) = value else { return };
    if let Some(entries) = value.as_array_mut() {
        entries.retain_mut(keep);
    } else if let Some(entries) = value.as_object_mut() {
        entries.retain(|_, entry| keep(entry));
    }
}

/// Replaces the index in a field, or removes the field.
fn optional(entry: Option<&mut Value>, name: &str, target: IndexTarget, to: &mut Renumber<'_>) {
    if let Some(entry) = entry
        && !field(entry, name, target, to)
        && let Some(fields) = entry.as_object_mut()
    {
        fields.remove(name);
    }
}

/// Replaces the index in a field. Returns whether the field is valid afterwards; a missing field is
/// valid.
fn field(entry: &mut Value, name: &str, target: IndexTarget, to: &mut Renumber<'_>) -> bool {
    entry.get_mut(name).is_none_or(|value| number(value, target, to))
}

fn number(value: &mut Value, target: IndexTarget, to: &mut Renumber<'_>) -> bool {
    // VRM 0.x uses -1 for "none"
    if value.as_i64() == Some(-1) {
        return true;
    }
    let old = value.as_u64().and_then(|number| usize::try_from(number).ok());
    let Some(new) = old.and_then(|old| to(target, old)) else { return false };
    *value = new.into();
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Adds 100 to every index, except 9, which no longer exists.
    fn moved(extension: &str, mut value: Value) -> Option<Value> {
        let mut to = |_: IndexTarget, number: usize| (number != 9).then_some(number + 100);
        renumber(extension, &mut value, &mut to).then_some(value)
    }

    #[test]
    fn vrm_1_node_indices_are_remapped_and_removed_nodes_dropped() {
        let bind = |node: u32| json!({"node": node, "index": 3, "weight": 1.0});
        let vrm = json!({
            "meta": {"name": "a", "thumbnailImage": 9},
            "humanoid": {"humanBones": {"hips": {"node": 1}, "head": {"node": 9}}},
            "firstPerson": {"meshAnnotations": [{"node": 9, "type": "auto"}, {"node": 2}]},
            "expressions": {
                "preset": {"happy": {"morphTargetBinds": [bind(4), bind(9)]}},
                "custom": {"x": {"materialColorBinds": [{"material": 5, "type": "color"}]}},
            },
        });
        let meant = json!({
            "meta": {"name": "a"},
            "humanoid": {"humanBones": {"hips": {"node": 101}}},
            "firstPerson": {"meshAnnotations": [{"node": 102}]},
            "expressions": {
                "preset": {"happy": {"morphTargetBinds": [bind(104)]}},
                "custom": {"x": {"materialColorBinds": [{"material": 105, "type": "color"}]}},
            },
        });
        assert_eq!(moved("VRMC_vrm", vrm), Some(meant));
    }

    #[test]
    fn vrm_0_node_indices_are_remapped_and_missing_ones_stay_missing() {
        let vrm = |by: i32| {
            json!({
                "meta": {"texture": 4 + by},
                "humanoid": {"humanBones": [{"bone": "hips", "node": by}]},
                "firstPerson": {"firstPersonBone": -1, "meshAnnotations": [{"mesh": 1 + by}]},
                "blendShapeMaster": {"blendShapeGroups": [
                    {"name": "Joy", "binds": [{"mesh": 2 + by, "index": 7, "weight": 100}]},
                ]},
                "materialProperties": [{"textureProperties": {"_MainTex": 3 + by}}],
                "secondaryAnimation": {
                    "boneGroups": [{"bones": [5 + by, 6 + by], "center": -1, "colliderGroups": [0]}],
                    "colliderGroups": [{"node": 8 + by, "colliders": []}],
                },
            })
        };
        assert_eq!(moved("VRM", vrm(0)), Some(vrm(100)));
        let part = AvatarPart { extension: "VRM".to_owned(), json: vrm(0).to_string() };
        assert_eq!(nodes(&[part]), [0, 5, 6, 8]);
    }

    #[test]
    fn lists_referenced_by_index_are_kept_whole_or_dropped() {
        let springs = |node: u32| {
            json!({
                "colliders": [{"node": node, "shape": {}}],
                "springs": [{"joints": [{"node": 1}, {"node": 9}], "center": 9}],
            })
        };
        assert_eq!(moved("VRMC_springBone", springs(9)), None);
        let kept = moved("VRMC_springBone", springs(2)).expect("the collider is kept");
        assert_eq!(kept["springs"], json!([{"joints": [{"node": 101}]}]));
        assert_eq!(moved("VRMC_other", json!({})), None);
    }

    #[test]
    fn invalid_vrm_data_is_ignored() {
        let nonsense =
            [json!(7), json!([]), json!({"humanoid": 3, "meta": []}), json!({"springs": 1})];
        for value in nonsense {
            for extension in ["VRM", "VRMC_vrm", "VRMC_springBone"] {
                assert_eq!(moved(extension, value.clone()), Some(value.clone()));
            }
        }
    }
}
