//! Unusual rigs.

use glam::{Quat, Vec3};
use limber_animation::HumanBone;
use limber_formats::humanoid::{By, Mapping, Overrides, map};

use super::body::{Build, Made, Rig};
use super::schemes::schemes;
use super::{differences, mapped};

use HumanBone as B;

fn rig_of(convention: &str) -> Rig {
    let scheme = schemes().find(|scheme| scheme.convention == convention);
    scheme.expect("the scheme exists").rig(Build::ADULT)
}

/// Creates a rig from an outline with two spaces per level: `name x y z`.
fn outlined(outline: &str) -> Rig {
    let mut made: Vec<Made> = Vec::new();
    let mut above: Vec<usize> = Vec::new();
    for line in outline.lines().filter(|line| !line.trim().is_empty()) {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let mut words = line.split_whitespace();
        let name = words.next().expect("each line has a name").to_owned();
        let numbers: Vec<f32> =
            words.map(|word| word.parse().expect("the word is a number")).collect();
        above.truncate(depth);
        let parent = above.last().copied();
        let position = Vec3::from_slice(&numbers);
        above.push(made.len());
        made.push(Made { name, parent, position, skinned: true, bone: None });
    }
    Rig { made }
}

/// Creates both sides from an outline: lines with `@` are repeated mirrored, with R for L.
fn both_sides(outline: &str) -> Rig {
    let left = outlined(&outline.replace('@', "L"));
    let mut rig = left.clone();
    let mut other: Vec<Option<usize>> = vec![None; left.made.len()];
    for (place, made) in left.made.iter().enumerate() {
        if !made.name.ends_with(".L") {
            continue;
        }
        let parent = made.parent.map(|parent| other[parent].unwrap_or(parent));
        other[place] = Some(rig.made.len());
        rig.made.push(Made {
            name: made.name.replace(".L", ".R"),
            parent,
            position: made.position * Vec3::new(-1.0, 1.0, 1.0),
            ..made.clone()
        });
    }
    rig
}

fn bone_named(rig: &Rig, mapping: &Mapping, bone: HumanBone) -> String {
    mapping.joint(bone).map_or_else(|| "nothing".to_owned(), |joint| rig.name(joint).to_owned())
}

fn has_warning(mapping: &Mapping, words: &str) -> bool {
    mapping.warnings.iter().any(|warning| warning.to_string().contains(words))
}

/// Hips that carry only the trunk, feet as children of the root, palms instead of hands.
const CONTROLLED: &str = "
Bone 0 0 0
  Foot.@ 0.12 0.09 0
  Body 0 1 0
    Hips 0 1.02 0
      Abdomen 0 1.15 0
        Torso 0 1.3 0
          Neck 0 1.5 0
            Head 0 1.6 0
              Head_end 0 1.8 0
          Shoulder.@ 0.05 1.45 0
            UpperArm.@ 0.18 1.45 0
              LowerArm.@ 0.45 1.45 0
                Palm.@ 0.7 1.45 0
                  Fingers.@ 0.8 1.45 0
    UpperLeg.@ 0.1 0.95 0
      LowerLeg.@ 0.1 0.5 0.02
  PoleTarget.@ 0.1 0.5 0.8
";

#[test]
fn the_joint_above_the_legs_is_the_hips() {
    let rig = both_sides(CONTROLLED);
    let mapping = mapped(&rig);
    let found = [B::Hips, B::Spine, B::Chest, B::UpperChest].map(|b| bone_named(&rig, &mapping, b));
    assert_eq!(found, ["Body", "Hips", "Abdomen", "Torso"]);
    assert_eq!(mapping.refusal(), None);
}

#[test]
fn feet_on_the_root_are_feet_and_pole_targets_are_not() {
    let rig = both_sides(CONTROLLED);
    let mapping = mapped(&rig);
    assert_eq!(bone_named(&rig, &mapping, B::LeftFoot), "Foot.L");
    assert_eq!(bone_named(&rig, &mapping, B::RightLowerLeg), "LowerLeg.R");
    assert!(mapping.bones.values().all(|found| !rig.name(found.joint).contains("Pole")));
}

#[test]
fn a_single_palm_is_the_hand() {
    let rig = both_sides(CONTROLLED);
    assert_eq!(bone_named(&rig, &mapped(&rig), B::LeftHand), "Palm.L");
}

/// Returns the same body with other joints below its forearms.
fn ending_in(hands: &str) -> Rig {
    let palms = "                Palm.@ 0.7 1.45 0\n                  Fingers.@ 0.8 1.45 0\n";
    assert!(CONTROLLED.contains(palms));
    both_sides(&CONTROLLED.replace(palms, hands))
}

#[test]
fn bodies_without_hands_are_accepted_with_warnings() {
    let rig = ending_in("");
    let mapping = mapped(&rig);
    assert_eq!(mapping.refusal(), None);
    assert_eq!(mapping.excused, [B::LeftHand, B::RightHand]);
    assert_eq!(bone_named(&rig, &mapping, B::LeftLowerArm), "LowerArm.L");
    assert!(has_warning(&mapping, "no joint for the left hand"), "{:?}", mapping.warnings);
}

#[test]
fn fists_are_hands_and_numbered_joints_below_them_are_not() {
    let rig = ending_in(
        "                Fist.@ 0.7 1.45 0
                  Fist1.@ 0.75 1.45 0
                    Fist2.@ 0.8 1.45 0
",
    );
    let mapping = mapped(&rig);
    assert_eq!(mapping.refusal(), None);
    assert_eq!(bone_named(&rig, &mapping, B::LeftHand), "Fist.L");
    assert_eq!(bone_named(&rig, &mapping, B::RightHand), "Fist.R");
}

#[test]
fn bodies_with_fingers_but_no_hands_are_accepted() {
    let outline = CONTROLLED
        .replace("                Palm.@ 0.7 1.45 0\n                  Fingers.@ 0.8 1.45 0\n", "")
        + "";
    let outline = outline.replace(
        "              LowerArm.@ 0.45 1.45 0\n",
        "              LowerArm.@ 0.45 1.45 0
                Index1.@ 0.75 1.45 0.03
                  Index2.@ 0.8 1.45 0.03
                    Index3.@ 0.83 1.45 0.03
                Thumb1.@ 0.7 1.45 0.04
                  Thumb2.@ 0.75 1.45 0.06
",
    );
    let rig = both_sides(&outline);
    let mapping = mapped(&rig);
    assert_eq!(mapping.excused, [B::LeftHand, B::RightHand]);
    assert_eq!(mapping.refusal(), None);
    assert_eq!(bone_named(&rig, &mapping, B::LeftIndexDistal), "Index3.L");
    assert_eq!(bone_named(&rig, &mapping, B::RightThumbMetacarpal), "Thumb1.R");
    assert_eq!(bone_named(&rig, &mapping, B::RightThumbProximal), "Thumb2.R");
}

#[test]
fn missing_neck_and_shoulders_and_extra_controls_are_accepted() {
    let rig = both_sides(
        "
root 0 0 0
  hips 0 0.4 0
    spine 0 0.6 0
      chest 0 0.97 0
        upperarm.@ 0.2 1.1 0
          lowerarm.@ 0.45 1.1 0
            wrist.@ 0.7 1.1 0
              hand.@ 0.76 1.1 0
                handslot.@ 0.85 1.1 0
        head 0 1.24 0
    upperleg.@ 0.17 0.52 0
      lowerleg.@ 0.17 0.3 0.02
        foot.@ 0.17 0.14 -0.02
          toes.@ 0.17 0.02 0.15
  kneeIK.@ 0.17 0.3 0.6
  control-foot-roll.@ 0.17 0.02 0.1
    IK-foot.@ 0.17 0.14 -0.02
  handIK.@ 0.76 1.1 0
",
    );
    let mapping = mapped(&rig);
    let found = |bone| bone_named(&rig, &mapping, bone);
    assert_eq!(found(B::LeftHand), "hand.L");
    assert_eq!(found(B::LeftFoot), "foot.L");
    assert_eq!(found(B::Chest), "chest");
    assert_eq!((found(B::Neck), found(B::LeftShoulder)), ("nothing".into(), "nothing".into()));
    assert_eq!(mapping.refusal(), None);
    assert_eq!(mapping.convention, "part names");
    assert!(mapping.twists.is_empty(), "a wrist has no twist joints: {:?}", mapping.twists);
    assert!(mapping.confidence >= 0.7, "{}", mapping.confidence);
}

#[test]
fn spine_names_of_other_conventions_are_recognised() {
    let mut rig = rig_of("LaFAN1");
    for (old, new) in [("Spine1", "Chest"), ("Spine2", "UpperChest"), ("LeftToe", "LeftToes")] {
        let joint =
            rig.made.iter_mut().find(|made| made.name == old).expect("the rig has this joint");
        joint.name = new.to_owned();
    }
    assert!(differences(&rig, &mapped(&rig)).is_empty());
}

#[test]
fn thumbs_of_mittens_are_found() {
    let outline = CONTROLLED.replace(
        "                  Fingers.@ 0.8 1.45 0\n",
        "                  MiddleHand.@ 0.75 1.45 0
                    Thumb1.@ 0.77 1.45 0.03
                      Thumb2.@ 0.8 1.45 0.06
                    Fingers.@ 0.85 1.45 0
",
    );
    let rig = both_sides(&outline);
    let mapping = mapped(&rig);
    assert_eq!(bone_named(&rig, &mapping, B::LeftThumbProximal), "Thumb2.L");
    assert_eq!(bone_named(&rig, &mapping, B::RightMiddleIntermediate), "Fingers.R");
}

#[test]
fn mesh_nodes_named_like_limbs_are_not_limbs() {
    let mut rig = rig_of("LaFAN1");
    for bone in [B::LeftHand, B::LeftToes] {
        let joint = rig.truth(bone).expect("the rig has this bone");
        rig.made[joint].name = "nothing".to_owned();
    }
    for name in ["LeftHand", "LeftToe", "LeftEye"] {
        rig.made.push(Made {
            name: name.to_owned(),
            parent: None,
            position: Vec3::ZERO,
            skinned: false,
            bone: None,
        });
    }
    let mapping = mapped(&rig);
    for found in mapping.bones.values() {
        assert!(rig.made[found.joint].skinned, "{}", rig.name(found.joint));
    }
    assert_eq!(
        mapping.joint(B::LeftHand),
        rig.truth(B::LeftHand),
        "the hand is found by its position"
    );
}

#[test]
fn numbered_joints_are_mapped_by_their_chain() {
    let rig = outlined(
        "
Skeleton_torso_joint_1 0 0.7 0
  Skeleton_torso_joint_2 0 0.9 0
    torso_joint_3 0 1.1 0
      Skeleton_neck_joint_1 0 1.25 0
        Skeleton_neck_joint_2 0 1.35 0
      Skeleton_arm_joint_L__4_ 0.15 1.2 0
        Skeleton_arm_joint_L__3_ 0.2 0.95 0
          Skeleton_arm_joint_L__2_ 0.25 0.7 0.05
      Skeleton_arm_joint_R -0.15 1.2 0
        Skeleton_arm_joint_R__2_ -0.2 0.95 0
          Skeleton_arm_joint_R__3_ -0.25 0.7 0.05
  leg_joint_L_1 0.08 0.65 0
    leg_joint_L_2 0.08 0.35 0.02
      leg_joint_L_3 0.08 0.07 -0.02
        leg_joint_L_5 0.08 0.01 0.08
  leg_joint_R_1 -0.08 0.65 0
    leg_joint_R_2 -0.08 0.35 0.02
      leg_joint_R_3 -0.08 0.07 -0.02
        leg_joint_R_5 -0.08 0.01 0.08
",
    );
    let mapping = mapped(&rig);
    assert_eq!(mapping.refusal(), None, "{:#?}", mapping.findings(&rig.joints()));
    for (bone, name) in [
        (B::Hips, "Skeleton_torso_joint_1"),
        (B::Spine, "Skeleton_torso_joint_2"),
        (B::Chest, "torso_joint_3"),
        (B::Neck, "Skeleton_neck_joint_1"),
        (B::Head, "Skeleton_neck_joint_2"),
        (B::LeftUpperArm, "Skeleton_arm_joint_L__4_"),
        (B::LeftHand, "Skeleton_arm_joint_L__2_"),
        (B::RightLowerArm, "Skeleton_arm_joint_R__2_"),
        (B::RightFoot, "leg_joint_R_3"),
        (B::LeftToes, "leg_joint_L_5"),
    ] {
        assert_eq!(bone_named(&rig, &mapping, bone), name, "{}", bone.name());
    }
}

#[test]
fn four_legged_animals_are_rejected() {
    let rig = both_sides(
        "
Hip 0 0.6 -0.4
  Spine01 0 0.62 -0.1
    Spine02 0 0.62 0.2
      Neck 0 0.65 0.35
        Head 0 0.7 0.5
      UpperArm.@ 0.07 0.5 0.3
        ForeArm.@ 0.07 0.3 0.25
          Hand.@ 0.07 0.05 0.3
  Leg01.@ 0.07 0.5 -0.4
    Leg02.@ 0.07 0.3 -0.35
      Foot01.@ 0.07 0.12 -0.45
        Foot02.@ 0.07 0.02 -0.4
",
    );
    let mapping = mapped(&rig);
    assert!(mapping.four_legged);
    assert!(mapping.refusal().is_some_and(|why| why.contains("four legs")));
}

#[test]
fn deform_bones_are_preferred_to_control_bones() {
    for controls_come_first in [true, false] {
        let body = rig_of("LaFAN1");
        let mut made = body.made.clone();
        let mut controls = body.made;
        for control in &mut controls {
            control.skinned = false;
            control.bone = None;
        }
        let (mut first, second) = if controls_come_first {
            (controls, std::mem::take(&mut made))
        } else {
            (made, controls)
        };
        let count = first.len();
        first.extend(second.into_iter().map(|mut joint| {
            joint.parent = joint.parent.map(|parent| parent + count);
            joint
        }));
        let rig = Rig { made: first };
        assert!(differences(&rig, &mapped(&rig)).is_empty());
    }
}

#[test]
fn swapped_side_names_are_detected() {
    for convention in ["Mixamo", "Unreal 4", "MMD", "Character Creator"] {
        let mut rig = rig_of(convention);
        let twin = |name: &str| -> String {
            let marks = [("Left", "Right"), ("_l", "_r"), ("左", "右"), ("_L_", "_R_")];
            let (left, right) = *marks
                .iter()
                .find(|(l, r)| name.contains(l) || name.contains(r))
                .unwrap_or(&("\0", "\0"));
            if name.contains(left) {
                name.replacen(left, right, 1)
            } else {
                name.replacen(right, left, 1)
            }
        };
        for made in &mut rig.made {
            made.name = twin(&made.name);
        }
        let mapping = mapped(&rig);
        let wrong = differences(&rig, &mapping);
        assert!(wrong.is_empty(), "{convention}: {wrong:#?}");
        assert!(mapping.mirrored);
        assert!(has_warning(&mapping, "left and right exchanged"), "{:?}", mapping.warnings);
        assert!(mapping.facing.distance(Vec3::Z) < 0.01);
    }
}

#[test]
fn bodies_facing_backwards_are_not_mirrored() {
    let mut rig = rig_of("VRoid");
    rig.transform(Quat::from_rotation_y(std::f32::consts::PI), 1.0);
    let mapping = mapped(&rig);
    assert!(differences(&rig, &mapping).is_empty());
    assert!(!mapping.mirrored);
    assert!(mapping.facing.distance(Vec3::NEG_Z) < 0.01);
}

#[test]
fn declared_bones_are_used_as_declared() {
    let rig = rig_of("HumanIK");
    let mut joints = rig.joints();
    for bone in HumanBone::REQUIRED {
        joints[rig.truth(bone).expect("the rig has this bone")].declared = Some(bone);
    }
    let mapping = map(&joints, &Overrides::default());
    assert_eq!(mapping.convention, "declared");
    assert_eq!(mapping.confidence, 1.0);
    assert_eq!(mapping.bones.len(), HumanBone::REQUIRED.len());
    assert!(mapping.bones.values().all(|found| found.by == By::Vrm));
}

#[test]
fn partial_declarations_are_completed_by_names() {
    let rig = rig_of("HumanIK");
    let mut joints = rig.joints();
    joints[rig.truth(B::Head).expect("the rig has a head")].declared = Some(B::Head);
    let mapping = map(&joints, &Overrides::default());
    assert!(differences(&rig, &mapping).is_empty());
    assert_eq!(mapping.bones[&B::Head].by, By::Vrm);
}

#[test]
fn overrides_win() {
    let mut rig = rig_of("LaFAN1");
    let spine = rig.truth(B::Chest).expect("the rig has a chest");
    let own = rig.add("OddBall", spine, Vec3::new(0.0, 1.4, 0.2), true);
    let mut choice = Overrides::default();
    choice.set(B::Jaw, "OddBall");
    choice.set(B::Neck, "Head");
    let mapping = map(&rig.joints(), &choice);
    assert_eq!(mapping.joint(B::Jaw), Some(own));
    assert_eq!(bone_named(&rig, &mapping, B::Neck), "Head");
    assert_eq!(mapping.bones[&B::Neck].by, By::User);
    assert!(mapping.missing.contains(&B::Head), "a joint is mapped to at most one bone");
}

#[test]
fn declined_bones_have_no_joint() {
    for scheme in schemes() {
        let rig = scheme.rig(Build::ADULT);
        let found = map(&rig.joints(), &Overrides::default());
        let ends = [B::LeftToes, B::RightToes, B::Jaw, B::LeftEye];
        let mut declined: Vec<B> =
            ends.into_iter().filter(|bone| found.bones.contains_key(bone)).collect();
        declined.sort();
        let mut choice = Overrides::default();
        for bone in &declined {
            choice.decline(*bone);
        }
        let mapping = map(&rig.joints(), &choice);
        assert_eq!(mapping.declined, declined);
        assert!(
            declined.iter().all(|bone| mapping.missing.contains(bone)),
            "{}",
            scheme.convention
        );
        for (bone, before) in found.bones.iter().filter(|(bone, _)| !declined.contains(bone)) {
            assert_eq!(mapping.joint(*bone), Some(before.joint), "{} {bone:?}", scheme.convention);
        }
    }
}

#[test]
fn declining_the_hips_is_rejected() {
    let mut choice = Overrides::default();
    choice.decline(B::Hips);
    let mapping = map(&rig_of("LaFAN1").joints(), &choice);
    assert!(mapping.refusal().is_some_and(|why| why.contains("hips")), "{:?}", mapping.refusal());
}

#[test]
fn impossible_overrides_are_ignored_with_warnings() {
    let rig = rig_of("LaFAN1");
    for (bones, why) in [
        (&[(B::Head, "NoSuchJoint")][..], "no joint with that name"),
        (&[(B::Hips, "Spine"), (B::Spine, "Spine")][..], "already the hips"),
        (&[(B::Hips, "Head"), (B::Spine, "Spine")][..], "in the hierarchy"),
    ] {
        let mut choice = Overrides::default();
        for (bone, joint) in bones {
            choice.set(*bone, *joint);
        }
        let mapping = map(&rig.joints(), &choice);
        assert!(has_warning(&mapping, why), "{:?}", mapping.warnings);
    }
}

#[test]
fn overrides_are_stored_as_an_object_of_names() {
    let mut choice = Overrides::default();
    choice.set(B::LeftHand, "Hand_L");
    choice.decline(B::Jaw);
    let text = serde_json::to_string(&choice).expect("names can be written");
    assert_eq!(text, r#"{"jaw":null,"leftHand":"Hand_L"}"#);
    assert_eq!(serde_json::from_str::<Overrides>(&text).expect("names can be parsed"), choice);
    let error =
        serde_json::from_str::<Overrides>(r#"{"tail":"x"}"#).expect_err("the bone does not exist");
    assert!(error.to_string().contains("`tail` is not the name of a human bone"), "{error}");
}

#[test]
fn refusals_name_the_missing_bones() {
    let mut rig = rig_of("LaFAN1");
    rig.made.retain(|made| !matches!(made.bone, Some(B::LeftToes | B::LeftFoot | B::Head)));
    // the order is unchanged, so parents are found again by name
    let full = rig_of("LaFAN1");
    let parents: Vec<Option<String>> = rig
        .made
        .iter()
        .map(|made| made.parent.map(|parent| full.name(parent).to_owned()))
        .collect();
    for (place, parent) in parents.into_iter().enumerate() {
        rig.made[place].parent =
            parent.and_then(|parent| rig.made.iter().position(|made| made.name == parent));
    }
    let refusal = mapped(&rig).refusal().expect("two bones are missing");
    assert!(refusal.contains("head and left foot"), "{refusal}");
}
