//! Foot geometry of a skeleton, and the height of foot joints above the sole.

use glam::{Quat, Vec3};
use limber_animation::{
    Character, Clip, ContactTrack, HumanBone, JointIndex, LEAST_STEP_M, Pose, Side, Skeleton,
    SkinPatch, WorldPose, footholds, ik,
};

/// Distance from hip joint to ankle on the canonical skeleton, metres; thresholds are scaled with
/// the leg.
const CANONICAL_LEG_M: f32 = 0.835;

/// Distance from the ankle back to where an adult's heel meets the floor, metres.
const HEEL_BACK_M: f32 = 0.045;

/// Heights of ankle and ball joint above the sole when the foot is flat, metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Soles {
    /// Ankle height: left, right.
    pub ankle_m: [f32; 2],
    /// Ball height: left, right; of the joint `toes`, or of a point in front of the ankle if there
    /// is none.
    pub ball_m: [f32; 2],
    /// Distance from the ankle back to where the heel meets the floor, metres: left, right.
    pub heel_back_m: [f32; 2],
}

impl Soles {
    /// Derived from the rest pose, whose floor is y = 0. If the rest pose floats or is centred at
    /// the hips, the floor is placed below its lowest joint.
    #[must_use]
    pub fn of_skeleton(skeleton: &Skeleton) -> Self {
        let rest = skeleton.rest_pose();
        let lowest = skeleton
            .indices()
            .map(|joint| ik::standing(skeleton, &rest, joint).0.y)
            .fold(f32::INFINITY, f32::min);
        // joints lie inside the body: the ball of a foot is about a fiftieth of the leg's length
        // above the sole
        let inside = 0.02 * leg_scale(skeleton);
        let floor = if (0.0..3.0 * inside).contains(&lowest) { 0.0 } else { lowest - inside };
        Self::above(skeleton, [floor; 2])
    }

    /// Derived from the lowest vertex that moves with each foot.
    #[must_use]
    pub fn of_character(character: &Character) -> Self {
        let skeleton = &character.skeleton;
        let of_skeleton = Self::of_skeleton(skeleton);
        let rest = skeleton.rest_pose();
        let feet = Side::BOTH.map(|side| {
            SkinPatch::new(character, &character.foot_vertices(side)).positions(skeleton, &rest)
        });
        let floors = feet
            .each_ref()
            .map(|foot| foot.iter().map(|position| position.y).fold(f32::INFINITY, f32::min));
        if !floors.iter().all(|floor| floor.is_finite()) {
            return of_skeleton;
        }
        let mut soles = Self::above(skeleton, floors);
        for foot in Foot::all(skeleton) {
            let place = side_place(foot.side);
            let ankle = foot.ankle(skeleton, &rest).0;
            let near_floor = floors[place] + 0.02 * leg_scale(skeleton);
            let back = feet[place]
                .iter()
                .filter(|position| position.y < near_floor)
                .map(|position| ankle.z - position.z)
                .fold(0.0, f32::max);
            // a heel is round: it rolls over a point slightly in front of its back end
            soles.heel_back_m[place] = 0.8 * back;
        }
        soles
    }

    fn above(skeleton: &Skeleton, floors: [f32; 2]) -> Self {
        let rest = skeleton.rest_pose();
        let heel_back = HEEL_BACK_M * leg_scale(skeleton);
        let mut soles = Self { ankle_m: [0.08; 2], ball_m: [0.02; 2], heel_back_m: [heel_back; 2] };
        for foot in Foot::all(skeleton) {
            let place = side_place(foot.side);
            soles.ankle_m[place] = foot.ankle(skeleton, &rest).0.y - floors[place];
            soles.ball_m[place] = foot.ball(skeleton, &rest).y - floors[place];
        }
        soles
    }
}

/// World position of one vertex of a character, by linear blend skinning.
pub(crate) fn skinned(
    character: &Character,
    mesh: usize,
    vertex: usize,
    world: &WorldPose,
) -> Vec3 {
    let mesh = &character.meshes[mesh];
    let Some(skin) = mesh.skin.and_then(|place| character.skins.get(place)) else {
        return mesh.positions[vertex];
    };
    let mut sum = Vec3::ZERO;
    for (joint, weight) in mesh.influences(vertex) {
        let place = usize::from(joint);
        let bound = skin.inverse_bind[place].transform_point3(mesh.positions[vertex]);
        sum += world.transform(skin.joints[place], bound) * weight;
    }
    sum
}

pub(crate) const fn side_place(side: Side) -> usize {
    match side {
        Side::Left => 0,
        Side::Right => 1,
    }
}

/// The joints of one leg, and the geometry of its foot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    pub(crate) side: Side,
    pub(crate) leg: [JointIndex; 3],
    toes: Option<JointIndex>,
    /// Position of the ball of the foot in the ankle's space.
    pub(crate) ball_offset: Vec3,
    /// World rotation of the foot in the rest pose.
    pub(crate) rest_rotation: Quat,
    /// World rotation of the toes in the rest pose.
    pub(crate) toes_rest_rotation: Quat,
}

impl Foot {
    /// The feet that the skeleton has.
    pub(crate) fn all(skeleton: &Skeleton) -> Vec<Self> {
        Side::BOTH.into_iter().filter_map(|side| Self::find(skeleton, side)).collect()
    }

    fn find(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let [upper, lower, ankle, toes] = HumanBone::leg(side);
        let leg = [skeleton.find(upper)?, skeleton.find(lower)?, skeleton.find(ankle)?];
        let toes = skeleton.find(toes);
        let rest = skeleton.rest_pose();
        let (at, rest_rotation) = ik::standing(skeleton, &rest, leg[2]);
        let ball = match toes {
            Some(toes) => ik::standing(skeleton, &rest, toes).0,
            None => at + ball_without_toes(at.y, leg_scale(skeleton)),
        };
        let toes_rest_rotation =
            toes.map_or(rest_rotation, |toes| ik::standing(skeleton, &rest, toes).1);
        Some(Self {
            side,
            leg,
            toes,
            ball_offset: rest_rotation.inverse() * (ball - at),
            rest_rotation,
            toes_rest_rotation,
        })
    }

    /// Position and rotation of the ankle, world space.
    pub(crate) fn ankle(&self, skeleton: &Skeleton, pose: &Pose) -> (Vec3, Quat) {
        ik::standing(skeleton, pose, self.leg[2])
    }

    /// Position of the ball of the foot, world space.
    pub(crate) fn ball(&self, skeleton: &Skeleton, pose: &Pose) -> Vec3 {
        let (at, rotation) = self.ankle(skeleton, pose);
        at + rotation * self.ball_offset
    }

    /// Position where the heel meets the floor, in the ankle's space.
    pub(crate) fn heel_offset(&self, soles: &Soles) -> Vec3 {
        let place = side_place(self.side);
        let below = Vec3::new(0.0, -soles.ankle_m[place], -soles.heel_back_m[place]);
        self.rest_rotation.inverse() * below
    }

    pub(crate) const fn toes(&self) -> Option<JointIndex> {
        self.toes
    }
}

/// Ball of a foot without a toe joint: in front of the ankle and near the floor, as on the
/// canonical skeleton, but not below the floor if the ankle itself is low.
fn ball_without_toes(ankle_m: f32, scale: f32) -> Vec3 {
    let above_floor = if ankle_m > 0.0 { ankle_m - 0.015 * scale } else { f32::INFINITY };
    Vec3::new(0.0, -(0.065 * scale).min(above_floor.max(0.0)), 0.135 * scale)
}

/// Leg length relative to the canonical skeleton.
pub(crate) fn leg_scale(skeleton: &Skeleton) -> f32 {
    let rest = skeleton.rest_pose();
    let joints = HumanBone::leg(Side::Left).map(|bone| skeleton.find(bone));
    let [Some(upper), Some(lower), Some(ankle), _] = joints else { return 1.0 };
    let at = |joint| ik::standing(skeleton, &rest, joint).0;
    let length = at(upper).distance(at(lower)) + at(lower).distance(at(ankle));
    (length / CANONICAL_LEG_M).clamp(0.01, 100.0)
}

/// Translates the hips by a vector in world space.
pub(crate) fn move_hips(skeleton: &Skeleton, pose: &mut Pose, by: Vec3) {
    let parent = skeleton
        .joint(skeleton.hips())
        .parent
        .map_or(Quat::IDENTITY, |parent| ik::standing(skeleton, pose, parent).1);
    pose.hips_translation += parent.inverse() * by;
}

/// Height of the floor below each foot, left and right, frame by frame; zero except on stairs.
pub(crate) fn levels(clip: &Clip, contacts: &ContactTrack, soles: &Soles) -> [Vec<f32>; 2] {
    let mut heights = [vec![f32::INFINITY; clip.len()], vec![f32::INFINITY; clip.len()]];
    for foot in Foot::all(clip.skeleton()) {
        let path = FootPath::of(clip, &foot, soles);
        let place = side_place(foot.side);
        for (frame, height) in heights[place].iter_mut().enumerate() {
            *height = path.heel[frame].y.min(path.ball[frame].y - soles.ball_m[place]);
        }
    }
    let [left, right] = &heights;
    footholds([left, right], contacts, LEAST_STEP_M * leg_scale(clip.skeleton()))
}

/// World positions of ankle, heel and ball in every frame.
pub(crate) struct FootPath {
    /// The contact point of the heel.
    pub(crate) heel: Vec<Vec3>,
    pub(crate) ankle: Vec<Vec3>,
    pub(crate) rotation: Vec<Quat>,
    pub(crate) ball: Vec<Vec3>,
}

impl FootPath {
    pub(crate) fn of(clip: &Clip, foot: &Foot, soles: &Soles) -> Self {
        let heel_offset = foot.heel_offset(soles);
        let mut path = Self {
            heel: Vec::with_capacity(clip.len()),
            ankle: Vec::with_capacity(clip.len()),
            rotation: Vec::with_capacity(clip.len()),
            ball: Vec::with_capacity(clip.len()),
        };
        for pose in clip.frames() {
            let (at, rotation) = foot.ankle(clip.skeleton(), pose);
            path.heel.push(at + rotation * heel_offset);
            path.ankle.push(at);
            path.rotation.push(rotation);
            path.ball.push(at + rotation * foot.ball_offset);
        }
        path
    }
}
