//! VRM extensions stay valid in files that are derived from a VRM character.

use glam::Vec3;
use limber_animation::{HumanBone, Morph, canonical_skeleton};
use limber_formats::{
    glb::{self, GlbOptions},
    humanoid::Overrides,
    import::{FileFormat, Imported, import},
};
use serde_json::{Value, json};

use crate::{
    import::with_vrm,
    mannequin::{body, root_below_hips, swinging},
    surgery,
};

/// Returns a VRM whose expression uses the second morph target of the body, whose licence has an
/// image, and whose spring bone ends in a node that influences no vertex.
fn avatar(version: u8) -> Vec<u8> {
    let mut character = body(canonical_skeleton());
    let count = character.meshes[0].positions.len();
    character.meshes[0].morphs = ["frown", "smile"]
        .map(|name| {
            let positions = vec![Vec3::Y * 0.01; count];
            Morph { name: name.to_owned(), positions, normals: Vec::new() }
        })
        .to_vec();
    let file = glb::write_character(&character).expect("the file can be written");
    let head = surgery::node(&surgery::open(&file).0, "head");
    surgery::changed(&with_vrm(&file, version), |json| {
        let nodes = json["nodes"].as_array_mut().expect("the value is an array");
        let shows = |node: &Value, mesh: u64| node["mesh"] == mesh;
        let body =
            nodes.iter().position(|node| shows(node, 0)).expect("the mesh is attached to a node");
        let mark =
            nodes.iter().position(|node| shows(node, 1)).expect("the mesh is attached to a node");
        let tail = nodes.len();
        nodes.push(json!({"name": "tail", "translation": [0.0, 0.2, 0.0]}));
        let children =
            nodes[head].as_object_mut().expect("the value is an object").entry("children");
        let children = children.or_insert_with(|| json!([])).as_array_mut();
        children.expect("the value is an array").push(json!(tail));
        if version == 1 {
            let vrm = &mut json["extensions"]["VRMC_vrm"];
            vrm["meta"] = json!({"name": "Hero", "authors": ["A. Nyone"], "thumbnailImage": 0});
            let bind = json!({"node": body, "index": 1, "weight": 1.0});
            vrm["expressions"] = json!({"preset": {"happy": {"morphTargetBinds": [bind]}}});
            vrm["firstPerson"] =
                json!({"meshAnnotations": [{"node": body, "type": "auto"}, {"node": mark}]});
            json["extensions"]["VRMC_springBone"] = json!({
                "specVersion": "1.0",
                "springs": [{"joints": [{"node": head}, {"node": tail}]}],
            });
        } else {
            let vrm = &mut json["extensions"]["VRM"];
            vrm["meta"] = json!({"title": "Hero", "licenseName": "CC_BY", "texture": 0});
            let bind = json!({"mesh": 0, "index": 1, "weight": 100.0});
            vrm["blendShapeMaster"] =
                json!({"blendShapeGroups": [{"name": "Joy", "binds": [bind]}]});
            vrm["secondaryAnimation"] = json!({"boneGroups": [{"bones": [head, tail], "center": -1}], "colliderGroups": []});
        }
    })
}

fn import_file(file: &[u8], overrides: &Overrides) -> Imported {
    import(file, overrides).expect("the character can be imported")
}

/// Returns a clip file and its JSON, in which every joint index is shifted by one.
fn written(imported: &Imported) -> (Vec<u8>, Value) {
    let clip = swinging(&imported.character.skeleton, 3);
    let options = GlbOptions { root: Some(root_below_hips(&clip)), ..GlbOptions::default() };
    let file =
        glb::write_clip(&imported.character, &clip, &options).expect("the file can be written");
    let json = surgery::open(&file).0;
    (file, json)
}

fn name<'j>(json: &'j Value, node: &Value) -> &'j str {
    let node = usize::try_from(node.as_u64().expect("the value is an integer"))
        .expect("the character is valid");
    json["nodes"][node]["name"].as_str().expect("the shape has a name")
}

/// Returns the name of a mesh's morph target.
fn shape<'j>(json: &'j Value, mesh: &Value, shape: &Value) -> &'j Value {
    let place = |value: &Value| {
        usize::try_from(value.as_u64().expect("the value is an integer"))
            .expect("the character is valid")
    };
    &json["meshes"][place(mesh)]["extras"]["targetNames"][place(shape)]
}

#[test]
fn vrm_1_export_keeps_licence_expressions_and_springs() {
    let imported = import_file(&avatar(1), &Overrides::default());
    let (file, json) = written(&imported);
    let vrm = &json["extensions"]["VRMC_vrm"];
    assert_eq!(vrm["meta"]["authors"], json!(["A. Nyone"]));
    assert_eq!(vrm["meta"]["thumbnailImage"], 0);
    for (bone, entry) in vrm["humanoid"]["humanBones"].as_object().expect("the value is an object")
    {
        let bone = HumanBone::from_name(bone).expect("the name is that of a bone");
        let joint = imported.character.skeleton.find(bone).expect("the bone is mapped");
        assert_eq!(name(&json, &entry["node"]), imported.character.skeleton.joint(joint).name);
    }
    let bind = &vrm["expressions"]["preset"]["happy"]["morphTargetBinds"][0];
    let shower = usize::try_from(bind["node"].as_u64().expect("the value is an integer"))
        .expect("the character is valid");
    assert_eq!(shape(&json, &json["nodes"][shower]["mesh"], &bind["index"]), "smile");
    let annotations =
        vrm["firstPerson"]["meshAnnotations"].as_array().expect("the value is an array");
    assert_eq!(annotations.len(), 1, "nodes without a joint were left out");
    assert_eq!(annotations[0]["node"], bind["node"]);
    let joints = &json["extensions"]["VRMC_springBone"]["springs"][0]["joints"];
    assert_eq!(name(&json, &joints[1]["node"]), "tail");
    for extension in ["VRMC_vrm", "VRMC_springBone"] {
        let used = json["extensionsUsed"].as_array().expect("the value is an array");
        assert!(used.iter().any(|name| name == extension), "{extension}");
    }
    let again = import_file(&file, &Overrides::default());
    assert_eq!(again.format, FileFormat::Vrm1);
    let (_, json) = written(&again);
    assert_eq!(json["extensions"]["VRMC_vrm"]["meta"], vrm["meta"]);
}

#[test]
fn vrm_0_export_keeps_its_metadata_and_faces_forward() {
    let imported = import_file(&avatar(0), &Overrides::default());
    let (file, json) = written(&imported);
    let vrm = &json["extensions"]["VRM"];
    assert_eq!(vrm["meta"]["licenseName"], "CC_BY");
    let texture =
        usize::try_from(vrm["meta"]["texture"].as_u64().expect("the value is an integer"));
    assert_eq!(json["textures"][texture.expect("the character is valid")]["source"], 0);
    let bones = vrm["humanoid"]["humanBones"].as_array().expect("the value is an array");
    let node_of = |bone: &str| {
        let entry = bones.iter().find(|entry| entry["bone"] == bone).expect("the bone is declared");
        name(&json, &entry["node"])
    };
    for (old, bone) in [
        ("hips", HumanBone::Hips),
        ("leftThumbProximal", HumanBone::LeftThumbMetacarpal),
        ("rightThumbIntermediate", HumanBone::RightThumbProximal),
    ] {
        let joint = imported.character.skeleton.find(bone).expect("the bone is mapped");
        assert_eq!(node_of(old), imported.character.skeleton.joint(joint).name);
    }
    let bind = &vrm["blendShapeMaster"]["blendShapeGroups"][0]["binds"][0];
    assert_eq!(shape(&json, &bind["mesh"], &bind["index"]), "smile");
    let spring = &vrm["secondaryAnimation"]["boneGroups"][0];
    assert_eq!((name(&json, &spring["bones"][1]), &spring["center"]), ("tail", &json!(-1)));
    let again = import_file(&file, &Overrides::default());
    assert_eq!(again.format, FileFormat::Vrm0);
    assert!(again.report.rest.forward[2] > 0.99, "{:?}", again.report.rest);
    let read = glb::read(&file).expect("the file can be read").character;
    assert_eq!(read.avatar.len(), 1);
}

#[test]
fn bone_overrides_are_exported() {
    for version in [0, 1] {
        let plain = import_file(&avatar(version), &Overrides::default());
        let finger = &plain.report.map[HumanBone::LeftMiddleProximal.name()].name;
        let mut overrides = Overrides::default();
        overrides.set(HumanBone::LeftHand, finger.as_str());
        let (file, _) = written(&import_file(&avatar(version), &overrides));
        let again = import_file(&file, &Overrides::default());
        assert_eq!(&again.report.map["leftHand"].name, finger);
    }
}
