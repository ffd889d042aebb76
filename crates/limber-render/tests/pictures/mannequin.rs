//! A body made of boxes, one along each bone of the canonical skeleton, and clips for it.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};
use limber_animation::{
    Character, Clip, Contacts, Fps, HumanBone, JointIndex, Material, Mesh, Skin, canonical_skeleton,
};

/// Returns a body with one box per bone in a skinned mesh; reddish, to distinguish it from the
/// floor.
pub(crate) fn mannequin() -> Arc<Character> {
    let skeleton = canonical_skeleton();
    let world = skeleton.rest_world();
    let mut mesh = Mesh { skin: Some(0), material: Some(0), ..Mesh::default() };
    for index in skeleton.indices() {
        let joint = skeleton.joint(index);
        let Some(parent) = joint.parent else { continue };
        let finger = joint.bone.is_some_and(|bone| bone > HumanBone::RightToes);
        let thick = if finger { 0.011 } else { thickness(joint.bone) };
        add_box(&mut mesh, world.position(parent), world.position(index), thick, parent);
    }
    let head = skeleton.find(HumanBone::Head).expect("it has a head");
    let top = world.position(head) + Vec3::new(0.0, 0.22, 0.01);
    add_box(&mut mesh, world.position(head), top, 0.085, head);
    let skin = Skin {
        joints: skeleton.indices().collect(),
        inverse_bind: skeleton.inverse_rest_matrices(),
    };
    let material = Material {
        name: "clay".into(),
        base_color: Vec4::new(0.62, 0.24, 0.16, 1.0),
        roughness: 0.7,
        ..Material::default()
    };
    let character = Character {
        name: "mannequin".into(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        materials: vec![material],
        images: vec![],
        avatar: Vec::new(),
    };
    character.check().expect("its parts match");
    Arc::new(character)
}

fn thickness(bone: Option<HumanBone>) -> f32 {
    use HumanBone as B;
    match bone {
        Some(B::Spine | B::Chest | B::UpperChest | B::Neck) => 0.12,
        Some(B::LeftUpperLeg | B::RightUpperLeg | B::LeftLowerLeg | B::RightLowerLeg) => 0.07,
        _ => 0.045,
    }
}

/// Adds a box from `from` to `to` that moves with one joint only.
fn add_box(mesh: &mut Mesh, from: Vec3, to: Vec3, thick: f32, joint: JointIndex) {
    let along = to - from;
    if along.length() < 1e-4 {
        return;
    }
    let turn = Quat::from_rotation_arc(Vec3::Y, along.normalize());
    let place = Mat4::from_rotation_translation(turn, from);
    let half = Vec3::new(thick, along.length() * 0.5, thick);
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut normal = Vec3::ZERO;
            normal[axis] = sign;
            let side = Vec3::AXES[(axis + 1) % 3];
            let other = normal.cross(side);
            let first = mesh.positions.len() as u32;
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let corner = (normal + side * a + other * b) * half + Vec3::Y * half.y;
                mesh.positions.push(place.transform_point3(corner));
                mesh.normals.push(turn * normal);
                mesh.joints.push([joint.get() as u16, 0, 0, 0]);
                mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
            }
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
}

/// Two seconds in which the arms hang down and the right arm is raised over the head.
pub(crate) fn raised_arm() -> Clip {
    let skeleton = canonical_skeleton();
    let find = |bone| skeleton.find(bone).expect("the canonical skeleton has all bones");
    let (left, right) = (find(HumanBone::LeftUpperArm), find(HumanBone::RightUpperArm));
    let frames = (0..60).map(|frame| {
        let share = (frame as f32 / 59.0 * 2.0).min(1.0);
        let mut pose = skeleton.rest_pose();
        pose.set_rotation(left, Quat::from_rotation_z(-1.35));
        pose.set_rotation(right, Quat::from_rotation_z(1.35 - share * 2.7));
        pose
    });
    Clip::new(skeleton.clone(), Fps::DEFAULT, frames.collect())
        .expect("the poses match the skeleton")
        .with_contacts(vec![Contacts::STANDING; 60])
        .expect("one per frame")
}

/// Two seconds in the rest pose, gliding two metres forwards.
pub(crate) fn glide() -> Clip {
    let skeleton = canonical_skeleton();
    let frames = (0..60).map(|frame| {
        let mut pose = skeleton.rest_pose();
        pose.hips_translation.z += frame as f32 / 30.0;
        pose
    });
    Clip::new(skeleton.clone(), Fps::DEFAULT, frames.collect())
        .expect("the poses match the skeleton")
}
