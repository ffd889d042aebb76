//! Feet under corrections: those that stand stay, those that are pulled go.

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

/// Over this time a foot that has stood goes over to where the corrected leg carries it, seconds.
const LET_GO_S: f32 = 0.25;
/// A foot that is further from where it stood does not stand there any more, metres, radians.
const STANDS_WITHIN_M: f32 = 0.002;
const STANDS_WITHIN_RAD: f32 = 0.02;
/// Smaller changes of an ankle are none.
const NOTHING_M: f32 = 1e-6;
const NOTHING_RAD: f32 = 1e-4;
/// From this share of its full length on a leg counts as straight …
const STRAIGHT: f32 = ik::SOFT_FROM;
/// … and the pelvis comes down by at most this share for it.
const MOST_LOWERING: f32 = 0.08;

/// What keys say of one foot itself in one frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FootChange {
    /// How far it is pulled, in world space.
    pull: Vec3,
    /// How much of a pull that is, 0 to 1.
    pull_weight: f32,
    /// How much further it turns, in its own space.
    turn: Quat,
    /// How much of a turn that is, 0 to 1.
    turn_weight: f32,
    /// How much further its toes turn, radians.
    toes_rad: f32,
}

impl FootChange {
    /// Adds a pull of this foot.
    pub(super) fn note_pull(&mut self, pull: Weighted<Vec3>) {
        self.pull += pull.value;
        self.pull_weight = self.pull_weight.max(pull.weight);
    }

    /// Notes a joint's turn, if it is one of the foot's own.
    pub(super) fn note_turn(&mut self, leg: &Foot, joint: JointIndex, turn: Weighted<Quat>) {
        if joint == leg.leg[2] {
            self.turn = (self.turn * turn.value).normalize();
            self.turn_weight = self.turn_weight.max(turn.weight);
        } else if Some(joint) == leg.toes() {
            self.toes_rad += turn.value.angle_between(Quat::IDENTITY);
        }
    }

    /// Brings the joints that this change set within their limits. The leg of a foot that is not pulled
    /// follows what it stands on, and stays as it is.
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

/// Where a foot shall be in one frame.
#[derive(Clone, Copy)]
struct Goal {
    ankle: Vec3,
    rotation: Quat,
    /// Up to here the leg is stretched in the clip as it was made, metres.
    present_m: f32,
    /// How much it is held where it stands, 0 to 1; nothing of one that is pulled.
    held: f32,
    /// Whether the corrections have moved it at all.
    moved: bool,
}

/// Brings the feet of a corrected clip back to where they stand in the clip as it was made, and to where
/// they are pulled. `changes` are there for the frames that a key reaches; all others stay as they are.
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
            let_go(skeleton, leg, [was, pose], own, &mut track[frame]);
        }
    }
    match clip.contacts() {
        Some(_) => corrected.with_contacts(track).expect("there is one entry per frame"),
        None => corrected,
    }
}

/// How much a foot is held in each frame: wholly where it stands, and less and less beside.
fn holds(clip: &Clip, leg: &Foot, track: &ContactTrack) -> Vec<f32> {
    let reach = (LET_GO_S * clip.fps().per_second()).max(1.0);
    let stands = track.iter().map(|contacts| contacts.foot(leg.side));
    let since = frames_since(stands.clone());
    let until = frames_since(stands.rev()).into_iter().rev();
    let away = since.into_iter().zip(until).map(|(since, until)| f32::min(since, until));
    away.map(|frames| smoothstep(1.0 - frames / reach)).collect()
}

/// How many frames ago a foot has stood; endless where it has not yet.
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

/// How far the pelvis comes down so that legs reach where their feet are held. One that was stretched as
/// far before needs nothing.
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

/// Takes back the contacts of a foot that is elsewhere than it stood, or turned.
fn let_go(
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
