//! The same T-pose for every skeleton.

use glam::{Quat, Vec3};
use limber_animation::{
    Finger, HumanBone, JointIndex, Phalanx, Pose, Side, Skeleton, WorldPose, ik::set_world_rotation,
};

/// The pose in which the skeleton stands as all do: legs straight down, feet forward with their own
/// pitch, arms, hands and fingers level to the sides with the palms down. Shoulders, spine, neck,
/// head and thumbs stay as they rest: how they are built is anatomy.
#[must_use]
pub fn t_pose(skeleton: &Skeleton) -> Pose {
    let rest = skeleton.rest_world();
    let mut pose = skeleton.rest_pose();
    for side in Side::BOTH {
        straighten_leg(skeleton, &mut pose, &rest, side);
        level_arm(skeleton, &mut pose, side);
        level_fingers(skeleton, &mut pose, side);
    }
    pose
}

/// Turns a joint, with everything below it, so that `child` lies in `direction` from it.
fn aim(skeleton: &Skeleton, pose: &mut Pose, joint: JointIndex, child: Vec3, direction: Vec3) {
    let world = skeleton.world(pose);
    let Some(now) = (child - world.position(joint)).try_normalize() else { return };
    let turn = Quat::from_rotation_arc(now, direction);
    set_world_rotation(skeleton, pose, joint, turn * world.rotation(joint));
}

/// Aims a bone at its next bone, where both are there.
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
    let Some(foot) = skeleton.find(foot) else { return };
    let toes = skeleton.find(toes);
    let forward = toes.map(|toes| rest.position(toes) - rest.position(foot));
    let yaw = forward
        .map(|forward| Vec3::new(forward.x, 0.0, forward.z))
        .and_then(Vec3::try_normalize)
        .map_or(Quat::IDENTITY, |forward| Quat::from_rotation_arc(forward, Vec3::Z));
    set_world_rotation(skeleton, pose, foot, yaw * rest.rotation(foot));
}

fn level_arm(skeleton: &Skeleton, pose: &mut Pose, side: Side) {
    let [_, upper, lower, hand] = HumanBone::arm(side);
    let outwards = Vec3::X * side.sign();
    aim_bone(skeleton, pose, (upper, lower), outwards);
    aim_bone(skeleton, pose, (lower, hand), outwards);
    let Some(hand) = skeleton.find(hand) else { return };
    let knuckles = knuckles(skeleton, side);
    let world = skeleton.world(pose);
    match middle(skeleton, side).map(|joint| world.position(joint)) {
        Some(knuckle) => aim(skeleton, pose, hand, knuckle, outwards),
        None if !knuckles.is_empty() => {
            let sum: Vec3 = knuckles.iter().map(|joint| world.position(*joint)).sum();
            aim(skeleton, pose, hand, sum / knuckles.len() as f32, outwards);
        }
        None => {}
    }
    roll_palm_down(skeleton, pose, hand, &knuckles, side);
}

fn proximal(skeleton: &Skeleton, side: Side, finger: Finger) -> Option<JointIndex> {
    skeleton.find(HumanBone::finger(side, finger, Phalanx::First))
}

fn middle(skeleton: &Skeleton, side: Side) -> Option<JointIndex> {
    proximal(skeleton, side, Finger::Middle)
}

/// The knuckles from index to little finger, as far as the skeleton has them.
fn knuckles(skeleton: &Skeleton, side: Side) -> Vec<JointIndex> {
    Finger::ALL[1..].iter().filter_map(|finger| proximal(skeleton, side, *finger)).collect()
}

/// With two knuckles the palm is known: the row from index to little finger shall run straight
/// backwards.
fn roll_palm_down(
    skeleton: &Skeleton,
    pose: &mut Pose,
    hand: JointIndex,
    knuckles: &[JointIndex],
    side: Side,
) {
    let [first, .., last] = knuckles else { return };
    let world = skeleton.world(pose);
    let outwards = Vec3::X * side.sign();
    let row = (world.position(*last) - world.position(*first)).reject_from_normalized(outwards);
    let Some(row) = row.try_normalize() else { return };
    let angle = row.cross(Vec3::NEG_Z).dot(outwards).atan2(row.dot(Vec3::NEG_Z));
    let roll = Quat::from_axis_angle(outwards, angle);
    set_world_rotation(skeleton, pose, hand, roll * world.rotation(hand));
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
    fn the_canonical_skeleton_almost_stands_in_it() {
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
        let arm = skeleton.find(HumanBone::LeftUpperArm).expect("it has arms");
        joints[arm.get()].rest_rotation = Quat::from_euler(glam::EulerRot::ZYX, -0.8, 0.1, 0.0);
        let lowered = Skeleton::new(joints).expect("it is a skeleton");
        let world = lowered.world(&t_pose(&lowered));
        let at = |bone| world.position(lowered.find(bone).expect("it has arms"));
        let direction = (at(HumanBone::LeftHand) - at(HumanBone::LeftUpperArm)).normalize();
        assert!(direction.angle_between(Vec3::X) < 1e-3, "{direction}");
    }
}
