//! Checks acts that are defined in data as key poses.

use glam::Vec3;
use limber_animation::{Clip, Finger, HumanBone, Phalanx, Side};
use limber_text_to_motion::{Act, MotionScript, SideChoice, Step};

use crate::{action, firm::assert_physical, made, one, path, tops};

/// The position of the tip of a straight index finger in every frame.
fn fingertips(clip: &Clip, side: Side) -> Vec<Vec3> {
    let bone = HumanBone::finger(side, Finger::Index, Phalanx::Third);
    let joint = clip.skeleton().find(bone).expect("the canonical skeleton has fingers");
    let tip = Vec3::new(0.022 * side.sign(), 0.0, 0.0);
    clip.frames().iter().map(|pose| clip.skeleton().world(pose).transform(joint, tip)).collect()
}

/// Minimum distance of some positions from a point on the head, metres.
fn nearest_to_head(clip: &Clip, places: &[Vec3], point: Vec3) -> f32 {
    let head = clip.skeleton().find(HumanBone::Head).expect("the canonical skeleton has a head");
    let worlds =
        clip.frames().iter().map(|pose| clip.skeleton().world(pose).transform(head, point));
    worlds.zip(places).map(|(at, place)| at.distance(*place)).fold(1.0, f32::min)
}

#[test]
fn hands_come_to_the_places_that_scores_name() {
    let mouth = Vec3::new(0.0, 0.025, 0.12);
    let brow = Vec3::new(-0.045, 0.13, 0.105);
    for seed in 1..5 {
        let right =
            |name| one(Act { side: Some(SideChoice::Right), ..Act::new(action(name)) }, seed);
        let kiss = right("blow-kiss");
        let near = nearest_to_head(&kiss, &fingertips(&kiss, Side::Right), mouth);
        assert!(near < 0.04, "fingertips {near} m from the mouth");
        let salute = right("salute");
        let near = nearest_to_head(&salute, &fingertips(&salute, Side::Right), brow);
        assert!(near < 0.05, "fingertips {near} m from the brow");
        let palms =
            |side: Side| path(&one(Act::new(action("pray")), seed), HumanBone::arm(side)[3]);
        let (left, right) = (palms(Side::Left), palms(Side::Right));
        let apart = left.iter().zip(&right).map(|(l, r)| l.distance(*r)).fold(1.0, f32::min);
        assert!((0.02..0.08).contains(&apart), "wrists come to {apart} m in prayer");
    }
}

#[test]
fn repeats_of_a_score_are_counted() {
    for count in [1, 2, 4] {
        let clip = one(Act { count: Some(count), ..Act::new(action("squat")) }, 3);
        let depth = clip.frames().iter().map(|pose| -pose.hips_translation.y);
        assert_eq!(tops(depth, 0.15), count as usize);
        let clip = one(Act { count: Some(count), ..Act::new(action("jumping-jack")) }, 3);
        let up = path(&clip, HumanBone::LeftHand).into_iter().map(|place| place.y);
        assert_eq!(tops(up, 0.4), count as usize);
    }
}

#[test]
fn a_score_can_be_performed_while_walking() {
    let overlays = vec![Act { side: Some(SideChoice::Right), ..Act::new(action("salute")) }];
    let main = Act::new(action("walk"));
    let clip = made(&MotionScript { steps: vec![Step { main, overlays }] }, Some(5.0), 7);
    assert!(clip.frames()[clip.len() - 1].hips_translation.z > 2.0);
    let hand = path(&clip, HumanBone::RightHand);
    let head = path(&clip, HumanBone::Head);
    assert!(hand.iter().zip(&head).any(|(hand, head)| hand.y > head.y));
    assert_physical(&clip, "walk while saluting");
}
