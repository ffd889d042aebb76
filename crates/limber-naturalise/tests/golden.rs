//! The weights in `assets/prior/` say here what they said in training.

use limber_animation::{
    CANONICAL_JOINT_COUNT, Clip, ContactPoint, Contacts, Face, Fps, Pose, canonical_skeleton,
};
use limber_naturalise::{Model, Naturaliser, Texture};
use serde::Deserialize;

const RESIDUAL: &[u8] = include_bytes!("../../../assets/prior/residual.safetensors");
const TEXTURE: &[u8] = include_bytes!("../../../assets/prior/texture.safetensors");
/// Metres and radians: what single instead of double precision may cost.
const TOLERANCE: f32 = 2e-4;
/// The same of the texture, which is smaller.
const TEXTURE_TOLERANCE: f32 = 2e-5;

#[derive(Deserialize)]
struct Golden {
    place: Vec<[f32; 3]>,
    turns: Vec<Vec<[f32; 4]>>,
    contacts: Vec<[u8; 4]>,
    frames: Vec<usize>,
    said: Vec<Vec<f32>>,
    drawn: Vec<Vec<f32>>,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("golden.json")).expect("training wrote JSON")
}

fn clip(golden: &Golden) -> Clip {
    let poses = golden.place.iter().zip(&golden.turns).map(|(place, turns)| {
        let mut rotations = vec![glam::Quat::IDENTITY; CANONICAL_JOINT_COUNT];
        for (rotation, turn) in rotations.iter_mut().zip(turns) {
            *rotation = glam::Quat::from_array(*turn).normalize();
        }
        Pose { hips_translation: (*place).into(), rotations, face: Face::UNKNOWN }
    });
    let contacts = golden.contacts.iter().map(|touches| {
        let mut contacts = Contacts::NONE;
        for (point, touches) in ContactPoint::ALL.into_iter().zip(touches) {
            contacts.set(point, *touches > 0);
        }
        contacts
    });
    let contacts = contacts.collect();
    Clip::new(canonical_skeleton(), Fps::DEFAULT, poses.collect())
        .and_then(|clip| clip.with_contacts(contacts))
        .expect("the invented clip is sound")
}

fn naturaliser() -> Naturaliser {
    let model = Model::from_bytes(RESIDUAL).expect("the weights are sound");
    Naturaliser::new(model, Texture::from_bytes(TEXTURE).expect("the weights are sound"))
}

/// Whether rows of some frames are what they were in training; the greatest number in them.
fn compare(frames: &[usize], ours: &[Vec<f32>], theirs: &[Vec<f32>], tolerance: f32) -> f32 {
    let mut greatest = 0.0_f32;
    for (frame, wanted) in frames.iter().zip(theirs) {
        assert_eq!(ours[*frame].len(), wanted.len());
        for (ours, theirs) in ours[*frame].iter().zip(wanted) {
            assert!((ours - theirs).abs() <= tolerance, "frame {frame}: {ours} for {theirs}");
            greatest = greatest.max(theirs.abs());
        }
    }
    greatest
}

#[test]
fn the_weights_say_what_they_said_in_training() {
    let golden = golden();
    let said = naturaliser().residual(&clip(&golden)).expect("the clip is canonical");
    let greatest = compare(&golden.frames, &said, &golden.said, TOLERANCE);
    assert!(greatest > 0.02, "what is compared is next to nothing: {greatest}");
}

#[test]
fn the_same_noise_becomes_the_same_texture_as_in_training() {
    let golden = golden();
    let noise = |row: usize, column: usize| {
        let (row, column) = (row as f64, column as f64);
        (1.3 * row * row + 2.1 * column + 0.4).sin() as f32
    };
    let drawn = naturaliser().drawn(&clip(&golden), &noise).expect("the clip is canonical");
    let greatest = compare(&golden.frames, &drawn, &golden.drawn, TEXTURE_TOLERANCE);
    assert!(greatest > 0.003, "what is compared is next to nothing: {greatest}");
}
