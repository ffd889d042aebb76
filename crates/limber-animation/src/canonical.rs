//! The canonical skeleton, on which every clip is made before it is retargeted to a character.

use std::sync::{Arc, LazyLock};

use glam::{Quat, Vec3};

use crate::{Finger, HumanBone, Joint, JointIndex, Phalanx, Side, Skeleton};

/// Number of joints in the canonical skeleton, fingers included.
pub const CANONICAL_JOINT_COUNT: usize = 52;

/// The canonical skeleton: 22 body joints and 30 finger joints of an adult 1.75 m tall, in T-pose,
/// facing +Z, palms down, soles at y = 0. All rest rotations are the identity; joints are named
/// after their VRM 1.0 bones. Segment lengths follow Winter, *Biomechanics and Motor Control of
/// Human Movement*, 4th ed. 2009, fig. 4.1, as shares of the height.
#[must_use]
pub fn canonical_skeleton() -> Arc<Skeleton> {
    static SKELETON: LazyLock<Arc<Skeleton>> = LazyLock::new(|| {
        Arc::new(Skeleton::new(joints()).expect("the canonical skeleton is well-formed"))
    });
    Arc::clone(&SKELETON)
}

/// Rest position relative to the parent, metres, for a bone on the centre line or on the left.
fn left_offset(bone: HumanBone) -> Vec3 {
    use HumanBone as B;
    let (x, y, z) = match bone {
        B::Hips => (0.0, 0.955, 0.0),
        B::Spine => (0.0, 0.100, -0.012),
        B::Chest => (0.0, 0.115, -0.006),
        B::UpperChest => (0.0, 0.125, 0.000),
        B::Neck => (0.0, 0.150, 0.006),
        B::Head => (0.0, 0.095, 0.018),
        B::LeftShoulder => (0.028, 0.105, 0.012),
        B::LeftUpperArm => (0.142, 0.000, -0.018),
        B::LeftLowerArm => (0.285, 0.0, 0.0),
        B::LeftHand => (0.255, 0.0, 0.0),
        B::LeftUpperLeg => (0.092, -0.035, 0.0),
        B::LeftLowerLeg => (0.0, -0.425, 0.0),
        B::LeftFoot => (0.0, -0.410, -0.012),
        B::LeftToes => (0.0, -0.065, 0.135),
        B::LeftThumbMetacarpal => (0.022, -0.012, 0.026),
        B::LeftThumbProximal => (0.033, -0.006, 0.033),
        B::LeftThumbDistal => (0.023, -0.002, 0.023),
        B::LeftIndexProximal => (0.092, 0.0, 0.027),
        B::LeftMiddleProximal => (0.095, 0.002, 0.004),
        B::LeftRingProximal => (0.090, 0.0, -0.017),
        B::LeftLittleProximal => (0.083, -0.004, -0.036),
        B::LeftIndexIntermediate => (0.043, 0.0, 0.0),
        B::LeftMiddleIntermediate => (0.047, 0.0, 0.0),
        B::LeftRingIntermediate => (0.043, 0.0, 0.0),
        B::LeftLittleIntermediate => (0.033, 0.0, 0.0),
        B::LeftIndexDistal => (0.026, 0.0, 0.0),
        B::LeftMiddleDistal => (0.029, 0.0, 0.0),
        B::LeftRingDistal => (0.027, 0.0, 0.0),
        B::LeftLittleDistal => (0.020, 0.0, 0.0),
        _ => unreachable!("right bones are mirrored; eyes and jaw are not canonical"),
    };
    Vec3::new(x, y, z)
}

fn offset(bone: HumanBone) -> Vec3 {
    match bone.side() {
        Some(Side::Right) => left_offset(bone.mirrored()) * Vec3::new(-1.0, 1.0, 1.0),
        _ => left_offset(bone),
    }
}

/// The 52 bones in the order of the canonical skeleton: body first, then fingers.
fn bones() -> impl Iterator<Item = HumanBone> {
    use HumanBone as B;
    let body = B::ALL
        .into_iter()
        .filter(|bone| *bone <= B::RightToes && !matches!(bone, B::LeftEye | B::RightEye | B::Jaw));
    let fingers = Side::BOTH.into_iter().flat_map(|side| {
        Finger::ALL.into_iter().flat_map(move |finger| {
            Phalanx::ALL.into_iter().map(move |phalanx| B::finger(side, finger, phalanx))
        })
    });
    body.chain(fingers)
}

fn joints() -> Vec<Joint> {
    let bones: Vec<_> = bones().collect();
    let place = |bone| bones.iter().position(|other| *other == bone).map(JointIndex::new);
    bones
        .iter()
        .map(|bone| Joint {
            name: bone.name().to_owned(),
            parent: bone.parent().and_then(place),
            rest_translation: offset(*bone),
            rest_rotation: Quat::IDENTITY,
            bone: Some(*bone),
            twist: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canonical_skeleton_has_52_joints_and_stands_on_the_floor() {
        let skeleton = canonical_skeleton();
        assert_eq!(skeleton.len(), CANONICAL_JOINT_COUNT);
        let world = skeleton.rest_world();
        let toes = skeleton.find(HumanBone::LeftToes).expect("the skeleton has toes");
        assert!((0.0..0.05).contains(&world.position(toes).y));
    }

    #[test]
    fn the_canonical_skeleton_is_symmetric() {
        let skeleton = canonical_skeleton();
        let world = skeleton.rest_world();
        for index in skeleton.indices() {
            let bone = skeleton.joint(index).bone.expect("all joints are bones");
            let partner = skeleton.find(bone.mirrored()).expect("both sides exist");
            let mirrored = world.position(partner) * Vec3::new(-1.0, 1.0, 1.0);
            assert!(world.position(index).abs_diff_eq(mirrored, 1e-6), "{bone:?}");
        }
    }
}
