//! Normalises skinning weights.

use glam::Vec3;
use limber_animation::Mesh;

use crate::model::ModelSkin;

/// Maximum number of joints that influence one vertex.
pub(crate) const MOST: usize = 8;

/// The joints of a vertex, the strongest first, without duplicates, with weights that sum to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Row {
    pub(crate) joints: [u16; MOST],
    pub(crate) weights: [f32; MOST],
    /// Sum of the weights before normalisation.
    pub(crate) total: f32,
}

/// Keeps the eight strongest influences and normalises them. A vertex without valid weights is
/// bound to `fallback` alone.
pub(crate) fn normalise_weights(
    influences: impl IntoIterator<Item = (u16, f32)>,
    fallback: u16,
) -> Row {
    let mut kept: Vec<(u16, f32)> = Vec::with_capacity(MOST);
    let usable = |(_, weight): &(u16, f32)| weight.is_finite() && *weight > 0.0;
    for (joint, weight) in influences.into_iter().filter(usable) {
        match kept.iter_mut().find(|(other, _)| *other == joint) {
            Some((_, sum)) => *sum += weight,
            None => kept.push((joint, weight)),
        }
    }
    kept.sort_by(|a, b| b.1.total_cmp(&a.1));
    let total: f32 = kept.iter().map(|(_, weight)| weight).sum();
    kept.truncate(MOST);
    let (mut joints, mut weights) = ([0; MOST], [0.0; MOST]);
    let sum: f32 = kept.iter().map(|(_, weight)| weight).sum();
    // weights that already sum to one are kept bit for bit
    let sum = if (sum - 1.0).abs() < 1e-5 { 1.0 } else { sum };
    joints[0] = kept.first().map_or(fallback, |(joint, _)| *joint);
    for (place, (joint, weight)) in kept.into_iter().enumerate().skip(1) {
        joints[place] = joint;
        weights[place] = weight / sum;
    }
    weights[0] = 1.0 - weights[1..].iter().sum::<f32>();
    Row { joints, weights, total }
}

/// The joint and weight lists of a mesh, one row per vertex.
#[derive(Default)]
pub(crate) struct Influences {
    pub(crate) joints: Vec<[u16; 4]>,
    pub(crate) weights: Vec<[f32; 4]>,
    pub(crate) more_joints: Vec<[u16; 4]>,
    pub(crate) more_weights: Vec<[f32; 4]>,
}

impl Influences {
    pub(crate) fn push(&mut self, row: &Row) {
        let (joints, more_joints) = row.joints.split_at(4);
        let (weights, more_weights) = row.weights.split_at(4);
        let four = |list: &[u16]| [list[0], list[1], list[2], list[3]];
        let four_weights = |list: &[f32]| [list[0], list[1], list[2], list[3]];
        self.joints.push(four(joints));
        self.weights.push(four_weights(weights));
        self.more_joints.push(four(more_joints));
        self.more_weights.push(four_weights(more_weights));
    }

    /// Returns the lists without the second set if no vertex needs it.
    pub(crate) fn finish(mut self) -> Self {
        if self.more_weights.iter().all(|row| *row == [0.0; 4]) {
            self.more_joints = Vec::new();
            self.more_weights = Vec::new();
        }
        self
    }
}

/// The vertices of a mesh without a joint, and the number of those whose weights do not sum to one.
#[derive(Debug, Default)]
pub(crate) struct UnboundVertices {
    vertices: Vec<usize>,
    uneven: usize,
}

impl UnboundVertices {
    /// Records a vertex without weights, or whose weights do not sum to one.
    pub(crate) fn note(&mut self, vertex: usize, row: &Row) {
        if row.total <= 0.0 {
            self.vertices.push(vertex);
        } else if (row.total - 1.0).abs() > 0.01 {
            self.uneven += 1;
        }
    }

    /// Binds vertices without a joint to the nearest one.
    pub(crate) fn bind_to_nearest(self, mesh: &mut Mesh, skin: &ModelSkin) -> Rebound {
        let rebound = Rebound { scaled: self.uneven, moved: self.vertices.len() };
        if self.vertices.is_empty() {
            return rebound;
        }
        let places: Vec<Vec3> =
            skin.inverse_bind.iter().map(|matrix| matrix.inverse().w_axis.truncate()).collect();
        for vertex in self.vertices {
            let position = mesh.positions[vertex];
            let far = |place: &Vec3| place.distance_squared(position);
            let nearest = (0_u16..).zip(&places).min_by(|a, b| far(a.1).total_cmp(&far(b.1)));
            mesh.joints[vertex] = [nearest.map_or(0, |(joint, _)| joint), 0, 0, 0];
            mesh.weights[vertex] = [1.0, 0.0, 0.0, 0.0];
        }
        rebound
    }
}

/// Number of vertices of a mesh whose binding differs from the file. A mesh is split into one part
/// per material, but users know it by its name, so the parts are counted together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rebound {
    scaled: usize,
    moved: usize,
}

impl Rebound {
    pub(crate) const fn and(self, other: Self) -> Self {
        Self { scaled: self.scaled + other.scaled, moved: self.moved + other.moved }
    }

    /// Returns the number of vertices that have no weight in the file.
    pub(crate) const fn moved(self) -> usize {
        self.moved
    }

    pub(crate) fn tell(self, mesh: &str, warnings: &mut Vec<String>) {
        let Self { scaled, moved } = self;
        if scaled > 0 {
            warnings.push(format!(
                "{scaled} vertices of `{mesh}` had weights that do not add up to 1; the weights \
                 were normalized"
            ));
        }
        if moved > 0 {
            warnings.push(format!(
                "{moved} vertices of `{mesh}` are not bound to any joint; each follows the nearest \
                 joint"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_influences_are_added_and_the_weakest_dropped() {
        let row =
            normalise_weights((0..10).map(|at| ((at + 1) % 9, 0.1 + f32::from(at) * 0.01)), 0);
        assert_eq!(row.joints[..3], [1, 0, 8]);
        assert!((row.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(row.weights.windows(2).all(|pair| pair[0] >= pair[1]), "{row:?}");
    }

    #[test]
    fn vertices_without_weights_use_the_fallback_joint() {
        let row = normalise_weights([(3, 0.0), (4, f32::NAN), (5, -1.0)], 7);
        assert_eq!((row.joints[0], row.weights[0], row.total), (7, 1.0, 0.0));
    }

    #[test]
    fn unbound_vertices_follow_the_nearest_joint() {
        let skin = ModelSkin {
            joints: vec![0, 1],
            inverse_bind: [0.0, -1.0].map(|x| glam::Mat4::from_translation(Vec3::X * x)).to_vec(),
        };
        let mut mesh = Mesh {
            positions: vec![Vec3::ZERO, Vec3::X * 0.9],
            joints: vec![[0; 4]; 2],
            weights: vec![[1.0, 0.0, 0.0, 0.0]; 2],
            ..Mesh::default()
        };
        let mut unbound = UnboundVertices::default();
        unbound.note(1, &normalise_weights([], 0));
        let rebound = unbound.bind_to_nearest(&mut mesh, &skin);
        assert_eq!((mesh.joints[0][0], mesh.joints[1][0]), (0, 1));
        let mut warnings = Vec::new();
        rebound.and(rebound).tell("hair", &mut warnings);
        assert_eq!(
            warnings,
            ["2 vertices of `hair` are not bound to any joint; each follows the nearest joint"]
        );
    }

    #[test]
    fn second_weight_sets_exist_only_if_needed() {
        let mut few = Influences::default();
        few.push(&normalise_weights([(1, 0.5), (2, 0.5)], 0));
        assert!(few.finish().more_joints.is_empty());
        let mut many = Influences::default();
        many.push(&normalise_weights((0..5).map(|at| (at, 0.2)), 0));
        assert_eq!(many.finish().more_weights.len(), 1);
    }
}
