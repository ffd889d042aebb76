//! Measures how a body stands at rest.

use std::collections::BTreeMap;

use glam::Vec3;
use limber_animation::{
    HumanBone as B, Side,
    maths::{acos, asin},
};

use crate::humanoid::Mapped;

/// Angles of a body at rest, in degrees.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stance {
    /// Angle of each upper arm below the horizontal, left first.
    arms: [f32; 2],
    /// Angle of each upper arm in front of the body's plane, left first; negative behind it.
    reach: [f32; 2],
    /// Flexion of each elbow, left first; 0 without a hand.
    elbows: [f32; 2],
    /// Angle of each leg from the vertical, left first.
    legs: [f32; 2],
    /// Flexion of each knee, left first.
    knees: [f32; 2],
    /// Angle of the trunk from the vertical.
    lean: f32,
    /// Whether head, hips and feet are above each other in this order.
    is_upright: bool,
    /// The facing in the file.
    pub(crate) facing: Vec3,
}

/// Angles of the upper arms below the horizontal in T-pose or A-pose.
const ARM_RANGE: std::ops::RangeInclusive<f32> = -20.0..=75.0;
/// Angles that are still usable, with a warning.
const ARM_LIMIT: std::ops::RangeInclusive<f32> = -85.0..=90.0;
const LEG_RANGE: f32 = 25.0;
/// Includes a leg in mid-run; beyond it, the body sits or lies.
const LEG_LIMIT: f32 = 80.0;
/// Limits for the slight bends that artists build into T-poses and A-poses; more is a pose.
const REACH_RANGE: f32 = 40.0;
const ELBOW_RANGE: f32 = 60.0;
const KNEE_RANGE: f32 = 45.0;
const LEAN_RANGE: f32 = 25.0;
/// Maximum angle of the upper arms from the horizontal in a T-pose.
const T_POSE: f32 = 20.0;

impl Stance {
    pub(crate) fn of(places: &[Vec3], bones: &BTreeMap<B, Mapped>, facing: Vec3) -> Self {
        let found = |bone: B| bones.get(&bone).map(|mapped| places[mapped.joint]);
        let at = |bone: B| found(bone).unwrap_or(Vec3::ZERO);
        let along = |from: B, to: B| (at(to) - at(from)).normalize_or_zero();
        let fall = |from: B, to: B| (-along(from, to).y).clamp(-1.0, 1.0);
        let bend = |[upper, middle, end]: [B; 3]| {
            let halves = found(end).map(|_| (along(upper, middle), along(middle, end)));
            halves.map_or(0.0, |(one, two)| acos(one.dot(two).clamp(-1.0, 1.0)).to_degrees())
        };
        let arm = |side| {
            let [_, upper, lower, hand] = B::arm(side);
            [upper, lower, hand]
        };
        let leg = |side| {
            let [upper, lower, foot, _] = B::leg(side);
            [upper, lower, foot]
        };
        let foot = at(B::LeftFoot).y.max(at(B::RightFoot).y);
        Self {
            arms: Side::BOTH.map(|side| {
                let [upper, lower, _] = arm(side);
                asin(fall(upper, lower)).to_degrees()
            }),
            reach: Side::BOTH.map(|side| {
                let [upper, lower, _] = arm(side);
                asin(along(upper, lower).dot(facing).clamp(-1.0, 1.0)).to_degrees()
            }),
            elbows: Side::BOTH.map(|side| bend(arm(side))),
            legs: Side::BOTH.map(|side| {
                let [upper, _, foot] = leg(side);
                acos(fall(upper, foot)).to_degrees()
            }),
            knees: Side::BOTH.map(|side| bend(leg(side))),
            lean: acos(fall(B::Head, B::Hips)).to_degrees(),
            is_upright: at(B::Head).y > at(B::Hips).y && at(B::Hips).y > foot,
            facing,
        }
    }

    /// Checks whether the rest pose is usable; otherwise says what is wrong.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !self.is_upright {
            return Err("the character is not upright in its rest pose".to_owned());
        }
        if let Some(leg) = self.legs.into_iter().find(|leg| *leg > LEG_LIMIT) {
            return Err(format!("in the rest pose, a leg is {leg:.0} degrees away from vertical"));
        }
        if let Some(arm) = self.arms.into_iter().find(|arm| !ARM_LIMIT.contains(arm)) {
            return Err(format!(
                "in the rest pose, an upper arm points {:.0} degrees upwards",
                -arm
            ));
        }
        Ok(())
    }

    /// Whether it is a T-pose or an A-pose.
    pub(crate) fn is_plain(&self) -> bool {
        self.oddities().is_empty()
    }

    /// Returns the measurements that are in neither T-pose nor A-pose, in words.
    fn oddities(&self) -> Vec<String> {
        let mut odd = Vec::new();
        let mut each =
            |angles: [f32; 2], usual: &dyn Fn(f32) -> bool, say: &dyn Fn(f32) -> String| {
                for (side, angle) in ["left", "right"].into_iter().zip(angles) {
                    if !usual(angle) {
                        odd.push(format!("the {side} {}", say(angle)));
                    }
                }
            };
        each(self.arms, &|arm| ARM_RANGE.contains(&arm), &|arm| match arm < 0.0 {
            true => format!("upper arm points {:.0} degrees upwards", -arm),
            false => format!("upper arm points {arm:.0} degrees downwards"),
        });
        each(self.reach, &|reach| reach.abs() <= REACH_RANGE, &|reach| {
            let way = if reach > 0.0 { "forwards" } else { "backwards" };
            format!("upper arm points {:.0} degrees {way}", reach.abs())
        });
        let bent =
            |what: &'static str| move |angle: f32| format!("{what} is bent by {angle:.0} degrees");
        each(self.elbows, &|elbow| elbow <= ELBOW_RANGE, &bent("elbow"));
        each(self.legs, &|leg| leg <= LEG_RANGE, &|leg| {
            format!("leg is {leg:.0} degrees away from vertical")
        });
        each(self.knees, &|knee| knee <= KNEE_RANGE, &bent("knee"));
        if self.lean > LEAN_RANGE {
            odd.push(format!("the trunk leans by {:.0} degrees", self.lean));
        }
        odd
    }

    /// Returns a warning for the user about an unusual rest pose.
    pub(crate) fn warnings(&self) -> Option<String> {
        let odd = self.oddities();
        (!odd.is_empty()).then(|| {
            format!(
                "the rest pose of the character is neither a T-pose nor an A-pose: {}. Its T-pose \
                 was computed from there, so limbs may look twisted in animations; to be sure, put \
                 the character into a T-pose or A-pose and export again",
                odd.join(", ")
            )
        })
    }

    /// Returns the mean angle of the upper arms below the horizontal.
    pub(crate) fn arm_angle(&self) -> f32 {
        (self.arms[0] + self.arms[1]) / 2.0
    }

    /// Returns `T`, `A` or `other`.
    pub(crate) fn name(&self) -> &'static str {
        match self.arm_angle() {
            _ if !self.is_plain() => "other",
            angle if angle.abs() <= T_POSE => "T",
            angle if (T_POSE..=*ARM_RANGE.end()).contains(&angle) => "A",
            _ => "other",
        }
    }
}

/// Returns the facing of hips and shoulders, whatever the limbs do, as a horizontal unit vector.
pub(crate) fn facing_of_trunk(places: &[Vec3], bones: &BTreeMap<B, Mapped>) -> Option<Vec3> {
    let across = |left: B| {
        let at = |bone: B| bones.get(&bone).map(|mapped| places[mapped.joint]);
        let across = at(left)? - at(left.mirrored())?;
        Some(Vec3::new(across.x, 0.0, across.z).normalize_or_zero())
    };
    let left = across(B::LeftUpperLeg)? + across(B::LeftUpperArm)?;
    left.cross(Vec3::Y).try_normalize()
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;

    use super::*;
    use crate::humanoid::By;

    /// Returns the stance of the canonical body with some bones moved by an offset.
    fn stance(moved: &[(B, Vec3)]) -> Stance {
        let skeleton = canonical_skeleton();
        let mut places = skeleton.rest_world().positions;
        let bones: BTreeMap<B, Mapped> = skeleton
            .indices()
            .filter_map(|joint| {
                let mapped = Mapped { joint: joint.get(), by: By::Table, confidence: 1.0 };
                Some((skeleton.joint(joint).bone?, mapped))
            })
            .collect();
        for (bone, by) in moved {
            places[bones[bone].joint] += *by;
        }
        Stance::of(&places, &bones, Vec3::Z)
    }

    #[test]
    fn a_t_pose_has_no_warnings() {
        let plain = stance(&[]);
        assert_eq!((plain.name(), plain.warnings()), ("T", None));
    }

    #[test]
    fn bodies_in_mid_run_are_accepted_with_warnings() {
        let run = stance(&[
            (B::LeftLowerArm, Vec3::new(-0.2, -0.15, -0.2)),
            (B::LeftHand, Vec3::new(-0.5, -0.1, 0.05)),
            (B::LeftFoot, Vec3::new(0.0, 0.3, -0.5)),
            (B::LeftLowerLeg, Vec3::new(0.0, 0.05, 0.1)),
        ]);
        assert_eq!(run.check(), Ok(()));
        assert_eq!(run.name(), "other");
        let warning = run.warnings().expect("the pose is unusual");
        for part in ["left upper arm points", "backwards", "left elbow is bent", "left leg is"] {
            assert!(warning.contains(part), "{part}: {warning}");
        }
        assert!(!warning.contains("right"), "{warning}");
    }

    #[test]
    fn sitting_bodies_are_rejected() {
        let up = Vec3::Y * 0.9;
        let sitting = stance(&[(B::LeftFoot, up + Vec3::Z * 0.9)]);
        assert!(sitting.check().is_err(), "{sitting:?}");
    }
}
