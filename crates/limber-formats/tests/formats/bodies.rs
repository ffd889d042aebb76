//! Unusual bodies: without hands, of rigid parts, in mid-step, hardly bound.

use std::sync::Arc;

use glam::{Quat, Vec3};
use limber_animation::{
    HumanBone as B, Joint, JointIndex, Mesh, Skeleton, WorldPose, canonical_skeleton,
};
use limber_formats::{
    fbx, glb,
    humanoid::Overrides,
    import::{ImportError, Imported, import},
};
use limber_script::{Message, Side};
use serde_json::json;

use crate::{
    ascii_fbx::{self, Telling},
    mannequin::body,
    surgery,
};

fn import_file(file: &[u8]) -> Imported {
    import(file, &Overrides::default()).expect("the character can be imported")
}

fn import_error(file: &[u8]) -> ImportError {
    import(file, &Overrides::default()).expect_err("the file is rejected")
}

fn has_warning(imported: &Imported, words: &str) -> bool {
    imported.report.warnings.iter().any(|warning| warning.contains(words))
}

/// Returns the canonical skeleton without these bones and their descendants.
fn without(bones: &[B]) -> Arc<Skeleton> {
    let canonical = canonical_skeleton();
    let mut places = vec![None; canonical.len()];
    let mut joints: Vec<Joint> = Vec::new();
    for (place, joint) in canonical.joints().iter().enumerate() {
        let parent = joint.parent.map(|parent| places[parent.get()]);
        let is_gone = parent == Some(None) || joint.bone.is_some_and(|bone| bones.contains(&bone));
        if !is_gone {
            places[place] = Some(JointIndex::new(joints.len()));
            joints.push(Joint { parent: parent.flatten(), ..joint.clone() });
        }
    }
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

#[test]
fn bodies_without_fingers_or_hands_are_accepted_with_warnings() {
    let file =
        |bones: &[B]| glb::write_character(&body(without(bones))).expect("the file can be written");
    let fingers: Vec<B> =
        B::ALL.into_iter().filter(|bone| *bone >= B::LeftThumbMetacarpal).collect();
    let told = |imported: &Imported, message: Message| {
        let Imported { report, .. } = imported;
        report.messages.contains(&message) && report.warnings.contains(&message.to_string())
    };
    let imported = import_file(&file(&fingers));
    assert_eq!(imported.report.hand_data_type(), 0);
    for side in [Side::Left, Side::Right] {
        assert!(told(&imported, Message::FingersMissing { side }), "{side}");
    }
    let of_left: Vec<B> =
        fingers.iter().copied().filter(|bone| bone.name().starts_with("left")).collect();
    let imported = import_file(&file(&of_left));
    assert!(told(&imported, Message::FingersMissing { side: Side::Left }));
    assert!(!told(&imported, Message::FingersMissing { side: Side::Right }));
    let imported = import_file(&file(&[]));
    assert!(!has_warning(&imported, "finger"), "{:?}", imported.report.warnings);
    let imported = import_file(&file(&[B::LeftHand, B::RightHand]));
    assert!(imported.character.skeleton.find(B::LeftHand).is_none());
    assert!(imported.character.skeleton.find(B::LeftLowerArm).is_some());
    assert!(
        has_warning(&imported, "no joint for the left hand")
            && has_warning(&imported, "no joint for the right hand")
            && !has_warning(&imported, "finger")
    );
}

#[test]
fn bodies_without_forearms_or_feet_are_rejected_with_902() {
    for (bones, word) in [
        ([B::LeftLowerArm, B::RightLowerArm], "lower arm"),
        ([B::LeftUpperLeg, B::RightUpperLeg], "leg"),
    ] {
        let error = import_error(
            &glb::write_character(&body(without(&bones))).expect("the file can be written"),
        );
        assert_eq!(error.code(), 902, "{error}");
        assert!(error.to_string().contains(word), "{error}");
    }
}

/// Returns a square in front of its node.
fn plate() -> Mesh {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    Mesh {
        name: "plate".to_owned(),
        positions: corners.map(|(x, y)| Vec3::new(x, y, 1.0) * 0.04).to_vec(),
        normals: vec![Vec3::Z; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Mesh::default()
    }
}

/// Returns a character without a skin and with a plate on the node of each bone for which `carries`
/// is true.
fn robot(carries: impl Fn(B) -> bool) -> Vec<u8> {
    let mut character = body(canonical_skeleton());
    character.meshes.push(plate());
    let file = glb::write_character(&character).expect("the file can be written");
    surgery::changed(&file, |json| {
        let meshes = json["meshes"].as_array().expect("the value is an array");
        let plate =
            meshes.iter().position(|mesh| mesh["name"] == "plate").expect("the file has the plate");
        let hips = surgery::node(json, "hips");
        for node in json["nodes"].as_array_mut().expect("the value is an array") {
            let bone = node["name"].as_str().and_then(B::from_name);
            let node = node.as_object_mut().expect("the value is an object");
            node.remove("skin");
            node.remove("mesh");
            if bone.is_some_and(&carries) {
                node.insert("mesh".to_owned(), json!(plate));
            }
        }
        json.as_object_mut().expect("the value is an object").remove("skins");
        json["scenes"][0]["nodes"] = json!([hips]);
    })
}

#[test]
fn robots_of_rigid_parts_are_accepted_and_move_rigidly() {
    let imported = import_file(&robot(|bone| bone < B::LeftThumbMetacarpal));
    assert!(has_warning(&imported, "no skin"), "{:?}", imported.report.warnings);
    let character = &imported.character;
    assert!(character.meshes.iter().all(|mesh| mesh.skin.is_some()));
    let mut weights = character.meshes.iter().flat_map(|mesh| &mesh.weights);
    assert!(weights.all(|row| *row == [1.0, 0.0, 0.0, 0.0]));
    let arm = character.skeleton.find(B::LeftUpperArm).expect("the body has arms");
    let hand = character.skeleton.find(B::LeftHand).expect("the body has hands");
    let mut pose = character.skeleton.rest_pose();
    pose.set_rotation(arm, Quat::from_rotation_z(1.2) * pose.rotation(arm));
    let (rest, moved) = (character.skeleton.rest_world(), character.skeleton.world(&pose));
    let shown = |world: &WorldPose| -> Vec<Vec3> {
        character.meshes.iter().map(|mesh| character.skinned_positions(mesh, world)[0]).collect()
    };
    let ways = shown(&rest).into_iter().zip(shown(&moved)).map(|(a, b)| a.distance(b));
    let (still, swung): (Vec<f32>, Vec<f32>) = ways.partition(|way| *way < 1e-4);
    assert_eq!(swung.len(), 3, "upper arm, forearm and hand: {swung:?}");
    assert_eq!(still.len() + 3, character.meshes.len());
    let far = rest.position(hand).distance(moved.position(hand));
    assert!(swung.iter().any(|way| (way - far).abs() < 0.07), "{swung:?} against {far}");
    let again = glb::write_character(character).expect("the file can be written");
    assert_eq!(import_file(&again).character.meshes.len(), character.meshes.len());
    fbx::write_character(character).expect("the file can be written");
}

#[test]
fn objects_that_are_not_bodies_are_rejected_with_the_missing_bones() {
    assert_eq!(import_error(&robot(|bone| bone == B::Head)).code(), 905);
    let legs = [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot, B::LeftToes];
    let legless =
        import_error(&robot(|bone| !legs.contains(&bone) && !legs.contains(&bone.mirrored())));
    assert_eq!(legless.code(), 902, "{legless}");
    assert!(legless.to_string().contains("leg"), "{legless}");
}

#[test]
fn parts_on_separate_nodes_move_with_the_parent_node() {
    let shown = surgery::changed(&robot(|bone| bone < B::LeftThumbMetacarpal), |json| {
        let nodes = json["nodes"].as_array_mut().expect("the value is an array");
        for at in 0..nodes.len() {
            let Some(mesh) = nodes[at].as_object_mut().and_then(|node| node.remove("mesh")) else {
                continue;
            };
            let below = nodes.len();
            nodes.push(json!({"name": format!("shape {at}"), "mesh": mesh}));
            let node = nodes[at].as_object_mut().expect("the value is an object");
            let children = node.entry("children").or_insert_with(|| json!([]));
            children.as_array_mut().expect("the value is an array").push(json!(below));
        }
    });
    let imported = import_file(&shown);
    let names: Vec<&str> =
        imported.character.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert!(names.contains(&"leftHand"), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("shape")), "{names:?}");
}

/// Returns the canonical skeleton in a running pose.
fn running() -> Arc<Skeleton> {
    let mut joints = canonical_skeleton().joints().to_vec();
    for joint in &mut joints {
        joint.rest_rotation = match joint.bone {
            Some(B::LeftUpperArm) => Quat::from_rotation_y(1.0),
            Some(B::LeftLowerArm) => Quat::from_rotation_y(-1.8),
            Some(B::LeftUpperLeg) => Quat::from_rotation_x(0.7),
            Some(B::LeftLowerLeg) => Quat::from_rotation_x(0.9),
            Some(B::RightUpperLeg) => Quat::from_rotation_x(-0.6),
            _ => continue,
        };
    }
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

#[test]
fn bodies_resting_in_mid_run_are_measured_with_warnings() {
    let imported =
        import_file(&glb::write_character(&body(running())).expect("the file can be written"));
    assert_eq!(imported.report.rest.pose, "other");
    for words in [
        "neither a T-pose nor an A-pose",
        "the left upper arm points 57 degrees backwards",
        "the left elbow is bent by 103 degrees",
        "the right leg is 34 degrees away from vertical",
    ] {
        assert!(has_warning(&imported, words), "{words}: {:?}", imported.report.warnings);
    }
    assert!(imported.report.rest.forward[2] > 0.99, "{:?}", imported.report.rest);
}

#[test]
fn bodies_bound_in_a_t_pose_use_the_bind_pose() {
    let plain = glb::write_character(&body(canonical_skeleton())).expect("the file can be written");
    let skeleton = running();
    let posed = surgery::changed(&plain, |json| {
        for joint in skeleton.joints() {
            let node = surgery::node(json, &joint.name);
            json["nodes"][node]["rotation"] = json!(joint.rest_rotation.to_array());
        }
    });
    let imported = import_file(&posed);
    assert_eq!(imported.report.rest.pose, "T", "{:?}", imported.report.warnings);
    assert!(!has_warning(&imported, "neither"), "{:?}", imported.report.warnings);
}

#[test]
fn mostly_unweighted_bodies_are_accepted_with_warnings() {
    let mut character = body(canonical_skeleton());
    // each joint has a box of 24 corners
    for (vertex, row) in character.meshes[0].weights.iter_mut().enumerate() {
        if vertex % 24 != 0 {
            *row = [0.0; 4];
        }
    }
    let imported = import_file(&ascii_fbx::write(&character, &Telling::default()));
    assert!(
        has_warning(&imported, "most of the body has no weights"),
        "{:?}",
        imported.report.warnings
    );
    let whole = body(canonical_skeleton());
    let imported = import_file(&ascii_fbx::write(&whole, &Telling::default()));
    assert!(!has_warning(&imported, "has no weights"), "{:?}", imported.report.warnings);
}

#[test]
fn meshes_bound_only_to_the_hips_are_accepted_with_warnings() {
    let mut character = body(canonical_skeleton());
    let mesh = &mut character.meshes[0];
    mesh.joints.fill([0; 4]);
    mesh.weights.fill([1.0, 0.0, 0.0, 0.0]);
    let imported = import_file(&glb::write_character(&character).expect("the file can be written"));
    assert!(
        has_warning(&imported, "no part of the mesh is bound to"),
        "{:?}",
        imported.report.warnings
    );
}
