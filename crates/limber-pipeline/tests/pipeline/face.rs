use std::collections::BTreeSet;

use limber_animation::{Character, Face, Fps, arkit_shape};
use limber_formats::glb;
use limber_pipeline::{FileKind, Options, stock};

use crate::{request, walked};

fn shape(name: &str) -> usize {
    arkit_shape(name).expect("ARKit has it")
}

/// Returns a stock character with an animated face.
fn somebody() -> &'static Character {
    let mut cast = stock::list().iter().map(|entry| entry.character().expect("it reads"));
    let has_face = |character: &&Character| {
        let shapes = character.meshes.iter().flat_map(|mesh| mesh.arkit_shapes());
        shapes.flatten().collect::<BTreeSet<_>>().len() == 52
    };
    cast.find(has_face).expect("some stock characters have faces")
}

fn widest(faces: impl Iterator<Item = Face>, name: &str) -> f32 {
    faces.map(|face| face.weight(shape(name))).fold(0.0, f32::max)
}

#[test]
fn laughing_opens_the_mouth_in_every_file() {
    let options = Options { fps: Fps::new(60).expect("a rate"), ..Options::default() };
    let output = walked(&request("a person laughs", options), somebody()).expect("it works");
    let bytes = |kind: FileKind| {
        &output.files.iter().find(|file| file.kind == kind).expect("the file is created").bytes
    };
    let read = glb::read(bytes(FileKind::Glb)).expect("it reads");
    let clip = &read.clips[0].clip;
    for (meant, got) in output.clip.frames().iter().zip(clip.frames()) {
        for name in ["jawOpen", "mouthSmileLeft", "eyeBlinkRight", "eyeLookUpLeft"] {
            let (meant, got) = (meant.face.weight(shape(name)), got.face.weight(shape(name)));
            assert!((meant - got).abs() < 1e-4, "{name}: {got} instead of {meant}");
        }
    }
    let faces = || clip.frames().iter().map(|pose| pose.face.clone());
    assert!(widest(faces(), "jawOpen") > 0.6 && widest(faces(), "mouthSmileLeft") > 0.6);
    assert!(faces().any(|face| face.weight(shape("eyeBlinkLeft")) > 0.8), "everybody blinks");
    assert!(widest(faces(), "browDownLeft") < 0.1);

    let scene = ufbx::load_memory(bytes(FileKind::Fbx), ufbx::LoadOpts::default())
        .unwrap_or_else(|error| panic!("{}", error.description));
    let stack = scene.anim_stacks.iter().next().expect("it has an animation");
    let jaw = (&scene.blend_channels)
        .into_iter()
        .find(|channel| &*channel.element.name == "jawOpen")
        .expect("the shape exists");
    for (frame, pose) in output.clip.frames().iter().enumerate() {
        let time_s = stack.time_begin + frame as f64 / 60.0;
        let weight = ufbx::evaluate_blend_weight(&stack.anim, jaw, time_s) as f32;
        let meant = pose.face.weight(shape("jawOpen"));
        assert!((weight - meant).abs() < 1e-3, "frame {frame}: {weight} instead of {meant}");
    }
}

#[test]
fn manners_show_in_the_face_and_the_same_seed_gives_the_same_face() {
    let faces = |prompt: &str| -> Vec<Face> {
        let output = walked(&request(prompt, Options::default()), somebody()).expect("it works");
        output.clip.frames().iter().map(|pose| pose.face.clone()).collect()
    };
    let angry = faces("a person walks angrily");
    assert!(widest(angry.iter().cloned(), "browDownLeft") > 0.7);
    assert!(widest(angry.iter().cloned(), "mouthSmileLeft") < 0.05);
    assert!(widest(faces("a person walks happily").into_iter(), "mouthSmileLeft") > 0.5);
    assert_eq!(angry, faces("a person walks angrily"));
}

#[test]
fn a_face_survives_edits_and_does_not_jump_at_their_edges() {
    let made = |prompt: &str| {
        walked(&request(prompt, Options::default()), somebody()).expect("it works").clip
    };
    let (sad, happy) = (made("a person walks sadly"), made("a person walks happily"));
    let merged = limber_cleanup::merge(&sad, &happy, 15, None).expect("they fit").clip;
    let smile = shape("mouthSmileLeft");
    let smiles: Vec<f32> = merged.frames().iter().map(|pose| pose.face.weight(smile)).collect();
    assert!(merged.frames().iter().all(|pose| pose.face.weights().is_some()));
    assert!(smiles[10] < 0.05 && smiles[smiles.len() - 20] > 0.5, "{smiles:?}");
    assert!(smiles.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.2), "{smiles:?}");
}
