//! Checks sixty body-part movements, each by measurements that follow from its sentence.

use glam::Vec3;
use limber_animation::{Clip, HumanBone, JointIndex, WorldPose};
use limber_script::Script;
use limber_text_to_motion::{
    Cancel, ClipEnds, Composer, MotionEngine, MotionRequest, MotionScript, Prompt, Seed,
    performable,
};

use crate::{firm::assert_physical, path, tops, turns, yaw};

const SENTENCES: &str = include_str!("body_language.txt");

/// Rows of sentence, script and expected measurements.
fn rows() -> Vec<[&'static str; 3]> {
    let lines = SENTENCES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.split(" :: ").collect();
            let parts: Result<[&str; 3], _> = parts.try_into();
            parts.unwrap_or_else(|parts| panic!("{parts:?} are not three parts"))
        })
        .collect()
}

fn script(line: &str) -> Script {
    line.parse::<Script>().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn made(line: &str, seed: u64) -> Clip {
    let request = MotionRequest {
        ends: ClipEnds::default(),
        prompt: Prompt::parse("a movement").expect("it is a valid prompt"),
        script: Some(script(line)),
        duration_s: None,
    };
    let made = Composer.generate(&request, Seed(seed), &Cancel::default(), &mut |_| {});
    made.unwrap_or_else(|error| panic!("{line} seed {seed}: {error}")).clip
}

/// A clip with its world poses.
struct Watched {
    clip: Clip,
    worlds: Vec<WorldPose>,
}

impl Watched {
    fn new(clip: Clip) -> Self {
        let worlds = clip.frames().iter().map(|pose| clip.skeleton().world(pose)).collect();
        Self { clip, worlds }
    }

    fn joint(&self, name: &str) -> JointIndex {
        let bone = HumanBone::from_name(name);
        let joint = bone.and_then(|bone| self.clip.skeleton().find(bone));
        joint.unwrap_or_else(|| panic!("there is no bone {name}"))
    }

    /// A measurement for each frame, relative to that of the first.
    fn since_the_first(&self, number: impl Fn(&WorldPose) -> f32) -> Vec<f32> {
        let first = number(&self.worlds[0]);
        self.worlds.iter().map(|world| number(world) - first).collect()
    }

    /// The measured value for an expectation, in its unit, and the value that it must reach.
    fn seen(&self, told: &str) -> (f32, f32) {
        let words: Vec<&str> = told.split_whitespace().collect();
        let number = |word: &str| -> f32 {
            word.parse::<f32>().unwrap_or_else(|_| panic!("{told}: {word} is not a number"))
        };
        let joint = self.joint(words[0]);
        let most = |numbers: Vec<f32>| numbers.into_iter().fold(f32::MIN, f32::max);
        match words[1..] {
            ["turns", to, degrees] => {
                let turned = |world: &WorldPose| {
                    let front = world.rotation(joint) * Vec3::Z;
                    match to {
                        "left" => yaw(world.rotation(joint)).to_degrees(),
                        "right" => -yaw(world.rotation(joint)).to_degrees(),
                        "up" => front.y.clamp(-1.0, 1.0).asin().to_degrees(),
                        "down" => -front.y.clamp(-1.0, 1.0).asin().to_degrees(),
                        _ => panic!("{told}: cannot turn {to}"),
                    }
                };
                (most(self.since_the_first(turned)), number(degrees))
            }
            ["tilts", to, degrees] => {
                let aside = way(to).x;
                let tilted = |world: &WorldPose| {
                    let top = world.rotation(joint) * Vec3::Y;
                    aside * top.x.clamp(-1.0, 1.0).asin().to_degrees()
                };
                (most(self.since_the_first(tilted)), number(degrees))
            }
            ["bends", degrees] => {
                let poses = self.clip.frames();
                let bent = poses.iter().map(|pose| {
                    pose.rotation(joint).angle_between(poses[0].rotation(joint)).to_degrees()
                });
                (most(bent.collect()), number(degrees))
            }
            ["times", count, to, cm] => {
                let along = self.since_the_first(|world| world.position(joint).dot(way(to)));
                let seen = tops(along, number(cm) / 100.0) as f32;
                let wanted = number(count);
                // too many repetitions are as wrong as too few
                (if seen > wanted + 1.0 { -seen } else { seen }, wanted)
            }
            ["near", other, cm] => {
                let other = self.joint(other);
                let apart =
                    self.worlds.iter().map(|w| w.position(joint).distance(w.position(other)));
                (-100.0 * apart.fold(f32::MAX, f32::min), -number(cm))
            }
            ["stays", cm] => {
                let first = self.worlds[0].position(joint);
                let gone = self.worlds.iter().map(|w| 100.0 * w.position(joint).distance(first));
                (-most(gone.collect()), -number(cm))
            }
            [to, cm] => {
                let along = self.since_the_first(|world| world.position(joint).dot(way(to)));
                (100.0 * most(along), number(cm))
            }
            _ => panic!("{told} cannot be measured"),
        }
    }
}

fn way(name: &str) -> Vec3 {
    match name {
        "up" => Vec3::Y,
        "down" => Vec3::NEG_Y,
        "ahead" => Vec3::Z,
        "back" => Vec3::NEG_Z,
        "left" => Vec3::X,
        "right" => Vec3::NEG_X,
        _ => panic!("{name} is not a direction"),
    }
}

#[test]
fn all_sixty_are_performed_completely() {
    assert_eq!(rows().len(), 60);
    for [sentence, line, _] in rows() {
        let script = script(line);
        assert_eq!(script.to_string().parse::<Script>().unwrap(), script, "{sentence}");
        let (steps, left_out) = performable(&script);
        assert!(left_out.is_empty(), "{sentence}: {left_out:?}");
        assert_eq!(steps.to_string().parse::<MotionScript>().unwrap(), steps, "{sentence}");
    }
}

#[test]
fn the_given_part_moves_as_requested_and_others_stay() {
    let mut faults = Vec::new();
    for (place, [sentence, line, told]) in rows().into_iter().enumerate() {
        for seed in [1, 6] {
            let watched = Watched::new(made(line, seed));
            for told in told.split("; ") {
                let (seen, wanted) = watched.seen(told);
                if seen < wanted {
                    faults.push(format!(
                        "{}: {sentence}: `{told}`, seen {seen:.1} (seed {seed})",
                        place + 1
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn all_sixty_pass_the_foot_checks() {
    for [sentence, line, _] in rows() {
        assert_physical(&made(line, 3), sentence);
    }
}

#[test]
fn left_is_the_mirror_image_of_right_in_body_language() {
    for (left, right) in [
        ("v2 raise.elbow side:left height:chest", "v2 raise.elbow side:right height:chest"),
        ("v2 tilt.head direction:left", "v2 tilt.head direction:right"),
        (
            "v2 touch.hand side:left target_part:knee target_side:right",
            "v2 touch.hand side:right target_part:knee target_side:left",
        ),
        ("v2 raise.leg direction:left", "v2 raise.leg direction:right"),
    ] {
        assert_eq!(made(left, 9), made(right, 9).mirrored(), "{left}");
    }
}

#[test]
fn legs_keep_walking_while_an_arm_acts() {
    let walk = made("v2 walk seconds:8 > raise.shoulder side:left while:0", 5);
    let held = made("v2 walk seconds:8 > hold.arm side:left target_part:back while:0", 5);
    assert_eq!(walk.len(), held.len());
    let feet = |clip: &Clip| path(clip, HumanBone::RightFoot);
    for (frame, (one, other)) in feet(&walk).iter().zip(feet(&held)).enumerate() {
        assert!(one.distance(other) < 0.02, "the foot goes elsewhere in frame {frame}");
    }
    // the hand is behind the hips between reaching there and coming back
    let (hips, hands) = (path(&held, HumanBone::Hips), path(&held, HumanBone::LeftHand));
    let behind = (60..held.len() - 60).all(|frame| hands[frame].z < hips[frame].z);
    assert!(behind, "the hand comes out from behind the back");
}

/// Downward pitch of the head in every frame, degrees.
fn looks_down(clip: &Clip) -> Vec<f32> {
    let front = turns(clip, HumanBone::Head).into_iter().map(|turn| (turn * Vec3::Z).y);
    front.map(|up| -up.clamp(-1.0, 1.0).asin().to_degrees()).collect()
}

#[test]
fn movements_return_unless_the_clip_ends_in_them() {
    for (end, is_down) in [("", false), (" | end:hold", true)] {
        let down = looks_down(&made(&format!("v2 lower.head{end}"), 2));
        let last = down[down.len() - 1] - down[0];
        assert_eq!(last > 15.0, is_down, "{last} degrees at the end");
        assert!(down.iter().any(|now| now - down[0] > 15.0));
    }
}

#[test]
fn poses_are_held_for_the_given_seconds() {
    for seconds in [1, 4] {
        let clip = made(&format!("v2 raise.arm side:right seconds:{seconds}"), 2);
        let hand = path(&clip, HumanBone::RightHand);
        let highest = hand.iter().map(|at| at.y).fold(0.0, f32::max);
        let held_s = hand.iter().filter(|at| at.y > highest - 0.05).count() as f32 / 30.0;
        let wanted_s = seconds as f32;
        assert!((0.75 * wanted_s..1.3 * wanted_s + 0.8).contains(&held_s), "held for {held_s} s");
    }
}

#[test]
fn movements_stay_within_joint_limits() {
    let turned = turns(&made("v2 turn.head direction:left degrees:300", 4), HumanBone::Head);
    let most = turned.into_iter().map(|turn| yaw(turn).to_degrees()).fold(0.0, f32::max);
    assert!((50.0..95.0).contains(&most), "the head turns by {most} degrees");
    for line in [
        "v2 lean.upper-body direction:backward size:2",
        "v2 bend.knee side:both size:2",
        "v2 raise.leg side:left direction:forward height:overhead",
        "v2 raise.leg side:both size:2",
        "v2 circle.foot side:both size:2",
        "v2 touch.hand side:both target_part:toes",
        "v2 spread.leg side:both size:2",
    ] {
        assert_physical(&made(line, 8), line);
    }
}

#[test]
fn every_movement_can_be_performed() {
    for verb in limber_script::Verb::ALL {
        for part in limber_script::BodyPart::ALL {
            let line = format!("v2 {verb}.{part}");
            let (steps, left_out) = performable(&script(&line));
            if steps.steps.is_empty() {
                assert_eq!(left_out.len(), 1, "{line}");
                continue;
            }
            let clip = made(&line, 1);
            assert!(clip.len() >= 30, "{line}");
        }
    }
}
