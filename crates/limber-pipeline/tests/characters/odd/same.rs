//! Other representations of the mannequin.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{EulerRot, Quat, Vec3};
use limber_animation::HumanBone as B;

use super::scene::{Node, Part, Scene, Skin};

pub(super) fn cases() -> Vec<(&'static str, Scene)> {
    vec![
        ("armature scaled by 0.01", armature_scaled(0.01)),
        ("armature scaled by 100", armature_scaled(100.0)),
        ("armature turned upright", armature_turned()),
        ("lying on its back", under_root(Quat::from_rotation_x(-FRAC_PI_2))),
        ("lying on its side", under_root(Quat::from_rotation_z(FRAC_PI_2))),
        ("facing away", under_root(Quat::from_rotation_y(PI))),
        ("facing aside", under_root(Quat::from_rotation_y(FRAC_PI_2))),
        ("nodes above the hips, elsewhere", nodes_above()),
        ("numbers in centimetres", centimetres()),
        ("joints with axes of their own", with_axes()),
        ("mirrored arm and leg", mirrored()),
        ("a chest scaled unevenly", scaled_unevenly()),
        ("eyes on the head without skin", rigid_eyes()),
        ("three hundred joints of hair", hair()),
        ("tail and wings", tail_and_wings()),
        ("feet and hands on the root", loose_ends()),
        ("a second character beside it", two_characters()),
        ("Japanese names and legs D", legs_d()),
    ]
}

fn armature_scaled(scale: f32) -> Scene {
    let mut scene = Scene::mannequin();
    for node in &mut scene.nodes {
        node.translation /= scale;
    }
    scene.add_root("Armature", Quat::IDENTITY, scale);
    scene.rebind();
    scene
}

fn armature_turned() -> Scene {
    let mut scene = Scene::mannequin();
    let turn = Quat::from_rotation_x(-FRAC_PI_2);
    let hips = scene.find(B::Hips);
    scene.nodes[hips].translation = turn.inverse() * scene.nodes[hips].translation;
    scene.nodes[hips].rotation = turn.inverse();
    scene.add_root("Armature", turn, 1.0);
    scene.rebind();
    scene
}

fn under_root(turn: Quat) -> Scene {
    let mut scene = Scene::mannequin();
    scene.add_root("Armature", turn, 1.0);
    scene
}

fn nodes_above() -> Scene {
    let mut scene = Scene::mannequin();
    for (name, at) in [("Armature", 0.7), ("RootNode", -3.0), ("Sketch", 9.0)] {
        let root = scene.add_root(name, Quat::from_rotation_y(at), 1.0);
        scene.nodes[root].translation = Vec3::new(at, 0.2 * at, 1.0);
    }
    // rotate the whole back, so that it faces exactly forwards
    scene.add_root("Scene", Quat::from_rotation_y(-6.7), 1.0);
    scene
}

fn centimetres() -> Scene {
    let mut scene = Scene::mannequin();
    for node in &mut scene.nodes {
        node.translation *= 100.0;
    }
    for at in scene.parts.iter_mut().flat_map(|part| &mut part.mesh.positions) {
        *at *= 100.0;
    }
    scene.rebind();
    scene
}

fn with_axes() -> Scene {
    let mut scene = Scene::mannequin();
    scene.turn_axes(|node| {
        let angle = node as f32;
        Quat::from_euler(EulerRot::XYZ, angle, 0.4 * angle, 1.0 - angle)
    });
    scene
}

/// Right arm and leg as mirrored left ones, with a negative scale.
fn mirrored() -> Scene {
    let mut scene = Scene::mannequin();
    for top in [B::RightShoulder, B::RightUpperLeg] {
        let top = scene.find(top);
        scene.nodes[top].scale = Vec3::new(-1.0, 1.0, 1.0);
        let mut below = vec![top];
        for node in 0..scene.nodes.len() {
            if scene.nodes[node].parent.is_some_and(|parent| below.contains(&parent)) {
                below.push(node);
                scene.nodes[node].translation.x *= -1.0;
            }
        }
    }
    scene.rebind();
    scene
}

fn scaled_unevenly() -> Scene {
    let mut scene = Scene::mannequin();
    let chest = scene.find(B::Chest);
    let scale = Vec3::new(1.3, 0.8, 1.1);
    scene.nodes[chest].scale = scale;
    for node in &mut scene.nodes {
        if node.parent == Some(chest) {
            node.translation /= scale;
            node.scale = scale.recip();
        }
    }
    scene.rebind();
    scene
}

fn rigid_eyes() -> Scene {
    let mut scene = Scene::mannequin();
    let head = scene.find(B::Head);
    let back = scene.world_of(head).inverse();
    let part = scene.parts.last_mut().expect("the eyes are the last");
    for at in &mut part.mesh.positions {
        *at = back.transform_point3(*at);
    }
    (part.skin, part.node) = (None, Some(head));
    scene
}

fn hair() -> Scene {
    let mut scene = Scene::mannequin();
    let head = scene.find(B::Head);
    let mut strands = Vec::new();
    for strand in 0..60 {
        let mut above = head;
        for piece in 0..5 {
            let angle = strand as f32 * 0.1;
            let at = Vec3::new(0.05 * angle.cos(), 0.02 - 0.05 * piece as f32, -0.1);
            above = scene.add(&format!("hair_{strand}_{piece}"), Some(above), at);
            strands.push(above);
        }
    }
    let skull = scene.skins[0].joints.iter().position(|joint| *joint == head);
    let skull = skull.expect("the head is bound") as u16;
    let first = scene.skins[0].joints.len();
    scene.skins[0].joints.extend(&strands);
    for (vertex, places) in scene.parts[0].mesh.joints.iter_mut().enumerate() {
        for place in places.iter_mut().filter(|place| **place == skull) {
            *place = (first + vertex % strands.len()) as u16;
        }
    }
    scene.rebind();
    scene
}

fn chain(scene: &mut Scene, name: &str, from: B, step: Vec3) -> Vec<usize> {
    let mut above = scene.find(from);
    (1..=5)
        .map(|piece| {
            above = scene.add(&format!("{name}_{piece:02}"), Some(above), step);
            above
        })
        .collect()
}

fn tail_and_wings() -> Scene {
    let mut scene = Scene::mannequin();
    let mut joints = chain(&mut scene, "tail", B::Hips, Vec3::new(0.0, -0.04, -0.15));
    joints.extend(chain(&mut scene, "wing_l", B::UpperChest, Vec3::new(0.22, 0.1, -0.08)));
    joints.extend(chain(&mut scene, "wing_r", B::UpperChest, Vec3::new(-0.22, 0.1, -0.08)));
    add_ribbon(&mut scene, &joints);
    scene
}

/// Adds a mesh with a triangle at every joint.
fn add_ribbon(scene: &mut Scene, joints: &[usize]) {
    let world = scene.world();
    let mut mesh = limber_animation::Mesh { name: "ribbon".to_owned(), ..Default::default() };
    for (place, joint) in joints.iter().enumerate() {
        let at = world[*joint].w_axis.truncate();
        for corner in [Vec3::ZERO, Vec3::Y * 0.05, Vec3::Z * 0.05] {
            mesh.indices.push(mesh.positions.len() as u32);
            mesh.positions.push(at + corner);
            mesh.normals.push(Vec3::X);
            mesh.joints.push([place as u16, 0, 0, 0]);
            mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
        }
    }
    let inverse_bind = joints.iter().map(|joint| world[*joint].inverse()).collect();
    let skin = Some(scene.skins.len());
    scene.skins.push(Skin { joints: joints.to_vec(), inverse_bind: Some(inverse_bind) });
    scene.parts.push(Part { mesh, skin, node: None });
}

fn loose_ends() -> Scene {
    let mut scene = Scene::mannequin();
    let root = scene.add_root("Root", Quat::IDENTITY, 1.0);
    for bone in [B::LeftFoot, B::RightFoot, B::LeftHand, B::RightHand] {
        let joint = scene.find(bone);
        scene.hang(joint, root);
    }
    scene
}

fn two_characters() -> Scene {
    let mut scene = Scene::mannequin();
    let (count, skin) = (scene.nodes.len(), scene.skins[0].clone());
    for place in 0..count {
        let node = scene.nodes[place].clone();
        let aside = if node.parent.is_none() { Vec3::X * 1.5 } else { Vec3::ZERO };
        scene.nodes.push(Node {
            name: format!("{}.001", node.name),
            parent: node.parent.map(|parent| parent + count),
            translation: node.translation + aside,
            bone: None,
            ..node
        });
    }
    scene.skins.push(Skin {
        joints: skin.joints.iter().map(|joint| joint + count).collect(),
        inverse_bind: skin.inverse_bind,
    });
    for place in 0..scene.parts.len() {
        let mut part = scene.parts[place].clone();
        part.mesh.name.push_str(".001");
        part.skin = Some(1);
        scene.parts.push(part);
    }
    scene
}

/// As in characters for MikuMikuDance: the skinned legs are separate from the animated ones.
fn legs_d() -> Scene {
    let mut scene = Scene::mannequin();
    let middle = [
        (B::Hips, "センター"),
        (B::Spine, "上半身"),
        (B::Chest, "上半身2"),
        (B::UpperChest, "上半身3"),
        (B::Neck, "首"),
        (B::Head, "頭"),
    ];
    let of_sides = [
        (B::LeftShoulder, "肩"),
        (B::LeftUpperArm, "腕"),
        (B::LeftLowerArm, "ひじ"),
        (B::LeftHand, "手首"),
        (B::LeftUpperLeg, "足D"),
        (B::LeftLowerLeg, "ひざD"),
        (B::LeftFoot, "足首D"),
        (B::LeftToes, "足先EX"),
    ];
    let fingers = [
        (B::LeftThumbMetacarpal, "親指０"),
        (B::LeftThumbProximal, "親指１"),
        (B::LeftThumbDistal, "親指２"),
        (B::LeftIndexProximal, "人指１"),
        (B::LeftIndexIntermediate, "人指２"),
        (B::LeftIndexDistal, "人指３"),
        (B::LeftMiddleProximal, "中指１"),
        (B::LeftMiddleIntermediate, "中指２"),
        (B::LeftMiddleDistal, "中指３"),
        (B::LeftRingProximal, "薬指１"),
        (B::LeftRingIntermediate, "薬指２"),
        (B::LeftRingDistal, "薬指３"),
        (B::LeftLittleProximal, "小指１"),
        (B::LeftLittleIntermediate, "小指２"),
        (B::LeftLittleDistal, "小指３"),
    ];
    scene.rename(|bone| {
        let is = |list: &[(B, &str)], bone| {
            list.iter().find(|entry| entry.0 == bone).map(|entry| entry.1.to_owned())
        };
        is(&middle, bone)
            .or_else(|| {
                is(&of_sides, bone).or_else(|| is(&fingers, bone)).map(|n| format!("左{n}"))
            })
            .or_else(|| {
                let left = bone.mirrored();
                is(&of_sides, left).or_else(|| is(&fingers, left)).map(|n| format!("右{n}"))
            })
    });
    keyed_legs(&mut scene);
    scene
}

fn keyed_legs(scene: &mut Scene) {
    let hips = scene.find(B::Hips);
    let lower = scene.add("下半身", Some(hips), Vec3::ZERO);
    for (side, [upper, knee, foot, toes]) in [
        ("左", [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot, B::LeftToes]),
        ("右", [B::RightUpperLeg, B::RightLowerLeg, B::RightFoot, B::RightToes]),
    ] {
        let mut above = lower;
        for (bone, name) in [(upper, "足"), (knee, "ひざ"), (foot, "足首"), (toes, "つま先")]
        {
            let joint = scene.find(bone);
            let at = scene.world_of(joint).w_axis.truncate();
            let place = at - scene.world_of(above).w_axis.truncate();
            above = scene.add(&format!("{side}{name}"), Some(above), place);
        }
        let joint = scene.find(upper);
        scene.hang(joint, lower);
    }
}
