//! Properties that hold for every skeleton, pose and clip.

use glam::{Quat, Vec3};
use limber_animation::{
    CANONICAL_JOINT_COUNT, Clip, Contacts, Face, Fps, HumanBone, Joint, JointIndex, Pose, Skeleton,
    SkeletonError, canonical_skeleton, smooth,
};
use proptest::prelude::*;

fn any_rotation() -> impl Strategy<Value = Quat> {
    (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, 0.05f32..1.0)
        .prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w).normalize())
}

fn any_pose() -> impl Strategy<Value = Pose> {
    let rotations = prop::collection::vec(any_rotation(), CANONICAL_JOINT_COUNT);
    let travel = (-5.0f32..5.0, 0.0f32..2.0, -5.0f32..5.0);
    (travel, rotations).prop_map(|((x, y, z), rotations)| Pose {
        hips_translation: Vec3::new(x, y, z),
        rotations,
        face: Face::UNKNOWN,
    })
}

fn any_clip() -> impl Strategy<Value = Clip> {
    let frames = prop::collection::vec((any_pose(), 0u8..16), 2..12);
    frames.prop_map(|frames| {
        let (poses, bits): (Vec<_>, Vec<_>) = frames.into_iter().unzip();
        Clip::new(canonical_skeleton(), Fps::DEFAULT, poses)
            .expect("the poses form a valid clip")
            .with_contacts(bits.into_iter().map(Contacts::from_bits).collect())
            .expect("the track is as long as the clip")
    })
}

proptest! {
    #[test]
    fn bones_keep_their_length_in_every_pose(pose in any_pose()) {
        let skeleton = canonical_skeleton();
        let world = skeleton.world(&pose);
        for index in skeleton.indices() {
            let joint = skeleton.joint(index);
            if let Some(parent) = joint.parent {
                let length = world.position(index).distance(world.position(parent));
                prop_assert!((length - joint.rest_translation.length()).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn moving_the_hips_moves_every_joint_equally(pose in any_pose()) {
        let skeleton = canonical_skeleton();
        let before = skeleton.world(&pose);
        let step = Vec3::new(0.3, -0.1, 0.7);
        let moved = Pose { hips_translation: pose.hips_translation + step, ..pose };
        let after = skeleton.world(&moved);
        for index in skeleton.indices() {
            prop_assert!((after.position(index) - before.position(index)).abs_diff_eq(step, 1e-4));
        }
    }

    #[test]
    fn blending_by_zero_and_one_gives_the_two_poses(from in any_pose(), to in any_pose()) {
        for (amount, wanted) in [(0.0, &from), (1.0, &to)] {
            let blend = from.blend(&to, amount);
            prop_assert!(blend.hips_translation.abs_diff_eq(wanted.hips_translation, 1e-5));
            for (got, wanted) in blend.rotations.iter().zip(&wanted.rotations) {
                prop_assert!(got.dot(*wanted).abs() > 1.0 - 1e-5);
            }
        }
    }

    #[test]
    fn blending_never_rotates_beyond_the_target_pose(
        from in any_pose(), to in any_pose(), amount in 0.0f32..1.0
    ) {
        let blend = from.blend(&to, amount);
        for ((from, to), between) in from.rotations.iter().zip(&to.rotations).zip(&blend.rotations) {
            let angle = |a: Quat, b: Quat| 2.0 * a.dot(b).abs().min(1.0).acos();
            prop_assert!(angle(*from, *between) <= angle(*from, *to) + 2e-3);
        }
    }

    #[test]
    fn a_mask_of_zeros_changes_nothing(from in any_pose(), to in any_pose()) {
        let blend = from.blend_masked(&to, 0.0, &[0.0; CANONICAL_JOINT_COUNT]);
        for (got, wanted) in blend.rotations.iter().zip(&from.rotations) {
            prop_assert!(got.dot(*wanted).abs() > 1.0 - 1e-5);
        }
    }

    #[test]
    fn mirrored_poses_have_mirrored_positions(pose in any_pose()) {
        let skeleton = canonical_skeleton();
        let world = skeleton.world(&pose);
        let mirrored = skeleton.world(&pose.mirrored(&skeleton));
        for index in skeleton.indices() {
            let bone = skeleton.joint(index).bone.expect("canonical joints are bones");
            let partner = skeleton.find(bone.mirrored()).expect("both sides exist");
            let wanted = world.position(index) * Vec3::new(-1.0, 1.0, 1.0);
            prop_assert!(mirrored.position(partner).abs_diff_eq(wanted, 1e-4), "{bone:?}");
        }
    }

    #[test]
    fn mirroring_twice_changes_nothing(clip in any_clip()) {
        let twice = clip.mirrored().mirrored();
        prop_assert_eq!(twice.contacts(), clip.contacts());
        for (got, wanted) in twice.frames().iter().zip(clip.frames()) {
            prop_assert!(got.hips_translation.abs_diff_eq(wanted.hips_translation, 1e-6));
            for (got, wanted) in got.rotations.iter().zip(&wanted.rotations) {
                prop_assert!(got.dot(*wanted).abs() > 1.0 - 1e-5);
            }
        }
    }

    #[test]
    fn resampling_keeps_the_duration_and_the_old_frames(clip in any_clip()) {
        let fine = clip.resampled(Fps::new(120).expect("120 fps is valid"));
        prop_assert!((fine.duration_s() - clip.duration_s()).abs() < 1e-4);
        prop_assert_eq!(fine.contacts().map(Vec::len), Some(fine.len()));
        for (index, wanted) in clip.frames().iter().enumerate() {
            let got = &fine.frames()[index * 4];
            prop_assert!(got.hips_translation.abs_diff_eq(wanted.hips_translation, 1e-3));
        }
    }

    #[test]
    fn easing_rises_from_zero_to_one(a in -0.5f32..1.5, b in -0.5f32..1.5) {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        for ease in [smooth::smoothstep, smooth::minimum_jerk] {
            prop_assert!(ease(low) <= ease(high) + 1e-6);
            prop_assert!((0.0..=1.0 + 1e-6).contains(&ease(low)));
        }
    }
}

fn joint(name: &str, parent: Option<usize>, bone: Option<HumanBone>) -> Joint {
    Joint {
        name: name.to_owned(),
        parent: parent.map(JointIndex::new),
        rest_translation: Vec3::Y,
        rest_rotation: Quat::IDENTITY,
        bone,
        twist: None,
    }
}

#[test]
fn invalid_joint_lists_are_rejected_with_the_reason() {
    let hips = || joint("hips", None, Some(HumanBone::Hips));
    let rejected = |joints| Skeleton::new(joints).expect_err("the list is invalid");
    assert_eq!(rejected(vec![]), SkeletonError::Empty);
    assert_eq!(rejected(vec![joint("a", None, None)]), SkeletonError::NoHips);
    assert_eq!(
        rejected(vec![joint("loop", Some(0), None)]),
        SkeletonError::ParentAfterChild("loop".to_owned())
    );
    assert_eq!(
        rejected(vec![hips(), joint("hips", Some(0), None)]),
        SkeletonError::DuplicateName("hips".to_owned())
    );
    assert_eq!(
        rejected(vec![hips(), joint("other", Some(0), Some(HumanBone::Hips))]),
        SkeletonError::DuplicateBone("hips")
    );
    let broken = Joint { rest_translation: Vec3::NAN, ..hips() };
    assert_eq!(rejected(vec![broken]), SkeletonError::UnusableRest("hips".to_owned()));
}

#[test]
fn sampling_outside_the_clip_is_clamped_to_its_ends() {
    let skeleton = canonical_skeleton();
    let rest = skeleton.rest_pose();
    let moved = Pose { hips_translation: Vec3::ONE, ..rest.clone() };
    let clip = Clip::new(skeleton, Fps::DEFAULT, vec![rest.clone(), moved.clone()])
        .expect("the poses form a valid clip");
    assert_eq!(clip.sample(-1.0), rest);
    assert_eq!(clip.sample(99.0), moved);
    let between = clip.sample(0.5 / 30.0).hips_translation;
    assert!(between.abs_diff_eq(rest.hips_translation.midpoint(Vec3::ONE), 1e-5));
}
