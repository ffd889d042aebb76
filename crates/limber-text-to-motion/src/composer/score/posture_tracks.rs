//! Converts head, trunk, pelvis and shoulders of a score to curves of the motion plan's channels.

use glam::Vec3;
use limber_animation::{
    Side,
    maths::{asin, atan2},
};

use super::{
    Legs,
    notation::Ease,
    postures,
    reading::{Key, PoseParam},
    role,
    timing::Moment,
};
use crate::composer::{
    channels::{ArmDial, Channel},
    motion_plan::{MotionPlan, Posture},
};

/// Lead times of head, pelvis and trunk before the arms, seconds: the head goes first, then the
/// hips, then the trunk.
const HEAD_LEAD_S: f32 = 0.06;
const PELVIS_LEAD_S: f32 = 0.045;
const TRUNK_LEAD_S: f32 = 0.02;
/// Backward tilt of the pelvis from which a body lies on its back, radians.
const LYING_RAD: f32 = 1.0;

/// A transition from one value to another, which is then held.
#[derive(Debug, Clone, Copy)]
struct CurveSegment {
    from_s: f32,
    at_s: f32,
    from: f32,
    to: f32,
    ease: Ease,
}

/// The value of a dial over time.
#[derive(Debug, Default)]
struct Curve(Vec<CurveSegment>);

impl Curve {
    fn at(&self, time_s: f32) -> f32 {
        let next = self.0.partition_point(|way| way.from_s <= time_s);
        let Some(way) = next.checked_sub(1).map(|place| self.0[place]) else {
            // a frame may be marginally earlier than the first time
            return self.0.first().map_or(0.0, |way| way.from);
        };
        let share = (time_s - way.from_s) / (way.at_s - way.from_s).max(1e-4);
        way.from + (way.to - way.from) * way.ease.at(share)
    }

    /// A body lying on its back only bends upwards, and hardly twists its trunk.
    fn stay_off_the_floor(&mut self, dial: PoseParam, base: f32) {
        let least = match dial {
            PoseParam::TrunkBend | PoseParam::HeadNod => base,
            _ => f32::MIN,
        };
        let share = match dial {
            PoseParam::TrunkTurn | PoseParam::TrunkLean => 0.3,
            _ => 1.0,
        };
        for way in &mut self.0 {
            for value in [&mut way.from, &mut way.to] {
                *value = (base + share * (*value - base)).max(least);
            }
        }
    }
}

impl PoseParam {
    /// Whether its values are relative to the leading side.
    pub(super) const fn is_lateral(self) -> bool {
        matches!(
            self,
            Self::HeadTurn
                | Self::HeadTilt
                | Self::TrunkTurn
                | Self::TrunkLean
                | Self::PelvisAside
                | Self::PelvisTurn
                | Self::PelvisHike
        )
    }

    const fn is_pelvis(self) -> bool {
        matches!(
            self,
            Self::PelvisDown
                | Self::PelvisAhead
                | Self::PelvisAside
                | Self::PelvisTip
                | Self::PelvisTurn
                | Self::PelvisHike
        )
    }

    const fn lead_s(self) -> f32 {
        match self {
            Self::HeadNod | Self::HeadTurn | Self::HeadTilt | Self::HeadFollow | Self::HeadAim => {
                HEAD_LEAD_S
            }
            Self::TrunkBend | Self::TrunkTurn | Self::TrunkLean | Self::TrunkAim => TRUNK_LEAD_S,
            Self::Shoulders | Self::Shoulder(_) | Self::Grip(_) => 0.0,
            _ => PELVIS_LEAD_S,
        }
    }

    /// The channels that it drives, with their factors, if the leading side is the left.
    fn channels(self, aim: Vec3) -> Vec<(Channel, f32)> {
        let yaw = atan2(aim.x, aim.z.max(0.2));
        let pitch = -asin(aim.y);
        match self {
            Self::HeadNod => vec![(Channel::HeadPitch, 1.0)],
            Self::HeadTurn => vec![(Channel::HeadYaw, 1.0)],
            Self::HeadTilt => vec![(Channel::HeadRoll, -1.0)],
            Self::HeadFollow => vec![(Channel::HeadFollow, 1.0)],
            Self::HeadAim => {
                vec![(Channel::HeadYaw, 0.55 * yaw), (Channel::HeadPitch, 0.55 * pitch)]
            }
            Self::TrunkBend => vec![(Channel::SpinePitch, 1.0)],
            Self::TrunkTurn => vec![(Channel::SpineYaw, 1.0)],
            Self::TrunkLean => vec![(Channel::SpineRoll, -1.0)],
            Self::TrunkAim => vec![(Channel::SpineYaw, 0.4 * yaw)],
            Self::PelvisDown => vec![(Channel::PelvisY, -1.0)],
            Self::PelvisAhead => vec![(Channel::PelvisZ, 1.0)],
            Self::PelvisAside => vec![(Channel::PelvisX, 1.0)],
            Self::PelvisTip => vec![(Channel::PelvisPitch, 1.0)],
            Self::PelvisTurn => vec![(Channel::PelvisYaw, 1.0)],
            Self::PelvisHike => vec![(Channel::PelvisRoll, 1.0)],
            Self::Shoulders => {
                Side::BOTH.map(|side| (Channel::Arm(side, ArmDial::Lift), 1.0)).to_vec()
            }
            Self::Shoulder(side) => vec![(Channel::Arm(side, ArmDial::Lift), 1.0)],
            Self::Grip(side) => vec![(Channel::Arm(side, ArmDial::Grip), 1.0)],
        }
    }
}

pub(super) fn play(plan: &mut MotionPlan, moments: &[Moment<'_>], legs: Legs) {
    hold_oneself(plan, moments, legs);
    let lying = legs == Legs::Taken && lies_on_the_back(plan.posture);
    // if the score does not return home, its last key is held
    let stays = moments.last().is_some_and(|moment| moment.key.is_some());
    for dial in PoseParam::ALL.into_iter().filter(|dial| legs != Legs::Taken || !dial.is_pelvis()) {
        let base = postures::resting(plan.posture, dial);
        if matches!(dial, PoseParam::HeadAim | PoseParam::TrunkAim) {
            aim(plan, dial, moments, stays);
            continue;
        }
        let mut curve = curve_of(dial, moments, base);
        if lying {
            curve.stay_off_the_floor(dial, base);
        }
        let (Some(first), Some(last)) = (curve.0.first(), curve.0.last()) else { continue };
        let lead = dial.lead_s();
        let (from_s, to_s) = (first.from_s - lead, if stays { f32::MAX } else { last.at_s - lead });
        for (channel, share) in dial.channels(Vec3::Z) {
            plan.channels.add_with(channel, from_s, to_s, |t| share * (curve.at(t + lead) - base));
        }
    }
}

/// Turns head or trunk in the direction of each moment.
fn aim(plan: &mut MotionPlan, dial: PoseParam, moments: &[Moment<'_>], stays: bool) {
    for (place, (channel, _)) in dial.channels(Vec3::Z).into_iter().enumerate() {
        let share = |moment: &Moment<'_>| dial.channels(moment.aim)[place].1;
        let curve = curve_of_shares(dial, moments, 0.0, share);
        let (Some(first), Some(last)) = (curve.0.first(), curve.0.last()) else { continue };
        let lead = dial.lead_s();
        let (from_s, to_s) = (first.from_s - lead, if stays { f32::MAX } else { last.at_s - lead });
        plan.channels.add_with(channel, from_s, to_s, |t| curve.at(t + lead));
    }
}

fn lies_on_the_back(posture: Posture) -> bool {
    postures::resting(posture, PoseParam::PelvisTip) < -LYING_RAD
}

/// The performer's habitual posture during an action: everybody is slightly asymmetric.
fn hold_oneself(plan: &mut MotionPlan, moments: &[Moment<'_>], legs: Legs) {
    let (Some(first), Some(last)) = (moments.first(), moments.last()) else { return };
    let fade_in = (first.from_s, first.at_s.max(first.from_s + 0.4));
    let fade_out = (last.from_s, last.at_s.max(last.from_s + 0.4));
    let variation = plan.variation;
    // a body that is not standing shows habits less in other ways, so exaggerate them here
    let stands = plan.posture == Posture::Standing && legs == Legs::Free;
    let share = if stands || lies_on_the_back(plan.posture) { 1.0 } else { 2.4 };
    let mut hold =
        |channel, value: f32| plan.channels.add_held(channel, share * value, fade_in, fade_out);
    hold(Channel::SpineRoll, 0.035 * variation.weight);
    hold(Channel::SpineYaw, 0.055 * variation.twist);
    hold(Channel::SpinePitch, 0.030 * variation.hunch);
    hold(Channel::HeadRoll, -0.05 * variation.sway);
    if legs == Legs::Free && plan.posture == Posture::Standing {
        hold(Channel::PelvisYaw, 0.035 * variation.swing);
        hold(Channel::PelvisZ, 0.018 * variation.stride);
    }
}

/// Changes the posture: the values of the last moment stay.
pub(super) fn change(plan: &mut MotionPlan, moments: &[Moment<'_>]) {
    for dial in PoseParam::ALL {
        let base = postures::resting(plan.posture, dial);
        let curve = curve_of(dial, moments, base);
        let Some(first) = curve.0.first() else { continue };
        let from_s = first.from_s;
        for (channel, share) in dial.channels(Vec3::Z) {
            plan.channels.add_with(channel, from_s, f32::MAX, |t| share * (curve.at(t) - base));
        }
    }
}

/// The value of a dial in a key. Dials of arms have one for the leading side and one for the other.
fn told(key: &Key, dial: PoseParam, moment: &Moment<'_>) -> Option<f32> {
    match dial {
        PoseParam::Shoulder(side) => key.shoulders[role(moment, side)],
        PoseParam::Grip(side) => key.grips[role(moment, side)],
        _ => key.dials.iter().find(|(told, _)| *told == dial).map(|(_, value)| *value),
    }
}

fn curve_of(dial: PoseParam, moments: &[Moment<'_>], base: f32) -> Curve {
    curve_of_shares(dial, moments, base, |_| 1.0)
}

/// The curve of a dial of which each moment takes a share.
fn curve_of_shares(
    dial: PoseParam,
    moments: &[Moment<'_>],
    base: f32,
    share: impl Fn(&Moment<'_>) -> f32,
) -> Curve {
    let mut curve = Curve::default();
    let mut value = base;
    for moment in moments {
        let told = match moment.key {
            None => Some(base),
            Some(key) => told(key, dial, moment).map(|value| {
                let side = match (dial.is_lateral(), moment.both_lead) {
                    (false, _) => 1.0,
                    (true, true) => 0.0,
                    (true, false) => moment.lead.sign(),
                };
                let as_told = matches!(dial, PoseParam::HeadFollow | PoseParam::Grip(_));
                let size = if as_told { 1.0 } else { moment.size };
                // larger movements go further from the resting value
                base + size * (share(moment) * value * side - base)
            }),
        };
        let Some(to) = told.filter(|to| *to != value) else { continue };
        let ease = moment.key.map_or(Ease::Smooth, |key| key.ease);
        curve.0.push(CurveSegment {
            from_s: moment.from_s,
            at_s: moment.at_s,
            from: value,
            to,
            ease,
        });
        value = to;
    }
    curve
}
