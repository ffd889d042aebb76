//! A body made of capsules along the bones, for collision tests.

use glam::{Quat, Vec3};
use limber_animation::{Character, HumanBone, JointIndex, Side, Skeleton, WorldPose, ik};
use parry3d::{
    math::{Pose as Placed, Vector},
    query::ClosestPoints,
    query::details::closest_points_segment_segment,
    shape::Segment,
};

use crate::feet::{leg_scale, skinned};

/// The radius of a part is this quantile of the distances of its skin vertices from its axis.
const MOST: f32 = 0.7;
/// Parts with fewer skin vertices do not determine their own girth.
const LEAST_VERTICES: usize = 8;
/// Bounds of the girth measured on a character, relative to the canonical adult.
const GIRTHS: std::ops::RangeInclusive<f32> = 0.5..=1.6;

/// The body part that a capsule belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limb {
    Trunk,
    Head,
    UpperArm(Side),
    LowerArm(Side),
    Hand(Side),
    Thigh(Side),
    Shin(Side),
    Foot(Side),
}

impl Limb {
    pub(super) const fn arm(self) -> Option<Side> {
        match self {
            Self::UpperArm(side) | Self::LowerArm(side) | Self::Hand(side) => Some(side),
            _ => None,
        }
    }

    pub(super) const fn leg(self) -> Option<Side> {
        match self {
            Self::Thigh(side) | Self::Shin(side) | Self::Foot(side) => Some(side),
            _ => None,
        }
    }

    /// Whether two parts can collide and are not adjacent.
    fn meets(self, other: Self) -> bool {
        use Limb as L;
        match (self, other) {
            (L::UpperArm(_), L::Trunk) | (L::UpperArm(_), L::Head) => false,
            (L::LowerArm(_) | L::Hand(_), L::Trunk | L::Head) => true,
            (L::LowerArm(_) | L::Hand(_), L::Thigh(_) | L::Shin(_)) => true,
            (L::Thigh(a), L::Thigh(b)) | (L::Shin(a), L::Shin(b) | L::Foot(b)) => a != b,
            (L::Foot(a), L::Shin(b) | L::Foot(b)) => a != b,
            (a, b) => match (a.arm(), b.arm()) {
                (Some(a), Some(b)) => a != b,
                _ => false,
            },
        }
    }
}

/// A capsule of the canonical adult; its ends are in the bone's space, metres.
#[derive(Debug, Clone, Copy)]
struct Part {
    limb: Limb,
    bone: HumanBone,
    ends: [Vec3; 2],
    radius_m: f32,
}

/// The girth of a body, part by part, relative to the canonical adult.
#[derive(Debug, Clone, PartialEq)]
pub struct Build {
    girths: Vec<f32>,
}

/// Why a body's girth cannot be measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// No part has any skin.
    #[error("no skin moves with the bones, so the body's girth cannot be measured")]
    NoSkin,
}

impl Build {
    /// The build of the canonical adult.
    #[must_use]
    pub fn canonical() -> Self {
        Self { girths: vec![1.0; parts().len()] }
    }

    /// Measures the build on a character's skin in the rest pose, as the distance of the skin from
    /// each part's axis relative to the character's size. Parts with little or no skin, such as the
    /// joints of a robot, get an adult's girth.
    ///
    /// # Errors
    /// [`BuildError::NoSkin`] if no part has any skin.
    pub fn of_character(character: &Character) -> Result<Self, BuildError> {
        let parts = parts();
        let distances = distances(character, &parts);
        if distances.iter().all(Vec::is_empty) {
            return Err(BuildError::NoSkin);
        }
        let scale = leg_scale(&character.skeleton);
        let mut girths = Vec::with_capacity(parts.len());
        for (part, mut found) in parts.iter().zip(distances) {
            girths.push(if found.len() < LEAST_VERTICES {
                1.0
            } else {
                found.sort_by(f32::total_cmp);
                let girth_m = found[(MOST * (found.len() - 1) as f32) as usize] / scale;
                (girth_m / part.radius_m).clamp(*GIRTHS.start(), *GIRTHS.end())
            });
        }
        Ok(Self { girths })
    }
}

/// The distances of each part's skin vertices from its axis, metres.
fn distances(character: &Character, parts: &[Part]) -> Vec<Vec<f32>> {
    let skeleton = &character.skeleton;
    let world = skeleton.rest_world();
    let scale = leg_scale(skeleton);
    let owner: Vec<Option<usize>> = skeleton
        .joints()
        .iter()
        .map(|joint| parts.iter().position(|part| Some(part.bone) == joint.bone))
        .collect();
    let mut found = vec![Vec::new(); parts.len()];
    for (place, mesh) in character.meshes.iter().enumerate() {
        let Some(skin) = mesh.skin.and_then(|skin| character.skins.get(skin)) else { continue };
        for vertex in 0..mesh.positions.len() {
            let heaviest = mesh.influences(vertex).max_by(|a, b| a.1.total_cmp(&b.1));
            let joint = heaviest.and_then(|(joint, _)| skin.joints.get(usize::from(joint)));
            let Some((joint, part)) =
                joint.and_then(|joint| owner[joint.get()].map(|part| (*joint, part)))
            else {
                continue;
            };
            let ends = line(skeleton, &world, joint, parts[part], scale);
            let at = skinned(character, place, vertex, &world);
            found[part].push(from_line(at, ends));
        }
    }
    found
}

/// The axis of a part on a character: to the next bone if there is one, otherwise as on the adult.
fn line(
    skeleton: &Skeleton,
    world: &WorldPose,
    joint: JointIndex,
    part: Part,
    scale: f32,
) -> [Vec3; 2] {
    let at = world.position(joint);
    let next = next_bone(skeleton, joint);
    match (part.limb, next) {
        (Limb::Trunk | Limb::Head | Limb::Hand(_), _) | (_, None) => {
            part.ends.map(|end| at + end * scale)
        }
        (_, Some(next)) => [at, world.position(next)],
    }
}

/// The bone that a bone leads to.
fn next_bone(skeleton: &Skeleton, joint: JointIndex) -> Option<JointIndex> {
    skeleton
        .indices()
        .filter(|other| skeleton.joint(*other).parent == Some(joint))
        .find(|other| skeleton.joint(*other).bone.is_some())
}

fn from_line(point: Vec3, [a, b]: [Vec3; 2]) -> f32 {
    let along = b - a;
    let way = ((point - a).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    point.distance(a + along * way)
}

/// The capsules of the canonical adult. Lengths are the skeleton's; radii are half-widths of the
/// stock mannequin's skin. Wide parts of the body are several capsules.
fn parts() -> Vec<Part> {
    let mut all = vec![
        part(Limb::Trunk, HumanBone::Hips, [-0.045, 0.0, -0.01], [0.045, 0.0, -0.01], 0.090),
        part(Limb::Trunk, HumanBone::Spine, [-0.035, 0.05, 0.01], [0.035, 0.05, 0.01], 0.080),
        part(Limb::Trunk, HumanBone::Chest, [-0.050, 0.06, 0.0], [0.050, 0.06, 0.0], 0.095),
        part(Limb::Trunk, HumanBone::UpperChest, [-0.055, 0.05, 0.0], [0.055, 0.05, 0.0], 0.090),
        part(Limb::Head, HumanBone::Head, [0.0, 0.04, 0.01], [0.0, 0.12, 0.01], 0.078),
    ];
    for side in Side::BOTH {
        let out = side.sign();
        let [_, upper, lower, hand] = HumanBone::arm(side);
        let [thigh, shin, foot, _] = HumanBone::leg(side);
        all.extend([
            part(
                Limb::UpperArm(side),
                upper,
                [0.08 * out, 0.0, 0.0],
                [0.285 * out, 0.0, 0.0],
                0.044,
            ),
            part(
                Limb::LowerArm(side),
                lower,
                [0.02 * out, 0.0, 0.0],
                [0.255 * out, 0.0, 0.0],
                0.036,
            ),
            part(Limb::Hand(side), hand, [0.03 * out, 0.0, 0.0], [0.13 * out, 0.0, 0.0], 0.024),
            part(Limb::Thigh(side), thigh, [0.0, -0.12, 0.0], [0.0, -0.425, 0.0], 0.068),
            part(Limb::Shin(side), shin, [0.0, -0.02, 0.0], [0.0, -0.38, -0.01], 0.045),
            part(Limb::Foot(side), foot, [0.0, -0.03, -0.02], [0.0, -0.05, 0.16], 0.035),
        ]);
    }
    all
}

fn part(limb: Limb, bone: HumanBone, a: [f32; 3], b: [f32; 3], radius_m: f32) -> Part {
    Part { limb, bone, ends: [Vec3::from(a), Vec3::from(b)], radius_m }
}

/// The rotation from the direction of a limb on the canonical adult at rest to that on this
/// skeleton: arms of an A-pose point downwards.
fn along(skeleton: &Skeleton, world: &WorldPose, joint: JointIndex, part: &Part) -> Quat {
    let canonical = part.ends[1];
    let limb = !matches!(part.limb, Limb::Trunk | Limb::Head | Limb::Hand(_) | Limb::Foot(_));
    let next = next_bone(skeleton, joint).filter(|_| limb);
    let Some(next) = next else { return Quat::IDENTITY };
    let is = world.position(next) - world.position(joint);
    let (Some(from), Some(to)) = (canonical.try_normalize(), is.try_normalize()) else {
        return Quat::IDENTITY;
    };
    // keep the canonical skeleton's own capsules bit for bit
    if from.angle_between(to) < 0.05 {
        return Quat::IDENTITY;
    }
    Quat::from_rotation_arc(from, to)
}

/// A capsule attached to a joint.
struct Capsule {
    limb: Limb,
    joint: JointIndex,
    ends: [Vec3; 2],
    radius_m: f32,
}

/// The capsules of one body on one skeleton, and the pairs that can collide.
pub(super) struct Figure {
    capsules: Vec<Capsule>,
    pairs: Vec<(usize, usize)>,
}

/// An intersection of two parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Intersection {
    pub(super) limbs: [Limb; 2],
    /// The nearest points on each part's axis, world space.
    pub(super) points: [Vec3; 2],
    /// The unit direction in which the first part has to move.
    pub(super) out: Vec3,
    pub(super) depth_m: f32,
}

impl Figure {
    pub(super) fn new(skeleton: &Skeleton, build: &Build) -> Self {
        let scale = leg_scale(skeleton);
        let rest = skeleton.rest_pose();
        let world = skeleton.rest_world();
        let capsules: Vec<Capsule> = parts()
            .iter()
            .zip(&build.girths)
            .filter_map(|(part, girth)| {
                let joint = skeleton.find(part.bone)?;
                let back = ik::standing(skeleton, &rest, joint).1.inverse();
                let along = along(skeleton, &world, joint, part);
                let ends = part.ends.map(|end| back * (along * end) * scale);
                let radius_m = part.radius_m * girth * scale;
                Some(Capsule { limb: part.limb, joint, ends, radius_m })
            })
            .collect();
        let pairs = (0..capsules.len())
            .flat_map(|a| (0..capsules.len()).map(move |b| (a, b)))
            .filter(|(a, b)| {
                let (one, other) = (capsules[*a].limb, capsules[*b].limb);
                // test each pair once
                one.meets(other) && (a < b || !other.meets(one))
            })
            .collect();
        Self { capsules, pairs }
    }

    fn placed(&self, world: &WorldPose) -> Vec<[Vec3; 2]> {
        self.capsules
            .iter()
            .map(|capsule| capsule.ends.map(|end| world.transform(capsule.joint, end)))
            .collect()
    }

    /// Every pair that intersects by more than `least_m`, metres.
    pub(super) fn intersections(&self, world: &WorldPose, least_m: f32) -> Vec<Intersection> {
        let placed = self.placed(world);
        self.pairs
            .iter()
            .filter_map(|(a, b)| {
                let (one, other) = (&self.capsules[*a], &self.capsules[*b]);
                let reach = one.radius_m + other.radius_m - least_m;
                let points = nearest(placed[*a], placed[*b], reach)?;
                let apart = points[0] - points[1];
                let depth_m = one.radius_m + other.radius_m - apart.length();
                // axes that cross give no direction: push out to the front
                let out = apart.try_normalize().unwrap_or(Vec3::Z);
                let limbs = [one.limb, other.limb];
                (depth_m > least_m).then_some(Intersection { limbs, points, out, depth_m })
            })
            .collect()
    }

    /// The depth of the deepest intersection, metres.
    pub(super) fn deepest(&self, world: &WorldPose) -> f32 {
        let depths =
            self.intersections(world, 0.0).into_iter().map(|intersection| intersection.depth_m);
        depths.fold(0.0, f32::max)
    }

    /// Depth of the lowest part except the feet below the floor, metres.
    pub(super) fn below_floor(&self, world: &WorldPose) -> f32 {
        self.floor_depth(world, |limb| !matches!(limb, Limb::Foot(_)))
    }

    /// Like [`Self::below_floor`], for the chosen parts.
    pub(super) fn floor_depth(&self, world: &WorldPose, chosen: impl Fn(Limb) -> bool) -> f32 {
        let placed = self.placed(world);
        let depth = |place: usize| {
            let lowest = placed[place][0].y.min(placed[place][1].y);
            self.capsules[place].radius_m - lowest
        };
        (0..placed.len())
            .filter(|place| chosen(self.capsules[*place].limb))
            .map(depth)
            .fold(0.0, f32::max)
    }

    /// The lowest point of an arm that is below the floor, and its depth.
    pub(super) fn arm_below_floor(
        &self,
        world: &WorldPose,
        side: Side,
    ) -> Option<(Limb, Vec3, f32)> {
        let placed = self.placed(world);
        (0..placed.len())
            .filter(|place| self.capsules[*place].limb.arm() == Some(side))
            .map(|place| {
                let [a, b] = placed[place];
                let lowest = if a.y < b.y { a } else { b };
                let capsule = &self.capsules[place];
                (capsule.limb, lowest, capsule.radius_m - lowest.y)
            })
            .filter(|(_, _, depth)| *depth > 0.0)
            .max_by(|a, b| a.2.total_cmp(&b.2))
    }
}

/// The nearest points of two line segments, if they are closer than `reach`.
fn nearest(a: [Vec3; 2], b: [Vec3; 2], reach: f32) -> Option<[Vec3; 2]> {
    // most pairs are far apart, and comparing their midpoints is a cheap test
    let far = (a[0].distance(a[1]) + b[0].distance(b[1])) / 2.0 + reach;
    if (a[0] + a[1]).distance_squared(b[0] + b[1]) > 4.0 * far * far {
        return None;
    }
    // parry uses its own version of glam
    let vector = |at: Vec3| Vector::new(at.x, at.y, at.z);
    let (a, b) = (a.map(vector), b.map(vector));
    let (one, other) = (Segment::new(a[0], a[1]), Segment::new(b[0], b[1]));
    match closest_points_segment_segment(&Placed::IDENTITY, &one, &other, reach.max(0.0)) {
        ClosestPoints::WithinMargin(x, y) => {
            Some([Vec3::new(x.x, x.y, x.z), Vec3::new(y.x, y.y, y.z)])
        }
        _ => None,
    }
}
