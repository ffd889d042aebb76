//! Checks transitions between acts, and the script's start, end, size, posture and looping.

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone};
use limber_script::Script;
use limber_text_to_motion::{MotionScript, performable};

use crate::{made, path};

fn steps(line: &str) -> MotionScript {
    let script: Script = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    let (steps, left_out) = performable(&script);
    assert_eq!(left_out, [], "{line}");
    steps
}

fn clip(line: &str, duration_s: Option<f32>, seed: u64) -> Clip {
    made(&steps(line), duration_s, seed)
}

/// For each frame, the largest displacement of a joint since the first frame, relative to the hips.
fn from_first(clip: &Clip) -> Vec<f32> {
    let places = clip.world_positions();
    let hips = clip.skeleton().hips().get();
    let seen = |frame: &[Vec3], joint: usize| frame[joint] - frame[hips];
    let furthest = |frame: &Vec<Vec3>| {
        let ways = (0..frame.len()).map(|j| seen(frame, j).distance(seen(&places[0], j)));
        ways.fold(0.0, f32::max)
    };
    places.iter().map(furthest).collect()
}

#[test]
fn gestures_follow_without_a_rest_between_them() {
    for line in [
        "v2 wave > point",
        "v2 salute > clap",
        "v2 thumbs-up > wave > shrug",
        "v2 cross-arms > point > salute",
        "v2 wave posture:kneeling-on-both > point",
    ] {
        for seed in 1..5 {
            let away = from_first(&clip(line, None, seed));
            let busy: Vec<usize> = (0..away.len()).filter(|frame| away[*frame] > 0.2).collect();
            let (first, last) = (busy[0], busy[busy.len() - 1]);
            let least = away[first..=last].iter().copied().fold(f32::MAX, f32::min);
            assert!(least > 0.10, "{line}, seed {seed}: {least} m from the first pose");
        }
    }
}

#[test]
fn larger_jumps_are_higher_and_longer_in_the_air() {
    let flight = |size: &str| {
        let clip = clip(&format!("v2 jump count:1{size}"), None, 3);
        let hips: Vec<f32> = path(&clip, HumanBone::Hips).iter().map(|at| at.y).collect();
        let toes = path(&clip, HumanBone::LeftToes);
        let floor = toes[0].y;
        let aloft = toes.iter().filter(|at| at.y > floor + 0.04).count();
        (hips.iter().copied().fold(0.0, f32::max) - hips[0], aloft)
    };
    let sizes = [" size:0.5", "", " size:1.5", " size:2"].map(flight);
    for pair in sizes.windows(2) {
        assert!(pair[1].0 > pair[0].0 + 0.06, "{sizes:?}");
        assert!(pair[1].1 > pair[0].1, "{sizes:?}");
    }
    // a body that is in the air for s seconds rises by g s² / 8
    let (rise_m, frames) = sizes[3];
    let ballistic_m = 9.81 * (frames as f32 / 30.0).powi(2) / 8.0;
    assert!((0.6..1.7).contains(&(rise_m / ballistic_m)), "{rise_m} m in {frames} frames");
}

#[test]
fn large_gestures_are_larger_than_small_ones() {
    for (line, bone) in [
        ("v2 bow", HumanBone::Head),
        ("v2 squat", HumanBone::Hips),
        ("v2 sway", HumanBone::UpperChest),
        ("v2 walk steps:6", HumanBone::Hips),
    ] {
        let moved = |size: &str| {
            let clip = clip(&format!("{line} size:{size}"), None, 2);
            let path = path(&clip, bone);
            path.iter().map(|at| at.distance(path[0])).fold(0.0, f32::max)
        };
        let (small, large) = (moved("0.5"), moved("1.5"));
        assert!(large > 1.25 * small, "{line}: {small} m and {large} m");
    }
}

#[test]
fn a_gesture_is_performed_in_the_given_posture() {
    let lowest = |line: &str| {
        let clip = clip(line, None, 4);
        let hips = path(&clip, HumanBone::Hips);
        hips.iter().map(|at| at.y).fold(f32::MIN, f32::max)
    };
    // from the first frame to the last; standing hips are at 0.95 m
    assert!(lowest("v2 wave posture:kneeling-on-both > point posture:kneeling-on-both") < 0.62);
    assert!(lowest("v2 salute posture:seated-on-chair") < 0.65);
    assert!(lowest("v2 wave posture:seated-on-floor") < 0.3);
    assert!(lowest("v2 wave posture:lying-on-back") < 0.3);
    assert!(lowest("v2 point posture:crouched") < 0.65);
    assert!(lowest("v2 wave > point posture:kneeling-on-both") > 0.9, "it kneels after waving");
}

#[test]
fn a_clip_can_start_and_end_mid_action() {
    let walk = clip("v2 walk steps:8 | start:action", None, 1);
    let hips = path(&walk, HumanBone::Hips);
    assert!(hips[6].distance(hips[0]) > 0.12, "it stands at first: {:?}", hips[6]);
    let whole = clip("v2 salute", None, 1);
    let at_once = clip("v2 salute | start:action", None, 1);
    let held = clip("v2 salute | end:hold", None, 1);
    let hand = |clip: &Clip, frame: usize| {
        let hand = path(clip, HumanBone::RightHand)[frame].y;
        hand.max(path(clip, HumanBone::LeftHand)[frame].y)
    };
    let (first, last) = (hand(&whole, 0), hand(&at_once, 0));
    assert!(first < 1.0 && last > 1.3, "{first} m and {last} m");
    let (first, last) = (hand(&whole, whole.len() - 1), hand(&held, held.len() - 1));
    assert!(first < 1.0 && last > 1.3, "{first} m and {last} m");
    let exact = clip("v2 walk | start:action", Some(3.0), 5);
    assert_eq!(exact.len(), 90);
}

#[test]
fn loops_close_in_pose_and_speed() {
    for line in [
        "v2 walk | loop:true",
        "v2 run | loop:true",
        "v2 jog | loop:true",
        "v2 sneak | loop:true",
        "v2 march | loop:true",
        "v2 idle | loop:true",
        "v2 dance | loop:true",
        "v2 wave | loop:true",
        "v2 jumping-jack | loop:true",
        "v2 squat | loop:true",
        "v2 sway | loop:true",
        "v2 boxing-stance | loop:true",
        "v2 walk > wave while:0 | loop:true",
    ] {
        // a loop cannot be shorter than the cycle that it repeats
        let short_s = if line.contains("walk") || line.contains("run") { 2.0 } else { 6.0 };
        for (seed, duration_s) in [(1, None), (2, Some(4.0)), (3, Some(short_s))] {
            let clip = clip(line, duration_s, seed);
            if let Some(duration_s) = duration_s {
                assert_eq!(clip.len(), (30.0 * duration_s) as usize, "{line}");
            }
            let (turn_deg, speed_cm_s) = seam(&clip);
            let usual = usual_change(&clip);
            assert!(turn_deg <= 1.0, "{line} {duration_s:?} closes by {turn_deg}° too much");
            // with few strides, the clip does not contain the largest change
            let most = 2.0 + 1.15 * usual;
            assert!(speed_cm_s <= most, "{line} {duration_s:?}: {speed_cm_s} of {usual} cm/s");
        }
    }
}

#[test]
fn a_loop_of_one_stride_goes_somewhere() {
    for (line, least_m) in [
        ("v2 walk seconds:0.8 | loop:true", 0.5),
        ("v2 walk seconds:1 | loop:true", 0.6),
        ("v2 run seconds:0.7 | loop:true", 1.0),
        ("v2 sidestep direction:left seconds:1.2 | loop:true", 0.3),
    ] {
        for seed in 1..=4 {
            let clip = clip(line, None, seed);
            let (first, last) = (&clip.frames()[0], &clip.frames()[clip.len() - 1]);
            let way_m = (last.hips_translation - first.hips_translation).length();
            assert!(way_m > least_m, "{line} with seed {seed} goes {way_m} m");
        }
    }
}

/// How much the worst joint's rotation over the seam exceeds that in the frames beside it, beyond
/// what occurs within the clip, degrees; and by how much a joint's speed changes over the seam,
/// cm/s.
fn seam(clip: &Clip) -> (f32, f32) {
    let frames = clip.frames();
    let last = frames.len() - 1;
    let hips = clip.skeleton().hips().get();
    let upright =
        |turn: Quat| Quat::from_xyzw(0.0, turn.y, 0.0, turn.w).normalize().inverse() * turn;
    let turned = |frame: usize, joint: usize| {
        let turn = frames[frame].rotations[joint];
        if joint == hips { upright(turn) } else { turn }
    };
    let step = |from: usize, to: usize, joint: usize| {
        turned(from, joint).angle_between(turned(to, joint)).to_degrees()
    };
    let beside = |before: f32, here: f32, after: f32| here - before.max(after);
    let missed = |joint: usize| {
        let steps: Vec<f32> = (0..last).map(|frame| step(frame, frame + 1, joint)).collect();
        let within = steps.windows(3).map(|steps| beside(steps[0], steps[1], steps[2]));
        let seam = beside(steps[last - 1], step(last, 0, joint), steps[0]);
        seam - within.fold(0.0, f32::max)
    };
    let worst = (0..frames[0].rotations.len()).map(missed).fold(0.0, f32::max);
    let speeds = speeds(clip);
    let change =
        |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    (worst, change(&speeds[last - 1], &speeds[0]))
}

/// Largest change of a joint's speed over two frames within the clip, cm/s.
fn usual_change(clip: &Clip) -> f32 {
    let speeds = speeds(clip);
    let change = |pair: &[Vec<Vec3>]| {
        pair[0].iter().zip(&pair[2]).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    speeds.windows(3).map(change).fold(0.0, f32::max)
}

/// For each frame and joint, the movement to the next frame relative to the hips, cm/s.
fn speeds(clip: &Clip) -> Vec<Vec<Vec3>> {
    let hips = clip.skeleton().hips().get();
    let places = clip.world_positions();
    let facing = |frame: usize| {
        let turn = clip.frames()[frame].rotations[hips];
        Quat::from_xyzw(0.0, turn.y, 0.0, turn.w).normalize().inverse()
    };
    (0..places.len() - 1)
        .map(|frame| {
            let seen = |frame: usize, joint: usize| {
                facing(frame) * (places[frame][joint] - places[frame][hips])
            };
            let joints = 0..places[frame].len();
            joints.map(|joint| (seen(frame + 1, joint) - seen(frame, joint)) * 3000.0).collect()
        })
        .collect()
}

#[test]
fn a_walk_follows_the_given_path() {
    let path_of = |line: &str| path(&clip(line, None, 3), HumanBone::Hips);
    for side in ["left", "right"] {
        let eight = path_of(&format!("v2 walk path:figure-eight side:{side}"));
        let (first, last) = (eight[0], eight[eight.len() - 1]);
        let across = eight.iter().map(|at| at.x.abs()).fold(0.0, f32::max);
        assert!(first.distance(last) < 1.2 && across > 0.8, "{across} m, {first} to {last}");
        let arc = path_of(&format!("v2 run path:arc side:{side}"));
        let sideways = arc[arc.len() - 1].x;
        assert_eq!(sideways > 1.0, side == "left", "{side}: {sideways} m to the left");
    }
    let zigzag = path_of("v2 walk path:zigzag");
    let mean = zigzag.iter().map(|at| at.x).sum::<f32>() / zigzag.len() as f32;
    let sides = zigzag.windows(2).filter(|pair| (pair[0].x > mean) != (pair[1].x > mean)).count();
    assert!(sides >= 2, "it changes sides {sides} times");
}

#[test]
fn given_durations_can_exceed_the_usual_length() {
    let clip = clip("v2 plank > downward-dog seconds:15", None, 3);
    assert!((16.0..20.0).contains(&clip.duration_s()), "{} s", clip.duration_s());
}

#[test]
fn a_clip_that_ends_in_a_run_ends_at_full_speed() {
    let clip = clip("v2 run meters:8 | end:action", None, 3);
    let hips: Vec<Vec3> = clip.world_positions().iter().map(|joints| joints[0]).collect();
    let speed =
        |from: usize, to: usize| (hips[to] - hips[from]).length() * 30.0 / (to - from) as f32;
    let last = hips.len() - 1;
    assert!(speed(last - 6, last) > 2.5, "{} m/s", speed(last - 6, last));
    assert!(speed(0, 4) < 0.5, "it begins standing");
}

#[test]
fn a_jump_from_a_crouch_does_not_stand_up_first() {
    let clip = clip("v2 crouch > jump", None, 3);
    let height: Vec<f32> = clip.world_positions().iter().map(|joints| joints[0].y).collect();
    let top = (0..height.len()).max_by(|a, b| height[*a].total_cmp(&height[*b])).unwrap();
    let low = (0..top).min_by(|a, b| height[*a].total_cmp(&height[*b])).unwrap();
    let rises_only = height[low..=top].windows(2).filter(|pair| pair[1] < pair[0] - 0.002).count();
    // one dip before take-off belongs to the jump itself
    assert!(rises_only <= 12, "{rises_only} frames go down again on the way up");
    let standing = height[0];
    let stands = height[low..top].iter().filter(|y| (**y - standing).abs() < 0.02).count();
    assert!(stands <= 4, "{stands} frames at standing height before the jump");
}

#[test]
fn a_crouched_walk_stays_low() {
    let hips = |line: &str| path(&clip(line, None, 3), HumanBone::Hips);
    let upright = hips("v2 walk steps:6")[0].y;
    let low = hips("v2 walk posture:crouched steps:6");
    assert!(low.iter().all(|at| at.y < upright - 0.2), "{low:?}");
}

#[test]
fn runs_over_a_given_distance_keep_the_hips_up() {
    for line in ["v2 run meters:8", "v2 run meters:15", "v2 run meters:12 speed:1.6"] {
        let clip = clip(line, None, 3);
        let hips: Vec<Vec3> = clip.world_positions().iter().map(|joints| joints[0]).collect();
        let least = hips.iter().map(|at| at.y).fold(f32::MAX, f32::min);
        assert!(least > 0.72, "{line}: the hips sink to {least} m");
    }
}

#[test]
fn actions_during_a_run_do_not_stop_it() {
    for line in [
        "v2 run > vault > run",
        "v2 run > leap-gap > run",
        "v2 walk > trip",
        "v2 run > run-stop",
        "v2 run > cricket-bowl",
        "v2 run > skip",
        "v2 run > run path:arc side:right > run",
        "v2 walk > walk path:s-curve > walk",
    ] {
        for seed in 1..4 {
            let clip = clip(line, None, seed);
            let hips = path(&clip, HumanBone::Hips);
            // averaged over a third of a second, so that landing on a leg does not count as a stop
            let ahead: Vec<f32> =
                hips.windows(11).map(|frames| frames[10].z - frames[0].z).collect();
            let set_out = ahead.iter().position(|ahead| *ahead > 0.3).expect("it sets out");
            let way = hips[hips.len() - 1].z;
            // of the last act, only the first step counts
            let most = if line.ends_with("run") { way - 1.2 } else { 0.6 * way };
            let end = hips.iter().position(|at| at.z > most).expect("it gets there");
            let least = ahead[set_out..end].iter().copied().fold(f32::MAX, f32::min);
            assert!(least > 0.12, "{line}, seed {seed}: {least} m in a third of a second");
        }
    }
}

#[test]
fn a_freeze_keeps_the_pose_for_the_given_time() {
    let clip = clip("v2 recoil force:1.5 > statue-still seconds:2", None, 1);
    let away = from_first(&clip);
    let places = clip.world_positions();
    let moved = |frame: usize| {
        let pair = places[frame].iter().zip(&places[frame + 1]);
        pair.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    let still = (0..places.len() - 1).filter(|frame| away[*frame] > 0.25 && moved(*frame) < 0.01);
    let still = still.count();
    // the rest of the two seconds is the last step of the recoil and the beginning of the way home
    assert!(still > 40, "the pose of the recoil is held for {still} frames");
}

#[test]
fn a_held_squat_is_held_at_its_lowest() {
    let clip = clip("v2 squat count:2 > statue-still seconds:2", None, 1);
    let heights: Vec<f32> = path(&clip, HumanBone::Hips).iter().map(|at| at.y).collect();
    let lowest = heights.iter().copied().fold(f32::MAX, f32::min);
    let held = heights.iter().filter(|height| **height < lowest + 0.03).count();
    assert!(held > 50, "the hips are low for {held} frames");
    // twice down: once up in between
    let rises = heights.windows(2).filter(|two| two[0] < 0.75 && two[1] >= 0.75).count();
    assert_eq!(rises, 2, "once between both squats, and once at the end");
}

#[test]
fn a_fall_starts_from_the_pose_of_the_hit() {
    for line in ["v2 react-hit > fall direction:backward", "v2 react-hit-stomach > kneel"] {
        let away = from_first(&clip(line, None, 2));
        let struck = away.iter().position(|away| *away > 0.3).expect("the blow moves the body");
        let least = away[struck..].iter().copied().fold(f32::MAX, f32::min);
        assert!(least > 0.12, "{line}: {least} m from standing at ease before the fall");
    }
}

#[test]
fn a_kneeling_person_does_not_kneel_down_again() {
    let seconds = |line: &str| clip(line, None, 1).duration_s();
    assert_eq!(seconds("v2 kneel > kneel > bow"), seconds("v2 kneel > bow"));
}

#[test]
fn an_alternating_movement_takes_the_given_time() {
    let seconds = clip("v2 raise.knee side:alternating seconds:12", None, 1).duration_s();
    assert!((8.0..16.0).contains(&seconds), "{seconds} s");
}

#[test]
fn a_dive_to_the_side_and_a_gesture_on_the_floor_never_snap() {
    let line = "v2 guard-idle > goalkeeper-dive direction:left height:floor size:1.5 \
                > raise.hand posture:lying-on-side side:both > run";
    for seed in [3, 5, 6, 11] {
        assert!(clip(line, None, seed).len() > 60, "seed {seed}");
    }
}
