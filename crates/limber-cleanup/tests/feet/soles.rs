//! Tests of measuring on the mesh: two shoes of eight vertices each.

use glam::{Mat4, Quat, Vec3};
use limber_animation::{
    Character, Clip, Contacts, Fps, HumanBone, Mesh, Side, Skin, canonical_skeleton,
};
use limber_cleanup::{Soles, measure_on_mesh};

/// A character that consists only of shoes, with soles at `sole_m` in the rest pose.
fn shoes(sole_m: f32) -> Character {
    let skeleton = canonical_skeleton();
    let world = skeleton.rest_world();
    let mut skin = Skin { joints: Vec::new(), inverse_bind: Vec::new() };
    let mut mesh = Mesh { skin: Some(0), name: "shoes".to_owned(), ..Mesh::default() };
    for side in Side::BOTH {
        let [_, _, foot, toes] = HumanBone::leg(side);
        for (bone, back, front) in [(foot, -0.06, 0.10), (toes, 0.10, 0.20)] {
            let joint = skeleton.find(bone).expect("it has feet");
            let place = u16::try_from(skin.joints.len()).expect("few joints");
            skin.joints.push(joint);
            skin.inverse_bind.push(Mat4::from_translation(-world.position(joint)));
            for z in [back, front] {
                for across in [-0.04, 0.04] {
                    for y in [sole_m, sole_m + 0.05] {
                        let x = world.position(joint).x + across;
                        mesh.positions.push(Vec3::new(x, y, z));
                        mesh.normals.push(Vec3::Y);
                        mesh.joints.push([place, 0, 0, 0]);
                        mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
                    }
                }
            }
        }
    }
    let character = Character {
        name: "shoes".to_owned(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        materials: Vec::new(),
        images: Vec::new(),
        avatar: Vec::new(),
    };
    character.check().expect("the shoes' parts match");
    character
}

/// Ten frames of standing that drift by this vector per frame.
fn standing(way: Vec3) -> Clip {
    let skeleton = canonical_skeleton();
    let frames = (0..10)
        .map(|frame| {
            let mut pose = skeleton.rest_pose();
            pose.hips_translation += way * frame as f32;
            pose
        })
        .collect();
    Clip::new(skeleton, Fps::DEFAULT, frames)
        .and_then(|clip| clip.with_contacts(vec![Contacts::STANDING; 10]))
        .expect("a valid clip")
}

#[test]
fn standing_on_the_floor_has_no_skate_depth_or_float() {
    let metrics = measure_on_mesh(&standing(Vec3::ZERO), &shoes(0.0));
    assert!(metrics.foot_skate_cm_s < 1e-3 && metrics.skate_ratio < 1e-6, "{metrics:?}");
    assert!(metrics.penetration_mm < 1e-2 && metrics.float_mm < 1e-2, "{metrics:?}");
}

#[test]
fn a_drifting_person_skates_at_the_speed_of_the_drift() {
    let metrics = measure_on_mesh(&standing(Vec3::new(0.006, 0.0, 0.008)), &shoes(0.0));
    assert!((metrics.foot_skate_cm_s - 30.0).abs() < 0.1, "{metrics:?}");
    assert!(metrics.skate_ratio > 0.99, "{metrics:?}");
}

#[test]
fn thick_soles_sink_and_thin_ones_float() {
    let sunk = measure_on_mesh(&standing(Vec3::ZERO), &shoes(-0.012));
    assert!((sunk.penetration_mm - 12.0).abs() < 0.1, "{sunk:?}");
    let floating = measure_on_mesh(&standing(Vec3::ZERO), &shoes(0.007));
    assert!((floating.float_mm - 7.0).abs() < 0.1, "{floating:?}");
}

#[test]
fn a_tilted_toe_in_the_floor_counts_with_its_full_depth() {
    let mut robot = shoes(0.0);
    // far in front of the sole, and higher above it than a sole is thick
    for place in robot.meshes[0].positions.iter_mut().filter(|at| at.y > 0.02 && at.z > 0.15) {
        place.z += 0.15;
    }
    let mut clip = standing(Vec3::ZERO);
    let skeleton = canonical_skeleton();
    for pose in clip.frames_mut() {
        for side in Side::BOTH {
            let foot = skeleton.find(HumanBone::leg(side)[2]).expect("it has feet");
            pose.set_rotation(foot, Quat::from_rotation_x(0.7));
        }
    }
    let world = skeleton.world(&clip.frames()[0]);
    let whole = robot.skinned_positions(&robot.meshes[0], &world);
    let deepest_mm = -1000.0 * whole.iter().map(|place| place.y).fold(0.0, f32::min);
    let metrics = measure_on_mesh(&clip, &robot);
    assert!(deepest_mm > 50.0, "{deepest_mm}");
    assert!((metrics.penetration_mm - deepest_mm).abs() < 0.1, "{metrics:?}, {deepest_mm} mm");
}

#[test]
fn soles_are_found_on_the_skin() {
    let soles = Soles::of_character(&shoes(-0.012));
    assert!((soles.ankle_m[0] - 0.097).abs() < 1e-4, "{soles:?}");
    assert!((soles.ball_m[1] - 0.032).abs() < 1e-4, "{soles:?}");
    // 0.8 of the 48 mm by which the shoes extend behind the ankle
    assert!((soles.heel_back_m[0] - 0.8 * 0.048).abs() < 1e-3, "{soles:?}");
}
