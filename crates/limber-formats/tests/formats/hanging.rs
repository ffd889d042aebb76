//! Rigs with several hierarchies: after import, everything that belongs to the body is attached to
//! it.

use std::{fs, path::Path};

use glam::{Quat, Vec3};
use limber_animation::{Character, HumanBone as B, JointIndex, Skeleton, canonical_skeleton};
use limber_formats::{
    glb,
    humanoid::Overrides,
    import::{Imported, import},
};
use serde_json::{Value, json};

use crate::{mannequin::body, surgery};

fn import_file(file: &[u8]) -> Imported {
    import(file, &Overrides::default()).expect("the character can be imported")
}

fn joint(skeleton: &Skeleton, bone: B) -> JointIndex {
    skeleton.find(bone).unwrap_or_else(|| panic!("the skeleton has no {}", bone.name()))
}

fn is_child_of(skeleton: &Skeleton, below: JointIndex, above: JointIndex) -> bool {
    let parent = |joint: &JointIndex| skeleton.joint(*joint).parent;
    std::iter::successors(Some(below), parent).skip(1).any(|joint| joint == above)
}

/// Reparents a node to a new node at the origin. No ancestor in the file has rotation or scale, so
/// its position is the sum of all offsets.
fn reparent_to_root(json: &mut Value, name: &str) {
    let moved = surgery::node(json, name);
    let canonical = canonical_skeleton();
    let bone = B::from_name(name).expect("joints have the names of bones");
    let at = canonical.rest_world().position(joint(&canonical, bone)).to_array();
    let nodes = json["nodes"].as_array_mut().expect("the value is an array");
    for node in nodes.iter_mut() {
        if let Some(children) = node["children"].as_array_mut() {
            children.retain(|child| *child != moved);
        }
    }
    nodes[moved]["translation"] = json!(at);
    let root = match nodes.iter().position(|node| node["name"] == "Root") {
        Some(root) => root,
        None => {
            nodes.push(json!({"name": "Root", "children": []}));
            let (root, hips) = (nodes.len() - 1, surgery::node(json, "hips"));
            json["nodes"][root]["children"] = json!([hips]);
            let scene = json["scenes"][0]["nodes"].as_array_mut().expect("the value is an array");
            scene.retain(|node| *node != hips);
            scene.push(json!(root));
            root
        }
    };
    json["nodes"][root]["children"]
        .as_array_mut()
        .expect("the value is an array")
        .push(json!(moved));
}

fn with_disconnected(names: &[&str]) -> Vec<u8> {
    let plain = glb::write_character(&body(canonical_skeleton())).expect("the file can be written");
    surgery::changed(&plain, |json| {
        for name in names {
            reparent_to_root(json, name);
        }
    })
}

/// Returns the position of every vertex in a pose in which all bones are rotated and the hips have
/// moved.
fn moved(character: &Character) -> Vec<Vec3> {
    let skeleton = &character.skeleton;
    let mut pose = skeleton.rest_pose();
    pose.hips_translation += Vec3::new(0.3, -0.1, 0.8);
    for bone in B::ALL {
        if let Some(joint) = skeleton.find(bone) {
            let turn = Quat::from_rotation_x(0.1 + 0.01 * bone as usize as f32);
            pose.set_rotation(joint, pose.rotation(joint) * turn);
        }
    }
    let world = skeleton.world(&pose);
    let mut places: Vec<Vec3> = character
        .meshes
        .iter()
        .flat_map(|mesh| character.skinned_positions(mesh, &world))
        .collect();
    places.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).expect("the values are numbers"));
    places
}

#[test]
fn feet_on_the_root_are_reparented_to_the_legs() {
    let whole = import_file(&with_disconnected(&[]));
    let imported = import_file(&with_disconnected(&["leftFoot", "rightFoot"]));
    let skeleton = &imported.character.skeleton;
    for (foot, shin) in [(B::LeftFoot, B::LeftLowerLeg), (B::RightFoot, B::RightLowerLeg)] {
        assert_eq!(
            skeleton.joint(joint(skeleton, foot)).parent,
            Some(joint(skeleton, shin)),
            "{foot:?}"
        );
    }
    let warning = imported.report.warnings.iter().find(|text| text.contains("reparented"));
    let warning = warning.expect("there is a warning");
    assert!(warning.contains("left foot to the left lower leg"), "{warning}");
    for (name, mapped) in &imported.report.map {
        assert_eq!(skeleton.joints()[mapped.node].name, mapped.name, "{name}");
    }
    let (meant, got) = (moved(&whole.character), moved(&imported.character));
    assert_eq!(meant.len(), got.len());
    let far = meant.iter().zip(&got).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(far < 1e-4, "{far} m");
}

#[test]
fn disconnected_bodies_are_reconnected() {
    let pieces = ["leftUpperLeg", "rightUpperLeg", "leftHand", "rightHand", "neck", "spine"];
    let imported = import_file(&with_disconnected(&pieces));
    let skeleton = &imported.character.skeleton;
    for bone in B::ALL {
        let Some(child) = skeleton.find(bone).filter(|_| bone != B::Hips) else { continue };
        let above = std::iter::successors(bone.parent(), |above| above.parent())
            .find_map(|above| skeleton.find(above))
            .expect("the skeleton has hips");
        assert!(is_child_of(skeleton, child, above), "{bone:?}");
    }
    let whole = import_file(&with_disconnected(&[]));
    let (meant, got) = (moved(&whole.character), moved(&imported.character));
    let far = meant.iter().zip(&got).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(far < 1e-4, "{far} m");
}

#[test]
fn disconnected_skinned_joints_follow_the_nearest_bone() {
    let file = surgery::changed(&with_disconnected(&[]), |json| {
        // the box of the toes stays bound to a joint that is not a bone and is a child of the root
        reparent_to_root(json, "leftToes");
        let at = surgery::node(json, "leftToes");
        json["nodes"][at]["name"] = json!("Pouch");
    });
    let imported = import_file(&file);
    let skeleton = &imported.character.skeleton;
    let pouch = skeleton.find_name("Pouch").expect("the joint is kept");
    let foot = joint(skeleton, B::LeftFoot);
    assert_eq!(skeleton.joint(pouch).parent, Some(foot));
    let place = "`Pouch` to the left foot";
    let is_reported = imported.report.warnings.iter().any(|text| text.contains(place));
    assert!(is_reported, "{:?}", imported.report.warnings);
}

#[test]
fn reparented_characters_are_read_back_unchanged() {
    let imported = import_file(&with_disconnected(&["leftFoot", "rightFoot"]));
    let written = glb::write_character(&imported.character).expect("the file can be written");
    let again = import_file(&written);
    assert_eq!(again.character, imported.character);
    assert!(!again.report.warnings.iter().any(|text| text.contains("reparented")));
}

#[test]
fn feet_of_a_shared_control_rig_are_reparented_to_its_legs() {
    let file = "../../../shared/models/good/quaternius_man_casual.fbx";
    let Ok(bytes) = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)) else {
        println!("skipped: the shared models are not available");
        return;
    };
    let imported = import_file(&bytes);
    let skeleton = &imported.character.skeleton;
    for (foot, shin) in [(B::LeftFoot, B::LeftLowerLeg), (B::RightFoot, B::RightLowerLeg)] {
        assert!(is_child_of(skeleton, joint(skeleton, foot), joint(skeleton, shin)));
    }
    assert!(imported.report.warnings.iter().any(|text| text.contains("reparented")));
    let poles = skeleton.joints().iter().filter(|joint| joint.name.starts_with("PoleTarget"));
    for pole in poles {
        assert!(pole.parent.is_none_or(|parent| skeleton.joint(parent).bone.is_none()));
    }
}
