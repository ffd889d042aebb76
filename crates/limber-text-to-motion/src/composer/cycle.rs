//! Cuts loops out of motion: the part whose end matches its beginning in pose and velocity.
//!
//! It looks for two frames in which the body has similar poses and velocities. The difference that
//! remains is spread evenly over the frames in between, so that the velocity does not jump at the
//! seam.

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, ContactTrack, Contacts, Fps, HumanBone, Pose, canonical_skeleton, ik::standing, maths::ln,
};

use super::{
    frames::{FRAME_S, frame_count},
    performance::start_over_the_origin,
};

/// Additional length of the motion from which a loop is cut, seconds, so that there is a choice.
pub(super) const SLACK_S: f32 = 2.4;
/// Minimum length of a loop, seconds: no human cycle is faster than a step of each foot.
const SHORTEST_S: f32 = 0.6;
/// Minimum length as a share of the motion, if no length is requested.
const LEAST_SHARE: f32 = 0.4;
/// Maximum change of speed to reach the requested length, because a human cycle has its own period.
const STRETCH: f32 = 0.3;
/// Cost of playing it e times as fast in the choice of frames, metres summed over all compared
/// joints.
const STRETCH_COST_M: f32 = 1.5;
/// Weight of a joint's velocity relative to its position, seconds.
const SPEED_WEIGHT_S: f32 = 0.15;
/// Number of frames on each side of the seam.
const SEAM_FRAMES: usize = 2;
/// A loop with less displacement stays in place, and one with less climb stays level, metres.
const ON_THE_SPOT_M: f32 = 0.06;
/// A loop that turns by less goes straight on, radians.
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

/// The frames of a loop, without the duplicate of the first frame at the end.
#[derive(Debug)]
pub(super) struct Cycle {
    pub(super) poses: Vec<Pose>,
    pub(super) contacts: ContactTrack,
}

/// Cuts a loop of the wanted length out of a motion; of any suitable length if that is `None`.
///
/// `through`, seconds: the loop starts no later than the first time and ends no earlier than the
/// second, so that a sequence of acts is complete. Without it, the loop contains the middle of the
/// motion.
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
    // between two frames, a foot is in contact if it is in both
    let both = |place: f32| {
        let (before, after) = (place.floor() as usize, place.ceil() as usize);
        let after = contacts[after.min(contacts.len() - 1)];
        Contacts::from_bits(contacts[before].bits() & after.bits())
    };
    let contacts = places.take(frames).map(both).collect();
    Cycle { poses: round, contacts }
}

/// Smooths the acceleration of joints over the seam, where two slightly different strides meet.
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
            // the hips keep turning if the loop follows a curve
            if joint != hips {
                let middle = last[joint].slerp(next[joint], 0.5);
                let middle = if middle.dot(*turn) < 0.0 { -middle } else { middle };
                *turn = turn.slerp(middle, 0.5).normalize();
            }
        }
    }
}

/// Fractional number of frames of a cycle that ends near a frame, because a stride may end between
/// two frames.
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

/// Positions of the compared joints relative to the position and heading of the hips.
fn look(pose: &Pose) -> Vec<Vec3> {
    let skeleton = canonical_skeleton();
    let world = skeleton.world(pose);
    let (hips, turn) = standing(&skeleton, pose, skeleton.hips());
    let back = heading(turn).inverse();
    let below = Vec3::new(hips.x, 0.0, hips.z);
    let joints = COMPARED.iter().filter_map(|bone| skeleton.find(*bone));
    joints.map(|joint| back * (world.position(joint) - below)).collect()
}

/// Heading of a body from the rotation of its hips.
fn heading(turn: Quat) -> Quat {
    let heading = Quat::from_xyzw(0.0, turn.y, 0.0, turn.w);
    // upside down there is no heading
    if heading.length_squared() < 1e-6 { Quat::IDENTITY } else { heading.normalize() }
}

/// The two most similar frames at a suitable distance.
fn nearest(
    looks: &[Vec<Vec3>],
    wanted: Option<usize>,
    through: Option<(usize, usize)>,
) -> (usize, usize) {
    let last = looks.len() - 1;
    // a single act is at its fullest in the middle; near its ends the body may stand, and frames in
    // which nothing moves would always be the most similar
    let (by, behind) = through.unwrap_or((last / 2, last / 2));
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
            // the first of equal candidates, so that the result is the same everywhere
            if fault < best.0 - 1e-6 {
                best = (fault, (first, second));
            }
        }
    }
    best.1
}

/// Makes the last pose equal to the first one, moved and rotated onwards, by spreading the
/// difference over all frames.
fn close(round: &mut [Pose]) {
    let skeleton = canonical_skeleton();
    let hips = skeleton.hips();
    let (first, last) = (round[0].clone(), round[round.len() - 1].clone());
    let (from, to) = (standing(&skeleton, &first, hips), standing(&skeleton, &last, hips));
    let turned = heading(to.1) * heading(from.1).inverse();
    // a loop along a curve keeps turning, and a straight one does not veer off
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
