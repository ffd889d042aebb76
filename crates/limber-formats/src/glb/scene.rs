//! A file as it is to be seen: every node moved as its animations say, scale and shapes included.

use glam::{Mat4, Quat, Vec3};
use limber_animation::{Deformation, Seconds, WorldPose};

use super::{movement::Tracks, read::Glb};
use crate::model::{Node, Tree, turn_of};

/// A file as it is to be seen. Its clips turn joints, as everything that works with bodies needs
/// it; its movement says exactly what the file does.
#[derive(Debug)]
pub struct Scene {
    /// The character and a clip for each animation.
    pub glb: Glb,
    /// What its nodes and shapes do.
    pub movement: Movement,
}

/// What moves in a file, exactly: also where joints are stretched or move apart, and where shapes
/// are drawn.
// lists of nodes are places in `nodes`
pub struct Movement {
    nodes: Vec<Node>,
    /// Parents before children.
    order: Vec<usize>,
    /// For each joint of the skeleton.
    joints: Vec<usize>,
    /// For each of the character's skins: what moves it, and from where.
    skins: Vec<Vec<(usize, Mat4)>>,
    /// For each of the character's meshes: the node that shows it, its shapes at rest.
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

    /// Where all joints and vertices of the character are, a time into one of its clips; beyond
    /// their list at rest. Keys are blended as the file says: in steps, straight or along a spline.
    #[must_use]
    pub fn at(&self, clip: usize, time_s: Seconds) -> (WorldPose, Deformation) {
        let tracks = self.animations.get(clip);
        let mut world = vec![Mat4::IDENTITY; self.nodes.len()];
        for place in &self.order {
            let node = &self.nodes[*place];
            let local = tracks.map_or_else(|| node.matrix(), |it| it.local(*place, node, time_s));
            let moved = node.parent.map_or(local, |parent| world[parent] * local);
            // scales that multiply beyond all numbers
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
