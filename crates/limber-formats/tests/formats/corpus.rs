//! Rereads the seeds and the findings of the fuzzers.

use std::{fs, path::PathBuf, sync::Arc};

use glam::Vec3;
use limber_animation::{
    Character, HumanBone, Joint, JointIndex, Mesh, Skeleton, Skin, canonical_skeleton,
};
use limber_formats::{
    bvh, glb,
    humanoid::Overrides,
    import::import,
    motion::{self, MotionHints},
};

use crate::{
    ascii_fbx::{self, Telling},
    import::with_vrm,
    mannequin::swinging,
    motion::acclaim,
    surgery,
};

fn corpus() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus"))
}

fn read_input(kind: &str, bytes: &[u8]) -> bool {
    if kind == "bvh" {
        return std::str::from_utf8(bytes).is_ok_and(|text| bvh::read(text).is_ok());
    }
    if kind == "motion" {
        let (skeleton, file) = with_skeleton(bytes);
        let hints = MotionHints { skeleton, ..MotionHints::default() };
        return motion::read(file, &hints).is_ok();
    }
    import(bytes, &Overrides::default()).is_ok()
}

/// Splits a motion capture input into an optional skeleton, which a zero byte terminates, and the
/// file.
fn with_skeleton(bytes: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(place) if bytes.starts_with(b":") => (Some(&bytes[..place]), &bytes[place + 1..]),
        _ => (None, bytes),
    }
}

#[test]
fn readers_withstand_the_fuzzing_corpus() {
    let mut read = 0;
    for kind in ["glb", "vrm", "fbx", "bvh", "motion"] {
        let files = fs::read_dir(corpus().join(kind)).expect("every fuzzer has a corpus");
        for file in files {
            let bytes = fs::read(file.expect("the folder can be listed").path());
            read_input(kind, &bytes.expect("the file can be read"));
            read += 1;
        }
    }
    assert!(read >= 8, "only {read} files were read");
}

#[test]
fn every_seed_is_a_character() {
    for (kind, name, bytes) in seeds() {
        assert!(read_input(kind, &bytes), "{kind}/{name}");
    }
}

#[test]
#[ignore = "writes the seeds into the corpus"]
fn write_the_seeds() {
    for (kind, name, bytes) in seeds() {
        fs::create_dir_all(corpus().join(kind)).expect("the folder can be created");
        fs::write(corpus().join(kind).join(name), bytes).expect("the file can be written");
    }
}

fn seeds() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let small = small();
    let plain = glb::write_character(&small).expect("the file can be written");
    let skeleton = canonical_skeleton();
    let text = bvh::write(&skeleton, &swinging(&skeleton, 2), &bvh::BvhOptions::default());
    let fbx = |telling| ascii_fbx::write(&small, &telling);
    let (asf, amc) = acclaim();
    vec![
        ("motion", "seed.amc", [asf.as_bytes(), &[0], amc.as_bytes()].concat()),
        ("glb", "seed.glb", plain.clone()),
        ("glb", "seed.gltf", surgery::as_text(&plain)),
        ("vrm", "seed_0.gltf", surgery::as_text(&with_vrm(&plain, 0))),
        ("vrm", "seed_1.gltf", surgery::as_text(&with_vrm(&plain, 1))),
        ("vrm", "seed_1.vrm", with_vrm(&plain, 1)),
        ("fbx", "seed.fbx", fbx(Telling::default())),
        (
            "fbx",
            "seed_z_up.fbx",
            fbx(Telling { z_up: true, pre_rotation: true, ..Telling::default() }),
        ),
        ("bvh", "seed.bvh", text.expect("the clip can be written").into_bytes()),
    ]
}

/// Returns a character with the fifteen required bones and a triangle on each.
fn small() -> Character {
    let canonical = canonical_skeleton();
    let world = canonical.rest_world();
    let mut joints: Vec<Joint> = Vec::new();
    for bone in HumanBone::ALL.into_iter().filter(|bone| bone.is_required()) {
        let place = |bone: HumanBone| {
            world.position(canonical.find(bone).expect("the canonical skeleton has this bone"))
        };
        let mut above = bone.parent();
        while above.is_some_and(|bone| !bone.is_required()) {
            above = above.and_then(HumanBone::parent);
        }
        let parent =
            above.and_then(|above| joints.iter().position(|joint| joint.bone == Some(above)));
        let offset = place(bone) - above.map_or(Vec3::ZERO, place);
        joints.push(Joint {
            name: bone.name().to_owned(),
            parent: parent.map(JointIndex::new),
            rest_translation: offset,
            bone: Some(bone),
            ..Joint::default()
        });
    }
    let skeleton = Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"));
    let mut mesh = Mesh { name: "body".to_owned(), skin: Some(0), ..Mesh::default() };
    let world = skeleton.rest_world();
    for joint in skeleton.indices() {
        for corner in [Vec3::ZERO, Vec3::X * 0.02, Vec3::Y * 0.02] {
            mesh.indices.push(mesh.positions.len() as u32);
            mesh.positions.push(world.position(joint) + corner);
            mesh.normals.push(Vec3::Z);
            mesh.joints.push([joint.get() as u16, 0, 0, 0]);
            mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
        }
    }
    Character {
        name: "small".to_owned(),
        skins: vec![Skin {
            joints: skeleton.indices().collect(),
            inverse_bind: skeleton.inverse_rest_matrices(),
        }],
        skeleton,
        meshes: vec![mesh],
        materials: vec![],
        images: vec![],
        avatar: Vec::new(),
    }
}
