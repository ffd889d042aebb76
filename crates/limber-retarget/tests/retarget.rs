//! Retargeting between bodies that differ in rest pose, proportions and joints.

use std::sync::Arc;

use glam::{EulerRot, Mat4, Quat, Vec3};
use limber_animation::{
    Character, Clip, Contacts, Fps, HumanBone, Joint, JointIndex, Mesh, Side, Skeleton, Skin,
    SkinPatch, canonical_skeleton,
};
use limber_retarget::{RetargetError, Soles, ground, retarget, sole_offset, t_pose};
use proptest::prelude::*;

/// Returns the canonical skeleton scaled by `size`, with the arms lowered by `arms` radians at
/// rest, arbitrary joint axes, and without the bones in `without`.
fn other_body(size: f32, arms: f32, without: &[HumanBone]) -> Arc<Skeleton> {
    let canonical = canonical_skeleton();
    let mut lowered = canonical.rest_pose();
    for side in Side::BOTH {
        let arm = canonical.find(HumanBone::arm(side)[1]).expect("the skeleton has arms");
        lowered.set_rotation(arm, Quat::from_rotation_z(-arms * side.sign()));
    }
    let world = canonical.world(&lowered);
    let axes = |joint: JointIndex| Quat::from_euler(EulerRot::XYZ, joint.get() as f32, 0.7, -0.4);
    let kept =
        |joint: JointIndex| canonical.joint(joint).bone.is_none_or(|bone| !without.contains(&bone));
    let mut places = vec![None; canonical.len()];
    let mut joints: Vec<Joint> = Vec::new();
    for joint in canonical.indices().filter(|joint| kept(*joint)) {
        let mut above = canonical.joint(joint).parent;
        while let Some(parent) = above.filter(|parent| !kept(*parent)) {
            above = canonical.joint(parent).parent;
        }
        let rotation = world.rotation(joint) * axes(joint);
        let (place, turn) = above.map_or((Vec3::ZERO, Quat::IDENTITY), |parent| {
            (world.position(parent), world.rotation(parent) * axes(parent))
        });
        places[joint.get()] = Some(joints.len());
        joints.push(Joint {
            name: canonical.joint(joint).name.clone(),
            parent: above.and_then(|parent| places[parent.get()]).map(JointIndex::new),
            rest_translation: turn.inverse() * (world.position(joint) - place) * size,
            rest_rotation: (turn.inverse() * rotation).normalize(),
            bone: canonical.joint(joint).bone,
            twist: None,
        });
    }
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

fn moving(skeleton: &Arc<Skeleton>, seed: f32) -> Clip {
    let frames = (0..20)
        .map(|frame| {
            let phase = frame as f32 * 0.2 + seed;
            let mut pose = skeleton.rest_pose();
            pose.hips_translation += Vec3::new(phase.sin() * 0.2, phase.cos() * 0.04, phase * 0.1);
            for (place, turn) in pose.rotations.iter_mut().enumerate() {
                let swing = 0.5 * (phase + place as f32 * 1.7).sin();
                *turn *= Quat::from_euler(EulerRot::YXZ, swing, -swing * 0.8, swing * 0.5);
            }
            pose
        })
        .collect();
    Clip::new(Arc::clone(skeleton), Fps::DEFAULT, frames)
        .and_then(|clip| clip.with_contacts(vec![Contacts::STANDING; 20]))
        .expect("the poses form a valid clip")
}

/// Unlike the arc cosine of an `f32`, this is exact for small angles.
fn angle_deg(a: Quat, b: Quat) -> f32 {
    let between = a.inverse() * b;
    2.0 * between.xyz().length().min(1.0).asin().to_degrees()
}

/// Returns the largest world-space angle between the same joints of two clips, in degrees.
fn apart_deg(a: &Clip, b: &Clip) -> f32 {
    let mut most = 0.0_f32;
    for (a_pose, b_pose) in a.frames().iter().zip(b.frames()) {
        let (a_world, b_world) = (a.skeleton().world(a_pose), b.skeleton().world(b_pose));
        for joint in a.skeleton().indices() {
            most = most.max(angle_deg(a_world.rotation(joint), b_world.rotation(joint)));
        }
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn retargeting_to_the_same_skeleton_changes_nothing(seed in 0.0f32..6.0, arms in 0.0f32..1.2) {
        let skeleton = other_body(1.0, arms, &[]);
        let clip = moving(&skeleton, seed);
        let same = retarget(&clip, &skeleton).expect("both skeletons have all bones");
        prop_assert!(apart_deg(&clip, &same) < 1e-4_f32.to_degrees());
        for (a, b) in clip.frames().iter().zip(same.frames()) {
            prop_assert!(a.hips_translation.distance(b.hips_translation) < 1e-4);
            for (a, b) in a.rotations.iter().zip(&b.rotations) {
                prop_assert!((a.dot(*b).abs() - 1.0).abs() < 1e-6);
            }
        }
        prop_assert_eq!(same.contacts(), clip.contacts());
    }

    #[test]
    fn retargeting_there_and_back_changes_nothing(
        seed in 0.0f32..6.0, arms in 0.0f32..1.2, size in 0.4f32..2.5,
    ) {
        let clip = moving(&canonical_skeleton(), seed);
        let there = retarget(&clip, &other_body(size, arms, &[]))
            .expect("both skeletons have all bones");
        let back = retarget(&there, &canonical_skeleton()).expect("both skeletons have all bones");
        prop_assert!(apart_deg(&clip, &back) < 0.5);
        for (a, b) in clip.frames().iter().zip(back.frames()) {
            prop_assert!(a.hips_translation.distance(b.hips_translation) < 1e-3);
        }
    }
}

/// Files can map any joint to any bone.
#[test]
fn swapped_chest_bones_do_not_prevent_retargeting() {
    let swapped = |bone| match bone {
        HumanBone::Chest => HumanBone::UpperChest,
        HumanBone::UpperChest => HumanBone::Chest,
        other => other,
    };
    let canonical = canonical_skeleton();
    let joints = canonical.indices().map(|joint| {
        let joint = canonical.joint(joint);
        Joint { bone: joint.bone.map(swapped), ..joint.clone() }
    });
    let odd = Arc::new(Skeleton::new(joints.collect()).expect("the joints form a valid skeleton"));
    let carried =
        retarget(&moving(&canonical, 0.3), &odd).expect("both skeletons have all required bones");
    assert!(carried.frames().iter().all(limber_animation::Pose::is_finite));
}

#[test]
fn a_t_pose_stays_a_t_pose_for_any_rest_pose() {
    let source = canonical_skeleton();
    let clip = Clip::new(Arc::clone(&source), Fps::DEFAULT, vec![t_pose(&source)])
        .expect("the poses form a valid clip");
    for (size, arms) in [(1.0, 0.0), (0.6, 0.8), (2.0, 1.2)] {
        let target = other_body(size, arms, &[]);
        let out = retarget(&clip, &target).expect("both skeletons have all bones");
        let meant = Clip::new(Arc::clone(&target), Fps::DEFAULT, vec![t_pose(&target)])
            .expect("the poses form a valid clip");
        assert!(apart_deg(&out, &meant) < 0.1, "{size} {arms}: {}", apart_deg(&out, &meant));
        let world = target.world(&out.frames()[0]);
        let at = |bone| world.position(target.find(bone).expect("the skeleton has arms"));
        let arm = (at(HumanBone::LeftHand) - at(HumanBone::LeftUpperArm)).normalize();
        assert!(arm.angle_between(Vec3::X) < 0.01, "{arm}");
    }
}

#[test]
fn limbs_keep_their_direction_on_bodies_that_lack_joints() {
    use HumanBone as B;
    let clip = moving(&canonical_skeleton(), 1.0);
    let missing: [&[B]; 5] = [
        &[B::UpperChest],
        &[B::Chest, B::UpperChest],
        &[B::LeftShoulder, B::RightShoulder],
        &[B::Neck, B::LeftToes, B::RightToes],
        &[B::LeftHand],
    ];
    for without in missing {
        let target = other_body(1.3, 0.7, without);
        let out = retarget(&clip, &target).expect("both skeletons have all required bones");
        for (a, b) in clip.frames().iter().zip(out.frames()) {
            let (a_world, b_world) = (clip.skeleton().world(a), target.world(b));
            for (from, to) in [
                (B::LeftUpperArm, B::LeftLowerArm),
                (B::RightLowerArm, B::RightHand),
                (B::LeftUpperLeg, B::LeftLowerLeg),
                (B::RightLowerLeg, B::RightFoot),
            ] {
                let along = |skeleton: &Skeleton, world: &limber_animation::WorldPose| {
                    let at =
                        |bone| world.position(skeleton.find(bone).expect("the bone is required"));
                    (at(to) - at(from)).normalize()
                };
                let apart =
                    along(clip.skeleton(), &a_world).angle_between(along(&target, &b_world));
                // shins are 1.7° off vertical in the canonical rest pose; both T-poses straighten
                // them
                assert!(
                    apart.to_degrees() < 1.0,
                    "{from:?} without {without:?}: {}°",
                    apart.to_degrees()
                );
            }
        }
    }
}

#[test]
fn a_short_spine_is_spread_over_a_long_one_and_the_top_is_exact() {
    use HumanBone as B;
    let short = other_body(1.0, 0.0, &[B::Chest, B::UpperChest]);
    let mut clip = moving(&short, 0.3);
    let spine = short.find(B::Spine).expect("the bone is required");
    let rest = short.rest_pose();
    for pose in clip.frames_mut() {
        pose.set_rotation(spine, rest.rotation(spine) * Quat::from_rotation_x(0.9));
    }
    let long = canonical_skeleton();
    let out = retarget(&clip, &long).expect("both skeletons have all bones");
    let turned = |skeleton: &Skeleton, pose, bone| {
        let joint = skeleton.find(bone).expect("the skeleton has this bone");
        skeleton.world(pose).rotation(joint)
            * skeleton.world(&t_pose(skeleton)).rotation(joint).inverse()
    };
    let top = turned(&short, &clip.frames()[0], B::Spine);
    let out_pose = &out.frames()[0];
    assert!(top.angle_between(turned(&long, out_pose, B::UpperChest)) < 1e-2);
    let hips = turned(&long, out_pose, B::Hips);
    let low = hips.angle_between(turned(&long, out_pose, B::Spine));
    let all = hips.angle_between(top);
    assert!(low > 0.1 * all && low < 0.6 * all, "{low} of {all}");
}

#[test]
fn missing_required_bones_are_named() {
    let clip = moving(&canonical_skeleton(), 0.0);
    let target = other_body(1.0, 0.0, &[HumanBone::LeftLowerArm, HumanBone::Head]);
    assert_eq!(
        retarget(&clip, &target),
        Err(RetargetError::MissingBones(vec!["head", "leftLowerArm"]))
    );
}

/// Returns a character with box-shaped feet whose soles are `below` metres under the floor at rest.
fn with_feet(skeleton: &Arc<Skeleton>, below: f32) -> Character {
    let world = skeleton.rest_world();
    let mut mesh = Mesh { skin: Some(0), ..Mesh::default() };
    for side in Side::BOTH {
        let [_, _, foot, toes] =
            HumanBone::leg(side).map(|bone| skeleton.find(bone).expect("the skeleton has feet"));
        for (joint, from, to) in [(foot, -0.06, 0.10), (toes, 0.0, 0.08)] {
            let centre = world.position(joint);
            for (x, z) in [(-0.04, from), (0.04, from), (0.04, to), (-0.04, to)] {
                mesh.positions.push(Vec3::new(centre.x + x, -below, centre.z + z));
                mesh.normals.push(Vec3::NEG_Y);
                mesh.joints.push([joint.get() as u16, 0, 0, 0]);
                mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
            }
            let first = mesh.positions.len() as u32 - 4;
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
    let inverse_bind: Vec<Mat4> = skeleton.inverse_rest_matrices();
    let character = Character {
        name: "feet".to_owned(),
        skeleton: Arc::clone(skeleton),
        skins: vec![Skin { joints: skeleton.indices().collect(), inverse_bind }],
        meshes: vec![mesh],
        materials: Vec::new(),
        images: Vec::new(),
        avatar: Vec::new(),
    };
    character.check().expect("the character is valid");
    character
}

#[test]
fn soles_are_measured_on_the_mesh() {
    let offset =
        sole_offset(&with_feet(&canonical_skeleton(), 0.013)).expect("the character has feet");
    assert!((offset.left_m + 0.013).abs() < 1e-4 && (offset.right_m + 0.013).abs() < 1e-4);
}

#[test]
fn soles_in_contact_stand_on_the_floor_within_two_millimetres() {
    let skeleton = canonical_skeleton();
    // knees bend and straighten, hips sway, ankles roll: the joints ignore the floor
    let frames = (0..40)
        .map(|frame| {
            let phase = frame as f32 * 0.2;
            let mut pose = skeleton.rest_pose();
            let bend = 0.15 + 0.12 * phase.sin();
            pose.hips_translation.y -= 0.84 * (1.0 - bend.cos()) + 0.01 * (phase * 1.7).sin();
            for side in Side::BOTH {
                let leg = HumanBone::leg(side)
                    .map(|bone| skeleton.find(bone).expect("the skeleton has legs"));
                pose.set_rotation(leg[0], Quat::from_rotation_x(-bend));
                pose.set_rotation(leg[1], Quat::from_rotation_x(2.0 * bend));
                pose.set_rotation(
                    leg[2],
                    Quat::from_euler(EulerRot::XYZ, -bend, 0.0, 0.03 * side.sign()),
                );
            }
            pose
        })
        .collect();
    let mut contacts = vec![Contacts::STANDING; 40];
    contacts[10..20].fill(Contacts::from_bits(3));
    let clip = Clip::new(skeleton.clone(), Fps::DEFAULT, frames)
        .and_then(|clip| clip.with_contacts(contacts.clone()))
        .expect("the poses form a valid clip");
    for below in [0.0, 0.02, -0.015] {
        let character = with_feet(&skeleton, below);
        let soles = Soles::of(&character).expect("the character has feet");
        let grounded = ground(&clip, &soles);
        for (pose, contact) in grounded.frames().iter().zip(&contacts) {
            for side in Side::BOTH {
                let height = soles.lowest(&skeleton, pose, side);
                assert!(height > -0.002, "{height}");
                assert!(!contact.foot(side) || height < 0.002, "{height}");
            }
        }
    }
}

#[test]
fn toe_tips_beyond_the_sole_do_not_penetrate_the_floor() {
    let skeleton = canonical_skeleton();
    let mut robot = with_feet(&skeleton, 0.0);
    // toe tips far in front of the sole and higher above it than the sole is thick
    let front = robot.meshes[0].positions.iter().map(|place| place.z).fold(0.0, f32::max);
    for place in robot.meshes[0].positions.iter_mut().filter(|place| place.z > front - 0.01) {
        *place += Vec3::new(0.0, 0.05, 0.15);
    }
    let frames = (0..20)
        .map(|frame| {
            let (bend, tilt) = (0.5_f32, 0.7 * frame as f32 / 19.0);
            let mut pose = skeleton.rest_pose();
            pose.hips_translation.y -= 0.84 * (1.0 - bend.cos());
            for side in Side::BOTH {
                let leg = HumanBone::leg(side)
                    .map(|bone| skeleton.find(bone).expect("the skeleton has legs"));
                pose.set_rotation(leg[0], Quat::from_rotation_x(-bend));
                pose.set_rotation(leg[1], Quat::from_rotation_x(2.0 * bend));
                pose.set_rotation(leg[2], Quat::from_rotation_x(tilt - bend));
            }
            pose
        })
        .collect();
    let clip = Clip::new(skeleton.clone(), Fps::DEFAULT, frames)
        .and_then(|clip| clip.with_contacts(vec![Contacts::STANDING; 20]))
        .expect("the poses form a valid clip");
    let soles = Soles::of(&robot).expect("the character has feet");
    let grounded = ground(&clip, &soles);
    for side in Side::BOTH {
        let whole = SkinPatch::new(&robot, &robot.foot_vertices(side));
        for pose in grounded.frames() {
            let height = whole.lowest(&skeleton, pose);
            assert!(height.abs() < 0.002, "{height}");
        }
    }
}
