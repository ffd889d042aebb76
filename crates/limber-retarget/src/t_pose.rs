//! Computes a common T-pose for every skeleton.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};
use limber_animation::{
    Finger, HumanBone, JointIndex, Phalanx, Pose, Side, Skeleton, WorldPose,
    ik::{set_world_rotation, standing},
    maths::{atan2, sin},
};

/// A joint bent less than this at rest does not reveal its hinge axis, in radians.
const CLEAR_BEND: f32 = 0.052;
/// Maximum roll of a leg, in radians. Knees that would need more are turned on purpose.
const MOST_LEG_ROLL: f32 = 0.8;

/// Returns the T-pose that all skeletons share: legs straight down with knees that bend forwards,
/// feet pointing forwards at their own pitch; arms, hands and fingers level and to the sides, with
/// elbows that bend forwards and palms facing down. Shoulders, spine, neck, head and thumbs keep
/// their rest rotation, which is part of the anatomy.
#[must_use]
pub fn t_pose(skeleton: &Skeleton) -> Pose {
    let rest = skeleton.rest_world();
    let mut pose = skeleton.rest_pose();
    for side in Side::BOTH {
        straighten_leg(skeleton, &mut pose, &rest, side);
        level_arm(skeleton, &mut pose, &rest, side);
        level_fingers(skeleton, &mut pose, side);
    }
    pose
}

/// Rotates a joint and its descendants so that the point `child` lies in `direction` from it.
fn aim(skeleton: &Skeleton, pose: &mut Pose, joint: JointIndex, child: Vec3, direction: Vec3) {
    let world = skeleton.world(pose);
    let Some(now) = (child - world.position(joint)).try_normalize() else { return };
    let turn = Quat::from_rotation_arc(now, direction);
    set_world_rotation(skeleton, pose, joint, turn * world.rotation(joint));
}

/// Aims a bone at the next one, if the skeleton has both.
fn aim_bone(
    skeleton: &Skeleton,
    pose: &mut Pose,
    (bone, next): (HumanBone, HumanBone),
    direction: Vec3,
) {
    if let Some((joint, child)) = skeleton.find(bone).zip(skeleton.find(next)) {
        let child = skeleton.world(pose).position(child);
        aim(skeleton, pose, joint, child, direction);
    }
}

fn straighten_leg(skeleton: &Skeleton, pose: &mut Pose, rest: &WorldPose, side: Side) {
    let [upper, lower, foot, toes] = HumanBone::leg(side);
    aim_bone(skeleton, pose, (upper, lower), Vec3::NEG_Y);
    aim_bone(skeleton, pose, (lower, foot), Vec3::NEG_Y);
    let hinge = hinge_roll(skeleton, pose, rest, [upper, lower, foot], Vec3::X);
    let Some(foot) = skeleton.find(foot) else { return };
    let toes = skeleton.find(toes);
    if let Some(thigh) = skeleton.find(upper) {
        roll_thigh(skeleton, pose, thigh, hinge.or_else(|| foot_roll(skeleton, pose, foot, toes)));
    }
    let forward = toes.map(|toes| rest.position(toes) - rest.position(foot));
    let yaw = forward
        .map(|forward| Vec3::new(forward.x, 0.0, forward.z))
        .and_then(Vec3::try_normalize)
        .map_or(Quat::IDENTITY, |forward| Quat::from_rotation_arc(forward, Vec3::Z));
    set_world_rotation(skeleton, pose, foot, yaw * rest.rotation(foot));
}

fn roll_thigh(skeleton: &Skeleton, pose: &mut Pose, thigh: JointIndex, roll: Option<f32>) {
    if let Some(roll) = roll.filter(|roll| roll.abs() <= MOST_LEG_ROLL) {
        turn_about(skeleton, pose, thigh, Vec3::NEG_Y, roll);
    }
}

/// Returns how far a straight leg must roll about its length for the foot to point forwards, in
/// radians.
fn foot_roll(
    skeleton: &Skeleton,
    pose: &Pose,
    foot: JointIndex,
    toes: Option<JointIndex>,
) -> Option<f32> {
    let world = skeleton.world(pose);
    let forward = world.position(toes?) - world.position(foot);
    angle_about(forward, Vec3::Z, Vec3::NEG_Y)
}

/// Returns how far a straightened limb must roll about its length for its hinge axis at rest to lie
/// along `axis`, in radians. The nearer of the two directions is taken, so that a knee that is bent
/// backwards at rest still bends forwards. `None` if the limb is straight at rest.
fn hinge_roll(
    skeleton: &Skeleton,
    pose: &Pose,
    rest: &WorldPose,
    limb: [HumanBone; 3],
    axis: Vec3,
) -> Option<f32> {
    let [upper, lower, end] = limb.map(|bone| skeleton.find(bone));
    let (upper, lower, end) = (upper?, lower?, end?);
    let first = (rest.position(lower) - rest.position(upper)).try_normalize()?;
    let second = (rest.position(end) - rest.position(lower)).try_normalize()?;
    let hinge = first.cross(second);
    if hinge.length() < sin(CLEAR_BEND) {
        return None;
    }
    let world = skeleton.world(pose);
    let along = (world.position(lower) - world.position(upper)).try_normalize()?;
    let now = world.rotation(upper) * (rest.rotation(upper).inverse() * hinge);
    let roll = angle_about(now, axis, along)?;
    Some(if roll > FRAC_PI_2 {
        roll - PI
    } else if roll < -FRAC_PI_2 {
        roll + PI
    } else {
        roll
    })
}

/// Returns the signed angle from one direction to another about an axis, in radians.
fn angle_about(from: Vec3, to: Vec3, axis: Vec3) -> Option<f32> {
    let from = from.reject_from_normalized(axis).try_normalize()?;
    let to = to.reject_from_normalized(axis).try_normalize()?;
    Some(atan2(from.cross(to).dot(axis), from.dot(to)))
}

fn turn_about(skeleton: &Skeleton, pose: &mut Pose, joint: JointIndex, axis: Vec3, angle: f32) {
    let (_, turn) = standing(skeleton, pose, joint);
    set_world_rotation(skeleton, pose, joint, Quat::from_axis_angle(axis, angle) * turn);
}

fn level_arm(skeleton: &Skeleton, pose: &mut Pose, rest: &WorldPose, side: Side) {
    let [_, upper, lower, hand] = HumanBone::arm(side);
    let outwards = Vec3::X * side.sign();
    aim_bone(skeleton, pose, (upper, lower), outwards);
    aim_bone(skeleton, pose, (lower, hand), outwards);
    let knuckles = knuckles(skeleton, side);
    if let Some(arm) = skeleton.find(upper) {
        let hinge = hinge_roll(skeleton, pose, rest, [upper, lower, hand], Vec3::Y);
        if let Some(roll) = hinge.or_else(|| palm_roll(skeleton, pose, &knuckles, outwards)) {
            turn_about(skeleton, pose, arm, outwards, roll);
        }
    }
    let Some(hand) = skeleton.find(hand) else { return };
    let world = skeleton.world(pose);
    match middle(skeleton, side).map(|joint| world.position(joint)) {
        Some(knuckle) => aim(skeleton, pose, hand, knuckle, outwards),
        None if !knuckles.is_empty() => {
            let sum: Vec3 = knuckles.iter().map(|joint| world.position(*joint)).sum();
            aim(skeleton, pose, hand, sum / knuckles.len() as f32, outwards);
        }
        None => {}
    }
    if let Some(roll) = palm_roll(skeleton, pose, &knuckles, outwards) {
        turn_about(skeleton, pose, hand, outwards, roll);
    }
}

fn proximal(skeleton: &Skeleton, side: Side, finger: Finger) -> Option<JointIndex> {
    skeleton.find(HumanBone::finger(side, finger, Phalanx::First))
}

fn middle(skeleton: &Skeleton, side: Side) -> Option<JointIndex> {
    proximal(skeleton, side, Finger::Middle)
}

/// Returns the knuckles from index to little finger that the skeleton has.
fn knuckles(skeleton: &Skeleton, side: Side) -> Vec<JointIndex> {
    Finger::ALL[1..].iter().filter_map(|finger| proximal(skeleton, side, *finger)).collect()
}

/// Returns how far the palm must roll about the arm for the row of knuckles from index to little
/// finger to run straight backwards, in radians. Needs at least two knuckles.
fn palm_roll(
    skeleton: &Skeleton,
    pose: &Pose,
    knuckles: &[JointIndex],
    outwards: Vec3,
) -> Option<f32> {
    let [first, .., last] = knuckles else { return None };
    let world = skeleton.world(pose);
    angle_about(world.position(*last) - world.position(*first), Vec3::NEG_Z, outwards)
}

fn level_fingers(skeleton: &Skeleton, pose: &mut Pose, side: Side) {
    let outwards = Vec3::X * side.sign();
    for finger in &Finger::ALL[1..] {
        for (phalanx, next) in
            [(Phalanx::First, Phalanx::Second), (Phalanx::Second, Phalanx::Third)]
        {
            let bone = HumanBone::finger(side, *finger, phalanx);
            let next = HumanBone::finger(side, *finger, next);
            aim_bone(skeleton, pose, (bone, next), outwards);
        }
    }
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;

    use super::*;

    #[test]
    fn the_canonical_rest_pose_is_close_to_the_t_pose() {
        let skeleton = canonical_skeleton();
        let (rest, aligned) = (skeleton.rest_world(), skeleton.world(&t_pose(&skeleton)));
        for joint in skeleton.indices() {
            let distance = rest.position(joint).distance(aligned.position(joint));
            assert!(distance < 0.03, "{}: {distance} m", skeleton.joint(joint).name);
        }
    }

    #[test]
    fn lowered_arms_are_raised() {
        let skeleton = canonical_skeleton();
        let mut joints = skeleton.joints().to_vec();
        let arm = skeleton.find(HumanBone::LeftUpperArm).expect("the skeleton has arms");
        joints[arm.get()].rest_rotation = Quat::from_euler(glam::EulerRot::ZYX, -0.8, 0.1, 0.0);
        let lowered = Skeleton::new(joints).expect("the joints form a valid skeleton");
        let world = lowered.world(&t_pose(&lowered));
        let at = |bone| world.position(lowered.find(bone).expect("the skeleton has arms"));
        let direction = (at(HumanBone::LeftHand) - at(HumanBone::LeftUpperArm)).normalize();
        assert!(direction.angle_between(Vec3::X) < 1e-3, "{direction}");
    }
}
