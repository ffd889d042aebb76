//! A body of boxes on the canonical skeleton, and a clip that moves all of it.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3};
use limber_animation::{
    Character, Clip, Fps, HumanBone, Image, ImageEncoding, Joint, Material, Mesh, Skeleton, Skin,
    canonical_skeleton,
};

/// Returns a body with one box per joint, bound to the joint and slightly to its parent.
pub(crate) fn body(skeleton: Arc<Skeleton>) -> Character {
    let world = skeleton.rest_world();
    let mut mesh =
        Mesh { name: "body".to_owned(), skin: Some(0), material: Some(0), ..Mesh::default() };
    for joint in skeleton.indices() {
        let parent = skeleton.joint(joint).parent.unwrap_or(joint);
        let joints = [joint.get() as u16, parent.get() as u16, 0, 0];
        add_box(&mut mesh, world.position(joint), joints);
    }
    let rigid = Mesh {
        joints: Vec::new(),
        weights: Vec::new(),
        skin: None,
        name: "ground mark".to_owned(),
        material: Some(1),
        ..mesh.clone()
    };
    let inverse_bind: Vec<Mat4> = skeleton.inverse_rest_matrices();
    Character {
        name: "Box body".to_owned(),
        skins: vec![Skin { joints: skeleton.indices().collect(), inverse_bind }],
        skeleton,
        meshes: vec![mesh, rigid],
        materials: vec![
            Material { name: "skin".to_owned(), base_color_image: Some(0), ..Material::default() },
            Material { name: "mark".to_owned(), double_sided: true, ..Material::default() },
        ],
        images: vec![picture()],
        avatar: Vec::new(),
    }
}

fn picture() -> Image {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_fn(4, 4, |x, y| image::Rgb([60 * x as u8, 60 * y as u8, 128]))
        .write_to(&mut bytes, image::ImageFormat::Png)
        .expect("a picture in memory can be written");
    Image { name: "colours".to_owned(), encoding: ImageEncoding::Png, bytes: bytes.into_inner() }
}

fn add_box(mesh: &mut Mesh, centre: Vec3, joints: [u16; 4]) {
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0)] {
        let normal = Vec3::AXES[axis] * sign;
        let (right, up) = (Vec3::AXES[(axis + 1) % 3] * sign, Vec3::AXES[(axis + 2) % 3]);
        let first = mesh.positions.len() as u32;
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            let corner = normal + right * (u * 2.0 - 1.0) + up * (v * 2.0 - 1.0);
            mesh.positions.push(centre + corner * 0.02);
            mesh.normals.push(normal);
            mesh.uvs.push(Vec2::new(u, v));
            mesh.joints.push(joints);
            mesh.weights.push([0.8, 0.2, 0.0, 0.0]);
        }
        mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
}

/// Returns a skeleton as other programs make them: a parentless joint above the hips, rotated rest
/// poses.
pub(crate) fn foreign_skeleton() -> Arc<Skeleton> {
    let canonical = canonical_skeleton();
    let world = canonical.rest_world();
    let turn = |place: usize| Quat::from_euler(glam::EulerRot::XYZ, 0.3 * place as f32, -0.7, 0.2);
    let mut joints = vec![Joint {
        name: "Armature".to_owned(),
        parent: None,
        rest_translation: Vec3::new(0.1, 0.2, -0.1),
        rest_rotation: Quat::from_rotation_y(0.4),
        bone: None,
        twist: None,
    }];
    let above = (Vec3::new(0.1, 0.2, -0.1), Quat::from_rotation_y(0.4));
    for (place, joint) in canonical.joints().iter().enumerate() {
        let (parent_place, parent_turn) = match joint.parent {
            Some(parent) => (world.positions[parent.get()], turn(parent.get())),
            None => above,
        };
        joints.push(Joint {
            name: joint.name.clone(),
            parent: Some(limber_animation::JointIndex::new(
                joint.parent.map_or(0, |parent| parent.get() + 1),
            )),
            rest_translation: parent_turn.inverse() * (world.positions[place] - parent_place),
            rest_rotation: (parent_turn.inverse() * turn(place)).normalize(),
            bone: joint.bone,
            twist: None,
        });
    }
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

/// Returns a clip that travels to the left and forwards while everything but the fingers swings.
pub(crate) fn swinging(skeleton: &Arc<Skeleton>, frames: usize) -> Clip {
    let rest = skeleton.rest_pose();
    let poses = (0..frames)
        .map(|frame| {
            let phase = frame as f32 / 30.0 * std::f32::consts::TAU;
            let mut pose = rest.clone();
            pose.hips_translation += Vec3::new(phase * 0.1, phase.sin() * 0.03, phase * 0.2);
            for joint in skeleton.indices() {
                let is_finger = skeleton
                    .joint(joint)
                    .bone
                    .is_none_or(|bone| bone >= HumanBone::LeftThumbMetacarpal);
                if !is_finger {
                    let swing = (phase + joint.get() as f32).sin();
                    let turn =
                        Quat::from_euler(glam::EulerRot::YXZ, swing, 0.9 * swing, 0.4 * swing);
                    pose.rotations[joint.get()] *= turn;
                }
            }
            pose
        })
        .collect();
    Clip::new(Arc::clone(skeleton), Fps::DEFAULT, poses).expect("the poses form a valid clip")
}

/// Returns a root that follows the hips over the ground and rotates slowly.
pub(crate) fn root_below_hips(clip: &Clip) -> limber_formats::RootTrack {
    let hips = clip.skeleton().hips().get();
    let ground = clip.world_positions().into_iter().map(|row| row[hips] * Vec3::new(1.0, 0.0, 1.0));
    limber_formats::RootTrack {
        positions: ground.collect(),
        rotations: (0..clip.len()).map(|at| Quat::from_rotation_y(at as f32 * 0.01)).collect(),
    }
}
