//! Joints preserve their volume when they bend: the cross-section through the joint, in the plane
//! that bisects the angle between the two bones, keeps 80 % of its area at rest.

use glam::{Quat, Vec3};
use limber_animation::{Character, HumanBone as B, Mesh};

use crate::CHARACTERS;
use crate::body::welded;
use crate::section::{Plane, area};

/// The joint, the bones before and after it, the axis it bends about, and the radius of the
/// section.
struct Bend {
    joint: B,
    before: B,
    after: B,
    axis: Vec3,
    reach_m: f32,
}

const BENDS: [Bend; 5] = [
    Bend {
        joint: B::LeftLowerArm,
        before: B::LeftUpperArm,
        after: B::LeftHand,
        axis: Vec3::NEG_Y,
        reach_m: 0.13,
    },
    Bend {
        joint: B::LeftLowerLeg,
        before: B::LeftUpperLeg,
        after: B::LeftFoot,
        axis: Vec3::X,
        reach_m: 0.18,
    },
    // Forwards across the chest, up overhead, and down past the flank.
    Bend {
        joint: B::LeftUpperArm,
        before: B::LeftShoulder,
        after: B::LeftLowerArm,
        axis: Vec3::NEG_Y,
        reach_m: 0.15,
    },
    Bend {
        joint: B::LeftUpperArm,
        before: B::LeftShoulder,
        after: B::LeftLowerArm,
        axis: Vec3::Z,
        reach_m: 0.15,
    },
    Bend {
        joint: B::LeftUpperArm,
        before: B::LeftShoulder,
        after: B::LeftLowerArm,
        axis: Vec3::NEG_Z,
        reach_m: 0.15,
    },
];

fn section(character: &Character, bend: &Bend, degrees: f32) -> f32 {
    let skeleton = &character.skeleton;
    let find = |bone| skeleton.find(bone).expect("stock characters have all bones");
    let mut pose = skeleton.rest_pose();
    pose.set_rotation(find(bend.joint), Quat::from_axis_angle(bend.axis, degrees.to_radians()));
    let world = skeleton.world(&pose);
    let at = |bone| world.position(find(bone));
    let along = |from: Vec3, to: Vec3| (to - from).normalize();
    let normal = along(at(bend.before), at(bend.joint)) + along(at(bend.joint), at(bend.after));
    let bent = Character {
        meshes: character
            .meshes
            .iter()
            .map(|mesh| Mesh {
                positions: character.skinned_positions(mesh, &world),
                ..mesh.clone()
            })
            .collect(),
        ..character.clone()
    };
    let (positions, triangles) = welded(&bent);
    let plane = Plane { centre: at(bend.joint), normal: normal.normalize() };
    let girth = skeleton.rest_world().position(find(B::Head)).y / 1.54;
    area(&positions, &triangles, &plane, bend.reach_m * girth)
}

#[test]
fn joints_bent_by_120_degrees_keep_four_fifths_of_their_cross_section() {
    // the slowest of these tests: one thread per character
    std::thread::scope(|threads| {
        for character in CHARACTERS.iter() {
            threads.spawn(|| joints_keep_their_sections(character));
        }
    });
}

fn joints_keep_their_sections(character: &Character) {
    for bend in &BENDS {
        let rest = section(character, bend, 0.0);
        for degrees in [60.0, 90.0, 120.0] {
            let share = section(character, bend, degrees) / rest;
            assert!(
                share >= 0.8,
                "{}: {:?} about {} by {degrees}° keeps {share:.2}",
                character.name,
                bend.joint,
                bend.axis
            );
        }
    }
}
