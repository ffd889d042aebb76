//! What naturalising never does, on clips of the script engine.

use limber_animation::{BODY_JOINT_COUNT, Clip, Fps, HumanBone, canonical_skeleton};
use limber_naturalise::{
    Constraints, Model, ModelError, NaturaliseError, Naturaliser, Strength, Texture,
};
use limber_text_to_motion::{
    Cancel, ClipEnds, Composer, MotionEngine, MotionRequest, Prompt, Seed,
};

const RESIDUAL: &[u8] = include_bytes!("../../../assets/prior/residual.safetensors");
const TEXTURE: &[u8] = include_bytes!("../../../assets/prior/texture.safetensors");
const SEED: u64 = 1;
const PROMPTS: [&str; 4] = [
    "a person walks forward",
    "a person waves with the right hand",
    "a person does push-ups",
    "a person jumps",
];

fn naturaliser() -> Naturaliser {
    let model = Model::from_bytes(RESIDUAL).expect("the weights are sound");
    Naturaliser::new(model, Texture::from_bytes(TEXTURE).expect("the weights are sound"))
}

fn clip(prompt: &str) -> Clip {
    let prompt = Prompt::parse(prompt).expect("it is a prompt");
    let request =
        MotionRequest { prompt, script: None, ends: ClipEnds::default(), duration_s: None };
    let made = Composer.generate(&request, Seed(1), &Cancel::default(), &mut |_| {});
    made.expect("the engine knows it").clip
}

fn full(clip: &Clip) -> Clip {
    drawn(clip, SEED)
}

fn drawn(clip: &Clip, seed: u64) -> Clip {
    let moved = naturaliser().naturalise(clip, Strength::FULL, seed, &Constraints::default());
    moved.expect("the clip is canonical")
}

/// How far the joints of two clips are apart at most, metres.
fn apart(a: &Clip, b: &Clip, joints: &[usize]) -> f32 {
    let places = a.world_positions().into_iter().zip(b.world_positions());
    let apart = places.flat_map(|(a, b)| joints.iter().map(move |at| a[*at].distance(b[*at])));
    apart.fold(0.0, f32::max)
}

fn joint(clip: &Clip, bone: HumanBone) -> usize {
    clip.skeleton().find(bone).expect("it has all bones").get()
}

#[test]
fn no_strength_is_the_clip_bit_for_bit() {
    for clip in PROMPTS.map(clip) {
        let same = naturaliser().naturalise(&clip, Strength::NONE, SEED, &Constraints::default());
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
fn a_seed_draws_the_same_bits_and_another_seed_another_texture() {
    for clip in PROMPTS.map(clip) {
        assert_eq!(drawn(&clip, 3), drawn(&clip, 3));
    }
    let stand = clip("a person stands still");
    let body: Vec<usize> = (0..BODY_JOINT_COUNT).collect();
    let most = apart(&drawn(&stand, 3), &drawn(&stand, 4), &body);
    assert!((0.0005..0.03).contains(&most), "two textures are {most} m apart");
    let feet = [HumanBone::LeftFoot, HumanBone::RightFoot].map(|bone| joint(&stand, bone));
    let most = apart(&drawn(&stand, 3), &drawn(&stand, 4), &feet);
    assert!(most < 0.004, "a texture moves the feet by {most} m");
}

#[test]
fn hands_at_the_body_stay_there() {
    let clip = clip("a person puts the hands on the hips");
    let moved = full(&clip);
    let (before, after) = (clip.world_positions(), moved.world_positions());
    let middle = clip.len() / 2;
    for (hand, hip) in [
        (HumanBone::LeftHand, HumanBone::LeftUpperLeg),
        (HumanBone::RightHand, HumanBone::RightUpperLeg),
    ] {
        let [hand, hip] = [hand, hip].map(|bone| joint(&clip, bone));
        let way = |places: &[Vec<glam::Vec3>]| places[middle][hand].distance(places[middle][hip]);
        let off = (way(&before) - way(&after)).abs();
        assert!(off < 0.02, "the hand comes {off} m nearer to the hip, or goes away");
    }
}

#[test]
fn what_goes_round_goes_on_doing_so() {
    let clip = clip(PROMPTS[0]);
    let there_and_back: Vec<_> =
        clip.frames().iter().chain(clip.frames().iter().rev()).cloned().collect();
    let round = Clip::new(clip.skeleton().clone(), Fps::DEFAULT, there_and_back).expect("frames");
    assert_eq!(round.frames().first(), round.frames().last());
    let gap = |closes| {
        let constraints = Constraints { closes, ..Constraints::default() };
        let moved = naturaliser().naturalise(&round, Strength::FULL, SEED, &constraints);
        let moved = moved.expect("the clip is canonical");
        let (first, last) = (&moved.frames()[0], &moved.frames()[moved.len() - 1]);
        let turns = first.rotations.iter().zip(&last.rotations);
        turns.map(|(a, b)| a.angle_between(*b).to_degrees()).fold(0.0, f32::max)
    };
    assert!(gap(true) < 0.1, "{}", gap(true));
    assert!(gap(false) > 5.0 * gap(true), "{} would be no gap anyway", gap(false));
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
    let moved =
        naturaliser().naturalise(&clip, Strength::FULL, SEED, &constraints).expect("canonical");
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
    let stopped = naturaliser().naturalise(&clip(PROMPTS[0]), Strength::FULL, SEED, &constraints);
    assert_eq!(stopped, Err(NaturaliseError::Cancelled));
}

#[test]
fn clips_it_was_not_made_for_are_refused_in_words() {
    let slow = clip(PROMPTS[0]).resampled(Fps::new(24).expect("a rate"));
    let refused = naturaliser().naturalise(&slow, Strength::FULL, SEED, &Constraints::default());
    let message = refused.expect_err("24 is not 30").to_string();
    assert!(message.contains("24") && message.contains("30"), "{message}");
    let joints: Vec<_> = canonical_skeleton().joints()[..22].to_vec();
    let bare = std::sync::Arc::new(limber_animation::Skeleton::new(joints).expect("a body"));
    let pose = bare.rest_pose();
    let other = Clip::new(bare, Fps::DEFAULT, vec![pose]).expect("one frame");
    let refused = naturaliser().naturalise(&other, Strength::FULL, SEED, &Constraints::default());
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

/// What is said of these weights, whole and damaged; `array` is one that they hold.
fn refuses(whole: &[u8], read: impl Fn(&[u8]) -> Option<ModelError>, array: &'static str) {
    assert_eq!(read(whole), None);
    for (name, bytes) in [
        ("nothing", &[][..]),
        ("half of it", &whole[..whole.len() / 2]),
        ("words", b"these are no weights at all".as_slice()),
    ] {
        assert!(matches!(read(bytes), Some(ModelError::Unreadable(_))), "{name}");
    }
    let named = format!("\"{array}\"");
    let at = whole.windows(named.len()).position(|window| window == named.as_bytes());
    let mut renamed = whole.to_vec();
    renamed[at.expect("the array has a name") + 1] = b'q';
    assert_eq!(read(&renamed), Some(ModelError::OtherVersion(array)));
}

#[test]
fn damaged_weights_are_refused() {
    let residual = |bytes: &[u8]| Model::from_bytes(bytes).err();
    let texture = |bytes: &[u8]| Texture::from_bytes(bytes).err();
    refuses(RESIDUAL, residual, "phases");
    refuses(TEXTURE, texture, "kernel");
    // each is the other's other version
    assert_eq!(residual(TEXTURE), Some(ModelError::OtherVersion("weights")));
    assert_eq!(texture(RESIDUAL), Some(ModelError::OtherVersion("weights")));
}
