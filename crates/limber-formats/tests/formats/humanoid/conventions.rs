//! Every convention of the tables on the same body, in T-pose and A-pose.

use limber_animation::HumanBone;
use limber_formats::humanoid::{By, Overrides, conventions, map};

use super::body::Build;
use super::schemes::{Scheme, schemes};
use super::{differences, mapped};

fn scheme(convention: &str) -> &'static Scheme {
    schemes().find(|scheme| scheme.convention == convention).expect("the convention has a scheme")
}

#[test]
fn every_bone_of_every_convention_is_found_in_t_and_a_pose() {
    for scheme in schemes() {
        for build in [Build::ADULT, Build::ADULT.a_pose()] {
            let rig = scheme.rig(build);
            let mapping = mapped(&rig);
            let wrong = differences(&rig, &mapping);
            assert!(wrong.is_empty(), "{}: {wrong:#?}", scheme.convention);
            assert_eq!(mapping.convention, scheme.convention);
            assert_eq!(mapping.refusal(), None, "{}", scheme.convention);
            assert!(!mapping.mirrored && !mapping.four_legged, "{}", scheme.convention);
        }
    }
}

#[test]
fn every_bone_of_a_convention_is_found_by_its_table() {
    for scheme in schemes() {
        for (bone, found) in mapped(&scheme.rig(Build::ADULT)).bones {
            assert_eq!(found.by, By::Table, "{}: {}", scheme.convention, bone.name());
        }
    }
}

#[test]
fn known_conventions_need_no_confirmation() {
    for scheme in schemes() {
        let mapping = mapped(&scheme.rig(Build::ADULT));
        // this one has no neck, chest, shoulders or toes
        let least = if scheme.convention == "Roblox R15" { 0.79 } else { 0.9 };
        assert!(mapping.confidence >= least, "{}: {}", scheme.convention, mapping.confidence);
    }
}

#[test]
fn every_body_of_every_convention_is_found_in_metres_and_a_hundred_times_too_large() {
    for scheme in schemes() {
        for (name, build) in Build::ALL {
            for scale in [1.0, 100.0, 0.01] {
                let mut rig = scheme.rig(build);
                rig.transform(glam::Quat::IDENTITY, scale);
                let wrong = differences(&rig, &mapped(&rig));
                assert!(wrong.is_empty(), "{}, {name} × {scale}: {wrong:#?}", scheme.convention);
            }
        }
    }
}

#[test]
fn the_tables_and_these_tests_cover_the_same_conventions() {
    let tested: Vec<&str> = schemes().map(|scheme| scheme.convention).collect();
    for convention in conventions() {
        // the same names as HumanIK's
        let has_own = convention != "Ready Player Me";
        assert_eq!(tested.contains(&convention), has_own, "{convention}");
    }
}

#[test]
fn twist_joints_are_reported_with_their_limb_and_share() {
    let mut seen = 0;
    for scheme in schemes() {
        let rig = scheme.rig(Build::ADULT);
        let mapping = mapped(&rig);
        for (name, bone, share) in scheme.twists() {
            let twist =
                mapping.twists_of(bone).find(|twist| rig.name(twist.joint) == name).unwrap_or_else(
                    || panic!("{}: {name} is not a twist joint of {bone:?}", scheme.convention),
                );
            assert!((twist.share - share).abs() < 0.01, "{name}: {}", twist.share);
            seen += 1;
        }
    }
    assert!(seen > 15, "only {seen} twist joints were tested");
}

#[test]
fn twist_joints_inside_the_chain_are_reported_too() {
    for (convention, joint, bone) in [
        ("Rigify deform", "DEF-upper_arm.L.001", HumanBone::LeftUpperArm),
        ("Rigify deform", "DEF-shin.R.001", HumanBone::RightLowerLeg),
        ("Daz Genesis 8", "lShldrTwist", HumanBone::LeftUpperArm),
        ("Daz Genesis 8", "rForearmTwist", HumanBone::RightLowerArm),
        ("MMD", "左腕捩", HumanBone::LeftUpperArm),
        ("MMD", "右手捩", HumanBone::RightLowerArm),
        ("MakeHuman", "upperleg02.L", HumanBone::LeftUpperLeg),
    ] {
        let rig = scheme(convention).rig(Build::ADULT);
        let mapping = mapped(&rig);
        let twist = mapping.twists_of(bone).find(|twist| rig.name(twist.joint) == joint);
        let twist = twist.unwrap_or_else(|| panic!("{convention}: {joint} is not a twist joint"));
        assert!((0.3..0.7).contains(&twist.share), "{joint}: {}", twist.share);
    }
}

/// Returns the bone that a joint of this name in a convention is mapped to.
fn bone_of(convention: &str, name: &str) -> Option<HumanBone> {
    let rig = scheme(convention).rig(Build::ADULT);
    let mapping = mapped(&rig);
    let joint = rig.made.iter().position(|made| made.name == name).expect("the rig has the joint");
    mapping.bones.into_iter().find(|(_, found)| found.joint == joint).map(|(bone, _)| bone)
}

#[test]
fn left_leg_is_the_lower_leg_but_in_soma_the_upper() {
    for convention in ["HumanIK", "LaFAN1", "CMU BVH"] {
        let name = if convention == "HumanIK" { "Character1_LeftLeg" } else { "LeftLeg" };
        assert_eq!(bone_of(convention, name), Some(HumanBone::LeftLowerLeg));
    }
    assert_eq!(bone_of("SOMA", "LeftLeg"), Some(HumanBone::LeftUpperLeg));
}

#[test]
fn left_shoulder_is_the_collar_bone_but_with_a_collar_the_upper_arm() {
    assert_eq!(bone_of("LaFAN1", "LeftShoulder"), Some(HumanBone::LeftShoulder));
    assert_eq!(bone_of("SMPL", "left_shoulder"), Some(HumanBone::LeftUpperArm));
    assert_eq!(bone_of("Xsens", "LeftShoulder"), Some(HumanBone::LeftUpperArm));
}

#[test]
fn a_hip_with_a_side_is_an_upper_leg() {
    assert_eq!(bone_of("SMPL", "left_hip"), Some(HumanBone::LeftUpperLeg));
    assert_eq!(bone_of("Xsens", "RightHip"), Some(HumanBone::RightUpperLeg));
}

#[test]
fn spine_is_the_hips_in_rigify_and_the_spine_elsewhere() {
    assert_eq!(bone_of("Rigify meta-rig", "spine"), Some(HumanBone::Hips));
    assert_eq!(bone_of("LaFAN1", "Spine"), Some(HumanBone::Spine));
    assert_eq!(bone_of("CMU BVH", "Spine"), Some(HumanBone::Chest));
}

#[test]
fn chest_is_the_first_level_in_xsens_and_the_third_in_soma() {
    assert_eq!(bone_of("Xsens", "Chest"), Some(HumanBone::Spine));
    assert_eq!(bone_of("Unity", "Chest"), Some(HumanBone::Chest));
    assert_eq!(bone_of("SOMA", "Chest"), Some(HumanBone::UpperChest));
}

#[test]
fn left_foot_is_the_toes_where_there_is_an_ankle() {
    assert_eq!(bone_of("SMPL", "left_foot"), Some(HumanBone::LeftToes));
    assert_eq!(bone_of("SMPL", "left_ankle"), Some(HumanBone::LeftFoot));
}

#[test]
fn of_hip_and_pelvis_the_upper_one_is_the_hips() {
    assert_eq!(bone_of("Daz Genesis 8", "hip"), Some(HumanBone::Hips));
    assert_eq!(bone_of("Daz Genesis 8", "pelvis"), None);
    assert_eq!(bone_of("Character Creator", "CC_Base_Pelvis"), None);
}

#[test]
fn thumb_proximal_is_the_metacarpal_in_unity_and_not_in_vrm_1() {
    assert_eq!(bone_of("Unity", "LeftThumbProximal"), Some(HumanBone::LeftThumbMetacarpal));
    assert_eq!(bone_of("Unity", "LeftThumbIntermediate"), Some(HumanBone::LeftThumbProximal));
    assert_eq!(bone_of("VRM", "leftThumbProximal"), Some(HumanBone::LeftThumbProximal));
}

#[test]
fn a_finger_with_hand_in_its_name_is_a_finger() {
    assert_eq!(bone_of("Rokoko Newton", "RightHandRing1"), Some(HumanBone::RightRingProximal));
}

#[test]
fn daz_bend_joints_are_bones_and_twist_joints_are_not() {
    assert_eq!(bone_of("Daz Genesis 8", "lThighBend"), Some(HumanBone::LeftUpperLeg));
    assert_eq!(bone_of("Daz Genesis 8", "lThighTwist"), None);
}

#[test]
fn rigify_control_bones_are_ignored() {
    for name in ["ORG-hand.L", "MCH-forearm_tweak.L", "upper_arm_fk.L", "hand_ik.L", "torso"] {
        assert_eq!(bone_of("Rigify deform", name), None, "{name}");
    }
}

#[test]
fn a_spine_of_five_and_a_neck_of_two_keep_their_levels() {
    let levels = [
        ("spine_01", Some(HumanBone::Spine)),
        ("spine_02", None),
        ("spine_03", Some(HumanBone::Chest)),
        ("spine_04", None),
        ("spine_05", Some(HumanBone::UpperChest)),
        ("neck_01", Some(HumanBone::Neck)),
        ("neck_02", None),
        ("index_metacarpal_l", None),
    ];
    for (name, bone) in levels {
        assert_eq!(bone_of("Unreal 5", name), bone, "{name}");
    }
}

#[test]
fn every_spelling_of_the_mixamo_prefix_is_recognised() {
    for prefix in ["mixamorig:", "mixamorig1:", "mixamorig12:", "mixamorig", "mixamorig_", ""] {
        let mut rig = scheme("Mixamo").rig(Build::ADULT);
        for made in &mut rig.made {
            made.name = made.name.replace("mixamorig:", prefix);
        }
        let mapping = mapped(&rig);
        let wrong = differences(&rig, &mapping);
        assert!(wrong.is_empty(), "{prefix}: {wrong:#?}");
        let expected = if prefix.is_empty() { "HumanIK" } else { "Mixamo" };
        assert_eq!(mapping.convention, expected, "{prefix}");
    }
}

#[test]
fn names_may_have_namespaces_suffixes_and_exporter_numbers() {
    let dressed: [fn(usize, &str) -> String; 5] = [
        |_, name| format!("Guy_01:rig:{name}"),
        |_, name| format!("Armature|{name}"),
        |_, name| format!("{name}_jnt"),
        |place, name| format!("{name}_{place:03}"),
        |_, name| name.to_uppercase(),
    ];
    for scheme in ["Unreal 4", "LaFAN1", "SMPL"].map(scheme) {
        for (way, dress) in dressed.iter().enumerate() {
            let mut rig = scheme.rig(Build::ADULT);
            for (place, made) in rig.made.iter_mut().enumerate() {
                made.name = dress(place, &made.name);
            }
            let wrong = differences(&rig, &map(&rig.joints(), &Overrides::default()));
            assert!(wrong.is_empty(), "{}, way {way}: {wrong:#?}", scheme.convention);
        }
    }
}
