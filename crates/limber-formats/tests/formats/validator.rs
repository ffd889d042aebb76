use std::{path::Path, process::Command};

use limber_animation::canonical_skeleton;
use limber_formats::{
    glb::{self, GlbOptions},
    vrma::{self, VrmaOptions},
};

use crate::{
    mannequin::{body, foreign_skeleton, root_below_hips, swinging},
    rich::rich,
};

/// Asserts that Khronos' validator finds neither errors nor warnings.
fn assert_valid(file: &[u8], name: &str) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/validators"));
    if !folder.join("node_modules/gltf-validator").exists() {
        println!("skipped: run `npm ci` in tests/validators to install the glTF validator");
        return;
    }
    let path = std::env::temp_dir().join(format!("limber-{}-{name}.glb", std::process::id()));
    std::fs::write(&path, file).expect("the temporary folder can be written");
    let output = Command::new("node")
        .arg(folder.join("validate_glb.mjs"))
        .arg(&path)
        .output()
        .expect("node can be started");
    std::fs::remove_file(&path).expect("the file was just written");
    let text = String::from_utf8_lossy(&output.stdout);
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {text}{problems}");
}

#[test]
fn the_gltf_validator_accepts_a_character() {
    let file = glb::write_character(&body(canonical_skeleton())).expect("the file can be written");
    assert_valid(&file, "character");
}

#[test]
fn the_gltf_validator_accepts_a_character_with_all_features() {
    let file = glb::write_character(&rich()).expect("the file can be written");
    assert_valid(&file, "rich");
}

#[test]
fn the_gltf_validator_accepts_a_clip_with_and_without_root() {
    for (skeleton, name) in [(canonical_skeleton(), "own"), (foreign_skeleton(), "foreign")] {
        let clip = swinging(&skeleton, 20);
        let character = body(skeleton);
        for root in [None, Some(root_below_hips(&clip))] {
            let name = format!("{name}-{}", root.is_some());
            let options = GlbOptions { name: "swinging".to_owned(), root, ..GlbOptions::default() };
            let file =
                glb::write_clip(&character, &clip, &options).expect("the file can be written");
            assert_valid(&file, &name);
        }
    }
}

#[test]
fn the_gltf_validator_accepts_a_vrm_animation() {
    for (skeleton, name) in [(canonical_skeleton(), "own"), (foreign_skeleton(), "foreign")] {
        let options = VrmaOptions { name: "swinging".to_owned(), ..VrmaOptions::default() };
        let file =
            vrma::write(&swinging(&skeleton, 20), &options).expect("the file can be written");
        assert_valid(&file, &format!("vrma-{name}"));
    }
}
