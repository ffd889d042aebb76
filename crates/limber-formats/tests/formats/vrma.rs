use std::{collections::BTreeMap, sync::Arc};

use glam::{Quat, Vec3};
use limber_animation::{HumanBone, Skeleton, WorldPose, canonical_skeleton};
use limber_formats::vrma::{self, VrmaError, VrmaOptions};
use serde_json::Value;

use crate::mannequin::{foreign_skeleton, swinging};

fn options() -> VrmaOptions {
    VrmaOptions { name: "swinging".to_owned(), ..VrmaOptions::default() }
}

/// Returns the JSON document and its data.
fn parts(file: &[u8]) -> (Value, Vec<u8>) {
    let length =
        u32::from_le_bytes(file[12..16].try_into().expect("the slice has four bytes")) as usize;
    let document = serde_json::from_slice(&file[20..20 + length]).expect("the text is valid JSON");
    (document, file[20 + length + 8..].to_vec())
}

fn place(value: &Value) -> usize {
    value.as_u64().expect("a place") as usize
}

fn floats(document: &Value, data: &[u8], accessor: &Value) -> Vec<f32> {
    let accessor = &document["accessors"][place(accessor)];
    let view = &document["bufferViews"][place(&accessor["bufferView"])];
    let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
    let length = place(&view["byteLength"]);
    let bytes = data[start..start + length].chunks_exact(4);
    bytes
        .map(|four| f32::from_le_bytes(four.try_into().expect("the slice has four bytes")))
        .collect()
}

/// Returns every node's rotation keys, and the hips' translation keys.
fn movement(document: &Value, data: &[u8]) -> (BTreeMap<usize, Vec<Quat>>, Vec<Vec3>) {
    let animation = &document["animations"][0];
    let (mut turns, mut travel) = (BTreeMap::new(), Vec::new());
    for channel in animation["channels"].as_array().expect("the value is an array") {
        let sampler = &animation["samplers"][place(&channel["sampler"])];
        let values = floats(document, data, &sampler["output"]);
        let node = place(&channel["target"]["node"]);
        match channel["target"]["path"].as_str() {
            Some("rotation") => {
                turns.insert(node, values.chunks_exact(4).map(Quat::from_slice).collect());
            }
            Some("translation") => {
                let hips = &document["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"];
                assert_eq!(
                    place(&hips["hips"]["node"]),
                    node,
                    "only the hips can have translations"
                );
                travel = values.chunks_exact(3).map(Vec3::from_slice).collect();
            }
            other => panic!("{other:?} must not be animated"),
        }
    }
    (turns, travel)
}

fn bone_nodes(document: &Value) -> BTreeMap<HumanBone, usize> {
    let bones = &document["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"];
    let bones = bones.as_object().expect("the value is an object").iter();
    bones
        .map(|(name, node)| {
            (HumanBone::from_name(name).expect("the name is that of a bone"), place(&node["node"]))
        })
        .collect()
}

fn with_eyes() -> Arc<Skeleton> {
    let canonical = canonical_skeleton();
    let mut joints = canonical.joints().to_vec();
    joints.push(limber_animation::Joint {
        name: "eye".to_owned(),
        parent: canonical.find(HumanBone::Head),
        rest_translation: Vec3::new(0.03, 0.05, 0.1),
        rest_rotation: Quat::IDENTITY,
        bone: Some(HumanBone::LeftEye),
        twist: None,
    });
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

#[test]
fn all_bones_except_the_eyes_are_declared_without_rotation() {
    let skeleton = with_eyes();
    let file = vrma::write(&swinging(&skeleton, 5), &options()).expect("the file can be written");
    let (document, _) = parts(&file);
    assert_eq!(document["extensionsUsed"], serde_json::json!(["VRMC_vrm_animation"]));
    assert_eq!(document["extensions"]["VRMC_vrm_animation"]["specVersion"], "1.0");
    assert_eq!(document["animations"][0]["name"], "swinging");
    assert!(document.get("meshes").is_none() && document.get("skins").is_none());
    let nodes = bone_nodes(&document);
    assert!(!nodes.contains_key(&HumanBone::LeftEye));
    let meant = skeleton.joints().iter().filter_map(|joint| joint.bone).count() - 1;
    assert_eq!(nodes.len(), meant);
    for node in nodes.values() {
        assert!(document["nodes"][*node].get("rotation").is_none());
        assert!(document["nodes"][*node].get("scale").is_none());
    }
}

/// Holds for any joint axes and any joints above the hips.
#[test]
fn bones_rotate_from_the_t_pose_like_the_clip() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let clip = swinging(&skeleton, 20);
        let file = vrma::write(&clip, &options()).expect("the file can be written");
        let (document, data) = parts(&file);
        let (turns, travel) = movement(&document, &data);
        let nodes = bone_nodes(&document);
        let mut parent = BTreeMap::new();
        for (above, node) in
            document["nodes"].as_array().expect("the value is an array").iter().enumerate()
        {
            for child in node["children"].as_array().into_iter().flatten() {
                parent.insert(place(child), above);
            }
        }
        let rest = skeleton.rest_world();
        for (frame, pose) in clip.frames().iter().enumerate() {
            let world: WorldPose = skeleton.world(pose);
            let hips = skeleton.hips();
            assert!(travel[frame].distance(world.position(hips)) < 1e-5);
            for (bone, node) in &nodes {
                let mut turn = Quat::IDENTITY;
                let mut at = Some(*node);
                while let Some(node) = at {
                    let keys = turns.get(&node);
                    let key = keys.map_or(Quat::IDENTITY, |keys| keys[frame.min(keys.len() - 1)]);
                    turn = key * turn;
                    at = parent.get(&node).copied();
                }
                let joint = skeleton.find(*bone).expect("the bone is mapped");
                let meant = world.rotation(joint) * rest.rotation(joint).inverse();
                for axis in Vec3::AXES {
                    let apart = (turn * axis).distance(meant * axis);
                    assert!(apart < 1e-4, "{bone:?} in frame {frame}: {apart}");
                }
            }
        }
    }
}

#[test]
fn skeletons_with_another_rest_pose_are_written_from_their_t_pose() {
    let skeleton = canonical_skeleton();
    let clip = swinging(&skeleton, 4);
    let mut lowered = skeleton.rest_pose();
    let arm = skeleton.find(HumanBone::LeftUpperArm).expect("the skeleton has arms");
    lowered.set_rotation(arm, Quat::from_rotation_z(-0.8));
    let t_pose = skeleton.world(&lowered);
    let file = vrma::write(&clip, &VrmaOptions { t_pose: Some(t_pose.clone()), ..options() });
    let (document, _) = parts(&file.expect("the file can be written"));
    let nodes = bone_nodes(&document);
    let elbow = &document["nodes"][nodes[&HumanBone::LeftLowerArm]]["translation"];
    let elbow: Vec<f32> = elbow
        .as_array()
        .expect("the value is an array")
        .iter()
        .map(|v| v.as_f64().expect("the value is a number") as f32)
        .collect();
    let joint = skeleton.find(HumanBone::LeftLowerArm).expect("the skeleton has elbows");
    let meant = t_pose.position(joint) - t_pose.position(arm);
    assert!(Vec3::from_slice(&elbow).distance(meant) < 1e-5);
}

#[test]
fn bodies_without_a_required_bone_are_rejected() {
    let mut joints = canonical_skeleton().joints().to_vec();
    let head = joints.iter_mut().find(|joint| joint.bone == Some(HumanBone::Head));
    head.expect("a head").bone = None;
    let skeleton = Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"));
    let error = vrma::write(&swinging(&skeleton, 2), &options());
    assert_eq!(error, Err(VrmaError::MissingBone("head")));
}

#[test]
fn arms_without_a_hand_get_the_hand_that_vrm_requires() {
    let mut joints = canonical_skeleton().joints().to_vec();
    for joint in &mut joints {
        let is_of_hand = |bone: &HumanBone| {
            *bone >= HumanBone::LeftThumbMetacarpal || bone.name().ends_with("Hand")
        };
        joint.bone = joint.bone.filter(|bone| !is_of_hand(bone));
    }
    let skeleton = Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"));
    let file = vrma::write(&swinging(&skeleton, 4), &options()).expect("the file can be written");
    let (document, data) = parts(&file);
    let nodes = bone_nodes(&document);
    for (hand, forearm) in [
        (HumanBone::LeftHand, HumanBone::LeftLowerArm),
        (HumanBone::RightHand, HumanBone::RightLowerArm),
    ] {
        let children = document["nodes"][nodes[&forearm]]["children"].as_array();
        assert!(
            children.expect("the value is an array").contains(&Value::from(nodes[&hand])),
            "{hand:?}"
        );
        let offset = |node: usize| document["nodes"][node]["translation"].clone();
        assert_eq!(
            offset(nodes[&hand]),
            offset(nodes[&forearm]),
            "the hand is as far away as the upper arm is long"
        );
        let (turns, _) = movement(&document, &data);
        let still = turns
            .get(&nodes[&hand])
            .is_none_or(|turns| turns.iter().all(|turn| turn.angle_between(Quat::IDENTITY) < 1e-3));
        assert!(still, "the forearm moves the hand");
    }
}
