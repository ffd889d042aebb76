//! Bodies that differ from the mannequin.

use std::f32::consts::FRAC_PI_2;

use glam::{Quat, Vec3};
use limber_animation::{Finger, HumanBone as B, Phalanx, Side};

use super::scene::{Part, Scene};

pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) scene: Scene,
    /// The bones that must be found.
    pub(super) bones: Vec<B>,
}

pub(super) fn cases() -> Vec<Case> {
    let cases = [
        ("no toes", without(&[B::LeftToes, B::RightToes])),
        ("a spine of one joint", without(&[B::Chest, B::UpperChest])),
        ("neither neck nor shoulders", without(&[B::Neck, B::LeftShoulder, B::RightShoulder])),
        ("hands of four fingers", four_fingers()),
        ("no fingers", no_fingers()),
        ("arms hanging, feet turned out", relaxed()),
        ("short legs, long arms", built(0.6, 1.35, 1.0)),
        ("long legs, short arms", built(1.25, 0.8, 1.0)),
        ("a child", built(0.8, 0.85, 0.65)),
        ("high heels", high_heels()),
        ("thighs on the spine", biped()),
        ("no bind matrices", no_bind_matrices()),
        ("two bind poses", two_bind_poses()),
        ("sitting", sitting()),
    ];
    let found = |scene: &Scene| scene.nodes.iter().filter_map(|node| node.bone).collect();
    cases.map(|(name, scene)| Case { name, bones: found(&scene), scene }).into()
}

fn without(bones: &[B]) -> Scene {
    let mut scene = Scene::mannequin();
    for bone in bones {
        scene.remove(*bone);
    }
    scene
}

fn four_fingers() -> Scene {
    let rings = Side::BOTH.into_iter().flat_map(|side| {
        Phalanx::ALL.into_iter().rev().map(move |phalanx| B::finger(side, Finger::Ring, phalanx))
    });
    without(&rings.collect::<Vec<_>>())
}

fn no_fingers() -> Scene {
    let fingers = Side::BOTH.into_iter().flat_map(|side| {
        Finger::ALL.into_iter().flat_map(move |finger| {
            Phalanx::ALL.into_iter().rev().map(move |phalanx| B::finger(side, finger, phalanx))
        })
    });
    without(&fingers.collect::<Vec<_>>())
}

fn turned(turns: &[(B, Quat)]) -> Scene {
    let mut scene = Scene::mannequin();
    for (bone, turn) in turns {
        let joint = scene.find(*bone);
        scene.nodes[joint].rotation = *turn;
    }
    scene.pose_rest();
    scene
}

fn relaxed() -> Scene {
    let (x, y, z) = (Quat::from_rotation_x, Quat::from_rotation_y, Quat::from_rotation_z);
    turned(&[
        (B::LeftUpperArm, z(-1.2)),
        (B::RightUpperArm, z(1.2)),
        (B::LeftLowerArm, y(-0.3)),
        (B::RightLowerArm, y(0.3)),
        (B::LeftUpperLeg, z(0.12) * y(0.25)),
        (B::RightUpperLeg, z(-0.12) * y(-0.25)),
        (B::LeftFoot, z(-0.12)),
        (B::RightFoot, z(0.12)),
        (B::Spine, x(0.06)),
        (B::Neck, x(-0.08)),
    ])
}

fn sitting() -> Scene {
    let x = Quat::from_rotation_x;
    turned(&[
        (B::LeftUpperLeg, x(-FRAC_PI_2)),
        (B::RightUpperLeg, x(-FRAC_PI_2)),
        (B::LeftLowerLeg, x(FRAC_PI_2)),
        (B::RightLowerLeg, x(FRAC_PI_2)),
    ])
}

/// On tiptoe in high heels: the feet point steeply down.
fn high_heels() -> Scene {
    let x = Quat::from_rotation_x;
    turned(&[
        (B::LeftFoot, x(0.7)),
        (B::RightFoot, x(0.7)),
        (B::LeftToes, x(-0.7)),
        (B::RightToes, x(-0.7)),
    ])
}

/// Scales legs, arms and the whole body; the skin follows the joints.
fn built(legs: f32, arms: f32, size: f32) -> Scene {
    let mut scene = Scene::mannequin();
    for side in Side::BOTH {
        let ([_, _, forearm, hand], [_, shin, foot, _]) = (B::arm(side), B::leg(side));
        for (bone, factor) in [(forearm, arms), (hand, arms), (shin, legs), (foot, legs)] {
            let joint = scene.find(bone);
            scene.nodes[joint].translation *= factor;
        }
    }
    for node in &mut scene.nodes {
        node.translation *= size;
    }
    for at in scene.parts.iter_mut().flat_map(|part| &mut part.mesh.positions) {
        *at *= size;
    }
    for matrix in scene.skins[0].inverse_bind.iter_mut().flatten() {
        matrix.w_axis *= Vec3::splat(size).extend(1.0);
    }
    scene.pose_rest();
    let height = scene.parts[0].mesh.positions.iter().map(|at| at.y).fold(f32::MAX, f32::min);
    let hips = scene.find(B::Hips);
    scene.nodes[hips].translation.y -= height;
    scene
}

/// As some exporters write bipeds: the legs are children of the spine, the shoulders of the neck.
fn biped() -> Scene {
    let mut scene = Scene::mannequin();
    for (bone, above) in [
        (B::LeftUpperLeg, B::Spine),
        (B::RightUpperLeg, B::Spine),
        (B::LeftShoulder, B::Neck),
        (B::RightShoulder, B::Neck),
    ] {
        let (joint, above) = (scene.find(bone), scene.find(above));
        scene.hang(joint, above);
    }
    scene
}

/// Vertices stored in the space of the single joint that moves them.
fn no_bind_matrices() -> Scene {
    let mut scene = Scene::mannequin();
    let world = scene.world();
    for part in &mut scene.parts {
        for vertex in 0..part.mesh.positions.len() {
            let place = part.mesh.joints[vertex][0];
            let back = world[scene.skins[0].joints[usize::from(place)]].inverse();
            part.mesh.positions[vertex] = back.transform_point3(part.mesh.positions[vertex]);
            part.mesh.joints[vertex] = [place, 0, 0, 0];
            part.mesh.weights[vertex] = [1.0, 0.0, 0.0, 0.0];
        }
    }
    scene.skins[0].inverse_bind = None;
    scene
}

/// A body bound in another pose than the other meshes: arms down, one knee bent.
fn two_bind_poses() -> Scene {
    let mut scene = Scene::mannequin();
    let mut posed = scene.clone();
    for (bone, turn) in [
        (B::LeftUpperArm, Quat::from_rotation_z(-0.9)),
        (B::RightUpperArm, Quat::from_rotation_z(0.9)),
        (B::LeftLowerLeg, Quat::from_rotation_x(0.5)),
    ] {
        let joint = posed.find(bone);
        posed.nodes[joint].rotation = turn;
    }
    posed.pose_rest();
    scene.skins.push(posed.skins[0].clone());
    scene.parts[0] = Part { skin: Some(1), ..posed.parts[0].clone() };
    scene
}
