//! Where the mesh meets the floor.

use glam::{Mat4, Vec3};
use limber_animation::{Character, HumanBone, JointIndex, Side, Skeleton, WorldPose};

/// How far below the lowest vertex of a foot another still belongs to the sole, metres.
const SOLE_THICKNESS_M: f32 = 0.02;

/// The height of each sole over the floor at rest, metres: below zero the mesh stands in the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoleOffset {
    /// The character's own left.
    pub left_m: f32,
    /// The character's own right.
    pub right_m: f32,
}

/// The lowest vertex of each foot in rest pose. `None` when no vertex belongs to a foot.
#[must_use]
pub fn sole_offset(character: &Character) -> Option<SoleOffset> {
    let soles = Soles::of(character)?;
    let world = character.skeleton.rest_world();
    let height = |side| soles.lowest(&world, side);
    Some(SoleOffset { left_m: height(Side::Left), right_m: height(Side::Right) })
}

/// A vertex of a sole: where the joints that move it have it.
#[derive(Debug, Clone)]
struct SolePoint {
    /// Joint, weight, place in the joint's space.
    influences: Vec<(JointIndex, f32, Vec3)>,
}

impl SolePoint {
    fn at(&self, world: &WorldPose) -> Vec3 {
        self.influences
            .iter()
            .map(|(joint, weight, local)| world.transform(*joint, *local) * *weight)
            .sum()
    }
}

/// The vertices that a character stands on.
#[derive(Debug, Clone)]
pub struct Soles {
    sides: [Vec<SolePoint>; 2],
}

impl Soles {
    /// Collects the lowest vertices weighted at least half to foot and toes. `None` when a foot has
    /// none.
    #[must_use]
    pub fn of(character: &Character) -> Option<Self> {
        let world = character.skeleton.rest_world();
        let sides = Side::BOTH.map(|side| sole_points(character, &world, side));
        sides.iter().all(|points| !points.is_empty()).then_some(Self { sides })
    }

    fn points(&self, side: Side) -> &[SolePoint] {
        match side {
            Side::Left => &self.sides[0],
            Side::Right => &self.sides[1],
        }
    }

    /// Where all points of one sole are in a pose.
    pub(crate) fn places(&self, world: &WorldPose, side: Side) -> Vec<Vec3> {
        self.points(side).iter().map(|point| point.at(world)).collect()
    }

    /// How high the lowest point of one sole is in a pose, metres.
    #[must_use]
    pub fn lowest(&self, world: &WorldPose, side: Side) -> f32 {
        self.points(side).iter().map(|point| point.at(world).y).fold(f32::MAX, f32::min)
    }
}

/// The foot with everything below it.
fn foot_joints(skeleton: &Skeleton, side: Side) -> Vec<bool> {
    let [_, _, foot, _] = HumanBone::leg(side);
    let foot = skeleton.find(foot);
    let mut belongs = vec![false; skeleton.len()];
    for joint in skeleton.indices() {
        let parent = skeleton.joint(joint).parent;
        belongs[joint.get()] =
            Some(joint) == foot || parent.is_some_and(|parent| belongs[parent.get()]);
    }
    belongs
}

fn sole_points(character: &Character, world: &WorldPose, side: Side) -> Vec<SolePoint> {
    let belongs = foot_joints(&character.skeleton, side);
    let mut points: Vec<(f32, SolePoint)> = Vec::new();
    for mesh in &character.meshes {
        let Some(skin) = mesh.skin.and_then(|place| character.skins.get(place)) else { continue };
        for (vertex, position) in mesh.positions.iter().enumerate() {
            let influences = mesh.influences(vertex);
            let share: f32 = influences
                .clone()
                .filter(|(place, _)| belongs[skin.joints[usize::from(*place)].get()])
                .map(|(_, weight)| weight)
                .sum();
            if share < 0.5 {
                continue;
            }
            let influences = influences
                .map(|(place, weight)| {
                    let bind: Mat4 = skin.inverse_bind[usize::from(place)];
                    (skin.joints[usize::from(place)], weight, bind.transform_point3(*position))
                })
                .collect();
            let point = SolePoint { influences };
            points.push((point.at(world).y, point));
        }
    }
    let lowest = points.iter().map(|(height, _)| *height).fold(f32::MAX, f32::min);
    points.retain(|(height, _)| *height <= lowest + SOLE_THICKNESS_M);
    points.into_iter().map(|(_, point)| point).collect()
}
