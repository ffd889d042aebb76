//! The node hierarchy of a model, with world transforms and a version without scale for joints.

use std::collections::{HashMap, HashSet};

use glam::{Mat3, Mat4, Quat, Vec3};
use limber_animation::{Joint, JointIndex};

use super::{MAX_NODES, Node, ReadError, damaged, names};

/// The rest transforms of all nodes. Lists are indexed by node.
pub(crate) struct Tree<'model> {
    pub(crate) nodes: &'model [Node],
    /// From node space to world space at rest, including scale.
    pub(crate) world: Vec<Mat4>,
    /// World rotation without scale.
    pub(crate) rotation: Vec<Quat>,
    /// Whether the position of the node is unaffected by scale.
    pub(crate) plain: Vec<bool>,
    /// Whether a negative scale affects the node.
    mirrored: Vec<bool>,
    /// Parents before children.
    order: Vec<usize>,
}

impl<'model> Tree<'model> {
    /// Checks that the nodes are a forest and computes their world transforms. Not recursive.
    pub(crate) fn new(nodes: &'model [Node]) -> Result<Self, ReadError> {
        let count = nodes.len();
        if count > MAX_NODES {
            return Err(ReadError::TooLarge("nodes", MAX_NODES));
        }
        let mut tree = Self {
            nodes,
            world: vec![Mat4::IDENTITY; count],
            rotation: vec![Quat::IDENTITY; count],
            plain: vec![true; count],
            mirrored: vec![false; count],
            order: parents_first(nodes)?,
        };
        for place in 0..count {
            tree.stand(tree.order[place])?;
        }
        Ok(tree)
    }

    fn stand(&mut self, node: usize) -> Result<(), ReadError> {
        let own = &self.nodes[node];
        let carried = own.parent.map_or(Mat4::IDENTITY, |parent| self.world[parent]);
        let turned = own.parent.map_or(Quat::IDENTITY, |parent| self.rotation[parent]);
        self.world[node] = carried * own.matrix();
        self.mirrored[node] =
            own.scale.min_element() < 0.0 || own.parent.is_some_and(|parent| self.mirrored[parent]);
        self.rotation[node] = if self.mirrored[node] {
            // rotations cannot be composed across a mirror
            turn_of(self.world[node])
        } else {
            (turned * own.rotation).normalize()
        };
        self.plain[node] = own.parent.is_none_or(|parent| {
            self.plain[parent] && (self.nodes[parent].scale - Vec3::ONE).abs().max_element() < 1e-6
        });
        if self.world[node].is_finite() {
            Ok(())
        } else {
            Err(damaged("the position of a node is not finite"))
        }
    }

    pub(crate) fn parent(&self, node: usize) -> Option<usize> {
        self.nodes[node].parent
    }

    /// Returns the world position of a node.
    pub(crate) fn position(&self, node: usize) -> Vec3 {
        self.world[node].w_axis.truncate()
    }

    /// Returns every node, parents before children.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns a node's world transform without scale, which is what a joint has.
    pub(crate) fn rigid(&self, node: usize) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation[node], self.position(node))
    }

    /// Returns the wanted nodes and all their ancestors, parents first; in the file's order if that
    /// has parents first.
    pub(crate) fn with_ancestors(&self, wanted: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut kept = HashSet::new();
        for node in wanted {
            let mut next = Some(node);
            while let Some(node) = next.filter(|node| kept.insert(*node)) {
                next = self.parent(node);
            }
        }
        let in_file_order =
            kept.iter().all(|node| self.parent(*node).is_none_or(|parent| parent < *node));
        if in_file_order {
            (0..self.nodes.len()).filter(|node| kept.contains(node)).collect()
        } else {
            self.order.iter().copied().filter(|node| kept.contains(node)).collect()
        }
    }

    /// Returns the joints for these nodes (parents first), with unique names and not mapped to
    /// bones.
    pub(crate) fn joints(&self, nodes: &[usize]) -> Vec<Joint> {
        let mut taken = HashSet::new();
        let place_of: HashMap<usize, usize> =
            nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect();
        nodes
            .iter()
            .map(|node| Joint {
                name: names::unique(&self.nodes[*node].name, *node, &mut taken),
                parent: self
                    .parent(*node)
                    .and_then(|parent| place_of.get(&parent))
                    .map(|place| JointIndex::new(*place)),
                rest_translation: self.rest_translation(*node),
                rest_rotation: self.rest_rotation(*node),
                bone: None,
                twist: self.nodes[*node].twist,
            })
            .collect()
    }

    fn rest_rotation(&self, node: usize) -> Quat {
        match self.parent(node) {
            Some(parent) if self.mirrored[node] => {
                (self.rotation[parent].inverse() * self.rotation[node]).normalize()
            }
            None if self.mirrored[node] => self.rotation[node],
            _ => self.nodes[node].rotation,
        }
    }

    fn rest_translation(&self, node: usize) -> Vec3 {
        match self.parent(node) {
            Some(parent) if !self.plain[node] => {
                self.rotation[parent].inverse() * (self.position(node) - self.position(parent))
            }
            _ => self.nodes[node].translation,
        }
    }
}

/// Returns the rotation of a matrix, from its first axis and, as far as possible, its second; a
/// mirrored third axis is ignored.
pub(crate) fn turn_of(matrix: Mat4) -> Quat {
    let x = matrix.x_axis.truncate().normalize_or(Vec3::X);
    let y = matrix.y_axis.truncate().reject_from_normalized(x);
    let y = y.normalize_or(x.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()
}

fn parents_first(nodes: &[Node]) -> Result<Vec<usize>, ReadError> {
    let mut children = vec![Vec::new(); nodes.len()];
    let mut order: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut waiting: Vec<usize> = Vec::new();
    for (place, node) in nodes.iter().enumerate().rev() {
        match node.parent {
            Some(parent) => children
                .get_mut(parent)
                .ok_or_else(|| damaged("a node has a parent that does not exist"))?
                .push(place),
            None => waiting.push(place),
        }
    }
    while let Some(node) = waiting.pop() {
        order.push(node);
        waiting.append(&mut children[node]);
    }
    if order.len() == nodes.len() { Ok(order) } else { Err(damaged("its nodes form a cycle")) }
}
