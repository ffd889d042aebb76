//! Manual corrections: rotates joints and offsets hands and feet around single frames of a finished
//! clip.
//!
//! Each layer applies to the result of the layers below it. The effect of a key fades in and out
//! smoothly around its frame; frames that no key reaches stay bit for bit the same. Standing feet
//! stay in place, whatever the body above them does, unless a key affects the foot itself; then the
//! foot is released.

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

/// Smaller rotations are ignored: they are rounding errors of a rotation and its inverse.
const NO_TURN_RAD: f32 = 1e-6;

/// A layer of keys, muted or active together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CorrectionLayer {
    /// Whether the layer is muted and has no effect.
    pub muted: bool,
    /// The keys, in any order. Of two with the same subject at the same time, the later in the list
    /// wins.
    pub keys: Vec<CorrectionKey>,
}

/// A correction at one time, with its fades. Keys with numbers that are not finite are ignored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorrectionKey {
    /// The time of full effect, in frames of the clip; may be fractional or outside the clip.
    pub frame: f32,
    /// The correction.
    pub what: Correction,
    /// Fade-in in frames; 0 means that frames before the key are not changed.
    pub before: f32,
    /// Fade-out in frames.
    pub after: f32,
    /// Easing of both fades, and of the blend to the next key with the same subject.
    pub ease: CorrectionEase,
}

/// A correction of the movement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Correction {
    /// Rotates a joint further.
    Rotate {
        /// The joint.
        joint: HumanBone,
        /// The additional rotation, in the joint's local space.
        rotation: Quat,
    },
    /// Offsets a hand or foot; IK moves the limb.
    Pull {
        /// The limb whose end is offset.
        limb: PulledLimb,
        /// The offset relative to the hips' facing direction at the key's frame: left, up, forward;
        /// metres.
        offset: Vec3,
    },
}

/// The limbs that can be offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PulledLimb {
    /// A hand, with the arm following.
    Hand(Side),
    /// A foot, with the leg following.
    Foot(Side),
}

/// Easing of a correction. All start and end with zero velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CorrectionEase {
    /// Smoothstep.
    #[default]
    Smooth,
    /// Minimum jerk, as in human reaching: slower at both ends.
    Gentle,
    /// Full effect for the first half of the fade, then fades to nothing by its end.
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

/// The clip with the corrections applied. Keys for joints that the skeleton lacks have no effect.
/// If the clip has a contact track, the contacts of feet that no longer stand are removed.
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

/// Restores frames that are no longer finite.
fn all_finite(clip: &Clip, mut corrected: Clip) -> Clip {
    for (pose, was) in corrected.frames_mut().iter_mut().zip(clip.frames()) {
        if !pose.is_finite() {
            *pose = was.clone();
        }
    }
    corrected
}

/// One layer, grouped by the subject of its keys.
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

    /// Applies the layer to one pose, except to its feet. Returns whether a key reaches it.
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

/// The keys of this subject.
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

/// The hips' facing direction in a frame, as a rotation about the vertical axis; it converts the
/// offset of a [`Correction::Pull`] to the clip's space. It is defined even for a body that lies or
/// bends over. Times outside the clip are clamped to its first or last frame.
#[must_use]
pub fn facing(clip: &Clip, frame: f32) -> Quat {
    let skeleton = clip.skeleton();
    let nearest = (frame.round().max(0.0) as usize).min(clip.len() - 1);
    let (_, now) = ik::standing(skeleton, &clip.frames()[nearest], skeleton.hips());
    let (_, rest) = ik::standing(skeleton, &skeleton.rest_pose(), skeleton.hips());
    let turned = now * rest.inverse();
    Quat::from_rotation_y(2.0 * atan2(turned.y, turned.w))
}

/// Whether a rotation is negligible, so that the joint is left alone even if it is beyond its
/// limits.
fn is_no_turn(turn: Quat) -> bool {
    // for small angles, the vector part is half the angle
    2.0 * turn.xyz().length() < NO_TURN_RAD
}

fn turn_further(limits: &Limits, pose: &mut Pose, joint: JointIndex, turn: Weighted<Quat>) {
    let turned = (pose.rotation(joint) * turn.value).normalize();
    pose.set_rotation(joint, turned);
    keep_within(limits, pose, joint, turn.weight);
}

/// Moves a joint towards its limits in proportion to `share`, the weight of its correction, so that
/// a joint that was beyond them before does not jump where a correction fades in.
fn keep_within(limits: &Limits, pose: &mut Pose, joint: JointIndex, share: f32) {
    let free = pose.rotation(joint);
    limits.keep_joint(pose, joint);
    let kept = pose.rotation(joint);
    if kept != free && share < 1.0 {
        let kept = if free.dot(kept) < 0.0 { -kept } else { kept };
        pose.set_rotation(joint, free.slerp(kept, share).normalize());
    }
}

/// Moves a hand by arm IK; it keeps its angle to the forearm.
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
