//! What naturalising never does, on clips of the script engine.

use limber_animation::{Clip, Fps, HumanBone, canonical_skeleton};
use limber_naturalise::{Constraints, Model, ModelError, NaturaliseError, Naturaliser, Strength};
use limber_text_to_motion::{Cancel, Composer, MotionEngine, MotionRequest, Prompt, Seed};

const WEIGHTS: &[u8] = include_bytes!("../../../assets/prior/residual.safetensors");
const PROMPTS: [&str; 4] = [
    "a person walks forward",
    "a person waves with the right hand",
    "a person does push-ups",
    "a person jumps",
];

fn naturaliser() -> Naturaliser {
    Naturaliser::new(Model::from_bytes(WEIGHTS).expect("the weights are sound"))
}

fn clip(prompt: &str) -> Clip {
    let prompt = Prompt::parse(prompt).expect("it is a prompt");
    let request = MotionRequest { prompt, duration_s: None };
    let made = Composer.generate(&request, Seed(1), &Cancel::default(), &mut |_| {});
    made.expect("the engine knows it").clip
}

fn full(clip: &Clip) -> Clip {
    let moved = naturaliser().naturalise(clip, Strength::FULL, &Constraints::default());
    moved.expect("the clip is canonical")
}

#[test]
fn no_strength_is_the_clip_bit_for_bit() {
    for clip in PROMPTS.map(clip) {
        let same = naturaliser().naturalise(&clip, Strength::NONE, &Constraints::default());
        assert_eq!(same.expect("nothing is done"), clip);
    }
}

#[test]
fn something_moves_but_feet_and_contacts_stay() {
    for (prompt, clip) in PROMPTS.map(|prompt| (prompt, clip(prompt))) {
        let moved = full(&clip);
        assert_eq!(moved.contacts(), clip.contacts());
        let (before, after) = (clip.world_positions(), moved.world_positions());
        for bone in [HumanBone::LeftFoot, HumanBone::RightFoot] {
            let foot = clip.skeleton().find(bone).expect("it has feet").get();
            for (frame, (a, b)) in before.iter().zip(&after).enumerate() {
                let away = a[foot].distance(b[foot]);
                assert!(away < 0.004, "{prompt}: {bone:?} is {away} m away in frame {frame}");
            }
        }
    }
    let walk = clip(PROMPTS[0]);
    let hand = walk.skeleton().find(HumanBone::LeftHand).expect("it has hands").get();
    let (before, after) = (walk.world_positions(), full(&walk).world_positions());
    let most =
        before.iter().zip(&after).map(|(a, b)| a[hand].distance(b[hand])).fold(0.0, f32::max);
    assert!(most > 0.01, "a walk hardly changes: {most} m");
}

#[test]
fn who_is_on_the_hands_is_left_alone() {
    let clip = clip("a person does push-ups");
    let middle = clip.len() / 2;
    assert_eq!(full(&clip).frames()[middle], clip.frames()[middle]);
}

#[test]
fn kept_frames_stay_bit_for_bit_and_no_seam_shows() {
    let clip = clip(PROMPTS[0]);
    let mut keep = vec![false; clip.len()];
    keep[..40].fill(true);
    let constraints = Constraints { keep: &keep, ..Constraints::default() };
    let moved = naturaliser().naturalise(&clip, Strength::FULL, &constraints).expect("canonical");
    assert_eq!(moved.frames()[..40], clip.frames()[..40]);
    assert_ne!(moved.frames()[70], clip.frames()[70]);
    let (before, after) = (clip.world_positions(), moved.world_positions());
    for joint in 0..22 {
        let step = |of: &[Vec<glam::Vec3>]| of[40][joint] - of[39][joint];
        let change = (step(&after) - step(&before)).length();
        assert!(change < 0.004, "joint {joint} jumps by {change} m");
    }
}

#[test]
fn it_stops_when_asked() {
    let constraints = Constraints { cancelled: Some(&|| true), ..Constraints::default() };
    let stopped = naturaliser().naturalise(&clip(PROMPTS[0]), Strength::FULL, &constraints);
    assert_eq!(stopped, Err(NaturaliseError::Cancelled));
}

#[test]
fn clips_it_was_not_made_for_are_refused_in_words() {
    let slow = clip(PROMPTS[0]).resampled(Fps::new(24).expect("a rate"));
    let refused = naturaliser().naturalise(&slow, Strength::FULL, &Constraints::default());
    let message = refused.expect_err("24 is not 30").to_string();
    assert!(message.contains("24") && message.contains("30"), "{message}");
    let joints: Vec<_> = canonical_skeleton().joints()[..22].to_vec();
    let bare = std::sync::Arc::new(limber_animation::Skeleton::new(joints).expect("a body"));
    let pose = bare.rest_pose();
    let other = Clip::new(bare, Fps::DEFAULT, vec![pose]).expect("one frame");
    let refused = naturaliser().naturalise(&other, Strength::FULL, &Constraints::default());
    assert_eq!(refused, Err(NaturaliseError::OtherSkeleton(22)));
}

#[test]
fn a_single_frame_is_no_trouble() {
    let clip = clip(PROMPTS[0]);
    let still = Clip::new(clip.skeleton().clone(), Fps::DEFAULT, clip.frames()[..1].to_vec());
    let still = still.expect("one frame");
    assert_eq!(full(&still).len(), 1);
}

#[test]
fn strengths_are_between_none_and_all() {
    assert!(Strength::new(0.5).is_ok());
    for wrong in [-0.1, 1.1, f32::NAN, f32::INFINITY] {
        assert!(Strength::new(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn damaged_weights_are_refused() {
    for (name, bytes) in [
        ("nothing", &[][..]),
        ("half of it", &WEIGHTS[..WEIGHTS.len() / 2]),
        ("words", b"these are no weights at all".as_slice()),
    ] {
        assert!(matches!(Model::from_bytes(bytes), Err(ModelError::Unreadable(_))), "{name}");
    }
    let text = String::from_utf8_lossy(WEIGHTS);
    assert!(text.contains("\"phases\""));
    let mut renamed = WEIGHTS.to_vec();
    let at = renamed.windows(8).position(|window| window == b"\"phases\"").expect("just seen");
    renamed[at + 1] = b'q';
    assert_eq!(Model::from_bytes(&renamed).err(), Some(ModelError::OtherVersion("phases")));
}
