use std::path::Path;

use limber_animation::canonical_skeleton;
use limber_formats::{
    bvh,
    glb::{self, GlbError},
};
use serde_json::Value;

use crate::{
    mannequin::{body, swinging},
    surgery,
};

#[test]
fn damaged_and_hostile_files_never_crash_the_readers() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models/bad"));
    let Ok(entries) = folder.read_dir() else {
        println!("skipped: the shared models are not available");
        return;
    };
    // these are readable; their problems are detected at import
    let readable = [
        "weights_all_zero.glb",
        "no_skin.glb",
        "no_humanoid_names.glb",
        "duplicate_joint_names.glb",
        "hostile_names.glb",
        "glb_inside.fbx",
        "vrm_is_plain_glb.vrm",
        "vrm_bone_nodes_out_of_range.vrm",
        "vrm_missing_hips.vrm",
    ];
    for path in entries.map(|entry| entry.expect("the folder can be listed").path()) {
        let name = path.file_name().expect("the path is a file").to_string_lossy().into_owned();
        let result = glb::read(&std::fs::read(&path).expect("the file can be read"));
        match &result {
            Ok(read) => println!("{name}: read, {} joints", read.character.skeleton.len()),
            Err(error) => println!("{name}: {error}"),
        }
        assert_eq!(result.is_ok(), readable.contains(&name.as_str()), "{name}");
    }
}

/// Changes every 13th byte of the JSON and many of the data in turn, which exposes readers that
/// trust their input.
#[test]
fn no_changed_byte_makes_the_reader_panic() {
    let character = body(canonical_skeleton());
    let clip = swinging(&character.skeleton, 3);
    let options = glb::GlbOptions { name: "x".to_owned(), ..Default::default() };
    let file = glb::write_clip(&character, &clip, &options).expect("the file can be written");
    let json_end = 20
        + u32::from_le_bytes(file[12..16].try_into().expect("the slice has four bytes")) as usize;
    let description = (0..json_end).step_by(13);
    for at in description.chain((json_end..file.len()).step_by(1501)) {
        for value in [b'9', 0xFF] {
            let mut damaged = file.clone();
            damaged[at] = value;
            let _ = glb::read(&damaged);
        }
    }
    for length in (0..file.len()).step_by(997) {
        assert!(glb::read(&file[..length]).is_err());
    }
}

#[test]
fn truncated_bvh_files_are_rejected_with_the_line() {
    let skeleton = canonical_skeleton();
    let clip = swinging(&skeleton, 3);
    let text =
        bvh::write(&skeleton, &clip, &bvh::BvhOptions::default()).expect("the file can be written");
    for length in (0..text.len() - 12).step_by(61) {
        assert!(bvh::read(&text[..length]).is_err(), "{length}");
    }
}

#[test]
fn bvh_files_declaring_a_billion_frames_are_rejected() {
    for channels in ["1 Xrotation", "0"] {
        for count in ["1000000000", "1e300"] {
            let text = format!(
                "HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS {channels} }} MOTION Frames: {count} \
                 Frame Time: 0.1 1 2 3"
            );
            assert!(bvh::read(&text).is_err(), "{text}");
        }
    }
}

#[test]
fn skins_that_repeat_joints_are_rejected() {
    let character = body(canonical_skeleton());
    let file = glb::write_character(&character).expect("the file can be written");
    let many = surgery::changed(&file, |json| {
        let joints = json["skins"][0]["joints"].as_array().expect("the value is an array").clone();
        let repeated = joints.iter().cycle().take(70_000).cloned().collect();
        json["skins"][0]["joints"] = Value::Array(repeated);
        json["skins"][0]
            .as_object_mut()
            .expect("the skin is an object")
            .remove("inverseBindMatrices");
    });
    let error = glb::read(&many).expect_err("there are too many joints");
    assert!(matches!(error, GlbError::TooLarge("joints of a skin", 1_000)), "{error}");
}
