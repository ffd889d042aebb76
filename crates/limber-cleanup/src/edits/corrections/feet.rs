//! Feet under manual corrections: standing feet stay, offset feet move.

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, ContactPoint, ContactTrack, Contacts, JointIndex, Pose, Skeleton, ik, smooth::smoothstep,
};

use super::{curve::Weighted, keep_within};
use crate::{
    contacts_of,
    feet::{Foot, move_hips, side_place},
    physics::Limits,
};

/// Time over which a foot that has stood blends to where the corrected leg carries it, seconds.
const RELEASE_S: f32 = 0.25;
/// A foot further from its original place no longer stands there, metres, radians.
const STANDS_WITHIN_M: f32 = 0.002;
const STANDS_WITHIN_RAD: f32 = 0.02;
/// Smaller changes of an ankle are ignored, metres, radians.
const NOTHING_M: f32 = 1e-6;
const NOTHING_RAD: f32 = 1e-4;
/// From this share of its full length on, a leg counts as straight …
const STRAIGHT: f32 = ik::SOFT_FROM;
/// … and the pelvis is lowered for it by at most this share.
const MOST_LOWERING: f32 = 0.08;

/// What the keys do to one foot itself in one frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FootChange {
    /// Offset in world space.
    pull: Vec3,
    /// Weight of the offset, 0 to 1.
    pull_weight: f32,
    /// Additional rotation, in the foot's local space.
    turn: Quat,
    /// Weight of the rotation, 0 to 1.
    turn_weight: f32,
    /// Additional rotation of the toes, radians.
    toes_rad: f32,
}

impl FootChange {
    /// Adds an offset of this foot.
    pub(super) fn note_pull(&mut self, pull: Weighted<Vec3>) {
        self.pull += pull.value;
        self.pull_weight = self.pull_weight.max(pull.weight);
    }

    /// Adds a joint's rotation if the joint is one of the foot's own.
    pub(super) fn note_turn(&mut self, leg: &Foot, joint: JointIndex, turn: Weighted<Quat>) {
        if joint == leg.leg[2] {
            self.turn = (self.turn * turn.value).normalize();
            self.turn_weight = self.turn_weight.max(turn.weight);
        } else if Some(joint) == leg.toes() {
            self.toes_rad += turn.value.angle_between(Quat::IDENTITY);
        }
    }

    /// Brings the joints changed here within their limits. The leg of a foot without an offset
    /// follows what the foot stands on and is not limited.
    fn limit(&self, limits: &Limits, pose: &mut Pose, leg: &Foot) {
        let [upper, lower, ankle] = leg.leg;
        if self.pull_weight > 0.0 {
            keep_within(limits, pose, upper, self.pull_weight);
            keep_within(limits, pose, lower, self.pull_weight);
        }
        let weight = self.pull_weight.max(self.turn_weight);
        if weight > 0.0 {
            keep_within(limits, pose, ankle, weight);
        }
    }
}

/// Target of a foot in one frame.
#[derive(Clone, Copy)]
struct Goal {
    ankle: Vec3,
    rotation: Quat,
    /// Length from hip to ankle in the original clip, metres.
    present_m: f32,
    /// Weight of holding the foot where it stands, 0 to 1; 0 for one with an offset.
    held: f32,
    /// Whether the corrections have moved it at all.
    moved: bool,
}

/// Returns the feet of a corrected clip to where they stand in the original clip, and moves those
/// with an offset. `changes` has an entry for each frame that a key reaches; all other frames stay
/// as they are.
pub(super) fn plant(
    clip: &Clip,
    corrected: Clip,
    legs: &[Foot],
    limits: &Limits,
    changes: &[Option<[FootChange; 2]>],
) -> Clip {
    let skeleton = clip.skeleton();
    let mut track = contacts_of(clip);
    let holds: Vec<Vec<f32>> = legs.iter().map(|leg| holds(clip, leg, &track)).collect();
    let mut corrected = corrected;
    for (frame, change) in changes.iter().enumerate() {
        let Some(change) = change else { continue };
        let was = &clip.frames()[frame];
        let pose = &mut corrected.frames_mut()[frame];
        let goals: Vec<Goal> = legs
            .iter()
            .zip(&holds)
            .map(|(leg, held)| {
                goal(skeleton, leg, [was, pose], &change[side_place(leg.side)], held[frame])
            })
            .collect();
        let lower = lowering(skeleton, pose, legs, &goals);
        if lower > NOTHING_M {
            move_hips(skeleton, pose, Vec3::NEG_Y * lower);
        }
        for (leg, goal) in legs.iter().zip(&goals) {
            if goal.moved || lower > NOTHING_M {
                let turned = Some(goal.rotation);
                ik::reach_as_far_as(skeleton, pose, leg.leg, goal.ankle, goal.present_m, turned);
            }
            let own = &change[side_place(leg.side)];
            own.limit(limits, pose, leg);
            release_moved_foot(skeleton, leg, [was, pose], own, &mut track[frame]);
        }
    }
    match clip.contacts() {
        Some(_) => corrected.with_contacts(track).expect("there is one entry per frame"),
        None => corrected,
    }
}

/// Weight of holding a foot in each frame: full while it stands, and fading before and after.
fn holds(clip: &Clip, leg: &Foot, track: &ContactTrack) -> Vec<f32> {
    let reach = (RELEASE_S * clip.fps().per_second()).max(1.0);
    let stands = track.iter().map(|contacts| contacts.foot(leg.side));
    let since = frames_since(stands.clone());
    let until = frames_since(stands.rev()).into_iter().rev();
    let away = since.into_iter().zip(until).map(|(since, until)| f32::min(since, until));
    away.map(|frames| smoothstep(1.0 - frames / reach)).collect()
}

/// Number of frames since the foot last stood; infinite if it has not stood yet.
fn frames_since(stands: impl Iterator<Item = bool>) -> Vec<f32> {
    let count = |since: &mut f32, stands: bool| {
        *since = if stands { 0.0 } else { *since + 1.0 };
        Some(*since)
    };
    stands.scan(f32::INFINITY, count).collect()
}

fn goal(
    skeleton: &Skeleton,
    leg: &Foot,
    [was, pose]: [&Pose; 2],
    change: &FootChange,
    hold: f32,
) -> Goal {
    let (stood, stood_turned) = leg.ankle(skeleton, was);
    let (now, now_turned) = leg.ankle(skeleton, pose);
    let limb = ik::limb(skeleton, was, leg.leg);
    let is_pulled = change.pull != Vec3::ZERO;
    let ankle = now + (stood - now) * hold + change.pull;
    let held_turned = (stood_turned * change.turn).normalize();
    let held_turned = if now_turned.dot(held_turned) < 0.0 { -held_turned } else { held_turned };
    let off =
        stood.distance(now) > NOTHING_M || now_turned.angle_between(held_turned) > NOTHING_RAD;
    Goal {
        ankle,
        rotation: now_turned.slerp(held_turned, hold).normalize(),
        present_m: limb.root.distance(limb.end),
        held: if is_pulled { 0.0 } else { hold },
        moved: is_pulled || (off && hold > 0.0),
    }
}

/// How far the pelvis is lowered so that legs reach their held feet. A leg that was stretched as
/// far in the original clip needs nothing.
fn lowering(skeleton: &Skeleton, pose: &Pose, legs: &[Foot], goals: &[Goal]) -> f32 {
    let needs = legs.iter().zip(goals).filter(|(_, goal)| goal.moved).map(|(leg, goal)| {
        let limb = ik::limb(skeleton, pose, leg.leg);
        let full = limb.full_length();
        let longest = (STRAIGHT * full).max(goal.present_m);
        let away = limb.root - goal.ankle;
        let beside = away.x.powi(2) + away.z.powi(2);
        let height = (longest.powi(2) - beside).max(0.0).sqrt();
        goal.held * (away.y - height).clamp(0.0, MOST_LOWERING * full)
    });
    needs.fold(0.0, f32::max)
}

/// Removes the contacts of a foot that is moved or rotated away from where it stood.
fn release_moved_foot(
    skeleton: &Skeleton,
    leg: &Foot,
    [was, pose]: [&Pose; 2],
    change: &FootChange,
    contacts: &mut Contacts,
) {
    let (stood, stood_turned) = leg.ankle(skeleton, was);
    let (now, now_turned) = leg.ankle(skeleton, pose);
    let left = stood.distance(now) > STANDS_WITHIN_M
        || stood_turned.angle_between(now_turned) > STANDS_WITHIN_RAD;
    if left {
        contacts.set(ContactPoint::Heel(leg.side), false);
    }
    if left || change.toes_rad > STANDS_WITHIN_RAD {
        contacts.set(ContactPoint::Toe(leg.side), false);
    }
}
