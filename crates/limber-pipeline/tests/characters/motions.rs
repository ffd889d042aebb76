//! The motions that the characters perform.

use std::sync::LazyLock;

use glam::{Mat3, Quat, Vec3};
use limber_animation::{
    Clip, Contacts, Finger, Fps, HumanBone, Phalanx, Pose, Side, Skeleton, canonical_skeleton,
    ik::reach,
};
use limber_formats::canonical::ClipMeta;
use limber_pipeline::{
    CanonicalClip, Composer, FileKind, Options, Output, Prompt, Request, Seed, derive, make,
};
use limber_text_to_motion::Cancel;

use limber_animation::Character;

pub(crate) struct Motion {
    pub(crate) name: &'static str,
    pub(crate) clip: CanonicalClip,
}

/// Returns walk, wave, clap, hands on hips, and crouch.
pub(crate) fn all() -> &'static [Motion] {
    static ALL: LazyLock<Vec<Motion>> = LazyLock::new(|| {
        vec![
            Motion { name: "walk", clip: composed("a person walks forward", 4.0) },
            Motion { name: "wave", clip: composed("a person waves with the right hand", 3.0) },
            Motion { name: "clap", clip: composed("a person claps three times", 3.0) },
            Motion { name: "hips", clip: hands_on_hips() },
            Motion { name: "crouch", clip: composed("a person crouches", 3.0) },
        ]
    });
    &ALL
}

fn composed(prompt: &str, seconds: f32) -> CanonicalClip {
    let prompt = Prompt::parse(prompt).expect("it is a valid prompt");
    let request = Request { duration_s: Some(seconds), ..Request::new(prompt, Seed(7)) };
    make(&request, &Composer, &Cancel::default(), &mut |_| {}).expect("it is composed")
}

/// Retargets the motion to a character.
pub(crate) fn on(motion: &Motion, character: &Character, formats: Vec<FileKind>) -> Output {
    let options = Options { formats, ..Options::default() };
    derive(&motion.clip, character, 1, &options, &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{}: {}: {error}", character.name, motion.name))
}

/// Returns a clip with both palms on the sides of swaying hips.
fn hands_on_hips() -> CanonicalClip {
    let skeleton = canonical_skeleton();
    let frames = (0..60).map(|frame| arms_akimbo(&skeleton, frame as f32 / 30.0)).collect();
    let clip = Clip::new(skeleton, Fps::DEFAULT, frames)
        .and_then(|clip| clip.with_contacts(vec![Contacts::STANDING; 60]))
        .expect("it is a clip");
    let meta = ClipMeta {
        prompt: "a person puts both hands on the hips".to_owned(),
        seed: 0,
        engine: "by hand".to_owned(),
        engine_version: 1,
        ..ClipMeta::default()
    };
    CanonicalClip::new(clip, meta)
}

fn arms_akimbo(skeleton: &Skeleton, time_s: f32) -> Pose {
    let mut pose = skeleton.rest_pose();
    pose.hips_translation.x += 0.02 * (time_s * 3.0).sin();
    let hips = skeleton.world(&pose).position(skeleton.hips());
    for side in Side::BOTH {
        let [_, upper, lower, hand] =
            HumanBone::arm(side).map(|bone| skeleton.find(bone).expect("it has arms"));
        let knuckle = HumanBone::finger(side, Finger::Middle, Phalanx::First);
        let knuckle = skeleton.find(knuckle).expect("it has fingers");
        let place = hips + Vec3::new(0.17 * side.sign(), 0.03, 0.01);
        let turn = on_the_side(side);
        for _ in 0..8 {
            let world = skeleton.world(&pose);
            let wrist = world.position(hand) + place - world.position(knuckle);
            let back = Vec3::new(side.sign(), 0.2, -0.6);
            reach(skeleton, &mut pose, [upper, lower, hand], wrist, Some(back), Some(turn));
        }
    }
    pose
}

/// Returns the rotation of a hand with the fingers forwards and down, palm inwards.
fn on_the_side(side: Side) -> Quat {
    let fingers = Vec3::new(0.0, -0.5, 0.85).normalize();
    let (x, y) = (fingers * side.sign(), Vec3::X * side.sign());
    Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y)))
}
