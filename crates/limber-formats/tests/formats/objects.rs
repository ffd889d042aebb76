//! An object in a character's file stays one object, with its name and all its materials.

use glam::Vec3;
use limber_animation::{Character, Morph, canonical_skeleton};
use limber_formats::{fbx, glb, read_model};
use serde_json::Value;

use crate::{mannequin::body, surgery};

/// Returns a body with two materials that is one object, and another object.
fn two_materials() -> Character {
    let mut character = body(canonical_skeleton());
    let half = character.meshes[0].indices.len() / 6 * 3;
    let mut lower = character.meshes[0].clone();
    character.meshes[0].indices.truncate(half);
    lower.indices.drain(..half);
    lower.material = Some(1);
    for part in [&mut character.meshes[0], &mut lower] {
        part.object = Some(0);
        let positions = vec![Vec3::Y * 0.01; part.positions.len()];
        part.morphs = vec![Morph { name: "grow".to_owned(), positions, normals: Vec::new() }];
    }
    character.meshes.insert(1, lower);
    character.check().expect("the parts are consistent");
    character
}

fn description(file: &[u8]) -> Value {
    surgery::open(file).0
}

#[test]
fn glb_keeps_objects_with_two_materials_in_one_piece() {
    let character = two_materials();
    let file = glb::write_character(&character).expect("the file can be written");
    let json = description(&file);
    let meshes = json["meshes"].as_array().expect("the value is an array");
    let parts: Vec<Vec<&Value>> = meshes
        .iter()
        .map(|mesh| mesh["primitives"].as_array().expect("the value is an array"))
        .map(|parts| parts.iter().map(|part| &part["material"]).collect())
        .collect();
    assert_eq!(parts, [vec![&Value::from(0), &Value::from(1)], vec![&Value::from(1)]]);
    let nodes = json["nodes"].as_array().expect("the value is an array");
    let shown: Vec<&Value> =
        nodes.iter().filter(|node| node.get("mesh").is_some()).map(|node| &node["name"]).collect();
    assert_eq!(shown, ["body", "ground mark"]);
    let back = glb::read(&file).expect("the file can be read").character;
    assert_eq!(back.objects(), [vec![0, 1], vec![2]]);
    assert_eq!(back.triangle_count(), character.triangle_count());
    assert_eq!(
        description(&glb::write_character(&back).expect("the file can be written"))["meshes"],
        json["meshes"]
    );
}

#[test]
fn objects_are_named_after_their_node() {
    let file = glb::write_character(&two_materials()).expect("the file can be written");
    let renamed = surgery::changed(&file, |json| {
        let node = surgery::node(json, "body");
        json["nodes"][node]["name"] = "Hero".into();
    });
    let back = glb::read(&renamed).expect("the file can be read").character;
    let names: Vec<&str> = back.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["Hero", "Hero", "ground mark"]);
}

#[test]
fn fbx_keeps_objects_with_two_materials_in_one_piece() {
    let character = two_materials();
    let file = fbx::write_character(&character).expect("the file can be written");
    let scene = ufbx::load_memory(&file, ufbx::LoadOpts::default())
        .expect("another program can read the file");
    assert_eq!(scene.meshes.len(), 2);
    let body =
        scene.meshes.iter().find(|mesh| mesh.materials.len() == 2).expect("the body is one mesh");
    let with = |material: u32| body.face_material.iter().filter(|face| **face == material).count();
    let triangles = |mesh: usize| character.meshes[mesh].indices.len() / 3;
    assert_eq!((with(0), with(1)), (triangles(0), triangles(1)));
    let names: Vec<&str> =
        body.materials.iter().map(|material| material.element.name.as_ref()).collect();
    assert_eq!(names, ["skin", "mark"]);
    let model = read_model(&file).expect("the file can be read");
    let parts: Vec<_> = model.meshes.iter().map(|part| &part.mesh).collect();
    assert_eq!(
        parts.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(),
        ["body", "body", "ground mark"]
    );
    assert_eq!(parts.iter().map(|mesh| mesh.object).collect::<Vec<_>>(), [Some(0), Some(0), None]);
    for (part, meant) in parts.iter().zip(&character.meshes) {
        assert_eq!(part.indices.len(), meant.indices.len());
        assert_eq!(part.morphs.len(), meant.morphs.len());
    }
    let grown = parts[1].morphs[0].positions.iter().all(|by| by.distance(Vec3::Y * 0.01) < 1e-5);
    assert!(grown, "the morph target covers both parts");
}
