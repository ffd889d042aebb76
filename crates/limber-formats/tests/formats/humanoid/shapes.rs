//! Bodies with meaningless names.

use glam::Quat;
use limber_animation::HumanBone;
use limber_formats::humanoid::By;
use rand::prelude::*;
use rand_pcg::Pcg64;

use super::body::{Build, Rig, without_face};
use super::{counted, differences, mapped};

/// Variations of the rigs in these tests.
#[derive(Debug, Clone, Copy, Default)]
struct Kind {
    hair: bool,
    tips: bool,
    helpers: bool,
    without: &'static [HumanBone],
}

use HumanBone as B;

const SHOULDERS: [HumanBone; 2] = [B::LeftShoulder, B::RightShoulder];
const TOES: [HumanBone; 2] = [B::LeftToes, B::RightToes];

const KINDS: [(&str, Kind); 9] = [
    ("plain", Kind { hair: false, tips: false, helpers: false, without: &[] }),
    (
        "120 joints with hair and skirt",
        Kind { hair: true, tips: false, helpers: false, without: &[] },
    ),
    ("tips", Kind { hair: false, tips: true, helpers: false, without: &[] }),
    ("twist joints", Kind { hair: false, tips: false, helpers: true, without: &[] }),
    ("hair and tips", Kind { hair: true, tips: true, helpers: false, without: &[] }),
    ("no shoulders", Kind { hair: false, tips: false, helpers: false, without: &SHOULDERS }),
    (
        "no upper chest",
        Kind { hair: false, tips: false, helpers: false, without: &[B::UpperChest] },
    ),
    ("no toes", Kind { hair: false, tips: false, helpers: false, without: &TOES }),
    ("no neck", Kind { hair: false, tips: false, helpers: false, without: &[B::Neck] }),
];

fn rig(build: Build, kind: Kind) -> Rig {
    let bones = without_face().filter(|bone| !kind.without.contains(bone));
    let mut rig = Rig::new(build, bones, |bone| Some(bone.name().to_owned()));
    if kind.helpers {
        for (from, to) in [
            (B::LeftUpperArm, B::LeftLowerArm),
            (B::LeftLowerArm, B::LeftHand),
            (B::LeftUpperLeg, B::LeftLowerLeg),
        ] {
            for (from, to) in [(from, to), (from.mirrored(), to.mirrored())] {
                rig.add_on("along", from, to, 0.5);
                rig.insert("inside", from, to, 0.5);
            }
        }
        rig.add_root("root");
    }
    if kind.hair {
        rig.add_hair_and_skirt();
    }
    if kind.tips {
        rig.add_tips("_tip");
    }
    rig
}

/// Returns a rig with meaningless names, randomly moved and rotated.
fn unnamed_rig(build: Build, kind: Kind, seed: u64) -> Rig {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut rig = rig(build, kind);
    rig.jitter(&mut rng, 0.03);
    rig.rename_at_random(&mut rng);
    rig.shuffle(&mut rng);
    let has_toes = !kind.without.contains(&B::LeftToes);
    if has_toes {
        rig.transform(Quat::from_rotation_y(rng.random_range(-3.0..3.0)), 1.0);
    }
    rig
}

#[test]
fn unnamed_bodies_are_mapped_by_shape() {
    let (mut right, mut all) = (0, 0);
    let mut worst: Vec<String> = Vec::new();
    for seed in 0..12 {
        for (body, build) in Build::ALL {
            for (name, kind) in KINDS {
                let build = if seed % 2 == 0 { build } else { build.a_pose() };
                let rig = unnamed_rig(build, kind, seed);
                let mapping = mapped(&rig);
                let (found, of) = counted(&rig, &mapping);
                right += found;
                all += of;
                if found < of {
                    let wrong = differences(&rig, &mapping).join("; ");
                    worst.push(format!("{body}, {name}, seed {seed}: {found} of {of}: {wrong}"));
                }
            }
        }
    }
    let share = right as f64 / all as f64;
    println!("{right} of {all} bones of unnamed bodies were found: {:.2} %", share * 100.0);
    let worst: Vec<String> = worst.into_iter().take(12).collect();
    assert!(share >= 0.98, "only {:.2} %:\n{}", share * 100.0, worst.join("\n"));
}

#[test]
fn mappings_by_shape_are_reported_as_guesses() {
    let rig = unnamed_rig(Build::ADULT, Kind::default(), 1);
    let mapping = mapped(&rig);
    assert!(mapping.bones.values().all(|found| found.by == By::Structure));
    assert!(mapping.confidence < 0.7, "{}", mapping.confidence);
    let findings = mapping.findings(&rig.joints());
    assert!(findings[0].contains("Please confirm"), "{findings:#?}");
    assert!(findings.iter().any(|finding| finding.ends_with("guessed from its position.")));
}

#[test]
fn sides_follow_the_direction_of_the_feet() {
    for degrees in [0.0f32, 90.0, 180.0, -90.0, 30.0] {
        let mut rig = unnamed_rig(Build::ADULT, Kind { without: &[], ..Kind::default() }, 7);
        let before = mapped(&rig).facing;
        let turn = Quat::from_rotation_y(degrees.to_radians());
        rig.transform(turn, 1.0);
        let mapping = mapped(&rig);
        assert!(differences(&rig, &mapping).is_empty(), "{degrees}");
        assert!(mapping.facing.distance(turn * before) < 0.01, "{degrees}: {}", mapping.facing);
    }
}

#[test]
fn chains_and_stars_of_bones_are_not_bodies() {
    for (name, parent) in [("row", (|at| at - 1) as fn(usize) -> usize), ("star", |_| 0)] {
        let made = (0..20).map(|place| super::body::Made {
            name: format!("Bone{place:02}"),
            parent: (place > 0).then(|| parent(place)),
            position: glam::Vec3::new(0.0, place as f32 * 0.1, 0.0),
            skinned: true,
            bone: None,
        });
        let rig = Rig { made: made.collect() };
        assert!(mapped(&rig).refusal().is_some(), "{name}");
    }
}
