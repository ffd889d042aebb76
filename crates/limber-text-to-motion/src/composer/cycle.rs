//! Cycles: the part of a motion that leads back into itself, closed in pose and speed.
//!
//! Two frames are looked for in which the body is alike and moves alike; what differs between them is spread
//! evenly over the frames in between, so that the speed does not jump where the cycle closes.

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, ContactTrack, Contacts, Fps, HumanBone, Pose, canonical_skeleton, ik::standing, maths::ln,
};

use super::{
    frames::{FRAME_S, frame_count},
    performance::start_over_the_origin,
};

/// So much longer than asked for is a motion made of which a cycle is cut, seconds: there must be a choice.
pub(super) const SLACK_S: f32 = 2.4;
/// The shortest cycle, seconds: nothing that people repeat is quicker than a step of each foot.
const SHORTEST_S: f32 = 0.6;
/// Where no length is asked for, a cycle holds at least this share of what was made.
const LEAST_SHARE: f32 = 0.4;
/// A cycle may be played so much faster or slower to be as long as asked: what people repeat has its own period.
const STRETCH: f32 = 0.3;
/// What playing it e times as fast counts against a better match, metres over all compared joints.
const STRETCH_COST_M: f32 = 1.5;
/// By how much a joint's speed counts against its place, seconds.
const SPEED_WEIGHT_S: f32 = 0.15;
/// Over so many frames on each side of the seam.
const SEAM_FRAMES: usize = 2;
/// Who ends nearer than this to where they began stays on the spot, metres; who climbs less stays level.
const ON_THE_SPOT_M: f32 = 0.06;
/// Who ends turned by less than this goes straight on, radians.
const STRAIGHT_RAD: f32 = 0.09;
/// The joints by which frames are compared: the ends of limbs and what bends between them.
const COMPARED: [HumanBone; 13] = [
    HumanBone::Head,
    HumanBone::UpperChest,
    HumanBone::Hips,
    HumanBone::LeftHand,
    HumanBone::RightHand,
    HumanBone::LeftLowerArm,
    HumanBone::RightLowerArm,
    HumanBone::LeftLowerLeg,
    HumanBone::RightLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::RightFoot,
    HumanBone::LeftToes,
    HumanBone::RightToes,
];

/// The frames of a cycle, without the one that is the first of the next round.
#[derive(Debug)]
pub(super) struct Cycle {
    pub(super) poses: Vec<Pose>,
    pub(super) contacts: ContactTrack,
}

/// Cuts a cycle out of a motion, as long as wanted; as it comes where that is `None`.
///
/// `through`, seconds: it begins by the first time and ends behind the second, so that a row of acts is whole.
pub(super) fn cut(
    poses: &[Pose],
    contacts: &[Contacts],
    wanted_s: Option<f32>,
    through: Option<(f32, f32)>,
) -> Cycle {
    let looks: Vec<Vec<Vec3>> = poses.iter().map(look).collect();
    let through = through.map(|(by_s, behind_s)| (frame_count(by_s), frame_count(behind_s)));
    let (first, last) = nearest(&looks, wanted_s.map(frame_count), through);
    let length = exact_length(&looks, first, last);
    let frames = wanted_s.map_or(length.round().max(1.0) as usize, frame_count);
    let stretch = length / frames as f32;
    let clip = Clip::new(canonical_skeleton(), Fps::DEFAULT, poses.to_vec());
    let clip = clip.expect("poses of one skeleton");
    let places = (0..=frames).map(|frame| first as f32 + frame as f32 * stretch);
    let mut round: Vec<Pose> = places.clone().map(|place| clip.sample(place * FRAME_S)).collect();
    close(&mut round);
    round.truncate(frames);
    ease_seam(&mut round);
    start_over_the_origin(&mut round);
    // between two frames a foot stands where it does in both
    let both = |place: f32| {
        let (before, after) = (place.floor() as usize, place.ceil() as usize);
        let after = contacts[after.min(contacts.len() - 1)];
        Contacts::from_bits(contacts[before].bits() & after.bits())
    };
    let contacts = places.take(frames).map(both).collect();
    Cycle { poses: round, contacts }
}

/// Evens out how joints speed up over the seam, where two strides meet that are not quite the same.
fn ease_seam(round: &mut [Pose]) {
    let count = round.len();
    if count <= 4 * SEAM_FRAMES {
        return;
    }
    let hips = canonical_skeleton().hips().get();
    let seam = (count - SEAM_FRAMES..count + SEAM_FRAMES).map(|frame| frame % count);
    let before = round.to_vec();
    for frame in seam {
        let [last, next] =
            [frame + count - 1, frame + 1].map(|beside| &before[beside % count].rotations);
        for (joint, turn) in round[frame].rotations.iter_mut().enumerate() {
            // who travels round turns on with the hips
            if joint != hips {
                let middle = last[joint].slerp(next[joint], 0.5);
                let middle = if middle.dot(*turn) < 0.0 { -middle } else { middle };
                *turn = turn.slerp(middle, 0.5).normalize();
            }
        }
    }
}

/// How many frames a cycle has that ends near a frame: a stride is over between two of them.
fn exact_length(looks: &[Vec<Vec3>], first: usize, last: usize) -> f32 {
    let at = |place: f32| {
        let (before, share) = (place.floor() as usize, place.fract());
        let after = &looks[(before + 1).min(looks.len() - 1)];
        let places = looks[before].iter().zip(after);
        places.map(move |(from, to)| from.lerp(*to, share))
    };
    let fault = |place: f32| -> f32 {
        at(place).zip(&looks[first]).map(|(here, there)| here.distance(*there)).sum()
    };
    let most = (looks.len() - 1) as f32;
    let tenths = (-9..=9).map(|tenth| (last as f32 + 0.1 * tenth as f32).min(most));
    let best = tenths.min_by(|a, b| fault(*a).total_cmp(&fault(*b))).unwrap_or(last as f32);
    best - first as f32
}

/// Where the compared joints are, seen by who goes along with the hips and faces where they do.
fn look(pose: &Pose) -> Vec<Vec3> {
    let skeleton = canonical_skeleton();
    let world = skeleton.world(pose);
    let (hips, turn) = standing(&skeleton, pose, skeleton.hips());
    let back = heading(turn).inverse();
    let below = Vec3::new(hips.x, 0.0, hips.z);
    let joints = COMPARED.iter().filter_map(|bone| skeleton.find(*bone));
    joints.map(|joint| back * (world.position(joint) - below)).collect()
}

/// Which way a body faces whose hips are turned like this.
fn heading(turn: Quat) -> Quat {
    let heading = Quat::from_xyzw(0.0, turn.y, 0.0, turn.w);
    // who hangs upside down faces nowhere
    if heading.length_squared() < 1e-6 { Quat::IDENTITY } else { heading.normalize() }
}

/// The two frames that are most alike at a distance that will do.
fn nearest(
    looks: &[Vec<Vec3>],
    wanted: Option<usize>,
    through: Option<(usize, usize)>,
) -> (usize, usize) {
    let last = looks.len() - 1;
    let (by, behind) = through.unwrap_or((last, 0));
    let (least, most) = match wanted {
        Some(frames) => {
            let spare = (STRETCH * frames as f32) as usize;
            (frames.saturating_sub(spare), frames + spare)
        }
        None => {
            let least = (LEAST_SHARE * last as f32).max(SHORTEST_S / FRAME_S);
            (least as usize, last)
        }
    };
    let (least, most) = (least.clamp(1, last), most.clamp(1, last));
    let speeds: Vec<Vec<Vec3>> = (0..=last)
        .map(|frame| {
            let (before, after) = (&looks[frame.saturating_sub(1)], &looks[(frame + 1).min(last)]);
            let ways = before.iter().zip(after);
            ways.map(|(before, after)| (*after - *before) / (2.0 * FRAME_S)).collect()
        })
        .collect();
    let sum_apart = |one: &[Vec3], other: &[Vec3]| -> f32 {
        one.iter().zip(other).map(|(a, b)| a.distance(*b)).sum()
    };
    let apart = |first: usize, second: usize| {
        sum_apart(&looks[first], &looks[second])
            + SPEED_WEIGHT_S * sum_apart(&speeds[first], &speeds[second])
    };
    let mut best = (f32::MAX, (0, least));
    for first in 0..=(last - least).min(by) {
        for second in (first + least).max(behind.min(last))..=(first + most).min(last) {
            let stretch =
                wanted.map_or(0.0, |frames| ln((second - first) as f32 / frames as f32).abs());
            let fault = apart(first, second) + STRETCH_COST_M * stretch;
            // the first of equals, for the same bits everywhere
            if fault < best.0 - 1e-6 {
                best = (fault, (first, second));
            }
        }
    }
    best.1
}

/// Lets the last pose be the first one, moved and turned on: what differs is spread over all frames.
fn close(round: &mut [Pose]) {
    let skeleton = canonical_skeleton();
    let hips = skeleton.hips();
    let (first, last) = (round[0].clone(), round[round.len() - 1].clone());
    let (from, to) = (standing(&skeleton, &first, hips), standing(&skeleton, &last, hips));
    let turned = heading(to.1) * heading(from.1).inverse();
    // what goes round goes on going round; what goes straight on does not veer off
    let is_straight = turned.angle_between(Quat::IDENTITY) < STRAIGHT_RAD;
    let onward = if is_straight { Quat::IDENTITY } else { turned };
    let mut missing = to.0 - from.0;
    if Vec3::new(missing.x, 0.0, missing.z).length() > ON_THE_SPOT_M {
        (missing.x, missing.z) = (0.0, 0.0);
    }
    if missing.y.abs() > ON_THE_SPOT_M {
        missing.y = 0.0;
    }
    let steps = (round.len() - 1) as f32;
    let goals: Vec<Quat> = (0..first.rotations.len())
        .map(|joint| {
            let own = first.rotations[joint];
            if joint == hips.get() { onward * own } else { own }
        })
        .collect();
    let corrections: Vec<Quat> =
        last.rotations.iter().zip(goals).map(|(last, goal)| last.inverse() * goal).collect();
    for (frame, pose) in round.iter_mut().enumerate() {
        let share = frame as f32 / steps;
        pose.hips_translation -= missing * share;
        for (turn, correction) in pose.rotations.iter_mut().zip(&corrections) {
            let correction = if correction.w < 0.0 { -*correction } else { *correction };
            *turn = (*turn * Quat::IDENTITY.slerp(correction, share)).normalize();
        }
    }
}
