//! Checks the other parameters of a request: duration, seed, side, progress, cancellation.

use glam::Vec3;
use limber_script::Message;
use limber_text_to_motion::{
    Act, Action, ActionKind, Argument, Cancel, Composer, EngineError, Seed, SideChoice,
};

use crate::{acted, action, enough_s, made, one, script, yaw};

#[test]
fn a_too_short_duration_is_rejected_with_a_sufficient_one() {
    for actions in [&[action("kick"), action("kick"), action("jump")][..], &[action("walk")]] {
        let acts: Vec<Act> = actions.iter().copied().map(Act::new).collect();
        let made = |seconds: f32| {
            Composer.compose(
                &script(&acts),
                Some(seconds),
                Seed(2),
                &Cancel::default(),
                &mut |_| {},
            )
        };
        let Err(EngineError::Failed(Message::TooShort { enough_ms, .. })) = made(1.0) else {
            panic!("made in a second")
        };
        assert!(made(enough_ms as f32 / 1000.0).is_ok(), "{enough_ms} ms");
    }
}

#[test]
fn a_clip_starts_over_the_origin_facing_ahead() {
    for action in Action::all() {
        let clip = one(Act::new(action), 11);
        let hips = clip.frames()[0].hips_translation;
        assert!(hips.x.abs() < 1e-5 && hips.z.abs() < 1e-5, "{action:?} {hips}");
        // a lying body faces up or down
        let stands = action.posture().is_none() && action.begins().is_none();
        let upright = stands || action.kind() == ActionKind::Posture;
        assert!(!upright || yaw(clip.frames()[0].rotations[0]).abs() < 0.12, "{action:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    for action in [action("walk"), action("dance"), action("kick")] {
        assert_eq!(one(Act::new(action), 3), one(Act::new(action), 3));
    }
}

#[test]
fn seeds_give_visibly_different_variants() {
    let mut alike: Vec<String> = Vec::new();
    for action in Action::all() {
        let script = script(&[Act::new(action)]);
        let length_s = Some(enough_s(action).max(6.0));
        let clips: Vec<Vec<Vec<Vec3>>> =
            (1..=4).map(|seed| made(&script, length_s, seed).world_positions()).collect();
        for first in 0..clips.len() {
            for second in 0..first {
                let (mut sum, mut count) = (0.0, 0);
                for (a, b) in clips[first].iter().zip(&clips[second]) {
                    for joint in 0..22 {
                        sum += a[joint].distance(b[joint]);
                        count += 1;
                    }
                }
                let mean = sum / count as f32;
                // performers of a defined pose differ in timing and bearing, not in the pose
                if mean < if acted(action) { 0.02 } else { 0.027 } {
                    alike.push(format!("{action:?}: {first} and {second} differ by {mean} m"));
                }
            }
        }
    }
    assert!(alike.is_empty(), "{alike:#?}");
}

#[test]
fn left_is_the_mirror_image_of_right() {
    for action in Action::all().filter(|action| action.takes(Argument::Side)) {
        let with = |side| Act { side: Some(side), ..Act::new(action) };
        let left = one(with(SideChoice::Left), 9);
        assert_eq!(left, one(with(SideChoice::Right), 9).mirrored(), "{action:?}");
    }
}

#[test]
fn cancellation_is_noticed() {
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let walk = script(&[Act::new(action("walk"))]);
    let result = Composer.compose(&walk, Some(60.0), Seed(1), &cancel, &mut |amount| {
        if amount > 0.3 {
            stop.cancel();
        }
    });
    assert_eq!(result, Err(EngineError::Cancelled));
}

#[test]
fn progress_rises_from_zero_to_one() {
    let mut heard = Vec::new();
    let walk = script(&[Act::new(action("walk"))]);
    Composer
        .compose(&walk, Some(6.0), Seed(1), &Cancel::default(), &mut |amount| heard.push(amount))
        .expect("a walk is possible");
    assert!(heard.windows(2).all(|pair| pair[0] <= pair[1]));
    assert_eq!((heard[0], heard[heard.len() - 1]), (0.0, 1.0));
}

#[test]
fn impossible_durations_are_rejected_with_advice() {
    let walk = script(&[Act::new(action("walk"))]);
    for duration_s in [0.0, -1.0, 500.0, f32::NAN] {
        let result =
            Composer.compose(&walk, Some(duration_s), Seed(1), &Cancel::default(), &mut |_| {});
        assert!(matches!(result, Err(EngineError::Failed(_))), "{duration_s}");
    }
}
