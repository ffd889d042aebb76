//! From a build to a finished character.

use limber_animation::{Character, Material, Mesh, Skin as Binding};

use crate::anatomy;
use crate::build::Build;
use crate::fit::Fit;
use crate::lattice::{Enlargement, Lattice};
use crate::net;
use crate::paint;
use crate::skin::{self, Skin};
use crate::weights;
use glam::{Vec3, Vec4};
use limber_animation::HumanBone as B;

/// Models a character: closed skin, skeleton, weights and materials.
#[must_use]
pub fn model(build: &Build) -> Character {
    let fit = Fit::new(build.clone());
    let field = anatomy::sculpt(&fit);
    let lattice = lattice(&fit);
    let mut skin = skin::settle(net::weave(&field, &lattice), &field, &lattice);
    paint::paint(&mut skin, &field, &fit);
    skin.shade(&field, &lattice);
    dress(&fit, &skin)
}

/// How fine the skin is: about 15 mm on the trunk, 10 mm on arms, 5 mm on hands and face.
fn lattice(fit: &Fit) -> Lattice {
    let [shoulder, elbow, wrist] =
        [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand].map(|bone| fit.joint(bone));
    let head = fit.joint(B::Head);
    let build = fit.build();
    let split_m = shoulder.x + 0.45 * (elbow.x - shoulder.x);
    let (hand, face) = (4.2 / build.hand_scale, 3.1 / build.head_scale);
    let reach = 0.24 * build.hand_scale;
    Lattice {
        step_m: 0.0185,
        split_m,
        arm: Enlargement::new(vec![
            (split_m, 1.0),
            (elbow.x - 0.02, 1.40),
            (wrist.x - 0.06, 1.6),
            (wrist.x + 0.02, hand),
        ]),
        arm_axis: (shoulder.y, shoulder.z),
        head: Enlargement::new(vec![
            (head.y - 0.055 * build.head_scale, 1.0),
            (head.y + 0.005, face),
        ]),
        head_z: head.z,
        reach: Vec3::new(wrist.x + reach, head.y + 0.25 * build.head_scale, 0.30),
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
