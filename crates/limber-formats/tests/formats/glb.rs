use glam::Vec3;
use limber_animation::{Clip, canonical_skeleton};
use limber_formats::glb::{self, GlbOptions};

use crate::{
    mannequin::{body, foreign_skeleton, root_below_hips, swinging},
    rich::rich,
};

fn options() -> GlbOptions {
    GlbOptions { name: "swinging".to_owned(), ..GlbOptions::default() }
}

fn farthest(a: &[Vec<Vec3>], b: &[Vec<Vec3>], skip: usize) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .flat_map(|(a, b)| a.iter().zip(&b[skip..]).map(|(a, b)| a.distance(*b)))
        .fold(0.0, f32::max)
}

#[test]
fn characters_are_read_back_unchanged() {
    let character = body(canonical_skeleton());
    let read = glb::read(&glb::write_character(&character).expect("the file can be written"))
        .expect("the file can be read");
    assert!(read.clips.is_empty());
    assert!(read.is_humanoid());
    let back = read.character;
    assert_eq!(back.skeleton, character.skeleton);
    assert_eq!(back.name, character.name);
    assert_eq!(back.materials, character.materials);
    assert_eq!(back.images, character.images);
    assert_eq!(back.skins, character.skins);
    for (back, mesh) in back.meshes.iter().zip(&character.meshes) {
        assert_eq!(back.positions, mesh.positions);
        assert_eq!(back.uvs, mesh.uvs);
        assert_eq!(back.indices, mesh.indices);
        assert_eq!(back.skin, mesh.skin);
    }
}

#[test]
fn morph_targets_influences_images_bones_and_twists_are_read_back_unchanged() {
    let character = rich();
    let file = glb::write_character(&character).expect("the file can be written");
    let back = glb::read(&file).expect("the file can be read");
    assert!(back.is_humanoid());
    let back = back.character;
    assert_eq!(back.skeleton, character.skeleton);
    assert_eq!(back.materials, character.materials);
    assert_eq!(back.images, character.images);
    let (mesh, meant) = (&back.meshes[0], &character.meshes[0]);
    assert_eq!(mesh.morphs, meant.morphs);
    assert_eq!(mesh.more_joints, meant.more_joints);
    let weights = mesh.weights.iter().zip(&meant.weights);
    let more = mesh.more_weights.iter().zip(&meant.more_weights);
    for (got, meant) in weights.chain(more).flat_map(|(got, meant)| got.iter().zip(meant)) {
        // weights are rounded, and the strongest takes the remainder of the seven others
        assert!((got - meant).abs() < 4.0 / 65_535.0, "{got} for {meant}");
    }
    let second = glb::write_character(&back).expect("the file can be written");
    let again = glb::read(&second).expect("the file can be read").character;
    assert!(
        glb::write_character(&again).expect("the file can be written") == second,
        "the bytes differ"
    );
}

#[test]
fn sparse_morph_targets_take_little_space() {
    let mut character = rich();
    let with = glb::write_character(&character).expect("the file can be written").len();
    character.meshes[0].morphs.retain(|morph| morph.name == "browInnerUp");
    let without = glb::write_character(&character).expect("the file can be written").len();
    let dense = character.meshes[0].positions.len() * 12;
    assert!(with - without < dense, "{} of {dense} bytes", with - without);
}

#[test]
fn clips_are_read_back_within_a_hundredth_of_a_millimetre() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let clip = swinging(&skeleton, 45);
        let file =
            glb::write_clip(&body(skeleton), &clip, &options()).expect("the file can be written");
        let read = glb::read(&file).expect("the file can be read");
        let back = &read.clips[0];
        assert_eq!(
            (back.name.as_str(), back.clip.fps(), back.clip.len()),
            ("swinging", clip.fps(), 45)
        );
        let distance = farthest(&clip.world_positions(), &back.clip.world_positions(), 0);
        assert!(distance < 1e-5, "{distance} m");
    }
}

#[test]
fn a_root_changes_no_world_position() {
    for skeleton in [canonical_skeleton(), foreign_skeleton()] {
        let clip = swinging(&skeleton, 20);
        let options = GlbOptions { root: Some(root_below_hips(&clip)), ..options() };
        let file =
            glb::write_clip(&body(skeleton), &clip, &options).expect("the file can be written");
        let read = glb::read(&file).expect("the file can be read");
        assert_eq!(read.character.skeleton.joints()[0].name, "root");
        let hips = clip.skeleton().hips().get();
        for (meant, got) in clip.world_positions().iter().zip(read.clips[0].clip.world_positions())
        {
            let distance = meant[hips].distance(got[hips + 1]);
            assert!(distance < 1e-4, "{distance} m");
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let character = body(canonical_skeleton());
    let clip = swinging(&character.skeleton, 10);
    let write = || glb::write_clip(&character, &clip, &options()).expect("the file can be written");
    assert_eq!(write(), write());
}

#[test]
fn resting_joints_get_no_keys() {
    let character = body(canonical_skeleton());
    let still = limber_animation::Clip::new(
        canonical_skeleton(),
        limber_animation::Fps::DEFAULT,
        vec![character.skeleton.rest_pose(); 60],
    )
    .expect("the poses form a valid clip");
    let rest = glb::write_character(&character).expect("the file can be written").len();
    let file =
        glb::write_clip(&character, &still, &options()).expect("the file can be written").len();
    // the keys of the hips, from which readers tell the frame rate, and the times
    assert!(file - rest < 3000, "{} bytes for a clip without motion", file - rest);
}

#[test]
fn clips_of_another_skeleton_are_rejected() {
    let clip = swinging(&foreign_skeleton(), 3);
    let result = glb::write_clip(&body(canonical_skeleton()), &clip, &options());
    assert_eq!(result, Err(glb::WriteError::OtherSkeleton("Box body".to_owned())));
}

#[test]
fn files_from_other_programs_are_read() {
    let folder =
        std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/models/good"));
    let Ok(entries) = folder.read_dir() else {
        println!("skipped: the shared models are not available");
        return;
    };
    let mut read = 0;
    for path in entries.map(|entry| entry.expect("the folder can be listed").path()) {
        let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        if !["glb", "vrm"].contains(&extension) {
            continue;
        }
        let name = path.file_name().expect("the path is a file").to_string_lossy().into_owned();
        match glb::read(&std::fs::read(&path).expect("the file can be read")) {
            Ok(file) => {
                assert!(!name.contains("draco"), "{name}");
                let world = file.character.skeleton.rest_world();
                let height = file
                    .character
                    .meshes
                    .iter()
                    .flat_map(|mesh| file.character.skinned_positions(mesh, &world))
                    .fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at.y), high.max(at.y)));
                println!(
                    "{name}: {} joints, {} meshes, {} clips, {:.2} to {:.2} m, hips {}",
                    file.character.skeleton.len(),
                    file.character.meshes.len(),
                    file.clips.len(),
                    height.0,
                    height.1,
                    file.character.skeleton.joint(file.character.skeleton.hips()).name,
                );
                assert!(height.1 - height.0 > 0.0, "{name} is flat");
                read += 1;
            }
            Err(error) => {
                assert!(name.contains("draco"), "{name}: {error}");
            }
        }
    }
    assert!(read >= 6, "only {read} files were read");
}

#[test]
fn fewer_keys_stay_within_the_bound() {
    use limber_animation::Fps;
    use limber_formats::preset::KeyReduction;
    let skeleton = canonical_skeleton();
    let clip = swinging(&skeleton, 30).resampled(Fps::new(120).expect("the frame rate is valid"));
    let character = body(skeleton);
    let write = |keys| {
        let options = GlbOptions { keys, ..options() };
        glb::write_clip(&character, &clip, &options).expect("the file can be written")
    };
    let (full, lean) = (write(KeyReduction::None), write(KeyReduction::UNSEEN));
    assert!(lean.len() < full.len() * 9 / 10, "{} of {}", lean.len(), full.len());
    let back = glb::read(&lean).expect("the file can be read").clips.remove(0).clip;
    assert_eq!((back.fps(), back.len()), (clip.fps(), clip.len()));
    for (meant, got) in clip.frames().iter().zip(back.frames()) {
        for (a, b) in meant.rotations.iter().zip(&got.rotations) {
            let off = a.as_dquat().normalize().angle_between(b.as_dquat().normalize());
            assert!(off.to_degrees() < 0.11, "{} degrees", off.to_degrees());
        }
    }
}

/// A clip of one second has keys from 0 to 1, because other programs take the last key for the end.
#[test]
fn the_closing_frame_of_a_loop_is_not_one_of_its_frames() {
    let skeleton = canonical_skeleton();
    let moving = swinging(&skeleton, 31);
    let still = vec![skeleton.rest_pose(); 31];
    let still =
        Clip::new(skeleton.clone(), moving.fps(), still).expect("the poses form a valid clip");
    for clip in [moving, still] {
        let options = GlbOptions { closed: true, ..options() };
        let file = glb::write_clip(&body(skeleton.clone()), &clip, &options)
            .expect("the file can be written");
        let length =
            u32::from_le_bytes(file[12..16].try_into().expect("the slice has four bytes")) as usize;
        let json: serde_json::Value =
            serde_json::from_slice(&file[20..20 + length]).expect("the text is valid JSON");
        let sampler = &json["animations"][0]["samplers"][0];
        let times = sampler["input"].as_u64().expect("the sampler has an accessor") as usize;
        let times = &json["accessors"][times];
        assert_eq!((times["max"][0].as_f64(), times["count"].as_u64()), (Some(1.0), Some(31)));
        let back = glb::read(&file).expect("the file can be read").clips.remove(0).clip;
        assert_eq!((back.len(), back.fps()), (30, clip.fps()));
        for (meant, got) in clip.world_positions().iter().zip(back.world_positions()) {
            assert!(meant.iter().zip(&got).all(|(meant, got)| meant.distance(*got) < 1e-4));
        }
    }
}
