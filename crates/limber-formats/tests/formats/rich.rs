//! A body with everything a file can contain: morph targets, eight influences, every kind of image.

use std::sync::Arc;

use glam::{Vec3, Vec4};
use limber_animation::{
    Alpha, Character, HumanBone, Image, ImageEncoding, Joint, Material, Morph, Skeleton, Twist,
    Wrap, canonical_skeleton,
};

use crate::mannequin::body;

pub(crate) fn picture(name: &str, color: [u8; 3]) -> Image {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(4, 4, image::Rgb(color))
        .write_to(&mut bytes, image::ImageFormat::Png)
        .expect("a picture in memory can be written");
    Image { name: name.to_owned(), encoding: ImageEncoding::Png, bytes: bytes.into_inner() }
}

/// Returns the skeleton of the box body with other joint names and twist joints.
fn renamed_skeleton() -> Arc<Skeleton> {
    let canonical = canonical_skeleton();
    let mut joints: Vec<Joint> = canonical.joints().to_vec();
    for joint in &mut joints {
        joint.name = format!("rig:{}", joint.name);
    }
    let arm = canonical.find(HumanBone::LeftLowerArm).expect("the body has arms");
    joints.push(Joint {
        name: "rig:forearm twist".to_owned(),
        parent: Some(arm),
        rest_translation: Vec3::X * 0.1,
        twist: Some(Twist { of: HumanBone::LeftLowerArm, share: 0.5 }),
        ..Joint::default()
    });
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

pub(crate) fn rich() -> Character {
    let mut character = body(renamed_skeleton());
    let mesh = &mut character.meshes[0];
    let count = mesh.positions.len();
    mesh.joints = vec![[0, 1, 2, 3]; count];
    mesh.weights = vec![[0.3, 0.2, 0.15, 0.1]; count];
    mesh.more_joints = vec![[4, 5, 6, 0]; count];
    mesh.more_weights = vec![[0.1, 0.1, 0.05, 0.0]; count];
    let bump = |every: usize, by: Vec3| {
        (0..count).map(|at| if at % every == 0 { by } else { Vec3::ZERO }).collect::<Vec<_>>()
    };
    mesh.morphs = vec![
        Morph {
            name: "jawOpen".to_owned(),
            positions: bump(50, Vec3::NEG_Y * 0.01),
            normals: vec![],
        },
        Morph {
            name: "browInnerUp".to_owned(),
            positions: bump(1, Vec3::Y * 0.01),
            normals: bump(2, Vec3::Z * 0.1),
        },
        Morph {
            name: "nothing".to_owned(),
            positions: bump(count + 1, Vec3::ONE),
            normals: vec![],
        },
    ];
    mesh.morphs[2].positions[0] = Vec3::ZERO;
    let colors = [[200, 40, 40], [0, 200, 20], [128, 128, 255], [90, 0, 0], [10, 20, 200]];
    character.images = colors
        .iter()
        .enumerate()
        .map(|(at, color)| picture(&format!("map {at}"), *color))
        .collect();
    character.materials = vec![
        Material {
            name: "everything".to_owned(),
            base_color: Vec4::new(0.5, 0.6, 0.7, 0.8),
            base_color_image: Some(0),
            metallic: 0.25,
            roughness: 0.75,
            metal_rough_image: Some(1),
            normal_image: Some(2),
            normal_scale: 0.5,
            occlusion_image: Some(3),
            occlusion_strength: 0.5,
            emissive: Vec3::new(0.25, 0.5, 0.125),
            emissive_image: Some(4),
            alpha: Alpha::Mask(0.25),
            double_sided: true,
            wrap: [Wrap::Clamp, Wrap::Mirror],
            pixelated: true,
            ..Material::default()
        },
        Material {
            name: "glass".to_owned(),
            base_color_image: Some(0),
            alpha: Alpha::Blend,
            unlit: true,
            ..Material::default()
        },
    ];
    character.check().expect("the character is valid");
    character
}
