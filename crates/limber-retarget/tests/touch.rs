//! Hands that touch something in the source touch it on every body.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use limber_animation::{
    Character, Clip, Finger, Fps, HumanBone, Mesh, Phalanx, Pose, Side, Skeleton, Skin,
    canonical_skeleton, ik::reach,
};
use limber_retarget::{keep_touches, retarget};

/// Returns a character on the canonical skeleton with rings of skin around hips and trunk, `girth`
/// metres from the joints.
fn body(girth: f32) -> Character {
    let skeleton = canonical_skeleton();
    let world = skeleton.rest_world();
    let mut mesh = Mesh { skin: Some(0), ..Mesh::default() };
    for bone in [HumanBone::Hips, HumanBone::Spine, HumanBone::Chest] {
        let joint = skeleton.find(bone).expect("the canonical skeleton has this bone");
        for step in 0..32 {
            let (sin, cos) = (step as f32 / 32.0 * TAU).sin_cos();
            let out = Vec3::new(cos, 0.0, sin);
            mesh.positions.push(world.position(joint) + out * girth);
            mesh.normals.push(out);
            mesh.joints.push([joint.get() as u16, 0, 0, 0]);
            mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
        }
    }
    let character = Character {
        name: "rings".to_owned(),
        skins: vec![Skin {
            joints: skeleton.indices().collect(),
            inverse_bind: skeleton.inverse_rest_matrices(),
        }],
        skeleton,
        meshes: vec![mesh],
        materials: Vec::new(),
        images: Vec::new(),
        avatar: Vec::new(),
    };
    character.check().expect("the character is valid");
    character
}

fn palm(skeleton: &Skeleton, pose: &Pose, side: Side) -> Vec3 {
    let find = |bone| skeleton.find(bone).expect("the skeleton has hands");
    let knuckle = HumanBone::finger(side, Finger::Middle, Phalanx::First);
    skeleton.world(pose).position(find(knuckle))
}

/// Returns a clip whose palms are at these positions.
fn clip_with_hands(places: [Vec3; 2]) -> Clip {
    let skeleton = canonical_skeleton();
    let mut pose = skeleton.rest_pose();
    for (side, place) in Side::BOTH.into_iter().zip(places) {
        let [_, upper, lower, hand] =
            HumanBone::arm(side).map(|bone| skeleton.find(bone).expect("the skeleton has arms"));
        for _ in 0..8 {
            let off = place - palm(&skeleton, &pose, side);
            let wrist = skeleton.world(&pose).position(hand) + off;
            reach(&skeleton, &mut pose, [upper, lower, hand], wrist, Some(Vec3::NEG_Z), None);
        }
        assert!(palm(&skeleton, &pose, side).distance(place) < 0.01, "the place is within reach");
    }
    Clip::new(skeleton, Fps::DEFAULT, vec![pose]).expect("the poses form a valid clip")
}

fn hips() -> Vec3 {
    let skeleton = canonical_skeleton();
    skeleton.rest_world().position(skeleton.hips())
}

#[test]
fn hands_on_hips_touch_wider_and_narrower_hips() {
    let beside = |side: Side| hips() + Vec3::new(0.16 * side.sign(), 0.02, 0.02);
    let clip = clip_with_hands(Side::BOTH.map(beside));
    for girth in [0.09, 0.20, 0.26] {
        let character = body(girth);
        let carried = retarget(&clip, &character.skeleton).expect("both skeletons have all bones");
        let kept = keep_touches(&clip, &carried, &character);
        for side in Side::BOTH {
            let palm = palm(&character.skeleton, &kept.frames()[0], side);
            let out = (palm - hips()).reject_from_normalized(Vec3::Y).length();
            let apart = out - girth;
            assert!((-0.01..0.05).contains(&apart), "{girth}: {apart} m off the skin");
        }
    }
}

#[test]
fn hands_that_touch_nothing_are_not_moved() {
    let before = |side: Side| hips() + Vec3::new(0.30 * side.sign(), 0.35, 0.35);
    let clip = clip_with_hands(Side::BOTH.map(before));
    let character = body(0.14);
    let carried = retarget(&clip, &character.skeleton).expect("both skeletons have all bones");
    assert_eq!(keep_touches(&clip, &carried, &character), carried);
}

#[test]
fn bodies_without_a_hand_are_unchanged() {
    let clip = clip_with_hands(Side::BOTH.map(|side| hips() + Vec3::X * 0.16 * side.sign()));
    let mut joints = canonical_skeleton().joints().to_vec();
    for joint in &mut joints {
        joint.bone = joint.bone.filter(|bone| *bone != HumanBone::LeftHand);
    }
    let skeleton = Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"));
    let character = Character { skeleton: Arc::clone(&skeleton), ..body(0.2) };
    let carried = retarget(&clip, &skeleton).expect("hands are optional");
    assert_eq!(keep_touches(&clip, &carried, &character), carried);
}

/// Returns the canonical skeleton with forearms and hands scaled in length.
fn with_arms(scale: f32) -> Arc<Skeleton> {
    let canonical = canonical_skeleton();
    let mut joints = canonical.joints().to_vec();
    for side in Side::BOTH {
        for bone in &HumanBone::arm(side)[2..] {
            let joint = canonical.find(*bone).expect("the skeleton has arms");
            joints[joint.get()].rest_translation *= scale;
        }
    }
    Arc::new(Skeleton::new(joints).expect("the joints form a valid skeleton"))
}

#[test]
fn clapping_hands_meet_on_longer_and_shorter_arms() {
    let before = |side: Side| hips() + Vec3::new(0.02 * side.sign(), 0.35, 0.30);
    let clip = clip_with_hands(Side::BOTH.map(before));
    for scale in [0.8, 1.3] {
        let skeleton = with_arms(scale);
        let character = Character { skeleton: Arc::clone(&skeleton), ..body(0.14) };
        let carried = retarget(&clip, &skeleton).expect("both skeletons have all bones");
        let between = |clip: &Clip| {
            let pose = &clip.frames()[0];
            let [left, right] = Side::BOTH.map(|side| palm(&skeleton, pose, side));
            left - right
        };
        let wanted = Vec3::X * 0.04;
        let before = between(&carried).distance(wanted);
        let after = between(&keep_touches(&clip, &carried, &character)).distance(wanted);
        assert!(before > 0.05 && after < 0.015, "{scale}: {before} m, then {after} m");
    }
}
