//! Properties that hold for every hierarchy.

use std::collections::BTreeSet;

use glam::Vec3;
use limber_animation::HumanBone;
use limber_formats::humanoid::{Overrides, RigJoint, map};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::body::{Build, without_face};
use super::schemes::schemes;
use super::{body, mapped};

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec![
            "Hips",
            "spine_01",
            "LeftArm",
            "左足",
            "Bip001 L Thigh",
            "head",
            "arm",
            "leg",
            "hand.L",
            "DEF-spine",
            "l",
            ":",
            "",
            "_end",
            "0",
            "16",
            "LeftHandThumb4",
            "hip",
            "foot.R",
            "Neck",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9_.: |-]{0,12}",
        any::<String>(),
    ]
}

fn any_bone() -> impl Strategy<Value = HumanBone> {
    proptest::sample::select(HumanBone::ALL.to_vec())
}

prop_compose! {
    fn any_joint()(
        name in any_name(),
        parent in proptest::option::weighted(0.9, 0usize..60),
        place in [-2.0f32..2.0, -2.0f32..2.0, -2.0f32..2.0],
        odd in proptest::option::weighted(
            0.03,
            proptest::sample::select(vec![f32::NAN, f32::INFINITY, 1e30, 0.0]),
        ),
        skinned: bool,
        declared in proptest::option::weighted(0.05, any_bone()),
    ) -> RigJoint {
        let position = odd.map_or(Vec3::from(place), Vec3::splat);
        RigJoint { name, parent, position, skinned, declared }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Parent indices may be arbitrary, even after their children or out of range.
    #[test]
    fn any_tree_is_mapped_without_duplicate_joints(
        joints in proptest::collection::vec(any_joint(), 0..60),
        chosen in proptest::collection::vec((any_bone(), any_name()), 0..3),
    ) {
        let mut overrides = Overrides::default();
        for (bone, name) in chosen {
            overrides.set(bone, name);
        }
        let mapping = map(&joints, &overrides);
        let used: BTreeSet<usize> = mapping.bones.values().map(|found| found.joint).collect();
        prop_assert_eq!(used.len(), mapping.bones.len());
        prop_assert!(used.iter().all(|joint| *joint < joints.len()));
        prop_assert!((0.0..=1.0).contains(&mapping.confidence));
        prop_assert!((mapping.facing.length() - 1.0).abs() < 1e-3);
        prop_assert!(mapping.facing.y.abs() < 1e-3);
        for twist in &mapping.twists {
            prop_assert!(!used.contains(&twist.joint) && (0.0..=1.0).contains(&twist.share));
        }
        let all = mapping.bones.len() + mapping.missing.len();
        prop_assert_eq!(all, HumanBone::ALL.len());
        let _ = (mapping.refusal(), mapping.findings(&joints));
    }

    #[test]
    fn joint_order_does_not_matter(
        place in 0..24usize,
        seed: u64,
        nameless: bool,
    ) {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut rig = schemes().nth(place).expect("there are 24 schemes").rig(Build::ADULT);
        rig.jitter(&mut rng, 0.02);
        if nameless {
            rig.rename_at_random(&mut rng);
        }
        let before = bones_by_name(&rig);
        rig.shuffle(&mut rng);
        prop_assert_eq!(before, bones_by_name(&rig));
    }

    /// For meaningless names, other meaningless names give the same bones.
    #[test]
    fn random_names_do_not_matter(seed: u64, again: u64, hair: bool) {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut rig = body::Rig::new(Build::ADULT, without_face(), |b| Some(b.name().to_owned()));
        if hair {
            rig.add_hair_and_skirt();
        }
        rig.jitter(&mut rng, 0.02);
        rig.rename_at_random(&mut rng);
        let before = mapped(&rig);
        rig.rename_at_random(&mut Pcg64::seed_from_u64(again));
        let after = mapped(&rig);
        prop_assert_eq!(before.bones, after.bones);
    }

    /// Within a convention, other spellings of the same names give the same bones.
    #[test]
    fn name_spelling_does_not_matter(place in 0..24usize, way in 0..4usize) {
        let mut rig = schemes().nth(place).expect("there are 24 schemes").rig(Build::ADULT);
        let before = mapped(&rig);
        for made in &mut rig.made {
            made.name = match way {
                0 => format!("rig:{}", made.name),
                1 => format!("My Armature|{}", made.name),
                2 => made.name.replace(' ', "_"),
                _ => format!("{}.001", made.name),
            };
        }
        prop_assert_eq!(before.bones, mapped(&rig).bones);
    }
}

fn bones_by_name(rig: &body::Rig) -> Vec<(HumanBone, String)> {
    let bones = mapped(rig).bones;
    bones.into_iter().map(|(bone, found)| (bone, rig.name(found.joint).to_owned())).collect()
}
