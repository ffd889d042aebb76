//! What every motion of the composer must be like: measured on joints, without knowing how it is
//! made.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, ContactPoint, Finger, HumanBone, LEAST_STEP_M, Phalanx, Side, footholds,
};
use limber_text_to_motion::{
    Act, Action, Amount, Argument, Cancel, Composer, Direction, EngineError, Manner, MotionScript,
    Path, Seed, SideChoice, Step, Tempo, Way,
};
use proptest::prelude::*;

fn action(name: &str) -> Action {
    Action::named(name).unwrap_or_else(|| panic!("{name} is no action"))
}

/// Whether an action is told in data, as key poses.
fn acted(action: Action) -> bool {
    matches!(action.way(), Way::Score | Way::Posture)
}

fn script(acts: &[Act]) -> MotionScript {
    let steps = acts.iter().map(|act| Step { main: act.clone(), overlays: Vec::new() }).collect();
    MotionScript { steps }
}

fn made(script: &MotionScript, duration_s: Option<f32>, seed: u64) -> Clip {
    Composer
        .compose(script, duration_s, Seed(seed), &Cancel::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{script:?} {duration_s:?} seed {seed}: {error}"))
}

fn one(act: Act, seed: u64) -> Clip {
    made(&script(&[act]), None, seed)
}

/// Where one bone is in every frame.
fn path(clip: &Clip, bone: HumanBone) -> Vec<Vec3> {
    let joint = clip.skeleton().find(bone).expect("the canonical skeleton has every bone");
    clip.frames().iter().map(|pose| clip.skeleton().world(pose).position(joint)).collect()
}

fn turns(clip: &Clip, bone: HumanBone) -> Vec<Quat> {
    let joint = clip.skeleton().find(bone).expect("the canonical skeleton has every bone");
    clip.frames().iter().map(|pose| clip.skeleton().world(pose).rotation(joint)).collect()
}

fn yaw(turn: Quat) -> f32 {
    let ahead = turn * Vec3::Z;
    ahead.x.atan2(ahead.z)
}

/// How often a curve rises to a top at least `prominence` above the valleys around it.
fn tops(values: impl IntoIterator<Item = f32>, prominence: f32) -> usize {
    let (mut low, mut high, mut rising, mut count) = (f32::MAX, f32::MIN, true, 0);
    for value in values {
        if rising {
            high = high.max(value);
            low = low.min(value);
            if high - low > prominence && high - value > prominence {
                count += 1;
                (rising, low) = (false, value);
            }
            if value < low + 1e-6 && high - low <= prominence {
                (low, high) = (value, value);
            }
        } else {
            low = low.min(value);
            if value - low > prominence {
                (rising, high) = (true, value);
            }
        }
    }
    count
}

fn assert_physical(clip: &Clip, what: &str) {
    let contacts = clip.contacts().expect("the composer knows its contacts");
    for point in ContactPoint::ALL {
        let bone = match point {
            ContactPoint::Heel(side) => HumanBone::leg(side)[2],
            ContactPoint::Toe(side) => HumanBone::leg(side)[3],
        };
        let places = path(clip, bone);
        for frame in 1..clip.len() {
            if contacts[frame].has(point) && contacts[frame - 1].has(point) {
                let slid = places[frame].distance(places[frame - 1]);
                assert!(
                    slid < 1e-3,
                    "{what}: {point:?} slides {:.1} mm in frame {frame}",
                    slid * 1e3
                );
            }
        }
    }
    for (frame, pose) in clip.frames().iter().enumerate() {
        let world = clip.skeleton().world(pose);
        for index in clip.skeleton().indices() {
            let height = world.position(index).y;
            assert!(
                height > 0.008,
                "{what}: {:?} at {height} in frame {frame}",
                clip.skeleton().joint(index).bone
            );
        }
        for side in Side::BOTH {
            let [_, knee, foot, toes] =
                HumanBone::leg(side).map(|bone| clip.skeleton().find(bone).expect("a leg"));
            let bend = pose.rotation(knee);
            let angle = 2.0 * bend.x.atan2(bend.w);
            assert!((-0.03..2.8).contains(&angle), "{what}: knee bent {angle} in frame {frame}");
            let tip = world.transform(toes, Vec3::new(0.0, -0.02, 0.06));
            let heel = world.transform(foot, Vec3::new(0.0, -0.085, -0.045));
            assert!(tip.y > -0.012, "{what}: toe tip at {} in frame {frame}", tip.y);
            assert!(heel.y > -0.010, "{what}: heel at {} in frame {frame}", heel.y);
        }
    }
}

#[test]
fn every_action_stands_firm_with_every_seed_and_duration() {
    for action in Action::all() {
        let short = if acted(action) { 4.5 } else { 2.5 };
        for (seed, duration_s) in [(1, None), (2, Some(6.0)), (3, Some(short)), (4, Some(9.7))] {
            let clip = made(&script(&[Act::new(action)]), duration_s, seed);
            if let Some(duration_s) = duration_s {
                assert_eq!(clip.len(), (duration_s * 30.0_f32).round() as usize);
            }
            assert_physical(&clip, &format!("{action:?} seed {seed} {duration_s:?}"));
        }
    }
}

#[test]
fn every_manner_and_tempo_is_possible_and_firm() {
    for (manner, name) in Manner::ALL {
        for (action, tempo) in [(action("walk"), 1.0), (action("wave"), 1.4), (action("kick"), 0.7)]
        {
            let mut act = Act::new(action);
            act.manners.push(manner);
            act.tempo = Tempo(tempo);
            assert_physical(&one(act, 5), &format!("{action:?} {name}"));
        }
    }
}

/// Makes the acts in a row; nothing but a shortage of time may be refused, and then with advice.
fn made_or_too_short(actions: &[Action], duration_s: Option<f32>, seed: u64) -> Option<Clip> {
    let acts: Vec<Act> = actions.iter().copied().map(Act::new).collect();
    let result =
        Composer.compose(&script(&acts), duration_s, Seed(seed), &Cancel::default(), &mut |_| {});
    let what = || format!("{actions:?} seed {seed} {duration_s:?}");
    match result {
        Ok(clip) => Some(clip),
        Err(EngineError::Failed(message)) => {
            let least = |action: &Action| if acted(*action) { 6.0 } else { 2.5 };
            let least: f32 = actions.iter().map(least).sum();
            assert!(duration_s.is_some_and(|asked| asked < least), "{}: {message}", what());
            assert!(message.contains("too short") && message.contains("ask for"), "{message}");
            None
        }
        Err(other) => panic!("{}: {other}", what()),
    }
}

fn check_sequence(actions: &[Action], duration_s: f32, seed: u64) {
    if let Some(clip) = made_or_too_short(actions, Some(duration_s), seed) {
        assert_eq!(clip.len(), (duration_s * 30.0).round() as usize);
        assert_physical(&clip, &format!("{actions:?} seed {seed} {duration_s}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn any_sequence_is_firm_and_exactly_as_long_as_asked(
        places in prop::collection::vec(0..Action::all().len(), 1..4),
        seed in 0..1000_u64,
        frames in 120..360_u16,
    ) {
        let actions: Vec<Action> = places.iter().filter_map(|place| Action::all().nth(*place)).collect();
        check_sequence(&actions, f32::from(frames) / 30.0, seed);
    }
}

#[test]
fn changes_of_gait_and_level_that_once_went_wrong_stay_right() {
    for (actions, duration_s, seed) in [
        (&["crouch", "sit-down"][..], 5.0, 0),
        (&["crouch", "sit-down"], 4.0, 4),
        (&["crouch", "sit-down", "punch"], 8.1, 120),
        (&["crouch", "sit-down", "nod"], 9.4, 122),
        (&["crouch", "sit-down", "raise-arms"], 9.5, 847),
        (&["run", "walk"], 8.0, 3),
        (&["run", "walk"], 5.0, 19),
        (&["run", "walk", "shake-head"], 8.6, 741),
        (&["run", "walk", "hop"], 10.1, 505),
        (&["sit-down", "run", "walk"], 9.6, 746),
        (&["clap", "run", "sneak"], 7.6, 842),
        (&["run", "sneak"], 8.0, 4),
        (&["sneak", "run"], 4.0, 18),
        (&["kick", "sneak"], 4.0, 4),
        (&["sneak", "kick"], 4.0, 1),
        (&["sit-up", "scratch-head", "point"], 128.0 / 30.0, 484),
    ] {
        let actions: Vec<Action> = actions.iter().copied().map(action).collect();
        check_sequence(&actions, duration_s, seed);
    }
}

#[test]
fn no_pair_of_actions_snaps_and_nobody_upright_sinks() {
    let low = ["sit-down", "stand-up", "crouch", "jump", "crouch-walk", "cartwheel"].map(action);
    let [rolls, reels] = ["roll", "stagger"].map(action);
    let performed = || Action::all().filter(|action| !acted(*action));
    for first in performed() {
        for (place, second) in performed().enumerate() {
            for (seed, duration_s) in [(3, Some(5.0)), (17 + place as u64, Some(8.0)), (7, None)] {
                let Some(clip) = made_or_too_short(&[first, second], duration_s, seed) else {
                    continue;
                };
                let heights = clip.frames().iter().map(|pose| pose.hips_translation.y);
                let lowest = heights.fold(f32::MAX, f32::min);
                // lower than the seat of a chair nobody goes, and upright not below who brakes a run
                let floor = match [first, second] {
                    pair if pair.contains(&rolls) => 0.08,
                    pair if pair.iter().any(|action| low.contains(action)) => 0.4,
                    // whose steps are of any length now and then sinks between two
                    pair if pair.contains(&reels) => 0.72,
                    _ => 0.76,
                };
                assert!(lowest > floor, "{first:?} {second:?} seed {seed}: hips at {lowest}");
            }
        }
    }
}

#[test]
fn no_score_snaps_before_or_after_other_actions() {
    let others = ["walk", "sit-down", "jump", "wave", "crouch"].map(action);
    let scores = Action::all().filter(|action| acted(*action));
    for (place, score) in scores.enumerate() {
        let other = others[place % others.len()];
        for (actions, seed) in [([score, other], place as u64), ([other, score], 90 + place as u64)]
        {
            let clip = made(&script(&actions.map(Act::new)), None, seed);
            assert_physical(&clip, &format!("{actions:?} seed {seed}"));
        }
    }
}

#[test]
fn a_time_that_is_too_short_is_refused_with_one_that_is_enough() {
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
        let Err(EngineError::Failed(message)) = made(1.0) else { panic!("made in a second") };
        let advice = message.split("at least ").nth(1).and_then(|rest| rest.split(' ').next());
        let seconds = advice.and_then(|number| number.parse().ok()).expect("a number of seconds");
        assert!(made(seconds).is_ok(), "{message}");
    }
}

#[test]
fn a_clip_starts_over_the_origin_facing_ahead() {
    for action in Action::all() {
        let clip = one(Act::new(action), 11);
        let hips = clip.frames()[0].hips_translation;
        assert!(hips.x.abs() < 1e-5 && hips.z.abs() < 1e-5, "{action:?} {hips}");
        // who lies faces up or down
        let upright = action.posture().is_none() || action.way() == Way::Posture;
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
        let clips: Vec<Vec<Vec<Vec3>>> =
            (1..=4).map(|seed| made(&script, Some(5.0), seed).world_positions()).collect();
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
                // who acts a told pose differs in timing and bearing, not in the pose
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

/// How often a raised hand swings outwards.
fn waves(clip: &Clip, side: Side) -> usize {
    let [_, shoulder, _, hand] = HumanBone::arm(side);
    let hands = path(clip, hand);
    let shoulders = path(clip, shoulder);
    let facing = turns(clip, HumanBone::UpperChest);
    let raised = (0..clip.len()).filter(|i| hands[*i].y > shoulders[*i].y + 0.10);
    tops(raised.map(|i| (facing[i].inverse() * (hands[i] - shoulders[i])).x * side.sign()), 0.05)
}

#[test]
fn a_hand_waves_as_often_as_told_and_the_other_one_rests() {
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
fn jumps_are_counted_by_flights_that_obey_gravity() {
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
fn claps_are_counted_by_palms_that_meet() {
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
fn locomotion_goes_where_it_is_told() {
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

/// How high the floor is below each foot in every frame.
fn floors(clip: &Clip) -> [Vec<f32>; 2] {
    let soles = Side::BOTH.map(|side| {
        let [_, _, ankle, ball] = HumanBone::leg(side);
        let (ankles, balls) = (path(clip, ankle), path(clip, ball));
        ankles.iter().zip(balls).map(|(a, b)| (a.y - 0.085).min(b.y - 0.02)).collect::<Vec<f32>>()
    });
    let contacts = clip.contacts().expect("the composer knows its contacts");
    footholds([&soles[0], &soles[1]], contacts, LEAST_STEP_M)
}

/// How far the hips turn over in a clip, about the line through both hip joints and about the front.
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
fn a_pirouette_turns_about_a_ball_that_stays_in_its_place() {
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
fn running_is_faster_than_walking_and_flies() {
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
fn the_side_told_kicks_and_punches() {
    let kick = one(Act { side: Some(SideChoice::Left), ..Act::new(action("kick")) }, 2);
    let highest = |bone| path(&kick, bone).iter().map(|place| place.y).fold(0.0, f32::max);
    assert!(highest(HumanBone::LeftFoot) > 0.75 && highest(HumanBone::RightFoot) < 0.2);
    let punch = one(Act { side: Some(SideChoice::Right), ..Act::new(action("punch")) }, 2);
    let furthest = |bone| path(&punch, bone).iter().map(|place| place.z).fold(0.0, f32::max);
    assert!(furthest(HumanBone::RightHand) > furthest(HumanBone::LeftHand) + 0.15);
}

#[test]
fn who_sits_stays_seated_to_wave_and_gets_up_to_walk() {
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
    let walk = |manners: Vec<Manner>| {
        made(&script(&[Act { manners, ..Act::new(action("walk")) }]), Some(5.0), 2)
    };
    let (usual, tired) = (walk(Vec::new()), walk(vec![Manner::Tired]));
    let end = |clip: &Clip| clip.frames()[clip.len() - 1].hips_translation.z;
    assert!(end(&tired) < 0.75 * end(&usual));
    let look = |clip: &Clip| (turns(clip, HumanBone::Head)[70] * Vec3::Z).y;
    assert!(look(&tired) < look(&usual) - 0.15);
}

#[test]
fn a_wish_to_stop_is_heard() {
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
fn progress_rises_from_nothing_to_all() {
    let mut heard = Vec::new();
    let walk = script(&[Act::new(action("walk"))]);
    Composer
        .compose(&walk, Some(6.0), Seed(1), &Cancel::default(), &mut |amount| heard.push(amount))
        .expect("a walk is possible");
    assert!(heard.windows(2).all(|pair| pair[0] <= pair[1]));
    assert_eq!((heard[0], heard[heard.len() - 1]), (0.0, 1.0));
}

#[test]
fn impossible_durations_are_refused_with_advice() {
    let walk = script(&[Act::new(action("walk"))]);
    for duration_s in [0.0, -1.0, 500.0, f32::NAN] {
        let result =
            Composer.compose(&walk, Some(duration_s), Seed(1), &Cancel::default(), &mut |_| {});
        assert!(matches!(result, Err(EngineError::Failed(_))), "{duration_s}");
    }
}

/// Where the tip of a straight index finger is in every frame.
fn fingertips(clip: &Clip, side: Side) -> Vec<Vec3> {
    let bone = HumanBone::finger(side, Finger::Index, Phalanx::Third);
    let joint = clip.skeleton().find(bone).expect("the canonical skeleton has fingers");
    let tip = Vec3::new(0.022 * side.sign(), 0.0, 0.0);
    clip.frames().iter().map(|pose| clip.skeleton().world(pose).transform(joint, tip)).collect()
}

/// The nearest a place comes to a point of the head, metres.
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
fn a_score_goes_along_with_walking() {
    let overlays = vec![Act { side: Some(SideChoice::Right), ..Act::new(action("salute")) }];
    let main = Act::new(action("walk"));
    let clip = made(&MotionScript { steps: vec![Step { main, overlays }] }, Some(5.0), 7);
    assert!(clip.frames()[clip.len() - 1].hips_translation.z > 2.0);
    let hand = path(&clip, HumanBone::RightHand);
    let head = path(&clip, HumanBone::Head);
    assert!(hand.iter().zip(&head).any(|(hand, head)| hand.y > head.y));
    assert_physical(&clip, "walk while saluting");
}
