//! Corrections by hand: joints turned, hands and feet pulled around single frames of a finished clip.
//!
//! Each layer changes what the layers below it left. Around its frame a key comes and goes smoothly;
//! frames that no key reaches keep every bit. Feet that stand stay where they stand, whatever the body
//! above them does, unless a key is about the foot itself: then it is let go.

mod curve;
mod feet;

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, JointIndex, Pose, Side, Skeleton, ik, maths::atan2};

use crate::{
    feet::{Foot, side_place},
    physics::Limits,
};
pub use curve::{Blend, Curve, CurveKey, Weighted};
use feet::FootChange;

/// A smaller turn is none: what rounding leaves of a turn and its reverse.
const NO_TURN_RAD: f32 = 1e-6;

/// Keys that are shown and hidden together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CorrectionLayer {
    /// Whether it changes nothing for now.
    pub muted: bool,
    /// In any order. Of two that are about the same at the same time, the later one counts.
    pub keys: Vec<CorrectionKey>,
}

/// One change at one time, and how it comes and goes. Keys with numbers that are not finite count as
/// absent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorrectionKey {
    /// When the change is whole, in frames of the clip; may lie between frames and outside of it.
    pub frame: f32,
    /// What is changed.
    pub what: Correction,
    /// Frames over which it comes; 0 changes the one frame alone.
    pub before: f32,
    /// Frames over which it goes again.
    pub after: f32,
    /// The shape of both, and of the way to the next key about the same.
    pub ease: CorrectionEase,
}

/// What is changed about the movement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Correction {
    /// A joint turns further.
    Rotate {
        /// The joint.
        joint: HumanBone,
        /// By how much, in the joint's own space.
        rotation: Quat,
    },
    /// A hand or foot is elsewhere.
    Pull {
        /// The limb that is pulled.
        limb: PulledLimb,
        /// How far: to the left, up and forward of who faces as the hips do at the key's frame; metres.
        offset: Vec3,
    },
}

/// What can be pulled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PulledLimb {
    /// A hand, with its arm behind it.
    Hand(Side),
    /// A foot, with its leg above it.
    Foot(Side),
}

/// How a change comes and goes; speed is 0 at both ends of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CorrectionEase {
    /// Evenly.
    #[default]
    Smooth,
    /// As hands reach: more slowly at both ends.
    Gentle,
    /// Whole for the first half, gone by the end.
    Hold,
}

impl CorrectionKey {
    fn is_sound(&self) -> bool {
        let what = match self.what {
            Correction::Rotate { rotation, .. } => {
                rotation.length_squared().is_finite() && rotation.length_squared() > 1e-12
            }
            Correction::Pull { offset, .. } => offset.is_finite(),
        };
        what && [self.frame, self.before, self.after].iter().all(|number| number.is_finite())
    }

    fn with<V>(&self, value: V) -> CurveKey<V> {
        let (before, after) = (self.before.max(0.0), self.after.max(0.0));
        CurveKey { frame: self.frame, value, before, after, ease: self.ease }
    }
}

/// The clip with its corrections. Keys about joints that the skeleton lacks change nothing. The clip's
/// contacts, where they are known, lose those of feet that do not stand any more.
#[must_use]
pub fn apply_corrections(clip: &Clip, layers: &[CorrectionLayer]) -> Clip {
    let skeleton = clip.skeleton();
    let plans: Vec<Plan> =
        layers.iter().filter(|layer| !layer.muted).map(|layer| Plan::of(clip, layer)).collect();
    let legs = Foot::all(skeleton);
    let limits = Limits::of(skeleton);
    let mut corrected = clip.clone();
    let mut changes: Vec<Option<[FootChange; 2]>> = vec![None; clip.len()];
    for (frame, pose) in corrected.frames_mut().iter_mut().enumerate() {
        let mut feet = [FootChange::default(); 2];
        let mut reached = false;
        for plan in &plans {
            reached |= plan.apply(skeleton, &limits, &legs, frame as f32, pose, &mut feet);
        }
        changes[frame] = reached.then_some(feet);
    }
    if changes.iter().all(Option::is_none) {
        return clip.clone();
    }
    let corrected = feet::plant(clip, corrected, &legs, &limits, &changes);
    all_finite(clip, corrected)
}

/// A frame that came to nothing stays as it was.
fn all_finite(clip: &Clip, mut corrected: Clip) -> Clip {
    for (pose, was) in corrected.frames_mut().iter_mut().zip(clip.frames()) {
        if !pose.is_finite() {
            *pose = was.clone();
        }
    }
    corrected
}

/// One layer, sorted by what its keys are about.
struct Plan {
    turns: Vec<(JointIndex, Curve<Quat>)>,
    hands: Vec<([JointIndex; 3], Curve<Vec3>)>,
    feet: Vec<(Side, Curve<Vec3>)>,
}

impl Plan {
    fn of(clip: &Clip, layer: &CorrectionLayer) -> Self {
        let skeleton = clip.skeleton();
        let (mut turns, mut hands, mut feet) = (Vec::new(), Vec::new(), Vec::new());
        for key in layer.keys.iter().filter(|key| key.is_sound()) {
            match key.what {
                Correction::Rotate { joint, rotation } => {
                    let Some(joint) = skeleton.find(joint) else { continue };
                    let key = key.with(rotation.normalize());
                    of_subject(&mut turns, joint).push(key);
                }
                Correction::Pull { limb: PulledLimb::Hand(side), offset } => {
                    let [_, upper, lower, hand] = HumanBone::arm(side);
                    let chain = [upper, lower, hand].map(|bone| skeleton.find(bone));
                    let [Some(upper), Some(lower), Some(hand)] = chain else { continue };
                    let key = key.with(facing(clip, key.frame) * offset);
                    of_subject(&mut hands, [upper, lower, hand]).push(key);
                }
                Correction::Pull { limb: PulledLimb::Foot(side), offset } => {
                    let key = key.with(facing(clip, key.frame) * offset);
                    of_subject(&mut feet, side).push(key);
                }
            }
        }
        Self { turns: curves(turns), hands: curves(hands), feet: curves(feet) }
    }

    /// Changes one pose but for its feet; whether a key reaches it.
    fn apply(
        &self,
        skeleton: &Skeleton,
        limits: &Limits,
        legs: &[Foot],
        frame: f32,
        pose: &mut Pose,
        feet: &mut [FootChange; 2],
    ) -> bool {
        let mut reached = false;
        for (joint, keys) in &self.turns {
            let Some(turn) = keys.at(frame) else { continue };
            if is_no_turn(turn.value) {
                continue;
            }
            reached = true;
            turn_further(limits, pose, *joint, turn);
            for leg in legs {
                feet[side_place(leg.side)].note_turn(leg, *joint, turn);
            }
        }
        for (chain, keys) in &self.hands {
            let Some(pull) = keys.at(frame) else { continue };
            if pull.value == Vec3::ZERO {
                continue;
            }
            reached = true;
            pull_hand(skeleton, limits, pose, *chain, pull);
        }
        for (side, keys) in &self.feet {
            let Some(pull) = keys.at(frame) else { continue };
            if pull.value == Vec3::ZERO {
                continue;
            }
            reached = true;
            feet[side_place(*side)].note_pull(pull);
        }
        reached
    }
}

/// The list of this subject.
fn of_subject<S: PartialEq, K>(lists: &mut Vec<(S, Vec<K>)>, subject: S) -> &mut Vec<K> {
    let place = lists.iter().position(|(known, _)| *known == subject).unwrap_or(lists.len());
    if place == lists.len() {
        lists.push((subject, Vec::new()));
    }
    &mut lists[place].1
}

fn curves<S, V: Blend>(lists: Vec<(S, Vec<CurveKey<V>>)>) -> Vec<(S, Curve<V>)> {
    lists.into_iter().map(|(subject, keys)| (subject, Curve::new(keys))).collect()
}

/// Which way the hips face in a frame, as a turn about the vertical: what turns the offset of a
/// [`Correction::Pull`] into the clip's space. Who lies or bends over still faces somewhere. Times outside of
/// the clip count as its first or last frame.
#[must_use]
pub fn facing(clip: &Clip, frame: f32) -> Quat {
    let skeleton = clip.skeleton();
    let nearest = (frame.round().max(0.0) as usize).min(clip.len() - 1);
    let (_, now) = ik::standing(skeleton, &clip.frames()[nearest], skeleton.hips());
    let (_, rest) = ik::standing(skeleton, &skeleton.rest_pose(), skeleton.hips());
    let turned = now * rest.inverse();
    Quat::from_rotation_y(2.0 * atan2(turned.y, turned.w))
}

/// A key that turns nothing leaves joints as they are, also those that are beyond their limits.
fn is_no_turn(turn: Quat) -> bool {
    // for small angles, the vector part is half of the angle
    2.0 * turn.xyz().length() < NO_TURN_RAD
}

fn turn_further(limits: &Limits, pose: &mut Pose, joint: JointIndex, turn: Weighted<Quat>) {
    let turned = (pose.rotation(joint) * turn.value).normalize();
    pose.set_rotation(joint, turned);
    keep_within(limits, pose, joint, turn.weight);
}

/// Brings a joint within its limits, by as much as it was changed: what was beyond them before stays so
/// where a change only begins.
fn keep_within(limits: &Limits, pose: &mut Pose, joint: JointIndex, share: f32) {
    let free = pose.rotation(joint);
    limits.keep_joint(pose, joint);
    let kept = pose.rotation(joint);
    if kept != free && share < 1.0 {
        let kept = if free.dot(kept) < 0.0 { -kept } else { kept };
        pose.set_rotation(joint, free.slerp(kept, share).normalize());
    }
}

/// The hand keeps its angle to the forearm.
fn pull_hand(
    skeleton: &Skeleton,
    limits: &Limits,
    pose: &mut Pose,
    chain: [JointIndex; 3],
    pull: Weighted<Vec3>,
) {
    let target = ik::standing(skeleton, pose, chain[2]).0 + pull.value;
    ik::reach_from_present(skeleton, pose, chain, target, None);
    for joint in &chain[..2] {
        keep_within(limits, pose, *joint, pull.weight);
    }
}
