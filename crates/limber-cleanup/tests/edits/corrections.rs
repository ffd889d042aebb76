//! Guarantees of manual corrections, tested on random clips.

use glam::{Quat, Vec3};
use limber_animation::{Clip, Contacts, HumanBone, JointIndex, Pose, Side, ik};
use limber_cleanup::{
    Correction, CorrectionEase, CorrectionKey, CorrectionLayer, PulledLimb, apply_corrections,
    measure,
};
use proptest::prelude::*;

use super::{finite, same};
use crate::{
    clips::{any_clip, gesture, squat},
    gait::{Walk, walk},
};

const EASES: [CorrectionEase; 3] =
    [CorrectionEase::Smooth, CorrectionEase::Gentle, CorrectionEase::Hold];

fn any_ease() -> impl Strategy<Value = CorrectionEase> {
    prop::sample::select(EASES.to_vec())
}

fn any_turn(most_rad: f32) -> impl Strategy<Value = Quat> {
    (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, 0.05..most_rad).prop_map(|(x, y, z, angle)| {
        Quat::from_axis_angle(Vec3::new(x, y, z).normalize_or(Vec3::X), angle)
    })
}

/// Corrections that move the legs without affecting a foot itself.
fn above_the_feet() -> impl Strategy<Value = Correction> {
    let joint = prop::sample::select(vec![
        HumanBone::Hips,
        HumanBone::Spine,
        HumanBone::Head,
        HumanBone::LeftUpperLeg,
        HumanBone::RightUpperLeg,
        HumanBone::LeftLowerLeg,
        HumanBone::RightUpperArm,
        HumanBone::LeftIndexProximal,
    ]);
    (joint, any_turn(0.5)).prop_map(|(joint, rotation)| Correction::Rotate { joint, rotation })
}

fn any_pull() -> impl Strategy<Value = Correction> {
    let limb = prop::sample::select(vec![
        PulledLimb::Hand(Side::Left),
        PulledLimb::Hand(Side::Right),
        PulledLimb::Foot(Side::Left),
        PulledLimb::Foot(Side::Right),
    ]);
    (limb, -0.3f32..0.3, -0.3f32..0.3, -0.3f32..0.3)
        .prop_map(|(limb, x, y, z)| Correction::Pull { limb, offset: Vec3::new(x, y, z) })
}

/// A key at a random place in the clip.
fn any_key(what: impl Strategy<Value = Correction>) -> impl Strategy<Value = CorrectionKey> {
    (what, 0.0f32..1.0, 0u32..30, 0u32..30, any_ease()).prop_map(
        |(what, frame, before, after, ease)| CorrectionKey {
            frame,
            what,
            before: before as f32,
            after: after as f32,
            ease,
        },
    )
}

fn placed(clip: &Clip, keys: &[CorrectionKey]) -> CorrectionLayer {
    let last = (clip.len() - 1) as f32;
    let placed = |key: &CorrectionKey| CorrectionKey { frame: (key.frame * last).round(), ..*key };
    CorrectionLayer { muted: false, keys: keys.iter().map(placed).collect() }
}

fn key(frame: f32, fade: f32, what: Correction) -> CorrectionKey {
    CorrectionKey { frame, what, before: fade, after: fade, ease: CorrectionEase::Smooth }
}

fn layer(keys: impl IntoIterator<Item = CorrectionKey>) -> CorrectionLayer {
    CorrectionLayer { muted: false, keys: keys.into_iter().collect() }
}

fn turn(joint: HumanBone, rotation: Quat) -> Correction {
    Correction::Rotate { joint, rotation }
}

fn joint(clip: &Clip, bone: HumanBone) -> JointIndex {
    clip.skeleton().find(bone).expect("a canonical bone")
}

fn at(clip: &Clip, frame: usize, bone: HumanBone) -> Vec3 {
    ik::standing(clip.skeleton(), &clip.frames()[frame], joint(clip, bone)).0
}

/// Whether a frame is a key's own or within one of its fades.
fn is_reached(layer: &CorrectionLayer, frame: usize) -> bool {
    layer.keys.iter().any(|key| {
        let away = frame as f32 - key.frame;
        away == 0.0 || (away > -key.before && away < key.after)
    })
}

/// The clip with only those contacts that both versions have.
fn standing_in_both(clip: &Clip, other: &Clip) -> Clip {
    let track = |clip: &Clip| clip.contacts().expect("the clip knows them").clone();
    let both = track(clip).into_iter().zip(track(other));
    let both = both.map(|(a, b)| Contacts::from_bits(a.bits() & b.bits()));
    clip.clone().with_contacts(both.collect()).expect("one entry per frame")
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn frames_outside_all_keys_are_bit_identical(
        clip in any_clip(),
        keys in prop::collection::vec(any_key(prop_oneof![above_the_feet(), any_pull()]), 1..6),
    ) {
        let layer = placed(&clip, &keys);
        let corrected = apply_corrections(&clip, std::slice::from_ref(&layer));
        prop_assert!(finite(&corrected));
        prop_assert_eq!(corrected.len(), clip.len());
        let outside = (0..clip.len()).filter(|frame| !is_reached(&layer, *frame));
        prop_assert!(same(&clip, &corrected, outside.map(|frame| (frame, frame))));
        prop_assert_eq!(&corrected, &apply_corrections(&clip, &[layer]), "twice is the same");
    }

    #[test]
    fn a_joint_is_fully_turned_at_the_keys_frame(
        clip in any_clip(), rotation in any_turn(0.3), frame in 0.0f32..1.0, fade in 0u32..20,
        ease in any_ease(),
    ) {
        let what = turn(HumanBone::Head, rotation);
        let fade = fade as f32;
        let keys = [CorrectionKey { frame, what, before: fade, after: fade, ease }];
        let layer = placed(&clip, &keys);
        let corrected = apply_corrections(&clip, std::slice::from_ref(&layer));
        let (frame, head) = (layer.keys[0].frame as usize, joint(&clip, HumanBone::Head));
        let wanted = clip.frames()[frame].rotation(head) * rotation;
        let off = corrected.frames()[frame].rotation(head).angle_between(wanted);
        prop_assert!(off < 2e-3, "{off} rad");
    }

    #[test]
    fn a_pulled_hand_reaches_its_target_if_the_arm_can(
        hertz in 0.4f32..1.5, size in 0.0f32..0.8, frame in 0usize..100,
        x in -0.08f32..0.08, y in 0.0f32..0.12, z in 0.0f32..0.15,
    ) {
        let clip = gesture(100, size, hertz);
        let (limb, offset) = (PulledLimb::Hand(Side::Right), Vec3::new(x, y, z));
        let keys = [key(frame as f32, 10.0, Correction::Pull { limb, offset })];
        let corrected = apply_corrections(&clip, &[layer(keys)]);
        // the standing character faces +Z
        let wanted = at(&clip, frame, HumanBone::RightHand) + offset;
        let shoulder = at(&clip, frame, HumanBone::RightUpperArm);
        prop_assume!(wanted.distance(shoulder) < 0.52);
        let off = at(&corrected, frame, HumanBone::RightHand).distance(wanted);
        prop_assert!(off < 2e-3, "{off} m");
    }

    #[test]
    fn planted_feet_do_not_slide_under_corrections(
        clip in any_clip(), keys in prop::collection::vec(any_key(above_the_feet()), 1..5),
    ) {
        let layer = placed(&clip, &keys);
        let corrected = apply_corrections(&clip, &[layer]);
        let before = measure(&standing_in_both(&clip, &corrected));
        let after = measure(&corrected);
        let allowed = before.foot_skate_cm_s + 0.5;
        prop_assert!(after.foot_skate_cm_s <= allowed, "{before:?} → {after:?}");
    }

    #[test]
    fn layers_are_applied_in_order(
        clip in any_clip(), one in any_turn(0.25), other in any_turn(0.25),
    ) {
        let frame = clip.len() / 2;
        let of = |rotation| layer([key(frame as f32, 5.0, turn(HumanBone::Neck, rotation))]);
        let neck = joint(&clip, HumanBone::Neck);
        let was = clip.frames()[frame].rotation(neck);
        for (layers, wanted) in
            [([of(one), of(other)], was * one * other), ([of(other), of(one)], was * other * one)]
        {
            let corrected = apply_corrections(&clip, &layers);
            let off = corrected.frames()[frame].rotation(neck).angle_between(wanted);
            prop_assert!(off < 2e-3, "{off} rad");
        }
    }

    #[test]
    fn muted_layers_and_keys_of_other_bodies_change_no_bit(
        clip in any_clip(), keys in prop::collection::vec(any_key(any_pull()), 1..4),
    ) {
        let muted = CorrectionLayer { muted: true, ..placed(&clip, &keys) };
        let eye = turn(HumanBone::LeftEye, Quat::from_rotation_x(0.5));
        let other = layer([key(3.0, 5.0, eye)]);
        let corrected = apply_corrections(&clip, &[muted, other]);
        prop_assert!(same(&clip, &corrected, (0..clip.len()).map(|frame| (frame, frame))));
    }

    #[test]
    fn arbitrary_numbers_do_not_break_anything(
        clip in any_clip(),
        numbers in prop::collection::vec(prop::num::f32::ANY, 10),
        joint in prop::sample::select(HumanBone::ALL.to_vec()),
    ) {
        let [a, b, c, d, e, f, g, h, i, j] = numbers[..] else { unreachable!("there are ten") };
        let ease = CorrectionEase::Gentle;
        let rotation = Quat::from_xyzw(d, e, f, g);
        let limb = PulledLimb::Foot(Side::Left);
        let keys = [
            CorrectionKey { frame: a, what: turn(joint, rotation), before: b, after: c, ease },
            CorrectionKey {
                frame: 3.0,
                what: Correction::Pull { limb, offset: Vec3::new(h, i, j) },
                before: b,
                after: c,
                ease,
            },
        ];
        prop_assert!(finite(&apply_corrections(&clip, &[layer(keys)])));
    }
}

#[test]
fn a_pulled_foot_is_not_planted() {
    let clip = squat(90, 0.3, 0.5);
    let (limb, offset) = (PulledLimb::Foot(Side::Left), Vec3::new(0.08, 0.15, 0.05));
    let corrected =
        apply_corrections(&clip, &[layer([key(30.0, 10.0, Correction::Pull { limb, offset })])]);
    let way = at(&corrected, 30, HumanBone::LeftFoot) - at(&clip, 30, HumanBone::LeftFoot);
    assert!(way.distance(offset) < 2e-3, "{way}");
    let stands = |frame: usize, side| corrected.contacts().expect("known")[frame].foot(side);
    assert!(!stands(30, Side::Left) && stands(30, Side::Right) && stands(50, Side::Left));
    let other = at(&corrected, 30, HumanBone::RightFoot);
    assert!(other.distance(at(&clip, 30, HumanBone::RightFoot)) < 1e-4);
}

#[test]
fn an_offset_follows_the_characters_facing() {
    let still = gesture(60, 0.5, 0.7);
    let yaw_rad = 1.9;
    let turned = limber_cleanup::GroundMove { yaw_rad, offset: Vec3::X }.clip(&still);
    let (limb, offset) = (PulledLimb::Hand(Side::Left), Vec3::new(0.05, 0.1, 0.1));
    let layers = [layer([key(20.0, 8.0, Correction::Pull { limb, offset })])];
    let way = |clip: &Clip| {
        let corrected = apply_corrections(clip, &layers);
        at(&corrected, 20, HumanBone::LeftHand) - at(clip, 20, HumanBone::LeftHand)
    };
    let wanted = Quat::from_rotation_y(yaw_rad) * way(&still);
    assert!(way(&turned).distance(wanted) < 1e-3, "{} {wanted}", way(&turned));
}

#[test]
fn a_joint_is_not_turned_beyond_its_limit() {
    let clip = gesture(60, 0.2, 0.7);
    let knee = turn(HumanBone::LeftLowerArm, Quat::from_rotation_y(1.5));
    let corrected = apply_corrections(&clip, &[layer([key(30.0, 10.0, knee)])]);
    let elbow = corrected.frames()[30].rotation(joint(&clip, HumanBone::LeftLowerArm));
    let angle = elbow.angle_between(Quat::IDENTITY).to_degrees();
    assert!(angle < 17.0, "an elbow does not bend backwards by {angle}°");
}

#[test]
fn a_corrected_swing_leg_does_not_jump_on_landing() {
    let clip = walk(&Walk { contacts: true, ..Walk::default() });
    let swing = turn(HumanBone::LeftUpperLeg, Quat::from_rotation_x(-0.3));
    let middle = (clip.len() / 2) as f32;
    let corrected = apply_corrections(&clip, &[layer([key(middle, 30.0, swing)])]);
    let fastest = |clip: &Clip| {
        (1..clip.len())
            .map(|frame| {
                let [a, b] = [frame - 1, frame].map(|frame| at(clip, frame, HumanBone::LeftFoot));
                a.distance(b)
            })
            .fold(0.0, f32::max)
    };
    let (before, after) = (fastest(&clip), fastest(&corrected));
    assert!(after < before + 0.06, "{before} m a frame → {after}");
    let moved = (0..clip.len()).any(|frame| {
        let [a, b] = [&clip, &corrected].map(|clip| at(clip, frame, HumanBone::LeftFoot));
        a.distance(b) > 0.05
    });
    assert!(moved, "the swinging leg is corrected");
}

#[test]
fn five_hundred_keys_each_have_full_weight_at_their_frame() {
    let clip = gesture(1800, 0.8, 0.6);
    let frames: Vec<usize> = (0..500).map(|number| number * 1799 / 499).collect();
    let rotation = |number: usize| Quat::from_rotation_y(0.2 * (number as f32).sin());
    let keys = frames
        .iter()
        .enumerate()
        .map(|(number, frame)| key(*frame as f32, 30.0, turn(HumanBone::Spine, rotation(number))));
    let corrected = apply_corrections(&clip, &[layer(keys)]);
    let spine = joint(&clip, HumanBone::Spine);
    for (number, frame) in frames.into_iter().enumerate() {
        let wanted = clip.frames()[frame].rotation(spine) * rotation(number);
        let off = corrected.frames()[frame].rotation(spine).angle_between(wanted);
        assert!(off < 2e-3, "{off} rad at {frame}");
    }
    assert!(corrected.frames().iter().all(Pose::is_finite));
}

#[test]
fn a_planted_ankle_is_not_turned_beyond_its_limit() {
    let clip = squat(90, 0.3, 0.5);
    let ankle = turn(HumanBone::LeftFoot, Quat::from_rotation_x(170.0f32.to_radians()));
    let corrected = apply_corrections(&clip, &[layer([key(30.0, 10.0, ankle)])]);
    let pose = &corrected.frames()[30];
    let angle = pose.rotation(joint(&clip, HumanBone::LeftFoot)).angle_between(Quat::IDENTITY);
    assert!(angle.to_degrees() < 95.0, "an ankle does not turn by {}°", angle.to_degrees());
}

#[test]
fn a_neutral_key_leaves_an_out_of_limit_pose_unchanged() {
    let mut clip = gesture(60, 0.2, 0.7);
    let elbow = joint(&clip, HumanBone::LeftLowerArm);
    for pose in clip.frames_mut() {
        pose.set_rotation(elbow, Quat::from_rotation_y(1.5));
    }
    let (limb, offset) = (PulledLimb::Foot(Side::Left), Vec3::ZERO);
    let keys = [
        key(30.0, 10.0, turn(HumanBone::LeftLowerArm, Quat::IDENTITY)),
        key(30.0, 10.0, Correction::Pull { limb, offset }),
    ];
    assert_eq!(apply_corrections(&clip, &[layer(keys)]), clip);
}
