//! The nodes of a file as a tree without scale: which of them are joints, and where they stand.

use std::collections::HashSet;

use glam::{Mat4, Quat, Vec3};
use gltf::json;
use limber_animation::{HumanBone, Joint, JointIndex};

use super::{GlbError, MAX_NODES, damaged};

/// A node's own transform.
#[derive(Clone, Copy)]
pub(super) struct Local {
    pub(super) translation: Vec3,
    pub(super) rotation: Quat,
    pub(super) scale: Vec3,
}

impl Local {
    pub(super) fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// All nodes. Lists run over nodes.
pub(super) struct Tree {
    pub(super) parent: Vec<Option<usize>>,
    pub(super) local: Vec<Local>,
    /// From node space to world space at rest, scale included.
    pub(super) world: Vec<Mat4>,
    /// World rotation without scale.
    pub(super) rotation: Vec<Quat>,
    /// Whether no scale acts on where the node stands.
    pub(super) plain: Vec<bool>,
    /// Parents before children.
    order: Vec<usize>,
}

impl Tree {
    /// Checks that the nodes are a forest and works out where they stand. Never recurses.
    pub(super) fn new(root: &json::Root) -> Result<Self, GlbError> {
        let count = root.nodes.len();
        if count > MAX_NODES {
            return Err(GlbError::TooLarge("nodes", MAX_NODES));
        }
        let parent = parents(root)?;
        let order = parents_first(root, &parent)?;
        let local = root.nodes.iter().map(local).collect::<Result<Vec<_>, _>>()?;
        let mut tree = Self {
            parent,
            local,
            world: vec![Mat4::IDENTITY; count],
            rotation: vec![Quat::IDENTITY; count],
            plain: vec![true; count],
            order,
        };
        for place in 0..count {
            tree.stand(tree.order[place])?;
        }
        Ok(tree)
    }

    fn stand(&mut self, node: usize) -> Result<(), GlbError> {
        let own = self.local[node];
        let above = self.parent[node];
        let carried = above.map_or(Mat4::IDENTITY, |parent| self.world[parent]);
        let turned = above.map_or(Quat::IDENTITY, |parent| self.rotation[parent]);
        self.world[node] = carried * own.matrix();
        self.rotation[node] = (turned * own.rotation).normalize();
        self.plain[node] = above.is_none_or(|parent| {
            self.plain[parent] && (self.local[parent].scale - Vec3::ONE).abs().max_element() < 1e-6
        });
        if self.world[node].is_finite() { Ok(()) } else { Err(damaged("a node stands nowhere")) }
    }

    /// Where a node stands.
    pub(super) fn position(&self, node: usize) -> Vec3 {
        self.world[node].w_axis.truncate()
    }

    /// A node's transform without scale, which is what a joint is.
    pub(super) fn rigid(&self, node: usize) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation[node], self.position(node))
    }

    /// The wanted nodes and everything above them, parents first; in the file's order where that
    /// already has parents first.
    pub(super) fn with_ancestors(&self, wanted: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut kept = HashSet::new();
        for node in wanted {
            let mut next = Some(node);
            while let Some(node) = next.filter(|node| kept.insert(*node)) {
                next = self.parent[node];
            }
        }
        let in_file_order =
            kept.iter().all(|node| self.parent[*node].is_none_or(|parent| parent < *node));
        if in_file_order {
            (0..self.parent.len()).filter(|node| kept.contains(node)).collect()
        } else {
            self.order.iter().copied().filter(|node| kept.contains(node)).collect()
        }
    }

    /// The joints that these nodes (parents first) become. `hips` is the node that carries the
    /// body's travel.
    pub(super) fn joints(&self, root: &json::Root, nodes: &[usize], hips: usize) -> Vec<Joint> {
        let mut names = HashSet::new();
        let place_of = |node: usize| nodes.iter().position(|other| *other == node);
        nodes
            .iter()
            .map(|node| {
                let name = unique_name(root.nodes[*node].name.as_deref(), *node, &mut names);
                let bone = HumanBone::from_name(&name).filter(|bone| *bone != HumanBone::Hips);
                let bone = if *node == hips { Some(HumanBone::Hips) } else { bone };
                let parent = self.parent[*node];
                Joint {
                    name,
                    parent: parent.and_then(place_of).map(JointIndex::new),
                    rest_translation: self.rest_translation(*node),
                    rest_rotation: self.local[*node].rotation,
                    bone,
                }
            })
            .collect()
    }

    fn rest_translation(&self, node: usize) -> Vec3 {
        match self.parent[node] {
            Some(parent) if !self.plain[node] => {
                self.rotation[parent].inverse() * (self.position(node) - self.position(parent))
            }
            _ => self.local[node].translation,
        }
    }
}

fn parents(root: &json::Root) -> Result<Vec<Option<usize>>, GlbError> {
    let mut parent = vec![None; root.nodes.len()];
    for (place, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten() {
            let slot = parent
                .get_mut(child.value())
                .ok_or_else(|| damaged("a node names a child that is not there"))?;
            if slot.replace(place).is_some() {
                return Err(damaged("a node hangs below two others"));
            }
        }
    }
    Ok(parent)
}

fn parents_first(root: &json::Root, parent: &[Option<usize>]) -> Result<Vec<usize>, GlbError> {
    let mut order = Vec::with_capacity(parent.len());
    let mut waiting: Vec<usize> =
        (0..parent.len()).rev().filter(|node| parent[*node].is_none()).collect();
    while let Some(node) = waiting.pop() {
        order.push(node);
        let children = root.nodes[node].children.iter().flatten();
        waiting.extend(children.rev().map(json::Index::value));
    }
    if order.len() == parent.len() {
        Ok(order)
    } else {
        Err(damaged("its nodes go round in a circle"))
    }
}

fn local(node: &json::Node) -> Result<Local, GlbError> {
    let local = match node.matrix {
        Some(columns) => {
            let (scale, rotation, translation) =
                Mat4::from_cols_array(&columns).to_scale_rotation_translation();
            Local { translation, rotation, scale }
        }
        None => Local {
            translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
            rotation: node.rotation.map_or(Quat::IDENTITY, |turn| Quat::from_array(turn.0)),
            scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
        },
    };
    let length = local.rotation.length();
    let usable = local.translation.is_finite() && local.scale.is_finite() && length > 1e-6;
    if !usable || !length.is_finite() {
        return Err(damaged("a node has an unusable transform"));
    }
    // numbers that are already right stay as they are, to the bit
    let exact = (length - 1.0).abs() < 1e-6;
    let rotation = if exact { local.rotation } else { local.rotation.normalize() };
    Ok(Local { rotation, ..local })
}

/// A name that no other joint has: printable, at most 100 characters.
fn unique_name(name: Option<&str>, node: usize, taken: &mut HashSet<String>) -> String {
    let wanted: String =
        name.unwrap_or_default().chars().filter(|c| !c.is_control()).take(100).collect();
    let wanted = if wanted.trim().is_empty() { format!("node_{node}") } else { wanted };
    let mut unique = wanted.clone();
    let mut number = 2;
    while !taken.insert(unique.clone()) {
        unique = format!("{wanted}_{number}");
        number += 1;
    }
    unique
}
