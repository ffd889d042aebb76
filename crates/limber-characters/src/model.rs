//! From a build to a finished character.

use limber_animation::{Character, Material, Mesh, Skin as Binding};

use crate::anatomy;
use crate::build::Build;
use crate::fit::Fit;
use crate::lattice::{Enlargement, Lattice};
use crate::net;
use crate::paint;
use crate::skin::{self, Skin};
use crate::thin;
use crate::weights;
use glam::{Vec3, Vec4};
use limber_animation::HumanBone as B;

/// How many triangles the skin has before it is painted. Thumbnails and video are drawn without a
/// GPU, so a character has to stay light.
const TRIANGLES: usize = 24_000;

/// Models a character: closed skin, skeleton, weights and materials.
#[must_use]
pub fn model(build: &Build) -> Character {
    let fit = Fit::new(build.clone());
    let field = anatomy::sculpt(&fit);
    let lattice = lattice(&fit);
    let mut skin = skin::settle(net::weave(&field, &lattice), &field, &lattice);
    thin::thin(&mut skin, &lattice, TRIANGLES);
    paint::paint(&mut skin, &field, &fit);
    skin.shade(&field, &lattice);
    dress(&fit, &skin)
}

/// How fine the skin is: 19 mm on the trunk, 12 mm on arms and feet, 5 mm on head and
/// hands, whose fingers stand 4 to 6 mm apart.
fn lattice(fit: &Fit) -> Lattice {
    let [shoulder, elbow, wrist] =
        [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand].map(|bone| fit.joint(bone));
    let head = fit.joint(B::Head);
    let build = fit.build();
    let split_m = shoulder.x + 0.45 * (elbow.x - shoulder.x);
    let (hand, face) = (4.2 / build.hand_scale, 3.5 / build.head_scale);
    let foot = 0.10 * build.foot_scale;
    let (near_wrist, in_hand) = (wrist.x - 0.06, wrist.x + 0.02);
    Lattice {
        step_m: 0.0190,
        split_m,
        arm: Enlargement::new(vec![
            (split_m, 1.0),
            (elbow.x - 0.02, 1.3),
            (near_wrist, 1.3),
            (in_hand, 0.84 * hand),
        ]),
        arm_girth: Enlargement::new(vec![
            (split_m, 1.0),
            (elbow.x - 0.02, 1.4),
            (near_wrist, 1.6),
            (in_hand, hand),
        ]),
        arm_axis: (shoulder.y, shoulder.z),
        upright: Enlargement::new(vec![
            (0.0, 1.7),
            (foot, 1.5),
            (foot + 0.06, 1.0),
            (head.y - 0.055 * build.head_scale, 1.0),
            (head.y + 0.005, face),
        ]),
        head_z: head.z,
        reach: Vec3::new(
            wrist.x + 0.24 * build.hand_scale,
            head.y + 0.25 * build.head_scale,
            0.24 * build.foot_scale,
        ),
        hand_reach_m: 0.15 * build.hand_scale,
    }
}

fn dress(fit: &Fit, skin: &Skin) -> Character {
    let skeleton = fit.skeleton();
    let build = fit.build();
    let meshes = (0..build.surfaces.len()).map(|paint| mesh(fit, skin, paint)).collect();
    let materials = build.surfaces.iter().map(|surface| Material {
        name: surface.name.to_owned(),
        base_color: Vec4::new(surface.color[0], surface.color[1], surface.color[2], 1.0),
        roughness: surface.roughness,
        ..Material::default()
    });
    Character {
        name: build.name.to_owned(),
        skins: vec![Binding {
            joints: skeleton.indices().collect(),
            inverse_bind: skeleton.inverse_rest_matrices(),
        }],
        skeleton,
        meshes,
        materials: materials.collect(),
        images: Vec::new(),
    }
}

/// The triangles of one material, with only the vertices they need.
fn mesh(fit: &Fit, skin: &Skin, paint: usize) -> Mesh {
    let skeleton = fit.skeleton();
    let mut mesh = Mesh {
        name: fit.build().surfaces[paint].name.to_owned(),
        skin: Some(0),
        material: Some(paint),
        ..Mesh::default()
    };
    let mut new_place = vec![u32::MAX; skin.positions.len()];
    let painted = skin.triangles.iter().zip(&skin.paint).filter(|(_, with)| **with == paint);
    for corner in painted.flat_map(|(triangle, _)| triangle) {
        let old = *corner as usize;
        if new_place[old] == u32::MAX {
            new_place[old] = mesh.positions.len() as u32;
            let (joints, weights) = weights::influences(fit, &skeleton, skin.positions[old]);
            mesh.positions.push(skin.positions[old]);
            mesh.normals.push(skin.normals[old]);
            mesh.joints.push(joints);
            mesh.weights.push(weights);
        }
        mesh.indices.push(new_place[old]);
    }
    mesh
}
