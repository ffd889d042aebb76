use glam::Vec3;
use limber_animation::{Character, HumanBone, canonical_skeleton};
use limber_formats::{
    glb,
    humanoid::Overrides,
    import::{FileFormat, ImportError, Imported, import},
};
use serde_json::json;

use crate::{
    ascii_fbx::{self, Telling},
    mannequin::body,
    rich::rich,
    surgery,
};

fn import_file(file: &[u8]) -> Imported {
    import(file, &Overrides::default()).expect("the character can be imported")
}

fn import_error(file: &[u8]) -> ImportError {
    import(file, &Overrides::default()).expect_err("the file is rejected")
}

/// Returns the largest distance of a bone from its position in the canonical body.
fn farthest(character: &Character, turn: impl Fn(Vec3) -> Vec3) -> f32 {
    let canonical = canonical_skeleton();
    let (meant, got) = (canonical.rest_world(), character.skeleton.rest_world());
    HumanBone::ALL
        .into_iter()
        .filter_map(|bone| Some((canonical.find(bone)?, character.skeleton.find(bone)?)))
        .map(|(a, b)| turn(meant.position(a)).distance(got.position(b)))
        .fold(0.0, f32::max)
}

/// Asserts that at rest every vertex is at its stored position: the mesh is in the space of the
/// rest pose.
fn assert_rests_in_place(character: &Character) {
    let world = character.skeleton.rest_world();
    for mesh in &character.meshes {
        let moved = character.skinned_positions(mesh, &world);
        let far = moved.iter().zip(&mesh.positions).map(|(a, b)| a.distance(*b));
        assert!(
            far.clone().fold(0.0, f32::max) < 1e-4,
            "{}: {:?}",
            mesh.name,
            far.fold(0.0, f32::max)
        );
    }
}

fn plain() -> Vec<u8> {
    glb::write_character(&body(canonical_skeleton())).expect("the file can be written")
}

#[test]
fn complete_bodies_are_imported_with_all_bones() {
    let imported = import_file(&plain());
    assert_eq!(imported.format, FileFormat::Glb);
    assert_eq!(imported.report.map.len(), canonical_skeleton().len());
    assert!(farthest(&imported.character, |at| at) < 1e-5);
    assert_eq!(imported.report.rest.pose, "T");
    assert_eq!(imported.report.hand_data_type(), 2);
    assert_eq!(imported.character.skins.len(), 1);
    assert_rests_in_place(&imported.character);
}

#[test]
fn exported_characters_are_imported_unchanged() {
    let character = rich();
    let file = glb::write_character(&character).expect("the file can be written");
    let imported = import_file(&file).character;
    let again = glb::write_character(&imported).expect("the file can be written");
    assert_eq!(import_file(&again).character, imported);
    assert_eq!(imported.materials, character.materials);
    assert_eq!(imported.images, character.images);
    let names: Vec<_> = imported.meshes[0].morphs.iter().map(|morph| morph.name.as_str()).collect();
    assert_eq!(names, ["jawOpen", "browInnerUp", "nothing"]);
    assert_eq!(imported.meshes[0].more_weights.len(), imported.meshes[0].positions.len());
    let twist = imported.skeleton.find_name("rig:forearm twist").expect("the twist joint is kept");
    assert_eq!(imported.skeleton.joint(twist).twist, character.skeleton.joint(twist).twist);
}

#[test]
fn self_contained_gltf_text_is_accepted() {
    let imported = import_file(&surgery::as_text(&plain()));
    assert_eq!(imported.format, FileFormat::Gltf);
    assert_eq!(imported.character, import_file(&plain()).character);
}

/// Returns the file with a VRM humanoid made from its joints' names, which are removed.
pub(crate) fn with_vrm(file: &[u8], version: u8) -> Vec<u8> {
    surgery::changed(file, |json| {
        let nodes = json["nodes"].as_array().expect("the value is an array").iter().enumerate();
        let bones: Vec<(&str, usize)> = nodes
            .filter_map(|(place, node)| {
                Some((HumanBone::from_name(node["name"].as_str()?)?.name(), place))
            })
            .collect();
        for (at, node) in
            json["nodes"].as_array_mut().expect("the value is an array").iter_mut().enumerate()
        {
            node["name"] = json!(format!("n{at}"));
        }
        // files by Limber face forwards in both versions
        json["asset"]["generator"] = json!("another program");
        json["extensionsUsed"] = json!(["VRM", "VRMC_vrm"]);
        json["extensions"] = if version == 0 {
            let bones: Vec<_> = bones
                .iter()
                .map(|(name, node)| {
                    let old = name.replace("ThumbProximal", "ThumbIntermediate");
                    json!({"bone": old.replace("ThumbMetacarpal", "ThumbProximal"), "node": node})
                })
                .collect();
            json!({"VRM": {"humanoid": {"humanBones": bones}}})
        } else {
            let bones: serde_json::Map<String, serde_json::Value> = bones
                .iter()
                .map(|(name, node)| ((*name).to_owned(), json!({"node": node})))
                .collect();
            json!({"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": bones}}})
        };
    })
}

#[test]
fn vrm_1_declares_its_bones() {
    let imported = import_file(&with_vrm(&plain(), 1));
    assert_eq!((imported.format, imported.report.confidence), (FileFormat::Vrm1, 1.0));
    assert!(imported.report.map.values().all(|joint| joint.by == "vrm"));
    assert!(farthest(&imported.character, |at| at) < 1e-5);
}

#[test]
fn vrm_0_is_turned_forward_and_its_thumbs_are_renamed() {
    let backwards = surgery::changed(&with_vrm(&plain(), 0), |json| {
        let hips = json["skins"][0]["joints"][0].as_u64().expect("a node") as usize;
        json["nodes"][hips]["rotation"] = json!([0.0, 1.0, 0.0, 0.0]);
    });
    let imported = import_file(&backwards);
    assert_eq!(imported.format, FileFormat::Vrm0);
    assert!(imported.report.rest.forward[2] > 0.999, "{:?}", imported.report.rest);
    assert!(farthest(&imported.character, |at| at) < 1e-5);
    assert_rests_in_place(&imported.character);
    assert_eq!(imported.report.map.len(), canonical_skeleton().len());
}

#[test]
fn contradictory_vrm_files_are_rejected_with_909() {
    for version in [0, 1] {
        let nowhere = surgery::changed(&with_vrm(&plain(), version), |json| {
            if version == 0 {
                json["extensions"]["VRM"]["humanoid"]["humanBones"][0]["node"] = json!(99_999);
            } else {
                json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]["hips"] =
                    json!({"node": -1});
            }
        });
        let error = import_error(&nowhere);
        assert_eq!(error.code(), 909, "{error}");
    }
    let lacking = surgery::changed(&with_vrm(&plain(), 1), |json| {
        let bones = &mut json["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"];
        bones.as_object_mut().expect("the value is an object").remove("leftFoot");
    });
    let error = import_error(&lacking);
    assert_eq!(error.code(), 909);
    assert!(error.to_string().contains("left foot"), "{error}");
    let expression = surgery::changed(&with_vrm(&plain(), 1), |json| {
        json["extensions"]["VRMC_vrm"]["expressions"] = json!({"preset": {"happy": {"morphTargetBinds": [{"node": 0, "index": 3, "weight": 1.0}]}}});
    });
    assert_eq!(import_error(&expression).code(), 907);
}

#[test]
fn faces_with_duplicate_shape_names_are_rejected() {
    let named = |names: [&str; 3]| {
        let mut character = rich();
        for (morph, name) in character.meshes[0].morphs.iter_mut().zip(names) {
            name.clone_into(&mut morph.name);
        }
        glb::write_character(&character).expect("the file can be written")
    };
    let twice = import_error(&named(["jawOpen", "browInnerUp", "jawOpen"]));
    assert_eq!(twice.code(), 907);
    assert!(twice.to_string().contains("two have the name `jawOpen`"), "{twice}");
    assert_eq!(import_error(&named(["jawOpen", "", "other"])).code(), 907);
    import_file(&named(["crease", "crease", ""]));
}

#[test]
fn fbx_files_of_any_unit_axis_and_rotation_order_are_imported() {
    let character = body(canonical_skeleton());
    for (unit_cm, z_up, pre_rotation, bent) in [
        (1.0, false, false, false),
        (2.54, false, false, false),
        (100.0, true, false, false),
        (1.0, true, true, false),
        (1.0, false, true, true),
    ] {
        let telling = Telling { unit_cm, z_up, pre_rotation, bent, ..Telling::default() };
        let imported = import_file(&ascii_fbx::write(&character, &telling));
        let case = format!("{unit_cm} {z_up} {pre_rotation} {bent}");
        assert!(matches!(imported.format, FileFormat::Fbx { version: 7400 }), "{case}");
        let far = farthest(&imported.character, |at| at);
        assert!(far < 1e-4, "{case}: {far} m");
        assert_rests_in_place(&imported.character);
        assert_eq!(imported.report.map.len(), canonical_skeleton().len(), "{case}");
        let unit = imported.report.rest.unit_scale;
        assert!((unit - unit_cm as f32 / 100.0).abs() < 1e-6, "{case}: {unit}");
    }
}

#[test]
fn fbx_files_without_mesh_or_skin_are_rejected_with_advice() {
    let character = body(canonical_skeleton());
    let no_mesh = ascii_fbx::write(&character, &Telling { no_mesh: true, ..Telling::default() });
    let error = import_error(&no_mesh);
    assert_eq!(error.code(), 905);
    assert!(error.to_string().contains("export with the mesh selected"), "{error}");
    let no_skin = ascii_fbx::write(&character, &Telling { no_skin: true, ..Telling::default() });
    assert_eq!(import_error(&no_skin).code(), 905);
}

#[test]
fn wrong_units_are_corrected_with_a_warning() {
    for (scale, unit) in [(100.0, 0.01), (1_000.0, 0.001), (0.01, 100.0)] {
        let file = surgery::changed(&plain(), |json| {
            let top = surgery::node(json, "hips");
            let count = json["nodes"].as_array().expect("the value is an array").len();
            json["nodes"]
                .as_array_mut()
                .expect("the value is an array")
                .push(json!({"name": "scaled", "scale": [scale, scale, scale], "children": [top]}));
            let scene = json["scenes"][0]["nodes"].as_array_mut().expect("the value is an array");
            scene.retain(|node| node != top);
            scene.push(json!(count));
        });
        let imported = import_file(&file);
        assert!((imported.report.rest.unit_scale - unit).abs() < 1e-6);
        assert!(farthest(&imported.character, |at| at) < 1e-4, "{scale}");
        assert!(imported.report.warnings.iter().any(|warning| warning.contains("read as")));
        assert_rests_in_place(&imported.character);
    }
}

#[test]
fn bodies_facing_sideways_are_turned_forward() {
    let file = surgery::changed(&plain(), |json| {
        let top = surgery::node(json, "hips");
        let turn = std::f32::consts::FRAC_1_SQRT_2;
        json["nodes"][top]["rotation"] = json!([0.0, turn, 0.0, turn]);
    });
    let imported = import_file(&file);
    assert!(
        farthest(&imported.character, |at| at) < 1e-3,
        "{}",
        farthest(&imported.character, |at| at)
    );
    assert!(imported.report.rest.forward[0] > 0.9, "{:?}", imported.report.rest);
}

#[test]
fn joints_scaled_to_zero_are_rejected_with_902() {
    let file = surgery::changed(&plain(), |json| {
        let arm = surgery::node(json, "leftUpperArm");
        json["nodes"][arm]["scale"] = json!([1.0, 0.0, 1.0]);
    });
    let error = import_error(&file);
    assert_eq!(error.code(), 902, "{error}");
}

#[test]
fn outliers_and_extreme_scales_are_rejected_by_name() {
    let with = |change: &dyn Fn(&mut serde_json::Value)| surgery::changed(&plain(), change);
    let stray = |place: [f32; 3]| {
        with(&|json| {
            let hand = surgery::node(json, "leftHand");
            json["nodes"][hand]["translation"] = json!(place);
            // otherwise the bind pose would be used
            json["skins"][0]
                .as_object_mut()
                .expect("the skin is an object")
                .remove("inverseBindMatrices");
        })
    };
    for place in [[0.0, 0.0, 400.0], [1e7, 0.0, 0.0], [0.0, 0.0, -1e30]] {
        let error = import_error(&stray(place));
        assert!([901, 902].contains(&error.code()), "{place:?}: {} {error}", error.code());
        let message = error.to_string();
        assert!(
            message.contains("left") && message.contains("export again"),
            "{place:?}: {message}"
        );
    }
    for joint in ["hips", "leftUpperArm", "head"] {
        let error = import_error(&with(&|json| {
            let joint = surgery::node(json, joint);
            json["nodes"][joint]["scale"] = json!([1e7, 1e7, 1e7]);
        }));
        assert!([901, 902].contains(&error.code()), "{joint}: {} {error}", error.code());
    }
}

#[test]
fn external_references_are_rejected_with_their_names() {
    for (uri, named) in [
        ("../../../etc/passwd", "passwd"),
        ("file:///etc/passwd", "passwd"),
        ("http://127.0.0.1:9/mesh.bin", "mesh.bin"),
        ("body.bin", "body.bin"),
    ] {
        let text = surgery::as_text(&plain());
        let mut json: serde_json::Value =
            serde_json::from_slice(&text).expect("the text is valid JSON");
        json["buffers"][0]["uri"] = json!(uri);
        let error = import_error(json.to_string().as_bytes());
        assert_eq!(error.code(), 901);
        assert!(error.to_string().contains(named), "{error}");
        assert!(!error.to_string().contains("etc/"), "{error}");
    }
}

#[test]
fn unsupported_extensions_are_named() {
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_basisu"] {
        let file = surgery::changed(&plain(), |json| {
            json["extensionsUsed"] = json!([name]);
            json["extensionsRequired"] = json!([name]);
        });
        let error = import_error(&file);
        assert_eq!(error.code(), 901);
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn other_file_types_are_recognised_and_rejected() {
    for (bytes, word) in [
        (b"".as_slice(), "empty"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"HIERARCHY\nROOT hips", "BVH"),
        (b"BLENDER-v300", "Blender"),
        (b"once upon a time", "not a supported character file"),
        (b"; FBX 7.4.0 project file\nonce upon a time", "export"),
        (b"Kaydara FBX Binary  \0\x1a\0rest", "export"),
    ] {
        let error = import_error(bytes);
        assert_eq!(error.code(), 901, "{error}");
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn overrides_are_kept() {
    let mut overrides = Overrides::default();
    overrides.set(HumanBone::LeftHand, "leftMiddleProximal");
    let imported = import(&plain(), &overrides).expect("the character can be imported");
    let hand = &imported.report.map["leftHand"];
    assert_eq!((hand.name.as_str(), hand.by.as_str()), ("leftMiddleProximal", "user"));
}

/// Changes many bytes of text and data in turn, which exposes FBX and VRM readers that trust their
/// input.
#[test]
fn no_changed_byte_makes_a_reader_panic() {
    let character = body(canonical_skeleton());
    let fbx = ascii_fbx::write(&character, &Telling::default());
    for file in [fbx, with_vrm(&plain(), 0), with_vrm(&plain(), 1)] {
        for at in (0..file.len()).step_by(file.len() / 150) {
            for value in [b'9', b'}', 0xFF] {
                let mut damaged = file.clone();
                damaged[at] = value;
                let _ = import(&damaged, &Overrides::default());
            }
            let _ = import(&file[..at], &Overrides::default());
        }
    }
}
