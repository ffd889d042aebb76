//! Joint limits.

use std::sync::Arc;

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, HumanBone, JointIndex, Pose, Side, Skeleton,
    maths::{atan2, exp},
};

/// How far a soft limit can be exceeded, as a share of it.
const GIVE: f32 = 0.05;

/// The range of motion of one joint on the left side or the centre line, degrees about the world's
/// axes in T-pose. Swings are limited by an ellipse: a joint that is fully bent in one direction
/// cannot bend in another as well. The axis along the bone is its twist.
struct Range {
    bone: HumanBone,
    along: Vec3,
    x: [f32; 2],
    y: [f32; 2],
    z: [f32; 2],
}

/// Active ranges of motion of healthy adults after C. Norkin & J. White, *Measurement of Joint
/// Motion*, 5th ed. 2016 (hip, knee, ankle, elbow, wrist). The shoulder's range is relative to the
/// T-pose and shared with the clavicle; the trunk's 80° forward, 30° back, 35° to the side and 45°
/// of twist are spread over three joints. All are widened by about a fifth, because dancers and
/// fighters go further, and a limit should only catch what nobody can do.
fn ranges() -> Vec<Range> {
    use HumanBone as B;
    let trunk = |bone| range(bone, Vec3::Y, [-30.0, 50.0], [-35.0, 35.0], [-35.0, 35.0]);
    vec![
        trunk(B::Spine),
        trunk(B::Chest),
        trunk(B::UpperChest),
        range(B::Neck, Vec3::Y, [-50.0, 55.0], [-65.0, 65.0], [-45.0, 45.0]),
        range(B::Head, Vec3::Y, [-50.0, 55.0], [-65.0, 65.0], [-45.0, 45.0]),
        range(B::LeftShoulder, Vec3::X, [-45.0, 45.0], [-45.0, 45.0], [-30.0, 60.0]),
        range(B::LeftUpperArm, Vec3::X, [-120.0, 120.0], [-155.0, 110.0], [-125.0, 125.0]),
        range(B::LeftLowerArm, Vec3::X, [-125.0, 125.0], [-165.0, 15.0], [-40.0, 40.0]),
        range(B::LeftHand, Vec3::X, [-100.0, 100.0], [-60.0, 60.0], [-100.0, 100.0]),
        range(B::LeftUpperLeg, Vec3::Y, [-150.0, 55.0], [-75.0, 75.0], [-55.0, 85.0]),
        range(B::LeftLowerLeg, Vec3::Y, [-12.0, 168.0], [-50.0, 50.0], [-30.0, 30.0]),
        range(B::LeftFoot, Vec3::Y, [-50.0, 85.0], [-50.0, 50.0], [-50.0, 50.0]),
        range(B::LeftToes, Vec3::Y, [-90.0, 60.0], [-30.0, 30.0], [-30.0, 30.0]),
    ]
}

const fn range(bone: HumanBone, along: Vec3, x: [f32; 2], y: [f32; 2], z: [f32; 2]) -> Range {
    Range { bone, along, x, y, z }
}

/// The range of one joint on a skeleton, radians.
struct Joint {
    index: JointIndex,
    along: Vec3,
    least: Vec3,
    most: Vec3,
}

/// The ranges of all joints that have one.
pub(crate) struct Limits {
    joints: Vec<Joint>,
}

impl Limits {
    /// For a skeleton whose joint axes are aligned with the world at rest; other skeletons get no
    /// limits.
    pub(crate) fn of(skeleton: &Arc<Skeleton>) -> Self {
        let rest = skeleton.rest_world();
        let mut joints = Vec::new();
        for range in ranges() {
            for side in Side::BOTH {
                let mirrored = side == Side::Right;
                if mirrored && range.bone.side().is_none() {
                    continue;
                }
                let bone = if mirrored { range.bone.mirrored() } else { range.bone };
                let Some(index) = skeleton.find(bone) else { continue };
                let parent = skeleton.joint(index).parent;
                let turned =
                    |joint: JointIndex| rest.rotation(joint).angle_between(Quat::IDENTITY) > 1e-3;
                if turned(index) || parent.is_some_and(turned) {
                    continue;
                }
                joints.push(joint(&range, index, mirrored));
            }
        }
        Self { joints }
    }

    /// The clip with every joint within its range; joints within it are not changed.
    pub(super) fn keep(&self, clip: &Clip) -> Clip {
        let mut kept = clip.clone();
        for pose in kept.frames_mut() {
            for joint in &self.joints {
                joint.keep(pose);
            }
        }
        kept
    }

    /// Brings one joint of a pose within its range; all others stay as they are.
    pub(crate) fn keep_joint(&self, pose: &mut Pose, index: JointIndex) {
        for joint in self.joints.iter().filter(|joint| joint.index == index) {
            joint.keep(pose);
        }
    }

    /// How far the worst joint of a pose is beyond its range and soft margin, radians.
    pub(super) fn beyond(&self, pose: &Pose) -> f32 {
        self.joints
            .iter()
            .map(|joint| {
                let (share, swing, twist) = joint.shares(pose.rotation(joint.index));
                let over = |share: f32| (1.0 - (1.0 + GIVE) / share.max(1.0 + GIVE)).max(0.0);
                (swing.length() * over(share)).max(twist.0.abs() * over(twist.1))
            })
            .fold(0.0, f32::max)
    }
}

fn joint(range: &Range, index: JointIndex, mirrored: bool) -> Joint {
    let of = |end: usize| Vec3::new(range.x[end], range.y[end], range.z[end]).map(f32::to_radians);
    let (least, most) = (of(0), of(1));
    if !mirrored {
        return Joint { index, along: range.along, least, most };
    }
    // mirroring at x = 0 changes the sign of rotations about y and z
    Joint {
        index,
        along: range.along,
        least: Vec3::new(least.x, -most.y, -most.z),
        most: Vec3::new(most.x, -least.y, -least.z),
    }
}

impl Joint {
    /// Brings the joint within its range; unchanged if it is already.
    fn keep(&self, pose: &mut Pose) {
        let (share, swing, twist) = self.shares(pose.rotation(self.index));
        if share <= 1.0 && twist.1 <= 1.0 {
            return;
        }
        let swing = Quat::from_scaled_axis(swing * (soft(share) / share.max(1e-6)));
        let twist = self.along * (twist.0 * soft(twist.1) / twist.1.max(1e-6));
        pose.set_rotation(self.index, (swing * Quat::from_scaled_axis(twist)).normalize());
    }

    /// The share of its range that a rotation uses: the share of the swing, the swing as a rotation
    /// vector, and the twist with its share.
    fn shares(&self, turn: Quat) -> (f32, Vec3, (f32, f32)) {
        let about = Vec3::new(turn.x, turn.y, turn.z).dot(self.along);
        let twist_rad = wrapped(2.0 * atan2(about, turn.w));
        let twist = Quat::from_axis_angle(self.along, twist_rad);
        let swing = turn * twist.inverse();
        let swing = (if swing.w < 0.0 { -swing } else { swing }).to_scaled_axis();
        let share = |value: f32, axis: usize| {
            let limit = if value < 0.0 { self.least[axis] } else { self.most[axis] };
            value / limit
        };
        let mut squares = 0.0;
        for axis in 0..3 {
            if self.along[axis] == 0.0 {
                squares += share(swing[axis], axis).powi(2);
            }
        }
        let along = if self.along.x == 0.0 { 1 } else { 0 };
        (squares.sqrt(), swing, (twist_rad, share(twist_rad, along)))
    }
}

/// A soft limit: exceeds 1 by at most [`GIVE`] and levels off.
fn soft(share: f32) -> f32 {
    if share <= 1.0 { share } else { 1.0 + GIVE * (1.0 - exp(-(share - 1.0) / GIVE)) }
}

fn wrapped(angle_rad: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (angle_rad + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn joint_limits_are_soft_but_bounded() {
        assert_eq!(soft(0.9), 0.9);
        assert!((soft(1.001) - 1.001).abs() < 1e-4);
        assert!(soft(10.0) <= 1.0 + GIVE);
    }

    #[test]
    fn knees_and_elbows_bend_one_way_on_both_sides() {
        let skeleton = canonical_skeleton();
        let limits = Limits::of(&skeleton);
        let beyond = |bone, turn| {
            let mut pose = skeleton.rest_pose();
            pose.set_rotation(skeleton.find(bone).expect("a canonical bone"), turn);
            limits.beyond(&pose).to_degrees()
        };
        for (bone, axis) in [
            (HumanBone::LeftLowerLeg, Vec3::X),
            (HumanBone::RightLowerLeg, Vec3::X),
            (HumanBone::LeftLowerArm, Vec3::NEG_Y),
            (HumanBone::RightLowerArm, Vec3::Y),
        ] {
            assert_eq!(beyond(bone, Quat::from_axis_angle(axis, 2.3)), 0.0, "{bone:?}");
            assert!(beyond(bone, Quat::from_axis_angle(axis, -0.6)) > 10.0, "{bone:?}");
        }
    }

    proptest! {
        #[test]
        fn results_are_within_limits_and_valid_poses_unchanged(
            turns in prop::collection::vec((-3.0f32..3.0, -3.0f32..3.0, -3.0f32..3.0), 22),
        ) {
            let skeleton = canonical_skeleton();
            let mut pose = skeleton.rest_pose();
            for (place, (x, y, z)) in turns.into_iter().enumerate() {
                pose.rotations[place] = Quat::from_scaled_axis(Vec3::new(x, y, z));
            }
            let clip = Clip::new(Arc::clone(&skeleton), limber_animation::Fps::DEFAULT, vec![pose])
                .expect("the clip is well-formed");
            let limits = Limits::of(&skeleton);
            let kept = limits.keep(&clip);
            prop_assert!(limits.beyond(&kept.frames()[0]) < 0.02);
            for joint in &limits.joints {
                let before = clip.frames()[0].rotation(joint.index);
                let (share, _, twist) = joint.shares(before);
                if share <= 1.0 && twist.1 <= 1.0 {
                    prop_assert_eq!(before, kept.frames()[0].rotation(joint.index));
                }
            }
        }
    }
}
