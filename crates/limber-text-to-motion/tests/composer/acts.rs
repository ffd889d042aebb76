//! Checks that acts do what they are called, by counting and measuring them.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, LEAST_STEP_M, Side, footholds};
use limber_text_to_motion::{
    Act, Amount, Direction, Intensity, Manner, MotionScript, Path, SideChoice, Step,
};

use crate::{action, firm::assert_physical, made, one, path, script, tops, turns, yaw};

/// Number of outward swings of a raised hand.
fn waves(clip: &Clip, side: Side) -> usize {
    let [_, shoulder, _, hand] = HumanBone::arm(side);
    let hands = path(clip, hand);
    let shoulders = path(clip, shoulder);
    let facing = turns(clip, HumanBone::UpperChest);
    let raised = (0..clip.len()).filter(|i| hands[*i].y > shoulders[*i].y + 0.10);
    tops(raised.map(|i| (facing[i].inverse() * (hands[i] - shoulders[i])).x * side.sign()), 0.05)
}

#[test]
fn a_hand_waves_the_given_number_of_times_and_the_other_rests() {
    for count in [1, 2, 3, 5] {
        for seed in 1..4 {
            let act = Act {
                count: Some(count),
                side: Some(SideChoice::Left),
                ..Act::new(action("wave"))
            };
            let clip = one(act, seed);
            assert_eq!(waves(&clip, Side::Left), count as usize, "seed {seed}");
            assert_eq!(waves(&clip, Side::Right), 0);
        }
    }
}

#[test]
fn jumps_have_the_given_number_of_ballistic_flights() {
    for count in [1, 2, 3] {
        let clip = one(Act { count: Some(count), ..Act::new(action("jump")) }, 4);
        let air: Vec<bool> = clip
            .contacts()
            .expect("contacts")
            .iter()
            .map(|contacts| !contacts.foot(Side::Left) && !contacts.foot(Side::Right))
            .collect();
        let flights = air.windows(2).filter(|pair| !pair[0] && pair[1]).count();
        assert_eq!(flights, count as usize);
        let hips: Vec<f32> = clip.frames().iter().map(|pose| pose.hips_translation.y).collect();
        for frame in 2..clip.len() - 2 {
            if air[frame - 2..=frame + 2].iter().all(|flying| *flying) {
                let fall = (hips[frame + 1] - 2.0 * hips[frame] + hips[frame - 1]) * 900.0;
                assert!((fall + 9.81).abs() < 1.6, "falls with {fall} m/s² in frame {frame}");
            }
        }
    }
}

#[test]
fn claps_have_the_given_number_of_palm_contacts() {
    for count in [2, 5] {
        let clip = one(Act { count: Some(count), ..Act::new(action("clap")) }, 6);
        let (left, right) = (path(&clip, HumanBone::LeftHand), path(&clip, HumanBone::RightHand));
        let near = left.iter().zip(&right).map(|(l, r)| -l.distance(*r));
        assert_eq!(tops(near, 0.06), count as usize);
        let nearest = left.iter().zip(&right).map(|(l, r)| l.distance(*r)).fold(1.0, f32::min);
        assert!((0.01..0.10).contains(&nearest), "palms come to {nearest} m");
    }
}

#[test]
fn nods_and_head_shakes_are_counted() {
    let nod = one(Act { count: Some(3), ..Act::new(action("nod")) }, 2);
    let pitch = turns(&nod, HumanBone::Head).into_iter().map(|turn| -(turn * Vec3::Z).y);
    assert_eq!(tops(pitch, 0.12), 3);
    let shake = one(Act { count: Some(3), ..Act::new(action("shake-head")) }, 2);
    assert_eq!(tops(turns(&shake, HumanBone::Head).into_iter().map(yaw), 0.2), 3);
}

#[test]
fn turning_ends_at_the_angle_to_the_side() {
    for (angle, side, expected) in [
        (PI, SideChoice::Right, -PI),
        (PI / 2.0, SideChoice::Left, PI / 2.0),
        (PI / 4.0, SideChoice::Right, -PI / 4.0),
    ] {
        let act = Act { angle_rad: Some(angle), side: Some(side), ..Act::new(action("turn")) };
        let clip = one(act, 8);
        let mut turned = 0.0;
        for pair in turns(&clip, HumanBone::Hips).windows(2) {
            turned += yaw(pair[0].inverse() * pair[1]);
        }
        assert!((turned - expected).abs() < 0.06, "turned {turned} instead of {expected}");
    }
}

#[test]
fn locomotion_goes_in_the_given_direction() {
    let end = |act: Act| *path(&one(act, 3), HumanBone::Hips).last().expect("frames");
    let towards = |action, direction| end(Act { direction: Some(direction), ..Act::new(action) });
    assert!(end(Act::new(action("walk"))).z > 2.0);
    assert!(towards(action("walk"), Direction::Backward).z < -1.0);
    assert!(towards(action("sidestep"), Direction::Left).x > 0.6);
    assert!(towards(action("sidestep"), Direction::Right).x < -0.6);
    let act = Act { amount: Some(Amount::Metres(4.0)), ..Act::new(action("walk")) };
    assert!((end(act).z - 4.0).abs() < 0.25);
    let circle = Path::Circle { side: Side::Left, turns: 1.0 };
    let round = end(Act { path: circle, ..Act::new(action("walk")) });
    assert!(Vec3::new(round.x, 0.0, round.z).length() < 0.4, "{round}");
    let there_and_back = end(Act { path: Path::BackAndForth, ..Act::new(action("walk")) });
    assert!(there_and_back.z.abs() < 0.5, "{there_and_back}");
}

/// Height of the floor below each foot in every frame.
fn floors(clip: &Clip) -> [Vec<f32>; 2] {
    let soles = Side::BOTH.map(|side| {
        let [_, _, ankle, ball] = HumanBone::leg(side);
        let (ankles, balls) = (path(clip, ankle), path(clip, ball));
        ankles.iter().zip(balls).map(|(a, b)| (a.y - 0.085).min(b.y - 0.02)).collect::<Vec<f32>>()
    });
    let contacts = clip.contacts().expect("the composer knows its contacts");
    footholds([&soles[0], &soles[1]], contacts, LEAST_STEP_M)
}

/// Rotation of the hips over a clip, about the axis through both hip joints and about the forward
/// axis.
fn turned_over(clip: &Clip) -> Vec3 {
    let hips = turns(clip, HumanBone::Hips);
    let turn = |pair: &[Quat]| {
        let turn = pair[0].inverse() * pair[1];
        (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
    };
    hips.windows(2).map(turn).sum()
}

#[test]
fn rolls_and_cartwheels_turn_over_once_for_every_count_and_end_on_both_feet() {
    for (seed, count) in [(1, 1), (2, 2), (5, 3), (9, 1)] {
        let act = |name| Act { count: Some(count), ..Act::new(action(name)) };
        let roll = one(act("roll"), seed);
        let over = turned_over(&roll).x / (2.0 * PI);
        assert!((over - count as f32).abs() < 0.05, "seed {seed}: rolled {over} times");
        let gone = path(&roll, HumanBone::Hips)[roll.len() - 1].z;
        assert!(gone > 0.8 * count as f32, "seed {seed}: rolled {gone} m");
        for (direction, sign) in [(Direction::Right, 1.0), (Direction::Left, -1.0)] {
            let wheel = one(Act { direction: Some(direction), ..act("cartwheel") }, seed);
            let over = sign * turned_over(&wheel).z / (2.0 * PI);
            assert!((over - count as f32).abs() < 0.05, "seed {seed}: {over} cartwheels");
            let gone = -sign * path(&wheel, HumanBone::Hips)[wheel.len() - 1].x;
            assert!(gone > 2.0 * count as f32, "seed {seed}: went {gone} m to the side");
            for clip in [&roll, &wheel] {
                assert_physical(clip, "tumbling");
                assert_eq!(
                    clip.contacts().and_then(|track| track.last()).map(|c| c.bits()),
                    Some(15)
                );
            }
        }
    }
}

#[test]
fn flips_turn_over_once_in_the_air_and_land_on_both_feet() {
    for (seed, count) in [(1, 1), (2, 2), (7, 3)] {
        for (name, sign) in [("front-flip", 1.0), ("backflip", -1.0)] {
            let clip = one(Act { count: Some(count), ..Act::new(action(name)) }, seed);
            let over = sign * turned_over(&clip).x / (2.0 * PI);
            assert!((over - count as f32).abs() < 0.05, "{name}, seed {seed}: {over} times");
            assert_physical(&clip, name);
            let contacts: Vec<u8> = clip
                .contacts()
                .expect("the composer knows its contacts")
                .iter()
                .map(|c| c.bits())
                .collect();
            let flights = contacts.windows(2).filter(|pair| pair[0] != 0 && pair[1] == 0).count();
            assert_eq!(flights, count as usize, "{name}, seed {seed}");
            assert_eq!(contacts.last(), Some(&15), "{name}, seed {seed}");
            let highest = path(&clip, HumanBone::Hips).iter().map(|at| at.y).fold(0.0, f32::max);
            assert!(highest > 1.3, "{name}, seed {seed}: the hips rise to {highest} m");
        }
    }
}

#[test]
fn a_pirouette_turns_on_a_fixed_ball_of_the_foot() {
    for (seed, count) in [(1, 1), (4, 2), (6, 3)] {
        let act = Act {
            count: Some(count),
            side: Some(SideChoice::Right),
            ..Act::new(action("pirouette"))
        };
        let clip = one(act, seed);
        let hips = turns(&clip, HumanBone::Hips);
        let turned: f32 = hips.windows(2).map(|pair| yaw(pair[0].inverse() * pair[1])).sum();
        assert!((turned + 2.0 * PI * count as f32).abs() < 0.1, "turned by {turned}");
        let ball = path(&clip, HumanBone::LeftToes);
        let moved = ball.iter().map(|at| at.distance(ball[0])).fold(0.0, f32::max);
        assert!(moved < 0.005, "the ball of the foot moved by {moved} m");
        let lifted = path(&clip, HumanBone::RightFoot).iter().map(|at| at.y).fold(0.0, f32::max);
        assert!(lifted > 0.45, "the other foot came up to {lifted} m");
    }
}

#[test]
fn stairs_lead_up_and_down_step_by_step_and_what_follows_stays_there() {
    for (name, up) in [("climb-stairs", true), ("descend-stairs", false)] {
        for seed in 0..4 {
            let steps = Act { amount: Some(Amount::Steps(5)), ..Act::new(action(name)) };
            let clip = made(&script(&[steps, Act::new(action("jump"))]), None, seed);
            assert_physical(&clip, name);
            let last = clip.len() - 1;
            for levels in floors(&clip) {
                let (from, to) = if up { (0.0, 0.85) } else { (0.85, 0.0) };
                assert!((levels[0] - from).abs() < 0.01, "{name} begins at {}", levels[0]);
                assert!((levels[last] - to).abs() < 0.01, "{name} ends at {}", levels[last]);
            }
            let hips = path(&clip, HumanBone::Hips);
            assert!((hips[last].y - hips[0].y).abs() > 0.8 && hips[last].z > 1.2);
        }
    }
}

#[test]
fn running_is_faster_than_walking_with_a_flight_phase() {
    let speed = |action| {
        let clip = made(&script(&[Act::new(action)]), Some(6.0), 2);
        let hips = path(&clip, HumanBone::Hips);
        (hips[120].z - hips[60].z) / 2.0
    };
    let (sneak, walk, jog, run) =
        (speed(action("sneak")), speed(action("walk")), speed(action("jog")), speed(action("run")));
    assert!(sneak < walk && walk < jog && jog < run, "{sneak} {walk} {jog} {run}");
    let clip = made(&script(&[Act::new(action("run"))]), Some(4.0), 2);
    assert!(clip.contacts().expect("contacts").iter().any(|contacts| contacts.bits() == 0));
}

#[test]
fn kicks_and_punches_use_the_given_side() {
    let kick = one(Act { side: Some(SideChoice::Left), ..Act::new(action("kick")) }, 2);
    let highest = |bone| path(&kick, bone).iter().map(|place| place.y).fold(0.0, f32::max);
    assert!(highest(HumanBone::LeftFoot) > 0.75 && highest(HumanBone::RightFoot) < 0.2);
    let punch = one(Act { side: Some(SideChoice::Right), ..Act::new(action("punch")) }, 2);
    let furthest = |bone| path(&punch, bone).iter().map(|place| place.z).fold(0.0, f32::max);
    assert!(furthest(HumanBone::RightHand) > furthest(HumanBone::LeftHand) + 0.15);
}

#[test]
fn a_seated_person_waves_seated_and_stands_up_to_walk() {
    let acts = [Act::new(action("sit-down")), Act::new(action("wave"))];
    let seated = made(&script(&acts), None, 1);
    let last = seated.frames()[seated.len() - 1].hips_translation.y;
    assert!(last < 0.62, "hips at {last}");
    let acts = [Act::new(action("sit-down")), Act::new(action("walk"))];
    let walked = made(&script(&acts), None, 1);
    let last = walked.frames()[walked.len() - 1].hips_translation;
    assert!(last.y > 0.9 && last.z > 0.8, "hips at {last}");
    let risen = one(Act::new(action("stand-up")), 1);
    assert!(risen.frames()[0].hips_translation.y < 0.62);
    assert!(risen.frames()[risen.len() - 1].hips_translation.y > 0.9);
}

#[test]
fn an_overlay_happens_while_the_legs_go_on() {
    let circle = Path::Circle { side: Side::Left, turns: 1.0 };
    let main = Act { path: circle, ..Act::new(action("walk")) };
    let overlays = vec![Act { side: Some(SideChoice::Right), ..Act::new(action("wave")) }];
    let clip = made(&MotionScript { steps: vec![Step { main, overlays }] }, Some(6.0), 7);
    assert!(waves(&clip, Side::Right) >= 3);
    assert_physical(&clip, "walk in a circle while waving");
}

#[test]
fn a_tired_person_walks_slower_and_looks_down() {
    let walk = |manners: &[Manner]| {
        let manners = manners.iter().map(|manner| (*manner, Intensity::CLEARLY)).collect();
        made(&script(&[Act { manners, ..Act::new(action("walk")) }]), Some(5.0), 2)
    };
    let (usual, tired) = (walk(&[]), walk(&[Manner::Tired]));
    let end = |clip: &Clip| clip.frames()[clip.len() - 1].hips_translation.z;
    assert!(end(&tired) < 0.75 * end(&usual));
    let look = |clip: &Clip| (turns(clip, HumanBone::Head)[70] * Vec3::Z).y;
    assert!(look(&tired) < look(&usual) - 0.15);
}
