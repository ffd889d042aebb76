//! Joints without a human bone take part of the twist along limbs and of the bend along spine and
//! neck.

use std::sync::Arc;

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, Fps, HumanBone, Joint, JointIndex, Pose, Skeleton, Twist, WorldPose, canonical_skeleton,
};
use limber_retarget::{retarget, spread_twists, t_pose};

/// Where a joint is added to the canonical body.
enum Added {
    /// Half-way along the bone, as a sibling of the bone's children.
    Beside(HumanBone),
    /// Half-way along the bone, as the parent of the next bone.
    Inline(HumanBone, HumanBone),
}

/// Returns the canonical body with one more joint, named `added`.
fn with(added: &Added, twist: Option<Twist>) -> Arc<Skeleton> {
    let canonical = canonical_skeleton();
    let mut joints: Vec<Joint> = canonical.joints().to_vec();
    let find = |bone| canonical.find(bone).expect("the canonical skeleton has this bone").get();
    let (parent, child) = match added {
        Added::Beside(bone) => {
            let below = HumanBone::ALL.into_iter().find(|other| other.parent() == Some(*bone));
            (find(*bone), find(below.expect("the bone has a child bone")))
        }
        Added::Inline(bone, next) => (find(*bone), find(*next)),
    };
    let half = joints[child].rest_translation * 0.5;
    let place = parent + 1;
    for joint in &mut joints {
        if let Some(above) = joint.parent.filter(|above| above.get() >= place) {
            joint.parent = Some(JointIndex::new(above.get() + 1));
        }
    }
    if matches!(added, Added::Inline(..)) {
        joints[child].parent = Some(JointIndex::new(place));
        joints[child].rest_translation = half;
    }
    let joint = Joint {
        name: "added".to_owned(),
        parent: Some(JointIndex::new(parent)),
        rest_translation: half,
        rest_rotation: Quat::IDENTITY,
        bone: None,
        twist,
    };
    joints.insert(place, joint);
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

fn clip_of(skeleton: &Arc<Skeleton>, poses: Vec<Pose>) -> Clip {
    Clip::new(Arc::clone(skeleton), Fps::DEFAULT, poses).expect("the poses form a valid clip")
}

fn turned(skeleton: &Skeleton, world: &WorldPose, joint: JointIndex) -> Quat {
    world.rotation(joint) * skeleton.rest_world().rotation(joint).inverse()
}

/// Returns the angle of a rotation about +X, in radians.
fn about_x(turn: Quat) -> f32 {
    2.0 * turn.x.atan2(turn.w)
}

fn same_bones(before: &Clip, after: &Clip) {
    let skeleton = before.skeleton();
    for (a, b) in before.frames().iter().zip(after.frames()) {
        let (a, b) = (skeleton.world(a), skeleton.world(b));
        for bone in HumanBone::ALL {
            let Some(joint) = skeleton.find(bone) else { continue };
            assert!(a.position(joint).distance(b.position(joint)) < 1e-5, "{bone:?} moved");
            assert!(a.rotation(joint).angle_between(b.rotation(joint)) < 2e-3, "{bone:?} rotated");
        }
    }
}

#[test]
fn forearm_joints_take_a_share_of_the_twist_of_the_hand() {
    let (forearm, hand) = (HumanBone::LeftLowerArm, HumanBone::LeftHand);
    for added in [Added::Beside(forearm), Added::Inline(forearm, hand)] {
        let skeleton = with(&added, Some(Twist { of: forearm, share: 0.5 }));
        // past half a turn, where the angle must not wrap
        let poses = (0..40)
            .map(|frame| {
                let mut pose = skeleton.rest_pose();
                let joint = skeleton.find(hand).expect("the skeleton has hands");
                pose.set_rotation(joint, Quat::from_rotation_x(frame as f32 * 0.1));
                pose
            })
            .collect();
        let clip = clip_of(&skeleton, poses);
        let spread = spread_twists(&clip);
        same_bones(&clip, &spread);
        let joint = skeleton.find_name("added").expect("the joint was added");
        for (frame, pose) in spread.frames().iter().enumerate() {
            let turn = about_x(turned(&skeleton, &skeleton.world(pose), joint));
            assert!((turn - frame as f32 * 0.05).abs() < 2e-3, "frame {frame}: {turn}");
        }
    }
}

#[test]
fn upper_arm_joints_counteract_the_twist_of_the_arm() {
    let (arm, forearm) = (HumanBone::LeftUpperArm, HumanBone::LeftLowerArm);
    for added in [Added::Beside(arm), Added::Inline(arm, forearm)] {
        let skeleton = with(&added, Some(Twist { of: arm, share: 0.25 }));
        let mut pose = skeleton.rest_pose();
        let joint = skeleton.find(arm).expect("the skeleton has arms");
        pose.set_rotation(joint, Quat::from_rotation_x(0.8));
        let clip = clip_of(&skeleton, vec![pose]);
        let spread = spread_twists(&clip);
        same_bones(&clip, &spread);
        let joint = skeleton.find_name("added").expect("the joint was added");
        let turn = about_x(turned(&skeleton, &skeleton.world(&spread.frames()[0]), joint));
        assert!((turn - 0.2).abs() < 1e-3, "{turn}");
    }
}

#[test]
fn clips_without_twist_joints_are_unchanged() {
    let skeleton = canonical_skeleton();
    let clip = clip_of(&skeleton, vec![skeleton.rest_pose()]);
    assert_eq!(spread_twists(&clip), clip);
}

#[test]
fn unmapped_spine_joints_bend_half_way_between_their_neighbours() {
    let source = canonical_skeleton();
    let mut pose = source.rest_pose();
    let chest = source.find(HumanBone::Chest).expect("the skeleton has a chest");
    pose.set_rotation(chest, Quat::from_rotation_x(0.6));
    let clip = clip_of(&source, vec![pose]);
    let target = with(&Added::Inline(HumanBone::Spine, HumanBone::Chest), None);
    let carried = retarget(&clip, &target).expect("both skeletons have all bones");
    let world = target.world(&carried.frames()[0]);
    let at_rest = target.world(&t_pose(&target));
    let turn =
        |joint: JointIndex| about_x(world.rotation(joint) * at_rest.rotation(joint).inverse());
    let added = target.find_name("added").expect("the joint was added");
    let chest = target.find(HumanBone::Chest).expect("the skeleton has a chest");
    assert!((turn(added) - 0.3).abs() < 0.01, "{}", turn(added));
    assert!((turn(chest) - 0.6).abs() < 0.01, "{}", turn(chest));
}

#[test]
fn knees_turned_out_at_rest_bend_forwards() {
    let canonical = canonical_skeleton();
    let mut joints = canonical.joints().to_vec();
    let find = |bone| canonical.find(bone).expect("the skeleton has legs").get();
    let (thigh, shin) = (find(HumanBone::LeftUpperLeg), find(HumanBone::LeftLowerLeg));
    joints[thigh].rest_rotation = Quat::from_rotation_y(0.4) * Quat::from_rotation_x(-0.15);
    joints[shin].rest_rotation = Quat::from_rotation_x(0.3);
    let splayed = Skeleton::new(joints).expect("the joints form a valid skeleton");
    let mut pose = t_pose(&splayed);
    let rest = splayed.rest_world();
    let hinge = |world: &WorldPose, joint: JointIndex| world.rotation(joint) * Vec3::X;
    let [thigh, shin] = [JointIndex::new(thigh), JointIndex::new(shin)];
    assert!(hinge(&rest, thigh).angle_between(Vec3::X) > 0.3, "the knee is turned out at rest");
    let world = splayed.world(&pose);
    assert!(hinge(&world, thigh).angle_between(Vec3::X) < 0.01, "{}", hinge(&world, thigh));
    pose.set_rotation(shin, pose.rotation(shin) * Quat::from_rotation_x(1.0));
    let bent = splayed.world(&pose);
    let foot = splayed.find(HumanBone::LeftFoot).expect("the skeleton has feet");
    assert!(
        (bent.position(foot) - bent.position(thigh)).x.abs() < 0.02,
        "the foot stays in line with the thigh"
    );
}
