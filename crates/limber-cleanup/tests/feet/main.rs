//! Tests of foot lock, filter, floor alignment and metrics on walks whose feet slide, penetrate the
//! floor and jitter.

mod gait;
mod soles;

use gait::{Walk, character_like, walk};
use glam::{Quat, Vec3};
use limber_animation::{Clip, ContactPoint, HumanBone, Side, canonical_skeleton};
use limber_cleanup::{
    ContactSettings, FootLockingMode, Soles, contacts_of, detect_contacts, filter_poses, ground,
    in_place, lock_feet, measure,
};
use proptest::prelude::*;

fn any_walk() -> impl Strategy<Value = Walk> {
    (0.3f32..1.4, -0.06f32..0.06, -0.5f32..0.5, 0.0f32..0.004, any::<u64>()).prop_map(
        |(speed_m_s, slide_m_s, bend, shiver, seed)| Walk {
            speed_m_s,
            slide_m_s,
            bend,
            shiver,
            seed,
            ..Walk::default()
        },
    )
}

/// Locks the clip's contacts. The guarantee covers only these feet, and unreachable ones may slip.
fn locked(clip: &Clip) -> Clip {
    lock_feet(clip, &contacts_of(clip), FootLockingMode::Auto)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn planted_feet_do_not_slide_after_locking(walk_of in any_walk()) {
        let clip = walk(&walk_of);
        let before = measure(&clip);
        let after = measure(&locked(&clip));
        prop_assert!(after.foot_skate_cm_s < 0.2, "{before:?} → {after:?}");
        prop_assert!(after.foot_skate_max_cm_s < 1.0, "{after:?}");
        prop_assert!(after.penetration_mm < 5.0, "{after:?}");
        prop_assert!(after.float_mm < 5.0, "{after:?}");
    }

    #[test]
    fn locking_again_changes_little(walk_of in any_walk()) {
        let once = locked(&walk(&walk_of));
        let twice = locked(&once);
        for (a, b) in once.world_positions().iter().zip(twice.world_positions()) {
            for (a, b) in a.iter().zip(b) {
                prop_assert!(a.distance(b) < 0.01, "{a} {b}");
            }
        }
    }

    #[test]
    fn locking_keeps_everything_above_the_legs(walk_of in any_walk()) {
        let clip = walk(&walk_of);
        let after = locked(&clip);
        let skeleton = clip.skeleton();
        for (before, after) in clip.frames().iter().zip(after.frames()) {
            for bone in [HumanBone::Spine, HumanBone::Head, HumanBone::LeftUpperArm] {
                let joint = skeleton.find(bone).expect("a canonical bone");
                prop_assert_eq!(before.rotation(joint), after.rotation(joint));
            }
            let way = after.hips_translation - before.hips_translation;
            prop_assert!(way.x.hypot(way.z) < 1e-6 && (-0.07..1e-6).contains(&way.y), "{way}");
        }
    }

    #[test]
    fn filtering_adds_no_delay_and_keeps_both_ends(walk_of in any_walk(), strength in 0.0f32..1.0) {
        let clip = walk(&walk_of);
        let filtered = filter_poses(&clip, strength);
        prop_assert_eq!(clip.frames().first(), filtered.frames().first());
        let knee = clip.skeleton().find(HumanBone::LeftLowerLeg).expect("it has knees");
        let angles = |clip: &Clip| -> Vec<f32> {
            clip.frames().iter().map(|pose| pose.rotation(knee).to_scaled_axis().x).collect()
        };
        prop_assert_eq!(best_lag(&angles(&clip), &angles(&filtered)), 0);
    }
}

/// The shift in frames at which two curves correlate best.
fn best_lag(one: &[f32], other: &[f32]) -> i32 {
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len() as f32;
    let (a, b) = (mean(one), mean(other));
    (-4..=4)
        .max_by(|x, y| {
            let score = |lag: i32| -> f32 {
                (8..one.len() as i32 - 8)
                    .map(|frame| (one[frame as usize] - a) * (other[(frame + lag) as usize] - b))
                    .sum()
            };
            score(*x).total_cmp(&score(*y))
        })
        .expect("there are lags")
}

#[test]
fn contacts_of_a_walk_are_found() {
    let clip = walk(&Walk { contacts: true, ..Walk::default() });
    let known = clip.contacts().expect("the walk knows them").clone();
    let found = detect_contacts(&clip, &ContactSettings::default());
    let agree = known
        .iter()
        .zip(&found)
        .flat_map(|(a, b)| Side::BOTH.map(|side| a.foot(side) == b.foot(side)))
        .filter(|agree| *agree)
        .count();
    let share = agree as f32 / (2 * known.len()) as f32;
    assert!(share > 0.85, "{share}");
}

#[test]
fn a_zero_strength_filter_changes_nothing_and_a_strong_one_smooths() {
    let clip = walk(&Walk { shiver: 0.01, ..Walk::default() });
    assert_eq!(filter_poses(&clip, 0.0), clip);
    assert_eq!(filter_poses(&clip, f32::NAN), clip);
    let (before, after) = (measure(&clip).jerk_m_s3, measure(&filter_poses(&clip, 1.0)).jerk_m_s3);
    assert!(after < 0.5 * before, "{before} → {after}");
}

#[test]
fn never_changes_nothing_and_grounding_moves_feet_only_vertically() {
    let clip = walk(&Walk { slide_m_s: 0.05, sink_m: 0.02, ..Walk::default() });
    assert_eq!(lock_feet(&clip, &contacts_of(&clip), FootLockingMode::Never), clip);
    let grounded = lock_feet(&clip, &contacts_of(&clip), FootLockingMode::Grounding);
    let toes = clip.skeleton().find(HumanBone::LeftToes).expect("it has toes");
    for (before, after) in clip.world_positions().iter().zip(grounded.world_positions()) {
        let way = after[toes.get()] - before[toes.get()];
        assert!(way.x.hypot(way.z) < 2e-3, "{way}");
    }
    let metrics = measure(&grounded);
    assert!(metrics.penetration_mm < 3.0, "{metrics:?}");
}

#[test]
fn skating_feet_keep_gliding_in_auto_and_stop_in_always() {
    let clip = walk(&Walk { slide_m_s: 0.6, contacts: true, ..Walk::default() });
    let contacts = contacts_of(&clip);
    let skate = |mode| measure(&lock_feet(&clip, &contacts, mode)).foot_skate_cm_s;
    assert!(skate(FootLockingMode::Auto) > 30.0);
    assert!(skate(FootLockingMode::Always) < 5.0, "{}", skate(FootLockingMode::Always));
}

#[test]
fn a_floating_or_sinking_clip_is_moved_to_the_floor() {
    for height in [-0.3, 0.12] {
        let mut clip = walk(&Walk { contacts: true, ..Walk::default() });
        for pose in clip.frames_mut() {
            pose.hips_translation.y += height;
        }
        let metrics = measure(&ground(&clip, &Soles::of_skeleton(clip.skeleton())));
        assert!(metrics.float_mm < 8.0 && metrics.penetration_mm < 12.0, "{metrics:?}");
    }
}

#[test]
fn in_place_removes_the_travel_and_reports_its_speed() {
    let clip = walk(&Walk { speed_m_s: 1.2, ..Walk::default() });
    let result = in_place(&clip);
    assert!((result.mean_speed_m_s - 1.2).abs() < 0.1, "{}", result.mean_speed_m_s);
    for (before, after) in clip.frames().iter().zip(result.clip.frames()) {
        assert!(after.hips_translation.x.hypot(after.hips_translation.z) < 0.05);
        assert_eq!(before.hips_translation.y, after.hips_translation.y);
        assert_eq!(before.rotations, after.rotations);
    }
}

#[test]
fn lock_works_on_a_characters_skeleton_with_turned_joints_and_a_root() {
    let clip = walk(&Walk { slide_m_s: 0.05, contacts: true, ..Walk::default() });
    let clip = character_like(&clip);
    let after = measure(&lock_feet(&clip, &contacts_of(&clip), FootLockingMode::Auto));
    assert!(after.foot_skate_cm_s < 0.2, "{after:?}");
    assert!(after.penetration_mm < 5.0, "{after:?}");
}

#[test]
fn a_person_who_stands_still_is_not_touched() {
    let skeleton = canonical_skeleton();
    let mut pose = skeleton.rest_pose();
    pose.hips_translation.y -= 0.02;
    // bent knees, feet flat on the floor
    for side in Side::BOTH {
        let leg = HumanBone::leg(side).map(|bone| skeleton.find(bone).expect("it has legs"));
        let world = skeleton.rest_world();
        limber_animation::ik::reach(
            &skeleton,
            &mut pose,
            [leg[0], leg[1], leg[2]],
            world.position(leg[2]),
            Some(Vec3::Z),
            Some(Quat::IDENTITY),
        );
    }
    let clip =
        Clip::new(skeleton, limber_animation::Fps::DEFAULT, vec![pose; 20]).expect("a valid clip");
    let contacts = detect_contacts(&clip, &ContactSettings::default());
    assert!(contacts.iter().all(|contacts| ContactPoint::ALL.iter().all(|p| contacts.has(*p))));
    let after = lock_feet(&clip, &contacts, FootLockingMode::Auto);
    for (a, b) in clip.world_positions().iter().zip(after.world_positions()) {
        assert!(a.iter().zip(b).all(|(a, b)| a.distance(b) < 1e-4));
    }
}
