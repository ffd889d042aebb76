//! Hips travel in Blender, whatever is above them: checks the records that its importers use.
//!
//! Source: Blender 4.5, `io_scene_fbx/import_fbx.py`, `build_skeleton`: a bone has the average
//! distance of its children as length, along an axis of its joint, and a child at its end is
//! connected to it and does not travel.

use std::{collections::HashMap, sync::Arc};

use glam::{DMat4, DVec3, Quat, Vec3};
use limber_animation::{Character, Clip, Joint, JointIndex, Skeleton, canonical_skeleton};
use limber_formats::fbx::{self, FbxOptions};

use crate::{
    fbx_records::Record,
    mannequin::{body, root_below_hips, swinging},
};

/// Tolerance for equal positions of `create_armature_bones` in `fbx_import_armature.cc`, in
/// centimetres; that of the older importer is smaller.
const SAME_CM: f64 = 1e-4;

/// A bone as Blender sees it: name, parent, bind pose.
struct Bone {
    name: String,
    above: Option<usize>,
    stands: DMat4,
}

fn bones(file: &Record) -> Vec<Bone> {
    let objects = file.one("Objects");
    let links: Vec<(i64, i64)> = file
        .one("Connections")
        .all("C")
        .filter(|link| link.text(0) == "OO")
        .map(|link| (link.whole(1), link.whole(2)))
        .collect();
    let matrix = |record: &Record| DMat4::from_cols_slice(record.numbers());
    let pose = objects.one("Pose");
    let mut stands: HashMap<i64, DMat4> = pose
        .all("PoseNode")
        .map(|row| (row.one("Node").whole(0), matrix(row.one("Matrix"))))
        .collect();
    // the bind pose of a mesh takes precedence
    for cluster in objects.all("Deformer").filter(|object| object.text(2) == "Cluster") {
        let (bone, _) = links
            .iter()
            .find(|(_, above)| *above == cluster.whole(0))
            .expect("the cluster is linked to a bone");
        stands.insert(*bone, matrix(cluster.one("TransformLink")));
    }
    let limbs: Vec<&Record> =
        objects.all("Model").filter(|model| model.text(2) == "LimbNode").collect();
    limbs
        .iter()
        .map(|model| {
            let above = links.iter().find(|(below, _)| *below == model.whole(0));
            let above =
                above.and_then(|(_, id)| limbs.iter().position(|limb| limb.whole(0) == *id));
            let stands = stands[&model.whole(0)];
            Bone { name: model.title().to_owned(), above, stands }
        })
        .collect()
}

/// Whether Blender connects a bone to its parent, along any axis.
fn connected(bones: &[Bone], bone: usize) -> bool {
    let Some(above) = bones[bone].above else { return false };
    let from = bones[above].stands;
    let head = |bone: &Bone| bone.stands.w_axis.truncate();
    let children: Vec<f64> = bones
        .iter()
        .filter(|other| other.above == Some(above))
        .map(|other| head(other).distance(head(&bones[above])))
        .collect();
    let length = (children.iter().sum::<f64>() / children.len() as f64).max(0.01);
    [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]).any(|axis| {
        let tail = head(&bones[above]) + from.transform_vector3(axis).normalize() * length;
        tail.distance(head(&bones[bone])) <= SAME_CM
    })
}

/// Returns the canonical body below an extra joint, rotated so that the hips rest on one of its
/// axes.
fn below_a_joint(name: &str, at: Vec3, turn: Quat) -> Arc<Skeleton> {
    let canonical = canonical_skeleton();
    let mut joints = vec![Joint {
        name: name.to_owned(),
        rest_translation: at,
        rest_rotation: turn,
        ..Joint::default()
    }];
    for joint in canonical.joints() {
        let mut below = joint.clone();
        below.parent = Some(JointIndex::new(joint.parent.map_or(0, |parent| parent.get() + 1)));
        if joint.parent.is_none() {
            below.rest_translation = turn.inverse() * (joint.rest_translation - at);
            below.rest_rotation = turn.inverse() * joint.rest_rotation;
        }
        joints.push(below);
    }
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

fn hips_are_free(what: &str, character: &Character, clip: &Clip, options: &FbxOptions) {
    let bytes = fbx::write_clip(character, clip, options).expect("the file can be written");
    let bones = bones(&Record::file(&bytes));
    let name = &clip.skeleton().joint(clip.skeleton().hips()).name;
    let hips = bones.iter().position(|bone| bone.name == *name).expect("the skeleton has hips");
    assert!(!connected(&bones, hips), "{what}: Blender would lock the hips in place");
}

#[test]
fn hips_above_a_joint_are_not_locked_in_blender() {
    let hips = canonical_skeleton().joints()[canonical_skeleton().hips().get()].rest_translation;
    let quarter = std::f32::consts::FRAC_PI_2;
    let joints = [
        ("at the origin", Vec3::ZERO, Quat::IDENTITY),
        ("as Blender's own exports turn it", Vec3::ZERO, Quat::from_rotation_x(-quarter)),
        ("lying on its side", Vec3::ZERO, Quat::from_rotation_z(quarter)),
        ("deep below", Vec3::NEG_Y * 8.0, Quat::IDENTITY),
        ("below the hips, but not at the floor", Vec3::Y * 0.5, Quat::IDENTITY),
        ("where the hips are", hips, Quat::from_rotation_y(1.0)),
    ];
    for (what, at, turn) in joints {
        for name in ["Armature", "root"] {
            let skeleton = below_a_joint(name, at, turn);
            let clip = swinging(&skeleton, 4);
            let character = body(Arc::clone(&skeleton));
            for root in [None, Some(root_below_hips(&clip))] {
                let with = FbxOptions { root, ..FbxOptions::default() };
                hips_are_free(what, &character, &clip, &with);
                hips_are_free(what, &character, &clip, &FbxOptions { mesh: false, ..with });
            }
        }
    }
}

#[test]
fn the_added_root_does_not_lock_the_hips() {
    let skeleton = canonical_skeleton();
    let clip = swinging(&skeleton, 4);
    let root = Some(root_below_hips(&clip));
    let options = FbxOptions { root, ..FbxOptions::default() };
    hips_are_free("the canonical body", &body(skeleton), &clip, &options);
}

/// A mesh may be bound in another pose than the rest pose; Blender uses the bind pose.
#[test]
fn hips_are_not_locked_in_the_bind_pose() {
    let skeleton = below_a_joint("Armature", Vec3::new(0.0, 0.0, 0.2), Quat::IDENTITY);
    let clip = swinging(&skeleton, 4);
    let mut character = body(Arc::clone(&skeleton));
    let mut bound = skeleton.rest_pose();
    bound.hips_translation = Vec3::Y * 0.8;
    let below = skeleton.joint(skeleton.hips()).parent.expect("the added joint");
    bound.set_rotation(below, Quat::from_rotation_y(0.5));
    let bound = skeleton.world(&bound);
    character.skins[0].inverse_bind = bound.matrices().map(|matrix| matrix.inverse()).collect();
    hips_are_free("bound elsewhere", &character, &clip, &FbxOptions::default());
}
