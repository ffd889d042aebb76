//! Tests of the physics stage on clips with impossible movements.

use std::{f32::consts::TAU, sync::Arc};

use glam::{Quat, Vec3};
use limber_animation::{Clip, Contacts, Fps, HumanBone, Pose, Skeleton, canonical_skeleton};
use limber_cleanup::{Build, PhysicsError, body_faults, fix_body_faults};
use proptest::prelude::*;

fn acted(frames: usize, act: impl Fn(&Skeleton, &mut Pose, f32)) -> Clip {
    let skeleton = canonical_skeleton();
    let poses = (0..frames)
        .map(|frame| {
            let mut pose = skeleton.rest_pose();
            for (bone, turn) in [(HumanBone::LeftUpperArm, -1.2), (HumanBone::RightUpperArm, 1.2)] {
                pose.set_rotation(bone_of(&skeleton, bone), Quat::from_rotation_z(turn));
            }
            act(&skeleton, &mut pose, frame as f32 / 30.0);
            pose
        })
        .collect();
    Clip::new(Arc::clone(&skeleton), Fps::DEFAULT, poses).expect("the clip is well-formed")
}

fn bone_of(skeleton: &Skeleton, bone: HumanBone) -> limber_animation::JointIndex {
    skeleton.find(bone).expect("a canonical bone")
}

/// A right arm that swings through the trunk.
fn arm_through_the_trunk(reach: f32, hertz: f32) -> Clip {
    acted(90, |skeleton, pose, time_s| {
        let swing = reach * (0.5 - 0.5 * (TAU * hertz * time_s).cos());
        let upper = Quat::from_rotation_y(0.5) * Quat::from_rotation_z(1.2);
        pose.set_rotation(bone_of(skeleton, HumanBone::RightUpperArm), upper);
        let lower = Quat::from_rotation_y(swing);
        pose.set_rotation(bone_of(skeleton, HumanBone::RightLowerArm), lower);
    })
}

/// Largest change of velocity of any joint between frames, m/s.
fn jolt(clip: &Clip) -> f32 {
    let places = clip.world_positions();
    let change = |joint: usize, k: usize| {
        places[k + 2][joint] - 2.0 * places[k + 1][joint] + places[k][joint]
    };
    (0..places.len() - 2)
        .flat_map(|k| (0..22).map(move |joint| (joint, k)))
        .map(|(joint, k)| 30.0 * change(joint, k).length())
        .fold(0.0, f32::max)
}

#[test]
fn a_valid_body_is_unchanged() {
    let clip = acted(60, |skeleton, pose, time_s| {
        let turn = Quat::from_rotation_y(0.5 * (TAU * time_s).sin());
        pose.set_rotation(bone_of(skeleton, HumanBone::Head), turn);
    });
    let fixed = fix_body_faults(&clip, &Build::canonical()).expect("nothing is wrong");
    assert_eq!(fixed.clip, clip);
    assert_eq!(fixed.before, fixed.after);
    assert_eq!(fixed.before.self_penetration, 0.0, "{:?}", fixed.before);
}

#[test]
fn hands_below_the_floor_come_up() {
    let clip = acted(60, |skeleton, pose, _| {
        // lying face down, arms pointing down
        pose.hips_translation.y = 0.12;
        pose.set_rotation(skeleton.hips(), Quat::from_rotation_x(TAU / 4.0));
        for (bone, turn) in [(HumanBone::LeftUpperArm, -0.5), (HumanBone::RightUpperArm, 0.5)] {
            pose.set_rotation(bone_of(skeleton, bone), Quat::from_rotation_y(turn));
        }
    });
    let fixed = fix_body_faults(&clip, &Build::canonical()).expect("hands can come up");
    assert!(fixed.before.floor_depth_mm > 20.0, "{:?}", fixed.before);
    assert!(fixed.after.floor_depth_mm < 10.0, "{:?}", fixed.after);
}

#[test]
fn intersecting_planted_legs_are_an_error() {
    let clip = acted(40, |skeleton, pose, _| {
        for (bone, turn) in [(HumanBone::LeftUpperLeg, -0.11), (HumanBone::RightUpperLeg, 0.11)] {
            pose.set_rotation(bone_of(skeleton, bone), Quat::from_rotation_z(turn));
        }
    })
    .with_contacts(vec![Contacts::STANDING; 40])
    .expect("one entry per frame");
    let error =
        fix_body_faults(&clip, &Build::canonical()).expect_err("both feet stand in one place");
    assert!(matches!(error, PhysicsError::Stuck { frames: 40, .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_arm_comes_out_of_the_trunk_without_popping(reach in 1.2f32..2.2, hertz in 0.3f32..1.0) {
        let clip = arm_through_the_trunk(reach, hertz);
        let fixed = fix_body_faults(&clip, &Build::canonical()).expect("it can come out");
        prop_assert!(fixed.after.self_penetration <= 0.01, "{fixed:?}", fixed = fixed.after);
        prop_assert_eq!(fixed.after, body_faults(&fixed.clip, &Build::canonical()));
        prop_assert!(jolt(&fixed.clip) < jolt(&clip) + 1.5, "{} {}", jolt(&clip), jolt(&fixed.clip));
        // everything that does not move the arm is unchanged
        for (a, b) in clip.frames().iter().zip(fixed.clip.frames()) {
            prop_assert_eq!(a.hips_translation, b.hips_translation);
            prop_assert_eq!(a.rotations[1], b.rotations[1]);
        }
    }

    #[test]
    fn any_input_ends_within_limits_or_in_an_error(
        turns in prop::collection::vec((-2.0f32..2.0, -2.0f32..2.0, -2.0f32..2.0), 22),
        hertz in 0.2f32..1.5,
    ) {
        let clip = acted(40, |_, pose, time_s| {
            let swing = (TAU * hertz * time_s).sin();
            for (place, (x, y, z)) in turns.iter().enumerate().skip(1) {
                pose.rotations[place] = Quat::from_scaled_axis(Vec3::new(*x, *y, *z) * swing);
            }
        });
        if let Ok(fixed) = fix_body_faults(&clip, &Build::canonical()) {
            prop_assert!(fixed.clip.frames().iter().all(Pose::is_finite));
            prop_assert_eq!(fixed.clip.len(), clip.len());
        }
    }
}
