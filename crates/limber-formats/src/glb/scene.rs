//! A file for exact display: every node moves as the animations say, including scale and morph
//! targets.

use glam::{Mat4, Quat, Vec3};
use limber_animation::{Deformation, Seconds, WorldPose};

use super::{movement::Tracks, read::Glb};
use crate::model::{Node, Tree, turn_of};

/// A file for exact display. Its clips contain only what a skeleton can do, for processing; its
/// movement plays exactly what the file says.
#[derive(Debug)]
pub struct Scene {
    /// The character, and a clip for each animation.
    pub glb: Glb,
    /// The exact animation of nodes and morph targets.
    pub movement: Movement,
}

/// The exact animation of a file, including joints that stretch or move apart, and morph targets.
// lists of nodes are indices into `nodes`
pub struct Movement {
    nodes: Vec<Node>,
    /// Parents before children.
    order: Vec<usize>,
    /// The node of each joint of the skeleton.
    joints: Vec<usize>,
    /// For each of the character's skins, its nodes with their inverse bind matrices.
    skins: Vec<Vec<(usize, Mat4)>>,
    /// For each of the character's meshes, its node and its default morph target weights.
    shapes: Vec<(usize, Vec<f32>)>,
    animations: Vec<Tracks>,
}

impl std::fmt::Debug for Movement {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Movement({} animations)", self.animations.len())
    }
}

impl Movement {
    pub(super) fn new(
        tree: &Tree,
        joints: Vec<usize>,
        skins: Vec<Vec<(usize, Mat4)>>,
        shapes: Vec<(usize, Vec<f32>)>,
        animations: Vec<Tracks>,
    ) -> Self {
        let (nodes, order) = (tree.nodes.to_vec(), tree.order().to_vec());
        Self { nodes, order, joints, skins, shapes, animations }
    }

    /// Returns the transforms of all joints and vertices of the character at a time in one of its
    /// clips; the rest pose for a clip that does not exist. Keys are interpolated as the file says:
    /// step, linear or cubic spline.
    #[must_use]
    pub fn at(&self, clip: usize, time_s: Seconds) -> (WorldPose, Deformation) {
        let tracks = self.animations.get(clip);
        let mut world = vec![Mat4::IDENTITY; self.nodes.len()];
        for place in &self.order {
            let node = &self.nodes[*place];
            let local = tracks.map_or_else(|| node.matrix(), |it| it.local(*place, node, time_s));
            let moved = node.parent.map_or(local, |parent| world[parent] * local);
            // products of large scales can overflow
            world[*place] = if moved.is_finite() { moved } else { Mat4::IDENTITY };
        }
        let weights = |(node, resting): &(usize, Vec<f32>)| {
            tracks.and_then(|it| it.weights(*node, time_s)).unwrap_or_else(|| resting.clone())
        };
        let matrices = |nodes: &Vec<(usize, Mat4)>| {
            nodes.iter().map(|(node, inverse_bind)| world[*node] * *inverse_bind).collect()
        };
        let deformation = Deformation {
            skins: self.skins.iter().map(matrices).collect(),
            shapes: self.shapes.iter().map(weights).collect(),
        };
        let (positions, rotations): (Vec<Vec3>, Vec<Quat>) = self
            .joints
            .iter()
            .map(|node| (world[*node].w_axis.truncate(), turn_of(world[*node])))
            .unzip();
        (WorldPose { positions, rotations }, deformation)
    }
}
