//! Pushes body parts out of each other and out of the floor, smoothly over time.

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, JointIndex, Pose, Side, Skeleton, WorldPose};

use super::{
    capsules::{Figure, Intersection, Limb},
    limits::Limits,
};
use crate::{curve, feet::move_hips};

/// Shallower intersections are ignored as soft tissue deforming, metres.
const TOUCH_M: f32 = 0.004;
/// Number of rounds of finding corrections and smoothing them …
const ROUNDS: usize = 8;
/// … and of iterations for a single pose.
const TRIES: usize = 10;
/// Length of the smoothing window for corrections, seconds.
const SMOOTH_S: f32 = 0.06;
/// Maximum rotation of a joint in one iteration, radians.
const MOST_TURN_RAD: f32 = 0.3;

/// The joints that may be rotated: upper arm, lower arm and upper leg of both sides.
struct Movable<'a> {
    joints: [Option<JointIndex>; 6],
    limits: &'a Limits,
}

impl<'a> Movable<'a> {
    fn of(skeleton: &Skeleton, limits: &'a Limits) -> Self {
        let of = |side: Side| {
            let [_, upper, lower, _] = HumanBone::arm(side);
            let [leg, _, _, _] = HumanBone::leg(side);
            [upper, lower, leg].map(|bone| skeleton.find(bone))
        };
        let ([a, b, c], [d, e, f]) = (of(Side::Left), of(Side::Right));
        Self { joints: [a, b, c, d, e, f], limits }
    }

    /// Indices of the joints that move a part, nearest to the trunk first.
    fn chain(limb: Limb) -> &'static [usize] {
        match limb {
            Limb::UpperArm(Side::Left) => &[0],
            Limb::LowerArm(Side::Left) | Limb::Hand(Side::Left) => &[0, 1],
            Limb::UpperArm(Side::Right) => &[3],
            Limb::LowerArm(Side::Right) | Limb::Hand(Side::Right) => &[3, 4],
            Limb::Thigh(Side::Left) | Limb::Shin(Side::Left) | Limb::Foot(Side::Left) => &[2],
            Limb::Thigh(Side::Right) | Limb::Shin(Side::Right) | Limb::Foot(Side::Right) => &[5],
            Limb::Trunk | Limb::Head => &[],
        }
    }
}

/// The correction of one frame: rotations in the parents' spaces, and how far the hips are raised.
#[derive(Debug, Clone, Copy, Default)]
struct Correction {
    turns: [Vec3; 6],
    rise_m: f32,
}

impl Correction {
    fn is_none(&self) -> bool {
        self.rise_m < 1e-6 && self.turns.iter().all(|turn| turn.length_squared() < 1e-12)
    }

    fn apply(&self, skeleton: &Skeleton, movable: &Movable<'_>, pose: &Pose) -> Pose {
        let mut moved = pose.clone();
        if self.rise_m > 0.0 {
            move_hips(skeleton, &mut moved, Vec3::Y * self.rise_m);
        }
        for (joint, turn) in movable.joints.iter().zip(self.turns) {
            if let Some(joint) = joint {
                let turned = Quat::from_scaled_axis(turn) * pose.rotation(*joint);
                moved.set_rotation(*joint, turned.normalize());
                // what exceeds the limits of a joint is left to its parent
                movable.limits.keep_joint(&mut moved, *joint);
            }
        }
        moved
    }
}

/// The clip with its parts separated. Poses that are not near a fault stay as they are, bit for
/// bit.
pub(super) fn push_apart(clip: &Clip, figure: &Figure, limits: &Limits) -> Clip {
    let skeleton = clip.skeleton();
    let movable = Movable::of(skeleton, limits);
    let mut corrections = vec![Correction::default(); clip.len()];
    let sigma = SMOOTH_S * clip.fps().per_second();
    for round in 0..ROUNDS {
        let mut any = false;
        for (pose, correction) in clip.frames().iter().zip(&mut corrections) {
            // a pose without a fault in the first round that was not moved since has none now
            if round > 0 && correction.is_none() {
                continue;
            }
            any |= free(skeleton, &movable, figure, pose, correction);
        }
        if !any {
            break;
        }
        corrections = smoothed(&corrections, sigma);
    }
    let mut apart = clip.clone();
    for (pose, correction) in apart.frames_mut().iter_mut().zip(&corrections) {
        if !correction.is_none() {
            *pose = correction.apply(skeleton, &movable, pose);
        }
    }
    apart
}

/// Extends the correction of one pose until nothing intersects. Returns whether anything did.
fn free(
    skeleton: &Skeleton,
    movable: &Movable<'_>,
    figure: &Figure,
    pose: &Pose,
    correction: &mut Correction,
) -> bool {
    for trial in 0..TRIES {
        let moved = if correction.is_none() {
            pose.clone()
        } else {
            correction.apply(skeleton, movable, pose)
        };
        let world = skeleton.world(&moved);
        let mut any = rise(figure, &world, correction);
        for side in Side::BOTH {
            if let Some((limb, point, depth)) = figure.arm_below_floor(&world, side)
                && depth > TOUCH_M
            {
                push(skeleton, movable, &world, limb, point, Vec3::Y * depth, correction);
                any = true;
            }
        }
        for intersection in figure.intersections(&world, TOUCH_M) {
            separate(skeleton, movable, &world, &intersection, correction);
            any = true;
        }
        if !any {
            return trial > 0;
        }
    }
    true
}

/// Raises the whole body to get trunk, head and legs out of the floor.
fn rise(figure: &Figure, world: &WorldPose, correction: &mut Correction) -> bool {
    let of_body = |limb: Limb| limb.arm().is_none() && !matches!(limb, Limb::Foot(_));
    let depth_m = figure.floor_depth(world, of_body);
    if depth_m > TOUCH_M {
        correction.rise_m += depth_m;
    }
    depth_m > TOUCH_M
}

/// Moves the part that can be moved, or each of both by half.
fn separate(
    skeleton: &Skeleton,
    movable: &Movable<'_>,
    world: &WorldPose,
    intersection: &Intersection,
    correction: &mut Correction,
) {
    let [one, other] = intersection.limbs;
    // arms give way to everything, legs only to legs
    let both = one.arm().is_some() == other.arm().is_some() && other.leg() != one.leg()
        || one.arm().is_some() && other.arm().is_some();
    let share = if both { 0.5 } else { 1.0 };
    let way = intersection.out * intersection.depth_m * share;
    push(skeleton, movable, world, one, intersection.points[0], way, correction);
    if both {
        push(skeleton, movable, world, other, intersection.points[1], -way, correction);
    }
}

/// Rotates the joints above a point so that it moves by this vector.
fn push(
    skeleton: &Skeleton,
    movable: &Movable<'_>,
    world: &WorldPose,
    limb: Limb,
    point: Vec3,
    way: Vec3,
    correction: &mut Correction,
) {
    let chain = Movable::chain(limb);
    for place in chain {
        let Some(joint) = movable.joints[*place] else { continue };
        let arm = point - world.position(joint);
        let length = arm.length_squared();
        if length < 1e-4 {
            continue;
        }
        let turn = arm.cross(way) / length / chain.len() as f32;
        let turn = turn.clamp_length_max(MOST_TURN_RAD);
        let parent = skeleton.joint(joint).parent;
        let above = parent.map_or(Quat::IDENTITY, |parent| world.rotation(parent));
        let total = &mut correction.turns[*place];
        let added = Quat::from_scaled_axis(above.inverse() * turn) * Quat::from_scaled_axis(*total);
        *total = (if added.w < 0.0 { -added } else { added }).to_scaled_axis();
    }
}

fn smoothed(corrections: &[Correction], sigma: f32) -> Vec<Correction> {
    (0..corrections.len())
        .map(|frame| {
            let mut mean = Correction::default();
            for (place, weight) in curve::window(frame, corrections.len(), sigma) {
                mean.rise_m += corrections[place].rise_m * weight;
                for (sum, turn) in mean.turns.iter_mut().zip(corrections[place].turns) {
                    *sum += turn * weight;
                }
            }
            mean
        })
        .collect()
}
