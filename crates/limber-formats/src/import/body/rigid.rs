//! Bodies of rigid parts, such as robots: no skin, one node per part.

use std::collections::BTreeSet;

use glam::Vec3;

use super::Body;
use crate::model::{ModelMesh, Tree};

/// A node this close to its parent has no position of its own, as a fraction of the distances
/// between parts.
const SAME_PLACE: f32 = 1e-3;

/// Returns the nodes that carry parts. If a node's only child just holds its mesh, as some
/// exporters write it, the node itself is the carrier.
pub(super) fn carriers(tree: &Tree<'_>, meshes: &[ModelMesh]) -> Vec<usize> {
    let mesh_nodes: BTreeSet<usize> = meshes.iter().map(|part| part.node).collect();
    let mut has_child = vec![false; tree.nodes.len()];
    for parent in tree.nodes.iter().filter_map(|node| node.parent) {
        has_child[parent] = true;
    }
    let places = || mesh_nodes.iter().map(|node| tree.position(*node));
    let low = places().fold(Vec3::MAX, Vec3::min);
    let near = SAME_PLACE * places().fold(Vec3::MIN, Vec3::max).distance(low);
    let carrier = |node: usize| {
        let above =
            tree.parent(node).filter(|above| !has_child[node] && !mesh_nodes.contains(above));
        let only_shows = |above: &usize| {
            tree.nodes[*above].bone.is_some()
                || tree.position(*above).distance(tree.position(node)) <= near
        };
        above.filter(only_shows).unwrap_or(node)
    };
    mesh_nodes.iter().map(|node| carrier(*node)).collect()
}

impl Body {
    /// Whether nothing in the file has weights.
    pub(in crate::import) fn is_rigid(&self) -> bool {
        self.rigid
    }

    /// Returns a warning that nothing will bend.
    pub(in crate::import) fn rigid_parts(&self) -> Option<String> {
        self.rigid.then(|| {
            format!(
                "the character has no skin: each of its {} parts moves rigidly with the node that \
                 it is attached to",
                self.meshes.len()
            )
        })
    }
}
