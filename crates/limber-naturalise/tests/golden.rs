//! The weights in `assets/prior/` say here what they said in training.

use limber_animation::{
    CANONICAL_JOINT_COUNT, Clip, ContactPoint, Contacts, Face, Fps, Pose, canonical_skeleton,
};
use limber_naturalise::{Model, Naturaliser};
use serde::Deserialize;

const WEIGHTS: &[u8] = include_bytes!("../../../assets/prior/residual.safetensors");
/// Metres and radians: what single instead of double precision may cost.
const TOLERANCE: f32 = 2e-4;

#[derive(Deserialize)]
struct Golden {
    place: Vec<[f32; 3]>,
    turns: Vec<Vec<[f32; 4]>>,
    contacts: Vec<[u8; 4]>,
    frames: Vec<usize>,
    said: Vec<Vec<f32>>,
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

#[test]
fn the_weights_say_what_they_said_in_training() {
    let golden = golden();
    let naturaliser = Naturaliser::new(Model::from_bytes(WEIGHTS).expect("the weights are sound"));
    let said = naturaliser.residual(&clip(&golden)).expect("the clip is canonical");
    let mut greatest = 0.0_f32;
    for (frame, wanted) in golden.frames.iter().zip(&golden.said) {
        assert_eq!(said[*frame].len(), wanted.len());
        for (ours, theirs) in said[*frame].iter().zip(wanted) {
            assert!((ours - theirs).abs() <= TOLERANCE, "frame {frame}: {ours} for {theirs}");
            greatest = greatest.max(theirs.abs());
        }
    }
    assert!(greatest > 0.02, "what is compared is next to nothing: {greatest}");
}
