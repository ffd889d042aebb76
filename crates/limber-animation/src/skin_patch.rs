//! Tracks some skin vertices through a clip without posing the rest of the body.

use glam::{Mat3A, Quat, Vec3, Vec3A};

use crate::{Character, HumanBone, JointIndex, Pose, Side, Skeleton};

/// A selection of a character's vertices and the joints that influence them. It does linear blend
/// skinning for the few vertices, such as those of the soles, whose positions are needed in every
/// frame.
#[derive(Debug, Clone)]
pub struct SkinPatch {
    /// The influencing joints and their ancestors, parents first, with the parent's index in this
    /// list.
    joints: Vec<(JointIndex, Option<usize>)>,
    /// Influences of all vertices, one vertex after the other.
    influences: Vec<Influence>,
    /// End of each vertex's influences in `influences`.
    ends: Vec<usize>,
}

/// Contribution of one joint to a vertex's position.
#[derive(Debug, Clone, Copy)]
struct Influence {
    /// Index into the patch's joints.
    joint: usize,
    weight: f32,
    /// Position in the joint's space, multiplied by the weight.
    local: Vec3A,
}

impl SkinPatch {
    /// Selects these vertices, given as (mesh, vertex). Those of meshes without a skin are left
    /// out.
    ///
    /// # Panics
    /// If the character has no such mesh or vertex.
    #[must_use]
    pub fn new(character: &Character, vertices: &[(usize, usize)]) -> Self {
        let skinned = || {
            vertices.iter().filter_map(|(mesh, vertex)| {
                let mesh = &character.meshes[*mesh];
                let skin = character.skins.get(mesh.skin?)?;
                Some((mesh, skin, *vertex))
            })
        };
        let moving = skinned().flat_map(|(mesh, skin, vertex)| {
            mesh.influences(vertex).map(|(place, _)| skin.joints[usize::from(place)])
        });
        let (joints, place_of) = with_all_above(&character.skeleton, moving);
        let mut patch = Self { joints, influences: Vec::new(), ends: Vec::new() };
        for (mesh, skin, vertex) in skinned() {
            for (place, weight) in mesh.influences(vertex) {
                let place = usize::from(place);
                let local = skin.inverse_bind[place].transform_point3(mesh.positions[vertex]);
                let joint = place_of[skin.joints[place].get()];
                patch.influences.push(Influence { joint, weight, local: (local * weight).into() });
            }
            patch.ends.push(patch.influences.len());
        }
        patch
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Positions of the vertices in a pose: world space, metres, in the order in which they were
    /// given.
    ///
    /// # Panics
    /// If the pose belongs to a different skeleton from the character's.
    #[must_use]
    pub fn positions(&self, skeleton: &Skeleton, pose: &Pose) -> Vec<Vec3> {
        let joints: Vec<(Vec3A, Mat3A)> = self
            .world(skeleton, pose)
            .into_iter()
            .map(|(at, turn)| (at.into(), Mat3A::from_quat(turn)))
            .collect();
        self.sums(Vec3A::ZERO, |influence| {
            let (at, turn) = joints[influence.joint];
            turn * influence.local + at * influence.weight
        })
        .map(Vec3::from)
        .collect()
    }

    /// Height of the lowest vertex in a pose, metres; infinity if there are no vertices.
    ///
    /// # Panics
    /// If the pose belongs to a different skeleton from the character's.
    #[must_use]
    pub fn lowest(&self, skeleton: &Skeleton, pose: &Pose) -> f32 {
        // a height needs only one row of each rotation
        let joints: Vec<(f32, Vec3A)> = self
            .world(skeleton, pose)
            .into_iter()
            .map(|(at, turn)| (at.y, (turn.inverse() * Vec3::Y).into()))
            .collect();
        self.sums(0.0, |influence| {
            let (height, up) = joints[influence.joint];
            up.dot(influence.local) + height * influence.weight
        })
        .fold(f32::INFINITY, f32::min)
    }

    /// Sums the influences of each vertex.
    fn sums<'a, T: std::ops::Add<Output = T> + Copy + 'a>(
        &'a self,
        zero: T,
        of: impl Fn(&Influence) -> T + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let influences = &self.influences[start..*end];
            start = *end;
            influences.iter().fold(zero, |sum, influence| sum + of(influence))
        })
    }

    fn world(&self, skeleton: &Skeleton, pose: &Pose) -> Vec<(Vec3, Quat)> {
        let mut world = Vec::with_capacity(self.joints.len());
        for (joint, parent) in &self.joints {
            let above = parent.map(|parent: usize| world[parent]);
            world.push(skeleton.hang(*joint, pose, above));
        }
        world
    }
}

/// The joints and their ancestors in the skeleton's order, each with the index of its parent in
/// this list; and the index in this list of each joint of the skeleton.
fn with_all_above(
    skeleton: &Skeleton,
    joints: impl Iterator<Item = JointIndex>,
) -> (Vec<(JointIndex, Option<usize>)>, Vec<usize>) {
    let mut needed = vec![false; skeleton.len()];
    for joint in joints {
        let mut next = Some(joint);
        while let Some(joint) = next.filter(|joint| !needed[joint.get()]) {
            needed[joint.get()] = true;
            next = skeleton.joint(joint).parent;
        }
    }
    let mut place_of = vec![usize::MAX; skeleton.len()];
    let mut found = Vec::new();
    for joint in skeleton.indices().filter(|joint| needed[joint.get()]) {
        place_of[joint.get()] = found.len();
        found.push((joint, skeleton.joint(joint).parent.map(|parent| place_of[parent.get()])));
    }
    (found, place_of)
}

impl Character {
    /// All vertices of which at least half the weight belongs to a foot or its descendants, as
    /// (mesh, vertex).
    #[must_use]
    pub fn foot_vertices(&self, side: Side) -> Vec<(usize, usize)> {
        let [_, _, foot, _] = HumanBone::leg(side);
        let Some(foot) = self.skeleton.find(foot) else { return Vec::new() };
        let below = self.skeleton.below(foot);
        let mut found = Vec::new();
        for (place, mesh) in self.meshes.iter().enumerate() {
            let Some(skin) = mesh.skin.and_then(|skin| self.skins.get(skin)) else { continue };
            let belongs: Vec<bool> = skin.joints.iter().map(|joint| below[joint.get()]).collect();
            let share = |vertex: &usize| -> f32 {
                mesh.influences(*vertex)
                    .filter(|(joint, _)| belongs[usize::from(*joint)])
                    .map(|(_, weight)| weight)
                    .sum()
            };
            let vertices = (0..mesh.positions.len()).filter(|vertex| share(vertex) >= 0.5);
            found.extend(vertices.map(|vertex| (place, vertex)));
        }
        found
    }
}

/// Pitch angles of a weight-bearing foot, degrees, positive for toes down: in a walk they range
/// from −27° at heel strike to 59° at toe-off. Between two of these angles, a point 0.25 m away
/// gets at most about a millimetre lower.
const TILTS_DEG: [f32; 10] = [-30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0];

/// Which points of a foot can carry the body, judged by their rest positions: those no higher than
/// `highest_m`, and those that come lower than all of these while the foot pitches during a step,
/// such as the ends of a robot's feet. None if no point is that low.
#[must_use]
pub fn bearing_points(rest: &[Vec3], highest_m: f32) -> Vec<bool> {
    let flat: Vec<Vec3> = rest.iter().copied().filter(|place| place.y <= highest_m).collect();
    let mut bearing: Vec<bool> = rest.iter().map(|place| place.y <= highest_m).collect();
    if flat.is_empty() {
        return bearing;
    }
    for tilt_deg in TILTS_DEG {
        // instead of pitching the foot, pitch the floor the other way
        let up = Quat::from_rotation_x(-tilt_deg.to_radians()) * Vec3::Y;
        let lowest = flat.iter().map(|place| up.dot(*place)).fold(f32::INFINITY, f32::min);
        for (bears, place) in bearing.iter_mut().zip(rest) {
            *bears |= up.dot(*place) < lowest;
        }
    }
    bearing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mesh, Skin, canonical_skeleton};

    /// A character with some vertices around every joint, each bound to its joint and the parent.
    fn spotted() -> Character {
        let skeleton = canonical_skeleton();
        let world = skeleton.rest_world();
        let mut mesh = Mesh { skin: Some(0), ..Mesh::default() };
        for joint in skeleton.indices() {
            let above = skeleton.joint(joint).parent.unwrap_or(joint);
            for way in [Vec3::X, Vec3::NEG_Y, Vec3::Z] {
                mesh.positions.push(world.position(joint) + way * 0.03);
                mesh.joints.push([joint.get() as u16, above.get() as u16, 0, 0]);
                mesh.weights.push([0.75, 0.25, 0.0, 0.0]);
            }
        }
        let joints = skeleton.indices().collect();
        let skin = Skin { joints, inverse_bind: skeleton.inverse_rest_matrices() };
        Character {
            name: "spotted".to_owned(),
            skeleton,
            skins: vec![skin],
            meshes: vec![mesh],
            materials: vec![],
            images: vec![],
            avatar: Vec::new(),
        }
    }

    #[test]
    fn weight_bearing_points_include_those_that_get_lower_in_a_step() {
        let at = |y: f32, z: f32| Vec3::new(0.1, y, z);
        let shoe = [at(0.0, -0.05), at(0.0, 0.15), at(0.05, -0.05), at(0.05, 0.16)];
        assert_eq!(bearing_points(&shoe, 0.02), [true, true, false, false]);
        // lower than the front of the sole from 45° on, and lower than its back from 21° on
        let ends = [at(0.1, 0.25), at(0.05, -0.18), at(0.1, 0.1)];
        let robot = [&shoe[..], &ends[..]].concat();
        let bearing = bearing_points(&robot, 0.02);
        assert_eq!(bearing, [true, true, false, false, true, true, false]);
        assert_eq!(bearing_points(&robot, -0.01), [false; 7]);
    }

    proptest::proptest! {
        #[test]
        fn patches_match_the_skinning_of_the_whole_body(
            turns in proptest::collection::vec(proptest::array::uniform3(-1.0_f32..1.0), 60),
            hips in proptest::array::uniform3(-2.0_f32..2.0),
        ) {
            let character = spotted();
            let mut pose = character.skeleton.rest_pose();
            pose.hips_translation = Vec3::from_array(hips);
            for (rotation, turn) in pose.rotations.iter_mut().zip(turns) {
                *rotation = Quat::from_scaled_axis(Vec3::from_array(turn)) * *rotation;
            }
            let world = character.skeleton.world(&pose);
            let whole = character.skinned_positions(&character.meshes[0], &world);
            let foot = character.foot_vertices(Side::Left);
            let patch = SkinPatch::new(&character, &foot);
            let places = patch.positions(&character.skeleton, &pose);
            proptest::prop_assert!(foot.len() >= 6 && places.len() == foot.len());
            for ((_, vertex), place) in foot.iter().zip(&places) {
                proptest::prop_assert!(place.distance(whole[*vertex]) < 1e-4);
            }
            let lowest = places.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
            let found = patch.lowest(&character.skeleton, &pose);
            proptest::prop_assert!((found - lowest).abs() < 1e-4);
        }
    }
}
